package app

import (
	"context"
	"log/slog"

	"laurel.example/laurel/internal/store"
)

// Migrate brings the schema of a database up to date, without serving it. It creates a SQLite file that is missing.
func Migrate(ctx context.Context, database string, log *slog.Logger) error {
	db, err := store.Open(ctx, store.Options{URL: database, Logger: log})
	if err != nil {
		return err
	}
	if err := db.Migrate(ctx); err != nil {
		_ = db.Close()
		return err
	}
	return db.Close()
}

// MigrationStatus lists the migrations of an existing database, and whether each is applied.
func MigrationStatus(ctx context.Context, database string, log *slog.Logger) ([]store.MigrationState, error) {
	db, err := store.Open(ctx, store.Options{URL: database, Logger: log, MustExist: true})
	if err != nil {
		return nil, err
	}
	defer func() { _ = db.Close() }()
	return db.MigrationStatus(ctx)
}
