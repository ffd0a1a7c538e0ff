package ledger

import (
	"context"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/store"
)

type balanceQuery struct {
	currency laurel.ID
	users    []laurel.ID
}

// selectPublicBalances sets in out, by user, the balances as everyone may see them: without the effect of hidden bids.
func selectPublicBalances(
	ctx context.Context,
	q store.Queryer,
	scope laurel.Scope,
	b balanceQuery,
	out map[laurel.ID]laurel.Amount,
) error {
	w := whereAccountsOf(q.Engine(), scope, b.currency, b.users)
	var rows []struct {
		User   laurel.ID     `db:"user_id"`
		Amount laurel.Amount `db:"amount"`
	}
	err := q.Select(ctx, &rows, "SELECT t.user_id, t.amount + t.concealed_amount AS amount FROM loyalty_accounts t"+w.String(), w.Args...)
	for _, r := range rows {
		out[r.User] = r.Amount
	}
	return err
}

// selectUsersOfAccounts sets in out, by account, the users of the accounts.
func selectUsersOfAccounts(
	ctx context.Context,
	q store.Queryer,
	scope laurel.Scope,
	ids []laurel.ID,
	out map[laurel.ID]laurel.ID,
) error {
	var w store.Where
	w.Tenant("", scope)
	w.Add("user_id IS NOT NULL")
	store.In(&w, "id", ids)
	var rows []struct {
		ID   laurel.ID `db:"id"`
		User laurel.ID `db:"user_id"`
	}
	err := q.Select(ctx, &rows, "SELECT id, user_id FROM loyalty_accounts"+w.String(), w.Args...)
	for _, r := range rows {
		out[r.ID] = r.User
	}
	return err
}

// isReferralShare is the SQL condition for entries that pay a referral share, by the metadata that their rules write.
const isReferralShare = `e.loyalty_rule_type = 'referred_user' AND e.metadata LIKE '%"referral":"tier%'`

// sumEarnings sets in out, by user, what rules credited each of a chunk of users after the user's From and up to e.To,
// without referral shares.
func sumEarnings(
	ctx context.Context,
	q store.Queryer,
	scope laurel.Scope,
	e EarningsQuery,
	out map[laurel.ID]laurel.Amount,
) error {
	keys := make([][]any, len(e.Users))
	for i, user := range e.Users {
		keys[i] = []any{user.User, store.Micros(user.From)}
	}
	rows, err := store.SelectByKeys[struct {
		User   laurel.ID     `db:"user_id"`
		Amount laurel.Amount `db:"amount"`
	}](ctx, q, store.KeyedQuery{Columns: store.Columns("user_id uuid, since bigint"), Keys: keys, Query: `SELECT a.user_id, CAST(SUM(e.amount) AS BIGINT) AS amount FROM KEYS k
		JOIN loyalty_accounts a ON a.loyalty_currency_id = ? AND a.website_id = ? AND a.user_id = k.user_id
		JOIN loyalty_transaction_entries e ON e.loyalty_account_id = a.id AND e.created_at > k.since AND e.created_at <= ?
		WHERE e.direction = 'credit' AND e.type = 'loyalty_rule' AND NOT COALESCE(` + isReferralShare + `, FALSE) GROUP BY a.user_id`},
		e.CurrencyID, scope.WebsiteID, store.Micros(e.To))
	for _, r := range rows {
		out[r.User] = r.Amount
	}
	return err
}
