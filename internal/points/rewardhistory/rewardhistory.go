// Package rewardhistory reads from the ledger's entries what rules have paid to users. It writes nothing; the ledger
// owns the entries.
package rewardhistory

import (
	"context"
	"encoding/json"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/store"
)

// Service reads payments of rules.
type Service struct{ db *store.DB }

// New makes the service.
func New(db *store.DB) *Service { return &Service{db} }

// Credit is a credit that a rule has paid to a user.
type Credit struct {
	EntryID       laurel.ID     `db:"id"`
	TransactionID laurel.ID     `db:"loyalty_transaction_id"`
	UserID        laurel.ID     `db:"user_id"`
	CurrencyID    laurel.ID     `db:"loyalty_currency_id"`
	Amount        laurel.Amount `db:"amount"`   // with held points
	Metadata      string        `db:"metadata"` // only of zero-amount credits; it says how many points are held
	At            int64         `db:"created_at"`
	Facts         string        `db:"facts"` // the facts of its decision; "" where none were stored
}

// heldAmount returns how many held points a zero-amount credit describes in its metadata, or 0 if it describes none.
func (credit Credit) heldAmount() laurel.Amount {
	var about struct {
		Amount laurel.Amount `json:"waitingAmount"`
	}
	if credit.Metadata == "" || json.Unmarshal([]byte(credit.Metadata), &about) != nil { // a caller's own metadata
		return 0
	}
	return about.Amount
}

// Period selects a rule's payments from From until before To.
type Period struct {
	RuleID   laurel.ID
	From, To time.Time
}

type creditQuery struct {
	Period
	after Credit
	limit int
}

// creditPageSize bounds how many credits are in memory, however many a rule has paid.
const creditPageSize = 2000

// EachCredit calls f with every credit that a rule of the website has paid in the period, oldest first. For a credit of
// held points, Amount is the number of held points. EachCredit stops at the first error of f.
func (s *Service) EachCredit(ctx context.Context, scope laurel.Scope, period Period, f func(Credit) error) error {
	query := creditQuery{Period: period, limit: creditPageSize}
	for {
		rows, err := selectCredits(ctx, s.db, scope, query)
		if err != nil {
			return err
		}
		for _, row := range rows {
			row.Amount += row.heldAmount()
			if err := f(row); err != nil {
				return err
			}
		}
		if len(rows) < query.limit {
			return nil
		}
		query.after = rows[len(rows)-1]
	}
}
