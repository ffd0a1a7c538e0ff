package lots

import (
	"context"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/store"
)

// Find reads one lot. It returns NotFound "Lot" if the scope has no such lot.
func Find(ctx context.Context, q store.Queryer, scope laurel.Scope, id laurel.ID) (Lot, error) {
	var w store.Where
	w.Add("id = ?", id)
	w.Tenant("", scope)
	var l Lot
	err := q.Get(ctx, &l, selectLot+w.String(), w.Args...)
	if store.IsNoRows(err) {
		return l, laurel.Missing("Lot")
	}
	return l, err
}

// Filter narrows List.
type Filter struct {
	AccountID laurel.ID
	States    []string
}

// List returns a page of the lots of an account in the states of the filter (none: in any), newest first. It returns
// laurel.ErrCursor if page.StartingAfter is no lot of the account.
func List(ctx context.Context, q store.Queryer, f Filter, page laurel.PageRequest) (laurel.Page[Lot], error) {
	var w store.Where
	w.Add("loyalty_account_id = ?", f.AccountID)
	store.In(&w, "state", f.States)
	if !page.StartingAfter.IsZero() {
		var at int64
		err := q.Get(
			ctx,
			&at,
			"SELECT created_at FROM account_lots WHERE id = ? AND loyalty_account_id = ?",
			page.StartingAfter,
			f.AccountID,
		)
		if store.IsNoRows(err) {
			err = laurel.ErrCursor()
		}
		if err != nil {
			return laurel.PageOf[Lot](nil, page.Limit), err
		}
		w.After("created_at", "id", true, at, page.StartingAfter)
	}
	return store.SelectPage[Lot](ctx, q, page.Limit, selectLot+w.String()+" ORDER BY created_at DESC, id DESC", w.Args...)
}

// ExpiringFilter selects the open lots of an account that ListExpiring sums up. Moments count in whole milliseconds, as
// responses show them.
type ExpiringFilter struct {
	AccountID     laurel.ID
	Era           int64     // only lots that were made in it
	After, Before time.Time // when they expire, both exclusive; zero: no bound
}

// Expiring is the points of an account that expire at one moment.
type Expiring struct {
	ExpiresAt int64         `db:"expires_at"` // whole milliseconds, in microseconds
	Amount    laurel.Amount `db:"amount"`
}

// ListExpiring sums up what is left of the open lots that the filter selects, by the moment at which they expire. It
// returns at most limit moments, the soonest first.
func ListExpiring(ctx context.Context, q store.Queryer, f ExpiringFilter, limit int) (laurel.Page[Expiring], error) {
	var w store.Where
	w.Add("loyalty_account_id = ? AND state = 'open' AND era = ?", f.AccountID, f.Era)
	if !f.After.IsZero() {
		w.Add("expires_at >= ?", store.Micros(f.After.Truncate(time.Millisecond).Add(time.Millisecond)))
	}
	if !f.Before.IsZero() {
		w.Add("expires_at < ?", store.Micros(f.Before))
	}
	return store.SelectPage[Expiring](
		ctx,
		q,
		limit,
		"SELECT expires_at / 1000 * 1000 AS expires_at, CAST(SUM(remaining) AS BIGINT) AS amount FROM account_lots"+
			w.String()+" GROUP BY 1 ORDER BY 1",
		w.Args...)
}

// LockHeldLots locks and reads pending lots; those that are not pending any more are left out. To release them, the
// caller must have locked their accounts before.
func LockHeldLots(ctx context.Context, tx *store.Tx, ids []laurel.ID) ([]Lot, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	var w store.Where
	store.In(&w, "id", ids)
	w.Add("state = 'pending'")
	var rows []Lot
	err := tx.Select(ctx, &rows, selectLot+w.String()+" ORDER BY id"+tx.ForUpdate(), w.Args...)
	return rows, err
}

// Release sets a locked lot to released by an entry.
func (l *Lot) Release(entry laurel.ID) { l.State, l.Remaining, l.EntryID = StateReleased, 0, entry }

// SaveReleased writes lots that Release has changed.
func SaveReleased(ctx context.Context, tx *store.Tx, released []Lot) error {
	rows := make([][]any, len(released))
	for i, l := range released {
		rows[i] = []any{l.ID, string(l.State), l.Remaining, l.EntryID}
	}
	_, err := tx.UpdateRows(ctx, store.Update{Table: "account_lots", Keys: store.Columns("id uuid"),
		Set: store.Columns("state text, remaining bigint, entry_id uuid")}, rows)
	return err
}

// Reschedule postpones the release of a pending lot.
func Reschedule(ctx context.Context, tx *store.Tx, id laurel.ID, until time.Time) error {
	_, err := tx.Exec(
		ctx,
		"UPDATE account_lots SET waits_until = ? WHERE id = ? AND state = 'pending'",
		store.Micros(until),
		id,
	)
	return err
}

// Cancel cancels those of the lots that are pending, for a reason: their points are never credited. Other lots stay.
func Cancel(ctx context.Context, tx *store.Tx, ids []laurel.ID, reason string) error {
	return cancelBy(ctx, tx, "id", ids, reason)
}

// CancelLotsOfAccounts cancels all pending lots of accounts, which the caller has locked.
func CancelLotsOfAccounts(ctx context.Context, tx *store.Tx, accounts []laurel.ID, reason string) error {
	return cancelBy(ctx, tx, "loyalty_account_id", accounts, reason)
}

// cancelBy cancels the pending lots that have one of the ids in a column.
func cancelBy(ctx context.Context, tx *store.Tx, column string, ids []laurel.ID, reason string) error {
	if len(ids) == 0 {
		return nil
	}
	w := store.Where{Args: []any{reason, store.Micros(tx.Now())}}
	store.In(&w, column, ids)
	w.Add("state = 'pending'")
	_, err := tx.Exec(
		ctx,
		"UPDATE account_lots SET state = 'cancelled', remaining = 0, reason = ?, ended_at = ?"+w.String(),
		w.Args...)
	return err
}

// saveCancelled writes lots that CancelHeld has changed.
func saveCancelled(ctx context.Context, tx *store.Tx, rows []*Lot) error {
	values := make([][]any, len(rows))
	for i, l := range rows {
		values[i] = []any{l.ID, string(l.State), l.Remaining, store.OrNull(l.Reason), store.OrNull(l.EndedAt)}
	}
	_, err := tx.UpdateRows(ctx, store.Update{Table: "account_lots", Keys: store.Columns("id uuid"),
		Set: store.Columns("state text, remaining bigint, reason text, ended_at bigint")}, values)
	return err
}

// HeldLotsOfRule returns the ids of the first pending lots that a rule has granted, at most limit of them.
func HeldLotsOfRule(ctx context.Context, q store.Queryer, rule laurel.ID, limit int) ([]laurel.ID, error) {
	var ids []laurel.ID
	err := q.Select(
		ctx,
		&ids,
		"SELECT id FROM account_lots WHERE loyalty_rule_id = ? AND state = 'pending' ORDER BY id LIMIT ?",
		rule,
		limit,
	)
	return ids, err
}

// HasHeldPoints reports whether a currency has held points.
func HasHeldPoints(ctx context.Context, q store.Queryer, scope laurel.Scope, currency laurel.ID) (bool, error) {
	var w store.Where
	w.Add("loyalty_currency_id = ? AND state = 'pending'", currency)
	w.Tenant("", scope)
	var found []laurel.ID
	err := q.Select(ctx, &found, "SELECT id FROM account_lots"+w.String()+" LIMIT 1", w.Args...)
	return len(found) > 0, err
}

// ExpiredPart is the part of a credit's points that has expired.
type ExpiredPart struct {
	AccountID laurel.ID     `db:"loyalty_account_id"`
	EntryID   laurel.ID     `db:"entry_id"` // the credit
	Version   int64         `db:"version"`  // of the account after it
	Amount    laurel.Amount `db:"amount"`
}

// ExpiredPartsOfCredits returns, for each credit of the accounts whose points have expired in part, the expired part.
func ExpiredPartsOfCredits(ctx context.Context, q store.Queryer, accounts []laurel.ID) ([]ExpiredPart, error) {
	if len(accounts) == 0 {
		return nil, nil
	}
	var w store.Where
	store.In(&w, "l.loyalty_account_id", accounts)
	w.Add("l.entry_id IS NOT NULL")
	var rows []ExpiredPart
	err := q.Select(ctx, &rows, `SELECT l.loyalty_account_id, l.entry_id, l.version, a.amount FROM account_lots l
		JOIN lot_allocations a ON a.lot_id = l.id AND a.purpose = '`+purposeExpired+`'`+w.String(), w.Args...)
	return rows, err
}

// ToRelease returns the pending lots that are due for release, the earliest first, at most limit of them.
func ToRelease(ctx context.Context, q store.Queryer, now time.Time, limit int) ([]Lot, error) {
	var rows []Lot
	err := q.Select(
		ctx,
		&rows,
		selectLot+" WHERE state = 'pending' AND waits_until <= ? ORDER BY waits_until, id LIMIT ?",
		store.Micros(now),
		limit,
	)
	return rows, err
}

// UsersWithExpiredLots reads the open lots of a currency that have expired, the earliest first, at most limit lots, and
// returns their users, each once.
func UsersWithExpiredLots(
	ctx context.Context,
	q store.Queryer,
	currency laurel.ID,
	now time.Time,
	limit int,
) ([]laurel.ID, error) {
	var users []laurel.ID
	err := q.Select(
		ctx,
		&users,
		`SELECT DISTINCT user_id FROM (SELECT user_id FROM account_lots WHERE loyalty_currency_id = ? AND state = 'open' AND expires_at <= ?
		ORDER BY expires_at LIMIT ?) x`,
		currency,
		store.Micros(now),
		limit,
	)
	return users, err
}

// Sweep is a regular pass over all accounts of a currency, which applies their entries to their lots. It stores how far
// the pass has come, so that any node can go on with it.
type Sweep struct {
	CurrencyID     laurel.ID `db:"loyalty_currency_id"`
	OrganizationID laurel.ID `db:"organization_id"`
	WebsiteID      laurel.ID `db:"website_id"`
	Era            int64     `db:"era"`
	AfterUser      laurel.ID `db:"after_user_id"`
	DueAt          int64     `db:"due_at"`
}

// Begin starts regular sweeps of a currency whose points expire since s.Era; the first is due at once. A sweep that the
// currency already has starts again with the new era.
func (s Sweep) Begin(ctx context.Context, tx *store.Tx) error {
	_, err := tx.Exec(
		ctx,
		`INSERT INTO lot_sweeps (loyalty_currency_id, organization_id, website_id, era, after_user_id, due_at) VALUES (?, ?, ?, ?, NULL, 0)
		ON CONFLICT (loyalty_currency_id) DO UPDATE SET era = excluded.era, after_user_id = NULL, due_at = 0`,
		s.CurrencyID,
		s.OrganizationID,
		s.WebsiteID,
		s.Era,
	)
	return err
}

// EndSweep ends the sweeps of a currency, because its points do not expire any more or it is deleted.
func EndSweep(ctx context.Context, tx *store.Tx, currency laurel.ID) error {
	if _, err := tx.Exec(ctx, "DELETE FROM lot_refunds WHERE loyalty_currency_id = ?", currency); err != nil {
		return err
	}
	_, err := tx.Exec(ctx, "DELETE FROM lot_sweeps WHERE loyalty_currency_id = ?", currency)
	return err
}

// Save writes how far the sweep has come. Two nodes that sweep at once do the same work twice, with the same result.
func (s Sweep) Save(ctx context.Context, tx *store.Tx) error {
	_, err := tx.Exec(
		ctx,
		"UPDATE lot_sweeps SET after_user_id = ?, due_at = ? WHERE loyalty_currency_id = ? AND era = ?",
		s.AfterUser,
		s.DueAt,
		s.CurrencyID,
		s.Era,
	)
	return err
}

// DueSweeps returns a page of the sweeps, by currency id, that have something to do: the sweep itself is due, or lots
// of the currency have expired, or refunds are enqueued. page.StartingAfter is a currency.
func DueSweeps(ctx context.Context, q store.Queryer, now time.Time, page laurel.PageRequest) ([]Sweep, error) {
	var w store.Where
	w.Add(
		`(s.due_at <= ? OR EXISTS (SELECT 1 FROM account_lots l WHERE l.loyalty_currency_id = s.loyalty_currency_id AND l.state = 'open' AND l.expires_at <= ?)
			OR EXISTS (SELECT 1 FROM lot_refunds r WHERE r.loyalty_currency_id = s.loyalty_currency_id))`,
		store.Micros(now),
		store.Micros(now),
	)
	if !page.StartingAfter.IsZero() {
		w.Add("s.loyalty_currency_id > ?", page.StartingAfter)
	}
	var rows []Sweep
	err := q.Select(
		ctx,
		&rows,
		`SELECT s.loyalty_currency_id, s.organization_id, s.website_id, s.era, s.after_user_id, s.due_at FROM lot_sweeps s`+w.String()+
			" ORDER BY s.loyalty_currency_id LIMIT ?",
		append(w.Args, page.Limit)...)
	return rows, err
}
