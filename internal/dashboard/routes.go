package dashboard

import (
	"net/http"

	"laurel"
	"laurel/internal/admins"
	"laurel/internal/tenancy"
)

// accessKind says who may open a page.
type accessKind int

const (
	public    accessKind = iota // no right: signing in, and one-time links
	signedIn                    // a signed-in admin
	onWebsite                   // a right on the website of the path
)

// route is a page or an action: the table below is all there is.
type route struct {
	access   accessKind
	right    admins.Right // of onWebsite
	menuItem string       // of the menu
	method   string
	path     string // below /admin, and below /admin/{website} for onWebsite
	page     func(c *request) (view, error)
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

// routes returns the routes of all pages: the public ones, those of signed-in admins, and those of websites.
func routes() []route {
	out := []route{ // access, right, menu item, method, path and handler
		{public, "", "", get, "/sign-in", signInPage},
		{public, "", "", post, "/sign-in", signIn},
		{public, "", "", get, "/sign-in/second", secondFactorPage},
		{public, "", "", post, "/sign-in/second", checkSecondFactor},
		{public, "", "", post, "/sign-out", signOut},
		{public, "", "", post, "/theme", changeTheme},
		{public, "", "", get, "/link/{token}", linkPage},
		{public, "", "", post, "/link/{token}", useLink},
		{signedIn, "", "", get, "", startPage},
		{signedIn, "", "", get, "/setup", setupPage},
		{signedIn, "", "", post, "/setup", idempotent(createProgram)},
		{signedIn, "", "websites", get, "/websites", websitesPage},
		{signedIn, "", "account", get, "/account", accountPage},
		{signedIn, "", "account", post, "/account/profile", changeProfile},
		{signedIn, "", "account", post, "/account/password", changePassword},
		{signedIn, "", "account", post, "/account/second/offer", offerSecondFactor},
		{signedIn, "", "account", post, "/account/second", activateSecondFactor},
		{signedIn, "", "account", post, "/account/second/end", removeSecondFactor},
		{signedIn, "", "account", post, "/account/second/codes", renewRecoveryCodes},
		{signedIn, "", "account", post, "/account/sessions/{session}/end", endSession},
		{signedIn, "", "account", post, "/account/sessions/end", endSessions},
	}
	for _, family := range websiteRoutes {
		out = append(out, family...)
	}
	return out
}

// websiteRoutes are the routes of websites. Those of a topic stand in the file of that topic.
var websiteRoutes = [][]route{
	overviewRoutes, memberRoutes, leaderboardRoutes, referralRoutes, ruleRoutes, codeRoutes,
	listRoutes, replayRoutes, questionRoutes, chainRoutes, badgeRoutes, ledgerRoutes, healthRoutes,
	keyRoutes, subscriptionRoutes, functionRoutes, jobRoutes, currencyRoutes, activityRoutes, teamRoutes,
	settingsRoutes, pictureRoutes,
	storeRoutes, auctionRoutes,
	claimRoutes, pageRoutes, blockRoutes, sectionRoutes, fileRoutes,
}

// pattern returns the route's path for the router.
func (r route) pattern() string {
	if r.access == onWebsite {
		return rootPath + "/{website}" + r.path
	}
	return rootPath + r.path
}

// registerRoutes adds all routes to the router, with a page for all other paths, and notes which menu items have a
// page.
func (d *Dashboard) registerRoutes() {
	d.menuItems = map[string]bool{}
	for _, r := range routes() {
		d.menuItems[r.menuItem] = true
		d.mux.MethodFunc(r.method, r.pattern(), d.serve(r))
	}
	d.mux.NotFound(d.serve(route{access: public, page: func(*request) (view, error) {
		return view{}, laurel.Missing("Page")
	}}))
}
