package store

import (
	"context"
	"database/sql"
	_ "embed" // of the schema
	"fmt"
	"io/fs"
	"log/slog"
	"maps"
	"slices"
	"strings"

	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/database"
	"github.com/pressly/goose/v3/lock"
)

// sqliteSchema is the schema of an empty SQLite database after all migrations. TestSchemaOfANewDatabase writes and
// checks it.
//
//go:embed schema.sqlite.sql
var sqliteSchema string

// createSchema creates the schema of an empty database in one transaction and records every migration as applied. One
// commit per migration would take most of a first start. On SQLite it executes sqliteSchema, which takes a seventh of
// the CPU time of the migrations; on PostgreSQL it executes the migrations. If the node dies meanwhile, the database
// stays empty. If the database has been migrated before, createSchema does nothing and returns false.
func (db *DB) createSchema(ctx context.Context) (created bool, err error) {
	if isMigrated, err := db.hasMigrationTable(ctx, db.read); err != nil || isMigrated {
		return false, err
	}
	texts, err := migrationTexts(db.engine)
	if err != nil {
		return false, err
	}
	pool, err := db.openMigrationPool()
	if err != nil {
		return false, err
	}
	defer func() { _ = pool.Close() }()
	tx, err := pool.BeginTx(ctx, nil)
	if err != nil {
		return false, err
	}
	defer func() { _ = tx.Rollback() }() // does nothing after the commit
	if db.engine == Postgres {           // the library's lock, until the transaction ends; on SQLite a transaction locks
		if _, err := tx.ExecContext(ctx, "SELECT pg_advisory_xact_lock($1)", lock.DefaultLockID); err != nil {
			return false, err
		}
	}
	if isMigrated, err := db.hasMigrationTable(ctx, tx); err != nil || isMigrated { // another node was faster
		return false, err
	}
	versions := slices.Sorted(maps.Keys(texts))
	if db.engine == SQLite {
		if _, err := tx.ExecContext(ctx, sqliteSchema); err != nil {
			return false, fmt.Errorf("schema.sqlite.sql: %w", err)
		}
		db.log.Debug("schema", slog.String("file", "schema.sqlite.sql"))
	} else if err := db.executeMigrations(ctx, tx, versions, texts); err != nil {
		return false, err
	}
	if err := db.recordVersions(ctx, tx, versions); err != nil {
		return false, err
	}
	if err := tx.Commit(); err != nil {
		return false, err
	}
	db.log.Info("migrated", slog.Int("migrations", len(versions)), slog.Int64("version", versions[len(versions)-1]))
	return true, nil
}

// executeMigrations executes the migrations in the order of their versions.
func (db *DB) executeMigrations(ctx context.Context, tx *sql.Tx, versions []int64, texts map[int64]string) error {
	for _, version := range versions {
		if _, err := tx.ExecContext(ctx, texts[version]); err != nil {
			return fmt.Errorf("migration %05d: %w", version, err)
		}
		db.log.Debug("migration", slog.Int64("version", version))
	}
	return nil
}

// recordVersions records the versions as applied, as the migration library would.
func (db *DB) recordVersions(ctx context.Context, tx *sql.Tx, versions []int64) error {
	dialect := database.DialectSQLite3
	if db.engine == Postgres {
		dialect = database.DialectPostgres
	}
	table, err := database.NewStore(dialect, goose.DefaultTablename)
	if err != nil {
		return err
	}
	if err := table.CreateVersionTable(ctx, tx); err != nil {
		return err
	}
	for _, version := range append([]int64{0}, versions...) { // the library begins its table with a version 0
		if err := table.Insert(ctx, tx, database.InsertRequest{Version: version}); err != nil {
			return err
		}
	}
	return nil
}

// rowQueryer is a pool or a transaction of database/sql.
type rowQueryer interface {
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

// hasMigrationTable reports whether the table of the applied migrations exists.
func (db *DB) hasMigrationTable(ctx context.Context, q rowQueryer) (bool, error) {
	query := "SELECT COUNT(*) FROM sqlite_master WHERE type = 'table' AND name = ?"
	if db.engine == Postgres {
		query = "SELECT COUNT(to_regclass($1))"
	}
	var tables int
	err := q.QueryRowContext(ctx, query, goose.DefaultTablename).Scan(&tables)
	return tables > 0, err
}

// migrationTexts returns, by version, the statements of all migrations as the engine needs them.
func migrationTexts(engine Engine) (map[int64]string, error) {
	texts, err := engineMigrationTexts(engine)
	if err != nil {
		return nil, err
	}
	files, _ := fs.Glob(migrationFiles, "migrations/*.sql") // it fails on malformed patterns alone
	for _, file := range files {
		version, err := goose.NumericComponent(file)
		if err != nil {
			return nil, err
		}
		text, err := migrationFiles.ReadFile(file)
		if err != nil {
			return nil, err
		}
		texts[version], _, _ = strings.Cut(string(text), "\n-- +goose Down") // the part that migrates up
	}
	return texts, nil
}
