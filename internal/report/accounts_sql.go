package report

import (
	"context"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/store"
)

// Account is an item of the accounts list (contract 3.9).
type Account struct {
	ID             laurel.ID        `db:"id"`
	OrganizationID laurel.ID        `db:"organization_id"`
	WebsiteID      laurel.ID        `db:"website_id"`
	CurrencyID     laurel.ID        `db:"loyalty_currency_id"`
	UserID         laurel.ID        `db:"user_id"` // zero: the main account
	Wallet         *string          `db:"wallet_address"`
	Amount         laurel.Amount    `db:"amount"`
	LockVersion    int64            `db:"lock_version"`
	CreatedAt      laurel.Timestamp `db:"created_at"`
	UpdatedAt      laurel.Timestamp `db:"updated_at"` // when the balance last changed
}

// AccountFilter limits a list of accounts.
type AccountFilter struct {
	Users        UserFilter
	MainAccounts bool // main accounts instead of users'
	CurrencyID   laurel.ID
	Ascending    bool
	At           time.Time   // a settled moment for which to list accounts and balances; zero: now
	IDs          []laurel.ID // only these accounts
	Ranked       *bool       // only accounts that have a rank, or that have none; nil: all
	Visibility   laurel.Visibility
}

// IsLeaderboard reports whether the list contains all users' accounts of one currency, highest first.
func (f AccountFilter) IsLeaderboard() bool {
	return f.Users.isEmpty() && !f.MainAccounts && !f.CurrencyID.IsZero() && !f.Ascending
}

const selectAccount = `SELECT a.id, a.organization_id, a.website_id, a.loyalty_currency_id, a.user_id, u.wallet_address, a.amount, a.lock_version,
	a.created_at, a.updated_at FROM loyalty_accounts a LEFT JOIN users u ON u.id = a.user_id`

// mainAccountsWithDeltas reads main accounts and adds the deltas that are not folded into them yet, so that their
// balances are exact.
const mainAccountsWithDeltas = `SELECT m.id, m.organization_id, m.website_id, m.loyalty_currency_id, m.user_id, m.created_at, m.updated_at, m.ranked,
		m.amount + CAST(COALESCE((SELECT SUM(d.amount) FROM main_account_deltas d WHERE d.loyalty_account_id = m.id), 0) AS BIGINT) AS amount,
		m.lock_version + CAST(COALESCE((SELECT SUM(d.entries) FROM main_account_deltas d WHERE d.loyalty_account_id = m.id), 0) AS BIGINT) AS lock_version
		FROM loyalty_accounts m WHERE m.user_id IS NULL`

const selectMain = `SELECT a.id, a.organization_id, a.website_id, a.loyalty_currency_id, a.user_id, NULL AS wallet_address, a.amount, a.lock_version, a.created_at, a.updated_at
	FROM (` + mainAccountsWithDeltas + `) a`

// addAccountSide limits accounts to main accounts or to users' accounts.
func (f AccountFilter) addAccountSide(w *store.Where) {
	if f.MainAccounts {
		w.Add("a.user_id IS NULL")
	} else {
		w.Add("a.user_id IS NOT NULL")
	}
}

// Accounts returns one page of accounts, sorted by amount and id: the highest amount first unless Ascending. Errors:
// Invalid for an unknown cursor, or a moment that is not settled.
func (s *Service) Accounts(
	ctx context.Context,
	scope laurel.Scope,
	f AccountFilter,
	page laurel.PageRequest,
) (laurel.Page[Account], error) {
	if err := s.resolveGroups(ctx, scope, &f.Users); err != nil {
		return laurel.PageOf[Account](nil, page.Limit), err
	}
	var out laurel.Page[Account]
	query, args := f.selectQuery()
	err := s.readFrom(ctx, f, func(q store.Queryer) error {
		after, err := f.readCursor(ctx, q, scope, page.StartingAfter)
		if err != nil {
			return err
		}
		if f.isReadInTwoHalves() {
			query, args := s.shownAccountsQuery(scope, f, after, page.Limit)
			out, err = store.SelectPage[Account](ctx, q, page.Limit, query, args...)
			return err
		}
		w := s.accountsWhere(args, scope, f)
		f.addAfter(&w, "a.amount", after)
		out, err = store.SelectPage[Account](ctx, q, page.Limit, query+w.String()+f.orderBy("a.amount"), w.Args...)
		return err
	})
	return out, err
}

// accountsWhere returns the conditions of the filter. args are the arguments of the statement before these conditions.
func (s *Service) accountsWhere(args []any, scope laurel.Scope, f AccountFilter) store.Where {
	w := store.Where{Args: args}
	s.whereTenantOf(&w, "a.", scope, f.Users)
	f.addAccountSide(&w)
	if !f.CurrencyID.IsZero() {
		w.Add("a.loyalty_currency_id = ?", f.CurrencyID)
	}
	store.In(&w, "a.id", f.IDs)
	if f.Ranked != nil && *f.Ranked {
		w.Add("a.ranked")
	} else if f.Ranked != nil {
		w.Add("NOT a.ranked")
	}
	whereUsers(&w, "a.user_id", "a.website_id", scope, f.Users)
	return w
}

// readCursor reads the account after which a page begins, or returns nil for the first page (the zero id). Errors:
// Invalid if the list has no account with the id.
func (f AccountFilter) readCursor(
	ctx context.Context, q store.Queryer, scope laurel.Scope, id laurel.ID,
) (*Account, error) {
	if id.IsZero() {
		return nil, nil
	}
	query, args := f.selectQuery()
	w := store.Where{Args: args}
	w.Add("a.id = ?", id)
	whereTenant(&w, "a.", scope)
	f.addAccountSide(&w)
	var after Account
	err := q.Get(ctx, &after, query+w.String(), w.Args...)
	if store.IsNoRows(err) {
		err = laurel.ErrCursor()
	}
	return &after, err
}

// addAfter adds the condition that a row comes after an account in a list sorted by the amount in a column; none for
// nil.
func (f AccountFilter) addAfter(w *store.Where, amountColumn string, after *Account) {
	if after != nil {
		w.After(amountColumn, "a.id", !f.Ascending, after.Amount, after.ID)
	}
}

func (f AccountFilter) orderBy(amountColumn string) string {
	direction := " DESC"
	if f.Ascending {
		direction = " ASC"
	}
	return " ORDER BY " + amountColumn + direction + ", a.id" + direction
}
