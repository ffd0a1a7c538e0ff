package feed

import (
	"context"
	"slices"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/store"
)

// changeInsert is no store.Records: every change of a record adds a row.
var changeInsert = store.Insert{Table: "changes", Columns: store.Columns(
	"organization_id uuid, website_id uuid, size bigint, tables bigint, changes text, leaves bytea, created_at bigint")}

// insertChanges inserts changes, bundled into rows, with the time of the transaction.
func insertChanges(ctx context.Context, tx *store.Tx, changes []Change) error {
	bundles := bundleChanges(changes)
	rows := make([][]any, len(bundles))
	for i, b := range bundles {
		rows[i] = []any{
			b.organization,
			b.website,
			int64(b.size),
			b.tables,
			string(b.text),
			b.leavesOrNull(),
			store.Micros(tx.Now()),
		}
	}
	_, err := tx.InsertRows(ctx, changeInsert, rows)
	return err
}

// bundleRow is a row of the feed as it is read.
type bundleRow struct {
	Seq            int64     `db:"seq"`
	OrganizationID laurel.ID `db:"organization_id"`
	WebsiteID      laurel.ID `db:"website_id"`
	Changes        string    `db:"changes"`
	CreatedAt      int64     `db:"created_at"`
}

// batchQuery returns the query for the columns of the next rows, until they have a number of changes together; a row is
// never divided. condition is " AND …", a further condition, or "". The arguments are the number of the last row read
// before, the number of the last row that may be read, and the number of changes, twice.
func batchQuery(columns, condition string) string {
	return "SELECT " + columns + " FROM (SELECT " + columns + `, SUM(size) OVER (ORDER BY seq) - size AS earlier
		FROM changes WHERE seq > ? AND seq <= ?` + condition + " ORDER BY seq LIMIT ?) x WHERE earlier < ? ORDER BY seq"
}

// selectChanges reads the changes of whole rows with after < seq <= final, in order, until they are at least limit
// changes or there are no more rows.
func selectChanges(ctx context.Context, q store.Queryer, after, final int64, limit int) (batch, error) {
	var rows []bundleRow
	if err := q.Select(
		ctx,
		&rows,
		batchQuery("seq, organization_id, website_id, changes, created_at", ""),
		after,
		final,
		limit,
		limit,
	); err != nil ||
		len(rows) == 0 {
		return batch{}, err
	}
	changes, err := decodeChanges(rows)
	return batch{changes, len(changes), rows[len(rows)-1].Seq}, err
}

// selectWebsites reads the same rows as selectChanges, but returns their websites, each once, instead of their changes.
// The batch has no changes, only their number and the last row. The zero website is left out.
func selectWebsites(ctx context.Context, q store.Queryer, after, final int64, limit int) (batch, []laurel.ID, error) {
	var rows []struct {
		Seq     int64     `db:"seq"`
		Website laurel.ID `db:"website_id"`
		Size    int       `db:"size"`
	}
	if err := q.Select(ctx, &rows, batchQuery("seq, website_id, size", ""), after, final, limit, limit); err != nil {
		return batch{}, nil, err
	}
	var passed batch // without changes
	var websites []laurel.ID
	known := map[laurel.ID]bool{{}: true}
	for _, r := range rows {
		passed.changeCount, passed.lastRow = passed.changeCount+r.Size, r.Seq
		if !known[r.Website] {
			known[r.Website] = true
			websites = append(websites, r.Website)
		}
	}
	return passed, websites, nil
}

// selectChangesOfWebsites reads the changes of some websites in rows above after and up to last.
func selectChangesOfWebsites(
	ctx context.Context, q store.Queryer, websites []laurel.ID, after, last int64,
) ([]Change, error) {
	var w store.Where
	w.Add("seq > ?", after)
	w.Add("seq <= ?", last)
	store.In(&w, "website_id", websites)
	var rows []bundleRow
	if err := q.Select(
		ctx,
		&rows,
		"SELECT seq, organization_id, website_id, changes, created_at FROM changes"+w.String()+" ORDER BY seq",
		w.Args...); err != nil {
		return nil, err
	}
	return decodeChanges(rows)
}

// fromPending selects rows after a consumer's cursor that have changes of a table.
const fromPending = ` FROM changes WHERE seq > (SELECT COALESCE(max(position), 0) FROM feed_consumers WHERE name = ?) AND tables & ? <> 0 AND seq > ?
	ORDER BY seq LIMIT ?`

// selectPendingChanges reads the changes of a table in at most limit rows after a row number, and returns the number
// of the last row, or the given one if there is none.
func selectPendingChanges(
	ctx context.Context,
	q store.Queryer,
	pending PendingChanges,
	after int64,
	limit int,
) (changes []Change, last int64, err error) {
	var rows []bundleRow
	err = q.Select(
		ctx,
		&rows,
		`SELECT seq, organization_id, website_id, changes, created_at`+fromPending,
		pending.Consumer,
		tableBit(pending.Table),
		after,
		limit,
	)
	if err != nil || len(rows) == 0 {
		return nil, after, err
	}
	all, err := decodeChanges(rows)
	return slices.DeleteFunc(all, func(c Change) bool { return c.Table != pending.Table }), rows[len(rows)-1].Seq, err
}

// leavesRow is a row of the feed as the audit log reads it. Its organization is read as text: a value that was damaged
// by hand must not stop the reader.
type leavesRow struct {
	Seq          int64   `db:"seq"`
	Organization *string `db:"organization_id"`
	Size         int     `db:"size"`
	Leaves       []byte  `db:"leaves"`
}

// selectLeaves reads the leaves of the next rows above after and up to final that have leaves. limit counts all changes
// in these rows: the rows have at least limit changes unless there are fewer.
func selectLeaves(ctx context.Context, q store.Queryer, after, final int64, limit int) (batch, error) {
	var rows []leavesRow
	if err := q.Select(
		ctx,
		&rows,
		batchQuery("seq, organization_id, size, leaves", " AND leaves IS NOT NULL"),
		after,
		final,
		limit,
		limit,
	); err != nil ||
		len(rows) == 0 {
		return batch{}, err
	}
	next := batch{changes: leafChanges(rows), lastRow: rows[len(rows)-1].Seq}
	for _, r := range rows {
		next.changeCount += r.Size
	}
	return next, nil
}

// leafChanges returns one Change per row, with the leaves of all changes of the row, and with the highest number that a
// change of the row can have.
func leafChanges(rows []leavesRow) []Change {
	changes := make([]Change, len(rows))
	for i, r := range rows {
		changes[i] = Change{
			Seq:    r.Seq<<bundleBits | (bundleSize - 1),
			Table:  TableTransactionEntry,
			Action: Created,
			Leaves: r.Leaves,
		}
		if r.Organization != nil {
			if id, err := laurel.ParseID(*r.Organization); err == nil {
				changes[i].OrganizationID = id
			}
		}
	}
	return changes
}

// fromPendingLeaves selects rows after a consumer's cursor that have leaves.
const fromPendingLeaves = ` FROM changes WHERE seq > (SELECT COALESCE(max(position), 0) FROM feed_consumers WHERE name = ?) AND leaves IS NOT NULL AND seq > ?
	ORDER BY seq LIMIT ?`

// selectPendingLeaves reads one Change for each of the next limit rows with leaves that a consumer has not read and
// whose numbers are above after.
func selectPendingLeaves(
	ctx context.Context,
	q store.Queryer,
	consumer string,
	after int64,
	limit int,
) ([]Change, error) {
	var rows []leavesRow
	err := q.Select(ctx, &rows, "SELECT seq, organization_id, 0 AS size, leaves"+fromPendingLeaves, consumer, after, limit)
	return leafChanges(rows), err
}

// countPendingLeaves returns the size of the leaves in the first limit rows with leaves that a consumer has not read,
// and the time of the oldest of these rows.
func countPendingLeaves(ctx context.Context, q store.Queryer, consumer string, limit int) (LeafBacklog, error) {
	var row struct {
		Bytes  int64 `db:"bytes"`
		Oldest int64 `db:"oldest"`
	}
	err := q.Get(
		ctx,
		&row,
		`SELECT CAST(COALESCE(SUM(length(leaves)), 0) AS BIGINT) AS bytes, COALESCE(MIN(created_at), 0) AS oldest
		FROM (SELECT leaves, created_at`+fromPendingLeaves+`) x`,
		consumer,
		0, // after no row: from the first one
		limit,
	)
	return LeafBacklog{Bytes: row.Bytes, Since: store.Time(row.Oldest)}, err
}

// lastRowNumber returns the highest row number that a transaction has taken, or 0 if none has. On PostgreSQL the
// transaction may not be committed yet; on SQLite it is.
func lastRowNumber(ctx context.Context, q store.Queryer) (int64, error) {
	query := `SELECT COALESCE(max(seq), 0) FROM changes`
	if q.Engine() == store.Postgres {
		// last_value is 1 for a sequence that was never used, too.
		query = `SELECT CASE WHEN is_called THEN last_value ELSE 0 END FROM changes_seq_seq`
	}
	var n int64
	err := q.Get(ctx, &n, query)
	return n, err
}

// firstRowNumber returns the oldest row number that is stored, 0 if there is none.
func firstRowNumber(ctx context.Context, q store.Queryer) (int64, error) {
	var n int64
	err := q.Get(ctx, &n, `SELECT COALESCE(min(seq), 0) FROM changes`)
	return n, err
}

// firstRowSince returns the number of the first row written at or after a time or, if there is none, the number after
// the last row. It scans from the oldest row, because times have no index, so it is for maintenance and not for
// requests.
func firstRowSince(ctx context.Context, q store.Queryer, at time.Time) (int64, error) {
	var n int64
	err := q.Get(ctx, &n, `SELECT seq FROM changes WHERE created_at >= ? ORDER BY seq LIMIT 1`, store.Micros(at))
	if store.IsNoRows(err) {
		err = q.Get(ctx, &n, `SELECT COALESCE(max(seq), 0) + 1 FROM changes`)
	}
	return n, err
}

// takeFence returns a fence: a new transaction id, above those of all transactions whose rows already have a seq.
// isOpen reports whether every transaction with a lower id has ended, so that no row from before the fence can still
// appear. q must not be in a transaction: the id is that of the statement's own. It cannot come from pg_snapshot_xmax,
// which is one past the last id that ended, so running transactions may have higher ones. PostgreSQL only.
func takeFence(ctx context.Context, q store.Queryer) (xid int64, isOpen bool, err error) {
	var row struct {
		XID    int64 `db:"xid"`
		Oldest int64 `db:"oldest"`
	}
	err = q.Get(ctx, &row, `SELECT CAST(CAST(pg_current_xact_id() AS text) AS bigint) AS xid,
		CAST(CAST(pg_snapshot_xmin(pg_current_snapshot()) AS text) AS bigint) AS oldest`)
	return row.XID, row.Oldest >= row.XID, err
}

// isFenceOpen reports whether every transaction with an id below xid has ended. PostgreSQL only.
func isFenceOpen(ctx context.Context, q store.Queryer, xid int64) (bool, error) {
	var open bool
	err := q.Get(ctx, &open, `SELECT CAST(CAST(pg_snapshot_xmin(pg_current_snapshot()) AS text) AS bigint) >= ?`, xid)
	return open, err
}

type consumerRow struct {
	Name       string    `db:"name"`
	Position   int64     `db:"position"`
	LeaseOwner laurel.ID `db:"lease_owner"`
	LeaseUntil int64     `db:"lease_until"`
	Failing    *int64    `db:"failing_since"` // NULL: the last batch succeeded
}

const consumerColumns = `SELECT name, position, lease_owner, lease_until, failing_since FROM feed_consumers`

func loadConsumer(ctx context.Context, q store.Queryer, name string) (consumerRow, error) {
	var row consumerRow
	err := q.Get(ctx, &row, consumerColumns+` WHERE name = ?`, name)
	return row, err
}

func listConsumers(ctx context.Context, q store.Queryer) ([]consumerRow, error) {
	var rows []consumerRow
	err := q.Select(ctx, &rows, consumerColumns+` ORDER BY name`)
	return rows, err
}

func insertConsumer(ctx context.Context, tx *store.Tx, name string) error {
	_, err := tx.Exec(ctx, `INSERT INTO feed_consumers (name, position, lease_owner, lease_until, updated_at)
		VALUES (?, 0, NULL, 0, ?) ON CONFLICT DO NOTHING`, name, store.Micros(tx.Now()))
	return err
}

// acquireLease gives the lease to the reader with that id unless another reader has one that has not ended, and
// reports whether it did.
func acquireLease(ctx context.Context, tx *store.Tx, name string, owner laurel.ID) (bool, error) {
	now := tx.Now()
	n, err := tx.Exec(ctx, `UPDATE feed_consumers SET lease_owner = ?, lease_until = ?, updated_at = ?
		WHERE name = ? AND (lease_owner IS NULL OR lease_owner = ? OR lease_until <= ?)`,
		owner, store.Micros(now.Add(leaseTime)), store.Micros(now), name, owner, store.Micros(now))
	return n == 1, err
}

// releaseLease ends the lease of a consumer if the reader with the id owner has it.
func releaseLease(ctx context.Context, tx *store.Tx, name string, owner laurel.ID) error {
	_, err := tx.Exec(
		ctx,
		`UPDATE feed_consumers SET lease_owner = NULL, lease_until = 0, updated_at = ? WHERE name = ? AND lease_owner = ?`,
		store.Micros(tx.Now()),
		name,
		owner,
	)
	return err
}

// markFailing stores that a consumer fails from now on, unless it is failing already.
func markFailing(ctx context.Context, tx *store.Tx, name string) error {
	_, err := tx.Exec(ctx, "UPDATE feed_consumers SET failing_since = ? WHERE name = ? AND failing_since IS NULL",
		store.Micros(tx.Now()), name)
	return err
}

func clearFailing(ctx context.Context, tx *store.Tx, name string) error {
	_, err := tx.Exec(ctx, "UPDATE feed_consumers SET failing_since = NULL WHERE name = ?", name)
	return err
}

type cursorMove struct {
	name     string
	owner    laurel.ID
	from, to int64
}

// moveCursor moves the cursor of a consumer and renews the lease. It returns errLeaseLost if another reader has taken
// the lease, or if the cursor is no longer where the batch began. A lease that has ended, but that no reader has taken,
// still counts.
func moveCursor(ctx context.Context, tx *store.Tx, m cursorMove) error {
	now := tx.Now()
	n, err := tx.Exec(
		ctx,
		`UPDATE feed_consumers SET position = ?, lease_until = ?, updated_at = ? WHERE name = ? AND lease_owner = ? AND position = ?`,
		m.to,
		store.Micros(now.Add(leaseTime)),
		store.Micros(now),
		m.name,
		m.owner,
		m.from,
	)
	if err == nil && n == 0 {
		return errLeaseLost
	}
	return err
}

// moveCursorBack moves the cursor of a consumer back to a row number, never forward.
func moveCursorBack(ctx context.Context, tx *store.Tx, name string, to int64) error {
	_, err := tx.Exec(
		ctx,
		`UPDATE feed_consumers SET position = ?, updated_at = ? WHERE name = ? AND position > ?`,
		to,
		store.Micros(tx.Now()),
		name,
		to,
	)
	return err
}

// deleteChanges deletes up to limit rows below keep that every consumer has read.
func deleteChanges(ctx context.Context, tx *store.Tx, keep int64, limit int) (int64, error) {
	return tx.Exec(ctx, `DELETE FROM changes WHERE seq IN (SELECT seq FROM changes
		WHERE seq < ? AND seq <= (SELECT COALESCE(min(position), ?) FROM feed_consumers) ORDER BY seq LIMIT ?)`, keep, keep, limit)
}
