package store

import (
	"cmp"
	"context"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"slices"
	"strings"

	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/lock"
)

//go:embed migrations/*.sql migrations/engines/*.sql
var migrationFiles embed.FS

const maxLockTries = 720 // of 5 seconds each: a node waits up to an hour for another one that migrates

// MigrationState is a migration and whether it is applied.
type MigrationState struct {
	Name    string
	Applied bool
}

// Migrate applies all migrations that are missing, or creates the whole schema in an empty database. Nodes that start
// together migrate one after the other.
func (db *DB) Migrate(ctx context.Context) error {
	if isNew, err := db.createSchema(ctx); isNew || err != nil {
		return err
	}
	provider, closePool, err := db.migrationProvider()
	if err != nil {
		return err
	}
	defer closePool()
	states, err := db.migrationStates(ctx, provider)
	if err != nil || areAllApplied(states) { // then it needs no connection and no lock
		return err
	}
	results, err := provider.Up(ctx)
	for _, r := range results {
		db.log.Debug("migration", slog.String("file", migrationName(r.Source)), slog.Duration("took", r.Duration))
	}
	if len(results) > 0 && err == nil {
		db.log.Info("migrated", slog.Int("migrations", len(results)),
			slog.Int64("version", results[len(results)-1].Source.Version))
	}
	return err
}

// MigrationStatus lists every migration and whether it is applied. It writes nothing.
func (db *DB) MigrationStatus(ctx context.Context) ([]MigrationState, error) {
	provider, closePool, err := db.migrationProvider()
	if err != nil {
		return nil, err
	}
	defer closePool()
	return db.migrationStates(ctx, provider)
}

// migrationStates lists the provider's migrations and whether they are applied.
func (db *DB) migrationStates(ctx context.Context, provider *goose.Provider) ([]MigrationState, error) {
	applied, err := db.appliedVersions(ctx)
	if err != nil {
		return nil, err
	}
	sources := provider.ListSources()
	out := make([]MigrationState, len(sources))
	for i, s := range sources {
		out[i] = MigrationState{Name: migrationName(s), Applied: slices.Contains(applied, s.Version)}
	}
	return out, nil
}

func areAllApplied(states []MigrationState) bool {
	return !slices.ContainsFunc(states, func(s MigrationState) bool { return !s.Applied })
}

// RequireMigrated returns an error if a migration is not applied. It is for programs that must not migrate.
func (db *DB) RequireMigrated(ctx context.Context) error {
	states, err := db.MigrationStatus(ctx)
	if err != nil {
		return err
	}
	if !areAllApplied(states) {
		return errors.New("the schema is not up to date; run laurel migrate up")
	}
	return nil
}

// appliedVersions returns the versions of the applied migrations. It creates no table, unlike the migration library.
func (db *DB) appliedVersions(ctx context.Context) ([]int64, error) {
	if hasTable, err := db.hasMigrationTable(ctx, db.read); err != nil || !hasTable {
		return nil, err
	}
	var versions []int64
	err := db.Select(ctx, &versions, "SELECT version_id FROM "+goose.DefaultTablename)
	return versions, err
}

// migrationName returns the file of a migration, or its number if its text depends on the engine.
func migrationName(s *goose.Source) string {
	if s.Path == "" {
		return fmt.Sprintf("%05d (engine step)", s.Version)
	}
	return s.Path
}

// migrationProvider returns the migration library's provider for the engine, and the function that closes the
// connection pool that it uses.
func (db *DB) migrationProvider() (*goose.Provider, func(), error) {
	files, err := fs.Sub(migrationFiles, "migrations")
	if err != nil {
		return nil, nil, err
	}
	steps, err := engineMigrations(db.engine)
	if err != nil {
		return nil, nil, err
	}
	options := []goose.ProviderOption{goose.WithGoMigrations(steps...)}
	pool, err := db.openMigrationPool()
	if err != nil {
		return nil, nil, err
	}
	closePool := func() { _ = pool.Close() }
	dialect := goose.DialectSQLite3
	if db.engine == Postgres {
		dialect = goose.DialectPostgres
		locker, err := lock.NewPostgresSessionLocker(lock.WithLockTimeout(5 /* seconds between tries */, maxLockTries))
		if err != nil {
			closePool()
			return nil, nil, err
		}
		options = append(options, goose.WithSessionLocker(locker))
	}
	provider, err := goose.NewProvider(dialect, pool, files, options...)
	if err != nil {
		closePool()
		return nil, nil, err
	}
	return provider, closePool, nil
}

// engineMigrations returns, for an engine, the migrations whose text differs between the engines, from files named
// NNNNN_what.ENGINE.sql. Their versions are numbered together with those of the other migrations. If a version has a
// file for the other engine but none for this one, it is a migration that does nothing.
func engineMigrations(engine Engine) ([]*goose.Migration, error) {
	texts, err := engineMigrationTexts(engine)
	if err != nil {
		return nil, err
	}
	steps := make([]*goose.Migration, 0, len(texts))
	for version, text := range texts {
		steps = append(steps, goose.NewGoMigration(version, &goose.GoFunc{RunTx: func(ctx context.Context, tx *sql.Tx) error {
			_, err := tx.ExecContext(ctx, text)
			return err
		}}, nil))
	}
	return steps, nil
}

// engineMigrationTexts returns the SQL of the migrations of engineMigrations, by version.
func engineMigrationTexts(engine Engine) (map[int64]string, error) {
	files, _ := fs.Glob(migrationFiles, "migrations/engines/*.sql") // it fails on malformed patterns alone
	texts := map[int64]string{}
	for _, file := range files {
		version, err := goose.NumericComponent(file)
		text, fault := migrationFiles.ReadFile(file)
		if err := cmp.Or(err, fault); err != nil {
			return nil, err
		}
		if strings.HasSuffix(file, "."+string(engine)+".sql") {
			texts[version] = string(text)
		} else if texts[version] == "" {
			texts[version] = "SELECT 1" // does nothing
		}
	}
	return texts, nil
}
