package store_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"

	"laurel.example/laurel/internal/budget"
	"laurel.example/laurel/internal/dev/storetest"
	"laurel.example/laurel/internal/store"
)

type paged struct {
	Place int     `db:"place"`
	Text  string  `db:"record"`
	Note  *string `db:"note"`
}

// pages makes rows whose texts have the sizes, and returns how to read a page behind a place.
func pages(t *testing.T, db *store.DB, sizes ...int) func(q store.Queryer, limit, after int) ([]paged, bool) {
	t.Helper()
	err := db.InTx(t.Context(), func(tx *store.Tx) error {
		if _, err := tx.Exec(
			t.Context(),
			"CREATE TABLE paged (place INTEGER PRIMARY KEY, record TEXT NOT NULL, note TEXT)",
		); err != nil {
			return err
		}
		for i, size := range sizes {
			if _, err := tx.Exec(
				t.Context(),
				"INSERT INTO paged (place, record) VALUES (?, ?)",
				i,
				strings.Repeat("ä", size/2),
			); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return func(q store.Queryer, limit, after int) ([]paged, bool) {
		t.Helper()
		page, err := store.SelectPage[paged](
			context.WithoutCancel(t.Context()),
			q,
			limit,
			"SELECT place, record, note FROM paged WHERE place > ? ORDER BY place",
			after,
		)
		if err != nil {
			t.Fatal(err)
		}
		return page.Data, page.HasNextPage
	}
}

// TestAPageEndsWhereItsTextsAreTooManyBytes walks over rows of many sizes: every row is met once, no page is empty, and
// none but that of a larger row has more than its bytes.
func TestAPageEndsWhereItsTextsAreTooManyBytes(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		sizes := []int{10, budget.MaxPageBytes - 10, 2, budget.MaxPageBytes + 2, 0, 0, budget.MaxPageBytes, 0, 2}
		for range 100 {
			sizes = append(sizes, 64<<10)
		}
		read := pages(t, db, sizes...)
		walk := func(q store.Queryer, limit int) (lengths []int) {
			for after := -1; ; {
				rows, more := read(q, limit, after)
				held := 0
				for _, r := range rows {
					after++
					if r.Place != after || len(r.Text) != sizes[after] {
						t.Fatalf("place %d with %d bytes, want place %d with %d", r.Place, len(r.Text), after, sizes[after])
					}
					held += len(r.Text)
				}
				if len(rows) == 0 || held > budget.MaxPageBytes && len(rows) > 1 {
					t.Fatalf("%d rows with %d bytes", len(rows), held)
				}
				lengths = append(lengths, len(rows))
				if !more {
					return lengths
				}
			}
		}
		want := "[2 1 1 4 64 37]"
		if got := fmt.Sprint(walk(db, 1000)); got != want {
			t.Errorf("pages of %s rows, want %s", got, want)
		}
		if got := len(walk(db, 10)); got != 15 {
			t.Errorf("%d pages of at most 10 rows", got)
		}
		if err := db.Snapshot(t.Context(), func(q store.Queryer) error { walk(q, 1000); return nil }); err != nil {
			t.Error(err)
		}
		if err := db.InTx(t.Context(), func(tx *store.Tx) error { walk(tx, 1000); return nil }); err != nil {
			t.Error(err)
		}
		if err := db.LongRead(t.Context(), 1e12, func(q store.Queryer) error { walk(q, 1000); return nil }); err != nil {
			t.Error(err)
		}
		walk(db, 1000)
	})
}

// TestStatementsInPostgresFormAreBounded asks with as many different statements as filters can make.
func TestStatementsInPostgresFormAreBounded(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		if db.Engine() == store.SQLite {
			if got := db.Rebind("SELECT ?"); got != "SELECT ?" {
				t.Errorf("SQLite is sent %s", got)
			}
			return // it takes statements as they are, and keeps none
		}
		var wg sync.WaitGroup
		for worker := range 4 {
			wg.Go(func() {
				for i := range 5_000 {
					if got := db.Rebind(
						fmt.Sprintf("SELECT %d WHERE %d IN (%s?)", i, worker, strings.Repeat("?, ", i%512)),
					); !strings.Contains(
						got,
						"$1",
					) {
						t.Errorf("sent %s", got)
						return
					}
				}
			})
		}
		wg.Wait()
		if n, size := db.RebindCacheSize(); size > store.MaxRebindBytes || n == 0 {
			t.Errorf("%d statements of %d bytes are kept, want at most %d bytes", n, size, store.MaxRebindBytes)
		}
	})
}
