package providers

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"regexp"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/evm/holdings"
	"laurel.example/laurel/internal/evm/node"
	"laurel.example/laurel/internal/outbound"
	"laurel.example/laurel/internal/rules/schema"
)

// unreadableError says why what the rule names cannot be read.
type unreadableError string

func (e unreadableError) Error() string { return string(e) }

// problemOf returns the refusal if an error says that the rule names what cannot be read; "" for other errors.
func problemOf(err error) string {
	unreadable, noContract := unreadableError(""), (*holdings.ContractError)(nil)
	switch {
	case errors.As(err, &unreadable):
		return unreadable.Error()
	case errors.As(err, &noContract):
		return noContract.Error()
	}
	return ""
}

var lostState = regexp.MustCompile(`(?i)missing trie|pruned|histor|header not found|unknown block|not canonical|` +
	`state .*not available|not found|outofrange|out of range`)

// Messages to callers.
const (
	msgNoBlock = "Provider has no data of the block that is to be read"
	msgPending = "Provider does not know the block that is to be read yet"
)

// notRead returns the error for a network that was not read; nil for nil. It says nothing about the member, so no run
// leaves out a member for it.
func notRead(network string, err error) error {
	if err == nil {
		return nil
	}
	message := outbound.ProviderMessage(err)
	answer, wrong, pending := (*node.RPCError)(nil), (*node.WrongChainError)(nil), (*holdings.NotSettledError)(nil)
	switch {
	case errors.As(err, &pending):
		message = msgPending
	case isUnknownBlock(err):
		message = msgNoBlock
	case errors.As(err, &answer), errors.As(err, &wrong), errors.Is(err, node.ErrInvalid), errors.Is(err, node.ErrTooMuch):
		message = outbound.ProviderInvalid
	case errors.Is(err, context.DeadlineExceeded), laurel.CodeOf(err) == laurel.Unavailable:
		message = outbound.ProviderSlow
	}
	return unansweredError(message, fmt.Errorf("%w: %s: %w", ErrBusy, network, err))
}

// isUnknownBlock reports whether a node does not know a block, or has no state of it.
func isUnknownBlock(err error) bool {
	answer := (*node.RPCError)(nil)
	return errors.Is(err, node.ErrNotFound) || errors.As(err, &answer) && lostState.MatchString(answer.Message)
}

// judge returns the verification of counts, by item of the list (contract 5.4 and 5.23).
func judge(rule *schema.Properties, list []schema.Held, counts []*big.Rat) Verification {
	weighted, isFullSet := new(big.Rat), true
	for i, n := range counts {
		weighted.Add(weighted, new(big.Rat).Mul(n, ratOf(list[i].Weight)))
		isFullSet = isFullSet && n.Sign() > 0
	}
	total, meta, out := sumOf(counts), rule.Meta(), Verification{}
	if rule.Type == schema.TypeSnapshotFullSet {
		out.Fulfilled = isFullSet
		return out
	}
	units := weighted
	if meta.RewardByBatch {
		size := laurel.One
		if meta.BatchSize != nil && *meta.BatchSize > 0 {
			size = *meta.BatchSize
		}
		batches := new(big.Rat).Quo(weighted, ratOf(size))
		units = new(big.Rat).SetInt(new(big.Int).Quo(batches.Num(), batches.Denom()))
	}
	out.Value, out.Fulfilled = &total, total > 0
	if meta.PaysPerValue(rule.Type) {
		paid := amountOf(units)
		out.Units, out.Fulfilled = &paid, total > 0 && paid > 0
	}
	return out
}

// sumOf returns the sum of counts as an amount.
func sumOf(counts []*big.Rat) laurel.Amount {
	total := new(big.Rat)
	for _, n := range counts {
		total.Add(total, n)
	}
	return amountOf(total)
}

// ratOf returns an amount as an exact number.
func ratOf(a laurel.Amount) *big.Rat { return big.NewRat(int64(a), int64(laurel.One)) }

// amountOf returns a number of at least 0 as an amount: cut to six places, and the largest amount if it is larger.
func amountOf(n *big.Rat) laurel.Amount {
	millionths := new(big.Rat).Mul(n, big.NewRat(int64(laurel.One), 1))
	whole := new(big.Int).Quo(millionths.Num(), millionths.Denom())
	if whole.Cmp(big.NewInt(int64(laurel.MaxAmount))) >= 0 {
		return laurel.MaxAmount - 1
	}
	return laurel.Amount(whole.Int64())
}
