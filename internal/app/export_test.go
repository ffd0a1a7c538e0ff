package app

import (
	"log/slog"

	"laurel/internal/api/rest"
)

// NewObserver returns what measures the requests of a server whose log has the level info.
func NewObserver() rest.Observer { return newRequestMetrics(slog.New(slog.DiscardHandler)) }
