package report

import (
	"context"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/store"
)

// Balance is the balance of an account at the end of a span of time in which it changed.
type Balance struct {
	Micros int64         `db:"created_at"` // of the last entry of the span
	Amount laurel.Amount `db:"end_amount"`
}

// At returns the time of the entry that led to the balance.
func (b Balance) At() time.Time { return store.Time(b.Micros) }

// BalanceFilter says which balances of a user's account Balances returns.
type BalanceFilter struct {
	AccountID  laurel.ID
	Since      time.Time
	Span       time.Duration
	Visibility laurel.Visibility
}

// Balances returns how the balance of a user's account changed since a moment, oldest first: the last balance of each
// span of time in which there was an entry. Spans are counted from 1970, so those of a day begin at 00:00 UTC. Readers
// who may not see hidden bids get the balances without them.
func (s *Service) Balances(ctx context.Context, scope laurel.Scope, f BalanceFilter) ([]Balance, error) {
	w := store.Where{Args: []any{f.Span.Microseconds()}}
	w.Tenant(s.db.Engine().NoIndexPrefix()+"e.", scope)
	w.Add("e.loyalty_account_id = ? AND e.user_id IS NOT NULL AND e.created_at >= ?", f.AccountID, f.Since.UnixMicro())
	before := ""
	if !f.Visibility.All {
		before = minusHiddenSum
		w.Args = append([]any{f.Visibility.User}, w.Args...)
		w.Add("NOT EXISTS (SELECT 1 FROM bid_entries x WHERE x.entry_id = e.id AND "+hiddenBidEntry+")", f.Visibility.User)
	}
	var rows []Balance
	err := s.db.Select(ctx, &rows, "SELECT x.created_at, x.end_amount FROM (SELECT e.created_at, e.end_amount"+before+` AS end_amount,
		ROW_NUMBER() OVER (PARTITION BY e.created_at / CAST(? AS BIGINT) ORDER BY e.lock_version DESC) AS place
		FROM loyalty_transaction_entries e`+w.String()+`) x WHERE x.place = 1 ORDER BY x.created_at`, w.Args...)
	return rows, err
}
