// Package rewardhistory reads back from the ledger's entries what rules have paid to whom. It writes nothing: what
// entries mean is the business of ledger.
package rewardhistory

import (
	"context"
	"encoding/json"
	"time"

	"laurel"
	"laurel/internal/store"
)

// Service reads payments.
type Service struct{ db *store.DB }

// New makes the service.
func New(db *store.DB) *Service { return &Service{db} }

// Credit is a credit that a rule gave a user.
type Credit struct {
	EntryID       laurel.ID     `db:"id"`
	TransactionID laurel.ID     `db:"loyalty_transaction_id"`
	UserID        laurel.ID     `db:"user_id"`
	CurrencyID    laurel.ID     `db:"loyalty_currency_id"`
	Amount        laurel.Amount `db:"amount"`   // what waits included
	Metadata      string        `db:"metadata"` // of credits of nothing: those tell what waits
	At            int64         `db:"created_at"`
	Facts         string        `db:"facts"` // what its transaction was decided on; "" where nothing was kept
}

// heldAmount is what an entry of nothing says that waits.
func (g Credit) heldAmount() laurel.Amount {
	var about struct {
		Amount laurel.Amount `json:"waitingAmount"`
	}
	if g.Metadata == "" || json.Unmarshal([]byte(g.Metadata), &about) != nil { // metadata may be anybody's
		return 0
	}
	return about.Amount
}

// Period is a rule's payments from From until before To.
type Period struct {
	RuleID   laurel.ID
	From, To time.Time
}

type creditPage struct {
	Period
	after Credit
	limit int
}

// creditPageSize keeps reading flat, however much a rule has paid.
const creditPageSize = 2000

// EachCredit calls for every credit that a rule of the website gave a user in the period, oldest first, until one
// fails.
func (s *Service) EachCredit(ctx context.Context, scope laurel.Scope, period Period, each func(Credit) error) error {
	p := creditPage{Period: period, limit: creditPageSize}
	for {
		rows, err := selectCredits(ctx, s.db, scope, p)
		if err != nil {
			return err
		}
		for _, row := range rows {
			row.Amount += row.heldAmount()
			if err := each(row); err != nil {
				return err
			}
		}
		if len(rows) < p.limit {
			return nil
		}
		p.after = rows[len(rows)-1]
	}
}
