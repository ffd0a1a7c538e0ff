// Package dashboard serves the pages at /admin: templates and forms over the services below, which make all decisions.
// It has no SQL and no business rules of its own.
//
// Its pages stand in rooms, the packages beside web, form and parts: members, rules, badges and so on. A room has the
// routes of its pages with their rights, its items of the menu, and its templates. This package gives the rooms their
// services and puts them into one menu; of pages it has only the overview.
package dashboard

import (
	"embed"
	"net/http"

	"laurel.example/laurel/internal/admins"
	"laurel.example/laurel/internal/dashboard/account"
	"laurel.example/laurel/internal/dashboard/badges"
	"laurel.example/laurel/internal/dashboard/content"
	"laurel.example/laurel/internal/dashboard/integrate"
	"laurel.example/laurel/internal/dashboard/ledger"
	"laurel.example/laurel/internal/dashboard/members"
	"laurel.example/laurel/internal/dashboard/parts"
	"laurel.example/laurel/internal/dashboard/rules"
	"laurel.example/laurel/internal/dashboard/settings"
	"laurel.example/laurel/internal/dashboard/store"
	"laurel.example/laurel/internal/dashboard/web"
	"laurel.example/laurel/internal/feed"
	"laurel.example/laurel/internal/points/payouts"
	"laurel.example/laurel/internal/webhooks"
)

// Config has the settings and services of every page, those of the parts, and those that single rooms call.
type Config struct {
	web.Config
	Overview  Services
	Parts     parts.Services
	Account   account.Services
	Content   content.Services
	Integrate integrate.Services
	Ledger    ledger.Services
	Members   members.Services
	Rules     rules.Services
	Settings  settings.Services
	Store     store.Services
}

// menuGroups are the parts of the menu, in order. The items are those of the rooms.
var menuGroups = []web.MenuGroup{
	{},
	{ID: "program", Title: "Program"},
	{ID: "store", Title: "Store"},
	{ID: "content", Title: "Content"},
	{ID: "insight", Title: "Insight"},
	{ID: "integrate", Title: "Integrate"},
	{ID: "operate", Title: "Operate"},
}

// New returns the dashboard over the services in the configuration. It fails if an embedded asset, licence or template
// cannot be read.
func New(c Config) (http.Handler, error) { return newServer(c) }

// newServer returns the server of all rooms.
func newServer(c Config) (*web.Server, error) {
	return web.New(c.Config, menuGroups, parts.Templates, rooms(c))
}

// rooms returns all rooms, in the order of their items in the menu.
func rooms(c Config) []web.Room {
	return []web.Room{
		overviewRoom(&c.Parts, &c.Overview),
		rules.Room(&c.Parts, &c.Rules),
		badges.Room(&c.Parts),
		members.Room(&c.Parts, &c.Members),
		store.Room(&c.Parts, &c.Store),
		content.Room(&c.Parts, &c.Content),
		ledger.Room(&c.Parts, &c.Ledger),
		integrate.Room(&c.Integrate),
		settings.Room(&c.Settings),
		account.Room(&c.Account),
	}
}

//go:embed templates
var templates embed.FS

// Services are those that only the overview calls.
type Services struct {
	Feed     *feed.Feed
	Payouts  *payouts.Service
	Webhooks *webhooks.Service
}

// call is a call of the overview, with the services that it shows.
type call struct {
	parts.Call
	*Services
}

// route is a page of this package.
type route = web.RouteOf[*call]

// overviewRoom returns the room of the overview.
func overviewRoom(p *parts.Services, s *Services) web.Room {
	of := func(c *web.Call) *call { return &call{parts.Call{Call: c, Services: p}, s} }
	return web.Room{
		Routes: web.Bind(of, overviewRoutes),
		Menu: []web.MenuItem{
			{Name: "overview", Label: "Overview", Icon: "layout-dashboard", Right: admins.SeeProgram},
		},
		Templates: templates,
	}
}
