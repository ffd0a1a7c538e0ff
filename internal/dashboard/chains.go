package dashboard

import (
	"cmp"
	"fmt"
	"strings"

	"laurel"
	"laurel/internal/admins"
	"laurel/internal/engagement/conditions"
	"laurel/internal/report"
)

var chainRoutes = []route{
	{onWebsite, admins.SeeProgram, "chains", get, "/chains", chainsPage},
	{onWebsite, admins.SeeProgram, "chains", get, "/chains/chains.csv", exportChains},
	{onWebsite, admins.ChangeProgram, "chains", get, "/chains/new", newChainPage},
	{onWebsite, admins.ChangeProgram, "chains", post, "/chains", idempotent(createChain)},
	{onWebsite, admins.ChangeProgram, "chains", get, "/chains/{chain}/delete", confirmDeleteChain},
	{onWebsite, admins.ChangeProgram, "chains", post, "/chains/{chain}/delete", deleteChain},
	{onWebsite, admins.SeeProgram, "rules", get, "/rules/{rule}/chains", ruleChainsPage},
}

// chainItem is a chain with its conditions in words.
type chainItem struct {
	report.Chain
	Rule       string // the name of the rule that is locked
	Conditions []conditionText
}

// conditionText is a condition in words.
type conditionText struct{ Text, Note string }

type chainsData struct {
	Chains []chainItem
	Pager  pager
}

// listChains lists chains, only those of the rule that the address names, if it names one.
func (c *request) listChains(page laurel.PageRequest) (laurel.Page[report.Chain], error) {
	var f report.ChainFilter
	if rule, err := laurel.ParseID(c.URL.Query().Get("rule")); err == nil {
		f.RuleIDs = []laurel.ID{rule}
	}
	return c.d.Report.Chains(c.Context(), c.scope, f, page)
}

func chainID(c report.Chain) laurel.ID { return c.ID }

// chainsPage lists chains.
func chainsPage(c *request) (view, error) {
	page, err := c.pageRequest()
	if err != nil {
		return view{}, err
	}
	list, err := c.listChains(page)
	if err != nil {
		return view{}, err
	}
	data := chainsData{Pager: c.pager(page, list.HasNextPage, lastID(list, chainID))}
	if data.Chains, err = c.chainItems(list.Data); err != nil {
		return view{}, err
	}
	return pageView("chains", "Chains", data)
}

// chainItems adds to each chain the name of the locked rule and the conditions in words.
func (c *request) chainItems(list []report.Chain) ([]chainItem, error) {
	allConditions := []conditions.Condition{}
	for _, chain := range list { // the locked rules are named like those that conditions ask for
		locked := conditions.Condition{Targets: []conditions.Target{{RuleID: chain.RuleID}}}
		allConditions = append(append(allConditions, chain.Conditions...), locked)
	}
	things, err := c.d.Report.NamesOf(c.Context(), c.scope, allConditions)
	if err != nil {
		return nil, err
	}
	names, err := c.readNames()
	if err != nil {
		return nil, err
	}
	out := []chainItem{}
	for _, chain := range list {
		item := chainItem{Chain: chain, Rule: cmp.Or(things.Rules[chain.RuleID], "A deleted rule")}
		for _, k := range chain.Conditions {
			item.Conditions = append(item.Conditions, conditionText{describeCondition(k, things, names), k.Description})
		}
		out = append(out, item)
	}
	return out, nil
}

// exportChains exports the chains as CSV, with a row for each condition.
func exportChains(c *request) (view, error) {
	rows := func(list []report.Chain) ([][]string, error) {
		items, err := c.chainItems(list)
		var out [][]string
		for _, i := range items {
			for _, line := range i.Conditions {
				out = append(out, []string{
					idCell(i.ID), i.Name, idCell(i.RuleID), i.Rule, i.Operator, line.Text, line.Note, timeCell(i.CreatedAt()),
				})
			}
		}
		return out, err
	}
	head := []string{"id", "name", "ruleId", "rule", "operator", "condition", "description", "made"}
	return c.exportCSV(sheet{"chains.csv", head, pagedRows(c.listChains, chainID, rows)})
}

// describeCondition writes a condition in words, with the names of the things that it refers to.
func describeCondition(k conditions.Condition, things report.Names, names *websiteNames) string {
	var targets []string
	for _, t := range k.Targets {
		switch {
		case !t.RuleID.IsZero():
			targets = append(targets, cmp.Or(things.Rules[t.RuleID], "a deleted rule"))
		case !t.GroupID.IsZero():
			targets = append(targets, cmp.Or(names.groups[t.GroupID], "a deleted group"))
		case !t.CurrencyID.IsZero():
			targets = append(targets, cmp.Or(things.Currencies[t.CurrencyID], names.currencies[t.CurrencyID], "a deleted currency"))
		case !t.BadgeID.IsZero():
			targets = append(targets, cmp.Or(things.Badges[t.BadgeID], "a deleted badge"))
		}
	}
	all := strings.Join(targets, ", ")
	many := "All"
	if k.RequiredCount != nil {
		many = fmt.Sprint("At least ", *k.RequiredCount)
	}
	switch k.Type {
	case conditions.Rule:
		if k.RepeatCount > 1 {
			return fmt.Sprintf("Completed %s %s times", all, number(k.RepeatCount))
		}
		return "Completed " + all
	case conditions.Rules:
		return many + " completed from: " + all
	case conditions.Section:
		return many + " completed from the group " + all
	case conditions.Points:
		return fmt.Sprintf("At least %s %s", number(k.Amount), all)
	case conditions.Level:
		return fmt.Sprintf("Rank %s or better in %s", number(k.Amount), all)
	case conditions.Badge:
		return "Has the badge " + all
	case conditions.Badges:
		return many + " held from these badges: " + all
	case conditions.CSV:
		return "Is on a list"
	}
	return "Confirmed by your server"
}
