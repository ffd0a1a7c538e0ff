package dashboard

import (
	"context"

	"laurel"
	"laurel/internal/admins"
	"laurel/internal/points/ledger"
	"laurel/internal/points/payouts"
	"laurel/internal/report"
	"laurel/internal/report/figures"
	"laurel/internal/rules/awards"
	"laurel/internal/rules/catalog"
	"laurel/internal/rules/referrals"
	"laurel/internal/webhooks"
)

var overviewRoutes = []route{
	get("", admins.SeeProgram, "overview", overviewPage),
}

type overviewData struct {
	Currencies       []currencyHoldings // the oldest first
	Flow             flowData
	Rules            []catalog.Rule
	Rewards          map[laurel.ID]reward          // rewards of the rules, in words
	Sums             map[laurel.ID]figures.RuleSum // of the rules
	Entries          []report.Entry
	People           map[laurel.ID]person // of the entries and leaders
	Leaders          []report.Account     // in the first currency
	Failed           int                  // payouts that are given up, at most pageSize
	MoreFailed       bool
	FailingConsumers []string            // effects of consumers that fail
	Troubles         brokenSubscriptions // of subscriptions
	Keys             bool                // there is a key that is not revoked; true for roles that do not see keys
}

// overviewItems is how many items the cards of the overview have.
const overviewItems = 8

// overviewPage shows the figures of the website, its newest rules and entries, the leaderboard, and what is failing.
func overviewPage(c *request) (view, error) {
	data, err := c.readOverview()
	if err != nil {
		return view{}, err
	}
	if data.Troubles, err = c.readBrokenSubscriptions(); err != nil {
		return view{}, err
	}
	if data.FailingConsumers, err = c.failingConsumers(); err != nil {
		return view{}, err
	}
	return pageView("overview", "Overview", data)
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
func (c *request) failingConsumers() ([]string, error) {
	list, err := c.d.Feed.Failing(c.Context())
	var out []string
	for _, consumer := range list {
		text := consumerFailures[consumer.Name]
		if text == "" { // only the sealer is left
			text = "New ledger entries aren’t being sealed"
		}
		out = append(out, text+": the server has been failing for "+formatDuration(c.d.Now().Sub(consumer.Since))+".")
	}
	return out, err
}

// currenciesWithHoldings returns the website's currencies with the points that members hold. Deleted currencies are
// left out.
func (c *request) currenciesWithHoldings() (out []currencyHoldings, err error) {
	list := func(ctx context.Context, page laurel.PageRequest) (laurel.Page[ledger.Currency], error) {
		return c.d.Ledger.ListCurrencies(ctx, c.scope, ledger.CurrencyFilter{}, page)
	}
	currencies, err := listAll(c.Context(), list, func(currency ledger.Currency) laurel.ID { return currency.ID })
	if err != nil {
		return nil, err
	}
	holdings, err := c.readHoldings(currencies)
	for _, currency := range currencies {
		out = append(out, currencyHoldings{currency, holdings[currency.ID]})
	}
	return out, err
}

// readOverview reads what the overview shows. Entries, payouts and keys are read only for roles that may see them.
func (c *request) readOverview() (data overviewData, err error) {
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
func (c *request) readNewestRules(data *overviewData) error {
	rules, err := c.d.Rules.List(c.Context(), c.scope, catalog.Filter{}, laurel.PageRequest{Limit: overviewItems})
	if err != nil {
		return err
	}
	data.Rules = rules.Data
	return c.describeRules(data)
}

// readNewestEntries reads the newest entries of members, at most overviewItems, if the role may see members. It reads
// twice as many entries, as entries of main accounts are among them and left out.
func (c *request) readNewestEntries(data *overviewData) error {
	if !c.may(admins.SeeMembers) {
		return nil
	}
	filter := report.EntryFilter{Visibility: c.visibility()}
	entries, err := c.d.Report.Entries(c.Context(), c.scope, filter, laurel.PageRequest{Limit: 2 * overviewItems})
	for _, entry := range entries.Data {
		if !entry.UserID.IsZero() && len(data.Entries) < overviewItems {
			data.Entries = append(data.Entries, entry)
		}
	}
	return err
}

// readTopAccounts reads the accounts with the highest balances in the first currency, at most overviewItems.
func (c *request) readTopAccounts(data *overviewData) error {
	if len(data.Currencies) == 0 {
		return nil
	}
	filter := report.AccountFilter{CurrencyID: data.Currencies[0].ID, Visibility: c.visibility()}
	leaders, err := c.d.Report.Accounts(c.Context(), c.scope, filter, laurel.PageRequest{Limit: overviewItems})
	data.Leaders = leaders.Data
	return err
}

// readFailedPayouts counts the payouts that are given up, at most pageSize, if the role may see jobs.
func (c *request) readFailedPayouts(data *overviewData) error {
	if !c.may(admins.SeeJobs) {
		return nil
	}
	filter := payouts.Filter{Statuses: []string{payouts.Failed}}
	failed, err := c.d.Payouts.List(c.Context(), c.scope, filter, laurel.PageRequest{Limit: pageSize})
	data.Failed, data.MoreFailed = len(failed.Data), failed.HasNextPage
	return err
}

// readOverviewPeople reads the members whose entries and accounts the overview shows.
func (c *request) readOverviewPeople(data *overviewData) (err error) {
	var ids []laurel.ID
	for _, entry := range data.Entries {
		ids = append(ids, entry.UserID)
	}
	for _, account := range data.Leaders {
		ids = append(ids, account.UserID)
	}
	data.People, err = c.readPeople(ids)
	return err
}

// hasKey reports whether the website has an API key that is not revoked. It is true for roles that may not see keys.
func (c *request) hasKey() (bool, error) {
	if !c.may(admins.SeeKeys) {
		return true, nil
	}
	keys, err := c.d.Tenancy.ListKeys(c.Context(), c.scope.At(c.site.ID), laurel.PageRequest{Limit: pageSize})
	for _, key := range keys.Data {
		if key.RevokedAt == nil {
			return true, nil
		}
	}
	return false, err
}

// describeRules adds to the overview, for each of its rules, what the rule pays in words, and its completions.
func (c *request) describeRules(data *overviewData) error {
	names, err := c.readNames()
	if err != nil {
		return err
	}
	data.Rewards = map[laurel.ID]reward{}
	for _, rule := range data.Rules {
		data.Rewards[rule.ID] = describeReward(&rule.Properties, names)
	}
	data.Sums, err = c.ruleSums(mapSlice(data.Rules, func(rule catalog.Rule) laurel.ID { return rule.ID }))
	return err
}
