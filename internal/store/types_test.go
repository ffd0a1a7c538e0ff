package store_test

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"strings"
	"testing"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/dev/storetest"
	"laurel.example/laurel/internal/store"
)

// everyType is a row of every type that rows are written in.
type everyType struct {
	N     int64     `db:"n"`
	ID    laurel.ID `db:"id"`
	Count *int64    `db:"count"`
	Text  *string   `db:"text"`
	Flag  *bool     `db:"flag"`
	Bytes []byte    `db:"bytes"`
}

func TestValuesOfEveryTypeAreWrittenAsTheyAre(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		ctx := context.Background()
		kind := "BYTEA"
		if db.Engine() == store.SQLite {
			kind = "BLOB"
		}
		execute(t, db, "CREATE TABLE every_type (n BIGINT, id UUID, count BIGINT, text TEXT, flag BOOLEAN, bytes "+kind+")")
		id, least, word, long := db.NewID(), int64(math.MinInt64), "é\n\"{},\\", strings.Repeat("ß", 70_000)
		var none *laurel.ID
		rows := [][]any{
			{0, id, int64(math.MaxInt64), word, true, []byte{0, 255}},
			{int64(1), &id, &least, &word, false, []byte{9}},
			{laurel.Amount(2), laurel.ID{}, laurel.Amount(-1), "", true, bytes.Repeat([]byte{7}, 300)},
			{3, nil, nil, nil, nil, nil},
			{4, none, (*int64)(nil), (*string)(nil), false, []byte(nil)},
			{5, &laurel.ID{}, 300, long, true, []byte("x")},
			{6, laurel.NullID{}, laurel.NullTimestamp{}, laurel.NullText(""), nil, nil},
			{7, laurel.NullableID(id), laurel.Timestamp{Time: store.Time(300)}, laurel.NullText("a"), nil, nil},
			{8, nil, laurel.Timestamp{}, nil, nil, nil},
		}
		want := []string{
			fmt.Sprintf(
				"0 %s 9223372036854775807 %q true 00ff",
				id,
				word,
			),
			fmt.Sprintf("1 %s -9223372036854775808 %q false 09", id, word),
			fmt.Sprintf(
				"2 null -1 %q true %s",
				"",
				strings.Repeat("07", 300),
			),
			"3 null null null null null",
			"4 null null null false null",
			fmt.Sprintf("5 null 300 %q true 78", long),
			"6 null null null null null",
			fmt.Sprintf("7 %s 300 \"a\" null null", id),
			"8 null 0 null null null",
		}
		in := store.Insert{
			Table:   "every_type",
			Columns: store.Columns("n bigint, id uuid, count bigint, text text, flag boolean, bytes bytea"),
		}
		err := db.InTx(ctx, func(tx *store.Tx) error {
			n, err := tx.InsertRows(ctx, in, rows)
			if n != int64(len(rows)) {
				t.Errorf("%d rows inserted", n)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		var got []everyType
		if err := db.Select(ctx, &got, "SELECT * FROM every_type ORDER BY n"); err != nil {
			t.Fatal(err)
		}
		for i, r := range got {
			id, octets := "null", "null"
			if !r.ID.IsZero() {
				id = r.ID.String()
			}
			if r.Bytes != nil {
				octets = fmt.Sprintf("%x", r.Bytes)
			}
			if text := fmt.Sprintf(
				"%d %s %s %s %s %s",
				r.N,
				id,
				orNull("%d", r.Count),
				orNull("%q", r.Text),
				orNull("%v", r.Flag),
				octets,
			); text != want[i] {
				t.Errorf("row %d is %.200s, want %.200s", i, text, want[i])
			}
		}
	})
}

func orNull[T any](format string, p *T) string {
	if p == nil {
		return "null"
	}
	return fmt.Sprintf(format, *p)
}

// A value of another type is a mistake of the program: it must not become the bytes of something else.
func TestAValueOfAnotherTypeIsNotWritten(t *testing.T) {
	t.Parallel()
	db := storetest.Open(t, storetest.Engines()[1].URL(t), nil) // PostgreSQL; the columns of SQLite take every value
	for _, wrong := range []struct {
		kind  string
		value any
	}{
		{"uuid", "0123456789abcdef"}, {"bigint", "01234567"}, {"text", []byte("x")}, {"boolean", int64(1)}, {"bytea", "x"},
		// zero values too
		{"text", laurel.ID{}}, {"bigint", (*string)(nil)}, {"uuid", (*int64)(nil)}, {"text", []byte(nil)}, {"bytea", (*laurel.ID)(nil)}, {"text", 1.5},
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%T was written as %s", wrong.value, wrong.kind)
				}
			}()
			_ = db.InTx(context.Background(), func(tx *store.Tx) error {
				_, err := tx.InsertRows(
					context.Background(),
					store.Insert{Table: "settings", Columns: []store.Column{{Name: "name", Type: wrong.kind}}},
					[][]any{{wrong.value}},
				)
				return err
			})
		}()
	}
}
