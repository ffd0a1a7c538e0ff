package bench

import (
	"context"
	"errors"
	"fmt"
)

var growthLimit = limit{floor: 0.6, goal: 0.8}

// growthRounds is how often the two databases of row 8 are measured in turn, so that what else the machine does meets
// both.
const growthRounds = 2

// measuredDatabase is one of the databases of row 8 with the members that complete there.
type measuredDatabase struct {
	server  *server
	site    site
	figures []measured
}

// measureLarge measures row 1 on the large data set against an empty database, in turn: with as many members as there,
// and with members from all over the data set, each of whose rows lies on a page of its own.
func (b *bench) measureLarge(ctx context.Context) (out []Result, err error) {
	d, err := b.openDataset(ctx, b.Accounts, b.Entries)
	if err != nil {
		return nil, err
	}
	database, p, err := b.createDatabase(ctx, "row8")
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
	small, large, spread := &measuredDatabase{
		server: empty,
		site:   p,
	}, &measuredDatabase{
		server: full,
		site:   d.withActiveMembers(p.members),
	}, &measuredDatabase{
		server: full,
		site:   d.site,
	}
	name := fmt.Sprintf("complete an external rule over HTTP, c64, at %d entries", b.Entries)
	inTurn := func() (measured, error) { return b.measureInTurn(ctx, small, large, spread) }
	_, other, err := b.withPgbench(ctx, name, inTurn)
	if err != nil {
		return nil, err
	}
	against := fmt.Sprintf(
		"an empty database: %s/s; %s",
		number(rate(measured{perSecond: mean(small.figures)})),
		b.compareWith(other),
	)
	for _, s := range []struct {
		*measuredDatabase
		name string
	}{{large, name + ", by as many members"}, {spread, fmt.Sprintf("%s, by any of %d members", name, d.shape.Accounts)}} {
		m := worst(s.figures)
		m.perSecond = mean(s.figures)
		out = append(out, b.result(growthLimit.line(s.name, m.perSecond/mean(small.figures), m), against))
	}
	return out, nil
}

// measureInTurn measures completions on each database, in several rounds, and returns the worst run of the second one.
func (b *bench) measureInTurn(ctx context.Context, sides ...*measuredDatabase) (measured, error) {
	for _, s := range sides {
		s.figures = nil
	}
	for range growthRounds {
		for _, s := range sides {
			m, err := b.completeOnServer(
				ctx,
				s.server,
				completionPlan{site: s.site, workers: 64, currencies: []string{s.site.LoyaltyCurrencyID.String()}},
			)
			if err != nil {
				return measured{}, err
			}
			s.figures = append(s.figures, m)
		}
	}
	return worst(sides[1].figures), nil
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
