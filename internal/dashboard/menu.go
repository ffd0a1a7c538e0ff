package dashboard

import (
	"slices"
	"strings"

	"laurel/internal/admins"
)

// menuGroup is a part of the menu.
type menuGroup struct {
	ID, Title string
	Items     []menuItem
	Open      bool // the items are shown; else the title unfolds them
}

// menuItem is a link of the menu. Name is its name in the table of routes.
type menuItem struct {
	Name, Label, Icon, Address string
	right                      admins.Right
}

// menu lists all items of a website's menu. Each admin sees those that the role allows.
var menu = []menuGroup{
	{Items: []menuItem{
		{"overview", "Overview", "layout-dashboard", "", admins.SeeProgram},
		{"members", "Members", "users", "members", admins.SeeMembers},
	}},
	{ID: "program", Title: "Program", Items: []menuItem{
		{"rules", "Rules", "list-checks", "rules", admins.SeeProgram},
		{"questions", "Questions", "circle-question-mark", "questions", admins.SeeProgram},
		{"chains", "Chains", "lock", "chains", admins.SeeProgram},
		{"badges", "Badges", "award", "badges", admins.SeeProgram},
		{"leaderboard", "Leaderboard", "trophy", "leaderboard", admins.SeeProgram},
		{"referrals", "Referrals", "user-plus", "referrals", admins.SeeMembers},
	}},
	{ID: "store", Title: "Store", Items: []menuItem{
		{"store", "Catalogue", "store", "store", admins.SeeProgram},
		{"auctions", "Auctions", "gavel", "auctions", admins.SeeProgram},
		{"claims", "Token claims", "wallet", "claims", admins.SeeProgram},
	}},
	{ID: "content", Title: "Content", Items: []menuItem{
		{"pages", "Pages", "layout-template", "pages", admins.SeeProgram},
		{"files", "Files", "image", "files", admins.SeeProgram},
	}},
	{ID: "insight", Title: "Insight", Items: []menuItem{
		{"ledger", "Ledger", "scroll-text", "ledger", admins.SeeMembers},
		{"health", "Ledger health", "shield-check", "health", admins.SeeJobs},
	}},
	{ID: "integrate", Title: "Integrate", Items: []menuItem{
		{"keys", "API keys", "key-round", "keys", admins.SeeKeys},
		{"subscriptions", "Subscriptions", "webhook", "subscriptions", admins.SeeSubscriptions},
		{"functions", "Functions", "code-xml", "functions", admins.SeeProgram},
	}},
	{ID: "operate", Title: "Operate", Items: []menuItem{
		{"jobs", "Jobs and payouts", "activity", "jobs", admins.SeeJobs},
		{"currencies", "Currencies", "coins", "currencies", admins.SeeProgram},
		{"team", "Team", "users", "team", admins.ManageAdmins},
		{"activity", "Activity", "history", "activity", admins.ManageAdmins},
		{"settings", "Settings", "settings", "settings", admins.SeeProgram},
	}},
}

// mainGroup is open wherever the page is in no other group.
const mainGroup = "program"

// Menu returns the menu with the items that the admin's role may see. Groups without items are left out. Only the group
// of the current page is unfolded, or mainGroup if the page is in no group with a title, so that the menu fits a window
// of 900 px.
func (s screen) Menu() []menuGroup {
	var out []menuGroup
	for _, group := range menu {
		var items []menuItem
		for _, item := range group.Items {
			if !s.may(item.right) || !s.d.menuItems[item.Name] {
				continue
			}
			item.Address = strings.TrimSuffix(s.sitePath()+"/"+item.Address, "/")
			items = append(items, item)
		}
		if len(items) > 0 {
			open := slices.ContainsFunc(items, func(item menuItem) bool { return item.Name == s.Active })
			out = append(out, menuGroup{group.ID, group.Title, items, open})
		}
	}
	if !slices.ContainsFunc(out, func(group menuGroup) bool { return group.Open && group.ID != "" }) {
		for i := range out {
			out[i].Open = out[i].Open || out[i].ID == mainGroup
		}
	}
	return out
}

// MayCreateOrganization reports whether the admin may create an organization: owners of one may.
func (s screen) MayCreateOrganization() bool {
	for _, access := range s.organizations {
		if isOwner(access.Membership) {
			return true
		}
	}
	return false
}

// SignedIn reports whether the visitor is signed in.
func (s screen) SignedIn() bool { return !s.admin.ID.IsZero() }

// Here returns the path of this page below /admin, to return to it; "/" if the page is the response to a form.
func (s screen) Here() string {
	if s.Method != "GET" {
		return "/"
	}
	return "/" + strings.TrimPrefix(strings.TrimPrefix(s.URL.RequestURI(), rootPath), "/")
}

// OtherTheme returns the theme that the button switches to.
func (s screen) OtherTheme() string {
	if s.Theme == "dark" {
		return "light"
	}
	return "dark"
}
