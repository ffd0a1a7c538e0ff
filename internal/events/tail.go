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

// Read answers the tail's changes behind one of them, oldest first, at least limit of them unless there are no more.
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

// Waiting tells how long a tail is.
type Waiting struct {
	Changes int64     // counted up to about the limit asked for
	Since   time.Time // of the oldest change; zero when there is none
}

// Waiting counts changes up to about a limit.
func (t Tail) Waiting(ctx context.Context, q store.Queryer, limit int) (Waiting, error) {
	changes, err := t.Read(ctx, q, 0, limit)
	if len(changes) == 0 {
		return Waiting{}, err
	}
	return Waiting{Changes: int64(len(changes)), Since: changes[0].At}, err
}
