// Package holds owns points that are reserved (contract 5.22): debiting the accounts that pay, refunding them, and the
// holds of orders with their capture, release and expiry. Auctions and minting use its Spend and Refund in Works of
// their own, and store themselves what each account has paid.
package holds

import (
	"context"
	"log/slog"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/points/ledger"
	"laurel.example/laurel/internal/points/transactions"
	"laurel.example/laurel/internal/store"
	"laurel.example/laurel/internal/worker"
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

// Hold is an amount of a member that is reserved for an order: a row of loyalty_holds, and what the API returns.
type Hold struct {
	ID             laurel.ID        `db:"id" json:"id"`
	OrganizationID laurel.ID        `db:"organization_id" json:"organizationId"`
	WebsiteID      laurel.ID        `db:"website_id" json:"websiteId"`
	UserID         laurel.ID        `db:"user_id" json:"userId" update:"no"`
	CurrencyID     laurel.ID        `db:"loyalty_currency_id" json:"loyaltyCurrencyId" update:"no"`
	Amount         laurel.Amount    `db:"amount" json:"amount" update:"no" doc:"The amount debited from the accounts that paid"`
	CapturedAmount laurel.Amount    `db:"captured_amount" json:"capturedAmount" doc:"The captured part of amount; the rest went back"`
	Status         string           `db:"status" json:"status" enum:"held,captured,released,expired"`
	Description    *string          `db:"description" json:"description" update:"no"`
	Metadata       laurel.Object    `db:"metadata" json:"metadata" update:"no"`
	Parts          Parts            `db:"parts" json:"-" update:"no"` // what each account paid
	ExpiresAt      laurel.Timestamp `db:"expires_at" json:"expiresAt" update:"no"`
	DueAt          laurel.Timestamp `db:"due_at" json:"-" update:"no"` // when a node looks at it next; written by the queue
	TransactionID  laurel.ID        `db:"loyalty_transaction_id" json:"loyaltyTransactionId" update:"no" doc:"The transaction that took the amount"`
	CreatedAt      laurel.Timestamp `db:"created_at" json:"createdAt"`
	UpdatedAt      laurel.Timestamp `db:"updated_at" json:"updatedAt"`
	isNew          bool             // not in the database yet
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
