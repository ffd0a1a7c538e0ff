package store_test

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"laurel.example/laurel/internal/store"
)

var update = flag.Bool("update", false, "write the table of lock ranks into docs/ARCHITECTURE.md and schema.sqlite.sql")

// modes are the lock modes in the words of the docs.
var modes = map[store.LockMode]string{
	store.LockUpdate:   "update",
	store.LockShare:    "share",
	store.LockAdvisory: "advisory",
	store.LockNone:     "none",
	store.LockInserted: "inserted",
}

func TestTheDocsHoldTheLockOrder(t *testing.T) {
	t.Parallel()
	const page, begin, end = "../../docs/ARCHITECTURE.md", "<!-- lock order: made by make docs -->\n", "<!-- end of lock order -->"
	var table strings.Builder
	table.WriteString("| Rank | Rows | Lock | Why |\n|---|---|---|---|\n")
	last := 0
	for _, r := range store.LockRanks() {
		if r.Place <= last {
			t.Errorf("%s has rank %d after %d", r.Rows, r.Place, last)
		}
		last = r.Place
		fmt.Fprintf(&table, "| %d | %s | %s | %s |\n", r.Place, r.Rows, modes[r.Lock], r.Why)
	}
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, found := strings.Cut(string(text), begin)
	present, after, whole := strings.Cut(rest, end)
	switch {
	case !found || !whole:
		t.Fatalf("%s has no table between %q and %q", page, begin, end)
	case present == table.String():
	case *update:
		if err := os.WriteFile(page, []byte(before+begin+table.String()+end+after), 0o600); err != nil {
			t.Fatal(err)
		}
	default:
		t.Errorf("the table in %s is not the lock order of internal/store/ranks.go: run make docs", page)
	}
}
