package ledger

import (
	"context"
	"slices"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/store"
)

// amountAt is the balance of account a at a moment, 0 before its first entry. Within an account time never falls, so
// the last entry up to then is the one with the highest version among those of the latest time.
const amountAt = `COALESCE((SELECT e.end_amount FROM loyalty_transaction_entries e WHERE e.loyalty_account_id = a.id AND e.created_at <= ?
	ORDER BY e.created_at DESC, e.lock_version DESC LIMIT 1), 0)`

// visibleAmountAt is the SQL expression for the balance of account a at a moment as a reader may see it: without what
// bids had taken by then that are concealed now. Its arguments are those of visibleAmountArgs.
func visibleAmountAt(visibility laurel.Visibility) string {
	if visibility.All {
		return amountAt
	}
	return "(" + amountAt + ` - COALESCE((SELECT CAST(SUM(x.amount) AS BIGINT) FROM bid_entries x WHERE x.loyalty_account_id = a.id
		AND x.concealed AND x.created_at <= ? AND x.user_id IS DISTINCT FROM ?), 0))`
}

// visibleAmountArgs returns the arguments of visibleAmountAt.
func visibleAmountArgs(visibility laurel.Visibility, moment int64) []any {
	if visibility.All {
		return []any{moment}
	}
	return []any{moment, moment, visibility.User}
}

// concealedAt returns the accounts of a currency that had concealed entries by a moment, with their balances at that
// moment as the reader may see them. It returns none for a reader who sees everything.
func concealedAt(
	ctx context.Context, q store.Queryer, visibility laurel.Visibility, currency laurel.ID, moment int64,
) (list []accountBalance, err error) {
	if visibility.All {
		return nil, nil
	}
	var rows []struct {
		Account laurel.ID     `db:"id"`
		Amount  laurel.Amount `db:"amount"`
	}
	err = q.Select(ctx, &rows, "SELECT a.id, "+visibleAmountAt(visibility)+` AS amount FROM (SELECT DISTINCT loyalty_account_id AS id
		FROM bid_entries WHERE loyalty_currency_id = ? AND concealed AND user_id IS NOT NULL AND created_at <= ?) a`,
		append(visibleAmountArgs(visibility, moment), currency, moment)...)
	for _, r := range rows {
		list = append(list, accountBalance(r))
	}
	return list, err
}

// accountAsOf is an account with its balance at a moment of the past.
type accountAsOf struct {
	ID         laurel.ID     `db:"id"`
	WebsiteID  laurel.ID     `db:"website_id"`
	CurrencyID laurel.ID     `db:"loyalty_currency_id"`
	UserID     laurel.ID     `db:"user_id"`
	Ranked     bool          `db:"ranked"`
	Amount     laurel.Amount `db:"amount"`
}

// asOf is a moment, and what its reader may see.
type asOf struct {
	moment     int64
	visibility laurel.Visibility
}

// accountAt returns an account with its balance at a moment as the reader may see it, or NotFound "Account" if the
// scope has no such account.
func accountAt(ctx context.Context, q store.Queryer, scope laurel.Scope, id laurel.ID, at asOf) (accountAsOf, error) {
	w := store.Where{Args: visibleAmountArgs(at.visibility, at.moment)}
	w.Add("a.id = ?", id)
	w.Tenant("a.", scope)
	var row accountAsOf
	err := q.Get(
		ctx,
		&row,
		"SELECT a.id, a.website_id, a.loyalty_currency_id, a.user_id, a.ranked, "+visibleAmountAt(at.visibility)+" AS amount FROM loyalty_accounts a"+w.String(),
		w.Args...)
	if store.IsNoRows(err) {
		return row, laurel.Missing("Account")
	}
	return row, err
}

// countGreater counts the ranked accounts of a currency that had more than the amount at a moment, up to MaxRank. It
// reads every account of the currency.
func countGreater(
	ctx context.Context,
	q store.Queryer,
	currency laurel.ID,
	amount laurel.Amount,
	at asOf,
) (int, error) {
	var n int
	err := q.Get(
		ctx,
		&n,
		`SELECT COUNT(*) FROM (SELECT 1 FROM loyalty_accounts a WHERE a.loyalty_currency_id = ? AND a.ranked AND a.created_at <= ?
		AND `+visibleAmountAt(at.visibility)+` > ? LIMIT ?) g`,
		slices.Concat([]any{currency, at.moment}, visibleAmountArgs(at.visibility, at.moment), []any{amount, MaxRank})...)
	return n, err
}

// rankedChunk is how many accounts one statement reads.
const rankedChunk = 1024

// countRanked counts the accounts of the list whose members are not blocked, in chunks until the count reaches MaxRank.
func countRanked(ctx context.Context, q store.Queryer, list []accountBalance) (int, error) {
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

// selectUnranked returns which of the accounts have no rank, because their members are blocked.
func selectUnranked(ctx context.Context, q store.Queryer, ids []laurel.ID) ([]laurel.ID, error) {
	var w store.Where
	store.In(&w, "id", ids)
	var out []laurel.ID
	err := q.Select(ctx, &out, "SELECT id FROM loyalty_accounts"+w.String()+" AND NOT ranked", w.Args...)
	return out, err
}
