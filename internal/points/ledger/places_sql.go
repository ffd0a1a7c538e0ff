package ledger

import (
	"context"
	"slices"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/store"
)

// publicBalances is the subquery for the highest ranked balances of a currency as everybody sees them. Its four
// arguments are the currency and the limit, twice. "ranked = TRUE" keeps SQLite from using the index of all ranked
// accounts.
const publicBalances = `(SELECT * FROM (SELECT website_id, user_id, amount FROM loyalty_accounts
		WHERE loyalty_currency_id = ? AND ranked AND concealed_amount = 0 ORDER BY amount DESC LIMIT ?) f
	UNION ALL SELECT * FROM (SELECT website_id, user_id, amount + concealed_amount AS amount FROM loyalty_accounts
		WHERE loyalty_currency_id = ? AND ranked = TRUE AND concealed_amount > 0 ORDER BY amount + concealed_amount DESC LIMIT ?) h) p`

// highestAmounts reads the highest ranked balances of a currency, as everybody sees them, the highest first.
func highestAmounts(ctx context.Context, q store.Queryer, currency laurel.ID) ([]laurel.Amount, error) {
	var amounts []laurel.Amount
	err := q.Select(ctx, &amounts, "SELECT p.amount FROM "+publicBalances+" ORDER BY p.amount DESC LIMIT ?",
		currency, MaxRank, currency, MaxRank, MaxRank)
	return amounts, err
}

type leadersQuery struct {
	currency       laurel.ID
	maxRank, limit int
}

// selectLeaders returns the users with public balances above 0 that have at most the rank maxRank, the highest first,
// at most limit of them.
func selectLeaders(ctx context.Context, q store.Queryer, scope laurel.Scope, l leadersQuery) ([]laurel.ID, error) {
	maxRank := min(l.maxRank, l.limit)
	// a leader has at least the balance at maxRank, which the inner query finds; each use of publicBalances takes four
	// arguments
	var users []laurel.ID
	err := q.Select(ctx, &users, "SELECT p.user_id FROM "+publicBalances+` WHERE p.website_id = ? AND p.amount > 0
		AND p.amount >= COALESCE((SELECT p.amount FROM `+publicBalances+` ORDER BY p.amount DESC LIMIT 1 OFFSET ?), 0)
		ORDER BY p.amount DESC LIMIT ?`,
		l.currency, l.limit, l.currency, l.limit, scope.WebsiteID,
		l.currency, maxRank, l.currency, maxRank, maxRank-1, l.limit)
	return users, err
}

// currenciesOfUsers returns the currencies, sorted by id, in which one of the users has an account.
func currenciesOfUsers(
	ctx context.Context,
	q store.Queryer,
	scope laurel.Scope,
	users []laurel.ID,
) ([]laurel.ID, error) {
	var all []laurel.ID
	for part := range slices.Chunk(users, maxIDsPerQuery) {
		var w store.Where
		store.InArray(&w, q, "user_id", "uuid", part)
		w.Tenant(q.Engine().NoIndexPrefix(), scope)
		var ids []laurel.ID
		if err := q.Select(
			ctx,
			&ids,
			"SELECT DISTINCT loyalty_currency_id FROM loyalty_accounts"+w.String(),
			w.Args...); err != nil {
			return nil, err
		}
		all = append(all, ids...)
	}
	slices.SortFunc(all, laurel.ID.Compare)
	return slices.Compact(all), nil
}
