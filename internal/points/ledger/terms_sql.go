package ledger

import (
	"context"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/points/lots"
	"laurel.example/laurel/internal/store"
)

// recordTerms records a change of how long points of a currency live, and begins or ends the currency's regular sweeps,
// which compute its lots. The currency is locked exclusively, so no points are credited meanwhile.
func recordTerms(ctx context.Context, tx *store.Tx, before, after Currency) error {
	if !after.DeletedAt.IsZero() {
		return lots.EndSweep(ctx, tx, after.ID)
	}
	if expireDays(before) == expireDays(after) {
		return nil
	}
	var since int64 // later than every other term's, whatever the clock does
	err := tx.Get(
		ctx,
		&since,
		"SELECT COALESCE(MAX(since) + 1, 0) FROM currency_terms WHERE loyalty_currency_id = ?",
		after.ID,
	)
	if err != nil {
		return err
	}
	since = max(since, store.Micros(tx.Now()))
	if _, err := tx.Exec(
		ctx,
		`INSERT INTO currency_terms (loyalty_currency_id, since, organization_id, website_id, expire_after_days) VALUES (?, ?, ?, ?, ?)`,
		after.ID,
		since,
		after.OrganizationID,
		after.WebsiteID,
		after.ExpireAfterDays,
	); err != nil {
		return err
	}
	switch {
	case expireDays(after) == 0:
		return lots.EndSweep(ctx, tx, after.ID)
	case expireDays(before) == 0:
		return lots.Sweep{
			CurrencyID:     after.ID,
			OrganizationID: after.OrganizationID,
			WebsiteID:      after.WebsiteID,
			Era:            since,
		}.Begin(
			ctx,
			tx,
		)
	}
	return nil
}

// expireDays returns how many days points of a currency live, or 0 if they do not expire.
func expireDays(c Currency) int64 {
	if c.ExpireAfterDays == nil {
		return 0
	}
	return *c.ExpireAfterDays
}

// Terms returns the terms of a currency, oldest first. A new term begins whenever the setting is changed. It says how
// many days points live that are credited from its beginning until the next term.
func (s *Service) Terms(
	ctx context.Context,
	q store.Queryer,
	scope laurel.Scope,
	currency laurel.ID,
) (lots.Terms, error) {
	var w store.Where
	w.Add("loyalty_currency_id = ?", currency)
	w.Tenant("", scope)
	var terms lots.Terms
	err := q.Select(
		ctx,
		&terms,
		"SELECT since, COALESCE(expire_after_days, 0) AS expire_after_days FROM currency_terms"+w.String()+" ORDER BY since",
		w.Args...)
	return terms, err
}

// AccountsAfter returns a page of users' accounts of a currency in the order of users. page.StartingAfter is the last
// user of the page before, not an account.
func (s *Service) AccountsAfter(
	ctx context.Context,
	q store.Queryer,
	scope laurel.Scope,
	currency laurel.ID,
	page laurel.PageRequest,
) ([]lots.Account, error) {
	var w store.Where
	w.Add("t.loyalty_currency_id = ? AND t.user_id IS NOT NULL", currency)
	w.Tenant("t.", scope)
	if !page.StartingAfter.IsZero() {
		w.Add("t.user_id > ?", page.StartingAfter)
	}
	var rows []account
	err := q.Select(ctx, &rows, selectAccount+w.String()+" ORDER BY t.user_id LIMIT ?", append(w.Args, page.Limit)...)
	return lotAccounts(rows), err
}

// AccountOf returns one account, which may be a main account, with a zero user. NotFound "Account" if the scope has
// none.
func (s *Service) AccountOf(
	ctx context.Context,
	q store.Queryer,
	scope laurel.Scope,
	id laurel.ID,
) (lots.Account, error) {
	var w store.Where
	w.Add("t.id = ?", id)
	w.Tenant("t.", scope)
	var row account
	err := q.Get(ctx, &row, selectAccount+w.String(), w.Args...)
	if store.IsNoRows(err) {
		return lots.Account{}, laurel.Missing("Account")
	}
	return row.lotAccount(), err
}

// AccountsOf returns the accounts that the users have in a currency, in no order.
func (s *Service) AccountsOf(
	ctx context.Context,
	q store.Queryer,
	scope laurel.Scope,
	currency laurel.ID,
	users []laurel.ID,
) ([]lots.Account, error) {
	if len(users) == 0 {
		return nil, nil
	}
	w := whereAccountsOf(q.Engine(), scope, currency, users)
	var rows []account
	err := q.Select(ctx, &rows, selectAccount+w.String(), w.Args...)
	return lotAccounts(rows), err
}

// whereAccountsOf returns the conditions for the accounts that the users have in a currency.
func whereAccountsOf(e store.Engine, scope laurel.Scope, currency laurel.ID, users []laurel.ID) store.Where {
	var w store.Where
	w.Add("t.loyalty_currency_id = ?", currency)
	store.In(&w, "t.user_id", users)
	w.Tenant(e.NoIndexPrefix()+"t.", scope)
	return w
}

// lotAccounts returns the accounts as package lots reads them.
func lotAccounts(rows []account) []lots.Account {
	list := make([]lots.Account, len(rows))
	for i, r := range rows {
		list[i] = r.lotAccount()
	}
	return list
}

// lotAccount returns the account as package lots reads it: its balance, its version and the time of its last entry.
func (a account) lotAccount() lots.Account {
	return lots.Account{
		Amount: a.Amount,
		Bookmark: lots.Bookmark{AccountID: a.ID, OrganizationID: a.OrganizationID, WebsiteID: a.WebsiteID,
			CurrencyID: a.CurrencyID, UserID: a.UserID, Version: a.LockVersion, EntryAt: a.UpdatedAt},
	}
}

// OpeningOf returns the balance of a user's account just before a moment, which is the end of its last entry before the
// moment, with that entry's version and time; all are zero if there is no such entry.
func (s *Service) OpeningOf(
	ctx context.Context,
	q store.Queryer,
	scope laurel.Scope,
	account laurel.ID,
	at int64,
) (lots.Opening, error) {
	var o lots.Opening
	err := q.Get(
		ctx,
		&o,
		`SELECT end_amount AS amount, lock_version AS version, created_at FROM loyalty_transaction_entries
		WHERE loyalty_account_id = ? AND website_id = ? AND created_at < ? ORDER BY created_at DESC, lock_version DESC LIMIT 1`,
		account,
		scope.WebsiteID,
		at,
	)
	if store.IsNoRows(err) {
		return lots.Opening{}, nil
	}
	return o, err
}

// EntriesAfter returns the entries of a user's account that follow the bookmark, in their order, at most limit of them.
func (s *Service) EntriesAfter(
	ctx context.Context,
	q store.Queryer,
	scope laurel.Scope,
	bookmark lots.Bookmark,
	limit int,
) ([]lots.Entry, error) {
	var rows []struct {
		storedEntry
		Transaction laurel.ID       `db:"loyalty_transaction_id"`
		Type        TransactionType `db:"type"`
		Cause       *Cause          `db:"cause"` // of credits of callers
	}
	err := q.Select(ctx, &rows, `SELECT id, loyalty_transaction_id, amount, direction, lock_version, created_at, type,
		CASE WHEN type <> 'loyalty_rule' THEN metadata END AS metadata,
		CASE WHEN type IN ('api_key', 'order') AND direction = 'credit' THEN
			(SELECT t.cause FROM loyalty_transactions t WHERE t.id = loyalty_transaction_id) END AS cause
		FROM loyalty_transaction_entries
		WHERE loyalty_account_id = ? AND website_id = ? AND created_at >= ? AND lock_version > ? ORDER BY created_at, lock_version LIMIT ?`,
		bookmark.AccountID, scope.WebsiteID, bookmark.EntryAt, bookmark.Version, limit)
	list := make([]lots.Entry, len(rows))
	for i, e := range rows {
		list[i] = lots.Entry{ID: e.ID, Version: e.LockVersion, Amount: e.Amount, Debit: e.Direction == Debit, At: e.CreatedAt,
			Purpose: purposeOf(e.Type, e.entry(e.Transaction), e.Cause != nil && *e.Cause == CauseReversed)}
	}
	return list, err
}
