package dashboard

import (
	"net/http"
	"slices"

	"laurel"
	"laurel/internal/admins"
	"laurel/internal/tenancy"
)

// accessKind says who may open a page.
type accessKind int

const (
	anyone    accessKind = iota // no right: signing in, and one-time links
	anyAdmin                    // a signed-in admin
	onWebsite                   // a right on the website of the path
)

// handler runs a page or an action.
type handler func(c *request) (view, error)

// route is a page or an action: the tables of routes are all there is.
type route struct {
	access   accessKind
	right    admins.Right // of onWebsite
	menuItem string       // of the menu
	method   string
	path     string // below /admin, and below /admin/{website} for onWebsite
	activity string // says in the activity log what an admin did by an action; empty: it is not recorded
	page     handler
}

// get returns the route of a page of a website.
func get(path string, right admins.Right, menuItem string, page handler) route {
	return route{onWebsite, right, menuItem, http.MethodGet, path, "", page}
}

// post returns the route of an action on a website. activity says in the activity log what an admin did by it; it is
// empty for an action that changes nothing that is stored, such as a dry run.
func post(path string, right admins.Right, menuItem, activity string, page handler) route {
	return route{onWebsite, right, menuItem, http.MethodPost, path, activity, page}
}

// publicGet returns the route of a page that needs no right.
func publicGet(path string, page handler) route {
	return route{access: anyone, method: http.MethodGet, path: path, page: page}
}

// publicPost returns the route of an action that needs no right.
func publicPost(path string, page handler) route {
	return route{access: anyone, method: http.MethodPost, path: path, page: page}
}

// adminsGet returns the route of a page for everybody who is signed in, without a website.
func adminsGet(path, menuItem string, page handler) route {
	return route{access: anyAdmin, method: http.MethodGet, path: path, menuItem: menuItem, page: page}
}

// adminsPost returns the route of an action for everybody who is signed in, without a website.
func adminsPost(path, menuItem string, page handler) route {
	return route{access: anyAdmin, method: http.MethodPost, path: path, menuItem: menuItem, page: page}
}

// RoleNames are the words for the roles of people.
var RoleNames = map[laurel.Role]string{
	tenancy.RoleSuperAdmin: "Owner", tenancy.RoleAdmin: "Manager", tenancy.RoleModerator: "Support",
	tenancy.RoleDeveloper: "Developer", tenancy.RoleViewer: "Viewer",
}

// routes returns the routes of all pages. Those of a topic stand in the file of that topic.
func routes() []route { return slices.Concat(families...) }

// families are the tables of routes.
var families = [][]route{
	signInRoutes, setupRoutes, accountRoutes,
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
	d.mux.NotFound(d.serve(route{access: anyone, page: func(*request) (view, error) {
		return view{}, laurel.Missing("Page")
	}}))
}
