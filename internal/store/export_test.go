package store

import (
	"context"
	"time"
)

// OldestWriter opens oldestWriter to the tests.
func (db *DB) OldestWriter(ctx context.Context) (time.Duration, error) { return db.oldestWriter(ctx) }
