package app

import (
	"log/slog"

	"laurel.example/laurel/internal/api/rest"
	"laurel.example/laurel/internal/store"
)

// NewObserver returns what measures the requests of a server whose log has the level info.
func NewObserver() rest.Observer { return newRequestMetrics(slog.New(slog.DiscardHandler)) }

// ExaminePostgres returns the findings about what was seen of a PostgreSQL server, whose schema is to be migrated or not.
func ExaminePostgres(p store.PostgresState, migrates bool) []Finding {
	x := &examination{}
	x.checkPostgres(p, migrates)
	return x.findings
}
