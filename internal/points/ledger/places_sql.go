package ledger

import (
	"context"
	"slices"

	"laurel"
	"laurel/internal/store"
)

// highestAmounts reads the highest ranked balances of a currency, the highest first.
func highestAmounts(ctx context.Context, q store.Queryer, currency laurel.ID) ([]laurel.Amount, error) {
	var amounts []laurel.Amount
	err := q.Select(
		ctx,
		&amounts,
		"SELECT amount FROM loyalty_accounts WHERE loyalty_currency_id = ? AND ranked ORDER BY amount DESC LIMIT ?",
		currency,
		MaxRank,
	)
	return amounts, err
}

type leading struct {
	currency     laurel.ID
	worst, limit int
}

// leaders reads no balance that is not greater than 0: it has no rank.
func leaders(ctx context.Context, q store.Queryer, scope laurel.Scope, l leading) ([]laurel.ID, error) {
	var users []laurel.ID
	err := q.Select(
		ctx,
		&users,
		`SELECT user_id FROM loyalty_accounts WHERE loyalty_currency_id = ? AND website_id = ? AND ranked AND user_id IS NOT NULL AND amount > 0
		AND amount >= COALESCE((SELECT amount FROM loyalty_accounts WHERE loyalty_currency_id = ? AND ranked ORDER BY amount DESC LIMIT 1 OFFSET ?), 0)
		ORDER BY amount DESC LIMIT ?`,
		l.currency,
		scope.WebsiteID,
		l.currency,
		l.worst-1,
		l.limit,
	)
	return users, err
}

func currenciesOfUsers(
	ctx context.Context,
	q store.Queryer,
	scope laurel.Scope,
	users []laurel.ID,
) ([]laurel.ID, error) {
	var all []laurel.ID
	for part := range slices.Chunk(users, maxNames) {
		var w store.Where
		store.Any(&w, q, "user_id", "uuid", part)
		w.Tenant(q.Engine().NoIndex(), scope)
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
