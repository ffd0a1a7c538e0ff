package dashboard

import (
	"context"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/admins"
	"laurel.example/laurel/internal/dashboard/parts"
	"laurel.example/laurel/internal/dashboard/web"
	"laurel.example/laurel/internal/points/ledger"
	"laurel.example/laurel/internal/points/payouts"
	"laurel.example/laurel/internal/report"
	"laurel.example/laurel/internal/report/figures"
	"laurel.example/laurel/internal/rules/awards"
	"laurel.example/laurel/internal/rules/catalog"
	"laurel.example/laurel/internal/rules/referrals"
	"laurel.example/laurel/internal/webhooks"
)

var overviewRoutes = []route{
	web.Get("", admins.SeeProgram, "overview", overviewPage),
}

type overviewData struct {
	Currencies       []parts.CurrencyHoldings // the oldest first
	Flow             flowData
	Rules            []catalog.Rule
	Rewards          map[laurel.ID]parts.Reward    // rewards of the rules, in words
	Sums             map[laurel.ID]figures.RuleSum // of the rules
	Entries          []report.Entry
	People           map[laurel.ID]parts.Person // of the entries and leaders
	Leaders          []report.Account           // in the first currency
	Failed           int                        // payouts that are given up, at most PageSize
	MoreFailed       bool
	FailingConsumers []string            // effects of consumers that fail
	Troubles         brokenSubscriptions // of subscriptions
	Keys             bool                // there is a key that is not revoked; true for roles that do not see keys
}

// overviewItems is how many items the cards of the overview have.
const overviewItems = 8

// overviewPage shows the figures of the website, its newest rules and entries, the leaderboard, and what is failing.
func overviewPage(c *call) (web.View, error) {
	data, err := c.readOverview()
	if err != nil {
		return web.View{}, err
	}
	if data.Troubles, err = c.readBrokenSubscriptions(); err != nil {
		return web.View{}, err
	}
	if data.FailingConsumers, err = c.failingConsumers(); err != nil {
		return web.View{}, err
	}
	return web.Show("overview", "Overview", data)
}

// consumerFailures say what does not happen while a consumer of the change feed fails, by its name.
var consumerFailures = map[string]string{
	webhooks.ConsumerName:  "Subscriptions aren’t receiving new events",
	awards.ConsumerName:    "Badges aren’t being granted",
	referrals.ConsumerName: "Referrals aren’t being checked",
	figures.ConsumerName:   "The figures on this page aren’t being updated",
}

// failingConsumers returns a sentence for each consumer of the change feed that has been failing for a while: what does
// not happen, and for how long.
func (c *call) failingConsumers() ([]string, error) {
	list, err := c.Feed.Failing(c.Context())
	var out []string
	for _, consumer := range list {
		text := consumerFailures[consumer.Name]
		if text == "" { // only the sealer is left
			text = "New ledger entries aren’t being sealed"
		}
		out = append(out, text+": the server has been failing for "+web.FormatDuration(c.Now().Sub(consumer.Since))+".")
	}
	return out, err
}

// currenciesWithHoldings returns the website's currencies with the points that members hold. Deleted currencies are
// left out.
func (c *call) currenciesWithHoldings() (out []parts.CurrencyHoldings, err error) {
	list := func(ctx context.Context, page laurel.PageRequest) (laurel.Page[ledger.Currency], error) {
		return c.Ledger.ListCurrencies(ctx, c.Scope, ledger.CurrencyFilter{}, page)
	}
	currencies, err := web.ListAll(c.Context(), list, func(currency ledger.Currency) laurel.ID { return currency.ID })
	if err != nil {
		return nil, err
	}
	holdings, err := c.ReadHoldings(currencies)
	for _, currency := range currencies {
		out = append(out, parts.CurrencyHoldings{Currency: currency, Held: holdings[currency.ID]})
	}
	return out, err
}

// readOverview reads what the overview shows. Entries, payouts and keys are read only for roles that may see them.
func (c *call) readOverview() (data overviewData, err error) {
	if data.Currencies, err = c.currenciesWithHoldings(); err != nil {
		return data, err
	}
	if data.Flow, err = c.readFlowCard(data.Currencies); err != nil {
		return data, err
	}
	for _, read := range []func(*overviewData) error{
		c.readNewestRules, c.readNewestEntries, c.readTopAccounts, c.readFailedPayouts, c.readOverviewPeople,
	} {
		if err := read(&data); err != nil {
			return data, err
		}
	}
	data.Keys, err = c.hasKey()
	return data, err
}

// readNewestRules reads the website's newest rules, at most overviewItems, with what they pay and their completions.
func (c *call) readNewestRules(data *overviewData) error {
	rules, err := c.Rules.List(c.Context(), c.Scope, catalog.Filter{}, laurel.PageRequest{Limit: overviewItems})
	if err != nil {
		return err
	}
	data.Rules = rules.Data
	return c.describeRules(data)
}

// readNewestEntries reads the newest entries of members, at most overviewItems, if the role may see members. It reads
// twice as many entries, as entries of main accounts are among them and left out.
func (c *call) readNewestEntries(data *overviewData) error {
	if !c.May(admins.SeeMembers) {
		return nil
	}
	filter := report.EntryFilter{Visibility: c.Visibility()}
	entries, err := c.Report.Entries(c.Context(), c.Scope, filter, laurel.PageRequest{Limit: 2 * overviewItems})
	for _, entry := range entries.Data {
		if !entry.UserID.IsZero() && len(data.Entries) < overviewItems {
			data.Entries = append(data.Entries, entry)
		}
	}
	return err
}

// readTopAccounts reads the accounts with the highest balances in the first currency, at most overviewItems.
func (c *call) readTopAccounts(data *overviewData) error {
	if len(data.Currencies) == 0 {
		return nil
	}
	filter := report.AccountFilter{CurrencyID: data.Currencies[0].ID, Visibility: c.Visibility()}
	leaders, err := c.Report.Accounts(c.Context(), c.Scope, filter, laurel.PageRequest{Limit: overviewItems})
	data.Leaders = leaders.Data
	return err
}

// readFailedPayouts counts the payouts that are given up, at most PageSize, if the role may see jobs.
func (c *call) readFailedPayouts(data *overviewData) error {
	if !c.May(admins.SeeJobs) {
		return nil
	}
	filter := payouts.Filter{Statuses: []string{payouts.Failed}}
	failed, err := c.Payouts.List(c.Context(), c.Scope, filter, laurel.PageRequest{Limit: web.PageSize})
	data.Failed, data.MoreFailed = len(failed.Data), failed.HasNextPage
	return err
}

// readOverviewPeople reads the members whose entries and accounts the overview shows.
func (c *call) readOverviewPeople(data *overviewData) (err error) {
	var ids []laurel.ID
	for _, entry := range data.Entries {
		ids = append(ids, entry.UserID)
	}
	for _, account := range data.Leaders {
		ids = append(ids, account.UserID)
	}
	data.People, err = c.ReadPeople(ids)
	return err
}

// hasKey reports whether the website has an API key that is not revoked. It is true for roles that may not see keys.
func (c *call) hasKey() (bool, error) {
	if !c.May(admins.SeeKeys) {
		return true, nil
	}
	keys, err := c.Tenancy.ListKeys(c.Context(), c.Scope.At(c.Site.ID), laurel.PageRequest{Limit: web.PageSize})
	for _, key := range keys.Data {
		if key.RevokedAt.IsZero() {
			return true, nil
		}
	}
	return false, err
}

// describeRules adds to the overview, for each of its rules, what the rule pays in words, and its completions.
func (c *call) describeRules(data *overviewData) error {
	names, err := c.ReadNames()
	if err != nil {
		return err
	}
	data.Rewards = map[laurel.ID]parts.Reward{}
	for _, rule := range data.Rules {
		data.Rewards[rule.ID] = parts.DescribeReward(&rule.Properties, names)
	}
	data.Sums, err = c.RuleSums(web.Map(data.Rules, func(rule catalog.Rule) laurel.ID { return rule.ID }))
	return err
}

// brokenSubscriptions are the disabled and the failing subscriptions, which the overview warns of.
type brokenSubscriptions struct {
	Disabled, Failing laurel.Page[webhooks.Subscription]
}

// readBrokenSubscriptions reads the disabled and the failing subscriptions, at most PageSize of each. It reads none for
// roles that may not see subscriptions.
func (c *call) readBrokenSubscriptions() (out brokenSubscriptions, err error) {
	if !c.May(admins.SeeSubscriptions) {
		return out, nil
	}
	page := laurel.PageRequest{Limit: web.PageSize}
	out.Disabled, err = c.Webhooks.List(c.Context(), c.Scope, webhooks.Filter{State: webhooks.StateDisabled}, page)
	if err != nil {
		return out, err
	}
	out.Failing, err = c.Webhooks.List(c.Context(), c.Scope, webhooks.Filter{State: webhooks.StateFailing}, page)
	return out, err
}
