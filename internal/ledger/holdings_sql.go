package ledger

import (
	"context"

	"laurel"
	"laurel/internal/store"
)

func holdings(ctx context.Context, q store.Queryer, scope laurel.Scope, users, currencies []laurel.ID) (Holdings, error) {
	out := Holdings{}
	if len(users) == 0 || len(currencies) == 0 {
		return out, nil
	}
	keys := make([][]any, len(users))
	for i, id := range users {
		keys[i] = []any{id}
	}
	var w store.Where
	w.Add("a.user_id = k.user_id")
	store.In(&w, "a.loyalty_currency_id", currencies)
	w.Tenant("a.", scope)
	rows, err := store.SelectEach[account](ctx, q, store.Each{Columns: store.Columns("user_id uuid"), Keys: keys,
		Query: "SELECT a.loyalty_currency_id, a.user_id, a.amount FROM KEYS k JOIN loyalty_accounts a ON TRUE" + w.String()}, w.Args...)
	for _, r := range rows {
		out[accountKey{r.CurrencyID, r.UserID}] = r.Amount
	}
	return out, err
}
