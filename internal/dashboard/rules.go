package dashboard

import (
	"net/url"

	"laurel"
	"laurel/internal/admins"
	"laurel/internal/rules/catalog"
	"laurel/internal/rules/schema"
)

var ruleRoutes = []route{
	{onWebsite, admins.SeeProgram, "rules", get, "/rules", rulesPage},
	{onWebsite, admins.SeeProgram, "rules", get, "/rules/rules.csv", exportRules},
	{onWebsite, admins.SeeProgram, "rules", get, "/groups/groups.csv", exportGroups},
	{onWebsite, admins.ChangeProgram, "rules", get, "/rules/new", newRulePage},
	{onWebsite, admins.ChangeProgram, "rules", post, "/rules", idempotent(createRule)},
	{onWebsite, admins.SeeProgram, "rules", get, "/rules/{rule}", rulePage},
	{onWebsite, admins.ChangeProgram, "rules", post, "/rules/{rule}", saveRule},
	{onWebsite, admins.CompleteRules, "rules", post, "/rules/{rule}/try", tryRule},
	{onWebsite, admins.SeeProgram, "rules", get, "/rules/{rule}/history", ruleHistoryPage},
	{onWebsite, admins.SeeProgram, "rules", get, "/rules/{rule}/performance", rulePerformancePage},
	{onWebsite, admins.ChangeProgram, "rules", get, "/rules/{rule}/delete", confirmDeleteRule},
	{onWebsite, admins.ChangeProgram, "rules", post, "/rules/{rule}/delete", deleteRule},
	{onWebsite, admins.SeeProgram, "rules", get, "/groups", groupsPage},
	{onWebsite, admins.ChangeProgram, "rules", post, "/groups", idempotent(createGroup)},
	{onWebsite, admins.ChangeProgram, "rules", get, "/groups/{group}", groupPage},
	{onWebsite, admins.ChangeProgram, "rules", post, "/groups/{group}", saveGroup},
	{onWebsite, admins.ChangeProgram, "rules", post, "/groups/{group}/move", moveGroup},
	{onWebsite, admins.ChangeProgram, "rules", post, "/groups/{group}/rules", moveRule},
	{onWebsite, admins.ChangeProgram, "rules", post, "/groups/{group}/order", orderRules},
	{onWebsite, admins.ChangeProgram, "rules", get, "/groups/{group}/delete", confirmDeleteGroup},
	{onWebsite, admins.ChangeProgram, "rules", post, "/groups/{group}/delete", deleteGroup},
	{onWebsite, admins.ChangeProgram, "rules", post, "/rules/{rule}/history/{edit}/undo", undoEdit},
}

// filterLink is a link that sets or removes a filter.
type filterLink struct {
	Label, Address string
	On             bool
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
}{{catalog.Active, "Active"}, {catalog.Scheduled, "Scheduled"}, {catalog.Ended, "Ended"}}

// rulesPage lists rules with their rewards and completions.
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
	f, err := c.ruleFilter()
	if err != nil {
		return view{}, err
	}
	list, err := c.d.Rules.List(c.Context(), c.scope, f, page)
	if err != nil {
		return view{}, err
	}
	data := rulesData{
		Pager:    c.pager(page, list.HasNextPage, lastID(list, func(r catalog.Rule) laurel.ID { return r.ID })),
		Filters:  c.ruleFilters(names),
		Filtered: len(c.filterQuery(query)) > 0, Clear: c.sitePath("rules"),
	}
	sums, err := c.ruleSums(mapSlice(list.Data, func(r catalog.Rule) laurel.ID { return r.ID }))
	if err != nil {
		return view{}, err
	}
	for _, r := range list.Data {
		state, err := c.ruleState(r)
		if err != nil {
			return view{}, err
		}
		data.Rules = append(data.Rules, ruleRow{
			Rule: r, Kind: r.Type.Kind(), Group: names.Group(r.LoyaltyRuleGroupID), Reward: describeReward(&r.Properties, names),
			State: state, Completions: sums[r.ID].Completions, Paid: names.describePaid(sums[r.ID]),
		})
	}
	return pageView("rules", "Rules", data)
}

// ruleFilter reads the filter of rules from the address.
func (c *request) ruleFilter() (catalog.Filter, error) {
	query := c.URL.Query()
	f := catalog.Filter{
		Type: schema.Type(query.Get("type")), State: catalog.State(query.Get("state")),
		OnlySpecial: query.Get("honeypots") == "1",
	}
	switch group := query.Get("group"); group {
	case "":
	case "none":
		f.OnlyUngrouped = true
	default:
		id, err := laurel.ParseID(group)
		if err != nil {
			return f, laurel.Missing("Group")
		}
		f.GroupIDs = []laurel.ID{id}
	}
	return f, nil
}

// filterQuery returns the query parameters that filter the list.
func (c *request) filterQuery(query url.Values) url.Values {
	out := url.Values{}
	for _, name := range []string{"group", "state", "type", "honeypots"} {
		if v := query.Get(name); v != "" {
			out.Set(name, v)
		}
	}
	return out
}

// ruleFilters returns the filters above the list of rules. Only the chosen type has a link: there are 81.
func (c *request) ruleFilters(names *websiteNames) []filterLinks {
	now := c.filterQuery(c.URL.Query())
	link := func(name, value, label string) filterLink {
		query := url.Values{}
		for k, v := range now {
			query[k] = v
		}
		query.Del(name)
		if value != "" {
			query.Set(name, value)
		}
		address := c.sitePath("rules")
		if text := query.Encode(); text != "" {
			address += "?" + text
		}
		return filterLink{Label: label, Address: address, On: now.Get(name) == value}
	}
	states := filterLinks{Label: "State", List: []filterLink{link("state", "", "All states")}}
	for _, s := range ruleStates {
		states.List = append(states.List, link("state", string(s.State), s.Label))
	}
	out := []filterLinks{states}
	if len(names.Groups) > 0 {
		groups := filterLinks{Label: "Group", List: []filterLink{link("group", "", "All groups")}}
		for _, g := range names.Groups {
			groups.List = append(groups.List, link("group", g.ID.String(), g.Name))
		}
		out = append(out, filterLinks{Label: groups.Label, List: append(groups.List, link("group", "none", "No group"))})
	}
	more := filterLinks{Label: "Type", List: []filterLink{}}
	if t := now.Get("type"); t != "" {
		taken := link("type", "", "Type: "+typeTitle(schema.Type(t)))
		taken.On = true
		more.List = append(more.List, taken)
	}
	honey := link("honeypots", "1", "Bot traps")
	if honey.On {
		honey = link("honeypots", "", "Bot traps")
		honey.On = true
	}
	return append(out, filterLinks{Label: more.Label, List: append(more.List, honey)})
}

// typeTitle is the title of a type, or its name where it is unknown.
func typeTitle(t schema.Type) string {
	if title := t.Kind().Title; title != "" {
		return title
	}
	return string(t)
}

// describeReward writes what a rule pays in words.
func describeReward(p *schema.Properties, names *websiteNames) reward {
	var unit string
	switch p.RewardType {
	case schema.RewardPoints:
		unit = names.Currency(p.LoyaltyCurrencyID)
	case schema.RewardMultiplier:
		if p.Amount != nil {
			return reward{Amount: "×" + number(*p.Amount), Unit: "on points earned"}
		}
		unit = "A multiplier"
	case schema.RewardBadge:
		if p.LoyaltyBadgeID != nil && names.badges[*p.LoyaltyBadgeID] != "" {
			return reward{Unit: "Badge “" + names.badges[*p.LoyaltyBadgeID] + "”"}
		}
		if len(p.Meta().Range) > 0 {
			return reward{Unit: "A badge per range"}
		}
		return reward{Unit: "A badge"}
	case schema.RewardToken:
		unit = "token"
	}
	switch tiers := p.Meta().Range; {
	case len(tiers) > 0:
		return reward{Amount: "By range", Unit: unit}
	case p.Amount == nil && p.Type == schema.TypeFunction:
		return reward{Unit: unit + ", set by the function"}
	case p.Amount == nil:
		return reward{Unit: unit}
	}
	return reward{Amount: number(*p.Amount), Unit: unit}
}
