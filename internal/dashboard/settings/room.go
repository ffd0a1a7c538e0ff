// Package settings is the room of the website itself: its settings, its team, and what the team did.
package settings

import (
	"embed"

	"laurel.example/laurel/internal/admins"
	"laurel.example/laurel/internal/dashboard/form"
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

// labels are those of the fields of this room, from the table of its form and beside it.
var labels = form.Labels(web.Labels{
	"adjustADay": "Adjustments per day", "role": "Role", "roleType": "Role",
}, siteTable.Fields)

// Room returns the pages of the room.
func Room(s *Services) web.Room {
	of := func(c *web.Call) *call { return &call{c, s} }
	return web.Room{
		Routes: web.Bind(of, teamRoutes, activityRoutes, settingsRoutes),
		Menu: []web.MenuItem{
			web.Item("operate", "team", "Team", "users", admins.ManageAdmins),
			web.Item("operate", "activity", "Activity", "history", admins.ManageAdmins),
			web.Item("operate", "settings", "Settings", "settings", admins.SeeProgram),
		},
		Templates: templates,
		Labels:    labels,
	}
}
