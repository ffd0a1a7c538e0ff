// Package commerce holds the operations on what members can get for points, and on the contracts behind it. It shapes
// requests and responses and decides nothing.
package commerce

import (
	"laurel.example/laurel/internal/api/caller"
	"laurel.example/laurel/internal/api/rest"
	"laurel.example/laurel/internal/commerce/contracts"
	"laurel.example/laurel/internal/commerce/holds"
	"laurel.example/laurel/internal/report"
)

// Config holds what the operations need.
type Config struct {
	Caller    *caller.Resolver
	Contracts *contracts.Service
	Holds     *holds.Service
	Report    *report.Service
}

// handlers are the operations, one method each.
type handlers struct{ Config }

// Operations are the operations of commerce, for the table of routes in package api.
type Operations struct {
	ListContracts, GetContract, CreateContract, UpdateContract, DeleteContract,
	ListHolds, GetHold, CreateHold, CaptureHold, ReleaseHold rest.OperationHandler
}

// New returns the operations on contracts and holds. Each has its handler and its texts for the OpenAPI document.
func New(cfg Config) Operations {
	h := &handlers{cfg}
	respond := caller.Shaped(shapeWithABI)
	getContract := caller.ByID(cfg.Caller, cfg.Contracts.Get, respond)
	return Operations{
		ListContracts: rest.Handle(h.listContracts,
			rest.Note("Newest first. Without the ABIs with includeAbi=false."),
		),
		GetContract: rest.Handle(getContract, rest.Note("With its ABI.")),
		CreateContract: rest.Handle(caller.Create(cfg.Caller, cfg.Contracts.Create, respond),
			rest.Note("A live contract is unique by website, chain and address. chainId is null if the chain was not given."),
			rest.Example(`{"name":"Shop token","address":"0x00000000000000000000000000000000000c0113","chainId":8453,"type":"erc20"}`),
			rest.Created,
		),
		UpdateContract: rest.Handle(caller.Update(cfg.Caller, cfg.Contracts.Update, respond), rest.IfMatch(getContract),
			rest.Note("An absent property keeps its value. Address and chain stay."),
			rest.Example(`{"name":"Shop points"}`),
		),
		DeleteContract: rest.Handle(caller.ByID(cfg.Caller, cfg.Contracts.Delete, respond), rest.IfMatch(getContract),
			rest.Note("Refused while a live rule or token claim names it. Its address can be registered again."),
		),
		ListHolds: rest.Handle(h.listHolds,
			rest.Note("Newest first. Client keys name exactly one user and send its member token."),
		),
		GetHold: rest.Handle(h.getHold, rest.Note("Client keys send the member token of the hold's user.")),
		CreateHold: rest.Handle(h.createHold,
			rest.Note("The amount is debited at once, by a transaction of type order: from the member, and what its balance does not cover from its group. "+
				"What is neither captured nor released goes back when the hold expires. A repeated idempotencyKey with an equal input returns the hold as it is now."),
			rest.Example(`{`+rest.ExampleWallet+`,"loyaltyCurrencyId":`+rest.ExampleID+
				`,"amount":120,"description":"Order A-1","expiresInSeconds":900,"idempotencyKey":"A-1","metadata":{"orderId":"A-1"}}`),
		),
		CaptureHold: rest.Handle(h.captureHold,
			rest.Note("The rest goes back in the same transaction to the accounts that paid, the last payer "+
				"first. A hold is captured once."),
			rest.Example(`{"amount":100}`),
		),
		ReleaseHold: rest.Handle(h.releaseHold,
			rest.Note("All goes back to the accounts that paid."),
			rest.Example(`{}`),
		),
	}
}
