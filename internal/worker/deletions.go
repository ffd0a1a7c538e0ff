package worker

import (
	"context"
	"errors"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/panics"
	"laurel.example/laurel/internal/store"
)

// Deletions removes what depends on deleted records, a chunk per transaction: the first with the record, the others in
// the background. A table has a row for each record with something left. It needs no leases, since each step locks the
// row, so any number of nodes may run it.
type Deletions struct {
	Table  string // with organization_id, website_id, created_at, and Column
	Column string // the id of the deleted record, a unique key
	// RemoveChunk removes up to limit dependents of a record. isDone is true if none is left. A deleted record must not
	// get new ones.
	RemoveChunk func(ctx context.Context, tx *store.Tx, d Deletion, limit int) (isDone bool, err error)
}

// Deletion names a deleted record.
type Deletion struct {
	ID             laurel.ID `db:"id"`
	OrganizationID laurel.ID `db:"organization_id"`
	WebsiteID      laurel.ID `db:"website_id"`
}

// Scope returns the scope of the record's website.
func (d Deletion) Scope() laurel.Scope {
	return laurel.Scope{OrganizationID: d.OrganizationID, WebsiteID: d.WebsiteID}
}

// deletionChunk bounds what one transaction removes. The chunk gets smaller if that takes too long.
const deletionChunk = 256

// Begin removes the first chunk, in the transaction that deletes the record. RunDue removes the rest.
func (t *Deletions) Begin(ctx context.Context, tx *store.Tx, d Deletion) error {
	isDone, err := t.RemoveChunk(ctx, tx, d, deletionChunk)
	if err != nil || isDone {
		return err
	}
	return t.insert(ctx, tx, d)
}

// RunDue removes all that is left, one chunk per record in turn, until nothing is or other nodes are working on the
// rest. If there is nothing, it writes nothing.
func (t *Deletions) RunDue(ctx context.Context, db *store.DB) error {
	for {
		due, err := t.selectOldest(ctx, db)
		if err != nil || len(due) == 0 {
			return err
		}
		progressed := false
		for _, d := range due {
			isLocked, fault := panics.Try(func() (bool, error) { return t.removeNextChunk(ctx, db, d) })
			progressed, err = progressed || isLocked, errors.Join(err, fault)
		}
		if err != nil || !progressed || ctx.Err() != nil {
			return errors.Join(err, ctx.Err()) // if nothing progressed, other nodes hold all locks
		}
	}
}

// removeNextChunk removes a chunk of a record's dependents in one transaction, with smaller chunks if that takes too
// long. isLocked is false if another node is working on the record.
func (t *Deletions) removeNextChunk(ctx context.Context, db *store.DB, d Deletion) (isLocked bool, err error) {
	for size := deletionChunk; ; size /= 4 {
		err = db.InTx(ctx, func(tx *store.Tx) error {
			var fault error
			if isLocked, fault = t.lock(ctx, tx, d.ID); fault != nil || !isLocked {
				return fault
			}
			isDone, fault := t.RemoveChunk(ctx, tx, d, size)
			if fault != nil || !isDone {
				return fault
			}
			return t.delete(ctx, tx, d.ID)
		})
		if !store.TookTooLong(err) || size < 4 {
			return isLocked, err
		}
	}
}
