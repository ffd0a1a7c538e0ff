package feed

import (
	"context"
	"slices"
	"time"

	"laurel"
	"laurel/internal/store"
)

var changeInsert = store.Insert{Table: "changes", Columns: store.Columns(
	"organization_id uuid, website_id uuid, size bigint, tables bigint, changes text, leaves bytea, created_at bigint")}

func insertChanges(ctx context.Context, tx *store.Tx, changes []Change) error {
	bundles := bundled(changes)
	rows := make([][]any, len(bundles))
	for i, b := range bundles {
		rows[i] = []any{
			b.organization,
			b.website,
			int64(b.size),
			b.tables,
			string(b.text),
			b.sealed(),
			store.Micros(tx.Now()),
		}
	}
	_, err := tx.InsertRows(ctx, changeInsert, rows)
	return err
}

type bundleRow struct {
	Seq            int64     `db:"seq"`
	OrganizationID laurel.ID `db:"organization_id"`
	WebsiteID      laurel.ID `db:"website_id"`
	Changes        string    `db:"changes"`
	CreatedAt      int64     `db:"created_at"`
}

// untilLimit reads whole rows until they hold a limit of changes.
func untilLimit(columns, where string) string {
	return "SELECT " + columns + " FROM (SELECT " + columns + `, SUM(size) OVER (ORDER BY seq) - size AS earlier
		FROM changes WHERE seq > ? AND seq <= ?` + where + " ORDER BY seq LIMIT ?) x WHERE earlier < ? ORDER BY seq"
}

func selectChanges(ctx context.Context, q store.Queryer, after, final int64, limit int) (portion, error) {
	var rows []bundleRow
	if err := q.Select(
		ctx,
		&rows,
		untilLimit("seq, organization_id, website_id, changes, created_at", ""),
		after,
		final,
		limit,
		limit,
	); err != nil ||
		len(rows) == 0 {
		return portion{}, err
	}
	changes, err := changesOf(rows)
	return portion{changes, len(changes), rows[len(rows)-1].Seq}, err
}

// selectOwners passes the same rows and returns, instead of their changes, the websites that they tell of.
func selectOwners(ctx context.Context, q store.Queryer, after, final int64, limit int) (portion, []laurel.ID, error) {
	var rows []struct {
		Seq     int64     `db:"seq"`
		Website laurel.ID `db:"website_id"`
		Size    int       `db:"size"`
	}
	if err := q.Select(ctx, &rows, untilLimit("seq, website_id, size", ""), after, final, limit, limit); err != nil {
		return portion{}, nil, err
	}
	var passed portion
	var websites []laurel.ID
	met := map[laurel.ID]bool{{}: true}
	for _, r := range rows {
		passed.size, passed.last = passed.size+r.Size, r.Seq
		if !met[r.Website] {
			met[r.Website] = true
			websites = append(websites, r.Website)
		}
	}
	return passed, websites, nil
}

func selectChangesOf(ctx context.Context, q store.Queryer, websites []laurel.ID, after, last int64) ([]Change, error) {
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
	return changesOf(rows)
}

// inTail asks for rows with changes of a table behind a consumer's cursor.
const inTail = ` FROM changes WHERE seq > (SELECT COALESCE(max(position), 0) FROM feed_consumers WHERE name = ?) AND tables & ? <> 0 AND seq > ?
	ORDER BY seq LIMIT ?`

// selectTail reads the changes of a table in at most limit rows behind a row, and returns the last row: the one given
// where there is none.
func selectTail(
	ctx context.Context,
	q store.Queryer,
	t Tail,
	after int64,
	limit int,
) (changes []Change, last int64, err error) {
	var rows []bundleRow
	err = q.Select(
		ctx,
		&rows,
		`SELECT seq, organization_id, website_id, changes, created_at`+inTail,
		t.Consumer,
		bits[t.Table],
		after,
		limit,
	)
	if err != nil || len(rows) == 0 {
		return nil, after, err
	}
	all, err := changesOf(rows)
	return slices.DeleteFunc(all, func(c Change) bool { return c.Table != t.Table }), rows[len(rows)-1].Seq, err
}

// leavesRow is a row of the feed as whoever seals takes it. What a hand made of its organization is no reason to read
// no further.
type leavesRow struct {
	Seq          int64   `db:"seq"`
	Organization *string `db:"organization_id"`
	Size         int     `db:"size"`
	Leaves       []byte  `db:"leaves"`
}

// selectLeaves reads rows that have leaves.
func selectLeaves(ctx context.Context, q store.Queryer, after, final int64, limit int) (portion, error) {
	var rows []leavesRow
	if err := q.Select(
		ctx,
		&rows,
		untilLimit("seq, organization_id, size, leaves", " AND leaves IS NOT NULL"),
		after,
		final,
		limit,
		limit,
	); err != nil ||
		len(rows) == 0 {
		return portion{}, err
	}
	next := portion{changes: leavesOf(rows), last: rows[len(rows)-1].Seq}
	for _, r := range rows {
		next.size += r.Size
	}
	return next, nil
}

func leavesOf(rows []leavesRow) []Change {
	changes := make([]Change, len(rows))
	for i, r := range rows {
		changes[i] = Change{
			Seq:    r.Seq<<bundleBits | (bundleSize - 1),
			Table:  TransactionEntry,
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

// waitingLeaves asks for rows with leaves behind a consumer's cursor.
const waitingLeaves = ` FROM changes WHERE seq > (SELECT COALESCE(max(position), 0) FROM feed_consumers WHERE name = ?) AND leaves IS NOT NULL AND seq > ?
	ORDER BY seq LIMIT ?`

func selectWaitingLeaves(
	ctx context.Context,
	q store.Queryer,
	consumer string,
	after int64,
	limit int,
) ([]Change, error) {
	var rows []leavesRow
	err := q.Select(ctx, &rows, "SELECT seq, organization_id, 0 AS size, leaves"+waitingLeaves, consumer, after, limit)
	return leavesOf(rows), err
}

func countWaitingLeaves(ctx context.Context, q store.Queryer, consumer string, limit int) (Waiting, error) {
	var row struct {
		Bytes  int64 `db:"bytes"`
		Oldest int64 `db:"oldest"`
	}
	err := q.Get(
		ctx,
		&row,
		`SELECT CAST(COALESCE(SUM(length(leaves)), 0) AS BIGINT) AS bytes, COALESCE(MIN(created_at), 0) AS oldest
		FROM (SELECT leaves, created_at`+waitingLeaves+`) x`,
		consumer,
		0,
		limit,
	)
	return Waiting{Bytes: row.Bytes, Since: store.Time(row.Oldest)}, err
}

// lastNumber returns the last row number given out: committed or not on PostgreSQL, committed on SQLite. 0: none yet.
func lastNumber(ctx context.Context, q store.Queryer) (int64, error) {
	query := `SELECT COALESCE(max(seq), 0) FROM changes`
	if q.Engine() == store.Postgres {
		// A sequence that was never used says 1 too.
		query = `SELECT CASE WHEN is_called THEN last_value ELSE 0 END FROM changes_seq_seq`
	}
	var n int64
	err := q.Get(ctx, &n, query)
	return n, err
}

// firstNumber returns the oldest number that is kept, 0 when there is none.
func firstNumber(ctx context.Context, q store.Queryer) (int64, error) {
	var n int64
	err := q.Get(ctx, &n, `SELECT COALESCE(min(seq), 0) FROM changes`)
	return n, err
}

// firstSince returns the number of the first change made at or after a time, else the number that comes next.
// It walks from the oldest change, because times have no index: it is for upkeep, not for requests.
func firstSince(ctx context.Context, q store.Queryer, at time.Time) (int64, error) {
	var n int64
	err := q.Get(ctx, &n, `SELECT seq FROM changes WHERE created_at >= ? ORDER BY seq LIMIT 1`, store.Micros(at))
	if store.NoRows(err) {
		err = q.Get(ctx, &n, `SELECT COALESCE(max(seq), 0) + 1 FROM changes`)
	}
	return n, err
}

// drawFence takes a new transaction id, which is above the id of every transaction that has a number, and tells whether
// all transactions below it had ended already. The statement is its own transaction and ends with it. PostgreSQL only.
// The id cannot come from pg_snapshot_xmax: that is one past the last id that ended, so running transactions may have
// higher ones.
func drawFence(ctx context.Context, q store.Queryer) (xid int64, open bool, err error) {
	var row struct {
		XID    int64 `db:"xid"`
		Oldest int64 `db:"oldest"`
	}
	err = q.Get(ctx, &row, `SELECT CAST(CAST(pg_current_xact_id() AS text) AS bigint) AS xid,
		CAST(CAST(pg_snapshot_xmin(pg_current_snapshot()) AS text) AS bigint) AS oldest`)
	return row.XID, row.Oldest >= row.XID, err
}

// fenceOpen tells whether every transaction with an id below xid has ended. PostgreSQL only.
func fenceOpen(ctx context.Context, q store.Queryer, xid int64) (bool, error) {
	var open bool
	err := q.Get(ctx, &open, `SELECT CAST(CAST(pg_snapshot_xmin(pg_current_snapshot()) AS text) AS bigint) >= ?`, xid)
	return open, err
}

type consumerRow struct {
	Name       string    `db:"name"`
	Position   int64     `db:"position"`
	LeaseOwner laurel.ID `db:"lease_owner"`
	LeaseUntil int64     `db:"lease_until"`
	Failing    *int64    `db:"failing_since"` // NULL: the last batch was handled
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

// takeLease gives the lease to the owner unless another one's still runs, and reports whether it did.
func takeLease(ctx context.Context, tx *store.Tx, name string, owner laurel.ID) (bool, error) {
	now := tx.Now()
	n, err := tx.Exec(ctx, `UPDATE feed_consumers SET lease_owner = ?, lease_until = ?, updated_at = ?
		WHERE name = ? AND (lease_owner IS NULL OR lease_owner = ? OR lease_until <= ?)`,
		owner, store.Micros(now.Add(leaseTime)), store.Micros(now), name, owner, store.Micros(now))
	return n == 1, err
}

func dropLease(ctx context.Context, tx *store.Tx, name string, owner laurel.ID) error {
	_, err := tx.Exec(
		ctx,
		`UPDATE feed_consumers SET lease_owner = NULL, lease_until = 0, updated_at = ? WHERE name = ? AND lease_owner = ?`,
		store.Micros(tx.Now()),
		name,
		owner,
	)
	return err
}

// markFailing keeps since when a consumer has failed.
func markFailing(ctx context.Context, tx *store.Tx, name string) error {
	_, err := tx.Exec(ctx, "UPDATE feed_consumers SET failing_since = ? WHERE name = ? AND failing_since IS NULL",
		store.Micros(tx.Now()), name)
	return err
}

func unmarkFailing(ctx context.Context, tx *store.Tx, name string) error {
	_, err := tx.Exec(ctx, "UPDATE feed_consumers SET failing_since = NULL WHERE name = ?", name)
	return err
}

type cursorMove struct {
	name     string
	owner    laurel.ID
	from, to int64
}

// moveCursor checks under the row's lock that lease and cursor are still the reader's, moves the one and renews the
// other. A lease that has run out but that nobody took still counts. It returns errLost.
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
		return errLost
	}
	return err
}

func moveBack(ctx context.Context, tx *store.Tx, name string, to int64) error {
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

// deleteChanges removes up to limit changes below keep that every consumer has passed.
func deleteChanges(ctx context.Context, tx *store.Tx, keep int64, limit int) (int64, error) {
	return tx.Exec(ctx, `DELETE FROM changes WHERE seq IN (SELECT seq FROM changes
		WHERE seq < ? AND seq <= (SELECT COALESCE(min(position), ?) FROM feed_consumers) ORDER BY seq LIMIT ?)`, keep, keep, limit)
}
