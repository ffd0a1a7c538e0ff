// Package holds owns points that are reserved (contract 5.22): debiting the accounts that pay, refunding them, and the
// holds of orders with their capture, release and expiry. Auctions and minting use its Spend and Refund in Works of
// their own, and store themselves what each account has paid.
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
	Amount         laurel.Amount // debited when the hold was made
	CapturedAmount laurel.Amount // the part of Amount that was captured
	Status         string
	Description    *string
	Metadata       json.RawMessage // an object
	Parts          Parts
	TransactionID  laurel.ID // the transaction that debited the amount
	ExpiresAt      time.Time
	CreatedAt      time.Time
	UpdatedAt      time.Time
}

// Scope returns the scope of the hold's website.
func (h Hold) Scope() laurel.Scope {
	return laurel.Scope{OrganizationID: h.OrganizationID, WebsiteID: h.WebsiteID}
}

// Config holds the dependencies and settings of a Service.
type Config struct {
	DB        *store.DB
	Committer *store.Committer
	People    transactions.People
	Logger    *slog.Logger
}

// Service implements the operations on holds of orders.
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

// CheckCurrencyMove returns Invalid, naming apiPostUrl, if the balances of a currency are to move to an external ledger
// while points of it are held: the external ledger would not know the points that are refunded. It does nothing if the
// balances stay here. It runs in the transaction that changes the currency.
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
