package store

import (
	"context"
	"database/sql/driver"
	"reflect"
	"slices"

	"laurel.example/laurel"
)

// InsertAll inserts many records, as Tx.InsertRows does: on PostgreSQL in one statement. conflict is a clause such as
// IgnoreConflicts, with which inserted may be fewer than the records; it may be empty.
func (r Records[R]) InsertAll(
	ctx context.Context, tx *Tx, records []*R, conflict string,
) (inserted int64, err error) {
	rows, err := bulkRows(records, r.columns)
	if err != nil {
		return 0, err
	}
	return tx.InsertRows(ctx, Insert{Table: r.table, Columns: bulkColumns(r.columns), Conflict: conflict}, rows)
}

// Write inserts records. It is the Write of a Sink.
func (r Records[R]) Write(ctx context.Context, tx *Tx, records []*R) error {
	_, err := r.InsertAll(ctx, tx, records, "")
	return err
}

// UpdateAll writes every column that can change of many records, as Tx.UpdateRows does. The transaction has locked the
// rows.
func (r Records[R]) UpdateAll(ctx context.Context, tx *Tx, records []*R) error {
	rows, err := bulkRows(records, slices.Concat(r.keys, r.updated))
	if err != nil {
		return err
	}
	_, err = tx.UpdateRows(ctx, Update{Table: r.table, Keys: bulkColumns(r.keys), Set: bulkColumns(r.updated)}, rows)
	return err
}

// Saver returns the Save of a Table: it updates the records that are not new, which are locked, and inserts the others.
// It returns ErrRerun if another transaction has inserted one of these.
func (r Records[R]) Saver(isNew func(*R) bool) func(ctx context.Context, tx *Tx, records []*R) error {
	return func(ctx context.Context, tx *Tx, records []*R) error {
		var added, changed []*R
		for _, record := range records {
			if isNew(record) {
				added = append(added, record)
			} else {
				changed = append(changed, record)
			}
		}
		if err := r.UpdateAll(ctx, tx, changed); err != nil {
			return err
		}
		n, err := r.InsertAll(ctx, tx, added, IgnoreConflicts)
		if err == nil && n < int64(len(added)) {
			err = ErrRerun
		}
		return err
	}
}

// bulkColumns returns the columns for a bulk write.
func bulkColumns(columns []recordColumn) []Column {
	out := make([]Column, len(columns))
	for i, c := range columns {
		out[i] = Column{c.name, c.kind}
	}
	return out
}

// bulkRows returns the records' values of the columns for a bulk write.
func bulkRows[R any](records []*R, columns []recordColumn) (rows [][]any, err error) {
	rows = make([][]any, len(records))
	for i, record := range records {
		rows[i] = values(record, columns)
		for j, value := range rows[i] {
			if columns[j].kind == "uuid" {
				continue // an id travels in its bytes
			}
			if rows[i][j], err = driver.DefaultParameterConverter.ConvertValue(value); err != nil {
				return nil, err
			}
		}
	}
	return rows, nil
}

// columnKind returns the type in PostgreSQL of the columns that hold values of a type.
func columnKind(t reflect.Type) string {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	switch t {
	case reflect.TypeFor[laurel.ID](), reflect.TypeFor[laurel.NullID]():
		return "uuid"
	case reflect.TypeFor[laurel.Timestamp](), reflect.TypeFor[laurel.NullTimestamp]():
		return "bigint"
	}
	switch t.Kind() {
	case reflect.Bool:
		return "boolean"
	case reflect.Int, reflect.Int32, reflect.Int64:
		return "bigint"
	case reflect.Slice:
		if !t.Implements(reflect.TypeFor[driver.Valuer]()) {
			return "bytea"
		}
	}
	return "text"
}
