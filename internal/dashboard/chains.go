package dashboard

import (
	"cmp"
	"fmt"
	"strings"

	"laurel"
	"laurel/internal/admins"
	"laurel/internal/report"
	"laurel/internal/rules/conditions"
)

var chainRoutes = []route{
	{ofWebsite, admins.SeeProgram, "chains", get, "/chains", chainList},
}

// chainItem is a chain with its conditions in words.
type chainItem struct {
	report.Chain
	Rule       string // the name of the rule that is locked
	Conditions []chainLine
}

// chainLine is a condition in words.
type chainLine struct{ Text, Note string }

type chainsData struct {
	Chains []chainItem
	Pager  pager
}

func chainList(c *call) (view, error) {
	page, err := c.page()
	if err != nil {
		return view{}, err
	}
	list, err := c.d.Report.Chains(c.Context(), c.scope, report.ChainFilter{}, page)
	if err != nil {
		return view{}, err
	}
	asked := []conditions.Condition{}
	for _, chain := range list.Data { // the locked rules are named like those that conditions ask for
		locked := conditions.Condition{Targets: []conditions.Target{{RuleID: chain.RuleID}}}
		asked = append(append(asked, chain.Conditions...), locked)
	}
	things, err := c.d.Report.NamesOf(c.Context(), c.scope, asked)
	if err != nil {
		return view{}, err
	}
	names, err := c.named()
	if err != nil {
		return view{}, err
	}
	last := lastID(list, func(c report.Chain) laurel.ID { return c.ID })
	data := chainsData{Pager: c.pager(page, list.HasNextPage, last)}
	for _, chain := range list.Data {
		item := chainItem{Chain: chain, Rule: cmp.Or(things.Rules[chain.RuleID], "A deleted rule")}
		for _, k := range chain.Conditions {
			item.Conditions = append(item.Conditions, chainLine{conditionWords(k, things, names), k.Description})
		}
		data.Chains = append(data.Chains, item)
	}
	return show("chains", "Chains", data)
}

// conditionWords says what a condition asks for.
func conditionWords(k conditions.Condition, things report.Names, names *named) string {
	var of []string
	for _, t := range k.Targets {
		switch {
		case !t.RuleID.IsZero():
			of = append(of, cmp.Or(things.Rules[t.RuleID], "a deleted rule"))
		case !t.GroupID.IsZero():
			of = append(of, cmp.Or(names.groups[t.GroupID], "a deleted group"))
		case !t.CurrencyID.IsZero():
			of = append(of, cmp.Or(things.Currencies[t.CurrencyID], names.currencies[t.CurrencyID], "a deleted currency"))
		case !t.BadgeID.IsZero():
			of = append(of, short(t.BadgeID))
		}
	}
	all := strings.Join(of, ", ")
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
		return many + " completed of: " + all
	case conditions.Section:
		return many + " completed of the group " + all
	case conditions.Points:
		return fmt.Sprintf("At least %s %s", number(k.Amount), all)
	case conditions.Level:
		return fmt.Sprintf("Rank %s or better in %s", number(k.Amount), all)
	case conditions.Badge, conditions.Badges:
		return many + " held of the badges: " + all
	case conditions.CSV:
		return "Stands on a list"
	}
	return "Your server says so"
}
