package bench

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"laurel"
)

// grownFilters are the filters that stand for all: each uses another index.
var grownFilters = []string{"default sort", "userId", "loyaltyRuleId", "20 users"}

// Grown holds the results of the rows at one size.
type Grown struct {
	Entries int
	Results []Result
}

// Grow measures rows 1, 2, 6 and 7 at each size: each size is a data set of its own, with half as many accounts as
// entries, of which at most Members complete. Rank stands without Redis beside it, and completions wait for nothing
// else.
func Grow(ctx context.Context, o Options, sizes []int) (out []Grown, err error) {
	var f laurel.Faults
	if len(sizes) == 0 {
		f.Add("--sizes", "must be numbers of entries such as 1000000,5000000")
		return nil, f.Err()
	}
	o.Rows, o.Engine = []int{8}, ""
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
		out = append(out, Grown{size, results})
	}
	return out, nil
}

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
		m, other, err := b.withPgbench(ctx, name, func() (measured, error) {
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
		bounds := []limit{complete64Limit[Postgres], complete512Limit[Postgres]}[i]
		out = append(out, b.result(bounds.line(atSize(name, size), m.perSecond/other.mean(), m), b.compareWith(other)))
	}
	reads, err := b.measureReadsAtSize(ctx, s, d, size)
	return append(out, reads...), err
}

func atSize(name string, entries int) string { return fmt.Sprintf("%s, at %d entries", name, entries) }

func (b *bench) measureReadsAtSize(ctx context.Context, s *server, d *dataset, size int) ([]Result, error) {
	top, err := d.target().Top(ctx)
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
			return load{workers: rankReaders, seconds: b.Time, worker: d.requestRank(s.host, pick, now)}.run(ctx)
		}
	}
	reads := []read{
		{6, "rank of any account, p99", rankTopLimit, ranked(d.randomAccount())},
		{6, "rank of the first 5000, p99", rankTopLimit, ranked(func() string { return top[randomBelow(len(top))].String() })},
	}
	for _, f := range d.filters(e) {
		if slices.Contains(grownFilters, f.name) {
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
		out = append(out, b.result(r.limit.line(atSize(r.name, size), milliseconds(m.p99), m), "ms"))
	}
	return out, nil
}

// PlotGrowth writes a picture of how much slower each row became as entries grew.
func PlotGrowth(out io.Writer, grown []Grown) error {
	p := plot{title: "What growth costs: times as slow as at the smallest size (reads: the median)", x: "entries"}
	for i, first := range grown[0].Results {
		l := plotLine{
			name: fmt.Sprintf("row %d: %s", first.Row, strings.TrimSuffix(trimSize(first.Name, grown[0].Entries), ", p99")),
		}
		for _, g := range grown {
			l.points = append(l.points, point{float64(g.Entries), slowdown(first, g.Results[i])})
		}
		p.lines = append(p.lines, l)
	}
	return p.write(out)
}

func trimSize(name string, entries int) string { return name[:len(name)-len(atSize("", entries))] }

// slowdown returns how many times slower a figure has become: times grow, rates fall. Of reads the medians are
// compared, since the slowest tell what happened to be in memory.
func slowdown(then, now Result) float64 {
	if then.atMost {
		return *now.P50Ms / *then.P50Ms // every read has one
	}
	return then.Ratio / now.Ratio
}
