package reader

import (
	"context"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/store"
)

// cursorRow is how far a network is read, and which node of the service reads it.
type cursorRow struct {
	ChainID       int64     `db:"chain_id"`
	Name          string    `db:"name"`
	Number        int64     `db:"block_number"` // the last block whose events were read
	Hash          string    `db:"block_hash"`
	StoppedReason string    `db:"stopped_reason"` // "": the reader has not stopped
	IsResumed     bool      `db:"resumed"`
	LeaseOwner    laurel.ID `db:"lease_owner"`
	LeaseUntil    int64     `db:"lease_until"`
}

const cursorSelect = `SELECT chain_id, name, block_number, block_hash, stopped_reason, resumed, lease_owner, lease_until
	FROM network_cursors`

// selectCursor returns the cursor of a network; nil if it has none.
func selectCursor(ctx context.Context, q store.Queryer, chainID uint64) (*cursorRow, error) {
	var out cursorRow
	err := q.Get(ctx, &out, cursorSelect+" WHERE chain_id = ?", int64(chainID)) //nolint:gosec // chain ids have 53 bits
	if store.IsNoRows(err) {
		return nil, nil
	}
	return &out, err
}

func selectCursors(ctx context.Context, q store.Queryer) (out []cursorRow, err error) {
	err = q.Select(ctx, &out, cursorSelect)
	return out, err
}

// insertCursor begins to read a network at a block, unless another reader has done so.
func insertCursor(ctx context.Context, tx *store.Tx, c cursorRow) error {
	n, err := tx.Exec(ctx, `INSERT INTO network_cursors (chain_id, name, block_number, block_hash, stopped_reason, resumed,
		lease_owner, lease_until, updated_at) VALUES (?, ?, ?, ?, '', FALSE, NULL, 0, ?) ON CONFLICT DO NOTHING`,
		c.ChainID, c.Name, c.Number, c.Hash, store.Micros(tx.Now()))
	if err != nil || n == 0 {
		return err
	}
	return insertBlocks(ctx, tx, c.ChainID, []blockRow{{c.Number, c.Hash}})
}

// leaseTime is how long a dead reader keeps others waiting.
const leaseTime = 15 * time.Second

// acquireLease gives the lease of a network to a reader unless another one has it, and reports whether it did.
func acquireLease(ctx context.Context, tx *store.Tx, c cursorRow, owner laurel.ID) (bool, error) {
	now := tx.Now()
	n, err := tx.Exec(ctx, `UPDATE network_cursors SET lease_owner = ?, lease_until = ?, name = ?, updated_at = ?
		WHERE chain_id = ? AND (lease_owner IS NULL OR lease_owner = ? OR lease_until <= ?)`,
		owner, store.Micros(now.Add(leaseTime)), c.Name, store.Micros(now), c.ChainID, owner, store.Micros(now))
	return n == 1, err
}

// releaseLease ends the lease of a network if a reader has it.
func releaseLease(ctx context.Context, tx *store.Tx, chainID uint64, owner laurel.ID) error {
	_, err := tx.Exec(ctx, "UPDATE network_cursors SET lease_owner = NULL, lease_until = 0 WHERE chain_id = ? AND lease_owner = ?",
		int64(chainID), owner) //nolint:gosec // chain ids have 53 bits
	return err
}

// moveCursor moves the cursor of a network from where the reader has found it, and renews the lease. It returns errLost
// if another reader has the lease or has moved the cursor. A cursor that moves is of a reader that has not stopped.
func moveCursor(ctx context.Context, tx *store.Tx, from cursorRow, owner laurel.ID, to blockRow) error {
	now := tx.Now()
	n, err := tx.Exec(ctx, `UPDATE network_cursors SET block_number = ?, block_hash = ?, stopped_reason = '', resumed = FALSE,
		lease_until = ?, updated_at = ? WHERE chain_id = ? AND lease_owner = ? AND block_number = ? AND block_hash = ?`,
		to.Number, to.Hash, store.Micros(now.Add(leaseTime)), store.Micros(now), from.ChainID, owner, from.Number, from.Hash)
	if err == nil && n != 1 {
		err = errLost
	}
	return err
}

// holdCursor renews the lease of a network. It returns errLost if another reader has it or has moved the cursor.
func holdCursor(ctx context.Context, tx *store.Tx, c cursorRow, owner laurel.ID) error {
	now := tx.Now()
	n, err := tx.Exec(ctx, `UPDATE network_cursors SET lease_until = ?, updated_at = ? WHERE chain_id = ? AND lease_owner = ?
		AND block_number = ? AND block_hash = ?`,
		store.Micros(now.Add(leaseTime)), store.Micros(now), c.ChainID, owner, c.Number, c.Hash)
	if err == nil && n != 1 {
		err = errLost
	}
	return err
}

// markStopped stores why the reader of a network has stopped.
func markStopped(ctx context.Context, tx *store.Tx, c cursorRow, owner laurel.ID, reason string) error {
	n, err := tx.Exec(ctx, `UPDATE network_cursors SET stopped_reason = ?, updated_at = ? WHERE chain_id = ? AND lease_owner = ?
		AND block_number = ? AND block_hash = ?`, reason, store.Micros(tx.Now()), c.ChainID, owner, c.Number, c.Hash)
	if err == nil && n != 1 {
		err = errLost
	}
	return err
}

// markResumed lets the reader of a network go on, and reports whether it had stopped.
func markResumed(ctx context.Context, tx *store.Tx, name string) (bool, error) {
	n, err := tx.Exec(ctx, "UPDATE network_cursors SET resumed = TRUE WHERE name = ? AND stopped_reason <> ''", name)
	return n > 0, err
}

// deleteCursor removes what is stored of a network whose cursor a reader has the lease of.
func deleteCursor(ctx context.Context, tx *store.Tx, c cursorRow, owner laurel.ID) error {
	n, err := tx.Exec(ctx, "DELETE FROM network_cursors WHERE chain_id = ? AND lease_owner = ?", c.ChainID, owner)
	if err != nil || n == 0 {
		return err
	}
	if _, err := tx.Exec(ctx, "DELETE FROM network_blocks WHERE chain_id = ?", c.ChainID); err != nil {
		return err
	}
	_, err = tx.Exec(ctx, "DELETE FROM network_events WHERE chain_id = ?", c.ChainID)
	return err
}

// blockRow is a block that was read.
type blockRow struct {
	Number int64  `db:"block_number"`
	Hash   string `db:"block_hash"`
}

var blockInsert = store.Insert{
	Table: "network_blocks", Columns: store.Columns("chain_id bigint, block_number bigint, block_hash text"),
	Conflict: "ON CONFLICT (chain_id, block_number) DO UPDATE SET block_hash = excluded.block_hash",
}

func insertBlocks(ctx context.Context, tx *store.Tx, chainID int64, blocks []blockRow) error {
	rows := make([][]any, len(blocks))
	for i, b := range blocks {
		rows[i] = []any{chainID, b.Number, b.Hash}
	}
	_, err := tx.InsertRows(ctx, blockInsert, rows)
	return err
}

// selectBlocks returns the blocks of a network that are kept, by height.
func selectBlocks(ctx context.Context, q store.Queryer, chainID int64) (map[int64]string, error) {
	var rows []blockRow
	err := q.Select(ctx, &rows, "SELECT block_number, block_hash FROM network_blocks WHERE chain_id = ?", chainID)
	out := make(map[int64]string, len(rows))
	for _, b := range rows {
		out[b.Number] = b.Hash
	}
	return out, err
}

// eventRow is an event of a block that can still leave the chain, or that waits to be published.
type eventRow struct {
	ID             laurel.ID `db:"id"`
	ChainID        int64     `db:"chain_id"`
	WatchID        laurel.ID `db:"watch_id"`
	OrganizationID laurel.ID `db:"organization_id"`
	WebsiteID      laurel.ID `db:"website_id"`
	Number         int64     `db:"block_number"`
	Place          int64     `db:"place"` // in the block
	EventKey       string    `db:"event_key"`
	IsFunction     bool      `db:"is_function"`
	Data           string    `db:"data"`
}

var eventInsert = store.Insert{
	Table: "network_events", Columns: store.Columns(`id uuid, chain_id bigint, watch_id uuid, organization_id uuid,
	website_id uuid, block_number bigint, place bigint, event_key text, is_function boolean, published boolean, data text`),
	Conflict: store.IgnoreConflicts,
}

// insertEvents stores events that are still to be published. Those that are stored already stay as they are.
func insertEvents(ctx context.Context, tx *store.Tx, events []eventRow) error {
	rows := make([][]any, len(events))
	for i, e := range events {
		rows[i] = []any{
			tx.NewID(), e.ChainID, e.WatchID, e.OrganizationID, e.WebsiteID, e.Number, e.Place, e.EventKey, e.IsFunction, false,
			e.Data,
		}
	}
	_, err := tx.InsertRows(ctx, eventInsert, rows)
	return err
}

const eventSelect = `SELECT id, chain_id, watch_id, organization_id, website_id, block_number, place, event_key, is_function,
	data FROM network_events`

// selectUnpublished returns the first events that are still to be published: those up to a block, or all of watches.
func selectUnpublished(
	ctx context.Context, q store.Queryer, chainID, upTo int64, instant []laurel.ID,
) (out []eventRow, err error) {
	const order = " ORDER BY block_number, place, id LIMIT 500"
	err = q.Select(ctx, &out, eventSelect+" WHERE chain_id = ? AND NOT published AND block_number <= ?"+order, chainID, upTo)
	if err != nil || len(out) > 0 || len(instant) == 0 {
		return out, err
	}
	var w store.Where
	w.Add("chain_id = ? AND NOT published", chainID)
	store.InArray(&w, q, "watch_id", "uuid", instant)
	err = q.Select(ctx, &out, eventSelect+w.String()+order, w.Args...)
	return out, err
}

// markPublished stores that events were published.
func markPublished(ctx context.Context, tx *store.Tx, events []eventRow) error {
	ids := make([]laurel.ID, len(events))
	for i, e := range events {
		ids[i] = e.ID
	}
	var w store.Where
	store.InArray(&w, tx, "id", "uuid", ids)
	_, err := tx.Exec(ctx, "UPDATE network_events SET published = TRUE"+w.String(), w.Args...)
	return err
}

// selectPublishedAbove returns the events above a block that were published, the last first.
func selectPublishedAbove(ctx context.Context, q store.Queryer, chainID, above int64) (out []eventRow, err error) {
	err = q.Select(ctx, &out, eventSelect+" WHERE chain_id = ? AND published AND block_number > ? ORDER BY block_number DESC, "+
		"place DESC, id DESC", chainID, above)
	return out, err
}

// deleteAbove removes the blocks above one, and their events.
func deleteAbove(ctx context.Context, tx *store.Tx, chainID, above int64) error {
	_, err := tx.Exec(ctx, "DELETE FROM network_blocks WHERE chain_id = ? AND block_number > ?", chainID, above)
	if err != nil {
		return err
	}
	_, err = tx.Exec(ctx, "DELETE FROM network_events WHERE chain_id = ? AND block_number > ?", chainID, above)
	return err
}

// deleteBelow removes the blocks below one, and their events that were published.
func deleteBelow(ctx context.Context, tx *store.Tx, chainID, below int64) error {
	_, err := tx.Exec(ctx, "DELETE FROM network_blocks WHERE chain_id = ? AND block_number < ?", chainID, below)
	if err != nil {
		return err
	}
	_, err = tx.Exec(ctx, "DELETE FROM network_events WHERE chain_id = ? AND block_number < ? AND published", chainID, below)
	return err
}
