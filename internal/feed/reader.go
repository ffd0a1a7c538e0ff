package feed

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/panics"
	"laurel.example/laurel/internal/store"
)

// errLeaseLost rolls a batch back if the reader has lost the lease, or if the cursor was moved meanwhile.
var errLeaseLost = errors.New("feed: the lease or the cursor has changed hands")

// reader is one Run of a consumer. Each step reads the state of the consumer from the database; between steps the
// reader keeps nothing but its id.
type reader struct {
	Consumer
	feed       *Feed
	db         *store.DB
	id         laurel.ID
	hasLease   bool // in the last step
	wasFailing bool // the consumer was stored as failing before the last step
}

// farBehindRows is the number of rows from which a consumer that is behind no longer rests, since the feed stores all
// rows that it has not read.
const farBehindRows = 1_000_000

// step takes or renews the lease, handles the next batch of changes if there are any, and returns how long to wait
// before the next step. While another reader has the lease, it only waits. An unknown consumer is registered first.
func (r *reader) step(ctx context.Context) (time.Duration, error) {
	r.hasLease, r.wasFailing = false, false
	row, err := loadConsumer(ctx, r.db, r.Name)
	if store.IsNoRows(err) {
		return 0, r.db.InTx(ctx, func(tx *store.Tx) error { return insertConsumer(ctx, tx, r.Name) })
	}
	if err != nil {
		return 0, err
	}
	if hasLease, err := r.ensureLease(ctx, row); err != nil || !hasLease {
		return idleWait, err
	}
	r.hasLease, r.wasFailing = true, row.Failing != nil
	horizon, err := r.feed.horizon.advance(ctx)
	if err != nil {
		return 0, err
	}
	if row.Position < horizon.final {
		begun := r.db.Now()
		full, err := r.handleBatch(ctx, horizon.final)
		rest := min(time.Duration(r.RestFactor)*r.db.Now().Sub(begun), leaseTime/4)
		if horizon.final-row.Position > farBehindRows { // catching up is more urgent than to spare the database
			rest = 0
		}
		if full || err != nil {
			return rest, err
		}
		return max(rest, r.PartialBatchWait), nil
	}
	if horizon.isBlocked {
		return min(fenceWait+horizon.age/8, idleWait), nil // longer for a transaction that stays open for long
	}
	return idleWait, nil
}

// ensureLease takes the lease of the consumer if no reader has it or it has ended, and renews it once half of it is
// over. It reports whether this reader has the lease. Moving the cursor renews it too.
func (r *reader) ensureLease(ctx context.Context, consumer consumerRow) (bool, error) {
	now := r.db.Now()
	remaining := store.Time(consumer.LeaseUntil).Sub(now)
	isOwner := consumer.LeaseOwner == r.id
	if isOwner && remaining > leaseTime/2 {
		return true, nil
	}
	if !isOwner && !consumer.LeaseOwner.IsZero() && remaining > 0 {
		return false, nil
	}
	acquired := false
	err := r.db.InTx(ctx, func(tx *store.Tx) (err error) {
		acquired, err = acquireLease(ctx, tx, r.Name, r.id)
		return err
	})
	if err == nil && acquired && !isOwner {
		r.feed.log.Info("reading the change feed", slog.String("consumer", r.Name), slog.Int64("position", consumer.Position))
	}
	return acquired, err
}

// handleBatch passes the next changes, of rows up to the number final, to Handle, and moves the cursor, in one
// transaction. The cursor's row is locked last, by the statement that moves it. So a reader that hangs in Handle does
// not keep others from taking over, and finds out once Handle returns; its transaction is then rolled back. full
// reports whether there were as many changes as the consumer asks for.
func (r *reader) handleBatch(ctx context.Context, final int64) (full bool, err error) {
	if r.Prepare != nil {
		return r.prepareBatch(ctx, final)
	}
	handled := false
	err = r.db.InTx(ctx, func(tx *store.Tx) error {
		consumer, err := r.requireLease(ctx, tx, final)
		if err != nil {
			return err
		}
		next, err := r.readBatch(ctx, tx, consumer.Position, final)
		if err != nil {
			return err
		}
		to, isFull := r.cursorAfter(next, final)
		full = isFull
		changes := next.changes
		if handled = len(changes) > 0; handled {
			if err := panics.Safely(func() error { return r.Handle(ctx, tx, changes) }); err != nil {
				return fmt.Errorf("changes %d to %d: %w", changes[0].Seq, changes[len(changes)-1].Seq, err)
			}
		}
		return moveCursor(ctx, tx, cursorMove{name: r.Name, owner: r.id, from: consumer.Position, to: to})
	})
	if errors.Is(err, errLeaseLost) {
		return false, nil // the next step checks the lease
	}
	if err == nil && handled && r.OnCommit != nil {
		r.OnCommit(ctx)
	}
	return full, err
}

// requireLease returns the consumer's row. It returns errLeaseLost if another reader has the lease, or if no changes
// up to final are left.
func (r *reader) requireLease(ctx context.Context, q store.Queryer, final int64) (consumerRow, error) {
	consumer, err := loadConsumer(ctx, q, r.Name)
	if err == nil && (consumer.LeaseOwner != r.id || consumer.Position >= final) {
		err = errLeaseLost
	}
	return consumer, err
}

// cursorAfter returns the row number to which a batch moves the cursor, and whether the batch is full. A batch that is
// not full has read all rows up to final.
func (r *reader) cursorAfter(read batch, final int64) (to int64, full bool) {
	if read.changeCount >= r.Batch {
		return read.lastRow, true
	}
	return final, false // there are no more rows: missing numbers were rolled back
}

// prepareBatch is handleBatch for a consumer with Prepare: it reads the changes and calls Prepare before the
// transaction, which is safe because rows up to final never change. If another reader has taken over meanwhile, the
// cursor has moved, and nothing is written.
func (r *reader) prepareBatch(ctx context.Context, final int64) (full bool, err error) {
	consumer, err := r.requireLease(ctx, r.db, final)
	if errors.Is(err, errLeaseLost) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	next, err := r.readBatch(ctx, r.db, consumer.Position, final)
	if err != nil {
		return false, err
	}
	to, full := r.cursorAfter(next, final)
	write := func(context.Context, *store.Tx) error { return nil }
	if len(next.changes) > 0 {
		err = panics.Safely(func() (err error) {
			write, err = r.Prepare(ctx, r.db, next.changes)
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
		return moveCursor(ctx, tx, cursorMove{name: r.Name, owner: r.id, from: consumer.Position, to: to})
	})
	if errors.Is(err, errLeaseLost) {
		return false, nil // the next step checks the lease
	}
	if err == nil && len(next.changes) > 0 && r.OnCommit != nil {
		r.OnCommit(ctx)
	}
	return full, err
}

// batch is what a reader reads at once.
type batch struct {
	changes     []Change // for Handle
	changeCount int      // number of changes in the rows, including skipped ones
	lastRow     int64    // number of the last row
}

// readBatch reads the next batch of rows with numbers above after and up to final, as the consumer wants them: all
// changes, only those of some websites (FilterWebsites), or only leaves (OnlyLeaves).
func (r *reader) readBatch(ctx context.Context, q store.Queryer, after, final int64) (batch, error) {
	switch {
	case r.OnlyLeaves:
		return selectLeaves(ctx, q, after, final, r.Batch)
	case r.FilterWebsites != nil:
		return r.readFiltered(ctx, q, after, final)
	}
	return selectChanges(ctx, q, after, final, r.Batch)
}

// readFiltered reads the next batch without the changes of websites that FilterWebsites does not want. It first reads
// only the websites of the rows: on most installations most rows are not needed, and decoding them would cost more.
func (r *reader) readFiltered(ctx context.Context, q store.Queryer, after, final int64) (batch, error) {
	next, websites, err := selectWebsites(ctx, q, after, final, r.Batch)
	if err != nil || len(websites) == 0 {
		return next, err
	}
	wanted, err := r.FilterWebsites(ctx, q, websites)
	if err != nil {
		return next, err
	}
	websites = slices.DeleteFunc(websites, func(w laurel.ID) bool { return !wanted[w] })
	if len(websites) == 0 {
		return next, nil
	}
	next.changes, err = selectChangesOfWebsites(ctx, q, websites, after, next.lastRow)
	return next, err
}

// release gives the lease back so that another reader can begin at once. If that fails, the lease ends by itself.
func (r *reader) release(ctx context.Context) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 2*time.Second)
	defer cancel()
	err := r.db.InTx(ctx, func(tx *store.Tx) error { return releaseLease(ctx, tx, r.Name, r.id) })
	if err != nil {
		r.feed.log.Warn(
			"a lease of the change feed was not given back",
			slog.String("consumer", r.Name),
			slog.Any("error", err),
		)
	}
}
