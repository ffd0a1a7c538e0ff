// Package store is the SQL engine of the service: it opens SQLite or PostgreSQL, runs transactions with one fixed time
// and bounded retry, groups the writes of many callers into one commit (Committer), and hides the few differences of
// the engines. It knows no table of a domain; each domain keeps its statements in its own sql.go. It owns only
// request_keys and settings.
package store

import (
	"cmp"
	"context"
	"crypto/rand"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gofrs/uuid/v5"
	"github.com/jmoiron/sqlx"

	"laurel.example/laurel"
)

// Engine names the database behind a DB.
type Engine string

// The engines.
const (
	SQLite   Engine = "sqlite"
	Postgres Engine = "postgres"
)

// Options describes the database to open.
type Options struct {
	URL    string           // sqlite:PATH or postgres://…
	Now    func() time.Time // the clock; nil for the system's
	Logger *slog.Logger     // nil for slog.Default()
	// Exclusive refuses a second exclusive opener of one SQLite file: two servers would not see each other's rate limits
	// and caches.
	Exclusive bool
	// MustExist refuses a SQLite file that does not exist. Without it the file is created with access for its owner only.
	MustExist bool
	// TxLimit bounds a write transaction on PostgreSQL; 0 means 2 s. Settled relies on that default, so only tests on busy
	// machines may set a longer one.
	TxLimit time.Duration
	// RerunBatches runs the transaction of each batch of Works twice, and rolls the first back. It is for tests: they show
	// whether the Judge of each Work may run again.
	RerunBatches bool
}

// DB is an open database. All methods may be called from many goroutines.
type DB struct {
	engine Engine
	// txLimit bounds a write transaction on PostgreSQL.
	txLimit time.Duration
	// rerunBatches is Options.RerunBatches.
	rerunBatches bool
	read         *sqlx.DB // SQLite: read-only connections
	write        *sqlx.DB // for transactions; SQLite: the one writer
	clock        func() time.Time
	system       func() time.Time // the clock without ahead
	ahead        atomic.Int64     // microseconds by which the clock of a database for tests is ahead
	ids          *uuid.Gen
	log          *slog.Logger
	unlock       func() error
	// openMigrationPool opens a pool for migrations: SQLite's writer has no connection to spare, and building an index may
	// take longer than the statement timeout of the other pools.
	openMigrationPool func() (*sql.DB, error)
	rebindCache       rebindCache // PostgreSQL's form of statements
	writer            *writer     // SQLite only: the connection that every transaction uses
	reads             struct {    // SQLite only: prepared statements of its readers
		sync.Mutex
		stmts map[string]*sqlx.Stmt
	}
	longReads, listReads readSlots
	writeRefusals        writeRefusals
	Metrics              *Metrics // counters for /metrics
}

// Open connects to the database without migrating it. Its errors name the address without passwords.
func Open(ctx context.Context, o Options) (*DB, error) {
	db := &DB{
		clock: o.Now, log: o.Logger, txLimit: cmp.Or(o.TxLimit, txLimit), rerunBatches: o.RerunBatches, Metrics: newMetrics(),
	}
	db.system = db.clock
	if db.system == nil {
		db.system = time.Now
	}
	db.clock = func() time.Time { return db.system().Add(time.Duration(db.ahead.Load()) * time.Microsecond) }
	if db.log == nil {
		db.log = slog.Default()
	}
	db.ids = uuid.NewGenWithOptions(uuid.WithRandomReader(rand.Reader), uuid.WithEpochFunc(db.clock))
	if err := CheckURL(o.URL); err != nil {
		return nil, fmt.Errorf("database %w", err)
	}
	var err error
	if path, ok := sqlitePath(o.URL); ok {
		err = db.openSQLite(ctx, path, o)
	} else {
		err = db.openPostgres(ctx, o.URL)
	}
	if err != nil {
		return nil, err
	}
	return db, nil
}

// CheckURL returns an error if a database address has the wrong form. It does not connect. The error's text follows the
// setting's name, as in "--database needs a file path", and contains no password.
func CheckURL(address string) error {
	if path, ok := sqlitePath(address); ok {
		if path == "" || path == ":memory:" {
			return errors.New("needs a file path, such as sqlite:laurel.db")
		}
		return nil
	}
	if !strings.HasPrefix(address, "postgres://") && !strings.HasPrefix(address, "postgresql://") {
		return errors.New("must be sqlite:PATH or postgres://…")
	}
	_, err := parsePostgres(address)
	return err
}

func sqlitePath(address string) (string, bool) {
	path, ok := strings.CutPrefix(address, "sqlite:")
	return strings.TrimPrefix(path, "//"), ok
}

// Close closes every connection. On PostgreSQL running transactions are rolled back. On SQLite Close waits for the
// running one; afterwards all data is in the database file and the -wal file is gone.
func (db *DB) Close() error {
	if db.writer != nil {
		db.writer.close()
	}
	err := errors.Join(db.write.Close(), db.read.Close())
	if db.unlock != nil {
		err = errors.Join(err, db.unlock())
	}
	return err
}

// OpenSessionPool opens a pool of its own for session-level state, such as advisory locks that outlive a transaction.
// The caller closes it.
func (db *DB) OpenSessionPool() (*sql.DB, error) { return db.openMigrationPool() }

// Engine names the database.
func (db *DB) Engine() Engine { return db.engine }

// stuckWriterAge is how old a transaction of SQLite's one writer must be for Ping to take it for stuck.
const stuckWriterAge = 10 * time.Second

// Ping returns an error if the database does not respond. On PostgreSQL it pings both pools. On SQLite it pings only
// the readers, since a query to the one writer would wait for its transactions; it fails if the present one is stuck.
func (db *DB) Ping(ctx context.Context) error {
	if err := db.read.PingContext(ctx); err != nil {
		return err
	}
	if db.engine == Postgres {
		return db.write.PingContext(ctx)
	}
	age, err := db.oldestWriter(ctx)
	if err == nil && age > stuckWriterAge {
		err = fmt.Errorf("a transaction has been running for %s", age.Round(time.Second))
	}
	return err
}

// Now returns the time of the injected clock in UTC, truncated to microseconds, which is the precision of the database.
func (db *DB) Now() time.Time { return db.clock().UTC().Truncate(time.Microsecond) }

// NewID makes a version 7 UUID from the injected clock. A clock that steps back still gives unique ids: 62 bits are
// random.
func (db *DB) NewID() laurel.ID {
	id, err := db.ids.NewV7AtTime(db.clock())
	if err != nil { // only if the system's random source fails, and then the process must not go on
		panic(err)
	}
	return laurel.ID(id)
}

// Random fills a slice with cryptographically secure bytes: the only source of secrets.
func (db *DB) Random(b []byte) { _, _ = rand.Read(b) } // never fails: crypto/rand ends the process instead

// Queryer reads from the database: a DB outside a transaction, or a Tx. Statements use ? for every argument.
type Queryer interface {
	// Get reads one row into dst, and returns sql.ErrNoRows if there is none. Select reads all rows into a slice.
	Get(ctx context.Context, dst any, query string, args ...any) error
	Select(ctx context.Context, dst any, query string, args ...any) error
	// Engine names the database, for the few statements that differ.
	Engine() Engine
	// scanRows calls scan with each row until scan needs no more.
	scanRows(ctx context.Context, scan rowScanner, query string, args ...any) error
}

// Get reads one row outside a transaction into dst. If there is none, it returns an error for which IsNoRows is true.
// In a context of WithListReads it first waits for a free read slot.
func (db *DB) Get(ctx context.Context, dst any, query string, args ...any) error {
	return db.execute(ctx, query,
		func(stmt *sqlx.Stmt) error { return stmt.GetContext(ctx, dst, args...) },
		func(text string) error { return db.read.GetContext(ctx, dst, text, args...) })
}

// Select reads all rows of a query outside a transaction into the slice that dst points to. In a context of
// WithListReads it first waits for a free read slot.
func (db *DB) Select(ctx context.Context, dst any, query string, args ...any) error {
	return db.execute(ctx, query,
		func(stmt *sqlx.Stmt) error { return stmt.SelectContext(ctx, dst, args...) },
		func(text string) error { return db.read.SelectContext(ctx, dst, text, args...) })
}

// scanRows calls scan with the rows of a query outside a transaction, one by one, until scan fails or wants no more. In
// a context of WithListReads it first waits for a free read slot.
func (db *DB) scanRows(ctx context.Context, scan rowScanner, query string, args ...any) error {
	return db.execute(ctx, query,
		func(stmt *sqlx.Stmt) error { return scan.scanAll(stmt.QueryxContext(ctx, args...)) },
		func(text string) error { return scan.scanAll(db.read.QueryxContext(ctx, text, args...)) })
}

// execute reads by the prepared statement of a query if there is one, and by its text otherwise.
func (db *DB) execute(
	ctx context.Context, query string, byStatement func(*sqlx.Stmt) error, byText func(text string) error,
) error {
	release, err := db.acquireListSlot(ctx)
	if err != nil {
		return err
	}
	defer release()
	stmt, err := db.prepared(ctx, query)
	switch {
	case err != nil: // is classified below
	case stmt != nil:
		err = byStatement(stmt)
	default:
		err = byText(db.rebind(query))
	}
	return db.classify(withStatement(query, err))
}

// prepared returns the prepared statement of a query for SQLite's readers, from the cache or new. It returns nil, and
// the caller executes the text, if the cache is full, and always on PostgreSQL, whose driver caches statements itself.
func (db *DB) prepared(ctx context.Context, query string) (*sqlx.Stmt, error) {
	if db.engine != SQLite {
		return nil, nil
	}
	db.reads.Lock()
	defer db.reads.Unlock()
	if s := db.reads.stmts[query]; s != nil || len(db.reads.stmts) >= maxStatements {
		return s, nil
	}
	s, err := db.read.PreparexContext(ctx, query) //nolint:sqlclosecheck // kept until the database is closed
	if err == nil {
		db.reads.stmts[query] = s
	}
	return s, err
}

// Micros returns the stored form of a time, microseconds since 1970, and 0 for the zero time. Time is the reverse.
func Micros(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixMicro()
}

// Time returns the time, in UTC, that is stored as microseconds since 1970; for 0 it is the zero time.
func Time(us int64) time.Time {
	if us == 0 {
		return time.Time{}
	}
	return time.UnixMicro(us).UTC()
}
