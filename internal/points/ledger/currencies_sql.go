package ledger

import (
	"context"
	"slices"

	"laurel"
	"laurel/internal/store"
	"laurel/internal/vault"
)

const selectCurrency = "SELECT " + currencyColumns + " FROM loyalty_currencies t"

const selectCurrencyState = "SELECT " + currencyColumns + ", COALESCE((SELECT " + mainAccountTotal + " FROM loyalty_accounts m WHERE m.id = t.main_account_id), 0) AS total FROM loyalty_currencies t"

const currencyColumns = `t.id, t.organization_id, t.website_id, t.name, t.symbol, t.decimals, t.image_url, t.sort_id, t.api_auth_type,
	t.api_auth_key, COALESCE(t.api_auth_sealed, '') AS api_auth_sealed, t.api_get_url, t.api_post_url, t.api_get_transaction_entry_url, t.points_expire_after_days, t.points_wait_hours, t.is_token_reward_currency,
	t.created_by_id, t.main_account_id, t.created_at, t.updated_at, t.deleted_at`

// newCurrencyLoader returns a loader that reads currencies by id for callers without locks. It does not read the total
// that a currency owes to its members; reads with locks do.
func newCurrencyLoader(db *store.DB) store.Loader[laurel.ID, *currencyRow] {
	return store.NewLoader(func(ctx context.Context, ids []laurel.ID) (map[laurel.ID]*currencyRow, error) {
		var w store.Where
		store.InArray(&w, db, "t.id", "uuid", ids)
		var rows []*currencyRow
		err := db.Select(ctx, &rows, selectCurrency+w.String(), w.Args...)
		out := make(map[laurel.ID]*currencyRow, len(rows))
		for _, r := range rows {
			out[r.ID] = r
		}
		return out, err
	})
}

type currencyRow struct {
	ID                        laurel.ID `db:"id"`
	OrganizationID            laurel.ID `db:"organization_id"`
	WebsiteID                 laurel.ID `db:"website_id"`
	Name                      string    `db:"name"`
	Symbol                    string    `db:"symbol"`
	Decimals                  int       `db:"decimals"`
	ImageURL                  *string   `db:"image_url"`
	SortID                    *int64    `db:"sort_id"`
	APIAuthType               *string   `db:"api_auth_type"`
	APIAuthKey                *string   `db:"api_auth_key"`
	APIAuthSealed             string    `db:"api_auth_sealed"`
	APIGetURL                 *string   `db:"api_get_url"`
	APIPostURL                *string   `db:"api_post_url"`
	APIGetTransactionEntryURL *string   `db:"api_get_transaction_entry_url"`
	ExpireAfterDays           *int64    `db:"points_expire_after_days"`
	WaitHours                 *int64    `db:"points_wait_hours"`
	IsTokenRewardCurrency     bool      `db:"is_token_reward_currency"`
	CreatedByID               laurel.ID `db:"created_by_id"`
	MainAccountID             laurel.ID `db:"main_account_id"`
	CreatedAt                 int64     `db:"created_at"`
	UpdatedAt                 int64     `db:"updated_at"`
	DeletedAt                 *int64    `db:"deleted_at"`
}

// currency returns the currency that the row stores.
func (r currencyRow) currency() Currency {
	c := Currency{
		ID:                    r.ID,
		OrganizationID:        r.OrganizationID,
		WebsiteID:             r.WebsiteID,
		Name:                  r.Name,
		Symbol:                r.Symbol,
		Decimals:              r.Decimals,
		ImageURL:              r.ImageURL,
		SortID:                r.SortID,
		ExpireAfterDays:       r.ExpireAfterDays,
		WaitHours:             r.WaitHours,
		IsTokenRewardCurrency: r.IsTokenRewardCurrency,
		CreatedByID:           r.CreatedByID,
		MainAccountID:         r.MainAccountID,
		CreatedAt:             store.Time(r.CreatedAt),
		UpdatedAt:             store.Time(r.UpdatedAt),
		API: ExternalAPI{
			AuthType:               r.APIAuthType,
			AuthKey:                r.APIAuthKey,
			AuthValue:              vault.StoredSecret(r.APIAuthSealed, credentialPlace(r.ID)),
			GetURL:                 r.APIGetURL,
			PostURL:                r.APIPostURL,
			GetTransactionEntryURL: r.APIGetTransactionEntryURL,
		},
	}
	if r.DeletedAt != nil {
		c.DeletedAt = store.Time(*r.DeletedAt)
	}
	return c
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
	n, err := tx.Exec(
		ctx,
		`INSERT INTO loyalty_currencies (id, organization_id, website_id, name, symbol, decimals, image_url, sort_id, api_auth_type,
		api_auth_key, api_auth_sealed, api_get_url, api_post_url, api_get_transaction_entry_url, points_expire_after_days, points_wait_hours, is_token_reward_currency, created_by_id,
		main_account_id, created_at, updated_at, token_key) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
		c.ID,
		c.OrganizationID,
		c.WebsiteID,
		c.Name,
		c.Symbol,
		c.Decimals,
		c.ImageURL,
		c.SortID,
		c.API.AuthType,
		c.API.AuthKey,
		nullIfEmpty(c.API.AuthValue.Sealed()),
		c.API.GetURL,
		c.API.PostURL,
		c.API.GetTransactionEntryURL,
		c.ExpireAfterDays,
		c.WaitHours,
		c.IsTokenRewardCurrency,
		c.CreatedByID,
		c.MainAccountID,
		store.Micros(c.CreatedAt),
		store.Micros(c.UpdatedAt),
		nullIfEmpty(c.tokenKey),
	)
	if err == nil && n == 0 {
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

// updateCurrency writes the properties of a currency that may change, and its deletion.
func updateCurrency(ctx context.Context, tx *store.Tx, c Currency) error {
	var deleted any
	if !c.DeletedAt.IsZero() {
		deleted = store.Micros(c.DeletedAt)
	}
	_, err := tx.Exec(
		ctx,
		`UPDATE loyalty_currencies SET name = ?, symbol = ?, image_url = ?, sort_id = ?, api_auth_type = ?, api_auth_key = ?,
		api_auth_sealed = ?, api_get_url = ?, api_post_url = ?, api_get_transaction_entry_url = ?, points_expire_after_days = ?,
		points_wait_hours = ?, updated_at = ?, deleted_at = ? WHERE id = ?`,
		c.Name,
		c.Symbol,
		c.ImageURL,
		c.SortID,
		c.API.AuthType,
		c.API.AuthKey,
		nullIfEmpty(c.API.AuthValue.Sealed()),
		c.API.GetURL,
		c.API.PostURL,
		c.API.GetTransactionEntryURL,
		c.ExpireAfterDays,
		c.WaitHours,
		store.Micros(c.UpdatedAt),
		deleted,
		c.ID,
	)
	return err
}

func readCurrency(ctx context.Context, q store.Queryer, scope laurel.Scope, id laurel.ID) (currencyRow, error) {
	return readCurrencyRow(ctx, q, scope, id, "")
}

// lockCurrency locks and returns a currency of the scope. The lock waits for postings in it and keeps new ones out.
func lockCurrency(ctx context.Context, tx *store.Tx, scope laurel.Scope, id laurel.ID) (currencyRow, error) {
	if err := currencies.LockExclusively(ctx, tx, id); err != nil {
		return currencyRow{}, err
	}
	return readCurrencyRow(ctx, tx, scope, id, tx.ForUpdate())
}

// readCurrencyRow reads a currency of the scope, also a deleted one, or returns NotFound "Loyalty currency". lock is a
// locking clause of SQL or empty.
func readCurrencyRow(
	ctx context.Context,
	q store.Queryer,
	scope laurel.Scope,
	id laurel.ID,
	lock string,
) (currencyRow, error) {
	var w store.Where
	w.Add("t.id = ?", id)
	w.Tenant("t.", scope)
	var row currencyRow
	err := q.Get(ctx, &row, selectCurrency+w.String()+lock, w.Args...)
	if store.IsNoRows(err) {
		return row, laurel.Missing("Loyalty currency")
	}
	return row, err
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
) (laurel.Page[currencyRow], error) {
	var none laurel.Page[currencyRow]
	var w store.Where
	w.Tenant("t.", scope)
	store.In(&w, "t.id", f.IDs)
	if !f.WithTokenRewards {
		w.Add("NOT t.is_token_reward_currency")
	}
	if !f.WithDeleted {
		w.Add("t.deleted_at IS NULL")
	}
	if !page.StartingAfter.IsZero() {
		after, err := readCurrency(ctx, q, scope, page.StartingAfter)
		if laurel.CodeOf(err) == laurel.NotFound {
			return none, laurel.ErrCursor()
		}
		if err != nil {
			return none, err
		}
		sort := unsorted
		if after.SortID != nil {
			sort = *after.SortID
		}
		w.Add("(COALESCE(t.sort_id, ?), t.created_at, t.id) > (?, ?, ?)", unsorted, sort, after.CreatedAt, after.ID)
	}
	return store.SelectPage[currencyRow](
		ctx,
		q,
		page.Limit,
		selectCurrency+w.String()+" ORDER BY COALESCE(t.sort_id, ?), t.created_at, t.id",
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
	var all []laurel.ID
	for some := range slices.Chunk(ids, 512) {
		var w store.Where
		store.In(&w, "id", some)
		w.Tenant("", scope)
		w.Add("deleted_at IS NULL AND NOT is_token_reward_currency")
		var live []laurel.ID
		if err := q.Select(ctx, &live, "SELECT id FROM loyalty_currencies"+w.String(), w.Args...); err != nil {
			return nil, err
		}
		all = append(all, live...)
	}
	return all, nil
}
