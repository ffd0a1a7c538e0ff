// Package integrate is the room of integrations: API keys, subscriptions, functions.
package integrate

import (
	"embed"
	"html/template"

	"laurel/internal/admins"
	"laurel/internal/dashboard/form"
	"laurel/internal/dashboard/web"
	"laurel/internal/functions"
	"laurel/internal/webhooks"
)

//go:embed templates
var templates embed.FS

// Services are those that only this room calls.
type Services struct {
	Functions *functions.Service
	Webhooks  *webhooks.Service
}

// call is a call of a page of this room, with the services that the page shows.
type call struct {
	*web.Call
	*Services
}

// route is a page or an action of this room.
type route = web.RouteOf[*call]

// labels are those of the fields of this room, from the tables of its forms and beside them.
var labels = form.Labels(web.Labels{
	"allowedOrigins": "Allowed origins", "triggerId": "Trigger ID", "expiresAt": "Expires",
	"roleType": "Where the key is used", "reason": "Reason",
}, subscriptionTable.Fields, functionFields)

// Room returns the pages of the room.
func Room(s *Services) web.Room {
	of := func(c *web.Call) *call { return &call{c, s} }
	return web.Room{
		Routes: web.Bind(of, keyRoutes, subscriptionRoutes, functionRoutes),
		Menu: []web.MenuItem{
			web.Item("integrate", "keys", "API keys", "key-round", admins.SeeKeys),
			web.Item("integrate", "subscriptions", "Subscriptions", "webhook", admins.SeeSubscriptions),
			web.Item("integrate", "functions", "Functions", "code-xml", admins.SeeProgram),
		},
		Templates: templates,
		Labels:    labels,
		Funcs: template.FuncMap{
			"keyKind":    keyKindName,
			"runTrigger": func(trigger string) string { return triggerNames[trigger] },
		},
	}
}
