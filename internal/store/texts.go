package store

import (
	"sync"
	"sync/atomic"

	"github.com/jmoiron/sqlx"
)

// maxTexts bounds the bytes of the statements that are kept in PostgreSQL's form: lists with other filters are other
// statements.
const maxTexts = 4 << 20

// texts keeps statements with ? in the form with $1.
type texts struct {
	kept  sync.Map
	bytes atomic.Int64
}

// of returns the statement with $1. When there are too many, all are forgotten: those that are in use are soon back.
func (t *texts) of(query string) string {
	if known, ok := t.kept.Load(query); ok {
		if text, ok := known.(string); ok {
			return text
		}
	}
	text := sqlx.Rebind(sqlx.DOLLAR, query)
	size := int64(len(query) + len(text))
	if t.bytes.Add(size) > maxTexts {
		t.kept.Clear()
		t.bytes.Store(size)
	}
	t.kept.Store(query, text)
	return text
}

// text returns the statement in the engine's placeholder form.
func (db *DB) text(query string) string {
	if db.engine == SQLite {
		return query
	}
	return db.texts.of(query)
}
