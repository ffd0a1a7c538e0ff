// Package transactions writes the transactions of callers (contract 4.3): what they ask for, whom they name, and, where
// an external ledger keeps the balances, that it is asked first. The books belong to ledger, posts to external.
package transactions

import (
	"context"

	"laurel"
	"laurel/internal/points/external"
	"laurel/internal/points/ledger"
	"laurel/internal/store"
)

// PartyRef is how a request names a party: by user id or, without one, by wallet.
type PartyRef struct {
	UserID laurel.ID
	Wallet string
}

// People finds the users that a request names, without writing: a user that a trusted server names for the first time
// is written with the posting. Unless now is asked for, they may be as this node saw them last: their Check tells under
// the locks. Unknown users are a NotFound error. The answer has the order of the references.
type People func(ctx context.Context, scope laurel.Scope, refs []PartyRef, now bool) ([]ledger.Party, error)

// Config is what a Service is made of.
type Config struct {
	DB        *store.DB
	Committer *store.Committer
	Ledger    *ledger.Service
	External  *external.Service
	People    People
}

// Service writes callers' transactions.
type Service struct{ Config }

// New makes the service.
func New(c Config) *Service { return &Service{c} }
