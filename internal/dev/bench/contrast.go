package bench

import (
	"context"
	"errors"
	"fmt"
	"slices"
)

// comparisonRounds is how many pairs of runs a comparison takes the medians of.
const comparisonRounds = 3

// costComparison compares completions on two servers in turn, each with a database of its own. Only the second one has
// what is to be measured, such as many badges.
type costComparison struct {
	// prepare creates on the second server what is measured.
	prepare func(a *api, p site) error
	// during calls run, which measures the second server, and works beside it; nil: nothing works beside it.
	during func(ctx context.Context, s *server, p site, run func() error) error

	rates [2][]float64 // completions per second of the runs of both servers
	last  measured     // the figures of the last run of the second server
}

// run starts both servers, prepares the second one, and measures completions on them in turn, comparisonRounds times.
// If c.during is set, the second server is measured within it.
func (c *costComparison) run(ctx context.Context, b *bench) (err error) {
	var servers [2]*server
	var sites [2]site
	defer func() {
		for _, s := range servers {
			if s != nil {
				err = errors.Join(err, s.stop())
			}
		}
	}()
	for i, suffix := range []string{"none", "many"} {
		profile := "" // only the second one has a profile
		if i == 1 {
			profile = b.profile()
		}
		database, p, err := b.createDatabase(ctx, fmt.Sprintf("row%d%s", b.row, suffix))
		if err != nil {
			return err
		}
		s, err := b.serve(ctx, database, profile)
		if err != nil {
			return err
		}
		servers[i], sites[i] = s, p
	}
	a, err := servers[1].api(ctx, sites[1].WebsiteAPIKey)
	if err != nil {
		return err
	}
	defer a.wire.close()
	if err := c.prepare(a, sites[1]); err != nil {
		return err
	}
	for range comparisonRounds {
		if err := c.measure(ctx, b, 0, servers[0], sites[0]); err != nil {
			return err
		}
		second := func() error { return c.measure(ctx, b, 1, servers[1], sites[1]) }
		if c.during != nil {
			err = c.during(ctx, servers[1], sites[1], second)
		} else {
			err = second()
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// measure measures completions on one of the servers, 0 or 1, and records their rate.
func (c *costComparison) measure(ctx context.Context, b *bench, which int, s *server, p site) error {
	m, err := b.completeOnServer(ctx, s, completionPlan{
		site: p, workers: 64, currencies: []string{p.LoyaltyCurrencyID.String()}, keyed: true,
	})
	if err != nil {
		return err
	}
	c.rates[which], c.last = append(c.rates[which], m.perSecond), m
	b.logf("%d of 2: %.0f/s, p50 %v, p99 %v", which+1, m.perSecond, m.p50, m.p99)
	return nil
}

// ratio returns the completions per second of the second server as a part of those of the first.
func (c *costComparison) ratio() float64 { return median(c.rates[1]) / median(c.rates[0]) }

// describeBaseline describes what ratio is a part of.
func (c *costComparison) describeBaseline() string {
	return fmt.Sprintf("without any %.0f/s", median(c.rates[0]))
}

// median returns the middle figure; the upper one of an even number.
func median(figures []float64) float64 {
	sorted := slices.Sorted(slices.Values(figures))
	return sorted[len(sorted)/2]
}
