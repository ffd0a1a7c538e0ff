package store

import (
	"sync"

	"github.com/jmoiron/sqlx"
)

// maxTexts bounds the bytes of the statements that are kept in PostgreSQL's form: lists with other filters are other
// statements.
const maxTexts = 4 << 20

// texts keeps statements with ? in the form with $1. The zero value is ready. It is no sync.Map, which is generic
// inside: every package that reads DB would compile it anew.
type texts struct {
	mu    sync.RWMutex
	kept  map[string]string
	bytes int
}

// of returns the statement with $1. When there are too many, all are forgotten: those that are in use are soon back.
func (t *texts) of(query string) string {
	t.mu.RLock()
	text, known := t.kept[query]
	t.mu.RUnlock()
	if !known {
		text = sqlx.Rebind(sqlx.DOLLAR, query)
		t.keep(query, text)
	}
	return text
}

func (t *texts) keep(query, text string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if _, known := t.kept[query]; known {
		return
	}
	size := len(query) + len(text)
	if t.bytes += size; t.kept == nil || t.bytes > maxTexts {
		t.kept, t.bytes = map[string]string{}, size
	}
	t.kept[query] = text
}

// text returns the statement in the engine's placeholder form.
func (db *DB) text(query string) string {
	if db.engine == SQLite {
		return query
	}
	return db.texts.of(query)
}
