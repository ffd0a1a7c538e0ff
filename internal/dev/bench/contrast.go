package bench

import (
	"context"
	"errors"
	"fmt"
	"slices"
)

// contrastTurns is how many pairs of runs a contrast takes the medians of.
const contrastTurns = 3

// costComparison compares completions on two servers in turn, each with a database of its own. One of them has the
// thing whose cost is measured.
type costComparison struct {
	prepare func(a *api, p site) error                                           // makes it over HTTP
	while   func(ctx context.Context, s *server, p site, run func() error) error // goes on beside its runs; nil: nothing

	rates [2][]float64 // per second, without and with it
	last  measured     // of the last run with it
}

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
	for i, which := range []string{"none", "many"} {
		profile := "" // of the one with it
		if i == 1 {
			profile = b.profile()
		}
		database, p, err := b.createDatabase(ctx, fmt.Sprintf("row%d%s", b.row, which))
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
	for range contrastTurns {
		if err := c.measure(ctx, b, 0, servers[0], sites[0]); err != nil {
			return err
		}
		with := func() error { return c.measure(ctx, b, 1, servers[1], sites[1]) }
		if c.while != nil {
			err = c.while(ctx, servers[1], sites[1], with)
		} else {
			err = with()
		}
		if err != nil {
			return err
		}
	}
	return nil
}

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

// ratio returns the completions per second with the thing as a part of those without it.
func (c *costComparison) ratio() float64 { return median(c.rates[1]) / median(c.rates[0]) }

func (c *costComparison) against() string {
	return fmt.Sprintf("without any %.0f/s", median(c.rates[0]))
}

func median(of []float64) float64 {
	sorted := slices.Sorted(slices.Values(of))
	return sorted[len(sorted)/2]
}
