package feed

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"time"

	"laurel"
	"laurel/internal/panics"
	"laurel/internal/store"
)

// errLost rolls a batch back whose reader has lost the lease, or whose cursor somebody moved meanwhile.
var errLost = errors.New("feed: the lease or the cursor has changed hands")

// reader is one Run of a consumer. It goes by nothing between steps but its id: what it may do is read from the
// database each time.
type reader struct {
	Consumer
	feed    *Feed
	db      *store.DB
	id      laurel.ID
	held    bool // the last step had the lease
	failing bool // the consumer was kept as one that fails before it
}

// farBehind is how many rows a consumer may be behind before it rests no more: the feed keeps what nobody has read.
const farBehind = 1_000_000

// step handles one batch, if this reader holds the lease and there is one, and returns how long to wait before the next
// step.
func (r *reader) step(ctx context.Context) (time.Duration, error) {
	r.held, r.failing = false, false
	at, err := loadConsumer(ctx, r.db, r.Name)
	if store.NoRows(err) {
		return 0, r.db.InTx(ctx, func(tx *store.Tx) error { return insertConsumer(ctx, tx, r.Name) })
	}
	if err != nil {
		return 0, err
	}
	if held, err := r.hold(ctx, at); err != nil || !held {
		return idleWait, err
	}
	r.held, r.failing = true, at.Failing != nil
	seen, err := r.feed.horizon.advance(ctx)
	if err != nil {
		return 0, err
	}
	if at.Position < seen.final {
		begun := r.db.Now()
		full, err := r.batch(ctx, seen.final)
		rest := min(time.Duration(r.Rest)*r.db.Now().Sub(begun), leaseTime/4)
		if seen.final-at.Position > farBehind {
			rest = 0
		}
		if full || err != nil {
			return rest, err
		}
		return max(rest, r.Pace), nil
	}
	if seen.waiting {
		return min(fenceWait+seen.age/8, idleWait), nil
	}
	return idleWait, nil
}

// hold takes the lease when it is free or over, and renews it when half of it is gone. A batch renews it too.
func (r *reader) hold(ctx context.Context, at consumerRow) (bool, error) {
	now := r.db.Now()
	left := store.Time(at.LeaseUntil).Sub(now)
	mine := at.LeaseOwner == r.id
	if mine && left > leaseTime/2 {
		return true, nil
	}
	if !mine && !at.LeaseOwner.IsZero() && left > 0 {
		return false, nil
	}
	held := false
	err := r.db.InTx(ctx, func(tx *store.Tx) (err error) {
		held, err = takeLease(ctx, tx, r.Name, r.id)
		return err
	})
	if err == nil && held && !mine {
		r.feed.log.Info("reading the change feed", slog.String("consumer", r.Name), slog.Int64("position", at.Position))
	}
	return held, err
}

// batch hands over the next changes up to final and moves the cursor behind them, in one transaction. The cursor's row
// is locked last, by the statement that checks it: a reader that hangs in Handle keeps nobody from taking over, and
// finds out when it returns. It reports whether there were as many changes as it asks for.
func (r *reader) batch(ctx context.Context, final int64) (full bool, err error) {
	if r.Gather != nil {
		return r.gather(ctx, final)
	}
	handled := false
	err = r.db.InTx(ctx, func(tx *store.Tx) error {
		at, err := r.mine(ctx, tx, final)
		if err != nil {
			return err
		}
		next, err := r.read(ctx, tx, at.Position, final)
		if err != nil {
			return err
		}
		to, more := r.until(next, final)
		full = more
		changes := next.changes
		if handled = len(changes) > 0; handled {
			if err := panics.Safely(func() error { return r.Handle(ctx, tx, changes) }); err != nil {
				return fmt.Errorf("changes %d to %d: %w", changes[0].Seq, changes[len(changes)-1].Seq, err)
			}
		}
		return moveCursor(ctx, tx, cursorMove{name: r.Name, owner: r.id, from: at.Position, to: to})
	})
	if errors.Is(err, errLost) {
		return false, nil // the next step sees whose turn it is
	}
	if err == nil && handled && r.Committed != nil {
		r.Committed(ctx)
	}
	return full, err
}

// mine returns where the consumer is. Errors: errLost where it is another reader's, or there is nothing to do.
func (r *reader) mine(ctx context.Context, q store.Queryer, final int64) (consumerRow, error) {
	at, err := loadConsumer(ctx, q, r.Name)
	if err == nil && (at.LeaseOwner != r.id || at.Position >= final) {
		err = errLost
	}
	return at, err
}

// until returns up to where a portion goes, and whether it is as large as the consumer asks for.
func (r *reader) until(p portion, final int64) (to int64, full bool) {
	if p.size >= r.Batch {
		return p.last, true
	}
	return final, false // no more rows there: the numbers left out were rolled back
}

// gather is batch for a consumer that reads before its transaction. Rows up to final never change. Where another reader
// has taken over meanwhile, the cursor has moved, and nothing is written.
func (r *reader) gather(ctx context.Context, final int64) (full bool, err error) {
	at, err := r.mine(ctx, r.db, final)
	if errors.Is(err, errLost) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	next, err := r.read(ctx, r.db, at.Position, final)
	if err != nil {
		return false, err
	}
	to, full := r.until(next, final)
	write := func(context.Context, *store.Tx) error { return nil }
	if len(next.changes) > 0 {
		err = panics.Safely(func() (err error) {
			write, err = r.Gather(ctx, r.db, next.changes)
			return err
		})
		if err != nil {
			return false, fmt.Errorf("changes %d to %d: %w", next.changes[0].Seq, next.changes[len(next.changes)-1].Seq, err)
		}
	}
	err = r.db.InTx(ctx, func(tx *store.Tx) error {
		if err := write(ctx, tx); err != nil {
			return err
		}
		return moveCursor(ctx, tx, cursorMove{name: r.Name, owner: r.id, from: at.Position, to: to})
	})
	if errors.Is(err, errLost) {
		return false, nil // the next step sees whose turn it is
	}
	return full, err
}

// portion is what a reader takes at once.
type portion struct {
	changes []Change // for Handle
	size    int      // how many changes stand in the rows that it passes
	last    int64    // the last of these rows
}

func (r *reader) read(ctx context.Context, q store.Queryer, after, final int64) (portion, error) {
	switch {
	case r.Leaves:
		return selectLeaves(ctx, q, after, final, r.Batch)
	case r.Concerns != nil:
		return r.readConcerned(ctx, q, after, final)
	}
	return selectChanges(ctx, q, after, final, r.Batch)
}

// readConcerned looks first at whose the rows are: on most installations nobody waits for most of them, and unpacking
// them costs more than finding that out.
func (r *reader) readConcerned(ctx context.Context, q store.Queryer, after, final int64) (portion, error) {
	next, websites, err := selectOwners(ctx, q, after, final, r.Batch)
	if err != nil || len(websites) == 0 {
		return next, err
	}
	concerned, err := r.Concerns(ctx, q, websites)
	if err != nil {
		return next, err
	}
	websites = slices.DeleteFunc(websites, func(w laurel.ID) bool { return !concerned[w] })
	if len(websites) == 0 {
		return next, nil
	}
	next.changes, err = selectChangesOf(ctx, q, websites, after, next.last)
	return next, err
}

// release lets the next reader begin at once. Where it fails, the lease runs out by itself.
func (r *reader) release(ctx context.Context) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 2*time.Second)
	defer cancel()
	err := r.db.InTx(ctx, func(tx *store.Tx) error { return dropLease(ctx, tx, r.Name, r.id) })
	if err != nil {
		r.feed.log.Warn(
			"a lease of the change feed was not given back",
			slog.String("consumer", r.Name),
			slog.Any("error", err),
		)
	}
}
