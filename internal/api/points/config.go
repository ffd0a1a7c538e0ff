// Package points holds the operations on points: currencies, accounts, transactions and their entries, lots, ranks,
// payouts and posts to external ledgers. It shapes requests and responses and decides nothing.
package points

import (
	"encoding/json"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/api/caller"
	"laurel.example/laurel/internal/api/rest"
	"laurel.example/laurel/internal/identity"
	"laurel.example/laurel/internal/identity/attributes"
	"laurel.example/laurel/internal/points/expiry"
	"laurel.example/laurel/internal/points/external"
	"laurel.example/laurel/internal/points/ledger"
	"laurel.example/laurel/internal/points/payouts"
	"laurel.example/laurel/internal/points/reversals"
	"laurel.example/laurel/internal/points/transactions"
	"laurel.example/laurel/internal/report"
	"laurel.example/laurel/internal/rules/catalog"
	"laurel.example/laurel/internal/rules/reset"
)

// Config holds what the operations need.
type Config struct {
	Caller  *caller.Resolver
	Secrets *rest.Secrets
	// RuleMetadata returns the part of a rule's metadata that a key may see; entries include it.
	RuleMetadata func(scope laurel.Scope, rule laurel.ID, metadata []byte) json.RawMessage

	Identity     *identity.Service
	Attributes   *attributes.Service
	Ledger       *ledger.Service
	Expiry       *expiry.Service
	External     *external.Service
	Transactions *transactions.Service
	Reversals    *reversals.Service
	Payouts      *payouts.Service
	Reset        *reset.Service
	Rules        *catalog.Service // the windows that entries close
	Report       *report.Service
}

// handlers are the operations, one method each.
type handlers struct{ Config }
