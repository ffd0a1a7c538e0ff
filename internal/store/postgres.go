package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net"
	"net/url"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/jmoiron/sqlx"

	"laurel.example/laurel/internal/store/pgtypes"
)

const (
	// Connections per node. Transactions have their own, so that slow reads never keep the committer waiting.
	postgresReaders = 24
	postgresWriters = 16 // one per lane, maxBlockedTxs more per lane, and the rest for single transactions
	// minPostgresVersion is the oldest supported version (PostgreSQL 15); older ones lack statements that are used.
	minPostgresVersion = 150000
)

// openPostgres connects to a PostgreSQL server with two pools, one for reads and one for transactions, and checks that
// its version is supported.
func (db *DB) openPostgres(ctx context.Context, address string) error {
	db.engine = Postgres
	db.longReads, db.listReads = make(readSlots, postgresLongReads), make(readSlots, postgresListReads)
	config, err := parsePostgres(address)
	if err != nil {
		return err
	}
	// No write may hold back the change feed's horizon for longer (docs/ARCHITECTURE.md, change feed).
	setDefault(config.RuntimeParams, "idle_in_transaction_session_timeout", "10000")
	setDefault(config.RuntimeParams, "statement_timeout", "30000")
	setDefault(config.RuntimeParams, "application_name", "laurel")
	// A page of a list takes a millisecond. Memoize nodes and JIT code, which the planner sizes for the list without its
	// LIMIT, would take longer.
	setDefault(config.RuntimeParams, "enable_memoize", "off")
	setDefault(config.RuntimeParams, "jit", "off")
	db.read, db.write = postgresPool(config, postgresReaders), postgresPool(withoutScans(config), postgresWriters)
	db.openMigrationPool = func() (*sql.DB, error) {
		withoutTimeout := config.Copy()
		withoutTimeout.RuntimeParams["statement_timeout"] = "0"
		return stdlib.OpenDB(*withoutTimeout), nil
	}
	var version int
	if err := db.read.QueryRowContext(ctx, "SELECT current_setting('server_version_num')::int").
		Scan(&version); err != nil {
		_ = db.Close()
		return fmt.Errorf("%s: %s", connectionErrors(err), withoutPassword(address, config))
	}
	if version < minPostgresVersion {
		_ = db.Close()
		return fmt.Errorf("PostgreSQL 15 or newer is needed, the server is %d", version/10000)
	}
	return nil
}

// withoutScans returns the configuration for transactions, which find rows by key, a few hundred at a time, in tables
// of any size. It turns off full scans and the joins that need them, which a planner with outdated statistics would
// choose.
func withoutScans(config *pgx.ConnConfig) *pgx.ConnConfig {
	out := config.Copy()
	for _, plan := range []string{"enable_hashjoin", "enable_mergejoin", "enable_seqscan"} {
		setDefault(out.RuntimeParams, plan, "off")
	}
	return out
}

// postgresPool returns a pool of at most maxConns connections, which it opens when they are needed.
func postgresPool(config *pgx.ConnConfig, maxConns int) *sqlx.DB {
	pool := stdlib.OpenDB(*config, stdlib.OptionAfterConnect(pgtypes.Register))
	pool.SetMaxOpenConns(maxConns)
	pool.SetMaxIdleConns(maxConns)
	return sqlx.NewDb(pool, "pgx")
}

// parsePostgres parses the address of a PostgreSQL server. Its error does not contain the address.
func parsePostgres(address string) (*pgx.ConnConfig, error) {
	config, err := pgx.ParseConfig(address)
	if err != nil {
		return nil, errors.New("cannot be read as an address of PostgreSQL") // the parser's own text may hold the password
	}
	return config, nil
}

// connectionErrors returns the reasons why a server cannot be connected to: the servers' messages if there are any,
// else the innermost errors, each once. The driver tries each address with and without encryption, which mostly fails
// for the same reason.
func connectionErrors(err error) string {
	var serverMessages, otherErrors []string
	addOnce := func(list *[]string, text string) {
		if !slices.Contains(*list, text) {
			*list = append(*list, text)
		}
	}
	var collect func(error)
	collect = func(err error) {
		switch e := err.(type) { //nolint:errorlint // collect visits each layer by itself
		case *pgconn.PgError:
			addOnce(&serverMessages, e.Message)
		case *net.DNSError:
			addOnce(&otherErrors, e.Err)
		case interface{ Unwrap() []error }:
			for _, one := range e.Unwrap() {
				collect(one)
			}
		default:
			if inner := errors.Unwrap(err); inner != nil {
				collect(inner)
			} else {
				addOnce(&otherErrors, err.Error())
			}
		}
	}
	collect(err)
	if len(serverMessages) > 0 {
		return strings.Join(serverMessages, ", ")
	}
	return strings.Join(otherErrors, ", ")
}

func setDefault(params map[string]string, name, value string) {
	if _, ok := params[name]; !ok {
		params[name] = value
	}
}

// withoutPassword returns the address of a server without its passwords. For an address that is no URL, it describes
// host, port and database from the parsed configuration.
func withoutPassword(address string, config *pgx.ConnConfig) string {
	u, err := url.Parse(address)
	if err != nil { // such as the address of a socket
		return fmt.Sprintf("postgres, %s, port %d, database %s", config.Host, config.Port, config.Database)
	}
	q := u.Query()
	q.Del("password")
	q.Del("sslpassword")
	u.RawQuery = q.Encode()
	return u.Redacted()
}

// classifyPostgres returns the driver's error as a dbError if its code (PostgreSQL appendix A, error codes) says that a
// retry may help, that the statement took too long, or that the database is down. It returns other errors as they are.
func classifyPostgres(err error) error {
	var connect *pgconn.ConnectError
	if errors.As(err, &connect) { // whatever the reason: the server may refuse a connection with any code
		return &dbError{kind: errDown, err: err}
	}
	var e *pgconn.PgError
	if errors.As(err, &e) {
		switch {
		case e.Code == "40001" || e.Code == "40P01" || e.Code == "55P03": // serialization, deadlock, lock not available
			return &dbError{kind: errRetry, err: err}
		case e.Code == "57014": // canceled, such as by statement_timeout
			return &dbError{kind: errSlow, err: err}
		// connection exceptions, shutdowns, too few resources
		case strings.HasPrefix(e.Code, "08"), strings.HasPrefix(e.Code, "57P"), strings.HasPrefix(e.Code, "53"):
			return &dbError{kind: errDown, err: err}
		}
		return err
	}
	if errors.Is(err, sql.ErrNoRows) || errors.Is(err, context.Canceled) {
		return err
	}
	// a deadline that the service has set, since requests have none: the database is too slow
	if isConnectionError(err) || errors.Is(err, context.DeadlineExceeded) {
		return &dbError{kind: errDown, err: err}
	}
	return err
}

// isDuplicateKey reports whether a statement failed because a row with its key exists.
func isDuplicateKey(err error) bool {
	var e *pgconn.PgError
	return errors.As(err, &e) && e.Code == "23505"
}
