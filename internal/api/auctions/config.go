// Package auctions holds the operations on auctions, their items and bids. It shapes requests and responses and decides
// nothing.
package auctions

import (
	"laurel.example/laurel/internal/api/caller"
	"laurel.example/laurel/internal/api/rest"
	"laurel.example/laurel/internal/commerce/auctions"
	"laurel.example/laurel/internal/commerce/minting"
	"laurel.example/laurel/internal/points/ledger"
	"laurel.example/laurel/internal/report"
	"laurel.example/laurel/internal/tenancy"
)

// Config holds what the operations need.
type Config struct {
	Caller    *caller.Resolver
	Tenancy   *tenancy.Service
	Secrets   *rest.Secrets
	Ledger    *ledger.Service
	Minting   *minting.Service
	Auctions  *auctions.Service
	Report    *report.Service
	LimitsOff bool // disables the limit of bids through client keys, which holds across nodes
}

// handlers are the operations, one method each.
type handlers struct{ Config }

// Operations are the operations on auctions, for the table of routes in package api.
type Operations struct {
	List, Get, Create, Update, Cancel, ListItems, GetItem, AddItems, ListBids, GetBid, Bid rest.OperationHandler
}

// New returns the operations on auctions, their items and bids. Each has its handler and its texts for the OpenAPI
// document.
func New(cfg Config) Operations {
	h := &handlers{cfg}
	return Operations{
		List: rest.Handle(h.list, rest.Note(
			"Newest first. reservePrice is shown to secret keys only. auctionBids are the highest 10, of equal bids the earlier first, and "+
				"none while bids are hidden.")),
		Get: rest.Handle(h.get, rest.Note("As lists show it.")),
		Create: rest.Handle(h.create,
			rest.Note("Bids are points of loyaltyCurrencyId, whose balances no external ledger keeps. Items reserve their stock at once. An "+
				"english auction has one item, which can be added later."),
			rest.Example(`{"name":"Signed poster","type":"english","startsAt":"2026-01-15T12:00:00Z",`+
				`"endsAt":"2026-01-16T12:00:00Z","loyaltyCurrencyId":`+rest.ExampleID+`,"minBidAmount":"100","minBidIncrement":"10",`+
				`"extendedDurationInSeconds":300,"mintingContractId":`+rest.ExampleID+
				`,"auctionItems":[{"mintingContractAssetId":`+rest.ExampleID+`}]}`),
		),
		Update: rest.Handle(h.update, rest.IfMatch(h.get),
			rest.Note("An absent property keeps its value. Times cannot change once it has a bid or has ended; type, currency, network and contract never can."),
			rest.Example(`{"description":"With a frame"}`),
		),
		Cancel: rest.Handle(h.cancel,
			rest.Note("All bids are refunded and the stock is released. No one wins."),
			rest.Example(`{}`),
		),
		ListItems: rest.Handle(h.listItems, rest.Note("By sortId.")),
		GetItem:   rest.Handle(h.getItem, rest.Note("As lists show it.")),
		AddItems: rest.Handle(h.addItems,
			rest.Note("Until the auction ends. An auction has at most 50."),
			rest.Example(`{"auctionItems":[{"mintingContractAssetId":`+rest.ExampleID+`,"quantity":1,"sortId":2}]}`),
		),
		ListBids: rest.Handle(h.listBids, rest.Note(
			"By amount, the highest first unless orderBy is asc. Client keys see hidden bids only of the member whose token they "+
				"send.")),
		GetBid: rest.Handle(h.getBid, rest.Note("As lists show it.")),
		Bid: rest.Handle(h.placeBid,
			rest.Note("The amount is debited at once. A new bid replaces the member's own and debits the difference; in an english "+
				"auction the points of the best bid before it go back in the same transaction. Client keys send the member token, "+
				"also where the website trusts them."),
			rest.Example(`{"auctionId":`+rest.ExampleID+`,"amount":"120",`+rest.ExampleWallet+`}`),
		),
	}
}
