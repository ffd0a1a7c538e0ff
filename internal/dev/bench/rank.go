package bench

import (
	"context"
	"errors"
	"fmt"
	"net/url"

	"laurel.example/laurel/internal/dev/bulk"
)

const (
	rankReaders    = 4
	rankCompleters = 16
)

var (
	rankAnyLimit  = limit{floor: 3, goal: 2, lowerIsBetter: true}
	rankTopLimit  = limit{floor: 25, goal: 15, lowerIsBetter: true}
	rankPastLimit = limit{floor: 2000, goal: 2000, lowerIsBetter: true}
)

// measureRank measures ranks while completions run: those of any account, compared with Redis, those of the first 5000,
// and those of any account at a moment in the past.
func (b *bench) measureRank(ctx context.Context) ([]Result, error) {
	d, err := b.openDataset(ctx, b.Accounts, b.Entries)
	if err != nil {
		return nil, err
	}
	r, err := b.startRedis(ctx)
	if err != nil {
		return nil, err
	}
	b.logf("filling Redis with %d members", d.shape.Accounts)
	if err := r.load(ctx, d.shape.Accounts, d.target().EachBalance); err != nil {
		return nil, errors.Join(err, r.stop())
	}
	lines, err := b.compareRank(ctx, d, r)
	return lines, errors.Join(err, r.stop())
}

// compareRank measures ranks of the service and of a filled Redis, one after the other.
func (b *bench) compareRank(ctx context.Context, d *dataset, r *redis) (out []Result, err error) {
	top, err := d.target().TopAccounts(ctx)
	if err != nil {
		return nil, err
	}
	s, err := b.serve(ctx, d.database, b.profile())
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, s.stop()) }()
	anyone, leader := d.randomAccount(), func() string { return top[randomBelow(len(top))].String() }
	figures := make([]measured, 4) // of any account, of a leader, of Redis, and of any account in the past
	_, pgbench, err := b.withPgbench(ctx, "rank of any account over HTTP", func() (measured, error) {
		return figures[0], b.whileCompleting(ctx, s, d.site, func() (err error) {
			for i, worker := range []startWorker{
				d.requestRank(s.host, anyone, now), d.requestRank(s.host, leader, now),
				r.requestRank(func() int { return randomBelow(d.shape.Accounts) }), d.requestRank(s.host, anyone, d.randomMoment),
			} {
				if figures[i], err = (load{workers: rankReaders, duration: b.Time, worker: worker}).run(ctx); err != nil {
					return err
				}
			}
			return nil
		})
	})
	if err != nil {
		return nil, err
	}
	redisP50 := milliseconds(figures[2].p50)
	comparison := fmt.Sprintf(
		"Redis ZREVRANK: p50 %v ms, p99 %v ms; %d readers beside %d callers that complete; %s",
		redisP50,
		milliseconds(figures[2].p99),
		rankReaders,
		rankCompleters,
		b.compareWith(pgbench),
	)
	name := fmt.Sprintf("rank over HTTP at %d accounts while completions run, ", d.shape.Accounts)
	return []Result{
		b.result(
			rankAnyLimit.newResult(name+"any account: p50 to that of Redis", milliseconds(figures[0].p50)/redisP50, figures[0]),
			"the p50 of "+comparison,
		),
		b.result(
			rankTopLimit.newResult(name+"the first 5000: p99", milliseconds(figures[1].p99), figures[1]),
			"ms; beside it "+comparison,
		),
		b.result(
			rankPastLimit.newResult(name+"any account as of any moment of the data: p99", milliseconds(figures[3].p99), figures[3]),
			"ms; beside it "+comparison,
		),
	}, nil
}

// now returns "", which requestRank takes for the present.
func now() string { return "" }

// randomMoment returns a random moment of the time that the data is of.
func (d *dataset) randomMoment() string {
	from, _ := d.randomDays(0)
	return from
}

// whileCompleting calls f while completions run on the server without a pause.
func (b *bench) whileCompleting(ctx context.Context, s *server, p site, f func() error) error {
	a, err := s.api(ctx, p.WebsiteAPIKey)
	if err != nil {
		return err
	}
	plan := completionPlan{
		site: p, workers: rankCompleters, currencies: []string{p.LoyaltyCurrencyID.String()}, keyed: true,
	}
	stock, err := plan.createStock(a, b.Time)
	a.wire.close()
	if err != nil {
		return err
	}
	completing, stop := context.WithCancel(ctx)
	ended := make(chan error, 1)
	go func() {
		_, err := load{workers: rankCompleters, duration: forever, worker: stock.worker(s.host)}.run(completing)
		if completing.Err() != nil && ctx.Err() == nil {
			err = nil // it was stopped
		}
		ended <- err
	}()
	err = f()
	stop()
	return errors.Join(err, <-ended)
}

// randomAccount returns a function that returns the id of a random account of the data set.
func (d *dataset) randomAccount() func() string {
	return func() string { return bulk.IDOf(bulk.KindAccount, randomBelow(d.shape.Accounts)) }
}

// requestRank returns a function that starts workers whose steps read the rank of an account over HTTP. pick returns
// the account, and asOf the moment of the rank; "" is now.
func (d *dataset) requestRank(
	host string, pick, asOf func() string,
) startWorker {
	p := d.site.Program
	return requestSender(host, func() request {
		query := url.Values{
			"websiteId":         {p.WebsiteID.String()},
			"organizationId":    {p.OrganizationID.String()},
			"loyaltyCurrencyId": {p.LoyaltyCurrencyID.String()},
		}
		if at := asOf(); at != "" {
			query.Set("asOf", at)
		}
		return request{
			method: "GET",
			host:   host,
			path:   "/api/loyalty/accounts/" + pick() + "/rank",
			key:    p.WebsiteAPIKey,
			query:  query,
		}
	})
}

// requestSender returns a function that starts workers. A worker has a connection to host; each call of its step sends
// one request from next and fails unless the status is 200.
func requestSender(host string, next func() request) startWorker {
	return func(ctx context.Context) (func() error, func(), error) {
		w, err := dial(ctx, host)
		if err != nil {
			return nil, nil, err
		}
		stopClosing := context.AfterFunc(ctx, w.close) // ends a worker that waits for its response
		return func() error { return w.sendOK(next().bytes()) }, func() { stopClosing(); w.close() }, nil
	}
}
