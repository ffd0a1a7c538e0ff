package feed

import (
	"context"
	"time"

	"laurel.example/laurel/internal/store"
)

// Register creates a consumer before it runs: from now on Prune keeps the rows that it has not read. Its cursor is
// before the oldest row.
func (f *Feed) Register(ctx context.Context, name string) error {
	return f.db.InTx(ctx, func(tx *store.Tx) error { return insertConsumer(ctx, tx, name) })
}

// PendingChanges reads the changes of one table that a consumer has not handled yet. Read in a snapshot of the
// database, they agree with everything else that is read in it.
type PendingChanges struct {
	Consumer string // an unknown one has read nothing
	Table    Table
}

// Read returns the pending changes in the rows after the row of the change number after, oldest first: at least limit
// of them unless there are fewer. after is 0, or the number of the last change that an earlier Read returned.
func (pending PendingChanges) Read(ctx context.Context, q store.Queryer, after int64, limit int) ([]Change, error) {
	var out []Change
	row := rowNumber(after)
	for len(out) < limit {
		changes, last, err := selectPendingChanges(ctx, q, pending, row, max(limit/bundleSize, 1))
		if err != nil || last == row {
			return out, err
		}
		out, row = append(out, changes...), last
	}
	return out, nil
}

// PendingLeaves reads the leaves of changes that a consumer has not handled yet. Read in a snapshot of the database,
// they agree with everything else that is read in it.
type PendingLeaves struct {
	Consumer string // an unknown one has read nothing
}

// Read returns one Change for each row with leaves after a change number, oldest first and at most limit of them; see
// Consumer.OnlyLeaves.
func (l PendingLeaves) Read(ctx context.Context, q store.Queryer, after int64, limit int) ([]Change, error) {
	return selectPendingLeaves(ctx, q, l.Consumer, rowNumber(after), limit)
}

// LeafBacklog is the amount of pending leaves.
type LeafBacklog struct {
	Bytes int64     // size of the leaves in the counted rows
	Since time.Time // time of the oldest row; zero if there is none
}

// Count counts the pending leaves of at most limit rows.
func (l PendingLeaves) Count(ctx context.Context, q store.Queryer, limit int) (LeafBacklog, error) {
	return countPendingLeaves(ctx, q, l.Consumer, limit)
}
