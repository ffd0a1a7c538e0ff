package providers

import (
	"context"
	"errors"
	"slices"
	"strings"

	"laurel.example/laurel/internal/evm"
	"laurel.example/laurel/internal/evm/history"
	"laurel.example/laurel/internal/evm/holdings"
	"laurel.example/laurel/internal/evm/node"
	"laurel.example/laurel/internal/rules/schema"
)

// marketsFor returns the markets of a network that tell whether a member has sold tokens.
func (p *Holdings) marketsFor(rule *schema.Properties, network string) []evm.Market {
	name := rule.Meta().Market()
	return slices.DeleteFunc(slices.Clone(p.Past.Markets(network)), func(m evm.Market) bool {
		return name != "" && !strings.EqualFold(name, m.FillSource)
	})
}

// hasNoMarket reports whether on one network of a list nobody can tell who has sold tokens.
func (p *Holdings) hasNoMarket(rule *schema.Properties, list []schema.Held) bool {
	return slices.ContainsFunc(list, func(h schema.Held) bool {
		return p.Reader.Reads(h.Network) && len(p.marketsFor(rule, h.Network)) == 0
	})
}

// pastOf returns the blocks of a contract up to the one that is read, or to the newest final one for a call.
func (v *holding) pastOf(ctx context.Context, h schema.Held) (in history.Range, err error) {
	last := v.blocks[h.Network]
	if v.runAt.IsZero() {
		last, _, err = v.Reader.Final(ctx, h.Network)
		if errors.Is(err, node.ErrTooEarly) {
			return history.Range{From: 1}, nil
		}
	}
	if err != nil {
		return in, err
	}
	in.Last, in.LastHash = last.Number, last.Hash
	in.From, err = v.Past.CreatedAt(ctx, h.Network, h.Contract, last.Number)
	return in, err
}

// hasSold reports whether one of the wallets has sold tokens of a contract to somebody else, if the rule asks that.
func (v *holding) hasSold(ctx context.Context, h schema.Held, wallets []string) (bool, error) {
	if !v.meta.HasNeverSold || h.Contract == "" {
		return false, nil
	}
	in, err := v.pastOf(ctx, h)
	if err != nil {
		return false, err
	}
	hasSold := false
	for _, m := range v.marketsFor(v.rule, h.Network) {
		events, err := v.Past.EventsOf(ctx, history.SalesOf(h.Network, h.Contract, m), in, wallets)
		if err != nil {
			return false, err
		}
		hasSold = hasSold || slices.ContainsFunc(events, func(e history.Event) bool {
			return slices.Contains(wallets, e.From) && !slices.Contains(wallets, e.To)
		})
		if hasSold && !v.isOfMany {
			break
		}
	}
	return hasSold, nil
}

// keysOf returns the balances that count of an item of the list. Of a contract with several tokens, and without named
// ids, they are those of the tokens that a wallet has ever received.
func (v *holding) keysOf(ctx context.Context, item int, wallets []string) (keys []holdings.Key, err error) {
	h := v.list[item]
	var in history.Range
	if v.allIDs[item] {
		if in, err = v.pastOf(ctx, h); err != nil {
			return nil, err
		}
	}
	for _, wallet := range wallets {
		ids := slices.Clone(h.IDs)
		if v.allIDs[item] {
			events, err := v.Past.EventsOf(ctx, history.Receipts(h.Network, h.Contract), in, []string{wallet})
			if err != nil {
				return nil, err
			}
			for _, e := range events {
				ids = append(ids, e.ID)
			}
		} else if len(ids) == 0 {
			ids = []string{""}
		}
		for _, id := range ids {
			keys = append(keys, holdings.Key{Contract: h.Contract, ID: id, Wallet: wallet})
		}
	}
	return keys, nil
}
