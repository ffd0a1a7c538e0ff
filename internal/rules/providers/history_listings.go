package providers

import (
	"context"
	"errors"
	"math/big"
	"slices"
	"strings"
	"time"

	"laurel.example/laurel/internal/evm"
	"laurel.example/laurel/internal/evm/history"
	"laurel.example/laurel/internal/evm/holdings"
	"laurel.example/laurel/internal/evm/node"
	"laurel.example/laurel/internal/rules/schema"
)

// Covers reports whether the configuration says, for each network that a rule of type listing names, how the offers of
// its market are read; without a name of a market, those of one. History is a ChainReader for that type.
func (p *History) Covers(rule *schema.Properties) bool {
	list, ok := tokensOf(rule)
	return ok && !slices.ContainsFunc(list, func(h schema.Held) bool {
		return !p.Chains.Reads(h.Network) || len(p.listingsOf(rule, h.Network)) == 0
	})
}

// listingsOf returns the markets of a network whose offers count for a rule.
func (p *History) listingsOf(rule *schema.Properties, network string) (out []evm.ListingMarket) {
	name := rule.Meta().Market()
	for _, m := range p.Reader.Listings(network) {
		if name == "" || strings.EqualFold(name, m.FillSource) {
			out = append(out, m)
		}
	}
	return out
}

// addOffers adds the markets of which offers are read.
func (v *past) addOffers(item *pastItem) {
	for _, m := range v.listingsOf(v.rule, item.Network) {
		item.sources = append(item.sources, history.Offers(item.Network, m))
		item.markets = append(item.markets, m.ContractAddress)
	}
}

// lastBlock returns the last block of a network that counts: that of the run, or for a call the newest final one.
func (v *past) lastBlock(ctx context.Context, network string) (holdings.Block, error) {
	if !v.isNow || v.isOver {
		return v.Chains.BlockAt(ctx, network, v.until)
	}
	last, at, err := v.Chains.Final(ctx, network)
	if end := v.rule.EffectiveEndTime; err == nil && end != nil && end.Before(at) {
		v.until = end.Time
		return v.Chains.BlockAt(ctx, network, v.until)
	}
	if v.until.IsZero() || at.Before(v.until) {
		v.until = at
	}
	return last, err
}

// rangesOf returns the blocks that are read of each source of a collection. Offers count from the creation of their
// market on, or from the rule's effectiveStartTime.
func (v *past) rangesOf(ctx context.Context, item pastItem, since time.Time) ([]history.Range, error) {
	out := make([]history.Range, len(item.sources))
	for i := range out {
		var err error
		switch {
		case v.rule.Type == schema.TypeListing:
			out[i], err = v.rangeSinceCreation(ctx, item.Network, item.markets[i], since)
		case i == 0:
			out[i], err = v.rangeOf(ctx, item, since)
		default:
			out[i] = out[0]
		}
		if err != nil {
			return nil, err
		}
	}
	return out, nil
}

// rangeSinceCreation returns the blocks that are read of deposits and offers, which last until they are taken back:
// those since the creation of a contract, or since the rule's effectiveStartTime.
func (v *past) rangeSinceCreation(
	ctx context.Context, network, contract string, since time.Time,
) (in history.Range, err error) {
	v.asked = network
	last := v.blocks[network]
	in = history.Range{Last: last.Number, LastHash: last.Hash}
	switch start := v.rule.EffectiveStartTime; {
	case v.isOver && !since.Before(v.until): // the first run after the end was the last
		in.From = in.Last + 1
	case start == nil:
		in.From, err = v.Reader.CreatedAt(ctx, network, contract, last.Number)
	case !start.Before(v.until):
		in.From = in.Last + 1
	default:
		return v.startAt(ctx, network, in, start.Time)
	}
	return in, err
}

// startAt returns a range that begins after a moment.
func (v *past) startAt(
	ctx context.Context, network string, in history.Range, moment time.Time,
) (history.Range, error) {
	before, err := v.Chains.BlockAt(ctx, network, moment)
	switch pending := (*holdings.NotSettledError)(nil); {
	case errors.Is(err, node.ErrTooEarly):
		return in, nil
	case v.isNow && errors.As(err, &pending): // nothing since then is final
		in.From = in.Last + 1
		return in, nil
	}
	in.From = before.Number + 1
	return in, err
}

// countOffers returns how many tokens wallets offer. A token that is offered on several markets counts once.
func (v *past) countOffers(
	ctx context.Context, item pastItem, in []history.Range, wallets []string,
) (*big.Rat, error) {
	type token struct{ collection, id string }
	counts := map[token]*big.Int{}
	for i, source := range item.sources {
		offers, err := v.Reader.OffersAfter(ctx, source, in[i])
		if err != nil {
			return nil, err
		}
		ofMarket := map[token]*big.Int{}
		for _, wallet := range wallets {
			for _, e := range offers[wallet] {
				if item.Contract != "" && e.Collection != item.Contract || !item.hasID(e.ID) || !e.Offer.IsOpenAt(v.until) {
					continue
				}
				of := token{e.Collection, e.ID}
				if ofMarket[of] == nil {
					ofMarket[of] = new(big.Int)
				}
				ofMarket[of].Add(ofMarket[of], e.Count)
			}
		}
		for of, n := range ofMarket {
			if counts[of] == nil || counts[of].Cmp(n) < 0 {
				counts[of] = n
			}
		}
	}
	sum := new(big.Int)
	for _, n := range counts {
		sum.Add(sum, n)
	}
	return new(big.Rat).SetInt(sum), nil
}
