// Package claims holds the operations on token claims. It shapes requests and responses and decides nothing.
package claims

import (
	"laurel.example/laurel/internal/api/caller"
	"laurel.example/laurel/internal/api/rest"
	"laurel.example/laurel/internal/commerce/claims"
	"laurel.example/laurel/internal/commerce/contracts"
	"laurel.example/laurel/internal/identity"
)

// Config holds what the operations need.
type Config struct {
	Caller    *caller.Resolver
	Identity  *identity.Service
	Contracts *contracts.Service
	Claims    *claims.Service
}

// handlers are the operations, one method each.
type handlers struct{ Config }

// Operations are the operations on token claims, for the table of routes in package api.
type Operations struct {
	List, Create, Get, Update, Delete, Eligibility, Proof, ListUsers, Claim rest.OperationHandler
}

// New returns the operations on token claims. Each has its handler and its texts for the OpenAPI document.
func New(cfg Config) Operations {
	h := &handlers{cfg}
	return Operations{
		List: rest.Handle(h.list, rest.Note("Newest first. Drafts are shown to secret keys only.")),
		Create: rest.Handle(caller.Create(cfg.Caller, cfg.Claims.Create, h.claimResponse),
			rest.Note("The list of csvUrl has the columns walletAddress and amount, and at most 1,000,000 rows and 50 MiB. It is read by a data job; merkleRoot is set "+
				"when that is complete. Bad rows are skipped and counted in the job's message; if a wallet is repeated, its last row counts."),
			rest.Example(`{"name":"Season one","contractId":`+rest.ExampleID+
				`,"csvUrl":"https://files.example/season-one.csv","startTime":"2026-01-15T12:00:00.000Z","isDraft":false}`),
		),
		Get: rest.Handle(h.get,
			rest.Note("With the latest data job. With walletAddress it includes the total that the wallet may claim, and its proof if the wallet is on the list."),
		),
		Update: rest.Handle(caller.Update(cfg.Caller, cfg.Claims.Update, h.claimResponse), rest.IfMatch(h.get),
			rest.Note("An absent property keeps its value. csvUrl imports the list, even if it was imported before. After the first claim the list and the decimals cannot change."),
			rest.Example(`{"isDraft":false}`),
		),
		Delete: rest.Handle(caller.ByID(cfg.Caller, cfg.Claims.Delete, h.claimResponse), rest.IfMatch(h.get),
			rest.Note("Ends the data job, too.")),
		Eligibility: rest.Handle(h.eligibility,
			rest.Note("The country of the caller is taken from a trusted proxy; without one no country is blocked."),
		),
		Proof: rest.Handle(h.proof,
			rest.Note("Verifies against merkleRoot as OpenZeppelin's MerkleProof does: the leaf is keccak256(keccak256(abi.encode(address, uint256))) of the wallet and "+
				"the allocation in smallest units."),
		),
		ListUsers: rest.Handle(h.listUsers,
			rest.Note("By claimedAt, wallets that have not claimed come last. The user's id is null until the wallet is a user."),
		),
		Claim: rest.Handle(h.claim,
			rest.Note("A wallet claims all that is allocated to it, once. Client keys send its member token; through secret keys an unknown wallet becomes a user."),
			rest.Example(`{`+rest.ExampleWallet+`,"txHash":"0x`+exampleHash+`"}`),
		),
	}
}

const exampleHash = "5c504ed432cb51138bcf09aa5e8a410dd4a1e204ef84bfed1be16dfba1b22060"
