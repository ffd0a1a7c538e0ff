package apptest

import (
	"context"
	"database/sql"
	"encoding/json"
	"strings"
	"testing"

	"laurel.example/laurel/internal/app"
	"laurel.example/laurel/internal/dev/storetest"
	"laurel.example/laurel/internal/store"
)

// Database is a second connection to a server's database, for what no caller of the API can do.
type Database struct {
	*store.DB
	T testing.TB
}

// EachDatabase runs the test on each engine, with a server and its database.
func EachDatabase(t *testing.T, f func(t *testing.T, s *Server, db Database)) {
	t.Helper()
	storetest.EachURL(t, func(t *testing.T, address string) {
		s := OpenAtNoon(t, address, app.Config{NoRateLimits: true})
		f(t, s, Database{storetest.Open(t, address, s.Clock.Now), t})
	})
}

// Exec executes a statement in a transaction of its own.
func (db Database) Exec(query string, args ...any) {
	db.T.Helper()
	err := db.InTx(context.Background(), func(tx *store.Tx) error {
		_, err := tx.Exec(context.Background(), query, args...)
		return err
	})
	if err != nil {
		db.T.Fatal(err)
	}
}

// Count returns how many rows "SELECT COUNT(*) FROM <from>" finds.
func (db Database) Count(from string) (n int) {
	db.T.Helper()
	if err := db.Get(context.Background(), &n, "SELECT COUNT(*) FROM "+from); err != nil {
		db.T.Fatal(err)
	}
	return n
}

// Connect writes fields into a user's metadata that only connect flows write, not callers.
func (db Database) Connect(user string, fields Object) {
	db.T.Helper()
	var record string
	if err := db.Get(
		context.Background(),
		&record,
		"SELECT record FROM user_metadata WHERE user_id = ?",
		user,
	); err != nil {
		db.T.Fatal(err)
	}
	var m Object
	if err := json.Unmarshal([]byte(record), &m); err != nil {
		db.T.Fatal(err)
	}
	b, err := json.Marshal(Over(m, fields))
	if err != nil {
		db.T.Fatal(err)
	}
	db.Exec("UPDATE user_metadata SET record = ? WHERE user_id = ?", string(b), user)
}

// OpenSQL opens a connection to a server's database, beside the service. It is closed after the test.
func OpenSQL(t *testing.T, address string) *sql.DB {
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

// Tamper executes a statement on a server's database, such as one that writes what an earlier version would have
// written.
func Tamper(t *testing.T, address, statement string) {
	t.Helper()
	if _, err := OpenSQL(t, address).ExecContext(context.Background(), statement); err != nil {
		t.Fatal(err)
	}
}

// QueryCount returns the single number that a query on a server's database returns.
func QueryCount(t *testing.T, address, query string) (n int) {
	t.Helper()
	if err := OpenSQL(t, address).QueryRowContext(context.Background(), query).Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

// Metric returns the value of a metric. It fails if there is none of the name.
func (s *Server) Metric(name string) string {
	s.T.Helper()
	_, after, found := strings.Cut(s.Get("/metrics").Body, "\n"+name+" ")
	if !found {
		s.T.Fatalf("the metrics do not tell %s", name)
	}
	count, _, _ := strings.Cut(after, "\n")
	return count
}

// ExecOnce executes a statement on a server's database, on a connection that is closed at once.
func ExecOnce(t *testing.T, address, statement string) {
	t.Helper()
	driver, source := "pgx", address
	if path, ok := strings.CutPrefix(address, "sqlite:"); ok {
		driver, source = "sqlite", path
	}
	db, err := sql.Open(driver, source)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	if _, err := db.ExecContext(t.Context(), statement); err != nil {
		t.Fatal(err)
	}
}
