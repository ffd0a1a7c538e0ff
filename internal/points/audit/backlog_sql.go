package audit

import (
	"context"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/store"
)

// backlogRow says how far the sealer has come. The backlog are the entries that existed before sealing began, which the
// change feed does not list: those with ids after After, up to Until, are not sealed yet. Later entries are sealed from
// the change feed; its changes are sealed up to Position.
type backlogRow struct {
	After    lenientID  `db:"after_id"`
	Until    lenientID  `db:"until_id"`
	DoneAt   lenientInt `db:"done_at"` // 0: not yet
	Position lenientInt `db:"position"`
}

func (b backlogRow) isDone() bool { return b.DoneAt != 0 }

// hasNotBegun reports whether sealing has not begun. An empty backlog is done at once.
func (b backlogRow) hasNotBegun() bool { return !b.isDone() && b.Until.IsZero() }

// isPending reports whether the id is in the part of the backlog that is not sealed yet.
func (b backlogRow) isPending(id laurel.ID) bool {
	return !b.isDone() && id.Compare(b.Until.ID) <= 0 && id.Compare(b.After.ID) > 0
}

const (
	backlogName   = "entries"
	selectBacklog = "SELECT after_id, until_id, COALESCE(done_at, 0) AS done_at, position FROM seal_backlog WHERE name = ?"
)

// findBacklog returns how far the sealer has come: with the backlog, the entries that existed before sealing began, and
// with the change feed, which lists the later ones. It returns the zero row if sealing has never begun.
func findBacklog(ctx context.Context, q store.Queryer) (backlogRow, error) {
	var row backlogRow
	err := q.Get(ctx, &row, selectBacklog, backlogName)
	if store.IsNoRows(err) {
		return backlogRow{}, nil
	}
	return row, err
}

// lockOrCreateBacklog locks and returns the row that says how far the sealer has come. If there is none, it inserts
// one, and all entries that exist now become the backlog.
func lockOrCreateBacklog(ctx context.Context, tx *store.Tx) (backlogRow, error) {
	var row backlogRow
	find := func() error { return tx.Get(ctx, &row, selectBacklog+tx.ForUpdate(), backlogName) }
	err := find()
	if !store.IsNoRows(err) {
		return row, err
	}
	var until laurel.ID
	if err := tx.Get(
		ctx,
		&until,
		"SELECT id FROM loyalty_transaction_entries ORDER BY id DESC LIMIT 1",
	); err != nil &&
		!store.IsNoRows(err) {
		return row, err
	}
	if _, err := tx.Exec(
		ctx,
		"INSERT INTO seal_backlog (name, after_id, until_id, done_at, position) VALUES (?, NULL, ?, NULL, 0) ON CONFLICT DO NOTHING",
		backlogName,
		until,
	); err != nil {
		return row, err
	}
	return row, find()
}

// saveBacklog stores that the backlog is sealed up to the entry with the id after. With done it also stores that the
// whole backlog is sealed.
func saveBacklog(ctx context.Context, tx *store.Tx, after laurel.ID, done bool) error {
	var at any
	if done {
		at = store.Micros(tx.Now())
	}
	_, err := tx.Exec(ctx, "UPDATE seal_backlog SET after_id = ?, done_at = ? WHERE name = ?", after, at, backlogName)
	return err
}

// savePosition stores the number of the last sealed change, so that changes which are delivered again are not sealed
// again.
func savePosition(ctx context.Context, tx *store.Tx, seq int64) error {
	_, err := tx.Exec(ctx, "UPDATE seal_backlog SET position = ? WHERE name = ?", seq, backlogName)
	return err
}

// backlogEntry is an entry of the backlog.
type backlogEntry struct {
	ID             laurel.ID `db:"id"`
	OrganizationID laurel.ID `db:"organization_id"`
}

// selectBacklogEntries returns the next entries of the backlog that are not sealed yet, in the order of ids, at most
// limit of them. at says how far the backlog is sealed.
func selectBacklogEntries(ctx context.Context, q store.Queryer, at backlogRow, limit int) ([]backlogEntry, error) {
	if at.Until.IsZero() {
		return nil, nil
	}
	var w store.Where
	w.Add("id <= ?", at.Until.ID)
	if !at.After.IsZero() {
		w.Add("id > ?", at.After.ID)
	}
	w.Args = append(w.Args, limit)
	var rows []backlogEntry
	err := q.Select(
		ctx,
		&rows,
		"SELECT id, organization_id FROM loyalty_transaction_entries"+w.String()+" ORDER BY id LIMIT ?",
		w.Args...)
	return rows, err
}
