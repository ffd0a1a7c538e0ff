package bench

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"laurel.example/laurel"
)

// growthFilters are the filters that are measured as examples of all: each uses another index.
var growthFilters = []string{"default sort", "userId", "loyaltyRuleId", "20 users"}

// SizeResults holds the results of the rows at one size.
type SizeResults struct {
	Entries int
	Results []Result
}

// MeasureGrowth measures the rows 1, 2, 6 and 7 of the bench at each size, in entries. Each size is a data set of its
// own, with half as many accounts as entries; at most Options.Members of the members complete. Ranks are not compared
// with Redis. If a size fails, the results of the sizes before are returned with the error. Errors: Invalid.
func MeasureGrowth(ctx context.Context, o Options, sizes []int) (out []SizeResults, err error) {
	var f laurel.Faults
	if len(sizes) == 0 {
		f.Add("--sizes", "must be numbers of entries such as 1000000,5000000")
		return nil, f.Err()
	}
	o.Rows, o.Engine = []int{8}, "" // valid ones: they select nothing here
	for _, size := range sizes {
		o.Accounts, o.Entries = size/2, size
		if err := o.Validate(); err != nil {
			return nil, err
		}
	}
	b := &bench{Options: o, engine: Postgres}
	if err := b.createFolder(); err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, b.close()) }()
	for _, size := range sizes {
		b.logf("%d entries", size)
		results, err := b.measureAtSize(ctx, size)
		if err != nil {
			return out, fmt.Errorf("%d entries: %w", size, err)
		}
		out = append(out, SizeResults{size, results})
	}
	return out, nil
}

// measureAtSize measures the completions of rows 1 and 2, and then the reads of rows 6 and 7, on the data set of one
// size.
func (b *bench) measureAtSize(ctx context.Context, size int) (out []Result, err error) {
	d, err := b.openDataset(ctx, size/2, size)
	if err != nil {
		return nil, err
	}
	s, err := b.serve(ctx, d.database, "")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, s.stop()) }()
	for i, workers := range []int{64, 512} {
		b.row = i + 1
		name := fmt.Sprintf("completions over HTTP, c%d", workers)
		m, pgbench, err := b.withPgbench(ctx, name, func() (measured, error) {
			return b.completeOnServer(
				ctx,
				s,
				completionPlan{
					site: d.withActiveMembers(b.Members), workers: workers,
					currencies: []string{d.site.LoyaltyCurrencyID.String()},
				},
			)
		})
		if err != nil {
			return nil, err
		}
		l := []limit{complete64Limit[Postgres], complete512Limit[Postgres]}[i]
		r := l.newResult(nameAtSize(name, size), m.perSecond/pgbench.mean(), m)
		out = append(out, b.result(r, b.compareWith(pgbench)))
	}
	reads, err := b.measureReadsAtSize(ctx, s, d, size)
	return append(out, reads...), err
}

func nameAtSize(name string, entries int) string {
	return fmt.Sprintf("%s, at %d entries", name, entries)
}

// measureReadsAtSize measures ranks and filters, rows 6 and 7, on the data set of one size.
func (b *bench) measureReadsAtSize(ctx context.Context, s *server, d *dataset, size int) ([]Result, error) {
	top, err := d.target().TopAccounts(ctx)
	if err != nil {
		return nil, err
	}
	e, err := b.createExtras(ctx, s, d)
	if err != nil {
		return nil, err
	}
	type read struct {
		row   int
		name  string
		limit limit
		run   func() (measured, error)
	}
	ranked := func(pick func() string) func() (measured, error) {
		return func() (measured, error) {
			return load{workers: rankReaders, duration: b.Time, worker: d.requestRank(s.host, pick, now)}.run(ctx)
		}
	}
	reads := []read{
		{6, "rank of any account, p99", rankTopLimit, ranked(d.randomAccount())},
		{6, "rank of the first 5000, p99", rankTopLimit, ranked(func() string { return top[randomBelow(len(top))].String() })},
	}
	for _, f := range d.filters(e) {
		if slices.Contains(growthFilters, f.name) {
			reads = append(
				reads,
				read{7, "entries, " + f.name + ", p99", f.limit, func() (measured, error) { return b.measureFilter(ctx, s, d, f) }},
			)
		}
	}
	var out []Result
	for _, r := range reads {
		m, err := r.run()
		if err != nil {
			return nil, err
		}
		b.row = r.row
		b.logf("%s: p50 %v, p99 %v", r.name, m.p50, m.p99)
		out = append(out, b.result(r.limit.newResult(nameAtSize(r.name, size), milliseconds(m.p99), m), "ms"))
	}
	return out, nil
}

// PlotGrowth writes a chart (SVG) that shows how many times slower each row became as entries grew.
func PlotGrowth(out io.Writer, grown []SizeResults) error {
	p := plot{title: "What growth costs: times as slow as at the smallest size (reads: the median)", x: "entries"}
	for i, first := range grown[0].Results {
		l := plotLine{
			name: fmt.Sprintf("row %d: %s", first.Row, strings.TrimSuffix(nameWithoutSize(first.Name, grown[0].Entries), ", p99")),
		}
		for _, g := range grown {
			l.points = append(l.points, point{float64(g.Entries), slowdown(first, g.Results[i])})
		}
		p.lines = append(p.lines, l)
	}
	return p.write(out)
}

func nameWithoutSize(name string, entries int) string {
	return name[:len(name)-len(nameAtSize("", entries))]
}

// slowdown returns how many times slower a row has become: times grow, rates fall. For reads the medians are compared,
// since the slowest requests show what happened to be in memory.
func slowdown(first, now Result) float64 {
	if first.lowerIsBetter {
		return *now.P50Ms / *first.P50Ms // every read has one
	}
	return first.Ratio / now.Ratio
}
