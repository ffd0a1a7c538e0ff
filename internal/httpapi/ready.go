package httpapi

import (
	"context"
	"net/http"
	"time"

	"laurel"
)

const (
	// readyWithin bounds what a probe waits for: a database that takes longer is not ready.
	readyWithin = 2 * time.Second
	// sealBehind is from when on the sealer is said to lag. It seals once a second; restarts and leases take some seconds.
	sealBehind = time.Minute
)

type health struct {
	Status string        `json:"status"`
	Checks *healthChecks `json:"checks,omitempty"`
}

// healthChecks tells how each part is. A part that is not well while requests are answered makes the whole degraded, not unavailable.
type healthChecks struct {
	Database string     `json:"database"`
	Sealer   sealHealth `json:"sealer"`
}

type sealHealth struct {
	Status      string            `json:"status"` // ok, starting, behind, unknown
	LagEntries  int64             `json:"lagEntries"`
	LagSeconds  float64           `json:"lagSeconds"`
	LastBlockAt *laurel.Timestamp `json:"lastBlockAt"`
}

// ready answers 503 where requests cannot be answered, and only there: a sealer that is behind is told in the body. If it took a node out of
// the load balancer it would take out all of them, since they share one sealer.
func (a *API) ready(w http.ResponseWriter, r *http.Request) {
	ctx, cancel := context.WithTimeout(r.Context(), readyWithin)
	defer cancel()
	if a.cfg.Ready != nil {
		if err := a.cfg.Ready(ctx); err != nil {
			a.log.WarnContext(r.Context(), "not ready", "error", err)
			a.fail(w, r, a.serverFault(r.Context(), http.StatusServiceUnavailable, err))
			return
		}
	}
	answer := health{Status: "ok"}
	if a.cfg.Sealed != nil {
		answer.Checks = &healthChecks{Database: "ok", Sealer: a.sealHealth(ctx)}
		if status := answer.Checks.Sealer.Status; status == "behind" || status == "unknown" {
			answer.Status = "degraded"
		}
	}
	writeJSON(w, http.StatusOK, answer)
}

func (a *API) sealHealth(ctx context.Context) sealHealth {
	state, err := a.cfg.Sealed(ctx)
	if err != nil {
		a.log.WarnContext(ctx, "the state of the sealer is unknown", "error", err)
		return sealHealth{Status: "unknown"}
	}
	out := sealHealth{Status: "ok", LagEntries: state.Entries, LagSeconds: state.Lag.Seconds()}
	if !state.LastBlock.IsZero() {
		out.LastBlockAt = laurel.Stamp(state.LastBlock)
	}
	switch {
	case state.Lag > sealBehind: // also of a sealer that never starts
		out.Status = "behind"
	case !state.Started:
		out.Status = "starting"
	}
	return out
}
