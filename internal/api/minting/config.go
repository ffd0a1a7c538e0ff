// Package minting holds the operations on minting contracts, their assets, allowlists and mints. It shapes requests and
// responses and decides nothing.
package minting

import (
	"context"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/api/caller"
	"laurel.example/laurel/internal/api/rest"
	"laurel.example/laurel/internal/commerce/minting"
	"laurel.example/laurel/internal/engagement/badges"
	"laurel.example/laurel/internal/report"
	"laurel.example/laurel/internal/tenancy"
)

// Config holds what the operations need.
type Config struct {
	Caller  *caller.Resolver
	Tenancy *tenancy.Service
	Minting *minting.Service
	Badges  *badges.Service
	Report  *report.Service
	// AuctionItems returns the auction items of assets, by asset; nil: there are no auctions.
	AuctionItems func(
		ctx context.Context, scope laurel.Scope, assets []laurel.ID,
	) (map[laurel.ID][]laurel.ID, error)
	LimitsOff bool // disables the limits of mints through client keys, which hold across nodes
}

// handlers are the operations, one method each.
type handlers struct{ Config }

// Operations are the operations of minting, for the table of routes in package api.
type Operations struct {
	ListContracts, GetContract, CreateContract, UpdateContract, DeleteContract,
	ListAssets, GetAsset, CreateAsset, UpdateAsset, DeleteAsset,
	ListAllowed, Allow, TokenGate, Mint, ListMints, GetMint, ReportMint rest.OperationHandler
}

// New returns the operations on minting contracts, assets, allowlists and mints. Each has its handler and its texts for
// the OpenAPI document.
func New(cfg Config) Operations {
	h := &handlers{cfg}
	getContract := caller.ByID(cfg.Caller, cfg.Minting.Contract, h.contractResponse)
	return Operations{
		ListContracts: rest.Handle(h.listContracts, rest.Note(
			"Newest first, each with its newest 100 assets that are not hidden. stats count live assets; its sums are null where "+
				"there is none.")),
		GetContract: rest.Handle(getContract, rest.Note("As lists show it.")),
		CreateContract: rest.Handle(h.createContract,
			rest.Note("Assets of a contract that is not listed cannot be minted. A website has at most 1000."),
			rest.Example(`{"name":"Posters","contractKind":"OFFCHAIN","isListed":true,"perUserMintLimit":2}`),
		),
		UpdateContract: rest.Handle(h.updateContract, rest.IfMatch(getContract),
			rest.Note("An absent property keeps its value. contractKind and tokenType stay."),
			rest.Example(`{"isListed":true}`),
		),
		DeleteContract: rest.Handle(caller.ByID(cfg.Caller, cfg.Minting.DeleteContract, h.contractResponse),
			rest.IfMatch(getContract), rest.Note("Its assets are deleted with it, with an event for each. Pending mints continue.")),
		ListAssets: rest.Handle(h.listAssets, rest.Note(
			"Newest first, or by sortBy, ascending unless sortDir says otherwise. active: listed, with its contract, and inside "+
				"its window; past: its window is over.")),
		GetAsset: rest.Handle(h.getAsset, rest.Note("As lists show it, also a hidden one.")),
		CreateAsset: rest.Handle(h.createAsset,
			rest.Note("assetNr counts 1, 2, ... in the contract."),
			rest.Example(`{"mintingContractId":`+rest.ExampleID+`,"name":"Poster","price":250,"loyaltyCurrencyId":`+
				rest.ExampleID+`,"quantity":100,"isListed":true}`),
		),
		UpdateAsset: rest.Handle(h.updateAsset, rest.IfMatch(h.getAsset),
			rest.Note("An absent property keeps its value. quantity stays at least what is minted or reserved."),
			rest.Example(`{"price":200}`),
		),
		DeleteAsset: rest.Handle(h.deleteAsset, rest.IfMatch(h.getAsset), rest.Note("Pending mints continue.")),
		ListAllowed: rest.Handle(h.listAllowlist, rest.Note("Newest first.")),
		Allow: rest.Handle(h.addToAllowlist,
			rest.Note("A wallet that is on the list gets the new quantity; createdCount counts new entries. The list holds while the "+
				"asset has isAllowlisted."),
			rest.Example(`{"mintingContractAssetId":`+rest.ExampleID+`,"entries":[{`+rest.ExampleWallet+`,"quantity":2}]}`),
		),
		TokenGate: rest.Handle(h.tokenGate,
			rest.Note("Whether a token opens the gate of an asset. Without a reader of blockchains none does.")),
		Mint: rest.Handle(h.mint,
			rest.Note("OFFCHAIN: the points are debited and the items minted at once. ONCHAIN: both are reserved until the mint is "+
				"reported; one that is not reported within an hour has failed, and all goes back."),
			rest.Example(`{"contractId":`+rest.ExampleID+`,"assetId":`+rest.ExampleID+`,`+rest.ExampleWallet+`,"quantity":1}`),
		),
		ListMints: rest.Handle(h.listMints, rest.Note(
			"Newest first. Client keys name exactly one user and send its member token.")),
		GetMint: rest.Handle(h.getMint, rest.Note("Client keys send the member token of the mint's user.")),
		ReportMint: rest.Handle(h.reportMint,
			rest.Note("Only for a pending mint. failed returns the reserved items and the points."),
			rest.Example(`{"status":"minted","txHash":"0x5c504ed432cb51138bcf09aa5e8a410dd4a1e204ef84bfed1be16dfba1b22060"}`),
		),
	}
}
