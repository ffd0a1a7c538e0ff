package bench

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/url"
	"slices"
	"time"

	"laurel"
	"laurel/internal/dev/bulk"
)

const (
	filterReaders = 2
	filterMany    = 20
	filterPage    = "100"
)

var (
	filterLimit     = limit{floor: 50, goal: 15, atMost: true}
	manyFilterLimit = limit{floor: 70, goal: 70, atMost: true}
)

// filter is one way to narrow or sort the list of entries.
type filter struct {
	name  string
	limit limit
	query func() url.Values
}

// filters measures every documented filter of the list of entries alone, and the combinations that pages use.
func (b *bench) filters(ctx context.Context) (out []Result, err error) {
	d, err := b.dataset(ctx, b.Accounts, b.Entries)
	if err != nil {
		return nil, err
	}
	s, err := b.serve(ctx, d.database, b.profile())
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, s.stop()) }()
	e, err := b.extras(ctx, s, d)
	if err != nil {
		return nil, err
	}
	list := d.filters(e)
	figures := make([]measured, len(list))
	_, other, err := b.withPgbench(ctx, "entries, default sort", func() (measured, error) {
		for i, f := range list {
			var err error
			if figures[i], err = b.filtering(ctx, s, d, f); err != nil {
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
				f.limit.line(name, milliseconds(figures[i].p99), figures[i]),
				fmt.Sprintf("ms; %d readers; %s", filterReaders, b.against(other)),
			),
		)
	}
	return out, nil
}

// filtering measures one filter for a part of the time: there are many.
func (b *bench) filtering(ctx context.Context, s *server, d *dataset, f filter) (measured, error) {
	ask := asking(s.host, func() request {
		return request{
			method: "GET",
			host:   s.host,
			path:   "/api/loyalty/transaction_entries",
			key:    d.site.WebsiteAPIKey,
			query:  f.query(),
		}
	})
	return load{workers: filterReaders, seconds: max(time.Second, b.Time/3), worker: ask}.run(ctx)
}

func some(n int) int { return rand.IntN(n) } //nolint:gosec // chance that nobody may guess is not asked for

// user is one who completed rules: a busy one every second time.
func (d *dataset) user() string {
	if some(2) == 0 {
		return bulk.IDOf(bulk.KindUser, some(d.shape.Busy))
	}
	return bulk.IDOf(bulk.KindUser, d.shape.Busy+some(d.shape.Others))
}

func (d *dataset) users(n int) []string {
	out := make([]string, n)
	for i := range out {
		out[i] = d.user()
	}
	return out
}

func (d *dataset) ruleID() string { return d.rules[some(len(d.rules))].String() }

// days returns a random span of so many days within the data.
func (d *dataset) days(n int) (from, until string) {
	begin := time.UnixMicro(bulk.First).UTC().AddDate(0, 0, some(bulk.Days-n))
	return begin.Format(time.RFC3339), begin.AddDate(0, 0, n).Format(time.RFC3339)
}

// query names the website, as callers with several do, and what is asked for besides.
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

// one is a filter whose parameters are made anew each time.
func (d *dataset) one(name string, pairs func() []string) filter {
	return filter{name, filterLimit, func() url.Values { return d.query(pairs()...) }}
}

// many is a filter of 20 values.
func (d *dataset) many(name, parameter string, values func() []string) filter {
	return filter{name, manyFilterLimit, func() url.Values {
		q := d.query()
		q[parameter] = values()
		return q
	}}
}

func fixed(pairs ...string) func() []string { return func() []string { return pairs } }

// filters lists what is measured: what narrows by one thing, what finds a few entries, and what pages combine.
func (d *dataset) filters(e extras) []filter {
	return slices.Concat(d.narrowing(e), d.finding(e), d.combining())
}

func (d *dataset) narrowing(e extras) []filter {
	return []filter{
		d.one("default sort", fixed()),
		d.one("oldest first", fixed("sortDir", "asc")),
		d.one("userId", func() []string { return []string{"userId", d.user()} }),
		d.one("userId= (main accounts)", fixed("userId", "")),
		d.one("walletAddress", func() []string { return []string{"walletAddress", bulk.WalletOf(some(d.shape.Accounts))} }),
		d.one("walletGroupIdentifier", fixed("walletGroupIdentifier", e.walletGroup)),
		d.one("userGroupId", func() []string { return []string{"userGroupId", e.groups[some(len(e.groups))]} }),
		d.one("userGroupExternalIdentifier", func() []string {
			return []string{"userGroupExternalIdentifier", bulk.ExternalGroup(some(len(e.groups)))}
		}),
		d.one("loyaltyRuleId", func() []string { return []string{"loyaltyRuleId", d.ruleID()} }),
		d.one("loyaltyRuleType", fixed("loyaltyRuleType", "external_rule")),
		d.one("loyaltyRuleType of no entry", fixed("loyaltyRuleType", "check_in")),
		d.one(
			"loyaltyRuleGroupId",
			func() []string { return []string{"loyaltyRuleGroupId", d.groups[some(len(d.groups))].String()} },
		),
		d.one("loyaltyCurrencyId", fixed("loyaltyCurrencyId", d.site.LoyaltyCurrencyID.String())),
		d.one("loyaltyCurrencyId, rare", fixed("loyaltyCurrencyId", e.currency)),
		d.one("type=loyalty_rule", fixed("type", "loyalty_rule")),
		d.one("type=api_key", fixed("type", "api_key")),
		d.one("type=order, rare", fixed("type", "order")),
		d.one("direction=credit", fixed("direction", "credit")),
		d.one("direction=debit, rare", fixed("direction", "debit")),
		d.one("createdAtStart and createdAtEnd, 30 days", func() []string {
			from, until := d.days(30)
			return []string{"createdAtStart", from, "createdAtEnd", until}
		}),
	}
}

func (d *dataset) finding(e extras) []filter {
	return []filter{
		d.one("idempotencyKey", func() []string { return []string{"idempotencyKey", e.keys[some(len(e.keys))]} }),
		d.one("loyaltyTransactionId", func() []string {
			return []string{"loyaltyTransactionId", bulk.IDOf(bulk.KindCompletion, some(max(1, d.shape.Completions)))}
		}),
		d.one(
			"loyaltyAccountId",
			func() []string { return []string{"loyaltyAccountId", bulk.IDOf(bulk.KindAccount, some(d.shape.Busy))} },
		),
		d.one("loyaltyAccountId by lockVersion", func() []string {
			return []string{
				"loyaltyAccountId",
				bulk.IDOf(bulk.KindAccount, some(d.shape.Busy)),
				"sortBy",
				"loyaltyAccountLockVersion",
			}
		}),
		d.one(
			"userCompletedLoyaltyRuleId of a user",
			func() []string { return []string{"userId", d.user(), "userCompletedLoyaltyRuleId", d.ruleID()} },
		),
	}
}

func (d *dataset) combining() []filter {
	return []filter{
		d.one("user and rule", func() []string { return []string{"userId", d.user(), "loyaltyRuleId", d.ruleID()} }),
		d.one("user and type", func() []string { return []string{"userId", d.user(), "type", "loyalty_rule"} }),
		d.one("user and dates", func() []string {
			from, until := d.days(30)
			return []string{"userId", d.user(), "createdAtStart", from, "createdAtEnd", until}
		}),
		d.many("20 users", "userId", func() []string { return d.users(filterMany) }),
		d.many("20 rules", "loyaltyRuleId", func() []string { return texts(d.rules[:filterMany]) }),
		d.one("second page of a user", func() []string {
			n := some(d.shape.BusyCompletions())
			return []string{
				"userId",
				bulk.IDOf(bulk.KindUser, n%d.shape.Busy),
				"startingAfter",
				bulk.IDOf(bulk.KindCompletionEntry, n*bulk.BusyOne),
			}
		}),
		d.one("far page of the website", func() []string {
			return []string{"startingAfter", bulk.IDOf(bulk.KindCompletionEntry, some(max(1, d.shape.Completions)))}
		}),
	}
}

func texts(ids []laurel.ID) []string {
	out := make([]string, len(ids))
	for i, id := range ids {
		out[i] = id.String()
	}
	return out
}
