// Package members is the room of members: their pages and search, the leaderboard, referrals.
package members

import (
	"embed"

	"laurel.example/laurel/internal/admins"
	"laurel.example/laurel/internal/dashboard/parts"
	"laurel.example/laurel/internal/dashboard/web"
	"laurel.example/laurel/internal/engagement"
	"laurel.example/laurel/internal/identity/attributes"
	"laurel.example/laurel/internal/identity/delegations"
	"laurel.example/laurel/internal/identity/devices"
	"laurel.example/laurel/internal/memberimports"
	"laurel.example/laurel/internal/points/expiry"
	"laurel.example/laurel/internal/points/external"
	"laurel.example/laurel/internal/points/transactions"
)

//go:embed templates
var templates embed.FS

// Services are those that only this room calls.
type Services struct {
	Attributes   *attributes.Service
	Delegations  *delegations.Service
	Devices      *devices.Service
	Engagement   *engagement.Service
	Expiry       *expiry.Service
	External     *external.Service
	Imports      *memberimports.Service
	Transactions *transactions.Service
}

// call is a call of a page of this room, with the services that the page shows.
type call struct {
	parts.Call
	*Services
}

// route is a page or an action of this room.
type route = web.RouteOf[*call]

// labels are those of the fields that only this room has.
var labels = web.Labels{"at": "At", "reason": "Reason", "direction": "Direction"}

// Room returns the pages of the room.
func Room(p *parts.Services, s *Services) web.Room {
	of := func(c *web.Call) *call { return &call{parts.Call{Call: c, Services: p}, s} }
	return web.Room{
		Routes: web.Bind(of, memberRoutes, importRoutes, leaderboardRoutes, referralRoutes),
		Menu: []web.MenuItem{
			web.Item("", "members", "Members", "users", admins.SeeMembers),
			web.Item("program", "leaderboard", "Leaderboard", "trophy", admins.SeeProgram),
			web.Item("program", "referrals", "Referrals", "user-plus", admins.SeeMembers),
		},
		Templates: templates,
		Labels:    labels,
	}
}
