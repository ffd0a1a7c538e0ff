package app_test

import (
	"context"
	"database/sql"
	"reflect"
	"strings"
	"testing"

	"laurel/internal/app"
	"laurel/internal/dev/storetest"
)

// opened is a connection of its own to a server's database.
func opened(t *testing.T, address string) *sql.DB {
	t.Helper()
	driver, source := "pgx", address
	if file, ok := strings.CutPrefix(address, "sqlite:"); ok {
		driver, source = "sqlite", file+"?_pragma=busy_timeout(10000)"
	}
	db, err := sql.Open(driver, source)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	return db
}

// tamper changes what is stored, as an earlier version or the service itself would have written it.
func tamper(t *testing.T, address, statement string) {
	t.Helper()
	if _, err := opened(t, address).ExecContext(context.Background(), statement); err != nil {
		t.Fatal(err)
	}
}

// counted returns the one number of a query.
func counted(t *testing.T, address, query string) (n int) {
	t.Helper()
	if err := opened(t, address).QueryRowContext(context.Background(), query).Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

// TestRestoredMetadataIsCleanedAsWrittenOneIs restores metadata with what no longer exists and what only the service
// writes: what is gone stays gone, and the service's own keeps its present value.
func TestRestoredMetadataIsCleanedAsWrittenOneIs(t *testing.T) {
	t.Parallel()
	storetest.EachURL(t, func(t *testing.T, address string) {
		s := open(t, address, app.Config{NoRateLimits: true})
		rule := s.rule("external_rule", object{"metadata": object{"buttonText": "old"}})
		s.update(rule, object{"metadata": object{"buttonText": "new"}})
		edit := s.edits(rule)[0]
		tamper(
			t,
			address,
			`UPDATE rule_edits SET previous_data = '{"metadata":{"buttonText":"old","minQty":3,"reactionStats":{"likes":1},
			"swap":{"from":{"mode":"any"},"minQty":1}}}' WHERE action = 'update'`,
		)
		tamper(
			t,
			address,
			`UPDATE loyalty_rules SET version = version + 1, record = REPLACE(record, '"buttonText":"new"', '"buttonText":"new","reactionStats":{"likes":5}')`,
		)

		done := s.restore(edit, nil).ok()
		want := object{
			"buttonText":    "old",
			"reactionStats": object{"likes": jsonNumber("5")},
			"swap":          object{"from": object{"mode": "any"}},
		}
		restored := s.stored(rule)["metadata"]
		if !reflect.DeepEqual(restored, want) || !reflect.DeepEqual(done["data"].(object)["metadata"], want) {
			t.Errorf("restored %v, told as %v, want %v", restored, done["data"], want)
		}
		written := s.update(rule, object{"metadata": object{"buttonText": "old", "minQty": 3, "reactionStats": object{"likes": 1},
			"swap": object{"from": object{"mode": "any"}, "minQty": 1}}})["metadata"]
		if !reflect.DeepEqual(written, want) {
			t.Errorf("an update with the same values stores %v", written)
		}
	})
}
