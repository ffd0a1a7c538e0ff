package dashboard

import (
	"context"
	"errors"
	"strings"

	"laurel"
	"laurel/internal/rules/catalog"
	"laurel/internal/rules/schema"
)

// groupData is a group, or the list of all, with the form of one.
type groupData struct {
	Groups      []catalog.Group
	Group       catalog.Group
	Faults      map[string]string
	Error       string
	Note        string // why an order was not saved
	BaseVersion string // hash of the saved values when the form was opened
	Conflicts   []fieldConflict
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

// Subtitle is the group's; empty for none.
func (d groupData) Subtitle() string {
	if d.Group.SubTitle == nil {
		return ""
	}
	return *d.Group.SubTitle
}

// Last reports whether a place is the last of the list.
func (d groupData) Last(i int) bool { return i == len(d.Groups)-1 }

// groupsPage lists the groups with their rules.
func groupsPage(c *request) (view, error) {
	groups, err := c.listGroups()
	if err != nil {
		return view{}, err
	}
	return pageView("groups", "Groups", groupData{Groups: groups})
}

// listGroups reads all groups of the website with their rules, in their order.
func (c *request) listGroups() ([]catalog.Group, error) {
	list := func(ctx context.Context, page laurel.PageRequest) (laurel.Page[catalog.Group], error) {
		return c.d.Rules.ListGroups(ctx, c.scope, catalog.GroupFilter{}, page)
	}
	return listAll(c.Context(), list, func(g catalog.Group) laurel.ID { return g.ID })
}

// groupInput reads the posted form of a group into g, so that it can be shown again, and returns the service's input.
// An empty subtitle clears it.
func (c *request) groupInput(g *catalog.Group) catalog.GroupInput {
	g.Name = c.PostFormValue("name")
	subtitle := c.PostFormValue("subTitle")
	g.SubTitle, g.IsRequired = &subtitle, c.PostFormValue("isRequired") != ""
	g.IsCollapsible = c.PostFormValue("isCollapsible") != ""
	in := catalog.GroupInput{
		Name: laurel.Some(g.Name), SubTitle: laurel.Some(subtitle),
		IsRequired: laurel.Some(g.IsRequired), IsCollapsible: laurel.Some(g.IsCollapsible),
	}
	if subtitle == "" {
		in.SubTitle = laurel.Null[string]()
	}
	return in
}

// createGroup creates a group from the posted form. If it is refused, the list of groups is shown with the faults.
func createGroup(c *request) (view, error) {
	var g catalog.Group
	made, err := c.d.Rules.CreateGroup(c.Context(), c.scope, c.groupInput(&g))
	if err != nil {
		groups, readErr := c.listGroups()
		if readErr != nil {
			return view{}, readErr
		}
		return c.showRefused(err, "groups", "Groups", func(faults map[string]string, text string) any {
			return groupData{Groups: groups, Group: g, Faults: faults, Error: text}
		})
	}
	return c.redirect(c.pathAfterPost("groups"),
		"Group "+made.Name+" created. To add a rule to it, choose the group in the rule’s settings.")
}

// getGroup returns the group whose id is in the path. A malformed or unknown id is not found.
func (c *request) getGroup() (catalog.Group, error) {
	id, err := c.pathID("group", "Loyalty rule group")
	if err != nil {
		return catalog.Group{}, err
	}
	return c.d.Rules.Group(c.Context(), c.scope, id)
}

// groupPage shows the form of a group.
func groupPage(c *request) (view, error) {
	g, err := c.getGroup()
	if err != nil {
		return view{}, err
	}
	return pageView("group", g.Name+", group", groupData{Group: g, BaseVersion: formVersion(groupTexts(g))})
}

// groupFields are the settings of a group, in the order of the form.
var groupFields = labeledFields(
	"name", "Name", "subTitle", "Subtitle", "isRequired", "Required", "isCollapsible", "Collapsible",
)

// groupTexts returns the settings of a group by field, as the inputs of its form hold them.
func groupTexts(g catalog.Group) map[string]string {
	out := map[string]string{"name": g.Name, "subTitle": textCell(g.SubTitle), "isRequired": "", "isCollapsible": ""}
	if g.IsRequired {
		out["isRequired"] = "yes"
	}
	if g.IsCollapsible {
		out["isCollapsible"] = "yes"
	}
	return out
}

// saveGroup saves a group. If someone else has saved other values since the form was opened, nothing is written and the
// conflicts are shown.
func saveGroup(c *request) (view, error) {
	c.d.editMutex.Lock() // two saves on this server must not interleave
	defer c.d.editMutex.Unlock()
	g, err := c.getGroup()
	if err != nil {
		return view{}, err
	}
	title, savedTexts := g.Name+", group", groupTexts(g)
	in := c.groupInput(&g)
	data := groupData{Group: g, BaseVersion: formVersion(savedTexts)}
	if c.PostFormValue(baseVersionField) != data.BaseVersion {
		if data.Conflicts = findConflicts(savedTexts, groupTexts(g), groupFields); len(data.Conflicts) > 0 {
			return refusedView("group", title, data), nil
		}
	}
	if _, err := c.d.Rules.UpdateGroup(c.Context(), c.scope, g.ID, in); err != nil {
		return c.showRefused(err, "group", title, func(faults map[string]string, text string) any {
			data.Faults, data.Error = faults, text
			return data
		})
	}
	return c.redirect(c.sitePath("groups"), "Group saved.")
}

// moveGroup moves a group up or down by one place. If the admin has dragged the groups instead, the form has their
// whole new order, which is saved.
func moveGroup(c *request) (view, error) {
	id, err := c.pathID("group", "Loyalty rule group")
	if err != nil {
		return view{}, err
	}
	if c.PostForm.Has("order") {
		return c.orderGroups()
	}
	if err := c.d.Rules.MoveGroup(c.Context(), c.scope, id, c.PostFormValue("to") == "up"); err != nil {
		return view{}, err
	}
	direction := "down"
	if c.PostFormValue("to") == "up" {
		direction = "up"
	}
	return c.redirect(c.sitePath("groups", "?moved="+id.String()+"&to="+direction), "Order saved.")
}

// Moved reports whether a group or rule was just moved by the named button, which then gets the focus again. If that
// button is disabled, as the item is at an end, the other one gets it.
func (s screen) Moved(id laurel.ID, to string, otherOff bool) bool {
	query := s.URL.Query()
	return query.Get("moved") == id.String() && (query.Get("to") == to || otherOff)
}

// orderGroups saves a posted order of groups. If someone else has changed the order since the page showed it, the order
// is refused and the current one is shown.
func (c *request) orderGroups() (view, error) {
	shown, order := idList(c.PostFormValue("was")), idList(c.PostFormValue("order")) // shown: the order on the page
	err := c.d.Rules.OrderGroups(c.Context(), c.scope, shown, order)
	if asRefusal(err) == nil {
		if err != nil {
			return view{}, err
		}
		return c.redirect(c.sitePath("groups"), "Order saved.")
	}
	return c.showGroupOrderRefused(err)
}

// showGroupOrderRefused shows the groups in their current order, and says why the new order was not saved. err must be
// a refusal.
func (c *request) showGroupOrderRefused(err error) (view, error) {
	groups, readErr := c.listGroups()
	if readErr != nil {
		return view{}, readErr
	}
	data := groupData{Groups: groups, Note: sentence(asRefusal(err).Message) + ". The current order is shown below."}
	return refusedView("groups", "Groups", data), nil
}

// orderRules moves a rule of the group in the path up or down by one place. If the admin has dragged the rules instead,
// the form has their whole new order. It is saved unless the rules of the group have changed since the page showed
// them.
func orderRules(c *request) (view, error) {
	id, err := c.pathID("group", "Loyalty rule group")
	if err != nil {
		return view{}, err
	}
	if c.PostForm.Has("order") {
		shown, order := idList(c.PostFormValue("was")), idList(c.PostFormValue("order"))
		err := c.d.Rules.OrderRules(c.Context(), c.scope, id, shown, order)
		if errors.Is(err, catalog.ErrGroupRulesChanged) {
			return c.showGroupOrderRefused(err)
		}
		if err != nil {
			return view{}, err
		}
		return c.redirect(c.sitePath("groups"), "Order saved.")
	}
	rule, err := laurel.ParseID(c.PostFormValue("rule"))
	if err != nil {
		return view{}, laurel.Missing("Loyalty rule")
	}
	direction := "down"
	if c.PostFormValue("to") == "up" {
		direction = "up"
	}
	if err := c.d.Rules.MoveRule(c.Context(), c.scope, id, rule, direction == "up"); err != nil {
		return view{}, err
	}
	return c.redirect(c.sitePath("groups", "?moved="+rule.String()+"&to="+direction), "Order saved.")
}

// idList parses ids with spaces between them. Malformed ids, which forms do not have, are left out.
func idList(text string) []laurel.ID {
	var out []laurel.ID
	for word := range strings.FieldsSeq(text) {
		if id, err := laurel.ParseID(word); err == nil {
			out = append(out, id)
		}
	}
	return out
}

// moveRule moves the rule in the form to the group whose id is in the path.
func moveRule(c *request) (view, error) {
	g, err := c.getGroup()
	if err != nil {
		return view{}, err
	}
	rule, err := laurel.ParseID(c.PostFormValue("rule"))
	if err != nil {
		return view{}, laurel.Missing("Loyalty rule")
	}
	in := schema.Input{LoyaltyRuleGroupID: laurel.Some(g.ID.String())}
	moved, err := c.d.Rules.Update(c.Context(), c.scope, rule, in)
	if err != nil {
		return view{}, err
	}
	return c.redirect(c.sitePath("groups"), moved.Name+" moved to "+g.Name+".")
}

// confirmDeleteGroup shows the page that asks before a group is deleted.
func confirmDeleteGroup(c *request) (view, error) {
	g, err := c.getGroup()
	if err != nil {
		return view{}, err
	}
	return pageView("group-delete", "Delete "+g.Name+"?", groupData{Group: g})
}

// deleteGroup deletes a group. Its rules stay, without a group.
func deleteGroup(c *request) (view, error) {
	id, err := c.pathID("group", "Loyalty rule group")
	if err != nil {
		return view{}, err
	}
	g, err := c.d.Rules.DeleteGroup(c.Context(), c.scope, id)
	if err != nil {
		return view{}, err
	}
	return c.redirect(c.sitePath("groups"), "Group "+g.Name+" deleted. Its rules no longer belong to a group.")
}
