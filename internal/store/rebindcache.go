package store

import (
	"sync"

	"github.com/jmoiron/sqlx"
)

// maxRebindBytes bounds the bytes of the statements that are kept in PostgreSQL's form: lists with other filters are other
// statements.
const maxRebindBytes = 4 << 20

// rebindCache keeps statements with ? in the form with $1. The zero value is ready. It is no sync.Map, which is generic
// inside: every package that reads DB would compile it anew.
type rebindCache struct {
	mu      sync.RWMutex
	rebound map[string]string
	size    int
}

// get returns the statement with $1. When there are too many, all are forgotten: those that are in use are soon back.
func (t *rebindCache) get(query string) string {
	t.mu.RLock()
	text, found := t.rebound[query]
	t.mu.RUnlock()
	if !found {
		text = sqlx.Rebind(sqlx.DOLLAR, query)
		t.put(query, text)
	}
	return text
}

func (t *rebindCache) put(query, text string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if _, found := t.rebound[query]; found {
		return
	}
	size := len(query) + len(text)
	if t.size += size; t.rebound == nil || t.size > maxRebindBytes {
		t.rebound, t.size = map[string]string{}, size
	}
	t.rebound[query] = text
}

// rebind returns the statement in the engine's placeholder form.
func (db *DB) rebind(query string) string {
	if db.engine == SQLite {
		return query
	}
	return db.rebindCache.get(query)
}
