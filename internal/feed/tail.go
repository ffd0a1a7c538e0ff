package feed

import (
	"context"
	"time"

	"laurel/internal/store"
)

// Register makes a consumer known before it runs: from now on Prune keeps what it has not passed. Its cursor stands
// before the oldest change.
func (f *Feed) Register(ctx context.Context, name string) error {
	return f.db.InTx(ctx, func(tx *store.Tx) error { return insertConsumer(ctx, tx, name) })
}

// Tail is what a consumer has not passed of the changes of one table. All its methods read; in a snapshot they fit what
// else is read there.
type Tail struct {
	Consumer string // one that is not known has passed nothing
	Table    Table
}

// Read returns the tail's changes behind one of them, oldest first, at least limit of them unless there are no more.
func (t Tail) Read(ctx context.Context, q store.Queryer, after int64, limit int) ([]Change, error) {
	var out []Change
	row := rowOf(after)
	for len(out) < limit {
		changes, last, err := selectTail(ctx, q, t, row, max(limit/bundleSize, 1))
		if err != nil || last == row {
			return out, err
		}
		out, row = append(out, changes...), last
	}
	return out, nil
}

// Leaves is what a consumer has not passed of what is to be sealed. All its methods read; in a snapshot they fit what
// else is read there.
type Leaves struct {
	Consumer string // one that is not known has passed nothing
}

// Read returns one Change for each row with leaves behind one of them, oldest first, and at most limit of them; as
// Consumer.Leaves says.
func (l Leaves) Read(ctx context.Context, q store.Queryer, after int64, limit int) ([]Change, error) {
	return selectWaitingLeaves(ctx, q, l.Consumer, rowOf(after), limit)
}

// Waiting tells how much there is.
type Waiting struct {
	Bytes int64     // of leaves, in as many rows as were asked for
	Since time.Time // of the oldest row; zero when there is none
}

// Waiting counts at most limit rows.
func (l Leaves) Waiting(ctx context.Context, q store.Queryer, limit int) (Waiting, error) {
	return countWaitingLeaves(ctx, q, l.Consumer, limit)
}
