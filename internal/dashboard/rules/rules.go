package rules

import (
	"net/url"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/admins"
	"laurel.example/laurel/internal/dashboard/parts"
	"laurel.example/laurel/internal/dashboard/web"
	"laurel.example/laurel/internal/rules/catalog"
	"laurel.example/laurel/internal/rules/schema"
)

var ruleRoutes = []route{
	web.Get("/rules", admins.SeeProgram, "rules", rulesPage),
	web.Get("/rules/rules.csv", admins.SeeProgram, "rules", exportRules),
	web.Get("/groups/groups.csv", admins.SeeProgram, "rules", exportGroups),
	web.Get("/rules/new", admins.ChangeProgram, "rules", newRulePage),
	web.Post("/rules", admins.ChangeProgram, "rules", "created a rule", web.Idempotent(createRule)),
	web.Get("/rules/{rule}", admins.SeeProgram, "rules", rulePage),
	web.Post("/rules/{rule}", admins.ChangeProgram, "rules", "changed a rule", saveRule),
	web.Post("/rules/{rule}/try", admins.CompleteRules, "rules", "", tryRule),
	web.Get("/rules/{rule}/history", admins.SeeProgram, "rules", ruleHistoryPage),
	web.Get("/rules/{rule}/performance", admins.SeeProgram, "rules", rulePerformancePage),
	web.Get("/rules/{rule}/events", admins.SeeMembers, "rules", ruleEventsPage),
	web.Get("/rules/{rule}/events.csv", admins.SeeMembers, "rules", exportRuleEvents),
	web.Get("/rules/{rule}/runs", admins.SeeMembers, "rules", ruleRunsPage),
	web.Get("/rules/{rule}/runs.csv", admins.SeeMembers, "rules", exportRuleRuns),
	web.Get("/rules/{rule}/runs/{run}", admins.SeeMembers, "rules", ruleRunPage),
	web.Get("/rules/{rule}/runs/{run}/members.csv", admins.SeeMembers, "rules", exportRuleRun),
	web.Get("/rules/{rule}/delete", admins.ChangeProgram, "rules", confirmDeleteRule),
	web.Post("/rules/{rule}/delete", admins.ChangeProgram, "rules", "deleted a rule", deleteRule),
	web.Get("/groups", admins.SeeProgram, "rules", groupsPage),
	web.Post("/groups", admins.ChangeProgram, "rules", "created a rule group", web.Idempotent(createGroup)),
	web.Get("/groups/{group}", admins.ChangeProgram, "rules", groupPage),
	web.Post("/groups/{group}", admins.ChangeProgram, "rules", "changed a rule group", saveGroup),
	web.Post("/groups/{group}/move", admins.ChangeProgram, "rules", "moved a rule group", moveGroup),
	web.Post("/groups/{group}/rules", admins.ChangeProgram, "rules", "moved a rule to a group", moveRule),
	web.Post("/groups/{group}/order", admins.ChangeProgram, "rules", "reordered the rules in a group", orderRules),
	web.Get("/groups/{group}/delete", admins.ChangeProgram, "rules", confirmDeleteGroup),
	web.Post("/groups/{group}/delete", admins.ChangeProgram, "rules", "deleted a rule group", deleteGroup),
	web.Post("/rules/{rule}/history/{edit}/undo", admins.ChangeProgram, "rules",
		"undid an edit of a rule", undoEdit),
}

// filterLinks are the links of one filter. The first removes it.
type filterLinks struct {
	Label string
	List  []web.FilterLink
}

// ruleRow is a rule of the list.
type ruleRow struct {
	catalog.Rule
	Kind        schema.Kind
	Group       string
	Reward      parts.Reward
	State       catalog.State
	Completions int64 // completions within RuleDays
	Paid        []parts.Reward
}

type rulesData struct {
	Rules    []ruleRow
	Pager    web.Pager
	Filters  []filterLinks
	Filtered bool
	Clear    string
}

// ruleStates are the states in words.
var ruleStates = []struct {
	State catalog.State
	Label string
}{{catalog.StateActive, "Active"}, {catalog.StateScheduled, "Scheduled"}, {catalog.StateEnded, "Ended"}}

// rulesPage shows a page of rules with their states, rewards, completions and payments, filtered as the query says.
func rulesPage(c *call) (web.View, error) {
	page, err := c.PageRequest()
	if err != nil {
		return web.View{}, err
	}
	names, err := c.ReadNames()
	if err != nil {
		return web.View{}, err
	}
	query := c.URL.Query()
	filter, err := c.ruleFilter()
	if err != nil {
		return web.View{}, err
	}
	list, err := c.Rules.List(c.Context(), c.Scope, filter, page)
	if err != nil {
		return web.View{}, err
	}
	data := rulesData{
		Pager:    c.Pager(page, list.HasNextPage, web.LastID(list, func(rule catalog.Rule) laurel.ID { return rule.ID })),
		Filters:  c.ruleFilters(names),
		Filtered: len(c.filterQuery(query)) > 0, Clear: c.SitePath("rules"),
	}
	sums, err := c.RuleSums(web.Map(list.Data, func(rule catalog.Rule) laurel.ID { return rule.ID }))
	if err != nil {
		return web.View{}, err
	}
	for _, rule := range list.Data {
		state, err := c.ruleState(rule)
		if err != nil {
			return web.View{}, err
		}
		data.Rules = append(data.Rules, ruleRow{
			Rule: rule, Kind: rule.Type.Kind(), Group: names.Group(rule.LoyaltyRuleGroupID),
			Reward: parts.DescribeReward(&rule.Properties, names), State: state,
			Completions: sums[rule.ID].Completions, Paid: describePaid(names, sums[rule.ID]),
		})
	}
	return web.Show("rules", "Rules", data)
}

// ruleFilter reads the filter of rules from the query: type, state, group ("none" for rules without one) and bot traps.
// A malformed group is not found.
func (c *call) ruleFilter() (catalog.Filter, error) {
	query := c.URL.Query()
	filter := catalog.Filter{
		Type: schema.Type(query.Get("type")), State: catalog.State(query.Get("state")),
		OnlySpecial: query.Get("honeypots") == "1",
	}
	switch group := query.Get("group"); group {
	case "":
		// rules of all groups
	case "none":
		filter.OnlyUngrouped = true
	default:
		id, err := laurel.ParseID(group)
		if err != nil {
			return filter, laurel.Missing("Group")
		}
		filter.GroupIDs = []laurel.ID{id}
	}
	return filter, nil
}

// filterQuery returns the parameters of a query that filter the list of rules.
func (c *call) filterQuery(query url.Values) url.Values {
	out := url.Values{}
	for _, name := range []string{"group", "state", "type", "honeypots"} {
		if value := query.Get(name); value != "" {
			out.Set(name, value)
		}
	}
	return out
}

// ruleFilters returns the links that filter the list of rules, by state, group, type and bot traps. Of the 81 types,
// only the chosen one has a link, which removes it.
func (c *call) ruleFilters(names *parts.Names) []filterLinks {
	current := c.filterQuery(c.URL.Query())
	link := func(name, value, label string) web.FilterLink {
		query := url.Values{}
		for parameter, values := range current {
			query[parameter] = values
		}
		query.Del(name)
		if value != "" {
			query.Set(name, value)
		}
		address := c.SitePath("rules")
		if text := query.Encode(); text != "" {
			address += "?" + text
		}
		return web.FilterLink{Label: label, Address: address, IsChosen: current.Get(name) == value}
	}
	states := filterLinks{Label: "State", List: []web.FilterLink{link("state", "", "All states")}}
	for _, state := range ruleStates {
		states.List = append(states.List, link("state", string(state.State), state.Label))
	}
	out := []filterLinks{states}
	if len(names.Groups) > 0 {
		groups := filterLinks{Label: "Group", List: []web.FilterLink{link("group", "", "All groups")}}
		for _, group := range names.Groups {
			groups.List = append(groups.List, link("group", group.ID.String(), group.Name))
		}
		out = append(out, filterLinks{Label: groups.Label, List: append(groups.List, link("group", "none", "No group"))})
	}
	more := filterLinks{Label: "Type", List: []web.FilterLink{}}
	if ruleType := current.Get("type"); ruleType != "" {
		chosenType := link("type", "", "Type: "+typeTitle(schema.Type(ruleType)))
		chosenType.IsChosen = true
		more.List = append(more.List, chosenType)
	}
	botTraps := link("honeypots", "1", "Bot traps")
	if botTraps.IsChosen {
		botTraps = link("honeypots", "", "Bot traps")
		botTraps.IsChosen = true
	}
	return append(out, filterLinks{Label: more.Label, List: append(more.List, botTraps)})
}

// typeTitle returns the title of a rule type, or its name if it is unknown.
func typeTitle(t schema.Type) string {
	if title := t.Kind().Title; title != "" {
		return title
	}
	return string(t)
}

// exportRules exports as CSV the rules that the filters of the page match.
func exportRules(c *call) (web.View, error) {
	filter, err := c.ruleFilter()
	if err != nil {
		return web.View{}, err
	}
	names, err := c.ReadNames()
	if err != nil {
		return web.View{}, err
	}
	list := func(page laurel.PageRequest) (laurel.Page[catalog.Rule], error) {
		return c.Rules.List(c.Context(), c.Scope, filter, page)
	}
	head := []string{
		"id", "name", "type", "group", "state", "rewardType", "amount", "currency", "start", "end", "made", "changed",
	}
	return web.ExportCSV("rules.csv", head, web.PagedRows(list, func(rule catalog.Rule) laurel.ID { return rule.ID },
		web.CellsOfEach(func(rule catalog.Rule) []string {
			amount := ""
			if rule.Amount != nil {
				amount = rule.Amount.String()
			}
			return []string{
				web.IdCell(rule.ID), rule.Name, string(rule.Type), names.Group(rule.LoyaltyRuleGroupID),
				string(rule.State(c.Now())), rule.RewardType, amount, names.Currency(rule.LoyaltyCurrencyID),
				web.TimestampCell(rule.EffectiveStartTime),
				web.TimestampCell(rule.EffectiveEndTime), web.TimeCell(rule.CreatedAt), web.TimeCell(rule.UpdatedAt),
			}
		})))
}
