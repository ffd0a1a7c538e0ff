package rules

import (
	"errors"
	"strconv"
	"strings"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/dashboard/form"
	"laurel.example/laurel/internal/dashboard/web"
	"laurel.example/laurel/internal/rules/catalog"
	"laurel.example/laurel/internal/rules/schema"
)

// groupData is a group, or the list of all, with the form of one.
type groupData struct {
	form.State
	Groups []catalog.Group
	Group  catalog.Group
	Note   string // why an order was not saved
}

// Order returns the ids of the groups in the order that the page shows, with spaces between them. The page sends it
// with a new order, which is refused if this one has changed meanwhile.
func (d groupData) Order() string {
	ids := make([]string, len(d.Groups))
	for i, g := range d.Groups {
		ids[i] = g.ID.String()
	}
	return strings.Join(ids, " ")
}

// RuleOrder returns the ids of a group's rules in the order that the page shows, with spaces between them. The page
// sends it with a new order, which is refused if this one has changed meanwhile.
func (groupData) RuleOrder(g catalog.Group) string {
	ids := make([]string, len(g.Rules))
	for i, r := range g.Rules {
		ids[i] = r.ID.String()
	}
	return strings.Join(ids, " ")
}

// LastOf reports whether a place is the last of a group.
func (groupData) LastOf(g catalog.Group, i int) bool { return !g.HasMoreRules && i == len(g.Rules)-1 }

// Movable reports whether a rule can be moved from one group to another.
func (d groupData) Movable() bool { return len(d.Groups) > 1 }

// Last reports whether a place is the last of the list.
func (d groupData) Last(i int) bool { return i == len(d.Groups)-1 }

// groupsPage lists the groups with their rules.
func groupsPage(c *call) (web.View, error) {
	groups, err := c.ListGroups()
	if err != nil {
		return web.View{}, err
	}
	return web.Show("groups", "Groups", &groupData{Groups: groups})
}

// groupTable has the settings of a group.
var groupTable = form.NewTable[catalog.Group, catalog.GroupPatch](form.Fields(
	"name", "Name", "subTitle", "Subtitle", "isRequired", "Required", "isCollapsible", "Collapsible",
))

// createGroup creates a group from the posted form. If it is refused, the list of groups is shown with the faults.
func createGroup(c *call) (web.View, error) {
	data := groupData{State: form.State{Input: groupTable.Typed(c.PostForm)}}
	made, err := c.Rules.CreateGroup(c.Context(), c.Scope, groupTable.Input(form.Changes{Typed: data.Input}))
	if err != nil {
		var readErr error
		if data.Groups, readErr = c.ListGroups(); readErr != nil {
			return web.View{}, readErr
		}
		return c.ShowRefused(err, "groups", "Groups", func(r web.Refusal) any { data.Refusal = r; return &data })
	}
	return c.Redirect(c.PathAfterPost("groups"),
		"Group "+made.Name+" created. To add a rule to it, choose the group in the rule’s settings.")
}

// getGroup returns the group whose id is in the path. A malformed or unknown id is not found.
func (c *call) getGroup() (catalog.Group, error) {
	id, err := c.PathID("group", "Loyalty rule group")
	if err != nil {
		return catalog.Group{}, err
	}
	return c.Rules.Group(c.Context(), c.Scope, id)
}

// groupPage shows the form of a group.
func groupPage(c *call) (web.View, error) {
	g, err := c.getGroup()
	if err != nil {
		return web.View{}, err
	}
	return web.Show("group", g.Name+", group", newGroupData(g))
}

// newGroupData returns the form of a group with its saved values.
func newGroupData(g catalog.Group) *groupData {
	data := &groupData{Group: g, State: form.State{Input: groupTable.Saved(g)}}
	data.BaseVersion = form.VersionOf(data.Input)
	return data
}

// saveGroup saves a group. If someone else has saved other values since the form was opened, nothing is written and the
// conflicts are shown.
func saveGroup(c *call) (web.View, error) {
	g, err := c.getGroup()
	if err != nil {
		return web.View{}, err
	}
	title, data := g.Name+", group", newGroupData(g)
	saved := data.Input
	if data.Input = groupTable.Typed(c.PostForm); data.FindConflicts(c.PostForm, saved, data.Input, groupTable.Fields) {
		return web.Refused("group", title, data), nil
	}
	in := groupTable.Input(form.Changes{Saved: saved, Typed: data.Input})
	if _, err := c.Rules.UpdateGroup(c.Context(), c.Scope.IfUnchanged(g.ID, g.UpdatedAt.Time), g.ID, in); err != nil {
		return c.ShowRefused(err, "group", title, func(r web.Refusal) any { data.Refusal = r; return data })
	}
	return c.Redirect(c.SitePath("groups"), "Group saved.")
}

// moveGroup moves a group up or down by one place. If the admin has dragged the groups instead, the form has their
// whole new order, which is saved.
func moveGroup(c *call) (web.View, error) {
	id, err := c.PathID("group", "Loyalty rule group")
	if err != nil {
		return web.View{}, err
	}
	if c.PostForm.Has("order") {
		return c.orderGroups()
	}
	if err := c.Rules.MoveGroup(c.Context(), c.Scope, id, c.PostFormValue("to") == "up"); err != nil {
		return web.View{}, err
	}
	direction := "down"
	if c.PostFormValue("to") == "up" {
		direction = "up"
	}
	return c.Redirect(c.SitePath("groups", "?moved="+id.String()+"&to="+direction), "Order saved.")
}

// orderGroups saves a posted order of groups. If someone else has changed the order since the page showed it, the order
// is refused and the current one is shown.
func (c *call) orderGroups() (web.View, error) {
	shown, order := form.ParseIDs(c.PostFormValue("was")), form.ParseIDs(c.PostFormValue("order")) // shown: the order on the page
	err := c.Rules.OrderGroups(c.Context(), c.Scope, shown, order)
	if web.AsRefusal(err) == nil {
		if err != nil {
			return web.View{}, err
		}
		return c.Redirect(c.SitePath("groups"), "Order saved.")
	}
	return c.showGroupOrderRefused(err)
}

// showGroupOrderRefused shows the groups in their current order, and says why the new order was not saved. err must be
// a refusal.
func (c *call) showGroupOrderRefused(err error) (web.View, error) {
	groups, readErr := c.ListGroups()
	if readErr != nil {
		return web.View{}, readErr
	}
	data := &groupData{Groups: groups, Note: web.Sentence(web.AsRefusal(err).Message) + ". The current order is shown below."}
	return web.Refused("groups", "Groups", data), nil
}

// orderRules moves a rule of the group in the path up or down by one place. If the admin has dragged the rules instead,
// the form has their whole new order. It is saved unless the rules of the group have changed since the page showed
// them.
func orderRules(c *call) (web.View, error) {
	id, err := c.PathID("group", "Loyalty rule group")
	if err != nil {
		return web.View{}, err
	}
	if c.PostForm.Has("order") {
		shown, order := form.ParseIDs(c.PostFormValue("was")), form.ParseIDs(c.PostFormValue("order"))
		err := c.Rules.OrderRules(c.Context(), c.Scope, id, shown, order)
		if errors.Is(err, catalog.ErrGroupRulesChanged) {
			return c.showGroupOrderRefused(err)
		}
		if err != nil {
			return web.View{}, err
		}
		return c.Redirect(c.SitePath("groups"), "Order saved.")
	}
	rule, err := laurel.ParseID(c.PostFormValue("rule"))
	if err != nil {
		return web.View{}, laurel.Missing("Loyalty rule")
	}
	direction := "down"
	if c.PostFormValue("to") == "up" {
		direction = "up"
	}
	if err := c.Rules.MoveRule(c.Context(), c.Scope, id, rule, direction == "up"); err != nil {
		return web.View{}, err
	}
	return c.Redirect(c.SitePath("groups", "?moved="+rule.String()+"&to="+direction), "Order saved.")
}

// moveRule moves the rule in the form to the group whose id is in the path.
func moveRule(c *call) (web.View, error) {
	g, err := c.getGroup()
	if err != nil {
		return web.View{}, err
	}
	rule, err := laurel.ParseID(c.PostFormValue("rule"))
	if err != nil {
		return web.View{}, laurel.Missing("Loyalty rule")
	}
	in := schema.Input{LoyaltyRuleGroupID: laurel.Some(g.ID.String())}
	moved, err := c.Rules.Update(c.Context(), c.Scope, rule, in)
	if err != nil {
		return web.View{}, err
	}
	return c.Redirect(c.SitePath("groups"), moved.Name+" moved to "+g.Name+".")
}

// confirmDeleteGroup shows the page that asks before a group is deleted.
func confirmDeleteGroup(c *call) (web.View, error) {
	g, err := c.getGroup()
	if err != nil {
		return web.View{}, err
	}
	return web.Show("group-delete", "Delete "+g.Name+"?", &groupData{Group: g})
}

// deleteGroup deletes a group. Its rules stay, without a group.
func deleteGroup(c *call) (web.View, error) {
	id, err := c.PathID("group", "Loyalty rule group")
	if err != nil {
		return web.View{}, err
	}
	g, err := c.Rules.DeleteGroup(c.Context(), c.Scope, id)
	if err != nil {
		return web.View{}, err
	}
	return c.Redirect(c.SitePath("groups"), "Group "+g.Name+" deleted. Its rules no longer belong to a group.")
}

// exportGroups exports the groups of rules, in their order, as CSV.
func exportGroups(c *call) (web.View, error) {
	list := func(page laurel.PageRequest) (laurel.Page[catalog.Group], error) {
		return c.Rules.ListGroupsWithoutRules(c.Context(), c.Scope, page)
	}
	head := []string{"id", "name", "subTitle", "required", "collapsible", "made"}
	return web.ExportCSV("groups.csv", head, web.PagedRows(list, func(group catalog.Group) laurel.ID { return group.ID },
		web.CellsOfEach(func(group catalog.Group) []string {
			return []string{
				web.IdCell(group.ID), group.Name, web.TextCell(group.SubTitle), strconv.FormatBool(group.IsRequired),
				strconv.FormatBool(group.IsCollapsible), web.TimeCell(group.CreatedAt),
			}
		})))
}
