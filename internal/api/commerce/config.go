// Package commerce holds the operations on what members can get for points, and on the contracts behind it. It shapes
// requests and responses and decides nothing.
package commerce

import (
	"laurel/internal/api/caller"
	"laurel/internal/api/rest"
	"laurel/internal/commerce/contracts"
)

// Config holds what the operations need.
type Config struct {
	Caller    *caller.Resolver
	Contracts *contracts.Service
}

// handlers are the operations, one method each.
type handlers struct{ Config }

// Operations are the operations of commerce, for the table of routes in package api.
type Operations struct {
	ListContracts, GetContract, CreateContract, UpdateContract, DeleteContract rest.Handler
}

// New returns the operations.
func New(cfg Config) Operations {
	h := &handlers{cfg}
	return Operations{
		ListContracts: rest.Handle(h.listContracts,
			rest.Note("Newest first. Without the ABIs with includeAbi=false."),
		),
		GetContract: rest.Handle(h.getContract, rest.Note("With its ABI.")),
		CreateContract: rest.Handle(h.createContract,
			rest.Note("A live contract is unique by website, chain and address. chainId is null where the chain is not told."),
			rest.Example(`{"name":"Shop token","address":"0x00000000000000000000000000000000000c0113","chainId":8453,"type":"erc20"}`),
			rest.Created,
		),
		UpdateContract: rest.Handle(h.updateContract,
			rest.Note("An absent property keeps its value. Address and chain stay."),
			rest.Example(`{"name":"Shop points"}`),
		),
		DeleteContract: rest.Handle(h.deleteContract,
			rest.Note("Refused while a live rule names it. Its address can be registered again."),
		),
	}
}
