package bench

import (
	"context"
	"errors"
	"fmt"
)

var growthLimit = limit{floor: 0.6, goal: 0.8}

// growthRounds is how often the databases of row 8 are measured in turn, so that other work of the machine slows all of
// them alike.
const growthRounds = 2

// measuredDatabase is one of the databases of row 8, with the members that complete there and the figures of its runs.
type measuredDatabase struct {
	server  *server
	site    site
	figures []measured
}

// measureLarge measures the completions of row 1 on the large data set and on an empty database, in turn. On the data
// set it measures twice: with as many members as the empty database has, and with all members of the data set, whose
// rows lie on different pages.
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
	_, pgbench, err := b.withPgbench(ctx, name, inTurn)
	if err != nil {
		return nil, err
	}
	against := fmt.Sprintf(
		"an empty database: %s/s; %s",
		formatNumber(roundedRate(measured{perSecond: meanRate(small.figures)})),
		b.compareWith(pgbench),
	)
	for _, s := range []struct {
		*measuredDatabase
		name string
	}{{large, name + ", by as many members"}, {spread, fmt.Sprintf("%s, by any of %d members", name, d.shape.Accounts)}} {
		m := worstRun(s.figures)
		m.perSecond = meanRate(s.figures)
		out = append(out, b.result(growthLimit.newResult(s.name, m.perSecond/meanRate(small.figures), m), against))
	}
	return out, nil
}

// measureInTurn measures completions on each database, in several rounds, and stores the figures there. It returns the
// worst run of the second database.
func (b *bench) measureInTurn(ctx context.Context, databases ...*measuredDatabase) (measured, error) {
	for _, s := range databases {
		s.figures = nil
	}
	for range growthRounds {
		for _, s := range databases {
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
	return worstRun(databases[1].figures), nil
}

// meanRate returns the mean of the completions per second of runs.
func meanRate(runs []measured) float64 {
	sum := 0.0
	for _, m := range runs {
		sum += m.perSecond
	}
	return sum / float64(len(runs))
}

// worstRun returns the run with the largest p99.
func worstRun(runs []measured) measured {
	out := runs[0]
	for _, m := range runs[1:] {
		if m.p99 > out.p99 {
			out = m
		}
	}
	return out
}
