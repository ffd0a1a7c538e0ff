package bench

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/url"
	"slices"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/dev/bulk"
)

const (
	filterReaders = 2
	filterMany    = 20 // values of a filter with many values
	filterPage    = "100"
)

var (
	filterLimit     = limit{floor: 50, goal: 15, lowerIsBetter: true}
	manyFilterLimit = limit{floor: 70, goal: 70, lowerIsBetter: true}
)

// filter is one way to narrow or sort the list of entries. query returns the parameters of the next request.
type filter struct {
	name  string
	limit limit
	query func() url.Values
}

// measureFilters measures every documented filter of the list of entries alone, and the combinations that pages use.
func (b *bench) measureFilters(ctx context.Context) (out []Result, err error) {
	d, err := b.openDataset(ctx, b.Accounts, b.Entries)
	if err != nil {
		return nil, err
	}
	s, err := b.serve(ctx, d.database, b.profile())
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, s.stop()) }()
	e, err := b.createExtras(ctx, s, d)
	if err != nil {
		return nil, err
	}
	list := d.filters(e)
	figures := make([]measured, len(list))
	_, pgbench, err := b.withPgbench(ctx, "entries, default sort", func() (measured, error) {
		for i, f := range list {
			var err error
			if figures[i], err = b.measureFilter(ctx, s, d, f); err != nil {
				return measured{}, fmt.Errorf("%s: %w", f.name, err)
			}
		}
		return figures[0], nil
	})
	if err != nil {
		return nil, err
	}
	for i, f := range list {
		name := fmt.Sprintf("entries at %d rows, limit %s, %s: p99", b.Entries, filterPage, f.name)
		out = append(
			out,
			b.result(
				f.limit.newResult(name, milliseconds(figures[i].p99), figures[i]),
				fmt.Sprintf("ms; %d readers; %s", filterReaders, b.compareWith(pgbench)),
			),
		)
	}
	return out, nil
}

// measureFilter measures requests with one filter, for a third of the time of a run.
func (b *bench) measureFilter(ctx context.Context, s *server, d *dataset, f filter) (measured, error) {
	worker := requestSender(s.host, func() request {
		return request{
			method: "GET",
			host:   s.host,
			path:   "/api/loyalty/transaction_entries",
			key:    d.site.WebsiteAPIKey,
			query:  f.query(),
		}
	})
	return load{workers: filterReaders, duration: max(time.Second, b.Time/3), worker: worker}.run(ctx)
}

// randomBelow returns a random number from 0 to n-1.
func randomBelow(n int) int { return rand.IntN(n) } //nolint:gosec // it need not be unpredictable

// randomUser returns a user who completed rules: every second time one of the busy users, else one of the others.
func (d *dataset) randomUser() string {
	if randomBelow(2) == 0 {
		return bulk.IDOf(bulk.KindUser, randomBelow(d.shape.Busy))
	}
	return bulk.IDOf(bulk.KindUser, d.shape.Busy+randomBelow(d.shape.Others))
}

// randomUsers returns n users who completed rules.
func (d *dataset) randomUsers(n int) []string {
	out := make([]string, n)
	for i := range out {
		out[i] = d.randomUser()
	}
	return out
}

func (d *dataset) randomRuleID() string { return d.rules[randomBelow(len(d.rules))].String() }

// randomDays returns a random span of so many days within the data.
func (d *dataset) randomDays(n int) (from, until string) {
	begin := time.UnixMicro(bulk.First).UTC().AddDate(0, 0, randomBelow(bulk.Days-n))
	return begin.Format(time.RFC3339), begin.AddDate(0, 0, n).Format(time.RFC3339)
}

// query returns parameters that name the website, as callers with several websites do, and the given pairs of name and
// value.
func (d *dataset) query(pairs ...string) url.Values {
	q := url.Values{
		"websiteId":      {d.site.WebsiteID.String()},
		"organizationId": {d.site.OrganizationID.String()},
		"limit":          {filterPage},
	}
	for i := 0; i+1 < len(pairs); i += 2 {
		q.Add(pairs[i], pairs[i+1])
	}
	return q
}

// singleFilter returns a filter with one value per parameter. pairs returns names and values anew for each request.
func (d *dataset) singleFilter(name string, pairs func() []string) filter {
	return filter{name, filterLimit, func() url.Values { return d.query(pairs()...) }}
}

// manyFilter returns a filter whose parameter has 20 values.
func (d *dataset) manyFilter(name, parameter string, values func() []string) filter {
	return filter{name, manyFilterLimit, func() url.Values {
		q := d.query()
		q[parameter] = values()
		return q
	}}
}

func fixedPairs(pairs ...string) func() []string { return func() []string { return pairs } }

// filters lists the filters to measure: those that narrow by one parameter, those that find a few entries, and the
// combinations that pages use.
func (d *dataset) filters(e extras) []filter {
	return slices.Concat(d.narrowingFilters(e), d.selectiveFilters(e), d.combinedFilters())
}

// narrowingFilters returns the filters with one parameter, or none, that match many entries or, if their name says so,
// few.
func (d *dataset) narrowingFilters(e extras) []filter {
	return []filter{
		d.singleFilter("default sort", fixedPairs()),
		d.singleFilter("oldest first", fixedPairs("sortDir", "asc")),
		d.singleFilter("userId", func() []string { return []string{"userId", d.randomUser()} }),
		d.singleFilter("userId= (main accounts)", fixedPairs("userId", "")),
		d.singleFilter("walletAddress", func() []string { return []string{"walletAddress", bulk.WalletOf(randomBelow(d.shape.Accounts))} }),
		d.singleFilter("walletGroupIdentifier", fixedPairs("walletGroupIdentifier", e.walletGroup)),
		d.singleFilter("userGroupId", func() []string { return []string{"userGroupId", e.groups[randomBelow(len(e.groups))]} }),
		d.singleFilter("userGroupExternalIdentifier", func() []string {
			return []string{"userGroupExternalIdentifier", bulk.ExternalGroup(randomBelow(len(e.groups)))}
		}),
		d.singleFilter("loyaltyRuleId", func() []string { return []string{"loyaltyRuleId", d.randomRuleID()} }),
		d.singleFilter("loyaltyRuleType", fixedPairs("loyaltyRuleType", "external_rule")),
		d.singleFilter("loyaltyRuleType of no entry", fixedPairs("loyaltyRuleType", "check_in")),
		d.singleFilter(
			"loyaltyRuleGroupId",
			func() []string { return []string{"loyaltyRuleGroupId", d.groups[randomBelow(len(d.groups))].String()} },
		),
		d.singleFilter("loyaltyCurrencyId", fixedPairs("loyaltyCurrencyId", d.site.LoyaltyCurrencyID.String())),
		d.singleFilter("loyaltyCurrencyId, rare", fixedPairs("loyaltyCurrencyId", e.currency)),
		d.singleFilter("type=loyalty_rule", fixedPairs("type", "loyalty_rule")),
		d.singleFilter("type=api_key", fixedPairs("type", "api_key")),
		d.singleFilter("type=order, rare", fixedPairs("type", "order")),
		d.singleFilter("direction=credit", fixedPairs("direction", "credit")),
		d.singleFilter("direction=debit, rare", fixedPairs("direction", "debit")),
		d.singleFilter("createdAtStart and createdAtEnd, 30 days", func() []string {
			from, until := d.randomDays(30)
			return []string{"createdAtStart", from, "createdAtEnd", until}
		}),
	}
}

// selectiveFilters returns the filters that few entries pass.
func (d *dataset) selectiveFilters(e extras) []filter {
	return []filter{
		d.singleFilter("idempotencyKey", func() []string { return []string{"idempotencyKey", e.keys[randomBelow(len(e.keys))]} }),
		d.singleFilter("loyaltyTransactionId", func() []string {
			return []string{"loyaltyTransactionId", bulk.IDOf(bulk.KindCompletion, randomBelow(max(1, d.shape.Completions)))}
		}),
		d.singleFilter(
			"loyaltyAccountId",
			func() []string {
				return []string{"loyaltyAccountId", bulk.IDOf(bulk.KindAccount, randomBelow(d.shape.Busy))}
			},
		),
		d.singleFilter("loyaltyAccountId by lockVersion", func() []string {
			return []string{
				"loyaltyAccountId",
				bulk.IDOf(bulk.KindAccount, randomBelow(d.shape.Busy)),
				"sortBy",
				"loyaltyAccountLockVersion",
			}
		}),
		d.singleFilter(
			"userCompletedLoyaltyRuleId of a user",
			func() []string {
				return []string{"userId", d.randomUser(), "userCompletedLoyaltyRuleId", d.randomRuleID()}
			},
		),
	}
}

// combinedFilters returns the combinations that pages use, filters with 20 values, and later pages.
func (d *dataset) combinedFilters() []filter {
	return []filter{
		d.singleFilter("user and rule", func() []string { return []string{"userId", d.randomUser(), "loyaltyRuleId", d.randomRuleID()} }),
		d.singleFilter("user and type", func() []string { return []string{"userId", d.randomUser(), "type", "loyalty_rule"} }),
		d.singleFilter("user and dates", func() []string {
			from, until := d.randomDays(30)
			return []string{"userId", d.randomUser(), "createdAtStart", from, "createdAtEnd", until}
		}),
		d.manyFilter("20 users", "userId", func() []string { return d.randomUsers(filterMany) }),
		d.manyFilter("20 rules", "loyaltyRuleId", func() []string { return idTexts(d.rules[:filterMany]) }),
		d.singleFilter("second page of a user", func() []string {
			n := randomBelow(d.shape.BusyCompletions())
			return []string{
				"userId",
				bulk.IDOf(bulk.KindUser, n%d.shape.Busy),
				"startingAfter",
				bulk.IDOf(bulk.KindCompletionEntry, n*bulk.BusyInterval),
			}
		}),
		d.singleFilter("far page of the website", func() []string {
			return []string{"startingAfter", bulk.IDOf(bulk.KindCompletionEntry, randomBelow(max(1, d.shape.Completions)))}
		}),
	}
}

// idTexts returns ids as texts.
func idTexts(ids []laurel.ID) []string {
	out := make([]string, len(ids))
	for i, id := range ids {
		out[i] = id.String()
	}
	return out
}
