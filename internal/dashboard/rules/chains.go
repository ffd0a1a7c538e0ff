package rules

import (
	"cmp"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/admins"
	"laurel.example/laurel/internal/dashboard/parts"
	"laurel.example/laurel/internal/dashboard/web"
	"laurel.example/laurel/internal/engagement/conditions"
	"laurel.example/laurel/internal/report"
	"laurel.example/laurel/internal/rules/chains"
)

var chainRoutes = []route{
	web.Get("/chains", admins.SeeProgram, "chains", chainsPage),
	web.Get("/chains/chains.csv", admins.SeeProgram, "chains", exportChains),
	web.Get("/chains/new", admins.ChangeProgram, "chains", newChainPage),
	web.Post("/chains", admins.ChangeProgram, "chains", "created a chain", web.Idempotent(createChain)),
	web.Get("/chains/{chain}/delete", admins.ChangeProgram, "chains", confirmDeleteChain),
	web.Post("/chains/{chain}/delete", admins.ChangeProgram, "chains", "deleted a chain", deleteChain),
	web.Get("/rules/{rule}/chains", admins.SeeProgram, "rules", ruleChainsPage),
}

// chainItem is a chain with its conditions in words.
type chainItem struct {
	chains.Chain
	Rule       string // the name of the rule that is locked
	Conditions []parts.ConditionText
}

type chainsData struct {
	Chains []chainItem
	Pager  web.Pager
}

// listChains lists a page of chains: those that lock the rule in the query, or all if there is no valid rule id.
func (c *call) listChains(page laurel.PageRequest) (laurel.Page[chains.Chain], error) {
	var f report.ChainFilter
	if rule, err := laurel.ParseID(c.URL.Query().Get("rule")); err == nil {
		f.RuleIDs = []laurel.ID{rule}
	}
	return c.Report.Chains(c.Context(), c.Scope, f, page)
}

func chainID(c chains.Chain) laurel.ID { return c.ID }

// chainsPage shows a page of the website's chains.
func chainsPage(c *call) (web.View, error) {
	page, err := c.PageRequest()
	if err != nil {
		return web.View{}, err
	}
	list, err := c.listChains(page)
	if err != nil {
		return web.View{}, err
	}
	data := chainsData{Pager: c.Pager(page, list.HasNextPage, web.LastID(list, chainID))}
	if data.Chains, err = c.chainItems(list.Data); err != nil {
		return web.View{}, err
	}
	return web.Show("chains", "Chains", data)
}

// chainItems adds to each chain the name of the locked rule and the conditions in words.
func (c *call) chainItems(list []chains.Chain) ([]chainItem, error) {
	allConditions := []conditions.Condition{}
	for _, chain := range list { // NamesOf takes conditions: the one made here is for the name of the locked rule
		locked := conditions.Condition{Targets: []conditions.Target{{RuleID: chain.RuleID}}}
		allConditions = append(append(allConditions, chain.Conditions...), locked)
	}
	targets, err := c.Report.NamesOf(c.Context(), c.Scope, allConditions)
	if err != nil {
		return nil, err
	}
	names, err := c.ReadNames()
	if err != nil {
		return nil, err
	}
	out := []chainItem{}
	for _, chain := range list {
		item := chainItem{Chain: chain, Rule: cmp.Or(targets.Rules[chain.RuleID], "A deleted rule")}
		for _, condition := range chain.Conditions {
			text := parts.DescribeCondition(condition, targets, names)
			item.Conditions = append(item.Conditions, parts.ConditionText{Text: text, Note: condition.Description})
		}
		out = append(out, item)
	}
	return out, nil
}

// exportChains exports the chains as CSV, with a row for each condition.
func exportChains(c *call) (web.View, error) {
	rows := func(list []chains.Chain) ([][]string, error) {
		items, err := c.chainItems(list)
		var out [][]string
		for _, item := range items {
			for _, line := range item.Conditions {
				out = append(out, []string{
					web.IdCell(item.ID), item.Name, web.IdCell(item.RuleID), item.Rule, item.Operator, line.Text, line.Note,
					web.TimeCell(item.CreatedAt.Time),
				})
			}
		}
		return out, err
	}
	head := []string{"id", "name", "ruleId", "rule", "operator", "condition", "description", "made"}
	return web.ExportCSV("chains.csv", head, web.PagedRows(c.listChains, chainID, rows))
}
