package ledger

import (
	"context"

	"laurel"
	"laurel/internal/store"
)

// amountAt is the balance of account a at a moment, 0 before its first entry. Within an account time never falls, so
// the last entry up to then is the one with the highest version among those of the latest time.
const amountAt = `COALESCE((SELECT e.end_amount FROM loyalty_transaction_entries e WHERE e.loyalty_account_id = a.id AND e.created_at <= ?
	ORDER BY e.created_at DESC, e.lock_version DESC LIMIT 1), 0)`

// accountThen is an account with its balance at a moment of the past.
type accountThen struct {
	ID         laurel.ID     `db:"id"`
	WebsiteID  laurel.ID     `db:"website_id"`
	CurrencyID laurel.ID     `db:"loyalty_currency_id"`
	UserID     laurel.ID     `db:"user_id"`
	Ranked     bool          `db:"ranked"`
	Amount     laurel.Amount `db:"amount"`
}

func accountAt(ctx context.Context, q store.Queryer, scope laurel.Scope, id laurel.ID, m int64) (accountThen, error) {
	w := store.Where{Args: []any{m}}
	w.Add("a.id = ?", id)
	w.Tenant("a.", scope)
	var row accountThen
	err := q.Get(
		ctx,
		&row,
		"SELECT a.id, a.website_id, a.loyalty_currency_id, a.user_id, a.ranked, "+amountAt+" AS amount FROM loyalty_accounts a"+w.String(),
		w.Args...)
	if store.NoRows(err) {
		return row, laurel.Missing("Account")
	}
	return row, err
}

// countGreater asks every ranked account of the currency that was there at the moment, and ends at MaxRank.
func countGreater(
	ctx context.Context,
	q store.Queryer,
	currency laurel.ID,
	amount laurel.Amount,
	m int64,
) (int, error) {
	var n int
	err := q.Get(
		ctx,
		&n,
		`SELECT COUNT(*) FROM (SELECT 1 FROM loyalty_accounts a WHERE a.loyalty_currency_id = ? AND a.ranked AND a.created_at <= ?
		AND `+amountAt+` > ? LIMIT ?) g`,
		currency,
		m,
		m,
		amount,
		MaxRank,
	)
	return n, err
}

// rankedChunk is how many accounts are asked for in one statement.
const rankedChunk = 1024

// countRanked counts those whose members are not blocked, and ends once it has MaxRank.
func countRanked(ctx context.Context, q store.Queryer, list []standing) (int, error) {
	total := 0
	for len(list) > 0 && total < MaxRank {
		ids := make([]laurel.ID, min(rankedChunk, len(list)))
		for i := range ids {
			ids[i] = list[i].Account
		}
		list = list[len(ids):]
		var w store.Where
		store.In(&w, "id", ids)
		var n int
		if err := q.Get(ctx, &n, "SELECT COUNT(*) FROM loyalty_accounts"+w.String()+" AND ranked", w.Args...); err != nil {
			return 0, err
		}
		total += n
	}
	return total, nil
}

// selectUnranked returns those of accounts that have no rank: their members are blocked.
func selectUnranked(ctx context.Context, q store.Queryer, ids []laurel.ID) ([]laurel.ID, error) {
	var w store.Where
	store.In(&w, "id", ids)
	var out []laurel.ID
	err := q.Select(ctx, &out, "SELECT id FROM loyalty_accounts"+w.String()+" AND NOT ranked", w.Args...)
	return out, err
}
