package dashboard

import (
	"net/http"

	"laurel"
	"laurel/internal/admins"
	"laurel/internal/tenancy"
)

// kind says what a page needs before it runs.
type kind int

const (
	open      kind = iota // nothing: signing in, and links that are good once
	ofAdmin               // somebody who is signed in
	ofWebsite             // a right on the website of the path
)

// route is a page or an action: the table below is all there is.
type route struct {
	kind   kind
	right  admins.Right // of ofWebsite
	item   string       // of the menu
	method string
	path   string // below /admin, and below /admin/{website} for ofWebsite
	page   func(c *call) (view, error)
}

// RoleNames are the words for the roles of people.
var RoleNames = map[laurel.Role]string{
	tenancy.RoleSuperAdmin: "Owner", tenancy.RoleAdmin: "Manager", tenancy.RoleModerator: "Support",
	tenancy.RoleDeveloper: "Developer", tenancy.RoleViewer: "Viewer",
}

const (
	get  = http.MethodGet
	post = http.MethodPost
)

// routes are the pages of everybody, of who is signed in, and of websites, family by family.
func routes() []route {
	out := []route{
		{open, "", "", get, "/sign-in", signInPage},
		{open, "", "", post, "/sign-in", signIn},
		{open, "", "", get, "/sign-in/second", secondFactorPage},
		{open, "", "", post, "/sign-in/second", checkSecondFactor},
		{open, "", "", post, "/sign-out", signOut},
		{open, "", "", post, "/theme", changeTheme},
		{open, "", "", get, "/link/{token}", linkPage},
		{open, "", "", post, "/link/{token}", useLink},
		{ofAdmin, "", "", get, "", startPage},
		{ofAdmin, "", "", get, "/setup", setupPage},
		{ofAdmin, "", "", post, "/setup", once(createProgram)},
		{ofAdmin, "", "websites", get, "/websites", websitesPage},
		{ofAdmin, "", "account", get, "/account", accountPage},
		{ofAdmin, "", "account", post, "/account/profile", changeProfile},
		{ofAdmin, "", "account", post, "/account/password", changePassword},
		{ofAdmin, "", "account", post, "/account/second/offer", offerSecondFactor},
		{ofAdmin, "", "account", post, "/account/second", activateSecondFactor},
		{ofAdmin, "", "account", post, "/account/second/end", removeSecondFactor},
		{ofAdmin, "", "account", post, "/account/second/codes", renewRecoveryCodes},
		{ofAdmin, "", "account", post, "/account/sessions/{session}/end", endSession},
		{ofAdmin, "", "account", post, "/account/sessions/end", endSessions},
	}
	for _, family := range families {
		out = append(out, family...)
	}
	return out
}

// families are the pages of websites, each family in a file of its own.
var families = [][]route{
	overviewRoutes, memberRoutes, leaderboardRoutes, referralRoutes, ruleRoutes, codeRoutes,
	listRoutes, replayRoutes, questionRoutes, chainRoutes, badgeRoutes, ledgerRoutes, healthRoutes,
	keyRoutes, subscriptionRoutes, functionRoutes, jobRoutes, currencyRoutes, activityRoutes, teamRoutes,
	settingsRoutes, pictureRoutes,
	storeRoutes, auctionRoutes,
	claimRoutes, pageRoutes, blockRoutes, sectionRoutes, fileRoutes,
}

// pattern is the path of a route in the words of the router.
func (r route) pattern() string {
	if r.kind == ofWebsite {
		return root + "/{website}" + r.path
	}
	return root + r.path
}

func (d *Dashboard) route() {
	d.items = map[string]bool{}
	for _, r := range routes() {
		d.items[r.item] = true
		d.mux.MethodFunc(r.method, r.pattern(), d.serve(r))
	}
	d.mux.NotFound(d.serve(route{kind: open, page: func(*call) (view, error) {
		return view{}, laurel.Missing("Page")
	}}))
}
