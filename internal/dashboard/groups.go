package dashboard

import (
	"laurel"
	"laurel/internal/rules/catalog"
)

// groupData is a group, or the list of all, with the form of one.
type groupData struct {
	Groups []catalog.Group
	Group  catalog.Group
	Faults map[string]string
	Error  string
}

// Subtitle is the group's; empty for none.
func (d groupData) Subtitle() string {
	if d.Group.SubTitle == nil {
		return ""
	}
	return *d.Group.SubTitle
}

// Last reports whether a place is the last of the list.
func (d groupData) Last(i int) bool { return i == len(d.Groups)-1 }

func groupList(c *call) (view, error) {
	names, err := c.named()
	if err != nil {
		return view{}, err
	}
	return show("groups", "Groups", groupData{Groups: names.Groups})
}

// groupInput reads the form of a group.
func (c *call) groupInput(g *catalog.Group) catalog.GroupInput {
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

func createGroup(c *call) (view, error) {
	var g catalog.Group
	made, err := c.d.Rules.CreateGroup(c.Context(), c.scope, c.groupInput(&g))
	if err != nil {
		names, unread := c.named()
		if unread != nil {
			return view{}, unread
		}
		return c.refused(err, "groups", "Groups", func(faults map[string]string, text string) any {
			return groupData{Groups: names.Groups, Group: g, Faults: faults, Error: text}
		})
	}
	return c.redirect(c.at("groups"), "Group "+made.Name+" made. Rules join it in their settings.")
}

// group reads the group of the path.
func (c *call) group() (catalog.Group, error) {
	id, err := c.pathID("group", "Loyalty rule group")
	if err != nil {
		return catalog.Group{}, err
	}
	return c.d.Rules.Group(c.Context(), c.scope, id)
}

func groupPage(c *call) (view, error) {
	g, err := c.group()
	if err != nil {
		return view{}, err
	}
	return show("group", g.Name+", group", groupData{Group: g})
}

func saveGroup(c *call) (view, error) {
	g, err := c.group()
	if err != nil {
		return view{}, err
	}
	title := g.Name + ", group"
	if _, err := c.d.Rules.UpdateGroup(c.Context(), c.scope, g.ID, c.groupInput(&g)); err != nil {
		return c.refused(err, "group", title, func(faults map[string]string, text string) any {
			return groupData{Group: g, Faults: faults, Error: text}
		})
	}
	return c.redirect(c.at("groups"), "Group saved.")
}

func moveGroup(c *call) (view, error) {
	id, err := c.pathID("group", "Loyalty rule group")
	if err != nil {
		return view{}, err
	}
	if err := c.d.Rules.MoveGroup(c.Context(), c.scope, id, c.PostFormValue("to") == "up"); err != nil {
		return view{}, err
	}
	return c.redirect(c.at("groups"), "Order saved.")
}

func askDeleteGroup(c *call) (view, error) {
	g, err := c.group()
	if err != nil {
		return view{}, err
	}
	return show("group-delete", "Delete "+g.Name+"?", groupData{Group: g})
}

func deleteGroup(c *call) (view, error) {
	id, err := c.pathID("group", "Loyalty rule group")
	if err != nil {
		return view{}, err
	}
	g, err := c.d.Rules.DeleteGroup(c.Context(), c.scope, id)
	if err != nil {
		return view{}, err
	}
	return c.redirect(c.at("groups"), "Group "+g.Name+" deleted. Its rules stay, without group.")
}
