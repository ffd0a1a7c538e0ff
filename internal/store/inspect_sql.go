package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/pressly/goose/v3"
)

// ConnectionsPerNode is how many connections to PostgreSQL a node opens at most: reads, transactions, and the session
// that marks the database as in use.
const ConnectionsPerNode = postgresReaders + postgresWriters + 1

// MaxClockSkew is how far the clocks of nodes and of the database may differ.
const MaxClockSkew = 3 * time.Second

// Inspection is what was seen of a database, without changing it.
type Inspection struct {
	Engine   Engine
	Version  string // of the engine
	IsNew    bool   // the database has no schema yet; on SQLite there may be no file
	Pending  int    // migrations of this program that are not applied
	Unknown  int64  // the newest applied migration that this program does not have; 0: it has all
	Settings map[string]string
	SQLite   SQLiteState
	Postgres PostgresState
	read     *sql.DB
}

// SQLiteState is what was seen of a SQLite file.
type SQLiteState struct {
	Path  string
	Size  int64       // bytes; 0: there is no file
	Mode  fs.FileMode // permissions
	IsWAL bool        // it has a write-ahead log, as soon as a server has opened it
}

// PostgresState is what was seen of a PostgreSQL server.
type PostgresState struct {
	Host                              string // "/…" for a socket
	IsEncrypted, IsStandby, MayCreate bool
	Encoding                          string
	Skew                              time.Duration     // by which the server's clock is ahead of this machine's
	Connections                       int               // of all clients, now
	Parameters                        map[string]string // of the server, by name
}

// postgresParameters are the parameters of a server that Laurel depends on.
var postgresParameters = []string{
	"fsync", "synchronous_commit", "full_page_writes", "max_connections", "superuser_reserved_connections", "autovacuum",
	"default_transaction_read_only", "server_version", "server_version_num",
}

// MinPostgresVersion is the oldest version of PostgreSQL that is supported.
const MinPostgresVersion = minPostgresVersion / 10000

// Inspect looks at a database, which it neither creates nor changes. Settings are those with the names. Errors: the
// database cannot be reached or read; their text has no password.
func Inspect(ctx context.Context, address string, settings ...string) (Inspection, error) {
	if err := CheckURL(address); err != nil {
		return Inspection{}, fmt.Errorf("database %w", err)
	}
	var i Inspection
	var err error
	if path, ok := sqlitePath(address); ok {
		i, err = inspectSQLite(ctx, path)
	} else {
		i, err = inspectPostgres(ctx, address)
	}
	if i.read == nil {
		return i, err
	}
	defer func() { _ = i.read.Close() }()
	if err == nil {
		err = i.readSchema(ctx, settings)
	}
	return i, err
}

// inspectSQLite looks at a SQLite file. If no process has it open, it is opened as a file that does not change, so that
// no further file appears beside it.
func inspectSQLite(ctx context.Context, path string) (Inspection, error) {
	i := Inspection{Engine: SQLite, SQLite: SQLiteState{Path: path}}
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		i.IsNew = true
		return i, nil
	}
	if err != nil {
		return i, err
	}
	i.SQLite.Size, i.SQLite.Mode = info.Size(), info.Mode().Perm()
	query := url.Values{"mode": {"ro"}, "_pragma": {"busy_timeout(2000)", "query_only(1)"}}
	if _, err := os.Stat(path + "-wal"); errors.Is(err, fs.ErrNotExist) {
		query.Set("immutable", "1")
	}
	if i.read, err = sql.Open("sqlite", "file:"+(&url.URL{Path: path}).EscapedPath()+"?"+query.Encode()); err != nil {
		return i, err
	}
	err = i.read.QueryRowContext(ctx, "SELECT sqlite_version()").Scan(&i.Version)
	if err == nil {
		i.SQLite.IsWAL, err = usesWAL(path)
	}
	if err == nil {
		var tables int
		err = i.read.QueryRowContext(ctx, "SELECT count(*) FROM sqlite_master WHERE name = ?", goose.DefaultTablename).
			Scan(&tables)
		i.IsNew = tables == 0
	}
	if err != nil {
		return i, fmt.Errorf("%s: %w", path, err)
	}
	return i, nil
}

// usesWAL reports whether a SQLite file is written through a write-ahead log, by the read version in its header
// (SQLite, "Database File Format", section 1.3.3). A connection would say what it can do itself.
func usesWAL(path string) (bool, error) {
	file, err := os.Open(path) //nolint:gosec // the operator's own choice
	if err != nil {
		return false, err
	}
	defer func() { _ = file.Close() }()
	version := make([]byte, 1)
	_, err = file.ReadAt(version, 19)
	return version[0] == 2, err
}

// inspectPostgres looks at a PostgreSQL server.
func inspectPostgres(ctx context.Context, address string) (Inspection, error) {
	i := Inspection{Engine: Postgres}
	config, err := parsePostgres(address)
	if err != nil {
		return i, err
	}
	i.read = stdlib.OpenDB(*config)
	i.read.SetMaxOpenConns(1)
	if err := i.readServer(ctx, config); err != nil {
		return i, fmt.Errorf("%s: %s", connectionErrors(err), withoutPassword(address, config))
	}
	return i, nil
}

// readServer reads the state and the parameters of a PostgreSQL server.
func (i *Inspection) readServer(ctx context.Context, config *pgx.ConnConfig) error {
	p := &i.Postgres
	p.Host, p.Parameters = config.Host, map[string]string{}
	if err := i.read.PingContext(ctx); err != nil {
		return err
	}
	var clock time.Time
	asked := time.Now()
	err := i.read.QueryRowContext(ctx, `SELECT clock_timestamp(), pg_is_in_recovery(),
		has_schema_privilege(current_schema(), 'CREATE'), pg_encoding_to_char(d.encoding),
		(SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend'),
		coalesce((SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()), false),
		to_regclass('`+goose.DefaultTablename+`') IS NULL
		FROM pg_database d WHERE d.datname = current_database()`).
		Scan(&clock, &p.IsStandby, &p.MayCreate, &p.Encoding, &p.Connections, &p.IsEncrypted, &i.IsNew)
	if err != nil {
		return err
	}
	p.Skew = clock.Sub(asked.Add(time.Since(asked) / 2))
	rows, err := i.read.QueryContext(ctx, "SELECT name, setting FROM pg_settings WHERE name = ANY($1)", postgresParameters)
	if err != nil {
		return err
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var name, value string
		if err := rows.Scan(&name, &value); err != nil {
			return err
		}
		p.Parameters[name] = value
	}
	i.Version = p.Parameters["server_version"]
	return rows.Err()
}

// readSchema compares the migrations with those of this program, and reads settings.
func (i *Inspection) readSchema(ctx context.Context, settings []string) error {
	known, err := migrationTexts(i.Engine)
	if err != nil || i.IsNew {
		i.Pending = len(known)
		return err
	}
	applied, err := i.appliedVersions(ctx)
	if err != nil {
		return err
	}
	for version := range known {
		if !slices.Contains(applied, version) {
			i.Pending++
		}
	}
	for _, version := range applied {
		if _, ok := known[version]; !ok && version > 0 {
			i.Unknown = max(i.Unknown, version)
		}
	}
	i.Settings = map[string]string{}
	for _, name := range settings {
		var value string
		query := "SELECT value FROM settings WHERE name = ?"
		if i.Engine == Postgres {
			query = "SELECT value FROM settings WHERE name = $1"
		}
		err := i.read.QueryRowContext(ctx, query, name).Scan(&value)
		if err != nil && !errors.Is(err, sql.ErrNoRows) {
			return err
		}
		i.Settings[name] = value
	}
	return nil
}

// appliedVersions returns the versions of the applied migrations.
func (i *Inspection) appliedVersions(ctx context.Context) (out []int64, err error) {
	rows, err := i.read.QueryContext(ctx, "SELECT version_id FROM "+goose.DefaultTablename)
	if err != nil {
		return nil, err
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var version int64
		if err := rows.Scan(&version); err != nil {
			return nil, err
		}
		out = append(out, version)
	}
	return out, rows.Err()
}
