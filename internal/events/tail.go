package events

import (
	"context"
	"time"

	"laurel/internal/store"
)

// Register makes a consumer known before it runs: from now on Prune keeps what it has not passed. Its cursor stands before the oldest change.
func (f *Feed) Register(ctx context.Context, name string) error {
	return f.db.InTx(ctx, func(tx *store.Tx) error { return insertConsumer(ctx, tx, name) })
}

// Tail is what a consumer has not passed of the changes of one table. All its methods read; in a snapshot they fit what else is read there.
type Tail struct {
	Consumer string // one that is not known has passed nothing
	Table    Table
}

// Read answers the tail's changes behind a number, oldest first, and at most limit of them.
func (t Tail) Read(ctx context.Context, q store.Queryer, after int64, limit int) ([]Change, error) {
	return selectTail(ctx, q, t, after, limit)
}

// Waiting tells how long a tail is.
type Waiting struct {
	Changes int64     // counted up to the limit asked for
	Since   time.Time // of the oldest change; zero when there is none
}

// Waiting counts at most limit changes.
func (t Tail) Waiting(ctx context.Context, q store.Queryer, limit int) (Waiting, error) {
	return countTail(ctx, q, t, limit)
}
