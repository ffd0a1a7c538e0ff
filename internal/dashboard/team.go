package dashboard

import (
	"cmp"
	"slices"
	"strings"

	"laurel"
	"laurel/internal/admins"
	"laurel/internal/tenancy"
)

var teamRoutes = []route{
	{onWebsite, admins.ManageAdmins, "team", get, "/team", teamPage},
	{onWebsite, admins.ManageAdmins, "team", get, "/team/team.csv", exportTeam},
	{onWebsite, admins.ManageAdmins, "team", post, "/team", idempotent(inviteAdmin)},
	{onWebsite, admins.ManageAdmins, "team", post, "/team/limit", changeAdjustLimit},
	{onWebsite, admins.ManageAdmins, "team", get, "/team/invitations/{invitation}/withdraw", confirmWithdrawInvitation},
	{onWebsite, admins.ManageAdmins, "team", post, "/team/invitations/{invitation}/withdraw", withdrawInvitation},
	{onWebsite, admins.ManageAdmins, "team", post, "/team/{admin}", changeRole},
	{onWebsite, admins.ManageAdmins, "team", get, "/team/{admin}/end", confirmRemoveRoles},
	{onWebsite, admins.ManageAdmins, "team", post, "/team/{admin}/end", removeRoles},
}

// peopleRoles are the roles in the order of the form.
var peopleRoles = []struct {
	Role      laurel.Role
	Name, For string
}{
	{tenancy.RoleSuperAdmin, "Owner", "Can do everything, including managing the team, resets and taking back rewards."},
	{tenancy.RoleAdmin, "Manager", "Can manage rules, members and currencies, and see API keys."},
	{tenancy.RoleModerator, "Support", "Can see and block members, and adjust balances up to a daily limit."},
	{tenancy.RoleDeveloper, "Developer", "Can manage API keys and jobs, and see rules and members."},
	{tenancy.RoleViewer, "Viewer", "Can see rules, and members without their e-mail and phone."},
}

// teamRow is an admin in the list of the team.
type teamRow struct {
	admins.Admin
	admins.Membership
	Here       laurel.Role // on this website
	Everywhere bool        // on every website of the organization
	Self       bool
}

// invitation is an unused invitation in the list.
type invitation struct {
	admins.Link
	By      string // name of the admin who sent it
	Website string // empty: every one
}

type teamData struct {
	People []teamRow
	Open   []invitation
	Owner  bool   // may change the team
	Limit  string // daily adjustment limit of Support
	Roles  any
	Link   string // an invitation, shown once
	In     map[string]string
	Faults map[string]string
	Error  string

	Refused string // why a role was not changed
}

// readTeam reads the admins of the website with their roles, the open invitations and the adjustment limit.
func (c *request) readTeam() (teamData, error) {
	data := teamData{
		Roles: peopleRoles, In: map[string]string{"role": string(tenancy.RoleAdmin)}, Owner: isOwner(c.siteOrganization.Membership),
	}
	members, err := c.d.Admins.Members(c.Context(), c.scope.OrganizationID)
	if err != nil {
		return data, err
	}
	for _, m := range members {
		admin, err := c.d.Admins.Admin(c.Context(), m.AdminID)
		if err != nil {
			return data, err
		}
		if role := m.RoleOn(c.site.ID); role != "" {
			data.People = append(data.People, teamRow{admin, m, role, m.Role != "", admin.ID == c.admin.ID})
		}
	}
	slices.SortStableFunc(data.People, func(a, b teamRow) int { return cmp.Compare(a.Name, b.Name) })
	limit, err := c.d.Admins.DailyAdjustment(c.Context(), c.scope.At(c.site.ID))
	if err != nil {
		return data, err
	}
	data.Limit = number(limit)
	data.Open, err = c.readInvitations()
	return data, err
}

// readInvitations returns the unused invitations to this website and to the whole organization.
func (c *request) readInvitations() ([]invitation, error) {
	links, err := c.d.Admins.Invitations(c.Context(), c.scope.OrganizationID)
	if err != nil {
		return nil, err
	}
	var out []invitation
	for _, l := range links {
		if !l.WebsiteID.IsZero() && l.WebsiteID != c.site.ID {
			continue
		}
		one := invitation{Link: l, By: "the command line"}
		if !l.CreatedByID.IsZero() {
			by, err := c.d.Admins.Admin(c.Context(), l.CreatedByID)
			if err != nil {
				return nil, err
			}
			one.By = by.Name
		}
		if !l.WebsiteID.IsZero() {
			one.Website = c.site.Name
		}
		out = append(out, one)
	}
	return out, nil
}

// teamPage lists the admins of the website and the open invitations.
func teamPage(c *request) (view, error) {
	data, err := c.readTeam()
	if err != nil {
		return view{}, err
	}
	return pageView("team", "Team", data)
}

// exportTeam exports the admins of the website as CSV.
func exportTeam(c *request) (view, error) {
	data, err := c.readTeam()
	if err != nil {
		return view{}, err
	}
	var out sheetPart // a team is no long list: it is read at once
	for _, p := range data.People {
		out.rows = append(out.rows, []string{p.Name, p.Email, RoleNames[p.Here], idCell(p.AdminID)})
	}
	read := func(laurel.PageRequest) (sheetPart, error) { return out, nil }
	return c.exportCSV(sheet{"team.csv", []string{"name", "email", "role", "id"}, read})
}

// inviteAdmin creates an invitation link with a role on this website, or in the whole organization, and shows it once.
func inviteAdmin(c *request) (view, error) {
	if err := c.requireOwner(); err != nil {
		return view{}, err
	}
	in := admins.Link{
		Kind: admins.InviteLink, OrganizationID: c.scope.OrganizationID, Role: laurel.Role(c.PostFormValue("role")),
		Email: c.PostFormValue("email"), CreatedByID: c.admin.ID,
		Request: c.scope.Request,
	}
	if c.PostFormValue("where") != everyWebsite {
		in.WebsiteID = c.site.ID
	}
	token, _, err := c.d.Admins.NewLink(c.Context(), in)
	data, fault := c.readTeam()
	if fault != nil {
		return view{}, fault
	}
	if err != nil {
		return c.showRefused(err, "team", "Team", func(faults map[string]string, text string) any {
			data.Faults, data.Error, data.In = faults, text, c.typedFieldsOf("email", "role", "where")
			return data
		})
	}
	data.Link = c.d.PublicURL + rootPath + "/link/" + token
	return view{template: "team", title: "Team", data: data, formDone: true}, nil
}

// requireOwner refuses admins who are no owner of the organization: a role on one website must not change the roles of
// others.
func (c *request) requireOwner() error {
	if isOwner(c.siteOrganization.Membership) {
		return nil
	}
	return laurel.Errorf(laurel.Forbidden, "Only owners of the organization can change this.")
}

// teamMember returns the id of the path's admin, who must be on the team. Only owners may ask for it.
func (c *request) teamMember() (laurel.ID, error) {
	id, err := c.pathID("admin", "Admin")
	if err != nil {
		return id, err
	}
	if err := c.requireOwner(); err != nil {
		return id, err
	}
	data, err := c.readTeam()
	if err != nil {
		return id, err
	}
	if !slices.ContainsFunc(data.People, func(p teamRow) bool { return p.AdminID == id }) {
		return id, laurel.Missing("Admin")
	}
	return id, nil
}

// changeRole gives an admin another role, on this website or in the whole organization.
func changeRole(c *request) (view, error) {
	id, err := c.teamMember()
	if err != nil {
		return view{}, err
	}
	role := laurel.Role(c.PostFormValue("role"))
	if !tenancy.IsAdminRole(role) {
		return view{}, laurel.Errorf(laurel.Invalid, "The role must be one of the options.")
	}
	scope := laurel.Scope{OrganizationID: c.scope.OrganizationID}
	if c.PostFormValue("where") != everyWebsite {
		scope.WebsiteID = c.site.ID
	}
	if err := c.d.Admins.SetRole(c.Context(), id, scope, role); err != nil {
		return c.showTeamRefused(err)
	}
	return c.redirect(c.sitePath("team"), "Role changed. It applies from the next page that the person opens.")
}

// everyWebsite is the value of the form for a role in the whole organization.
const everyWebsite = "organization"

// confirmWithdrawInvitation asks before an invitation is withdrawn: its link cannot be restored.
func confirmWithdrawInvitation(c *request) (view, error) {
	id, err := c.pathID("invitation", "Invitation")
	if err != nil {
		return view{}, err
	}
	if err := c.requireOwner(); err != nil {
		return view{}, err
	}
	open, err := c.readInvitations()
	if err != nil {
		return view{}, err
	}
	at := slices.IndexFunc(open, func(i invitation) bool { return i.ID == id })
	if at < 0 {
		return view{}, laurel.Missing("Invitation")
	}
	return pageView("team-withdraw", "Revoke this invitation?", open[at])
}

// withdrawInvitation makes the link of an invitation invalid.
func withdrawInvitation(c *request) (view, error) {
	id, err := c.pathID("invitation", "Invitation")
	if err != nil {
		return view{}, err
	}
	if err := c.requireOwner(); err != nil {
		return view{}, err
	}
	if err := c.d.Admins.WithdrawInvitation(c.Context(), c.scope.OrganizationID, id); err != nil {
		return view{}, err
	}
	return c.redirect(c.sitePath("team"), "Invitation revoked. Its link no longer works.")
}

// changeAdjustLimit sets how many points of a currency Support may adjust per day.
func changeAdjustLimit(c *request) (view, error) {
	if err := c.requireOwner(); err != nil {
		return view{}, err
	}
	limit, err := laurel.ParseAmount(strings.ReplaceAll(strings.TrimSpace(c.PostFormValue("adjustADay")), ",", ""))
	if err != nil {
		var f laurel.Faults
		f.Add("adjustADay", "must be a number such as 1000")
		err = f.Err()
	} else {
		err = c.d.Admins.SetDailyAdjustment(c.Context(), c.scope.At(c.site.ID), limit)
	}
	if err != nil {
		data, fault := c.readTeam()
		if fault != nil {
			return view{}, fault
		}
		return c.showRefused(err, "team", "Team", func(faults map[string]string, text string) any {
			data.Faults, data.Error, data.Limit = faults, text, c.PostFormValue("adjustADay")
			return data
		})
	}
	return c.redirect(c.sitePath("team"), "Limit saved. It applies from now on.")
}

// showTeamRefused shows the team, and why a role was not changed.
func (c *request) showTeamRefused(err error) (view, error) {
	data, fault := c.readTeam()
	if fault != nil {
		return view{}, fault
	}
	return c.showRefused(err, "team", "Team", func(_ map[string]string, text string) any {
		data.Refused = text
		return data
	})
}

// confirmRemoveRoles asks before an admin loses the roles in the organization.
func confirmRemoveRoles(c *request) (view, error) {
	id, err := c.teamMember()
	if err != nil {
		return view{}, err
	}
	admin, err := c.d.Admins.Admin(c.Context(), id)
	if err != nil {
		return view{}, err
	}
	return pageView("team-end", "Remove "+admin.Name+"?", teamRow{Admin: admin, Self: id == c.admin.ID})
}

// removeRoles removes all roles of an admin in the organization.
func removeRoles(c *request) (view, error) {
	id, err := c.teamMember()
	if err != nil {
		return view{}, err
	}
	if err := c.d.Admins.RemoveMember(c.Context(), id, c.scope.OrganizationID); err != nil {
		return c.showTeamRefused(err)
	}
	if id == c.admin.ID {
		return view{redirectTo: c.d.base + "/"}, nil
	}
	return c.redirect(c.sitePath("team"), "Person removed from the team. Their account is not deleted.")
}
