// Package storetest gives every test a migrated database without rows of each engine. It is imported by tests only.
package storetest

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"hash/fnv"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	_ "github.com/jackc/pgx/v5/stdlib" // the driver for CREATE DATABASE

	"laurel.example/laurel/internal/store"
)

// PostgresEnv names the environment variable with the address of a throwaway PostgreSQL server, as scripts/test.sh sets
// it.
const PostgresEnv = "LAUREL_TEST_POSTGRES"

// SQLiteTemplateEnv names a file, and PostgresTemplateEnv a database of the server: migrated databases without rows,
// which scripts/test.sh makes for all packages. Where a variable is not set, each process migrates a database of its
// own. Under the race detector that takes seconds.
const (
	SQLiteTemplateEnv   = "LAUREL_TEST_SQLITE_TEMPLATE"
	PostgresTemplateEnv = "LAUREL_TEST_POSTGRES_TEMPLATE"
)

// RequireEnv turns a missing PostgreSQL from a skip into a failure if it is set; CI sets it.
const RequireEnv = "LAUREL_TEST_REQUIRE_POSTGRES"

// RerunEnv names the environment variable that chooses the databases on which each batch of Works runs twice: 1 for
// all, 0 for none. Without it there are some (RunsBatchesTwice).
const RerunEnv = "LAUREL_TEST_RERUN"

// countRuns are the tests that count how often Works are decided. Their databases run no batch twice.
var countRuns = []string{"TestAPresumedRowIsNotRead", "TestACodeThatWasEnteredCostsItsBatchNothing"}

// RunsBatchesTwice reports whether the databases of a test run each batch of Works twice (store.Options.RerunBatches).
// Of all tests about a third do, each on one engine or on both: those whose names have a certain hash, so that a test
// does the same each time.
func RunsBatchesTwice(t testing.TB) bool {
	test, _, _ := strings.Cut(t.Name(), "/")
	if _, measures := t.(*testing.B); measures || slices.Contains(countRuns, test) {
		return false
	}
	switch os.Getenv(RerunEnv) {
	case "0":
		return false
	case "":
		hash := fnv.New32a()
		_, _ = hash.Write([]byte(t.Name()))
		return hash.Sum32()%3 == 0
	}
	return true
}

// TxLimit is for transactions of tests, which share a machine with many others.
const TxLimit = 30 * time.Second

// Engine makes databases of one kind.
type Engine struct {
	Name string
	URL  func(t testing.TB) string // of a new database without rows that is removed after the test
}

// Engines lists SQLite and PostgreSQL.
func Engines() []Engine {
	return []Engine{{"sqlite", sqliteURL}, {"postgres", postgresURL}}
}

// Each runs the test in parallel on each engine, with a migrated database.
func Each(t *testing.T, f func(t *testing.T, db *store.DB)) {
	t.Helper()
	EachURL(t, func(t *testing.T, address string) { f(t, Open(t, address, nil)) })
}

// EachURL runs the test in parallel on each engine, with the address of a migrated database without rows.
func EachURL(t *testing.T, f func(t *testing.T, address string)) {
	t.Helper()
	for _, e := range Engines() {
		t.Run(e.Name, func(t *testing.T) {
			t.Parallel()
			f(t, e.URL(t))
		})
	}
}

// Open opens and migrates the database at the address, and closes it after the test. A nil now stands for the system's
// clock.
func Open(t testing.TB, address string, now func() time.Time) *store.DB {
	t.Helper()
	return OpenWith(t, store.Options{URL: address, Now: now, TxLimit: TxLimit})
}

// OpenWith opens and migrates a database, and closes it after the test. If options.TxLimit is zero, transactions have
// the short limit that they have in production, not the TxLimit of tests.
func OpenWith(t testing.TB, options store.Options) *store.DB {
	t.Helper()
	options.RerunBatches = RunsBatchesTwice(t)
	db, err := store.Open(context.Background(), options)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	if err := db.Migrate(context.Background()); err != nil {
		t.Fatal(err)
	}
	return db
}

var (
	databases        atomic.Int64
	postgresTemplate = sync.OnceValues(makePostgresTemplate)
	sqliteTemplate   = sync.OnceValues(makeSQLiteTemplate)
	postgresServer   = sync.OnceValues(openPostgresServer)
)

// openPostgresServer returns a pool for CREATE and DROP DATABASE. It keeps its connections, as one costs the server
// about as much as copying the database does.
func openPostgresServer() (*sql.DB, error) {
	pool, err := sql.Open("pgx", os.Getenv(PostgresEnv))
	if err != nil {
		return nil, err
	}
	pool.SetMaxIdleConns(4)
	return pool, nil
}

// sqliteURL returns the address of a new SQLite file: a copy of one that is migrated once for all tests.
func sqliteURL(t testing.TB) string {
	t.Helper()
	migrated, err := sqliteTemplate()
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "test.db")
	if err := os.WriteFile(path, migrated, 0o600); err != nil {
		t.Fatal(err)
	}
	return "sqlite:" + path
}

// makeSQLiteTemplate returns the content of a migrated SQLite file: the one that the variable SQLiteTemplateEnv names
// or, without the variable, a new one.
func makeSQLiteTemplate() ([]byte, error) {
	if made := os.Getenv(SQLiteTemplateEnv); made != "" {
		return os.ReadFile(made)
	}
	dir, err := os.MkdirTemp("", "laurel-template")
	if err != nil {
		return nil, err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	path := filepath.Join(dir, "template.db")
	db, err := store.Open(context.Background(), store.Options{URL: "sqlite:" + path})
	if err != nil {
		return nil, err
	}
	if err := errors.Join(db.Migrate(context.Background()), db.Close()); err != nil {
		return nil, err
	}
	if wal, err := os.Stat(path + "-wal"); err == nil && wal.Size() > 0 {
		return nil, errors.New("closing the template left a write-ahead log, so its file is not whole")
	}
	return os.ReadFile(path)
}

// postgresURL returns the address of a new PostgreSQL database: a copy of one that is migrated once for all tests, as
// copying files is faster than migrating. The copy is dropped after the test. If the variable PostgresEnv names no
// server, postgresURL skips the test, or fails it if RequireEnv is set.
func postgresURL(t testing.TB) string {
	t.Helper()
	server := os.Getenv(PostgresEnv)
	if server == "" {
		if os.Getenv(RequireEnv) != "" {
			t.Fatalf("%s is set but %s is not", RequireEnv, PostgresEnv)
		}
		t.Skipf("no PostgreSQL: run scripts/test.sh, or set %s", PostgresEnv)
	}
	from, err := postgresTemplate()
	if err != nil {
		t.Fatal(err)
	}
	name := fmt.Sprintf("t_%d_%d", os.Getpid(), databases.Add(1))
	if err := execOnServer(fmt.Sprintf("CREATE DATABASE %s TEMPLATE %s STRATEGY FILE_COPY", name, from)); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = execOnServer(fmt.Sprintf("DROP DATABASE IF EXISTS %s WITH (FORCE)", name)) })
	return databaseURL(server, name)
}

// makePostgresTemplate returns the name of a migrated PostgreSQL database: the one that the variable
// PostgresTemplateEnv names or, without the variable, a new one.
func makePostgresTemplate() (string, error) {
	if made := os.Getenv(PostgresTemplateEnv); made != "" {
		return made, nil
	}
	server, name := os.Getenv(PostgresEnv), fmt.Sprintf("t_%d_template", os.Getpid())
	if err := execOnServer("CREATE DATABASE " + name); err != nil {
		return "", err
	}
	db, err := store.Open(context.Background(), store.Options{URL: databaseURL(server, name)})
	if err != nil {
		return "", err
	}
	defer func() { _ = db.Close() }()
	return name, db.Migrate(context.Background())
}

// execOnServer executes a statement that creates or drops databases.
func execOnServer(statement string) error {
	db, err := postgresServer()
	if err != nil {
		return err
	}
	_, err = db.ExecContext(context.Background(), statement)
	return err
}

// databaseURL returns the address of a database of the server with the given address. An invalid address is returned
// as it is.
func databaseURL(server, name string) string {
	u, err := url.Parse(server)
	if err != nil {
		return server
	}
	u.Path = "/" + name
	return u.String()
}
