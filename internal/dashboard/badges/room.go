// Package badges is the room of badges: their lists, forms and holders, granting and revoking.
package badges

import (
	"embed"
	"html/template"

	"laurel.example/laurel/internal/admins"
	"laurel.example/laurel/internal/dashboard/parts"
	"laurel.example/laurel/internal/dashboard/web"
)

//go:embed templates
var templates embed.FS

// call is a call of a page of this room, with the services that the page shows.
type call struct {
	parts.Call
}

// route is a page or an action of this room.
type route = web.RouteOf[*call]

// labels are those of the fields that only this room has.
var labels = web.Labels{"csvFiles": "List", "loyaltyBadgeIds": "Badges"}

// Room returns the pages of the room.
func Room(p *parts.Services) web.Room {
	of := func(c *web.Call) *call { return &call{parts.Call{Call: c, Services: p}} }
	return web.Room{
		Routes: web.Bind(of, badgeRoutes),
		Menu: []web.MenuItem{
			web.Item("program", "badges", "Badges", "award", admins.SeeProgram),
		},
		Templates: templates,
		Labels:    labels,
		Funcs: template.FuncMap{
			"badgeJob": badgeJobText,
		},
	}
}
