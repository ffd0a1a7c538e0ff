package report

import (
	"context"
	"time"

	"laurel.example/laurel/internal/store"
)

// asOfTimeout bounds a list of past balances: without a filter it looks up the balance of every account.
const asOfTimeout = 25 * time.Second

// Both statements begin with two arguments: the moment, twice. The times of an account's entries never decrease, so its
// balance at a moment is the end amount of its last entry until then, or 0. Main accounts have no running amount, so
// their entries are summed up.
const (
	selectAccountAt = `SELECT a.id, a.organization_id, a.website_id, a.loyalty_currency_id, a.user_id, u.wallet_address, a.amount, a.lock_version,
	a.created_at, a.updated_at FROM (SELECT n.id, n.organization_id, n.website_id, n.loyalty_currency_id, n.user_id, n.lock_version, n.created_at, n.updated_at, n.ranked,
		COALESCE((SELECT e.end_amount FROM loyalty_transaction_entries e WHERE e.loyalty_account_id = n.id AND e.created_at <= ?
			ORDER BY e.created_at DESC, e.lock_version DESC LIMIT 1), 0) AS amount
		FROM loyalty_accounts n WHERE n.created_at <= ?) a LEFT JOIN users u ON u.id = a.user_id`
	selectMainAt = `SELECT a.id, a.organization_id, a.website_id, a.loyalty_currency_id, a.user_id, NULL AS wallet_address, a.amount, a.lock_version,
	a.created_at, a.updated_at FROM (SELECT m.id, m.organization_id, m.website_id, m.loyalty_currency_id, m.user_id, m.created_at, m.updated_at, m.ranked,
		CAST(COALESCE((SELECT SUM(CASE e.direction WHEN 'credit' THEN e.amount ELSE -e.amount END) FROM loyalty_transaction_entries e
			WHERE e.loyalty_account_id = m.id AND e.created_at <= ?), 0) AS BIGINT) AS amount,
		m.lock_version + CAST(COALESCE((SELECT SUM(d.entries) FROM main_account_deltas d WHERE d.loyalty_account_id = m.id), 0) AS BIGINT) AS lock_version
		FROM loyalty_accounts m WHERE m.user_id IS NULL AND m.created_at <= ?) a`
)

// readFrom calls list with the database, or, if the filter asks for a past moment, with a reader that has a time limit.
// A moment that is not settled, so that entries of it may still be committed, is Invalid.
func (s *Service) readFrom(ctx context.Context, f AccountFilter, list func(q store.Queryer) error) error {
	if f.At.IsZero() {
		return list(s.db)
	}
	if err := s.db.RequireSettled(ctx, "asOf", f.At); err != nil {
		return err
	}
	return s.db.LongRead(ctx, asOfTimeout, list)
}

// selectQuery returns the SELECT of the accounts that the filter asks for, and the arguments before those of its
// conditions.
func (f AccountFilter) selectQuery() (query string, args []any) {
	at := f.At.UnixMicro()
	switch {
	case !f.Visibility.All:
		return f.shownQuery()
	case f.At.IsZero() && f.MainAccounts:
		return selectMain, nil
	case f.At.IsZero():
		return selectAccount, nil
	case f.MainAccounts:
		return selectMainAt, []any{at, at}
	}
	return selectAccountAt, []any{at, at}
}
