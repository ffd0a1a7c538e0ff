// Package holds owns points that are reserved for something that may still come to nothing (contract 5.22): taking them
// from the accounts that pay, giving them back, and holds of orders with their capture, release and expiry. Auctions
// and mints take and give back by it in Works of their own, and keep what was taken beside their own rows.
package holds

import (
	"context"
	"encoding/json"
	"log/slog"
	"time"

	"laurel"
	"laurel/internal/points/ledger"
	"laurel/internal/points/transactions"
	"laurel/internal/store"
	"laurel/internal/worker"
)

// The statuses of a hold (contract 5.22). All but Held are final.
const (
	Held     = "held"
	Captured = "captured"
	Released = "released"
	Expired  = "expired"
)

// Statuses lists every status of a hold.
func Statuses() []string { return []string{Held, Captured, Released, Expired} }

// Hold is an amount of a member that is reserved for an order.
type Hold struct {
	ID             laurel.ID
	OrganizationID laurel.ID
	WebsiteID      laurel.ID
	UserID         laurel.ID
	CurrencyID     laurel.ID
	Amount         laurel.Amount // that was taken
	CapturedAmount laurel.Amount // of it, what was captured
	Status         string
	Description    *string
	Metadata       json.RawMessage // an object
	Parts          Parts
	TransactionID  laurel.ID // that took the amount
	ExpiresAt      time.Time
	CreatedAt      time.Time
	UpdatedAt      time.Time
}

// Scope is the website of the hold.
func (h Hold) Scope() laurel.Scope {
	return laurel.Scope{OrganizationID: h.OrganizationID, WebsiteID: h.WebsiteID}
}

// Config is what a Service is made of.
type Config struct {
	DB        *store.DB
	Committer *store.Committer
	People    transactions.People
	Logger    *slog.Logger
}

// Service carries out the operations on holds of orders.
type Service struct {
	Config
	queue worker.Runner
}

// New makes the service.
func New(c Config) *Service {
	s := &Service{Config: c}
	s.queue = s.newQueue()
	return s
}

// Get returns a hold. Errors: NotFound "Hold".
func (s *Service) Get(ctx context.Context, scope laurel.Scope, id laurel.ID) (Hold, error) {
	return findHold(ctx, s.DB, scope, id)
}

// CheckCurrencyMove refuses, in the transaction that changes it, that the balances of a currency go to an external
// ledger while points of it are held: Invalid, naming apiPostUrl. Nobody there knows what would be given back.
func CheckCurrencyMove(ctx context.Context, tx *store.Tx, scope laurel.Scope, c ledger.Currency) error {
	if c.API.PostURL == nil {
		return nil
	}
	open, err := hasOpenHold(ctx, tx, scope, c.ID)
	if err != nil || !open {
		return err
	}
	var f laurel.Faults
	f.Add("apiPostUrl", "cannot be set while points are held")
	return f.Err()
}
