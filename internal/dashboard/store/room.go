// Package store is the room of the store: the catalogue of contracts and items, auctions, token claims.
package store

import (
	"embed"

	"laurel/internal/admins"
	"laurel/internal/commerce/auctions"
	"laurel/internal/commerce/claims"
	"laurel/internal/commerce/contracts"
	"laurel/internal/commerce/minting"
	"laurel/internal/dashboard/parts"
	"laurel/internal/dashboard/web"
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

// labels are those of the fields that only this room has.
var labels = web.Labels{
	"auctionItems": "Item", "collectInfoType": "Information to ask for", "contractKind": "Where items are minted",
	"extendedDurationInSeconds": "Extension, seconds", "externalLinkUrl": "Link", "listingEndsAt": "Listed until",
	"listingStartsAt": "Listed from", "minBidAmount": "Lowest bid", "minBidIncrement": "Minimum increase",
	"mustOwnCollections": "Collections", "perUserMintLimit": "Limit per member", "price": "Price",
	"quantity": "Quantity", "reservePrice": "Reserve price", "royaltyFee": "Royalty, percent",
	"tokenType": "Token type", "claimContractAddress": "Claim contract", "contractAddress": "Address",
	"contractId": "Token", "contractName": "Token name", "contractNetwork": "Network", "erc20Decimals": "Decimals",
	"geoBlock": "Blocked countries", "maxBonus": "Maximum bonus", "minLockup": "Minimum lock period",
	"minLockupForMultiplier": "Minimum lock period for the multiplier", "minPercentageToStake": "Minimum stake",
	"relayerId": "Relayer", "stakingContractAddress": "Staking contract", "stakingContractType": "Staking type",
	"tokenId": "Token ID", "endTime": "Closes", "startTime": "Opens", "loyaltyBadgeIds": "Badges",
}

// Room returns the pages of the room.
func Room(p *parts.Services, s *Services) web.Room {
	of := func(c *web.Call) *call { return &call{parts.Call{Call: c, Services: p}, s} }
	return web.Room{
		Routes: web.Bind(of, storeRoutes, auctionRoutes, claimRoutes),
		Menu: []web.MenuItem{
			web.Item("store", "store", "Catalogue", "store", admins.SeeProgram),
			web.Item("store", "auctions", "Auctions", "gavel", admins.SeeProgram),
			web.Item("store", "claims", "Token claims", "wallet", admins.SeeProgram),
		},
		Templates: templates,
		Labels:    labels,
	}
}
