package ledger

import (
	"slices"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/admins"
	"laurel.example/laurel/internal/dashboard/parts"
	"laurel.example/laurel/internal/dashboard/web"
	"laurel.example/laurel/internal/points/external"
	"laurel.example/laurel/internal/points/ledger"
	"laurel.example/laurel/internal/points/payouts"
	"laurel.example/laurel/internal/rules/completionjobs"
	"laurel.example/laurel/internal/rules/lists"
	"laurel.example/laurel/internal/rules/reset"
	"laurel.example/laurel/internal/rules/schedule"
)

var jobRoutes = []route{
	web.Get("/jobs", admins.SeeJobs, "jobs", jobsPage),
	web.Get("/jobs/jobs.csv", admins.SeeJobs, "jobs", exportJobs),
	web.Get("/jobs/clearings/{job}", admins.SeeJobs, "jobs", resetJobPage),
	web.Post("/jobs/payouts/{payout}/retry", admins.ChangeJobs, "jobs", "retried a payout", retryPayout),
	web.Post("/jobs/posts/{post}/retry", admins.ChangeJobs, "jobs",
		"retried a request to an external ledger", retryPost),
}

// jobTab is a list of work in the background.
type jobTab struct {
	Name, Label string
	States      []string // to filter by; none: it is not filtered
	list        func(c *call, data *jobsData, page laurel.PageRequest) (more bool, last laurel.ID, err error)
}

// jobTabs are the lists. The first one is shown where the address names none.
var jobTabs = []jobTab{
	{"runs", "Rule runs", nil, listRuns},
	{"completions", "Verifications", completionjobs.Statuses(), listCompletionJobs},
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
	Pager  web.Pager

	Runs        []schedule.Run
	Completions []completionjobs.Job
	Members     map[laurel.ID]parts.Person // of the completions
	Clearings   []reset.Job
	Imports     []lists.Import
	Payouts     []payouts.Payout
	Posts       []external.Post

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
	return parts.NameOrID(d.Badges, i.Owner.ID)
}

// PayoutSource returns the name of the rule or badge that owes a payout.
func (d jobsData) PayoutSource(p payouts.Payout) string {
	if p.RuleID.IsZero() {
		return parts.NameOrID(d.Badges, p.BadgeID.ID)
	}
	return d.RuleName(p.RuleID.ID)
}

// RuleName returns the name of a rule, or its id if it is unknown.
func (d jobsData) RuleName(id laurel.ID) string { return parts.NameOrID(d.Rules, id) }

// CurrencyName returns the name of a currency.
func (d jobsData) CurrencyName(id laurel.ID) string { return parts.NameOrID(d.Currencies, id) }

// jobsPage shows a page of background jobs of the tab that the query names.
func jobsPage(c *call) (web.View, error) {
	data := c.readJobTab()
	page, err := c.PageRequest()
	if err != nil {
		return web.View{}, err
	}
	more, last, err := data.Tab.list(c, &data, page)
	if err != nil {
		return web.View{}, err
	}
	data.Pager = c.Pager(page, more, last)
	return web.Show("jobs", "Jobs and payouts: "+data.Tab.Label, data)
}

// readJobTab returns the tab of jobs that the query names, or the first one, and the status that the list is filtered
// by. A status that the tab does not have is ignored.
func (c *call) readJobTab() jobsData {
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
func listRuns(c *call, data *jobsData, page laurel.PageRequest) (bool, laurel.ID, error) {
	list, err := c.Schedule.List(c.Context(), c.Scope, schedule.Filter{}, page)
	if err != nil {
		return false, laurel.ID{}, err
	}
	data.Runs = list.Data
	data.Rules, err = c.RuleNames(web.UniqueIDs(list.Data, func(r schedule.Run) laurel.ID { return r.RuleID }))
	return list.HasNextPage, web.LastID(list, func(r schedule.Run) laurel.ID { return r.ID }), err
}

// listCompletionJobs reads a page of completions that are decided later into data, with their rules and members. It
// returns whether there are more, and the last id of the page.
func listCompletionJobs(c *call, data *jobsData, page laurel.PageRequest) (bool, laurel.ID, error) {
	list, err := c.CompletionJobs.List(c.Context(), c.Scope, completionjobs.Filter{Status: data.Status}, page)
	if err != nil {
		return false, laurel.ID{}, err
	}
	data.Completions = list.Data
	members := web.UniqueIDs(list.Data, func(j completionjobs.Job) laurel.ID { return j.UserID })
	if data.Members, err = c.ReadPeople(members); err != nil {
		return false, laurel.ID{}, err
	}
	data.Rules, err = c.RuleNames(web.UniqueIDs(list.Data, func(j completionjobs.Job) laurel.ID { return j.RuleID }))
	return list.HasNextPage, web.LastID(list, func(j completionjobs.Job) laurel.ID { return j.ID }), err
}

// listResets reads a page of resets of currencies and debits of deleted rules into data. It returns whether there are
// more, and the last id of the page.
func listResets(c *call, data *jobsData, page laurel.PageRequest) (bool, laurel.ID, error) {
	list, err := c.Reset.List(c.Context(), c.Scope, reset.Filter{Status: data.Status}, page)
	if err != nil {
		return false, laurel.ID{}, err
	}
	data.Clearings = list.Data
	if err := c.readResetNames(data, list.Data...); err != nil {
		return false, laurel.ID{}, err
	}
	return list.HasNextPage, web.LastID(list, func(j reset.Job) laurel.ID { return j.ID }), nil
}

// readResetNames reads the names of the rules and currencies of resets into data.
func (c *call) readResetNames(data *jobsData, list ...reset.Job) (err error) {
	data.Rules, err = c.RuleNames(web.UniqueIDs(list, func(j reset.Job) laurel.ID { return j.RuleID }))
	if err == nil {
		data.Currencies, err = c.CurrencyNames(web.UniqueIDs(list, func(j reset.Job) laurel.ID { return j.CurrencyID }))
	}
	return err
}

// listImports reads a page of imports of lists into data, with the names of the rules and badges that the lists belong
// to. It returns whether there are more, and the last id of the page.
func listImports(c *call, data *jobsData, page laurel.PageRequest) (bool, laurel.ID, error) {
	anyOwner := laurel.ID{}
	list, err := c.Lists.ListImports(c.Context(), c.Scope, anyOwner, page)
	if err != nil {
		return false, laurel.ID{}, err
	}
	data.Imports = list.Data
	owners := web.UniqueIDs(list.Data, func(i lists.Import) laurel.ID { return i.Owner.ID })
	if data.Badges, err = c.Report.BadgeNames(c.Context(), c.Scope, owners); err != nil {
		return false, laurel.ID{}, err
	}
	data.Rules, err = c.RuleNames(owners)
	return list.HasNextPage, web.LastID(list, func(i lists.Import) laurel.ID { return i.ID }), err
}

// listPayouts reads a page of payouts into data, with the names of the rules and badges that owe them. It returns
// whether there are more, and the last id of the page.
func listPayouts(c *call, data *jobsData, page laurel.PageRequest) (bool, laurel.ID, error) {
	list, err := c.Payouts.List(c.Context(), c.Scope, payouts.Filter{Statuses: data.statuses()}, page)
	if err != nil {
		return false, laurel.ID{}, err
	}
	data.Payouts = list.Data
	badges := web.UniqueIDs(list.Data, func(p payouts.Payout) laurel.ID { return p.BadgeID.ID })
	if data.Badges, err = c.Report.BadgeNames(c.Context(), c.Scope, badges); err != nil {
		return false, laurel.ID{}, err
	}
	data.Rules, err = c.RuleNames(web.UniqueIDs(list.Data, func(p payouts.Payout) laurel.ID { return p.RuleID.ID }))
	return list.HasNextPage, web.LastID(list, func(p payouts.Payout) laurel.ID { return p.ID }), err
}

// listPosts reads a page of posts to the external ledger of one currency into data: the currency in the query, or the
// first one with an external ledger. It returns whether there are more posts, and the last id of the page.
func listPosts(c *call, data *jobsData, page laurel.PageRequest) (bool, laurel.ID, error) {
	currencies, err := c.Ledger.ListCurrencies(
		c.Context(), c.Scope, ledger.CurrencyFilter{WithDeleted: true}, laurel.PageRequest{Limit: parts.MaxCurrencies})
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
	list, err := c.External.List(c.Context(), c.Scope, filter, page)
	data.Posts = list.Data
	return list.HasNextPage, web.LastID(list, func(p external.Post) laurel.ID { return p.ID }), err
}

// resetJobPage shows the progress of a reset or debit. Its card refreshes itself until the job has ended.
func resetJobPage(c *call) (web.View, error) {
	id, err := c.PathID("job", "Job")
	if err != nil {
		return web.View{}, err
	}
	var data jobsData
	if data.Job, err = c.Reset.Job(c.Context(), c.Scope, id); err != nil {
		return web.View{}, err
	}
	if err := c.readResetNames(&data, data.Job); err != nil {
		return web.View{}, err
	}
	return web.Show("clearing", resetKindLabels[data.Job.Kind], data)
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
	return web.Sentence(state)
}

// retryPayout sends a payout to the operator's payout driver again.
func retryPayout(c *call) (web.View, error) {
	id, err := c.PathID("payout", "Payout")
	if err == nil {
		_, err = c.Payouts.Retry(c.Context(), c.Scope, id)
	}
	if err != nil {
		return web.View{}, err
	}
	return c.Redirect(c.SitePath("jobs", "?tab=payouts"), "The payout is being retried with the same ID.")
}

// retryPost sends a post to the external ledger now, instead of at its next attempt. A post that has ended is refused.
func retryPost(c *call) (web.View, error) {
	id, err := c.PathID("post", "Post")
	if err != nil {
		return web.View{}, err
	}
	post, err := c.External.Retry(c.Context(), c.Scope, id)
	if err != nil {
		return web.View{}, err
	}
	return c.Redirect(c.SitePath("jobs", "?tab=posts&currency="+post.CurrencyID.String()), "The request is being retried now.")
}
