package dashboard

import (
	"cmp"
	"fmt"
	"strings"

	"laurel"
	"laurel/internal/admins"
	"laurel/internal/engagement/conditions"
	"laurel/internal/report"
	"laurel/internal/rules/chains"
)

var chainRoutes = []route{
	get("/chains", admins.SeeProgram, "chains", chainsPage),
	get("/chains/chains.csv", admins.SeeProgram, "chains", exportChains),
	get("/chains/new", admins.ChangeProgram, "chains", newChainPage),
	post("/chains", admins.ChangeProgram, "chains", "created a chain", idempotent(createChain)),
	get("/chains/{chain}/delete", admins.ChangeProgram, "chains", confirmDeleteChain),
	post("/chains/{chain}/delete", admins.ChangeProgram, "chains", "deleted a chain", deleteChain),
	get("/rules/{rule}/chains", admins.SeeProgram, "rules", ruleChainsPage),
}

// chainItem is a chain with its conditions in words.
type chainItem struct {
	chains.Chain
	Rule       string // the name of the rule that is locked
	Conditions []conditionText
}

// conditionText is a condition in words.
type conditionText struct{ Text, Note string }

type chainsData struct {
	Chains []chainItem
	Pager  pager
}

// listChains lists a page of chains: those that lock the rule in the query, or all if there is no valid rule id.
func (c *request) listChains(page laurel.PageRequest) (laurel.Page[chains.Chain], error) {
	var f report.ChainFilter
	if rule, err := laurel.ParseID(c.URL.Query().Get("rule")); err == nil {
		f.RuleIDs = []laurel.ID{rule}
	}
	return c.d.Report.Chains(c.Context(), c.scope, f, page)
}

func chainID(c chains.Chain) laurel.ID { return c.ID }

// chainsPage shows a page of the website's chains.
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
func (c *request) chainItems(list []chains.Chain) ([]chainItem, error) {
	allConditions := []conditions.Condition{}
	for _, chain := range list { // NamesOf takes conditions: the one made here is for the name of the locked rule
		locked := conditions.Condition{Targets: []conditions.Target{{RuleID: chain.RuleID}}}
		allConditions = append(append(allConditions, chain.Conditions...), locked)
	}
	targets, err := c.d.Report.NamesOf(c.Context(), c.scope, allConditions)
	if err != nil {
		return nil, err
	}
	names, err := c.readNames()
	if err != nil {
		return nil, err
	}
	out := []chainItem{}
	for _, chain := range list {
		item := chainItem{Chain: chain, Rule: cmp.Or(targets.Rules[chain.RuleID], "A deleted rule")}
		for _, condition := range chain.Conditions {
			text := describeCondition(condition, targets, names)
			item.Conditions = append(item.Conditions, conditionText{text, condition.Description})
		}
		out = append(out, item)
	}
	return out, nil
}

// exportChains exports the chains as CSV, with a row for each condition.
func exportChains(c *request) (view, error) {
	rows := func(list []chains.Chain) ([][]string, error) {
		items, err := c.chainItems(list)
		var out [][]string
		for _, item := range items {
			for _, line := range item.Conditions {
				out = append(out, []string{
					idCell(item.ID), item.Name, idCell(item.RuleID), item.Rule, item.Operator, line.Text, line.Note,
					timeCell(item.CreatedAt.Time),
				})
			}
		}
		return out, err
	}
	head := []string{"id", "name", "ruleId", "rule", "operator", "condition", "description", "made"}
	return exportCSV("chains.csv", head, pagedRows(c.listChains, chainID, rows))
}

// deletedBadge names a badge that was deleted.
const deletedBadge = "a deleted badge"

// quoteOr returns the name in quotation marks, or the fallback if the name is empty.
func quoteOr(name, fallback string) string {
	if name == "" {
		return fallback
	}
	return "“" + name + "”"
}

// describeCondition writes a condition in words. targets and names hold the names of the records that it refers to; a
// record without a name was deleted.
func describeCondition(condition conditions.Condition, targets report.Names, names *websiteNames) string {
	var labels []string
	for _, target := range condition.Targets {
		switch {
		case !target.RuleID.IsZero():
			labels = append(labels, quoteOr(targets.Rules[target.RuleID], "a deleted rule"))
		case !target.GroupID.IsZero():
			labels = append(labels, quoteOr(names.groups[target.GroupID], "a deleted group"))
		case !target.CurrencyID.IsZero():
			id := target.CurrencyID
			labels = append(labels, cmp.Or(targets.Currencies[id], names.currencies[id], "a deleted currency"))
		case !target.BadgeID.IsZero():
			labels = append(labels, quoteOr(targets.Badges[target.BadgeID], deletedBadge))
		}
	}
	all := strings.Join(labels, ", ")
	quantity := "all"
	if condition.RequiredCount != nil {
		quantity = fmt.Sprint("at least ", *condition.RequiredCount)
	}
	switch condition.Type {
	case conditions.TypeRule:
		if condition.RepeatCount > 1 {
			return fmt.Sprintf("Completed %s %s times", all, number(condition.RepeatCount))
		}
		return "Completed " + all
	case conditions.TypeRules:
		return "Completed " + quantity + " of these rules: " + all
	case conditions.TypeSection:
		return "Completed " + quantity + " of the rules in " + all
	case conditions.TypePoints:
		return fmt.Sprintf("At least %s %s", number(condition.Amount), all)
	case conditions.TypeLevel:
		return fmt.Sprintf("Rank %s or better in %s", number(condition.Amount), all)
	case conditions.TypeBadge:
		if all == deletedBadge {
			return "Has " + all
		}
		return "Has the " + all + " badge"
	case conditions.TypeBadges:
		return "Has " + quantity + " of these badges: " + all
	case conditions.TypeCSV:
		return "Is on an uploaded list"
	}
	return "Confirmed by your server"
}
