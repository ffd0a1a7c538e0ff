package store

import (
	"sync"

	"github.com/jmoiron/sqlx"
)

// maxRebindBytes bounds the size of rebindCache. Every combination of a list's filters is a statement of its own.
const maxRebindBytes = 4 << 20

// rebindCache caches statements with ? placeholders in PostgreSQL's form with $1. The zero value is ready. It is no
// sync.Map, which is generic: every package that uses DB would compile it again.
type rebindCache struct {
	mu      sync.RWMutex
	rebound map[string]string
	size    int
}

// get returns the query with PostgreSQL's placeholders, $1, $2, …, in place of ?. A query that is not in the cache is
// converted and added to it.
func (t *rebindCache) get(query string) string {
	t.mu.RLock()
	text, found := t.rebound[query]
	t.mu.RUnlock()
	if !found {
		text = sqlx.Rebind(sqlx.DOLLAR, query)
		t.add(query, text)
	}
	return text
}

// add adds a query with its form for PostgreSQL. If the cache is full, it is emptied first, because the statements in
// use are soon back.
func (t *rebindCache) add(query, text string) {
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

// rebind returns the query with the engine's placeholders.
func (db *DB) rebind(query string) string {
	if db.engine == SQLite {
		return query
	}
	return db.rebindCache.get(query)
}
