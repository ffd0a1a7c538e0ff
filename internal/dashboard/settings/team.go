package settings

import (
	"cmp"
	"slices"
	"strings"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/admins"
	"laurel.example/laurel/internal/dashboard/form"
	"laurel.example/laurel/internal/dashboard/web"
	"laurel.example/laurel/internal/tenancy"
)

var teamRoutes = []route{
	web.Get("/team", admins.ManageAdmins, "team", teamPage),
	web.Get("/team/team.csv", admins.ManageAdmins, "team", exportTeam),
	web.Post("/team", admins.ManageAdmins, "team", "invited an admin", web.Idempotent(inviteAdmin)),
	web.Post("/team/limit", admins.ManageAdmins, "team",
		"changed the daily limit of the Support role", changeAdjustLimit),
	web.Get("/team/invitations/{invitation}/withdraw", admins.ManageAdmins, "team", confirmWithdrawInvitation),
	web.Post("/team/invitations/{invitation}/withdraw", admins.ManageAdmins, "team",
		"revoked an invitation", withdrawInvitation),
	web.Post("/team/{admin}", admins.ManageAdmins, "team", "changed the role of an admin", changeRole),
	web.Get("/team/{admin}/end", admins.ManageAdmins, "team", confirmRemoveRoles),
	web.Post("/team/{admin}/end", admins.ManageAdmins, "team", "removed an admin from the team", removeRoles),
}

// peopleRoles are the roles in the order of the form.
var peopleRoles = []struct {
	Role      laurel.Role
	Name, For string
}{
	{
		tenancy.RoleSuperAdmin, "Owner",
		"Can do everything, including managing the team, resetting currencies and taking back rewards.",
	},
	{tenancy.RoleAdmin, "Manager", "Can manage rules, members and currencies, and see API keys."},
	{tenancy.RoleModerator, "Support", "Can see and block members, and adjust balances up to a daily limit."},
	{tenancy.RoleDeveloper, "Developer", "Can manage API keys and jobs, and see rules and members."},
	{tenancy.RoleViewer, "Viewer", "Can see rules and members, but not members’ e-mail addresses or phone numbers."},
}

// teamRow is an admin in the list of the team.
type teamRow struct {
	admins.Admin
	admins.Membership
	RoleHere       laurel.Role // on this website
	OnEveryWebsite bool        // on every website of the organization
	IsSelf         bool
}

// invitation is an unused invitation in the list.
type invitation struct {
	admins.Link
	By      string // name of the admin who sent it
	Website string // empty: every one
}

type teamData struct {
	web.Refusal
	People  []teamRow
	Open    []invitation
	IsOwner bool   // may change the team
	Limit   string // daily adjustment limit of Support
	Roles   any
	Link    string // an invitation, shown once
	In      map[string]string

	Refused string // why a role was not changed
}

// readTeam reads the admins who have a role on the website, by name, the open invitations, and how much Support may
// adjust per day.
func (c *call) readTeam() (teamData, error) {
	data := teamData{
		Roles: peopleRoles, In: map[string]string{"role": string(tenancy.RoleAdmin)}, IsOwner: web.IsOwner(c.SiteOrganization.Membership),
	}
	members, err := c.Admins.Members(c.Context(), c.Scope.OrganizationID)
	if err != nil {
		return data, err
	}
	for _, member := range members {
		admin, err := c.Admins.Admin(c.Context(), member.AdminID)
		if err != nil {
			return data, err
		}
		if role := member.RoleOn(c.Site.ID); role != "" {
			data.People = append(data.People, teamRow{
				Admin: admin, Membership: member, RoleHere: role, OnEveryWebsite: member.Role != "", IsSelf: admin.ID == c.Admin.ID,
			})
		}
	}
	slices.SortStableFunc(data.People, func(a, b teamRow) int { return cmp.Compare(a.Name, b.Name) })
	limit, err := c.Admins.DailyAdjustment(c.Context(), c.Scope.At(c.Site.ID))
	if err != nil {
		return data, err
	}
	data.Limit = web.Number(limit)
	data.Open, err = c.readInvitations()
	return data, err
}

// readInvitations returns the unused invitations to this website and to the whole organization, with the names of who
// sent them.
func (c *call) readInvitations() ([]invitation, error) {
	links, err := c.Admins.Invitations(c.Context(), c.Scope.OrganizationID)
	if err != nil {
		return nil, err
	}
	var out []invitation
	for _, link := range links {
		if !link.WebsiteID.IsZero() && link.WebsiteID != c.Site.ID {
			continue
		}
		open := invitation{Link: link, By: "the command line"}
		if !link.CreatedByID.IsZero() {
			sender, err := c.Admins.Admin(c.Context(), link.CreatedByID)
			if err != nil {
				return nil, err
			}
			open.By = sender.Name
		}
		if !link.WebsiteID.IsZero() {
			open.Website = c.Site.Name
		}
		out = append(out, open)
	}
	return out, nil
}

// teamPage shows the admins of the website and the open invitations.
func teamPage(c *call) (web.View, error) {
	data, err := c.readTeam()
	if err != nil {
		return web.View{}, err
	}
	return web.Show("team", "Team", data)
}

// exportTeam exports the admins of the website as CSV. They are all read at once, as a team is small.
func exportTeam(c *call) (web.View, error) {
	data, err := c.readTeam()
	if err != nil {
		return web.View{}, err
	}
	var out web.SheetPart
	for _, member := range data.People {
		out.Rows = append(
			out.Rows, []string{member.Name, member.Email, web.RoleNames[member.RoleHere], web.IdCell(member.AdminID)},
		)
	}
	readAll := func(laurel.PageRequest) (web.SheetPart, error) { return out, nil }
	return web.ExportCSV("team.csv", []string{"name", "email", "role", "id"}, readAll)
}

// inviteAdmin creates an invitation link with a role on this website, or in the whole organization, and shows the link,
// which is never shown again. Only owners of the organization may invite.
func inviteAdmin(c *call) (web.View, error) {
	if err := c.requireOwner(); err != nil {
		return web.View{}, err
	}
	in := admins.Link{
		Kind: admins.InviteLink, OrganizationID: c.Scope.OrganizationID, Role: laurel.Role(c.PostFormValue("role")),
		Email: c.PostFormValue("email"), CreatedByID: c.Admin.ID,
		Request: c.Scope.Request,
	}
	if c.PostFormValue("where") != everyWebsite {
		in.WebsiteID = c.Site.ID
	}
	token, _, err := c.Admins.NewLink(c.Context(), in)
	data, readErr := c.readTeam()
	if readErr != nil {
		return web.View{}, readErr
	}
	if err != nil {
		return c.ShowRefused(err, "team", "Team", func(refusal web.Refusal) any {
			data.Refusal, data.In = refusal, form.TypedOf(c.PostForm, "email", "role", "where")
			return data
		})
	}
	data.Link = c.PublicURL + web.RootPath + "/link/" + token
	return web.View{Template: "team", Title: "Team", Data: data, FormDone: true}, nil
}

// requireOwner refuses admins who do not own the organization: a role on one website must not be enough to change the
// roles of others.
func (c *call) requireOwner() error {
	if web.IsOwner(c.SiteOrganization.Membership) {
		return nil
	}
	return laurel.Errorf(laurel.Forbidden, "Only owners of the organization can change this.")
}

// getTeamMemberID returns the id of the admin in the path. An admin who is not on the team of the website is not found.
// Callers who do not own the organization are refused.
func (c *call) getTeamMemberID() (laurel.ID, error) {
	id, err := c.PathID("admin", "Admin")
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
	if !slices.ContainsFunc(data.People, func(member teamRow) bool { return member.AdminID == id }) {
		return id, laurel.Missing("Admin")
	}
	return id, nil
}

// changeRole gives an admin another role, on this website or in the whole organization. A refusal, such as for the last
// owner, is shown with the team.
func changeRole(c *call) (web.View, error) {
	id, err := c.getTeamMemberID()
	if err != nil {
		return web.View{}, err
	}
	role := laurel.Role(c.PostFormValue("role"))
	if !tenancy.IsAdminRole(role) {
		return web.View{}, laurel.Errorf(laurel.Invalid, "The role must be one of the options.")
	}
	scope := laurel.Scope{OrganizationID: c.Scope.OrganizationID}
	if c.PostFormValue("where") != everyWebsite {
		scope.WebsiteID = c.Site.ID
	}
	if err := c.Admins.SetRole(c.Context(), id, scope, role); err != nil {
		return c.showTeamRefused(err)
	}
	return c.Redirect(c.SitePath("team"), "Role changed. It takes effect on the next page that the person opens.")
}

// everyWebsite is the value of the form for a role in the whole organization.
const everyWebsite = "organization"

// confirmWithdrawInvitation shows the page that asks before an invitation is withdrawn: its link cannot be restored.
func confirmWithdrawInvitation(c *call) (web.View, error) {
	id, err := c.PathID("invitation", "Invitation")
	if err != nil {
		return web.View{}, err
	}
	if err := c.requireOwner(); err != nil {
		return web.View{}, err
	}
	open, err := c.readInvitations()
	if err != nil {
		return web.View{}, err
	}
	index := slices.IndexFunc(open, func(i invitation) bool { return i.ID == id })
	if index < 0 {
		return web.View{}, laurel.Missing("Invitation")
	}
	return web.Show("team-withdraw", "Revoke this invitation?", open[index])
}

// withdrawInvitation makes the link of an invitation invalid. Only owners of the organization may.
func withdrawInvitation(c *call) (web.View, error) {
	id, err := c.PathID("invitation", "Invitation")
	if err != nil {
		return web.View{}, err
	}
	if err := c.requireOwner(); err != nil {
		return web.View{}, err
	}
	if err := c.Admins.WithdrawInvitation(c.Context(), c.Scope.OrganizationID, id); err != nil {
		return web.View{}, err
	}
	return c.Redirect(c.SitePath("team"), "Invitation revoked. Its link no longer works.")
}

// changeAdjustLimit sets how many points of a currency the Support role may add or remove per day. Only owners of the
// organization may.
func changeAdjustLimit(c *call) (web.View, error) {
	if err := c.requireOwner(); err != nil {
		return web.View{}, err
	}
	limit, err := laurel.ParseAmount(strings.ReplaceAll(strings.TrimSpace(c.PostFormValue("adjustADay")), ",", ""))
	if err != nil {
		var faults laurel.Faults
		faults.Add("adjustADay", "must be a number such as 1000")
		err = faults.Err()
	} else {
		err = c.Admins.SetDailyAdjustment(c.Context(), c.Scope.At(c.Site.ID), limit)
	}
	if err != nil {
		data, readErr := c.readTeam()
		if readErr != nil {
			return web.View{}, readErr
		}
		return c.ShowRefused(err, "team", "Team", func(refusal web.Refusal) any {
			data.Refusal, data.Limit = refusal, c.PostFormValue("adjustADay")
			return data
		})
	}
	return c.Redirect(c.SitePath("team"), "Limit saved. It applies immediately.")
}

// showTeamRefused shows the team, and says why a role was not changed. An error that is no refusal is returned.
func (c *call) showTeamRefused(err error) (web.View, error) {
	data, readErr := c.readTeam()
	if readErr != nil {
		return web.View{}, readErr
	}
	return c.ShowRefused(err, "team", "Team", func(refusal web.Refusal) any {
		data.Refused = refusal.Error
		return data
	})
}

// confirmRemoveRoles shows the page that asks before an admin loses all roles in the organization.
func confirmRemoveRoles(c *call) (web.View, error) {
	id, err := c.getTeamMemberID()
	if err != nil {
		return web.View{}, err
	}
	admin, err := c.Admins.Admin(c.Context(), id)
	if err != nil {
		return web.View{}, err
	}
	return web.Show("team-end", "Remove "+admin.Name+"?", teamRow{Admin: admin, IsSelf: id == c.Admin.ID})
}

// removeRoles removes all roles of an admin in the organization. An admin who removed their own roles is led to the
// start page.
func removeRoles(c *call) (web.View, error) {
	id, err := c.getTeamMemberID()
	if err != nil {
		return web.View{}, err
	}
	if err := c.Admins.RemoveMember(c.Context(), id, c.Scope.OrganizationID); err != nil {
		return c.showTeamRefused(err)
	}
	if id == c.Admin.ID {
		return web.View{RedirectTo: c.Base + "/"}, nil
	}
	return c.Redirect(c.SitePath("team"), "Person removed from the team. Their account still exists.")
}
