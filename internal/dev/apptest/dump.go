package apptest

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"testing"
)

// Dump returns the text of every column of every table of a server's database, by table, the change feed among them.
func Dump(t *testing.T, address string) map[string]string {
	t.Helper()
	db, ctx := OpenSQL(t, address), context.Background()
	list := "SELECT name FROM sqlite_master WHERE type = 'table'"
	if !strings.HasPrefix(address, "sqlite:") {
		list = "SELECT tablename FROM pg_tables WHERE schemaname = 'public'"
	}
	names, err := db.QueryContext(ctx, list)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	for names.Next() {
		var name string
		if err := names.Scan(&name); err != nil {
			t.Fatal(err)
		}
		out[name] = ""
	}
	if err := names.Err(); err != nil || len(out) < 40 {
		t.Fatalf("%d tables, %v", len(out), err)
	}
	for name := range out {
		rows, err := db.QueryContext(ctx, "SELECT * FROM "+name)
		if err != nil {
			t.Fatal(err)
		}
		columns, _ := rows.Columns()
		var text bytes.Buffer
		for rows.Next() {
			values := make([]any, len(columns))
			for i := range values {
				values[i] = new(any)
			}
			if err := rows.Scan(values...); err != nil {
				t.Fatal(err)
			}
			for _, v := range values {
				if b, ok := (*v.(*any)).([]byte); ok {
					text.Write(b)
					continue
				}
				fmt.Fprintln(&text, *v.(*any))
			}
		}
		if err := rows.Err(); err != nil {
			t.Fatal(err)
		}
		out[name] = text.String()
	}
	return out
}
