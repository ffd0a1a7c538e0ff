// Package integrate is the room of integrations: API keys, subscriptions, functions, the operator's providers and
// networks, and in development the outbox.
package integrate

import (
	"embed"
	"html/template"

	"laurel.example/laurel/internal/admins"
	"laurel.example/laurel/internal/dashboard/form"
	"laurel.example/laurel/internal/dashboard/web"
	"laurel.example/laurel/internal/evm/node"
	"laurel.example/laurel/internal/evm/reader"
	"laurel.example/laurel/internal/evm/usage"
	"laurel.example/laurel/internal/functions"
	"laurel.example/laurel/internal/identity/connect"
	"laurel.example/laurel/internal/messages"
	"laurel.example/laurel/internal/platforms"
	"laurel.example/laurel/internal/webhooks"
)

//go:embed templates
var templates embed.FS

// Services are those that only this room calls.
type Services struct {
	Flows     *connect.Flows
	Functions *functions.Service
	Messages  *messages.Service
	Networks  *node.Networks
	Platforms *platforms.Client
	Reader    *reader.Reader
	Usage     *usage.Reader
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
	"roleType": "Where the key is used", "reason": "Reason", "replayFrom": "Replay from",
}, subscriptionTable.Fields, functionTable.Fields)

// Room returns the pages of the room.
func Room(s *Services) web.Room {
	of := func(c *web.Call) *call { return &call{c, s} }
	menu := []web.MenuItem{
		web.Item("integrate", "keys", "API keys", "key-round", admins.SeeKeys),
		web.Item("integrate", "subscriptions", "Subscriptions", "webhook", admins.SeeSubscriptions),
		web.Item("integrate", "functions", "Functions", "code-xml", admins.SeeProgram),
		web.Item("integrate", "providers", "Providers", "link", admins.SeeKeys),
		web.Item("integrate", "networks", "Networks", "blocks", admins.SeeKeys),
	}
	if s.Messages != nil && s.Messages.HasOutbox() {
		menu = append(menu, web.Item("integrate", "outbox", "Outbox", "scroll-text", admins.SeeKeys))
	}
	return web.Room{
		Routes:    web.Bind(of, keyRoutes, subscriptionRoutes, functionRoutes, providerRoutes, networkRoutes, outboxRoutes),
		Menu:      menu,
		Templates: templates,
		Labels:    labels,
		Funcs: template.FuncMap{
			"keyKind":    keyKindName,
			"isMail":     func(kind messages.Kind) bool { return kind == messages.Email },
			"runTrigger": func(trigger string) string { return triggerNames[trigger] },
		},
	}
}
