package report

import (
	"context"
	"slices"

	"laurel"
	"laurel/internal/store"
)

// Points that auctions with hidden bids hold are concealed: except for secret keys, and for the reader's own account,
// lists look as if they were not held (docs/decisions/0081-sealed-bids.md).

// hiddenBidEntry is the condition that an entry x of a bid is hidden from the reader. One argument: the reader's user.
const hiddenBidEntry = "x.concealed AND (x.user_id IS NULL OR x.user_id IS DISTINCT FROM ?)"

// The columns of account a as a reader sees them: lock_version and updated_at without the hidden entries. Three
// arguments: the reader's user, each time.
const (
	publicVersion = "a.lock_version - (SELECT COUNT(*) FROM bid_entries x WHERE x.loyalty_account_id = a.id AND " + hiddenBidEntry + ") AS lock_version"
	publicUpdated = "CASE WHEN a.user_id IS NOT NULL AND EXISTS (SELECT 1 FROM bid_entries x WHERE x.loyalty_account_id = a.id AND " + hiddenBidEntry + `)
		THEN COALESCE((SELECT e.created_at FROM loyalty_transaction_entries e WHERE e.loyalty_account_id = a.id
			AND NOT EXISTS (SELECT 1 FROM bid_entries x WHERE x.entry_id = e.id AND ` + hiddenBidEntry + `)
			ORDER BY e.created_at DESC, e.lock_version DESC LIMIT 1), a.created_at) ELSE a.updated_at END AS updated_at`
	publicColumns = "SELECT a.id, a.organization_id, a.website_id, a.loyalty_currency_id, a.user_id, u.wallet_address, a.amount, " +
		publicVersion + ", a.created_at, " + publicUpdated
	joinUser = " LEFT JOIN users u ON u.id = a.user_id"
	// plainColumns are the columns of accounts s that do not depend on the reader.
	plainColumns = "s.id, s.organization_id, s.website_id, s.loyalty_currency_id, s.user_id, s.lock_version, s.ranked, s.created_at, s.updated_at"
)

// hiddenGain is the sum of an account's (s) entries that are hidden from the reader; hiddenGainAt is the sum until a
// moment.
const (
	hiddenGain   = "CAST(COALESCE((SELECT SUM(x.amount) FROM bid_entries x WHERE x.loyalty_account_id = s.id AND " + hiddenBidEntry + "), 0) AS BIGINT)"
	hiddenGainAt = "CAST(COALESCE((SELECT SUM(x.amount) FROM bid_entries x WHERE x.loyalty_account_id = s.id AND x.created_at <= ? AND " + hiddenBidEntry + "), 0) AS BIGINT)"
)

// minusHiddenGain subtracts, from the balance after an entry e, the sum of the account's earlier entries that are
// hidden from the reader. One argument: the reader's user.
const minusHiddenGain = ` - CAST(COALESCE((SELECT SUM(x.amount) FROM bid_entries x WHERE x.loyalty_account_id = e.loyalty_account_id
	AND x.version < e.lock_version AND ` + hiddenBidEntry + `), 0) AS BIGINT)`

// The statements of lists of accounts for readers who may not see hidden bids.
const (
	publicAccount = publicColumns + " FROM (SELECT " + plainColumns + `, s.amount + CASE WHEN s.user_id = ? THEN 0 ELSE s.concealed_amount END AS amount
		FROM loyalty_accounts s) a` + joinUser
	publicAccountAt = publicColumns + " FROM (SELECT " + plainColumns + `, COALESCE((SELECT e.end_amount FROM loyalty_transaction_entries e
			WHERE e.loyalty_account_id = s.id AND e.created_at <= ? ORDER BY e.created_at DESC, e.lock_version DESC LIMIT 1), 0) - ` + hiddenGainAt + ` AS amount
		FROM loyalty_accounts s WHERE s.created_at <= ?) a` + joinUser
	publicMain   = publicColumns + " FROM (SELECT " + plainColumns + ", s.amount - " + hiddenGain + " AS amount FROM (" + mainAccountsWithDeltas + ") s) a" + joinUser
	publicMainAt = publicColumns + " FROM (SELECT " + plainColumns + `, CAST(COALESCE((SELECT SUM(CASE e.direction WHEN 'credit' THEN e.amount ELSE -e.amount END)
			FROM loyalty_transaction_entries e WHERE e.loyalty_account_id = s.id AND e.created_at <= ?), 0) AS BIGINT) - ` + hiddenGainAt + ` AS amount
		FROM (` + mainAccountsWithDeltas + ") s WHERE s.created_at <= ?) a" + joinUser
)

// publicQuery returns the statement of a list for readers who may not see hidden bids, and its first arguments.
func (f AccountFilter) publicQuery() (query string, opening []any) {
	user := f.Visibility.User
	opening = []any{user, user, user}
	m := f.At.UnixMicro()
	switch {
	case f.At.IsZero() && f.MainAccounts:
		return publicMain, append(opening, user)
	case f.At.IsZero():
		return publicAccount, append(opening, user)
	case f.MainAccounts:
		return publicMainAt, append(opening, m, m, user, m)
	}
	return publicAccountAt, append(opening, m, m, user, m)
}

// hasTwoHalves reports whether the list is read in two halves: accounts without concealed amounts, which an index has
// in order, and the few others.
func (f AccountFilter) hasTwoHalves() bool {
	return !f.Visibility.All && !f.MainAccounts && f.At.IsZero()
}

// publicAccounts returns the statement for limit+1 users' accounts after one of them, for readers who may not see
// hidden bids. It merges the two halves.
func (s *Service) publicAccounts(
	scope laurel.Scope, f AccountFilter, after *Account, limit int,
) (query string, args []any) {
	half := func(amount, condition string) string {
		w := s.accountsWhere(nil, scope, f)
		f.addAfter(&w, amount, after)
		w.Add(condition, f.Visibility.User)
		args = append(append(args, w.Args...), limit+1)
		return "SELECT * FROM (SELECT a.id, a.organization_id, a.website_id, a.loyalty_currency_id, a.user_id, " + amount +
			" AS amount, a.lock_version, a.created_at, a.updated_at FROM loyalty_accounts a" + w.String() + f.orderBy(amount) + " LIMIT ?)"
	}
	plain := half("a.amount", "(a.concealed_amount = 0 OR a.user_id = ?)")
	others := half("(a.amount + a.concealed_amount)", "a.concealed_amount > 0 AND a.user_id IS DISTINCT FROM ?")
	user := f.Visibility.User
	return publicColumns + " FROM (" + plain + " p UNION ALL " + others + " q) a" + joinUser + f.orderBy("a.amount"),
		slices.Concat([]any{user, user, user}, args)
}

// hiddenBefore subtracts, from the version of an entry e, the number of earlier entries that are hidden from the
// reader, so that a list by versions has the order of the versions that it shows.
func (f EntryFilter) hiddenBefore() string {
	if f.Visibility.All || !f.AccountID.IsZero() { // within an account the order is the same
		return ""
	}
	others := ""
	if !f.Visibility.User.IsZero() {
		others = " AND x.user_id <> '" + f.Visibility.User.String() + "'"
	}
	return ` - (SELECT COUNT(*) FROM bid_entries x WHERE x.loyalty_account_id = e.loyalty_account_id AND x.concealed
		AND x.version < e.lock_version` + others + ")"
}

// hideBidHolds changes the balances and versions of entries to what they would be without the earlier entries that are
// hidden from the reader.
func (s *Service) hideBidHolds(ctx context.Context, visibility laurel.Visibility, entries []Entry) error {
	var accounts []laurel.ID
	for _, e := range entries {
		if e.LockVersion != nil && !slices.Contains(accounts, e.AccountID) {
			accounts = append(accounts, e.AccountID)
		}
	}
	if len(accounts) == 0 {
		return nil
	}
	var w store.Where
	store.In(&w, "x.loyalty_account_id", accounts)
	w.Add(hiddenBidEntry+" AND x.version IS NOT NULL", visibility.User)
	var hidden []struct {
		AccountID laurel.ID     `db:"loyalty_account_id"`
		Amount    laurel.Amount `db:"amount"`
		Version   int64         `db:"version"`
	}
	err := s.db.Select(ctx, &hidden, "SELECT x.loyalty_account_id, x.amount, x.version FROM bid_entries x"+w.String(), w.Args...)
	for i := range entries {
		before, n := laurel.Amount(0), int64(0)
		for _, h := range hidden {
			if e := entries[i]; h.AccountID == e.AccountID && e.LockVersion != nil && h.Version < *e.LockVersion {
				before, n = before+h.Amount, n+1
			}
		}
		if n > 0 {
			entries[i].shift(-before, -n)
		}
	}
	return err
}

// shift adds to the balances and the version that an entry shows.
func (e *Entry) shift(by laurel.Amount, versions int64) {
	start, end, version := *e.StartAmount+by, *e.EndAmount+by, *e.LockVersion+versions
	e.StartAmount, e.EndAmount, e.LockVersion = &start, &end, &version
}
