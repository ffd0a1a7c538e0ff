package app_test

import (
	"context"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/dev/storetest"
	"laurel.example/laurel/internal/store"
)

// mayBeNone lists the types, besides pointers, whose zero value is NULL.
var mayBeNone = map[reflect.Type]bool{
	reflect.TypeFor[laurel.NullID]():        true,
	reflect.TypeFor[laurel.NullTimestamp](): true,
	reflect.TypeFor[laurel.NullText]():      true,
}

// TestRecordsFitTheSchema: each field of a record has a column of its type, which may be NULL if and only if the field
// may be none.
func TestRecordsFitTheSchema(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		fields := store.RecordFields()
		if len(fields) < 20 {
			t.Fatalf("there are %d fields of records", len(fields))
		}
		for _, f := range fields {
			kind, nullable, exists := readColumn(t, db, f.Table, f.Column)
			canBeNone := f.Field.Type.Kind() == reflect.Pointer || mayBeNone[f.Field.Type]
			switch {
			case !exists:
				t.Errorf("%s has no column %s, which %s names", f.Table, f.Column, f.Field.Name)
			case !strings.EqualFold(kind, f.Kind): // bulk writes send arrays of the field's type
				t.Errorf("%s.%s: the column is a %s, and the field %s a %s", f.Table, f.Column, kind, f.Field.Name, f.Kind)
			case f.Field.Type == reflect.TypeFor[laurel.RawJSON](): // may be none where the column allows it
			case nullable != canBeNone:
				t.Errorf("%s.%s: the column may be NULL: %t; the field %s %s may be none: %t",
					f.Table, f.Column, nullable, f.Field.Name, f.Field.Type, canBeNone)
			}
		}
	})
}

// readColumn returns the type of a column, whether it may be NULL, and whether it exists.
func readColumn(t *testing.T, db *store.DB, table, column string) (kind string, nullable, exists bool) {
	t.Helper()
	query := `SELECT COUNT(*) AS n, COALESCE(MAX(type), '') AS kind, COALESCE(MAX(CASE WHEN "notnull" = 0 AND pk = 0 THEN 1 ELSE 0 END), 0) AS nullable FROM pragma_table_info(?) WHERE name = ?`
	if db.Engine() == store.Postgres {
		query = `SELECT COUNT(*) AS n, COALESCE(MAX(data_type), '') AS kind, COALESCE(MAX(CASE WHEN is_nullable = 'YES' THEN 1 ELSE 0 END), 0) AS nullable
			FROM information_schema.columns WHERE table_schema = 'public' AND table_name = ? AND column_name = ?`
	}
	var found struct {
		N        int    `db:"n"`
		Kind     string `db:"kind"`
		Nullable int    `db:"nullable"`
	}
	if err := db.Get(context.Background(), &found, query, table, column); err != nil {
		t.Fatal(err)
	}
	return found.Kind, found.Nullable == 1, found.N == 1
}

var (
	secretColumn = regexp.MustCompile(`secret|sealed|hash|token|password|signing`)
	// publicColumn matches what is public on a blockchain.
	publicColumn = regexp.MustCompile(`^token_(id|type)$|^tx_hash$|_for_token_holders$|_token_reward_currency$`)
)

// TestRecordsShowNoSecret: a record can be the response of an operation, so each column says how JSON names it, and
// secrets are left out.
func TestRecordsShowNoSecret(t *testing.T) {
	t.Parallel()
	for _, f := range store.RecordFields() {
		if !f.IsExported {
			continue
		}
		name, _, _ := strings.Cut(f.Field.Tag.Get("json"), ",")
		switch {
		case name == "":
			t.Errorf("%s.%s: %s has no json tag", f.Table, f.Column, f.Field.Name)
		case secretColumn.MatchString(f.Column) && !publicColumn.MatchString(f.Column) && name != "-":
			t.Errorf("%s.%s: %s is shown as %s", f.Table, f.Column, f.Field.Name, name)
		}
	}
}
