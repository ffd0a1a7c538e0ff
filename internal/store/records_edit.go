package store

import (
	"context"
	"reflect"

	"laurel.example/laurel"
)

// EditLive edits the live record of the scope with the id, as Edit does, in a transaction of its own and under the lock
// of its row. It returns the record as it was saved. Errors: NotFound with the noun, and those of Edit.
func (r Records[R]) EditLive(
	ctx context.Context, db *DB, scope laurel.Scope, id laurel.ID, edit func(*Tx, *R) error,
) (record R, err error) {
	err = db.Write(ctx, scope.Request, func(tx *Tx) error {
		if record, err = r.Get(ctx, tx, LiveByID(scope, id), tx.ForUpdate()); err != nil {
			return err
		}
		return r.Edit(ctx, tx, scope, &record, edit)
	})
	return record, err
}

// Edit lets edit change a record and saves it. A deletion is an edit that sets DeletedAt. The transaction has read the
// record under a lock that keeps other changes out. Edit has set the record's new updatedAt when it calls edit. Errors:
// laurel.ErrChanged if the scope is for another version of the record (laurel.Scope.CheckUnchanged), and those of edit;
// then nothing is saved.
func (r Records[R]) Edit(
	ctx context.Context, tx *Tx, scope laurel.Scope, record *R, edit func(*Tx, *R) error,
) error {
	id, updatedAt := r.version(reflect.ValueOf(record).Elem())
	if err := scope.CheckUnchanged(id, updatedAt.Time); err != nil {
		return err
	}
	updatedAt.Time = tx.NowAfter(updatedAt.Time)
	if err := edit(tx, record); err != nil {
		return err
	}
	return r.Update(ctx, tx, record)
}

// version returns the id of a record, and where its updatedAt is.
func (t *recordTable) version(record reflect.Value) (laurel.ID, *laurel.Timestamp) {
	id := record.FieldByIndex(t.columns[t.position("id")].index).Interface()
	updatedAt := record.FieldByIndex(t.columns[t.position("updated_at")].index).Addr().Interface()
	return id.(laurel.ID), updatedAt.(*laurel.Timestamp) //nolint:forcetypeassert // columns of every record
}
