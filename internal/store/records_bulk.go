package store

import (
	"context"
	"database/sql/driver"
	"reflect"

	"laurel"
)

// InsertAll inserts many records, as Tx.InsertRows does: on PostgreSQL in one statement. conflict is a clause such as
// IgnoreConflicts, with which inserted may be fewer than the records; it may be empty.
func (r Records[R]) InsertAll(
	ctx context.Context, tx *Tx, records []*R, conflict string,
) (inserted int64, err error) {
	rows := make([][]any, len(records))
	for i, record := range records {
		rows[i] = r.values(reflect.ValueOf(record).Elem(), false)
		for j, value := range rows[i] {
			if r.columns[j].kind == "uuid" {
				continue // an id travels in its bytes
			}
			if rows[i][j], err = driver.DefaultParameterConverter.ConvertValue(value); err != nil {
				return 0, err
			}
		}
	}
	into := Insert{Table: r.table, Columns: make([]Column, len(r.columns)), Conflict: conflict}
	for i, c := range r.columns {
		into.Columns[i] = Column{c.name, c.kind}
	}
	return tx.InsertRows(ctx, into, rows)
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
