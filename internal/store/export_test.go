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

// Birth opens birth to the tests.
type Birth = birth

// Birth returns what the transaction would be looked up by.
func (tx *Tx) Birth() Birth { return tx.birth }

// Outcome opens outcome to the tests.
func (db *DB) Outcome(ctx context.Context, b Birth, cause error) error {
	return db.outcome(ctx, b, cause)
}

// Migrator opens migrator to the tests.
func (db *DB) Migrator() (*sql.DB, error) { return db.migrator() }

// MigrateTo migrates an empty database up to a version.
func (db *DB) MigrateTo(ctx context.Context, version int64) error {
	provider, done, err := db.migrations()
	if err != nil {
		return err
	}
	defer done()
	_, err = provider.UpTo(ctx, version)
	return err
}

// Texts counts the statements that are kept in PostgreSQL's form, and their bytes.
func (db *DB) Texts() (n int, size int64) {
	for query, text := range db.texts.kept {
		n, size = n+1, size+int64(len(query)+len(text))
	}
	return n, size
}

// MaxTexts opens maxTexts to the tests.
const MaxTexts = maxTexts

// Text opens text to the tests.
func (db *DB) Text(query string) string { return db.text(query) }
