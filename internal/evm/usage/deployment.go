package usage

import (
	"context"
	"errors"
	"fmt"
	"time"

	"laurel.example/laurel/internal/evm/node"
	"laurel.example/laurel/internal/store"
)

const (
	lookAgainAfter = 30 * time.Second // for a contract of which no deployment was found
	// gasOfTransfer is what a transaction uses that only moves coins. One that creates a contract uses more: how much more
	// differs by network, and newer nodes do not count what the state costs as gas used.
	gasOfTransfer = 21_000
)

// lookForOne looks for the deployment of the first contract of which none is known, and reports whether it did.
func (f *follower) lookForOne(ctx context.Context, rows []contractRow, final int64) (bool, error) {
	now := f.DB.Now()
	for _, r := range rows {
		if r.DeployedBlock != nil || r.Looked >= final || f.lookAt[r.Address].After(now) {
			continue
		}
		f.lookAt[r.Address] = now.Add(lookAgainAfter)
		found, err := f.deployment(ctx, r.Address, final)
		var unclear unclearError
		switch {
		case errors.As(err, &unclear):
			found.Fault = unclear.Error()
		case err != nil:
			return false, err
		}
		return true, f.write(ctx, func(tx *store.Tx) error { return updateDeployment(ctx, tx, f.chainID(), found) })
	}
	return false, nil
}

// unclearError says why the nodes cannot tell of a deployment.
type unclearError string

func (e unclearError) Error() string { return string(e) }

// deployment finds the block in which a contract was deployed, and who has sent the transaction. A contract that does
// not exist at the block final has no deployment. Errors: unclearError.
func (f *follower) deployment(ctx context.Context, address string, final int64) (contractRow, error) {
	out := contractRow{Address: address, Looked: -1}
	has, err := f.hasCode(ctx, address, final)
	if err != nil || !has {
		if err == nil {
			out.Looked = final
		}
		return out, err
	}
	below, above := int64(-1), final // the contract does not exist at the one, and does at the other
	for step := int64(1); above-below > 1; step *= 2 {
		n := above - (above-below)/2
		if below < 0 { // a contract is more likely young: the first looks go back from the end, each twice as far
			n = max(above-step, 0)
		}
		if has, err = f.hasCode(ctx, address, n); err != nil {
			return out, err
		}
		if has {
			above = n
		} else {
			below = n
		}
	}
	b, err := f.client.BlockByNumber(ctx, uint64(above)) //nolint:gosec // not negative
	if err != nil {
		return out, err
	}
	if above > 0 {
		if out.Deployer, err = f.deployer(ctx, address, b); err != nil {
			return out, err
		}
	}
	at := store.Micros(b.Time)
	out.Looked, out.DeployedBlock, out.DeployedAt, out.Next = final, &above, &at, &above
	return out, nil
}

// hasCode reports whether an account has code at a height.
func (f *follower) hasCode(ctx context.Context, address string, number int64) (bool, error) {
	header, err := f.client.HeaderByNumber(ctx, uint64(number)) //nolint:gosec // not negative
	if err != nil {
		return false, err
	}
	code, err := f.client.Code(ctx, address, node.At{Hash: header.Hash})
	if answer := (*node.RPCError)(nil); errors.As(err, &answer) {
		err = unclearError(fmt.Sprintf("the node does not tell the state of block %d, which an archive node has: %s",
			number, answer.Message))
	}
	return len(code) > 0, err
}

// deployer returns the sender of the transaction of a block that has made a contract, itself or by a factory.
func (f *follower) deployer(ctx context.Context, address string, b node.Block) (string, error) {
	receipts, err := f.client.Receipts(ctx, b)
	if err != nil {
		return "", err
	}
	var candidates []node.Receipt
	for _, r := range receipts {
		if !r.Succeeded {
			continue
		}
		if r.Contract == address {
			return r.From, nil
		}
		if r.GasUsed > gasOfTransfer {
			candidates = append(candidates, r)
		}
	}
	if len(candidates) == 1 { // the contract was made in this block, and nothing else can have made it
		return candidates[0].From, nil
	}
	for _, r := range candidates {
		creates, err := f.client.Creates(ctx, r.TxHash, address)
		if answer := (*node.RPCError)(nil); errors.Is(err, node.ErrNoTraces) || errors.As(err, &answer) {
			return "", unclearError(fmt.Sprintf("which transaction of block %d has made it is unknown: %s", b.Number, err))
		}
		if err != nil {
			return "", err
		}
		if creates {
			return r.From, nil
		}
	}
	return "", unclearError(fmt.Sprintf("no transaction of block %d has made it", b.Number))
}
