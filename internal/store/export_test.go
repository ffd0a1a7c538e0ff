package store

import (
	"context"
	"database/sql"
	"time"
)

// OldestWriter opens oldestWriter to the tests.
func (db *DB) OldestWriter(ctx context.Context) (time.Duration, error) { return db.oldestWriter(ctx) }

// Classify opens classify to the tests.
func (db *DB) Classify(err error) error { return db.classify(err) }

// TxIdentity opens birth to the tests.
type TxIdentity = txIdentity

// Identity returns what the transaction would be looked up by.
func (tx *Tx) Identity() TxIdentity { return tx.identity }

// Outcome opens outcome to the tests.
func (db *DB) Outcome(ctx context.Context, b TxIdentity, cause error) error {
	return db.findCommitOutcome(ctx, b, cause)
}

// OpenMigrationPool opens migrator to the tests.
func (db *DB) OpenMigrationPool() (*sql.DB, error) { return db.openMigrationPool() }

// MigrateTo migrates an empty database up to a version.
func (db *DB) MigrateTo(ctx context.Context, version int64) error {
	provider, closePool, err := db.migrationProvider()
	if err != nil {
		return err
	}
	defer closePool()
	_, err = provider.UpTo(ctx, version)
	return err
}

// RebindCacheSize counts the statements that are kept in PostgreSQL's form, and their bytes.
func (db *DB) RebindCacheSize() (n int, size int64) {
	for query, text := range db.rebindCache.rebound {
		n, size = n+1, size+int64(len(query)+len(text))
	}
	return n, size
}

// MaxRebindBytes opens maxRebindBytes to the tests.
const MaxRebindBytes = maxRebindBytes

// Rebind opens text to the tests.
func (db *DB) Rebind(query string) string { return db.rebind(query) }
