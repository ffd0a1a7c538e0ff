package rules

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/dashboard/parts"
	"laurel.example/laurel/internal/dashboard/web"
	"laurel.example/laurel/internal/report"
	"laurel.example/laurel/internal/rules/schedule"
	"laurel.example/laurel/internal/rules/schema"
)

type runsData struct {
	ruleHead
	Runs  []schedule.Run
	Pager web.Pager
}

type runData struct {
	ruleHead
	Run   schedule.Run
	Found []foundRow
	Pager web.Pager
}

// foundRow is an entry that a run has made for a member.
type foundRow struct {
	parts.EntryRow
	Paid   laurel.Amount // what was credited, or is held
	Held   bool          // it is not credited yet
	Found  string        // what the run found of the member, such as 3 tokens; "": its metadata does not say
	Blocks []string      // where it was read
}

// readRunRule reads the rule of the path. A rule whose type has no runs is not found.
func (c *call) readRunRule() (ruleHead, error) {
	head, err := c.readRuleHead()
	if err == nil && !head.Kind.Scheduled {
		err = laurel.Missing("Page")
	}
	return head, err
}

// ruleRunsPage shows a page of the runs of a rule, the latest scheduled first.
func ruleRunsPage(c *call) (web.View, error) {
	head, err := c.readRunRule()
	if err != nil {
		return web.View{}, err
	}
	page, err := c.PageRequest()
	if err != nil {
		return web.View{}, err
	}
	page.Limit = web.SideListLimit
	list, err := c.runsOf(head)(page)
	if err != nil {
		return web.View{}, err
	}
	data := runsData{
		ruleHead: head, Runs: list.Data, Pager: c.Pager(page, list.HasNextPage, web.LastID(list, idOfRun)),
	}
	return web.Show("rule-runs", head.Rule.Name+", runs", data)
}

func idOfRun(r schedule.Run) laurel.ID { return r.ID }

func (c *call) runsOf(head ruleHead) func(laurel.PageRequest) (laurel.Page[schedule.Run], error) {
	return func(page laurel.PageRequest) (laurel.Page[schedule.Run], error) {
		return c.Schedule.List(c.Context(), c.Scope, schedule.Filter{RuleID: head.Rule.ID}, page)
	}
}

// exportRuleRuns exports the runs of a rule as CSV.
func exportRuleRuns(c *call) (web.View, error) {
	head, err := c.readRunRule()
	if err != nil {
		return web.View{}, err
	}
	columns := []string{
		"id", "scheduled", "status", "message", "evaluated", "rewarded", "refused", "failed", "started", "finished",
	}
	return web.ExportCSV("runs.csv", columns, web.PagedRows(c.runsOf(head), idOfRun, web.CellsOfEach(
		func(r schedule.Run) []string {
			return []string{
				web.IdCell(r.ID), web.TimeCell(r.ScheduledAt), r.Status, r.Message,
				strconv.FormatInt(r.Evaluated, 10), strconv.Itoa(r.Rewarded), strconv.Itoa(r.Refused), strconv.Itoa(r.Failed),
				web.TimeCell(r.StartedAt), web.TimeCell(r.FinishedAt),
			}
		})))
}

// readRun reads the run of the path, with its rule.
func (c *call) readRun() (data runData, err error) {
	if data.ruleHead, err = c.readRunRule(); err != nil {
		return data, err
	}
	id, err := c.PathID("run", "Page")
	if err != nil {
		return data, err
	}
	filter := schedule.Filter{RuleID: data.Rule.ID, ID: id}
	found, err := c.Schedule.List(c.Context(), c.Scope, filter, laurel.PageRequest{Limit: 1})
	if err == nil && len(found.Data) == 0 {
		err = laurel.Missing("Page")
	}
	if err != nil {
		return data, err
	}
	data.Run = found.Data[0]
	return data, nil
}

// entriesOf returns the entries that a run has made: those of its rule between its start and its end, without points of
// an earlier run that were held and are credited in that time. If members claim what a run finds, it has made none, and
// claims may come while it is under way.
func (c *call) entriesOf(d runData) func(laurel.PageRequest) (laurel.Page[report.Entry], error) {
	return func(page laurel.PageRequest) (laurel.Page[report.Entry], error) {
		isClaimed := d.Rule.IsClaimedByCall() && d.Rule.Type != schema.TypeReferredUser // whose shares are paid at once
		if d.Run.StartedAt.IsZero() || isClaimed {
			return laurel.Page[report.Entry]{}, nil
		}
		filter := report.EntryFilter{
			RuleIDs: []laurel.ID{d.Rule.ID}, Start: d.Run.StartedAt, Completions: true, Visibility: c.Visibility(),
		}
		if end := d.Run.FinishedAt; !end.IsZero() {
			filter.End = end.Add(time.Microsecond)
		}
		return c.Report.Entries(c.Context(), c.Scope.At(c.Site.ID), filter, page)
	}
}

// ruleRunPage shows whom a run has paid, what it has found of them, and what each was paid.
func ruleRunPage(c *call) (web.View, error) {
	data, err := c.readRun()
	if err != nil {
		return web.View{}, err
	}
	page, err := c.PageRequest()
	if err != nil {
		return web.View{}, err
	}
	page.Limit = web.SideListLimit
	list, err := c.entriesOf(data)(page)
	if err != nil {
		return web.View{}, err
	}
	data.Pager = c.Pager(page, list.HasNextPage, web.LastID(list, idOfEntry))
	if data.Found, err = c.foundRows(data.Rule.Type, list.Data); err != nil {
		return web.View{}, err
	}
	return web.Show("rule-run", data.Rule.Name+", run", data)
}

func idOfEntry(e report.Entry) laurel.ID { return e.ID }

// exportRuleRun exports whom a run has paid as CSV.
func exportRuleRun(c *call) (web.View, error) {
	data, err := c.readRun()
	if err != nil {
		return web.View{}, err
	}
	columns := []string{"userId", "walletAddress", "found", "blocks", "amount", "held", "loyaltyTransactionId", "time"}
	cells := func(list []report.Entry) ([][]string, error) {
		rows, err := c.foundRows(data.Rule.Type, list)
		return web.CellRows(rows, func(r foundRow) []string {
			return []string{
				web.IdCell(r.UserID), r.Who.Wallet, r.Found, strings.Join(r.Blocks, ", "), r.Paid.String(),
				strconv.FormatBool(r.Held), web.IdCell(r.TransactionID), web.TimeCell(r.CreatedAt()),
			}
		}), err
	}
	return web.ExportCSV("run.csv", columns, web.PagedRows(c.entriesOf(data), idOfEntry, cells))
}

// foundRows adds to the entries of a run of a rule of a type what it has found of their members.
func (c *call) foundRows(kind schema.Type, list []report.Entry) ([]foundRow, error) {
	currencies, err := c.ReadCurrencies()
	if err != nil {
		return nil, err
	}
	rows, err := c.EntryRows(list, currencies)
	out := make([]foundRow, len(rows))
	for i, r := range rows {
		out[i] = foundRow{EntryRow: r, Paid: r.Amount}
		var about foundMetadata
		if json.Unmarshal(r.Metadata(), &about) != nil {
			continue
		}
		if about.Waiting != nil {
			out[i].Paid, out[i].Held = *about.Waiting, true
		}
		out[i].Found, out[i].Blocks = about.text(kind), about.places()
	}
	return out, err
}

// foundMetadata is what the entries of rules about blockchains say about the findings of a run.
type foundMetadata struct {
	Waiting *laurel.Amount             `json:"waitingAmount"`
	Held    *laurel.Amount             `json:"held"`
	Count   *laurel.Amount             `json:"count"`
	Value   *laurel.Amount             `json:"value"`
	Dollars *laurel.Amount             `json:"dollars"`
	Blocks  map[string]json.RawMessage `json:"blocks"`
}

// text returns what a rule of a type has found, in words; "" if nothing says it.
func (m foundMetadata) text(kind schema.Type) string {
	counted, manyCounted := "token", "tokens"
	if kind == schema.TypeGovernanceVote {
		counted, manyCounted = "proposal", "proposals"
	}
	for _, one := range []struct {
		number     *laurel.Amount
		name, many string
	}{
		{m.Held, "token", "tokens"}, {m.Count, counted, manyCounted}, {m.Dollars, "dollar", "dollars"},
		{m.Value, "in value", "in value"},
	} {
		switch {
		case one.number == nil:
		case *one.number == laurel.One:
			return "1 " + one.name
		default:
			return web.Number(*one.number) + " " + one.many
		}
	}
	return ""
}

// places returns the networks that were read, each with its block or the first and the last one.
func (m foundMetadata) places() (out []string) {
	for name, at := range m.Blocks {
		var one uint64
		var blocks struct{ From, To uint64 }
		if json.Unmarshal(at, &one) == nil {
			out = append(out, name+", block "+strconv.FormatUint(one, 10))
		} else if json.Unmarshal(at, &blocks) == nil {
			out = append(out, name+", blocks "+strconv.FormatUint(blocks.From, 10)+" to "+strconv.FormatUint(blocks.To, 10))
		}
	}
	slices.Sort(out)
	return out
}
