package apptest

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
)

// Rows returns everything that a database holds: the rows of each table as sorted texts.
func Rows(t *testing.T, address string) map[string][]string {
	t.Helper()
	db, ctx := OpenSQL(t, address), context.Background()
	defer func() { _ = db.Close() }()
	list := "SELECT name FROM sqlite_master WHERE type = 'table'"
	if !strings.HasPrefix(address, "sqlite:") {
		list = "SELECT tablename FROM pg_tables WHERE schemaname = 'public'"
	}
	texts := func(query string) []string {
		rows, err := db.QueryContext(ctx, query)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = rows.Close() }()
		columns, _ := rows.Columns()
		out := []string{}
		for rows.Next() {
			values, targets := make([]any, len(columns)), make([]any, len(columns))
			for i := range values {
				targets[i] = &values[i]
			}
			if err := rows.Scan(targets...); err != nil {
				t.Fatal(err)
			}
			for i, v := range values {
				if b, ok := v.([]byte); ok {
					values[i] = string(b)
				}
			}
			out = append(out, strings.TrimSuffix(strings.TrimPrefix(fmt.Sprint(values), "["), "]"))
		}
		if err := rows.Err(); err != nil {
			t.Fatal(err)
		}
		slices.Sort(out)
		return out
	}
	out := map[string][]string{}
	for _, table := range texts(list) {
		out[table] = texts("SELECT * FROM " + table)
	}
	if len(out) < 40 { // a comparison of too few tables would prove nothing
		t.Fatalf("there are %d tables", len(out))
	}
	return out
}

// RowDifferences returns the rows that only one of two states of a database has: with - those that are gone, with +
// those that are new. Tables in leftOut are left out.
func RowDifferences(before, after map[string][]string, leftOut ...string) []string {
	var out []string
	for _, table := range slices.Sorted(maps.Keys(after)) {
		if slices.Contains(leftOut, table) {
			continue
		}
		for sign, side := range map[string][2][]string{"-": {before[table], after[table]}, "+": {after[table], before[table]}} {
			others := map[string]bool{}
			for _, row := range side[1] {
				others[row] = true
			}
			for _, row := range side[0] {
				if !others[row] {
					out = append(out, fmt.Sprintf("%s %s: %.200s", sign, table, row))
				}
			}
		}
	}
	return out
}
