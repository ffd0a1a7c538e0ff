package report

import (
	"context"
	"slices"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/store"
)

// Points that auctions with hidden bids hold are concealed (docs/decisions/0081-sealed-bids.md): lists look as if these
// points were not held. Secret keys see everything, and a member sees its own account as it is. The reader is the
// member that a list is read for; it has the zero id if there is none. bid_entries has a row for each entry of a bid.

// hiddenBidEntry is the condition that a row x of bid_entries is hidden from the reader. One argument: the reader.
const hiddenBidEntry = "x.concealed AND (x.user_id IS NULL OR x.user_id IS DISTINCT FROM ?)"

// shownColumns are the columns of an account a as the reader sees it: lock_version does not count hidden entries, and
// updated_at is the time of the last entry that is shown. Three arguments: the reader, each time.
const (
	shownVersion   = "a.lock_version - (SELECT COUNT(*) FROM bid_entries x WHERE x.loyalty_account_id = a.id AND " + hiddenBidEntry + ") AS lock_version"
	shownUpdatedAt = "CASE WHEN a.user_id IS NOT NULL AND EXISTS (SELECT 1 FROM bid_entries x WHERE x.loyalty_account_id = a.id AND " + hiddenBidEntry + `)
		THEN COALESCE((SELECT e.created_at FROM loyalty_transaction_entries e WHERE e.loyalty_account_id = a.id
			AND NOT EXISTS (SELECT 1 FROM bid_entries x WHERE x.entry_id = e.id AND ` + hiddenBidEntry + `)
			ORDER BY e.created_at DESC, e.lock_version DESC LIMIT 1), a.created_at) ELSE a.updated_at END AS updated_at`
	shownColumns = "SELECT a.id, a.organization_id, a.website_id, a.loyalty_currency_id, a.user_id, u.wallet_address, a.amount, " +
		shownVersion + ", a.created_at, " + shownUpdatedAt
	joinUser = " LEFT JOIN users u ON u.id = a.user_id"
	// readerFreeColumns are the columns of an account s as they are stored, without the amount.
	readerFreeColumns = "s.id, s.organization_id, s.website_id, s.loyalty_currency_id, s.user_id, s.lock_version, s.ranked, s.created_at, s.updated_at"
)

// hiddenSum is the sum of the entries of an account s that are hidden from the reader. One argument: the reader.
// hiddenSumAt is this sum up to a moment. Two arguments: the moment and the reader.
const (
	hiddenSum   = "CAST(COALESCE((SELECT SUM(x.amount) FROM bid_entries x WHERE x.loyalty_account_id = s.id AND " + hiddenBidEntry + "), 0) AS BIGINT)"
	hiddenSumAt = "CAST(COALESCE((SELECT SUM(x.amount) FROM bid_entries x WHERE x.loyalty_account_id = s.id AND x.created_at <= ? AND " + hiddenBidEntry + "), 0) AS BIGINT)"
)

// minusHiddenSum subtracts, from the balance after an entry e, the sum of the account's earlier entries that are hidden
// from the reader. One argument: the reader.
const minusHiddenSum = ` - CAST(COALESCE((SELECT SUM(x.amount) FROM bid_entries x WHERE x.loyalty_account_id = e.loyalty_account_id
	AND x.version < e.lock_version AND ` + hiddenBidEntry + `), 0) AS BIGINT)`

// The statements of lists of accounts for readers who may not see all hidden bids: of users or main accounts, now or at
// a moment. shownQuery has their arguments.
const (
	selectShownAccount = shownColumns + " FROM (SELECT " + readerFreeColumns + `, s.amount + CASE WHEN s.user_id = ? THEN 0 ELSE s.concealed_amount END AS amount
		FROM loyalty_accounts s) a` + joinUser
	selectShownAccountAt = shownColumns + " FROM (SELECT " + readerFreeColumns + `, COALESCE((SELECT e.end_amount FROM loyalty_transaction_entries e
			WHERE e.loyalty_account_id = s.id AND e.created_at <= ? ORDER BY e.created_at DESC, e.lock_version DESC LIMIT 1), 0) - ` + hiddenSumAt + ` AS amount
		FROM loyalty_accounts s WHERE s.created_at <= ?) a` + joinUser
	selectShownMain   = shownColumns + " FROM (SELECT " + readerFreeColumns + ", s.amount - " + hiddenSum + " AS amount FROM (" + mainAccountsWithDeltas + ") s) a" + joinUser
	selectShownMainAt = shownColumns + " FROM (SELECT " + readerFreeColumns + `, CAST(COALESCE((SELECT SUM(CASE e.direction WHEN 'credit' THEN e.amount ELSE -e.amount END)
			FROM loyalty_transaction_entries e WHERE e.loyalty_account_id = s.id AND e.created_at <= ?), 0) AS BIGINT) - ` + hiddenSumAt + ` AS amount
		FROM (` + mainAccountsWithDeltas + ") s WHERE s.created_at <= ?) a" + joinUser
)

// shownQuery returns the statement of a list for readers who may not see all hidden bids, and the arguments before
// those of its conditions.
func (f AccountFilter) shownQuery() (query string, args []any) {
	reader := f.Visibility.User
	args = []any{reader, reader, reader} // of shownColumns
	if f.At.IsZero() {
		args = append(args, reader)
		if f.MainAccounts {
			return selectShownMain, args
		}
		return selectShownAccount, args
	}
	at := f.At.UnixMicro()
	args = append(args, at, at, reader, at) // of the balance, of hiddenSumAt, and of the accounts that existed
	if f.MainAccounts {
		return selectShownMainAt, args
	}
	return selectShownAccountAt, args
}

// isReadInTwoHalves reports whether the list is read in two halves: the accounts whose stored amount is shown, which an
// index has in order, and the few whose shown amount includes a concealed one.
func (f AccountFilter) isReadInTwoHalves() bool {
	return !f.Visibility.All && !f.MainAccounts && f.At.IsZero()
}

// shownAccountsQuery returns the statement that reads the first limit+1 accounts of users that follow the account after
// in the list (nil: from the first), for readers who may not see all hidden bids. It reads limit+1 accounts of each of
// two halves (see isReadInTwoHalves), and merges them by amount.
func (s *Service) shownAccountsQuery(
	scope laurel.Scope, f AccountFilter, after *Account, limit int,
) (query string, args []any) {
	selectHalf := func(amount, condition string) string {
		w := s.accountsWhere(nil, scope, f)
		f.addAfter(&w, amount, after)
		w.Add(condition, f.Visibility.User)
		args = append(append(args, w.Args...), limit+1)
		return "SELECT * FROM (SELECT a.id, a.organization_id, a.website_id, a.loyalty_currency_id, a.user_id, " + amount +
			" AS amount, a.lock_version, a.created_at, a.updated_at FROM loyalty_accounts a" + w.String() + f.orderBy(amount) + " LIMIT ?)"
	}
	stored := selectHalf("a.amount", "(a.concealed_amount = 0 OR a.user_id = ?)")
	concealed := selectHalf("(a.amount + a.concealed_amount)", "a.concealed_amount > 0 AND a.user_id IS DISTINCT FROM ?")
	reader := f.Visibility.User
	return shownColumns + " FROM (" + stored + " p UNION ALL " + concealed + " q) a" + joinUser + f.orderBy("a.amount"),
		slices.Concat([]any{reader, reader, reader}, args)
}

// minusHiddenCount returns SQL that subtracts, from the version of an entry e, the number of the account's earlier
// entries that are hidden from the reader. So a list that is sorted by version is sorted by the versions that the
// reader gets. It returns "" if nothing is hidden, and for the list of one account, whose order is the same either way.
func (f EntryFilter) minusHiddenCount() string {
	if f.Visibility.All || !f.AccountID.IsZero() {
		return ""
	}
	notReader := ""
	if !f.Visibility.User.IsZero() {
		notReader = " AND x.user_id <> '" + f.Visibility.User.String() + "'"
	}
	return ` - (SELECT COUNT(*) FROM bid_entries x WHERE x.loyalty_account_id = e.loyalty_account_id AND x.concealed
		AND x.version < e.lock_version` + notReader + ")"
}

// hideBidEntries changes the balances and versions of entries to what they would be without the earlier entries that
// are hidden from the reader. Entries of main accounts have neither.
func (s *Service) hideBidEntries(ctx context.Context, visibility laurel.Visibility, entries []Entry) error {
	accounts := accountsWithVersions(entries)
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
		sum, count := laurel.Amount(0), int64(0)
		for _, h := range hidden {
			if e := entries[i]; h.AccountID == e.AccountID && e.LockVersion != nil && h.Version < *e.LockVersion {
				sum, count = sum+h.Amount, count+1
			}
		}
		if count > 0 {
			entries[i].subtractHidden(sum, count)
		}
	}
	return err
}

// accountsWithVersions returns the accounts of entries that have versions, each once.
func accountsWithVersions(entries []Entry) (accounts []laurel.ID) {
	for _, e := range entries {
		if e.LockVersion != nil && !slices.Contains(accounts, e.AccountID) {
			accounts = append(accounts, e.AccountID)
		}
	}
	return accounts
}

// subtractHidden subtracts hidden entries, by their sum and their number, from the balances and the version of an
// entry.
func (e *Entry) subtractHidden(sum laurel.Amount, count int64) {
	start, end, version := *e.StartAmount-sum, *e.EndAmount-sum, *e.LockVersion-count
	e.StartAmount, e.EndAmount, e.LockVersion = &start, &end, &version
}
