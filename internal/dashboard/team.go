package dashboard

import (
	"cmp"
	"slices"

	"laurel"
	"laurel/internal/admins"
	"laurel/internal/tenancy"
)

var teamRoutes = []route{
	{ofWebsite, admins.ManageAdmins, "team", get, "/team", teamPage},
	{ofWebsite, admins.ManageAdmins, "team", get, "/team/team.csv", teamFile},
	{ofWebsite, admins.ManageAdmins, "team", post, "/team", invite},
	{ofWebsite, admins.ManageAdmins, "team", post, "/team/{admin}", changeRole},
	{ofWebsite, admins.ManageAdmins, "team", post, "/team/{admin}/end", endRoles},
}

// peopleRoles are the roles in the order of forms, with what each is for.
var peopleRoles = []struct {
	Role      laurel.Role
	Name, For string
}{
	{tenancy.RoleSuperAdmin, "Owner", "Everything, also admins, resets and deletion with a debit."},
	{tenancy.RoleAdmin, "Manager", "Rules, members and currencies; sees keys."},
	{tenancy.RoleModerator, "Support", "Sees members, adjusts balances up to a limit a day, blocks."},
	{tenancy.RoleDeveloper, "Developer", "Keys and jobs; sees rules and members."},
	{tenancy.RoleViewer, "Viewer", "Sees rules and members without e-mail and phone."},
}

// colleague is a line of the team.
type colleague struct {
	admins.Admin
	admins.Membership
	Here laurel.Role // on this website
	Self bool
}

type teamData struct {
	People []colleague
	Roles  any
	Link   string // an invitation, shown once
	In     map[string]string
	Faults map[string]string
	Error  string
}

func (c *call) team() (teamData, error) {
	data := teamData{Roles: peopleRoles, In: map[string]string{"role": string(tenancy.RoleAdmin)}}
	members, err := c.d.Admins.Members(c.Context(), c.scope.OrganizationID)
	if err != nil {
		return data, err
	}
	for _, m := range members {
		admin, err := c.d.Admins.Admin(c.Context(), m.AdminID)
		if err != nil {
			return data, err
		}
		if here := m.At(c.site.ID); here != "" {
			data.People = append(data.People, colleague{admin, m, here, admin.ID == c.admin.ID})
		}
	}
	slices.SortStableFunc(data.People, func(a, b colleague) int { return cmp.Compare(a.Name, b.Name) })
	return data, nil
}

func teamPage(c *call) (view, error) {
	data, err := c.team()
	if err != nil {
		return view{}, err
	}
	return show("team", "Team", data)
}

func teamFile(c *call) (view, error) {
	data, err := c.team()
	if err != nil {
		return view{}, err
	}
	var out part // a team is no long list: it is read at once
	for _, p := range data.People {
		out.rows = append(out.rows, []string{p.Name, p.Email, RoleNames[p.Here], idCell(p.AdminID)})
	}
	read := func(laurel.PageRequest) (part, error) { return out, nil }
	return c.export(sheet{"team.csv", []string{"name", "email", "role", "id"}, read})
}

// invite makes a link that gives a role on this website, or on all of the organization.
func invite(c *call) (view, error) {
	if !owns(c.home.Membership) {
		return view{}, laurel.Errorf(laurel.Forbidden, "Only an owner of the organization invites admins.")
	}
	in := admins.Link{
		Kind: admins.Invite, OrganizationID: c.scope.OrganizationID, Role: laurel.Role(c.PostFormValue("role")),
		Email: c.PostFormValue("email"), CreatedByID: c.admin.ID,
	}
	if c.PostFormValue("where") != "organization" {
		in.WebsiteID = c.site.ID
	}
	data, err := c.team()
	if err != nil {
		return view{}, err
	}
	token, _, err := c.d.Admins.NewLink(c.Context(), in)
	if err != nil {
		return c.refused(err, "team", "Team", func(faults map[string]string, text string) any {
			data.Faults, data.Error, data.In = faults, text, c.typed("email", "role", "where")
			return data
		})
	}
	data.Link = screen{call: c}.Origin() + root + "/link/" + token
	return show("team", "Team", data)
}

// ofTeam returns the admin of the path, who has a role in the organization.
func (c *call) ofTeam() (laurel.ID, error) {
	id, err := c.pathID("admin", "Admin")
	if err != nil {
		return id, err
	}
	data, err := c.team()
	if err != nil {
		return id, err
	}
	if !owns(c.home.Membership) {
		return id, laurel.Errorf(laurel.Forbidden, "Only an owner of the organization changes roles.")
	}
	if !slices.ContainsFunc(data.People, func(p colleague) bool { return p.AdminID == id }) {
		return id, laurel.Missing("Admin")
	}
	return id, nil
}

// changeRole gives an admin a role on every website of the organization.
func changeRole(c *call) (view, error) {
	id, err := c.ofTeam()
	if err != nil {
		return view{}, err
	}
	role := laurel.Role(c.PostFormValue("role"))
	if !tenancy.IsRoleOfPeople(role) {
		return view{}, laurel.Errorf(laurel.Invalid, "The role must be one of the list.")
	}
	if err := c.d.Admins.SetRole(c.Context(), id, c.scope.OrganizationID, role); err != nil {
		return view{}, err
	}
	return c.redirect(c.at("team"), "Role changed. It counts from the next page on.")
}

func endRoles(c *call) (view, error) {
	id, err := c.ofTeam()
	if err != nil {
		return view{}, err
	}
	if err := c.d.Admins.Leave(c.Context(), id, c.scope.OrganizationID); err != nil {
		return view{}, err
	}
	if id == c.admin.ID {
		return view{goTo: c.d.base + "/"}, nil
	}
	return c.redirect(c.at("team"), "Roles taken. The account stays, without access here.")
}
