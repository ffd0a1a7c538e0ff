package usage

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/big"
	"slices"

	"laurel.example/laurel/internal/evm/node"
	"laurel.example/laurel/internal/store"
	"laurel.example/laurel/internal/worker"
)

const (
	maxSpan      = 32 // blocks that are read at once
	blocksAtOnce = 4  // of them, at the same time
)

// step reads on by some blocks, of the contracts that are ahead and of those that are behind each, and reports whether
// there may be more. The calls that it finds are stored in the transaction that moves the contracts on.
func (f *follower) step(ctx context.Context) (more bool, err error) {
	state, err := selectNetwork(ctx, f.DB, f.chainID())
	if err != nil || state == nil {
		return false, err
	}
	if isLeader, err := f.ensureLease(ctx, *state); err != nil || !isLeader {
		return false, err
	}
	rows, err := selectAllContracts(ctx, f.DB, f.chainID())
	if err != nil {
		return false, err
	}
	switch {
	case state.StoppedReason != "" && !state.IsResumed:
		return false, nil
	case state.IsResumed:
		more, err = true, f.dropAll(ctx, rows)
	default:
		more, err = f.readOn(ctx, rows)
	}
	if errors.Is(err, errLost) {
		return false, nil // the next step looks for the lease
	}
	return more, err
}

// ensureLease takes the lease of the network if no other reader has it, and renews it once half of it is over. It
// reports whether this reader has it.
func (f *follower) ensureLease(ctx context.Context, n networkRow) (bool, error) {
	remaining := store.Time(n.LeaseUntil).Sub(f.DB.Now())
	isOwner := n.LeaseOwner == f.id
	switch {
	case isOwner && remaining > leaseTime/2 && n.Name == f.network.Name:
		return true, nil
	case !isOwner && !n.LeaseOwner.IsZero() && remaining > 0:
		return false, nil
	}
	n.Name = f.network.Name
	acquired := false
	err := f.DB.InTx(ctx, func(tx *store.Tx) (err error) {
		acquired, err = acquireLease(ctx, tx, n, f.id)
		return err
	})
	return acquired, err
}

// release gives the lease of the network to the next reader.
func (f *follower) release(ctx context.Context) {
	err := f.DB.InTx(ctx, func(tx *store.Tx) error { return releaseLease(ctx, tx, f.chainID(), f.id) })
	if err != nil {
		f.log().Warn("the lease of a network's usage could not be given back; it ends by itself", slog.Any("error", err))
	}
}

// write runs a transaction of the leader.
func (f *follower) write(ctx context.Context, change func(tx *store.Tx) error) error {
	return f.DB.InTx(ctx, func(tx *store.Tx) error {
		if err := holdLease(ctx, tx, f.chainID(), f.id); err != nil {
			return err
		}
		return change(tx)
	})
}

// dropAll removes some of the calls that were read before the reading was stopped. Once all is removed, the reading
// begins again.
func (f *follower) dropAll(ctx context.Context, rows []contractRow) error {
	return f.write(ctx, func(tx *store.Tx) error {
		for _, r := range rows {
			if dropped, err := f.drop(ctx, tx, r); err != nil || dropped {
				return err
			}
		}
		return markGoingOn(ctx, tx, f.chainID())
	})
}

// drop removes some of the calls of a contract, and reports whether there were any. Of a contract of which calls are
// missing nothing counts as read.
func (f *follower) drop(ctx context.Context, tx *store.Tx, r contractRow) (bool, error) {
	if r.Looked >= 0 {
		if err := updateDeployment(ctx, tx, f.chainID(), contractRow{Address: r.Address, Looked: -1}); err != nil {
			return false, err
		}
	}
	return deleteCalls(ctx, tx, f.chainID(), r.Address)
}

// readOn does the work of a step as the leader.
func (f *follower) readOn(ctx context.Context, rows []contractRow) (bool, error) {
	oldest := store.Micros(f.DB.Now().Add(-wantedFor))
	for _, r := range rows {
		if r.WantedAt < oldest {
			return true, f.forget(ctx, r)
		}
	}
	state := f.client.State()
	final := int64(state.Head) - int64(f.network.Confirmations) //nolint:gosec // heights have 63 bits
	if state.HeadTime.IsZero() || state.Status != node.OK || final < 0 {
		return false, nil
	}
	hasLooked, unfound := f.lookForOne(ctx, rows, final)
	hasRead, err := f.readBlocks(ctx, rows, final) // a contract that is not found holds up no others
	if err == nil && !hasRead {
		err = unfound
	}
	return hasLooked || hasRead, err
}

// forget removes some of the calls of a contract that nobody wants any more, and then the contract.
func (f *follower) forget(ctx context.Context, r contractRow) error {
	return f.write(ctx, func(tx *store.Tx) error {
		if dropped, err := f.drop(ctx, tx, r); err != nil || dropped {
			return err
		}
		return deleteContract(ctx, tx, f.chainID(), r.Address)
	})
}

// readBlocks reads the next blocks of the contracts that are furthest, and then of some that are behind, up to where
// others are: from then on both are read together. Those behind have turns, so that a contract of which years are to be
// read delays none of which days are.
func (f *follower) readBlocks(ctx context.Context, rows []contractRow, final int64) (bool, error) {
	byNext := map[int64][]contractRow{}
	for _, r := range rows {
		if r.Next != nil {
			byNext[*r.Next] = append(byNext[*r.Next], r)
		}
	}
	var places []int64
	for next := range byNext {
		places = append(places, next)
	}
	if len(places) == 0 {
		return false, nil
	}
	slices.Sort(places)
	f.metrics.behind.WithLabelValues(f.network.Name).Set(float64(max(final+1-places[0], 0)))
	front := places[len(places)-1]
	hasRead := front <= final
	if hasRead {
		if err := f.readSpan(ctx, byNext[front], front, min(front+maxSpan-1, final)); err != nil {
			return false, err
		}
	}
	if behind := len(places) - 1; behind > 0 {
		f.turn++
		i := f.turn % behind
		from := places[i]
		if err := f.readSpan(ctx, byNext[from], from, min(from+maxSpan, places[i+1])-1); err != nil {
			return false, err
		}
		hasRead = true
	}
	return hasRead, nil
}

// readSpan reads the blocks from one height to another, both included, for contracts that stand at the first one.
func (f *follower) readSpan(ctx context.Context, contracts []contractRow, from, to int64) error {
	lastHash := ""
	addresses, isRead := make([]string, len(contracts)), map[string]bool{}
	for i, c := range contracts {
		addresses[i], isRead[c.Address] = c.Address, true
		if c.LastHash == "" {
			continue
		}
		if lastHash != "" && c.LastHash != lastHash {
			return f.stop(ctx, from-1)
		}
		lastHash = c.LastHash
	}
	first, err := f.blockAfter(ctx, from, lastHash)
	if err != nil {
		return err
	}
	if lastHash != "" && first.ParentHash != lastHash {
		return f.stop(ctx, from-1)
	}
	heights := make([]int64, to-from)
	for i := range heights {
		heights[i] = from + 1 + int64(i)
	}
	blocks := make([]node.Block, to-from+1)
	blocks[0] = first
	if err := worker.ForEach(heights, blocksAtOnce, func(n int64) (err error) {
		blocks[n-from], err = f.client.BlockByNumber(ctx, uint64(n)) //nolint:gosec // not negative
		return err
	}); err != nil {
		return err
	}
	var calls []callRow
	for i, b := range blocks {
		if i > 0 && b.ParentHash != blocks[i-1].Hash {
			return fmt.Errorf("block %d does not follow the one before: %w", b.Number, node.ErrInvalid)
		}
		found, err := f.callsIn(ctx, b, isRead)
		if err != nil {
			return err
		}
		calls = append(calls, found...)
	}
	read := move{addresses, from, to, blocks[len(blocks)-1].Hash}
	return f.write(ctx, func(tx *store.Tx) error {
		if err := moveContracts(ctx, tx, f.chainID(), read); err != nil {
			return err
		}
		return insertCalls(ctx, tx, f.chainID(), calls)
	})
}

// blockAfter returns the block at a height above the one with a hash; "": whatever is before.
func (f *follower) blockAfter(ctx context.Context, number int64, parent string) (node.Block, error) {
	if parent == "" {
		return f.client.BlockByNumber(ctx, uint64(number)) //nolint:gosec // not negative
	}
	return f.client.BlockAfter(ctx, uint64(number), parent) //nolint:gosec // not negative
}

// stop ends the reading of the network until the operator resumes it: what was read counts as final.
func (f *follower) stop(ctx context.Context, block int64) error {
	reason := fmt.Sprintf("the chain has another block %d than the one that was read: a reorganization of more than %d blocks",
		block, f.network.Confirmations)
	err := f.write(ctx, func(tx *store.Tx) error { return markStopped(ctx, tx, f.chainID(), reason) })
	if err == nil {
		f.log().Error("reading how contracts are used has stopped: check the nodes, then run laurel networks resume",
			slog.String("reason", reason))
	}
	return err
}

// callsIn returns the calls of contracts in a block, by contract and sender.
func (f *follower) callsIn(ctx context.Context, b node.Block, isRead map[string]bool) ([]callRow, error) {
	if !slices.ContainsFunc(b.Transactions, func(tx node.Transaction) bool { return isRead[tx.To] }) {
		return nil, nil
	}
	receipts, err := f.client.Receipts(ctx, b)
	if err != nil {
		return nil, err
	}
	type key struct{ address, sender string }
	sums := map[key]*callRow{}
	fees := map[key]*big.Int{}
	var order []key
	for _, r := range receipts {
		if !isRead[r.To] {
			continue
		}
		k := key{r.To, r.From}
		if sums[k] == nil {
			number := int64(b.Number) //nolint:gosec // heights have 63 bits
			sums[k] = &callRow{Address: r.To, Sender: r.From, At: store.Micros(b.Time), Number: number}
			fees[k] = new(big.Int)
			order = append(order, k)
		}
		if r.Succeeded {
			sums[k].Succeeded++
		}
		fee := new(big.Int).SetUint64(r.GasUsed)
		fees[k].Add(fees[k], fee.Mul(fee, r.GasPrice))
	}
	out := make([]callRow, len(order))
	for i, k := range order {
		high, low := new(big.Int).QuoRem(fees[k], big.NewInt(gasPerUnit), new(big.Int))
		if !high.IsInt64() {
			return nil, fmt.Errorf("block %d: the fees are too large: %w", b.Number, node.ErrInvalid)
		}
		out[i] = *sums[k]
		out[i].FeeHigh, out[i].FeeLow = high.Int64(), low.Int64()
	}
	return out, nil
}
