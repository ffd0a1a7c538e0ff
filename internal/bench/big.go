package bench

import (
	"context"
	"errors"
	"fmt"
)

var growthLimit = limit{floor: 0.6, goal: 0.8}

// rounds is how often the two databases of row 8 are measured in turn, so that what else the machine does meets both.
const growthRounds = 2

// big measures row 1 on the large data set against an empty database, in turn.
func (b *bench) big(ctx context.Context) (out []Result, err error) {
	d, err := b.dataset(ctx, b.Accounts, b.Entries)
	if err != nil {
		return nil, err
	}
	database, p, err := b.people(ctx, "row8")
	if err != nil {
		return nil, err
	}
	empty, err := b.serve(ctx, database, "")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, empty.stop()) }()
	full, err := b.serve(ctx, d.database, b.profile())
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, full.stop()) }()
	var small, large []measured
	name := fmt.Sprintf("complete an external rule over HTTP, c64, at %d entries", b.Entries)
	_, other, err := b.withPgbench(ctx, name, func() (measured, error) {
		small, large = nil, nil
		for range growthRounds {
			for _, side := range []struct {
				server *server
				site   site
				to     *[]measured
			}{{empty, p, &small}, {full, d.site, &large}} {
				m, err := b.completing(ctx, side.server, plan{site: side.site, workers: 64, currencies: []string{side.site.LoyaltyCurrencyID.String()}})
				if err != nil {
					return measured{}, err
				}
				*side.to = append(*side.to, m)
			}
		}
		return worst(large), nil
	})
	if err != nil {
		return nil, err
	}
	against := fmt.Sprintf("an empty database: %s/s; %s", number(rate(measured{perSecond: mean(small)})), b.against(other))
	m := worst(large)
	m.perSecond = mean(large)
	return []Result{b.result(growthLimit.line(name, mean(large)/mean(small), m), against)}, nil
}

func mean(of []measured) float64 {
	sum := 0.0
	for _, m := range of {
		sum += m.perSecond
	}
	return sum / float64(len(of))
}

// worst is the run with the largest p99.
func worst(of []measured) measured {
	out := of[0]
	for _, m := range of[1:] {
		if m.p99 > out.p99 {
			out = m
		}
	}
	return out
}
