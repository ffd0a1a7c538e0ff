package dashboard

import (
	"slices"

	"laurel"
	"laurel/internal/admins"
	"laurel/internal/points/external"
	"laurel/internal/points/ledger"
	"laurel/internal/points/payouts"
	"laurel/internal/rules/lists"
	"laurel/internal/rules/reset"
	"laurel/internal/rules/schedule"
)

var jobRoutes = []route{
	get("/jobs", admins.SeeJobs, "jobs", jobsPage),
	get("/jobs/jobs.csv", admins.SeeJobs, "jobs", exportJobs),
	get("/jobs/clearings/{job}", admins.SeeJobs, "jobs", resetJobPage),
	post("/jobs/payouts/{payout}/retry", admins.ChangeJobs, "jobs", "retried a payout", retryPayout),
	post("/jobs/posts/{post}/retry", admins.ChangeJobs, "jobs",
		"retried a request to an external ledger", retryPost),
}

// jobTab is a list of work in the background.
type jobTab struct {
	Name, Label string
	States      []string // to filter by; none: it is not filtered
	list        func(c *request, data *jobsData, page laurel.PageRequest) (more bool, last laurel.ID, err error)
}

// jobTabs are the lists. The first one is shown where the address names none.
var jobTabs = []jobTab{
	{"runs", "Rule runs", nil, listRuns},
	{"clearings", "Resets", []string{reset.Processing, reset.Complete, reset.Cancelled}, listResets},
	{"imports", "Imports", nil, listImports},
	{"payouts", "Payouts", payouts.States(), listPayouts},
	{
		"posts", "External ledgers", []string{external.Open, external.Done, external.Refused, external.Cancelled},
		listPosts,
	},
}

// jobsData is the data of the page of jobs.
type jobsData struct {
	Tabs   []jobTab
	Tab    jobTab
	Status string
	Pager  pager

	Runs      []schedule.Run
	Clearings []reset.Job
	Imports   []lists.Import
	Payouts   []payouts.Payout
	Posts     []external.Post

	ExternalCurrencies []ledger.Currency // currencies with an external ledger
	Currency           laurel.ID         // currency of the posts
	Rules              map[laurel.ID]string
	Currencies         map[laurel.ID]string
	Badges             map[laurel.ID]string
	Job                reset.Job
}

// OfRule reports whether the list of an import belongs to a rule; else it belongs to a badge.
func (jobsData) OfRule(i lists.Import) bool { return i.Owner.Type != lists.OwnerBadge }

// OwnerName returns the name of the rule or badge of an import.
func (d jobsData) OwnerName(i lists.Import) string {
	if d.OfRule(i) {
		return d.RuleName(i.Owner.ID)
	}
	return nameOrID(d.Badges, i.Owner.ID)
}

// PayoutSource returns the name of the rule or badge that owes a payout.
func (d jobsData) PayoutSource(p payouts.Payout) string {
	if p.RuleID.IsZero() {
		return nameOrID(d.Badges, p.BadgeID)
	}
	return d.RuleName(p.RuleID)
}

// RuleName returns the name of a rule, or its id if it is unknown.
func (d jobsData) RuleName(id laurel.ID) string { return nameOrID(d.Rules, id) }

// CurrencyName returns the name of a currency.
func (d jobsData) CurrencyName(id laurel.ID) string { return nameOrID(d.Currencies, id) }

// jobsPage shows a page of background jobs of the tab that the query names.
func jobsPage(c *request) (view, error) {
	data := c.readJobTab()
	page, err := c.pageRequest()
	if err != nil {
		return view{}, err
	}
	more, last, err := data.Tab.list(c, &data, page)
	if err != nil {
		return view{}, err
	}
	data.Pager = c.pager(page, more, last)
	return pageView("jobs", "Jobs and payouts: "+data.Tab.Label, data)
}

// readJobTab returns the tab of jobs that the query names, or the first one, and the status that the list is filtered
// by. A status that the tab does not have is ignored.
func (c *request) readJobTab() jobsData {
	data := jobsData{Tabs: jobTabs, Tab: jobTabs[0], Status: c.URL.Query().Get("status")}
	for _, tab := range jobTabs {
		if tab.Name == c.URL.Query().Get("tab") {
			data.Tab = tab
		}
	}
	if !slices.Contains(data.Tab.States, data.Status) {
		data.Status = ""
	}
	return data
}

// statuses are the states that a list is narrowed to.
func (d *jobsData) statuses() []string {
	if d.Status == "" {
		return nil
	}
	return []string{d.Status}
}

// listRuns reads a page of runs of rules into data. It returns whether there are more, and the last id of the page.
func listRuns(c *request, data *jobsData, page laurel.PageRequest) (bool, laurel.ID, error) {
	list, err := c.d.Schedule.List(c.Context(), c.scope, schedule.Filter{}, page)
	if err != nil {
		return false, laurel.ID{}, err
	}
	data.Runs = list.Data
	data.Rules, err = c.ruleNames(uniqueIDs(list.Data, func(r schedule.Run) laurel.ID { return r.RuleID }))
	return list.HasNextPage, lastID(list, func(r schedule.Run) laurel.ID { return r.ID }), err
}

// listResets reads a page of resets of currencies and debits of deleted rules into data. It returns whether there are
// more, and the last id of the page.
func listResets(c *request, data *jobsData, page laurel.PageRequest) (bool, laurel.ID, error) {
	list, err := c.d.Reset.List(c.Context(), c.scope, reset.Filter{Status: data.Status}, page)
	if err != nil {
		return false, laurel.ID{}, err
	}
	data.Clearings = list.Data
	if err := c.readResetNames(data, list.Data...); err != nil {
		return false, laurel.ID{}, err
	}
	return list.HasNextPage, lastID(list, func(j reset.Job) laurel.ID { return j.ID }), nil
}

// readResetNames reads the names of the rules and currencies of resets into data.
func (c *request) readResetNames(data *jobsData, list ...reset.Job) (err error) {
	data.Rules, err = c.ruleNames(uniqueIDs(list, func(j reset.Job) laurel.ID { return j.RuleID }))
	if err == nil {
		data.Currencies, err = c.currencyNames(uniqueIDs(list, func(j reset.Job) laurel.ID { return j.CurrencyID }))
	}
	return err
}

// listImports reads a page of imports of lists into data, with the names of the rules and badges that the lists belong
// to. It returns whether there are more, and the last id of the page.
func listImports(c *request, data *jobsData, page laurel.PageRequest) (bool, laurel.ID, error) {
	anyOwner := laurel.ID{}
	list, err := c.d.Lists.ListImports(c.Context(), c.scope, anyOwner, page)
	if err != nil {
		return false, laurel.ID{}, err
	}
	data.Imports = list.Data
	owners := uniqueIDs(list.Data, func(i lists.Import) laurel.ID { return i.Owner.ID })
	if data.Badges, err = c.d.Report.BadgeNames(c.Context(), c.scope, owners); err != nil {
		return false, laurel.ID{}, err
	}
	data.Rules, err = c.ruleNames(owners)
	return list.HasNextPage, lastID(list, func(i lists.Import) laurel.ID { return i.ID }), err
}

// listPayouts reads a page of payouts into data, with the names of the rules and badges that owe them. It returns
// whether there are more, and the last id of the page.
func listPayouts(c *request, data *jobsData, page laurel.PageRequest) (bool, laurel.ID, error) {
	list, err := c.d.Payouts.List(c.Context(), c.scope, payouts.Filter{Statuses: data.statuses()}, page)
	if err != nil {
		return false, laurel.ID{}, err
	}
	data.Payouts = list.Data
	badges := uniqueIDs(list.Data, func(p payouts.Payout) laurel.ID { return p.BadgeID })
	if data.Badges, err = c.d.Report.BadgeNames(c.Context(), c.scope, badges); err != nil {
		return false, laurel.ID{}, err
	}
	data.Rules, err = c.ruleNames(uniqueIDs(list.Data, func(p payouts.Payout) laurel.ID { return p.RuleID }))
	return list.HasNextPage, lastID(list, func(p payouts.Payout) laurel.ID { return p.ID }), err
}

// listPosts reads a page of posts to the external ledger of one currency into data: the currency in the query, or the
// first one with an external ledger. It returns whether there are more posts, and the last id of the page.
func listPosts(c *request, data *jobsData, page laurel.PageRequest) (bool, laurel.ID, error) {
	currencies, err := c.d.Ledger.ListCurrencies(
		c.Context(), c.scope, ledger.CurrencyFilter{WithDeleted: true}, laurel.PageRequest{Limit: maxCurrencies})
	if err != nil {
		return false, laurel.ID{}, err
	}
	for _, currency := range currencies.Data {
		if currency.API.PostURL == nil {
			continue
		}
		data.ExternalCurrencies = append(data.ExternalCurrencies, currency)
		if len(data.ExternalCurrencies) == 1 || currency.ID.String() == c.URL.Query().Get("currency") {
			data.Currency = currency.ID
		}
	}
	if len(data.ExternalCurrencies) == 0 {
		return false, laurel.ID{}, nil
	}
	filter := external.Filter{CurrencyID: data.Currency, Statuses: data.statuses()}
	list, err := c.d.External.List(c.Context(), c.scope, filter, page)
	data.Posts = list.Data
	return list.HasNextPage, lastID(list, func(p external.Post) laurel.ID { return p.ID }), err
}

// maxCurrencies bounds the choice of currencies. Websites have a few.
const maxCurrencies = 100

// resetJobPage shows the progress of a reset or debit. Its card refreshes itself until the job has ended.
func resetJobPage(c *request) (view, error) {
	id, err := c.pathID("job", "Job")
	if err != nil {
		return view{}, err
	}
	var data jobsData
	if data.Job, err = c.d.Reset.Job(c.Context(), c.scope, id); err != nil {
		return view{}, err
	}
	if err := c.readResetNames(&data, data.Job); err != nil {
		return view{}, err
	}
	return pageView("clearing", resetKindLabels[data.Job.Kind], data)
}

// resetKindLabels are the labels of the kinds of resets.
var resetKindLabels = map[reset.Kind]string{
	reset.ResetBalances:  "Balance reset",
	reset.ResetKeepRules: "Balance and progress reset",
	reset.ResetAndRules:  "Balance, progress and rule reset",
	reset.RuleDebit:      "Debit for a deleted rule",
}

// importKinds are the labels of the kinds of lists.
var importKinds = map[lists.Kind]string{
	lists.KindAllotment: "Rule members", lists.KindCodes: "Codes", lists.KindRewards: "Rewards per token",
	lists.KindCondition: "Condition members",
}

// stateNames are the labels of job statuses that differ from the status itself.
var stateNames = map[string]string{
	external.Open: "In progress", reset.Processing: "In progress", schedule.Pending: "Pending",
}

func stateName(state string) string {
	if name, other := stateNames[state]; other {
		return name
	}
	return sentence(state)
}

// retryPayout sends a payout to the operator's payout driver again.
func retryPayout(c *request) (view, error) {
	id, err := c.pathID("payout", "Payout")
	if err == nil {
		_, err = c.d.Payouts.Retry(c.Context(), c.scope, id)
	}
	if err != nil {
		return view{}, err
	}
	return c.redirect(c.sitePath("jobs", "?tab=payouts"), "The payout is being retried with the same ID.")
}

// retryPost sends a post to the external ledger now, instead of at its next attempt. A post that has ended is refused.
func retryPost(c *request) (view, error) {
	id, err := c.pathID("post", "Post")
	if err != nil {
		return view{}, err
	}
	post, err := c.d.External.Retry(c.Context(), c.scope, id)
	if err != nil {
		return view{}, err
	}
	return c.redirect(c.sitePath("jobs", "?tab=posts&currency="+post.CurrencyID.String()), "The request is being retried now.")
}
