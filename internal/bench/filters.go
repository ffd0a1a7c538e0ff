package bench

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/url"
	"time"

	"laurel"
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
		out = append(out, b.result(f.limit.line(name, milliseconds(figures[i].p99), figures[i]), fmt.Sprintf("ms; %d readers; %s", filterReaders, b.against(other))))
	}
	return out, nil
}

// filtering measures one filter for a part of the time: there are many.
func (b *bench) filtering(ctx context.Context, s *server, d *dataset, f filter) (measured, error) {
	ask := asking(s.host, func() request {
		return request{method: "GET", host: s.host, path: "/api/loyalty/transaction_entries", key: d.site.WebsiteAPIKey, query: f.query()}
	})
	return load{workers: filterReaders, seconds: max(time.Second, b.Seconds/3), worker: ask}.run(ctx)
}

func some(n int) int { return rand.IntN(n) } //nolint:gosec // chance that nobody may guess is not asked for

// user is one who completed rules: a busy one every second time.
func (d *dataset) user() string {
	if some(2) == 0 {
		return idOf(kindUser, some(d.shape.busy))
	}
	return idOf(kindUser, d.shape.busy+some(d.shape.others))
}

func (d *dataset) users(n int) []string {
	out := make([]string, n)
	for i := range out {
		out[i] = d.user()
	}
	return out
}

func (d *dataset) ruleID() string { return d.rules[some(len(d.rules))].String() }

// days answers a random span of so many days within the data.
func (d *dataset) days(n int) (from, until string) {
	begin := time.UnixMicro(first).UTC().AddDate(0, 0, some(dataDays-n))
	return begin.Format(time.RFC3339), begin.AddDate(0, 0, n).Format(time.RFC3339)
}

// filters lists what is measured. Every query names the website, as callers with several do.
func (d *dataset) filters(e extras) []filter {
	site := func(pairs ...string) url.Values {
		q := url.Values{"websiteId": {d.site.WebsiteID.String()}, "organizationId": {d.site.OrganizationID.String()}, "limit": {filterPage}}
		for i := 0; i+1 < len(pairs); i += 2 {
			q.Add(pairs[i], pairs[i+1])
		}
		return q
	}
	many := func(name string, values []string) url.Values {
		q := site()
		q[name] = values
		return q
	}
	one := func(name string, pairs func() []string) filter {
		return filter{name, filterLimit, func() url.Values { return site(pairs()...) }}
	}
	fixed := func(pairs ...string) func() []string { return func() []string { return pairs } }
	list := []filter{
		one("default sort", fixed()),
		one("oldest first", fixed("sortDir", "asc")),
		one("userId", func() []string { return []string{"userId", d.user()} }),
		one("userId= (main accounts)", fixed("userId", "")),
		one("walletAddress", func() []string { return []string{"walletAddress", walletOf(some(d.shape.accounts))} }),
		one("walletGroupIdentifier", fixed("walletGroupIdentifier", e.walletGroup)),
		one("userGroupId", func() []string { return []string{"userGroupId", e.groups[some(len(e.groups))]} }),
		one("userGroupExternalIdentifier", func() []string { return []string{"userGroupExternalIdentifier", externalGroup(some(len(e.groups)))} }),
		one("loyaltyRuleId", func() []string { return []string{"loyaltyRuleId", d.ruleID()} }),
		one("loyaltyRuleType", fixed("loyaltyRuleType", "external_rule")),
		one("loyaltyRuleType of no entry", fixed("loyaltyRuleType", "check_in")),
		one("loyaltyRuleGroupId", func() []string { return []string{"loyaltyRuleGroupId", d.groups[some(len(d.groups))].String()} }),
		one("loyaltyCurrencyId", fixed("loyaltyCurrencyId", d.site.LoyaltyCurrencyID.String())),
		one("loyaltyCurrencyId, rare", fixed("loyaltyCurrencyId", e.currency)),
		one("type=loyalty_rule", fixed("type", "loyalty_rule")),
		one("type=api_key", fixed("type", "api_key")),
		one("type=order, rare", fixed("type", "order")),
		one("direction=credit", fixed("direction", "credit")),
		one("direction=debit, rare", fixed("direction", "debit")),
		one("createdAtStart and createdAtEnd, 30 days", func() []string {
			from, until := d.days(30)
			return []string{"createdAtStart", from, "createdAtEnd", until}
		}),
		one("idempotencyKey", func() []string { return []string{"idempotencyKey", e.keys[some(len(e.keys))]} }),
		one("loyaltyTransactionId", func() []string {
			return []string{"loyaltyTransactionId", idOf(kindCompletion, some(max(1, d.shape.completions)))}
		}),
		one("loyaltyAccountId", func() []string { return []string{"loyaltyAccountId", idOf(kindAccount, some(d.shape.busy))} }),
		one("loyaltyAccountId by lockVersion", func() []string {
			return []string{"loyaltyAccountId", idOf(kindAccount, some(d.shape.busy)), "sortBy", "loyaltyAccountLockVersion"}
		}),
		one("userCompletedLoyaltyRuleId of a user", func() []string { return []string{"userId", d.user(), "userCompletedLoyaltyRuleId", d.ruleID()} }),
		one("user and rule", func() []string { return []string{"userId", d.user(), "loyaltyRuleId", d.ruleID()} }),
		one("user and type", func() []string { return []string{"userId", d.user(), "type", "loyalty_rule"} }),
		one("user and dates", func() []string {
			from, until := d.days(30)
			return []string{"userId", d.user(), "createdAtStart", from, "createdAtEnd", until}
		}),
		{"20 users", manyFilterLimit, func() url.Values { return many("userId", d.users(filterMany)) }},
		{"20 rules", manyFilterLimit, func() url.Values { return many("loyaltyRuleId", texts(d.rules[:filterMany])) }},
	}
	return append(list, one("second page of a user", func() []string {
		n := some(d.shape.busyCompletions())
		return []string{"userId", idOf(kindUser, n%d.shape.busy), "startingAfter", idOf(kindCompletionEntry, n*busyOne)}
	}), one("far page of the website", func() []string {
		return []string{"startingAfter", idOf(kindCompletionEntry, some(max(1, d.shape.completions)))}
	}))
}

func texts(ids []laurel.ID) []string {
	out := make([]string, len(ids))
	for i, id := range ids {
		out[i] = id.String()
	}
	return out
}
