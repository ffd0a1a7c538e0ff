package ledger

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/store"
)

const selectAccount = `SELECT t.id, t.organization_id, t.website_id, t.loyalty_currency_id, t.user_id, t.amount, t.lock_version, t.ranked,
	t.concealed_amount, t.receivable, t.created_at, t.updated_at FROM loyalty_accounts t`

// insertAccounts and updateAccounts are no store.Records: every completion writes accounts.
var insertAccounts = store.Insert{
	Table:    "loyalty_accounts",
	Conflict: store.IgnoreConflicts,
	Columns: store.Columns(
		`id uuid, organization_id uuid, website_id uuid, loyalty_currency_id uuid, user_id uuid, amount bigint,
		lock_version bigint, ranked boolean, created_at bigint, updated_at bigint`,
	),
}

var updateAccounts = store.Update{Table: "loyalty_accounts", Keys: store.Columns("id uuid"),
	Set: store.Columns("amount bigint, lock_version bigint, updated_at bigint")}

// saveAccounts inserts new accounts and updates changed ones. It clears the rank cutoffs (the balances at MaxRank) that
// may be too high after a debit. It returns store.ErrRerun if another transaction has inserted one of the new accounts
// meanwhile.
func saveAccounts(ctx context.Context, tx *store.Tx, rows []*account) error {
	var added, changed [][]any
	peaks := map[laurel.ID]laurel.Amount{}
	for _, a := range rows {
		if a.isNew {
			added = append(
				added,
				[]any{
					a.ID,
					a.OrganizationID,
					a.WebsiteID,
					a.CurrencyID,
					a.UserID,
					a.Amount,
					a.LockVersion,
					a.Ranked,
					a.CreatedAt,
					a.UpdatedAt,
				},
			)
		} else {
			changed = append(changed, []any{a.ID, a.Amount, a.LockVersion, a.UpdatedAt})
		}
		if a.wasLowered && a.Ranked {
			peaks[a.CurrencyID] = max(peaks[a.CurrencyID], a.peak)
		}
	}
	n, err := tx.InsertRows(ctx, insertAccounts, added)
	if err != nil {
		return err
	}
	if n < int64(len(added)) {
		return store.ErrRerun
	}
	if _, err := tx.UpdateRows(ctx, updateAccounts, changed); err != nil {
		return err
	}
	if err := saveConcealed(ctx, tx, rows); err != nil {
		return err
	}
	if err := saveReceivables(ctx, tx, rows); err != nil {
		return err
	}
	return clearCutoffs(ctx, tx, peaks)
}

// clearCutoffs clears the rank cutoffs that may be too high because balances fell. peaks has, by currency, the highest
// amount from which an account fell; a cutoff is cleared if that was at or above it. A cutoff that stays is locked for
// share, so that a refresh, which locks it for update, never counts while such a change is open.
func clearCutoffs(ctx context.Context, tx *store.Tx, peaks map[laurel.ID]laurel.Amount) error {
	for _, currency := range slices.SortedFunc(maps.Keys(peaks), laurel.ID.Compare) {
		if err := clearCutoff(ctx, tx, currency, peaks[currency]); err != nil {
			return err
		}
	}
	return nil
}

// clearCutoff is clearCutoffs for one currency. It updates first and locks for share only if there was nothing to
// update: two nodes that both raised a shared lock would deadlock.
func clearCutoff(ctx context.Context, tx *store.Tx, currency laurel.ID, peak laurel.Amount) error {
	const clearing = "UPDATE rank_cutoffs SET amount = NULL WHERE loyalty_currency_id = ? AND amount <= ?"
	n, err := tx.Exec(ctx, clearing, currency, peak)
	if err != nil || n > 0 {
		return err
	}
	var cutoff *laurel.Amount
	if err := tx.Get(
		ctx,
		&cutoff,
		"SELECT amount FROM rank_cutoffs WHERE loyalty_currency_id = ?"+tx.ForShare(),
		currency,
	); err != nil {
		return fmt.Errorf("cutoff of %s: %w", currency, err)
	}
	if cutoff == nil || peak < *cutoff {
		return nil
	}
	_, err = tx.Exec(ctx, clearing, currency, peak) // a refresh has set the cutoff since the first update
	return err
}

// refreshCutoff locks the rank cutoff of a currency and sets it to the balance of the ranked account at MaxRank, or to
// NULL if there are fewer such accounts. It does nothing if the currency has no row for a cutoff.
func refreshCutoff(ctx context.Context, tx *store.Tx, currency laurel.ID) error {
	var locked []laurel.ID
	if err := tx.Select(
		ctx,
		&locked,
		"SELECT loyalty_currency_id FROM rank_cutoffs WHERE loyalty_currency_id = ?"+tx.ForUpdate(),
		currency,
	); err != nil ||
		len(locked) == 0 {
		return err
	}
	_, err := tx.Exec(ctx, `UPDATE rank_cutoffs SET amount = (SELECT amount FROM loyalty_accounts
		WHERE loyalty_currency_id = ? AND ranked ORDER BY amount DESC LIMIT 1 OFFSET ?) WHERE loyalty_currency_id = ?`, currency, MaxRank-1, currency)
	return err
}

// setRanked sets whether a user's accounts in a website are ranked, and clears the rank cutoffs that may be too high
// because an account is no longer ranked.
func setRanked(ctx context.Context, tx *store.Tx, website, user laurel.ID, ranked bool) error {
	var userAccounts []account
	if err := tx.Select(
		ctx,
		&userAccounts,
		selectAccount+" WHERE t.website_id = ? AND t.user_id = ? ORDER BY t.loyalty_currency_id"+tx.ForUpdate(),
		website,
		user,
	); err != nil {
		return err
	}
	peaks := map[laurel.ID]laurel.Amount{}
	for _, a := range userAccounts {
		if a.Ranked == ranked {
			continue
		}
		if _, err := tx.Exec(ctx, "UPDATE loyalty_accounts SET ranked = ? WHERE id = ?", ranked, a.ID); err != nil {
			return err
		}
		if !ranked {
			peaks[a.CurrencyID] = a.Amount
		}
	}
	return clearCutoffs(ctx, tx, peaks)
}

type rankRow struct {
	CurrencyID laurel.ID      `db:"loyalty_currency_id"`
	UserID     laurel.ID      `db:"user_id"`
	Amount     laurel.Amount  `db:"amount"`
	Ranked     bool           `db:"ranked"`
	Cutoff     *laurel.Amount `db:"cutoff"`
	Above      int            `db:"above"`
}

// rankOf is the query for an account with its cutoff and the number of accounts above it, counted up to MaxRank. ORDER
// BY … LIMIT inside makes the planner walk the index from the top. The limit is part of the text: PostgreSQL would plan
// a statement anew each time whose limit it cannot know, which takes longer than executing it.
var rankOf = strings.ReplaceAll(`SELECT a.loyalty_currency_id, a.user_id, a.amount, a.ranked, c.amount AS cutoff,
	CASE WHEN c.amount IS NOT NULL AND a.amount < c.amount THEN :most ELSE (SELECT COUNT(*) FROM (SELECT 1 FROM loyalty_accounts b
		WHERE b.loyalty_currency_id = a.loyalty_currency_id AND b.ranked AND b.amount > a.amount ORDER BY b.amount DESC LIMIT :most) x) END AS above
	FROM loyalty_accounts a LEFT JOIN rank_cutoffs c ON c.loyalty_currency_id = a.loyalty_currency_id`, ":most", strconv.Itoa(MaxRank))

// publicRankOf is rankOf for a reader who must not see the effect of hidden bids: the points that these hold are added
// to each balance again, except the reader's own. Its two arguments are the reader's user, twice. Concealed amounts
// only raise a balance. So the accounts above are those with a higher balance, and the few that come above by their
// concealed amount; a cutoff errs on the low side here, too. "ranked = TRUE" keeps SQLite from the index of all ranked
// accounts.
var publicRankOf = strings.NewReplacer("a.amount, ", "a.shown AS amount, ", "a.amount", "a.shown", "FROM loyalty_accounts a", `FROM (SELECT s.*, s.amount +
	CASE WHEN s.user_id = ? THEN 0 ELSE s.concealed_amount END AS shown FROM loyalty_accounts s) a`,
	"END AS above", `END + (SELECT COUNT(*) FROM (SELECT 1 FROM loyalty_accounts h
		WHERE h.loyalty_currency_id = a.loyalty_currency_id AND h.concealed_amount > 0 AND h.amount + h.concealed_amount > a.shown
		AND h.amount <= a.shown AND h.ranked = TRUE AND h.user_id IS DISTINCT FROM ? LIMIT `+strconv.Itoa(MaxRank)+`) x) AS above`,
).Replace(rankOf)

// readRank reads an account with the cutoff of its currency and the number of greater balances, as the reader may see
// them, or returns NotFound "Account".
func readRank(
	ctx context.Context, q store.Queryer, scope laurel.Scope, visibility laurel.Visibility, id laurel.ID,
) (rankRow, error) {
	var w store.Where
	w.Add("a.id = ?", id)
	w.Tenant("a.", scope)
	query, args := rankOf, w.Args
	if !visibility.All {
		query, args = publicRankOf, append([]any{visibility.User, visibility.User}, w.Args...)
	}
	var row rankRow
	err := q.Get(ctx, &row, query+w.String(), args...)
	if store.IsNoRows(err) {
		return row, laurel.Missing("Account")
	}
	return row, err
}

var insertDelta = store.Insert{
	Table:   "main_account_deltas",
	Columns: store.Columns("id uuid, loyalty_account_id uuid, amount bigint, entries bigint, created_at bigint"),
}

// insertDeltas inserts the changes of main accounts by a batch of postings, one summed row for each account, which a
// later fold adds to the balance. If a total comes near the limit of amounts, it locks the main account and checks that
// the total stays in range.
func insertDeltas(ctx context.Context, tx *store.Tx, rows []delta) error {
	type total struct {
		amount      laurel.Amount
		entries     int64
		totalBefore laurel.Amount
	}
	totals := map[laurel.ID]*total{}
	var order []laurel.ID
	for _, d := range rows {
		t := totals[d.AccountID]
		if t == nil {
			t = &total{}
			totals[d.AccountID] = t
			order = append(order, d.AccountID)
		}
		var err error
		if t.amount, err = t.amount.Plus(d.Amount); err != nil {
			return err
		}
		t.entries++
		t.totalBefore = d.TotalBefore
	}
	slices.SortFunc(order, laurel.ID.Compare) // main accounts are locked in the order in which the fold takes them
	for _, id := range order {
		t := totals[id]
		if max(t.totalBefore, -t.totalBefore) < maxUnlockedTotal && max(t.amount, -t.amount) < maxUnlockedTotal {
			continue
		}
		if err := checkMainRange(ctx, tx, id, t.amount); err != nil {
			return err
		}
	}
	var values [][]any
	for _, id := range order {
		values = append(values, []any{tx.NewID(), id, totals[id].amount, totals[id].entries, store.Micros(tx.Now())})
	}
	_, err := tx.InsertRows(ctx, insertDelta, values)
	return err
}

// maxUnlockedTotal is the total from which a main account is locked before it changes. Below it, the sum of the amounts
// that all nodes add at once stays in range.
const maxUnlockedTotal = laurel.MaxAmount / 16

// checkMainRange locks a main account and refuses to change its balance by more if that takes the balance out of the
// range of amounts. The balance is minus the sum of all members' balances.
func checkMainRange(ctx context.Context, tx *store.Tx, account laurel.ID, more laurel.Amount) error {
	var locked laurel.ID
	if err := tx.Get(ctx, &locked, "SELECT id FROM loyalty_accounts WHERE id = ?"+tx.ForUpdate(), account); err != nil {
		return err
	}
	total, err := totalOfMainAccount(ctx, tx, account)
	if err != nil {
		return err
	}
	if _, err := total.Plus(more); err != nil {
		return outOfRange(sumOfCurrency)
	}
	return nil
}

// mainAccountTotal is the SQL expression for the balance of main account m: the folded part and the deltas.
const mainAccountTotal = "m.amount + CAST(COALESCE((SELECT SUM(d.amount) FROM main_account_deltas d WHERE d.loyalty_account_id = m.id), 0) AS BIGINT)"

// totalOfMainAccount returns the balance of a main account: the folded part and the deltas.
func totalOfMainAccount(ctx context.Context, tx *store.Tx, account laurel.ID) (laurel.Amount, error) {
	var total laurel.Amount
	err := tx.Get(ctx, &total, "SELECT "+mainAccountTotal+" FROM loyalty_accounts m WHERE m.id = ?", account)
	return total, err
}

// foldChunk bounds the deltas of one fold, so that it does not delay requests.
const foldChunk = 200

// hasDeltas reports whether there are deltas to fold, so that an idle node writes nothing.
func hasDeltas(ctx context.Context, q store.Queryer) (bool, error) {
	var ids []laurel.ID
	err := q.Select(ctx, &ids, "SELECT id FROM main_account_deltas LIMIT 1")
	return len(ids) > 0, err
}

// foldDeltas adds up to foldChunk deltas, which are changes of main accounts that postings have inserted, to the
// balances of the accounts, deletes them, and returns how many there were. Deltas that another transaction has locked
// are left out.
func foldDeltas(ctx context.Context, tx *store.Tx) (int, error) {
	var rows []foldRow
	if err := tx.Select(
		ctx,
		&rows,
		"SELECT id, loyalty_account_id, amount, entries FROM main_account_deltas ORDER BY loyalty_account_id, id LIMIT ?"+tx.ForUpdateSkip(),
		foldChunk,
	); err != nil ||
		len(rows) == 0 {
		return 0, err
	}
	var w store.Where
	ids := make([]laurel.ID, len(rows))
	for i, r := range rows {
		ids[i] = r.ID
	}
	for len(rows) > 0 {
		sum := foldRow{Account: rows[0].Account}
		for len(rows) > 0 && rows[0].Account == sum.Account {
			// in range: checkMainRange bounds the total of a currency
			sum.Amount, sum.Entries = sum.Amount+rows[0].Amount, sum.Entries+rows[0].Entries
			rows = rows[1:]
		}
		if _, err := tx.Exec(
			ctx,
			"UPDATE loyalty_accounts SET amount = amount + ?, lock_version = lock_version + ?, updated_at = ? WHERE id = ?",
			sum.Amount,
			sum.Entries,
			store.Micros(tx.Now()),
			sum.Account,
		); err != nil {
			return 0, err
		}
	}
	store.In(&w, "id", ids)
	_, err := tx.Exec(ctx, "DELETE FROM main_account_deltas"+w.String(), w.Args...)
	return len(ids), err
}

// foldRow is a delta that is added to its main account.
type foldRow struct {
	ID      laurel.ID     `db:"id"`
	Account laurel.ID     `db:"loyalty_account_id"`
	Amount  laurel.Amount `db:"amount"`
	Entries int64         `db:"entries"`
}

const selectKey = `SELECT t.website_id, t.idempotency_key, t.organization_id, t.hash, t.loyalty_transaction_id, t.answer, t.created_at FROM ledger_keys t`

var insertKey = store.Insert{Table: "ledger_keys", Conflict: store.IgnoreConflicts, Columns: store.Columns(
	"website_id uuid, idempotency_key text, organization_id uuid, hash text, loyalty_transaction_id uuid, answer text, created_at bigint",
)}

// insertKeys inserts business keys, the idempotency keys of entries, with their first use. It returns store.ErrRerun if
// another transaction has used one of them meanwhile.
func insertKeys(ctx context.Context, tx *store.Tx, rows []*KeyUse) error {
	values := make([][]any, len(rows))
	for i, u := range rows {
		values[i] = []any{u.WebsiteID, u.Key, u.OrganizationID, u.Hash, u.TransactionID, u.Answer, u.CreatedAt}
	}
	n, err := tx.InsertRows(ctx, insertKey, values)
	if err == nil && n < int64(len(rows)) {
		return store.ErrRerun
	}
	return err
}

// insertCurrencyRows inserts the rows that a new currency needs: its main account (no user, balance 0, not ranked) and
// its rank cutoff, which is NULL until it is computed.
func insertCurrencyRows(ctx context.Context, tx *store.Tx, c Currency) error {
	now := store.Micros(c.CreatedAt.Time)
	_, err := tx.InsertRows(
		ctx,
		insertAccounts,
		[][]any{{c.MainAccountID, c.OrganizationID, c.WebsiteID, c.ID, nil, 0, 0, false, now, now}},
	)
	if err != nil {
		return err
	}
	_, err = tx.Exec(ctx, "INSERT INTO rank_cutoffs (loyalty_currency_id, amount) VALUES (?, NULL)", c.ID)
	return err
}
