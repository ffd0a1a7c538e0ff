// Package account is the room of admins themselves: signing in, one-time links, the account, the setup of a program,
// and the websites to choose from.
package account

import (
	"embed"
	"html/template"

	"laurel.example/laurel/internal/dashboard/web"
	"laurel.example/laurel/internal/points/ledger"
)

//go:embed templates
var templates embed.FS

// Services are those that only this room calls.
type Services struct {
	Ledger *ledger.Service
}

// call is a call of a page of this room, with the services that the page shows.
type call struct {
	*web.Call
	*Services
}

// route is a page or an action of this room.
type route = web.RouteOf[*call]

// labels are those of the fields that only this room has.
var labels = web.Labels{"old": "Current password", "timeZone": "Time zone"}

// Room returns the pages of the room.
func Room(s *Services) web.Room {
	of := func(c *web.Call) *call { return &call{c, s} }
	return web.Room{
		Routes:    web.Bind(of, signInRoutes, providerRoutes, setupRoutes, accountRoutes),
		Templates: templates,
		Labels:    labels,
		Funcs: template.FuncMap{
			"agent": agentName,
		},
	}
}
