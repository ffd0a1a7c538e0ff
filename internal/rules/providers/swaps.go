package providers

import (
	"context"
	"errors"
	"math/big"
	"slices"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/evm"
	"laurel.example/laurel/internal/evm/history"
	"laurel.example/laurel/internal/evm/holdings"
	"laurel.example/laurel/internal/evm/node"
	"laurel.example/laurel/internal/evm/pools"
	"laurel.example/laurel/internal/rules/decision"
	"laurel.example/laurel/internal/rules/schema"
	"laurel.example/laurel/internal/store"
)

// Swaps verifies members by what their wallets have swapped in pools that the operator has configured. It is a
// ChainReader.
type Swaps struct{ SwapsConfig }

// SwapsConfig holds what NewSwaps needs.
type SwapsConfig struct {
	Reader *history.Reader
	Chains *holdings.Reader // finds blocks, and what units tokens have
	Pools  *pools.Reader
	// Networks returns the networks that are read.
	Networks func() []evm.Network
}

// NewSwaps returns a provider.
func NewSwaps(c SwapsConfig) *Swaps { return &Swaps{c} }

// Covers reports whether all networks on which the rule's swaps may be have pools that are read. What crosses networks,
// and the coin of a network, is in no pool.
func (p *Swaps) Covers(rule *schema.Properties) bool {
	list := p.networksOf(rule)
	return len(list) > 0 && !slices.ContainsFunc(list, func(n evm.Network) bool { return len(n.SwapPools) == 0 })
}

// networksOf returns the networks on which swaps count for a rule; nil if one of them is not read, or if no single
// network has both sides. Without a name, those that have pools count.
func (p *Swaps) networksOf(rule *schema.Properties) []evm.Network {
	swap := rule.Meta().Swap
	if swap.RequireCrossChainSwap {
		return nil
	}
	read := p.Networks()
	wanted := map[uint64]bool(nil) // nil: any
	narrow := func(ids ...uint64) {
		found := map[uint64]bool{}
		for _, id := range ids {
			found[id] = wanted == nil || wanted[id]
		}
		wanted = found
	}
	if rule.Network != nil && *rule.Network != "" {
		narrow(evm.ChainID(*rule.Network))
	}
	for _, side := range []schema.SwapSide{swap.From, swap.To} {
		id, ok := side.OnChain()
		if !ok {
			return nil
		}
		if id != 0 {
			narrow(id)
		}
		var ofTokens []uint64
		for _, t := range side.Counted() {
			id, ok := t.OnChain()
			if !ok || !evm.IsAccount(t.Contract()) || history.IsCoin(t.Contract()) {
				return nil
			}
			if id != 0 {
				ofTokens = append(ofTokens, id)
			}
		}
		if len(ofTokens) > 0 {
			narrow(ofTokens...)
		}
	}
	if wanted == nil {
		return slices.DeleteFunc(read, func(n evm.Network) bool { return len(n.SwapPools) == 0 })
	}
	var out []evm.Network
	for id, isWanted := range wanted {
		at := slices.IndexFunc(read, func(n evm.Network) bool { return n.ChainID == id })
		switch {
		case !isWanted:
		case at < 0:
			return nil
		default:
			out = append(out, read[at])
		}
	}
	slices.SortFunc(out, func(a, b evm.Network) int { return int(a.ChainID) - int(b.ChainID) }) //nolint:gosec // 53 bits
	return out
}

// IsAvailable reports whether the rule is covered.
func (p *Swaps) IsAvailable(_ context.Context, _ laurel.Scope, rule *schema.Properties) (bool, error) {
	return p.Covers(rule), nil
}

// Verify sums what the wallets of the member and its group have swapped since the beginning of the request's period. If
// there is no valid response, the error has the code laurel.Unanswered.
func (p *Swaps) Verify(ctx context.Context, _ laurel.Scope, q VerificationRequest) (Verification, error) {
	limited, cancel := context.WithTimeout(ctx, maxVerification)
	defer cancel()
	v := swapped{Swaps: p, q: q, swap: q.Rule.Meta().Swap, wallets: accountsOf(q.Members), value: new(big.Rat)}
	slices.Sort(v.wallets)
	v.wallets = slices.Compact(v.wallets)
	blocks := map[string]any{}
	for _, n := range p.networksOf(q.Rule) {
		in, err := v.countOn(limited, n)
		problem, unfinished := problemOf(err), (*history.UnfinishedError)(nil)
		switch {
		case problem != "":
			return Verification{Refusal: decision.MsgNotSetUp + ": " + problem}, nil
		case err == nil:
			blocks[n.Name] = map[string]uint64{"from": in.From, "to": in.Last}
		case ctx.Err() != nil:
			return Verification{}, ctx.Err()
		case errors.As(err, &unfinished):
			return Verification{}, unansweredError(msgPending, err)
		default:
			return Verification{}, v.unanswered(n, err)
		}
	}
	value := amountOf(v.value)
	return Verification{
		Fulfilled: v.count > 0, Value: &value,
		Data: string(store.JSON(map[string]any{"swaps": v.count, "value": value, "blocks": blocks})),
	}, nil
}

// swapped is what one verification has read.
type swapped struct {
	*Swaps
	q       VerificationRequest
	swap    schema.Swap
	wallets []string

	count int
	value *big.Rat // dollars, or of the token whose amount is tracked
}

// settling returns how long after a swap it counts: its block has its confirmations then, unless the network is slow.
// Periods are moved by so much, and so each block is in one.
func settling(n evm.Network) time.Duration {
	const spare = 2
	return (time.Duration(n.Confirmations+spare) * n.BlockTime * 3 / 2).Truncate(time.Second) + time.Second
}

// countOn adds the swaps on a network, and returns the blocks that it has read.
func (v *swapped) countOn(ctx context.Context, n evm.Network) (in history.Range, err error) {
	until := v.q.Until.Add(-settling(n))
	if end := v.q.Rule.EffectiveEndTime; end != nil && end.Before(until) {
		until = end.Time
	}
	last, err := v.Chains.BlockAt(ctx, n.Name, until)
	if errors.Is(err, node.ErrTooEarly) {
		return in, nil
	}
	if err != nil {
		return in, err
	}
	in = history.Range{Last: last.Number, LastHash: last.Hash}
	// The next question of this window needs no earlier block.
	window := in
	if window.From, err = v.blockAfter(ctx, n, schema.WindowStart(v.q.Rule.Interval, v.q.Until)); err != nil {
		return in, err
	}
	if in.From, err = v.blockAfter(ctx, n, v.q.Since); err != nil {
		return in, err
	}
	window.From = min(window.From, in.From)
	source, err := v.sourceOf(ctx, n)
	if err != nil {
		return in, err
	}
	if err := v.Reader.Read(ctx, source, window); err != nil {
		return in, err
	}
	events, err := v.Reader.EventsOf(ctx, source, in, v.wallets)
	if err != nil {
		return in, err
	}
	for _, e := range events {
		if err := v.add(ctx, n, e.Swap); err != nil {
			return in, err
		}
	}
	return in, nil
}

// blockAfter returns the first block of a period that begins at a moment.
func (v *swapped) blockAfter(ctx context.Context, n evm.Network, since time.Time) (uint64, error) {
	from := laterOf(since.Add(-settling(n)), v.q.CountsFrom)
	before, err := v.Chains.BlockAt(ctx, n.Name, from)
	switch pending := (*holdings.NotSettledError)(nil); {
	case errors.Is(err, node.ErrTooEarly):
		return 0, nil
	case errors.As(err, &pending): // the period has no final block yet
		last, _, err := v.Chains.Final(ctx, n.Name)
		return last.Number + 1, err
	}
	return before.Number + 1, err
}

// sourceOf returns the swaps in the pools of a network.
func (v *swapped) sourceOf(ctx context.Context, n evm.Network) (history.Source, error) {
	tokens := history.PoolTokens{}
	for _, address := range n.SwapPools {
		var err error
		if tokens[address], err = v.Pools.Tokens(ctx, n.Name, address); err != nil {
			return history.Source{}, err
		}
	}
	return history.Swaps(n.Name, tokens), nil
}

// add adds a swap if it counts.
func (v *swapped) add(ctx context.Context, n evm.Network, s *history.Swap) error {
	given, taken := v.countedOf(n, v.swap.From, s.Given()), v.countedOf(n, v.swap.To, s.Taken())
	if len(given) == 0 || len(taken) == 0 {
		return nil
	}
	v.count++
	switch {
	case v.swap.From.TrackAmount:
		return v.addAmount(ctx, n, given[0], s.Net(given[0]))
	case v.swap.To.TrackAmount:
		return v.addAmount(ctx, n, taken[0], s.Net(taken[0]))
	}
	dollars, err := v.dollarsOf(ctx, n, s)
	if err == nil {
		v.value.Add(v.value, dollars)
	}
	return err
}

// countedOf returns the tokens of a side of a swap that count for the rule.
func (v *swapped) countedOf(n evm.Network, side schema.SwapSide, tokens []string) (out []string) {
	counted := side.Counted()
	for _, token := range tokens {
		if len(counted) == 0 || slices.ContainsFunc(counted, func(t schema.SwapToken) bool {
			id, _ := t.OnChain()
			return t.Contract() == token && (id == 0 || id == n.ChainID)
		}) {
			out = append(out, token)
		}
	}
	return out
}

// addAmount adds an amount of a token to the value.
func (v *swapped) addAmount(ctx context.Context, n evm.Network, token string, amount *big.Int) error {
	unit, err := v.unitOf(ctx, n, token)
	if err == nil {
		v.value.Add(v.value, new(big.Rat).SetFrac(new(big.Int).Abs(amount), unit))
	}
	return err
}

// dollarsOf returns how many dollars a swap has given or taken on the whole, whatever is more. If it has done neither,
// they pass through: the largest amount of them counts that one pool has seen at once, since a route may pass several
// tokens and pools, each of which sees the same dollars again.
func (v *swapped) dollarsOf(ctx context.Context, n evm.Network, s *history.Swap) (*big.Rat, error) {
	given, taken, passed := new(big.Rat), new(big.Rat), new(big.Rat)
	for _, token := range n.DollarTokens {
		largest := s.Largest[token]
		if largest == nil {
			continue
		}
		unit, err := v.unitOf(ctx, n, token)
		if err != nil {
			return nil, err
		}
		net := new(big.Rat).SetFrac(s.Net(token), unit)
		if net.Sign() > 0 {
			given.Add(given, net)
		} else {
			taken.Sub(taken, net)
		}
		passed = moreOf(passed, new(big.Rat).SetFrac(largest, unit))
	}
	if most := moreOf(given, taken); most.Sign() > 0 {
		return most, nil
	}
	return passed, nil
}

// moreOf returns the larger of two numbers.
func moreOf(a, b *big.Rat) *big.Rat {
	if a.Cmp(b) < 0 {
		return b
	}
	return a
}

// unitOf returns how many of the smallest unit of a token are a whole one.
func (v *swapped) unitOf(ctx context.Context, n evm.Network, token string) (*big.Int, error) {
	c, err := v.Chains.CurrentContract(ctx, n.Name, token)
	if err == nil && c.Standard != holdings.Fungible {
		err = &holdings.ContractError{Network: n.Name, Address: token, Problem: "is not a fungible token"}
	}
	if err != nil {
		return nil, err
	}
	return new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(c.Decimals)), nil), nil
}

// unanswered returns the error for a network that was not read.
func (v *swapped) unanswered(n evm.Network, err error) error {
	if isUnknownBlock(err) {
		v.Chains.Forget(n.Name, v.q.Until.Add(-settling(n)))
	}
	return notRead(n.Name, err)
}
