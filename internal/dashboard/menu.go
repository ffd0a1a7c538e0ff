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

// Menu returns the menu for the admin's role. Only the group of the present page is unfolded, so that the menu fits a
// window of 900 px.
func (s screen) Menu() []menuGroup {
	var out []menuGroup
	for _, g := range menu {
		var items []menuItem
		for _, i := range g.Items {
			if !s.may(i.right) || !s.d.menuItems[i.Name] {
				continue
			}
			i.Address = strings.TrimSuffix(s.sitePath()+"/"+i.Address, "/")
			items = append(items, i)
		}
		if len(items) > 0 {
			open := slices.ContainsFunc(items, func(i menuItem) bool { return i.Name == s.Active })
			out = append(out, menuGroup{g.ID, g.Title, items, open})
		}
	}
	if !slices.ContainsFunc(out, func(g menuGroup) bool { return g.Open && g.ID != "" }) {
		for i := range out {
			out[i].Open = out[i].Open || out[i].ID == mainGroup
		}
	}
	return out
}

// MayCreateOrganization reports whether the admin owns an organization, and so may create another.
func (s screen) MayCreateOrganization() bool {
	for _, h := range s.organizations {
		if isOwner(h.Membership) {
			return true
		}
	}
	return false
}

// SignedIn reports whether the visitor is signed in.
func (s screen) SignedIn() bool { return !s.admin.ID.IsZero() }

// Here returns the path of this page below /admin, to return to it.
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
