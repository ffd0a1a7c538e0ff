package web

import (
	"net/http"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/admins"
	"laurel.example/laurel/internal/tenancy"
)

// Access says who may open a page.
type Access int

// The kinds of access.
const (
	Anyone    Access = iota // no right: signing in, and one-time links
	AnyAdmin                // a signed-in admin
	OnWebsite               // a right on the website of the path
)

// RouteOf is a page or an action. C is the type of the call that its handler takes: that of the room.
type RouteOf[C any] struct {
	Access   Access
	Right    admins.Right // of OnWebsite
	MenuItem string       // name of the item of the menu
	Method   string
	Path     string // below /admin, and below /admin/{website} for OnWebsite
	Activity string // says in the activity log what an admin did by an action; empty: it is not recorded
	Page     func(C) (View, error)
}

// Route is a page or an action as the server runs it.
type Route = RouteOf[*Call]

// Get returns the route of a page of a website.
func Get[C any](path string, right admins.Right, menuItem string, page func(C) (View, error)) RouteOf[C] {
	return RouteOf[C]{OnWebsite, right, menuItem, http.MethodGet, path, "", page}
}

// Post returns the route of an action on a website. activity says in the activity log what an admin did by it; it is
// empty for an action that changes nothing that is stored, such as a dry run.
func Post[C any](
	path string, right admins.Right, menuItem, activity string, page func(C) (View, error),
) RouteOf[C] {
	return RouteOf[C]{OnWebsite, right, menuItem, http.MethodPost, path, activity, page}
}

// PublicGet returns the route of a page that needs no right.
func PublicGet[C any](path string, page func(C) (View, error)) RouteOf[C] {
	return RouteOf[C]{Access: Anyone, Method: http.MethodGet, Path: path, Page: page}
}

// PublicPost returns the route of an action that needs no right.
func PublicPost[C any](path string, page func(C) (View, error)) RouteOf[C] {
	return RouteOf[C]{Access: Anyone, Method: http.MethodPost, Path: path, Page: page}
}

// AdminsGet returns the route of a page for everybody who is signed in, without a website.
func AdminsGet[C any](path, menuItem string, page func(C) (View, error)) RouteOf[C] {
	return RouteOf[C]{Access: AnyAdmin, Method: http.MethodGet, Path: path, MenuItem: menuItem, Page: page}
}

// AdminsPost returns the route of an action for everybody who is signed in, without a website.
func AdminsPost[C any](path, menuItem string, page func(C) (View, error)) RouteOf[C] {
	return RouteOf[C]{Access: AnyAdmin, Method: http.MethodPost, Path: path, MenuItem: menuItem, Page: page}
}

// Bind returns the routes of a room as the server runs them. of makes the room's call from that of the server.
func Bind[C any](of func(*Call) C, tables ...[]RouteOf[C]) []Route {
	var out []Route
	for _, table := range tables {
		for _, r := range table {
			page := func(c *Call) (View, error) { return r.Page(of(c)) }
			out = append(out, Route{r.Access, r.Right, r.MenuItem, r.Method, r.Path, r.Activity, page})
		}
	}
	return out
}

// Pattern returns the route's path for the router.
func (r RouteOf[C]) Pattern() string {
	if r.Access == OnWebsite {
		return RootPath + "/{website}" + r.Path
	}
	return RootPath + r.Path
}

// RoleNames are the words for the roles of people.
var RoleNames = map[laurel.Role]string{
	tenancy.RoleSuperAdmin: "Owner", tenancy.RoleAdmin: "Manager", tenancy.RoleModerator: "Support",
	tenancy.RoleDeveloper: "Developer", tenancy.RoleViewer: "Viewer",
}
