package ledger

import (
	"context"

	"laurel"
	"laurel/internal/store"
)

// holdings sums at most the accounts of one group of users.
func holdings(ctx context.Context, q store.Queryer, scope laurel.Scope, users, currencies []laurel.ID) (map[laurel.ID]laurel.Amount, error) {
	out := map[laurel.ID]laurel.Amount{}
	if len(users) == 0 || len(currencies) == 0 {
		return out, nil
	}
	var w store.Where
	store.In(&w, "loyalty_currency_id", currencies)
	store.In(&w, "user_id", users)
	w.Tenant("", scope)
	var rows []struct {
		Currency laurel.ID     `db:"loyalty_currency_id"`
		Amount   laurel.Amount `db:"amount"`
	}
	if err := q.Select(ctx, &rows, "SELECT loyalty_currency_id, amount FROM loyalty_accounts"+w.String(), w.Args...); err != nil {
		return nil, err
	}
	for _, r := range rows {
		sum, err := out[r.Currency].Plus(r.Amount)
		if err != nil {
			sum = laurel.MaxAmount // together more than one may hold
		}
		out[r.Currency] = sum
	}
	return out, nil
}
