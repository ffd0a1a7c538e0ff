package dashboard

import (
	"net/url"

	"laurel"
	"laurel/internal/admins"
	"laurel/internal/rules/catalog"
	"laurel/internal/rules/schema"
)

var ruleRoutes = []route{
	get("/rules", admins.SeeProgram, "rules", rulesPage),
	get("/rules/rules.csv", admins.SeeProgram, "rules", exportRules),
	get("/groups/groups.csv", admins.SeeProgram, "rules", exportGroups),
	get("/rules/new", admins.ChangeProgram, "rules", newRulePage),
	post("/rules", admins.ChangeProgram, "rules", "created a rule", idempotent(createRule)),
	get("/rules/{rule}", admins.SeeProgram, "rules", rulePage),
	post("/rules/{rule}", admins.ChangeProgram, "rules", "changed a rule", saveRule),
	post("/rules/{rule}/try", admins.CompleteRules, "rules", "", tryRule),
	get("/rules/{rule}/history", admins.SeeProgram, "rules", ruleHistoryPage),
	get("/rules/{rule}/performance", admins.SeeProgram, "rules", rulePerformancePage),
	get("/rules/{rule}/delete", admins.ChangeProgram, "rules", confirmDeleteRule),
	post("/rules/{rule}/delete", admins.ChangeProgram, "rules", "deleted a rule", deleteRule),
	get("/groups", admins.SeeProgram, "rules", groupsPage),
	post("/groups", admins.ChangeProgram, "rules", "created a rule group", idempotent(createGroup)),
	get("/groups/{group}", admins.ChangeProgram, "rules", groupPage),
	post("/groups/{group}", admins.ChangeProgram, "rules", "changed a rule group", saveGroup),
	post("/groups/{group}/move", admins.ChangeProgram, "rules", "moved a rule group", moveGroup),
	post("/groups/{group}/rules", admins.ChangeProgram, "rules", "moved a rule to a group", moveRule),
	post("/groups/{group}/order", admins.ChangeProgram, "rules", "reordered the rules in a group", orderRules),
	get("/groups/{group}/delete", admins.ChangeProgram, "rules", confirmDeleteGroup),
	post("/groups/{group}/delete", admins.ChangeProgram, "rules", "deleted a rule group", deleteGroup),
	post("/rules/{rule}/history/{edit}/undo", admins.ChangeProgram, "rules",
		"undid an edit of a rule", undoEdit),
}

// filterLink is a link that sets or removes a filter.
type filterLink struct {
	Label, Address string
	IsChosen       bool
}

// filterLinks are the links of one filter. The first removes it.
type filterLinks struct {
	Label string
	List  []filterLink
}

// ruleRow is a rule of the list.
type ruleRow struct {
	catalog.Rule
	Kind        schema.Kind
	Group       string
	Reward      reward
	State       catalog.State
	Completions int64 // completions within ruleDays
	Paid        []reward
}

// reward is a reward in words.
type reward struct{ Amount, Unit string }

type rulesData struct {
	Rules    []ruleRow
	Pager    pager
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
func rulesPage(c *request) (view, error) {
	page, err := c.pageRequest()
	if err != nil {
		return view{}, err
	}
	names, err := c.readNames()
	if err != nil {
		return view{}, err
	}
	query := c.URL.Query()
	filter, err := c.ruleFilter()
	if err != nil {
		return view{}, err
	}
	list, err := c.d.Rules.List(c.Context(), c.scope, filter, page)
	if err != nil {
		return view{}, err
	}
	data := rulesData{
		Pager:    c.pager(page, list.HasNextPage, lastID(list, func(rule catalog.Rule) laurel.ID { return rule.ID })),
		Filters:  c.ruleFilters(names),
		Filtered: len(c.filterQuery(query)) > 0, Clear: c.sitePath("rules"),
	}
	sums, err := c.ruleSums(mapSlice(list.Data, func(rule catalog.Rule) laurel.ID { return rule.ID }))
	if err != nil {
		return view{}, err
	}
	for _, rule := range list.Data {
		state, err := c.ruleState(rule)
		if err != nil {
			return view{}, err
		}
		data.Rules = append(data.Rules, ruleRow{
			Rule: rule, Kind: rule.Type.Kind(), Group: names.Group(rule.LoyaltyRuleGroupID),
			Reward: describeReward(&rule.Properties, names), State: state,
			Completions: sums[rule.ID].Completions, Paid: describePaid(names, sums[rule.ID]),
		})
	}
	return pageView("rules", "Rules", data)
}

// ruleFilter reads the filter of rules from the query: type, state, group ("none" for rules without one) and bot traps.
// A malformed group is not found.
func (c *request) ruleFilter() (catalog.Filter, error) {
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
func (c *request) filterQuery(query url.Values) url.Values {
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
func (c *request) ruleFilters(names *websiteNames) []filterLinks {
	current := c.filterQuery(c.URL.Query())
	link := func(name, value, label string) filterLink {
		query := url.Values{}
		for parameter, values := range current {
			query[parameter] = values
		}
		query.Del(name)
		if value != "" {
			query.Set(name, value)
		}
		address := c.sitePath("rules")
		if text := query.Encode(); text != "" {
			address += "?" + text
		}
		return filterLink{Label: label, Address: address, IsChosen: current.Get(name) == value}
	}
	states := filterLinks{Label: "State", List: []filterLink{link("state", "", "All states")}}
	for _, state := range ruleStates {
		states.List = append(states.List, link("state", string(state.State), state.Label))
	}
	out := []filterLinks{states}
	if len(names.Groups) > 0 {
		groups := filterLinks{Label: "Group", List: []filterLink{link("group", "", "All groups")}}
		for _, group := range names.Groups {
			groups.List = append(groups.List, link("group", group.ID.String(), group.Name))
		}
		out = append(out, filterLinks{Label: groups.Label, List: append(groups.List, link("group", "none", "No group"))})
	}
	more := filterLinks{Label: "Type", List: []filterLink{}}
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

// describeReward writes what a rule pays in words, as an amount and a unit. One of them may be empty.
func describeReward(properties *schema.Properties, names *websiteNames) reward {
	var unit string
	switch properties.RewardType {
	case schema.RewardPoints:
		unit = names.Currency(properties.LoyaltyCurrencyID)
	case schema.RewardMultiplier:
		if properties.Amount != nil {
			return reward{Amount: "×" + number(*properties.Amount), Unit: "on points earned"}
		}
		unit = "A multiplier"
	case schema.RewardBadge:
		if properties.LoyaltyBadgeID != nil && names.badges[*properties.LoyaltyBadgeID] != "" {
			return reward{Unit: "Badge “" + names.badges[*properties.LoyaltyBadgeID] + "”"}
		}
		if len(properties.Meta().Range) > 0 {
			return reward{Unit: "A badge per range"}
		}
		return reward{Unit: "A badge"}
	case schema.RewardToken:
		unit = "token"
	}
	switch tiers := properties.Meta().Range; {
	case len(tiers) > 0:
		return reward{Amount: "By range", Unit: unit}
	case properties.Amount == nil && properties.Type == schema.TypeFunction:
		return reward{Unit: unit + ", set by the function"}
	case properties.Amount == nil:
		return reward{Unit: unit}
	}
	return reward{Amount: number(*properties.Amount), Unit: unit}
}
