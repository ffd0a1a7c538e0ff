package ledger

import (
	"context"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/store"
	"laurel.example/laurel/internal/vault"
)

var currencyTable = store.NewRecords[Currency]("loyalty_currencies", "Loyalty currency")

// selectCurrencyState reads currencies t with their totals.
var selectCurrencyState = "SELECT " + currencyTable.As("t").Columns() + ", COALESCE((SELECT " + mainAccountTotal +
	" FROM loyalty_accounts m WHERE m.id = t.main_account_id), 0) AS total FROM loyalty_currencies t"

// newCurrencyLoader returns a loader that reads currencies by id for callers without locks. It does not read the total
// that a currency owes to its members; reads with locks do.
func newCurrencyLoader(db *store.DB) store.Loader[laurel.ID, *Currency] {
	return store.NewLoader(func(ctx context.Context, ids []laurel.ID) (map[laurel.ID]*Currency, error) {
		var w store.Where
		store.InArray(&w, db, "id", "uuid", ids)
		list, err := currencyTable.Select(ctx, db, &w, "")
		out := make(map[laurel.ID]*Currency, len(list))
		for i := range list {
			out[list[i].ID] = &list[i]
		}
		return out, err
	})
}

// credentialPlace returns the place that the credential of a currency is sealed for.
func credentialPlace(id laurel.ID) string { return vault.Place("currency", id, "apiAuthValue") }

// Sealed are the texts that the ledger stores sealed.
var Sealed = vault.SealedColumns{Table: "loyalty_currencies", ID: "id", PlaceID: "id",
	Columns: []string{"api_auth_sealed"}, Where: "api_auth_sealed IS NOT NULL",
	Reseal: func(of laurel.ID, text string, move vault.Resealer) (string, error) {
		return move(text, false, credentialPlace(of))
	}}

// insertCurrency inserts a currency. It returns store.ErrRerun if another transaction has created the hidden currency
// of the same token meanwhile.
func insertCurrency(ctx context.Context, tx *store.Tx, c Currency) error {
	inserted, err := currencyTable.Insert(ctx, tx, &c, store.IgnoreConflicts)
	if err == nil && !inserted {
		err = store.ErrRerun
	}
	return err
}

// findCurrencyOfToken returns the hidden currency in which rewards in a token are booked in the scope's website, by the
// token's key, or the zero id if there is none.
func findCurrencyOfToken(ctx context.Context, q store.Queryer, scope laurel.Scope, key string) (laurel.ID, error) {
	var ids []laurel.ID
	err := q.Select(
		ctx,
		&ids,
		"SELECT id FROM loyalty_currencies WHERE website_id = ? AND organization_id = ? AND token_key = ?",
		scope.WebsiteID,
		scope.OrganizationID,
		key,
	)
	if err != nil || len(ids) == 0 {
		return laurel.ID{}, err
	}
	return ids[0], nil
}

// tokenKey is the key of the token that a hidden currency stands for.
type tokenKey struct {
	ID  laurel.ID `db:"id"`
	Key string    `db:"token_key"`
}

// selectTokenKeys returns the token keys of the hidden currencies among the ids; other currencies are left out.
func selectTokenKeys(
	ctx context.Context, q store.Queryer, scope laurel.Scope, ids []laurel.ID,
) (keys []tokenKey, err error) {
	if len(ids) == 0 {
		return nil, nil
	}
	var w store.Where
	store.In(&w, "id", ids)
	w.Tenant("", scope)
	w.Add("token_key IS NOT NULL")
	err = q.Select(ctx, &keys, "SELECT id, token_key FROM loyalty_currencies"+w.String(), w.Args...)
	return keys, err
}

// currencyByID returns the condition for the currency of the scope with the id, even if it is deleted.
func currencyByID(scope laurel.Scope, id laurel.ID) *store.Where {
	return store.OfTenant(scope).With("id = ?", id)
}

// lockCurrency locks and returns a live currency of the scope. The lock waits for postings in it and keeps new ones
// out.
func lockCurrency(ctx context.Context, tx *store.Tx, scope laurel.Scope, id laurel.ID) (Currency, error) {
	if err := currencies.LockExclusively(ctx, tx, id); err != nil {
		return Currency{}, err
	}
	return currencyTable.Get(ctx, tx, store.LiveByID(scope, id), tx.ForUpdate())
}

// unsorted stands for an unset sortId, which comes last.
const unsorted = int64(1) << 62

// listCurrencies returns a page of the currencies, by sortId (unset last), then oldest first. It returns
// laurel.ErrCursor if page.StartingAfter is no currency of the scope.
func listCurrencies(
	ctx context.Context,
	q store.Queryer,
	scope laurel.Scope,
	f CurrencyFilter,
	page laurel.PageRequest,
) (laurel.Page[Currency], error) {
	w := store.OfTenant(scope)
	store.In(w, "id", f.IDs)
	if !f.WithTokenRewards {
		w.Add("NOT is_token_reward_currency")
	}
	if !f.WithDeleted {
		w.Add("deleted_at IS NULL")
	}
	if !page.StartingAfter.IsZero() {
		after, err := currencyTable.Get(ctx, q, currencyByID(scope, page.StartingAfter), "")
		if laurel.CodeOf(err) == laurel.NotFound {
			err = laurel.ErrCursor()
		}
		if err != nil {
			return laurel.Page[Currency]{}, err
		}
		sort := unsorted
		if after.SortID != nil {
			sort = *after.SortID
		}
		w.Add("(COALESCE(sort_id, ?), created_at, id) > (?, ?, ?)", unsorted, sort, after.CreatedAt, after.ID)
	}
	return store.SelectPage[Currency](
		ctx,
		q,
		page.Limit,
		currencyTable.Query()+w.String()+" ORDER BY COALESCE(sort_id, ?), created_at, id",
		append(w.Args, unsorted)...)
}

// onlyCurrency returns the one live currency of the website, or the zero id if there is none or more than one. The
// hidden currencies of token rewards do not count.
func onlyCurrency(ctx context.Context, q store.Queryer, scope laurel.Scope) (laurel.ID, error) {
	var ids []laurel.ID
	err := q.Select(
		ctx,
		&ids,
		`SELECT id FROM loyalty_currencies WHERE website_id = ? AND organization_id = ? AND deleted_at IS NULL
		AND NOT is_token_reward_currency LIMIT 2`,
		scope.WebsiteID,
		scope.OrganizationID,
	)
	if err != nil || len(ids) != 1 {
		return laurel.ID{}, err
	}
	return ids[0], nil
}

// CurrenciesOfMainAccounts returns the currency of each main account, by account. Ids of other accounts, and of
// accounts outside the scope, are left out.
func CurrenciesOfMainAccounts(
	ctx context.Context,
	q store.Queryer,
	scope laurel.Scope,
	mainAccounts []laurel.ID,
) (map[laurel.ID]laurel.ID, error) {
	var w store.Where
	store.In(&w, "id", mainAccounts)
	w.Add("user_id IS NULL")
	w.Tenant("", scope)
	var rows []struct {
		ID       laurel.ID `db:"id"`
		Currency laurel.ID `db:"loyalty_currency_id"`
	}
	err := q.Select(ctx, &rows, "SELECT id, loyalty_currency_id FROM loyalty_accounts"+w.String(), w.Args...)
	of := make(map[laurel.ID]laurel.ID, len(rows))
	for _, r := range rows {
		of[r.ID] = r.Currency
	}
	return of, err
}

// LiveCurrencies returns the ids of the live currencies among those with the given ids: currencies of the scope that
// are not deleted. It leaves out the hidden currencies of token rewards.
func LiveCurrencies(
	ctx context.Context,
	q store.Queryer,
	scope laurel.Scope,
	ids []laurel.ID,
) ([]laurel.ID, error) {
	return store.SelectByIDs[laurel.ID](ctx, q, "id", ids, func(w *store.Where) string {
		w.Tenant("", scope)
		w.Add("deleted_at IS NULL AND NOT is_token_reward_currency")
		return "SELECT id FROM loyalty_currencies" + w.String()
	})
}
