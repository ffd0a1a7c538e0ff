// Package store is the room of the store: the catalogue of contracts and items, auctions, token claims.
package store

import (
	"embed"

	"laurel.example/laurel/internal/admins"
	"laurel.example/laurel/internal/commerce/auctions"
	"laurel.example/laurel/internal/commerce/claims"
	"laurel.example/laurel/internal/commerce/contracts"
	"laurel.example/laurel/internal/commerce/minting"
	"laurel.example/laurel/internal/dashboard/form"
	"laurel.example/laurel/internal/dashboard/parts"
	"laurel.example/laurel/internal/dashboard/web"
)

//go:embed templates
var templates embed.FS

// Services are those that only this room calls.
type Services struct {
	Auctions  *auctions.Service
	Claims    *claims.Service
	Contracts *contracts.Service
	Minting   *minting.Service
}

// call is a call of a page of this room, with the services that the page shows.
type call struct {
	parts.Call
	*Services
}

// route is a page or an action of this room.
type route = web.RouteOf[*call]

// labels are those of the fields of this room, from the tables of its forms and beside them.
var labels = form.Labels(web.Labels{
	"auctionItems": "Item", "contractKind": "Where items are minted", "contractAddress": "Address",
	"contractId": "Token", "contractName": "Token name", "contractNetwork": "Network", "address": "Contract address",
}, contractTable.Fields, contractCreationFields, itemTable.Fields, auctionTable.Fields, claimTable.Fields)

// Room returns the pages of the room.
func Room(p *parts.Services, s *Services) web.Room {
	of := func(c *web.Call) *call { return &call{parts.Call{Call: c, Services: p}, s} }
	return web.Room{
		Routes: web.Bind(of, storeRoutes, auctionRoutes, claimRoutes),
		Menu: []web.MenuItem{
			web.Item("store", "store", "Catalogue", "store", admins.SeeProgram),
			web.Item("store", "auctions", "Auctions", "gavel", admins.SeeProgram),
			web.Item("store", "claims", "Token claims", "wallet", admins.SeeProgram).OnlyOnChain(),
		},
		Templates: templates,
		Labels:    labels,
	}
}
