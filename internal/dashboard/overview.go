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
	{onWebsite, admins.SeeProgram, "overview", get, "", overviewPage},
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

// overviewPage shows the figures of the website, its newest rules and entries, the leaderboard, and what fails.
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
	webhooks.ConsumerName:  "Subscriptions don’t receive new events",
	awards.ConsumerName:    "Badges are not being granted",
	referrals.ConsumerName: "Referrals are not being checked",
	figures.ConsumerName:   "The figures on this page are not being updated",
}

// failingConsumers returns a sentence for each consumer of the change feed that has failed for a while.
func (c *request) failingConsumers() ([]string, error) {
	list, err := c.d.Feed.Failing(c.Context())
	var out []string
	for _, r := range list {
		text := consumerFailures[r.Name]
		if text == "" {
			text = "New ledger entries are not being sealed"
		}
		out = append(out, text+": the server has been failing for "+formatDuration(c.d.Now().Sub(r.Since))+".")
	}
	return out, err
}

// currenciesWithHoldings returns all currencies that are not deleted, with the points that members hold.
func (c *request) currenciesWithHoldings() (out []currencyHoldings, err error) {
	list := func(ctx context.Context, page laurel.PageRequest) (laurel.Page[ledger.Currency], error) {
		return c.d.Ledger.ListCurrencies(ctx, c.scope, ledger.CurrencyFilter{}, page)
	}
	currencies, err := listAll(c.Context(), list, func(one ledger.Currency) laurel.ID { return one.ID })
	if err != nil {
		return nil, err
	}
	holdings, err := c.readHoldings(currencies)
	for _, one := range currencies {
		out = append(out, currencyHoldings{one, holdings[one.ID]})
	}
	return out, err
}

// readOverview reads what the overview shows. Entries, payouts and keys are read only for roles that may see them.
func (c *request) readOverview() (data overviewData, err error) {
	ctx := c.Context()
	if data.Currencies, err = c.currenciesWithHoldings(); err != nil {
		return data, err
	}
	if data.Flow, err = c.readFlowCard(data.Currencies); err != nil {
		return data, err
	}
	rules, err := c.d.Rules.List(ctx, c.scope, catalog.Filter{}, laurel.PageRequest{Limit: overviewItems})
	if err != nil {
		return data, err
	}
	data.Rules = rules.Data
	if err := c.describeRules(&data); err != nil {
		return data, err
	}
	if c.may(admins.SeeMembers) {
		f := report.EntryFilter{Visibility: c.visibility()}
		entries, err := c.d.Report.Entries(ctx, c.scope, f, laurel.PageRequest{Limit: 2 * overviewItems})
		if err != nil {
			return data, err
		}
		for _, e := range entries.Data {
			if !e.UserID.IsZero() && len(data.Entries) < overviewItems {
				data.Entries = append(data.Entries, e)
			}
		}
	}
	if len(data.Currencies) > 0 {
		filter := report.AccountFilter{CurrencyID: data.Currencies[0].ID, Visibility: c.visibility()}
		leaders, err := c.d.Report.Accounts(ctx, c.scope, filter, laurel.PageRequest{Limit: overviewItems})
		if err != nil {
			return data, err
		}
		data.Leaders = leaders.Data
	}
	if c.may(admins.SeeJobs) {
		failed, err := c.d.Payouts.List(
			ctx, c.scope, payouts.Filter{Statuses: []string{payouts.Failed}}, laurel.PageRequest{Limit: pageSize},
		)
		if err != nil {
			return data, err
		}
		data.Failed, data.MoreFailed = len(failed.Data), failed.HasNextPage
	}
	var ids []laurel.ID
	for _, e := range data.Entries {
		ids = append(ids, e.UserID)
	}
	for _, a := range data.Leaders {
		ids = append(ids, a.UserID)
	}
	if data.People, err = c.readPeople(ids); err != nil {
		return data, err
	}
	data.Keys, err = c.hasKey()
	return data, err
}

// hasKey reports whether the website has an API key that is not revoked; true for roles that do not see keys.
func (c *request) hasKey() (bool, error) {
	if !c.may(admins.SeeKeys) {
		return true, nil
	}
	keys, err := c.d.Tenancy.ListKeys(c.Context(), c.scope.At(c.site.ID), laurel.PageRequest{Limit: pageSize})
	for _, k := range keys.Data {
		if k.RevokedAt == nil {
			return true, nil
		}
	}
	return false, err
}

// describeRules adds to the overview what its rules pay, in words, and their completions.
func (c *request) describeRules(data *overviewData) error {
	names, err := c.readNames()
	if err != nil {
		return err
	}
	data.Rewards = map[laurel.ID]reward{}
	for _, r := range data.Rules {
		data.Rewards[r.ID] = describeReward(&r.Properties, names)
	}
	data.Sums, err = c.ruleSums(mapSlice(data.Rules, func(r catalog.Rule) laurel.ID { return r.ID }))
	return err
}
