package rest

import (
	"context"
	"errors"
	"net/http"
	"sync"
	"time"

	"laurel"
)

const (
	// readyWithin bounds what a probe waits for: a database that takes longer is not ready.
	readyWithin = 2 * time.Second
	// probeLife is for how long an answer is good for all who ask.
	probeLife = time.Second
	// sealBehind is from when on the sealer is said to lag. It seals once a second; restarts and leases take some seconds.
	sealBehind = time.Minute
)

type health struct {
	Status string        `json:"status"`
	Checks *healthChecks `json:"checks,omitempty"`
}

// healthChecks tells how each part is. A part that is not well while requests are answered makes the whole degraded,
// not unavailable.
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

// ready returns 503 where requests cannot be answered, and only there: a sealer that is behind is told in the body. If
// it took a node out of the load balancer it would take out all of them, since they share one sealer.
func (a *API) ready(w http.ResponseWriter, r *http.Request) {
	answer, err := health{}, errStopping
	if a.cfg.Stopping == nil || !a.cfg.Stopping() {
		answer, err = a.probe(r.Context())
	}
	if err != nil {
		a.fail(w, r, a.serverFault(r.Context(), http.StatusServiceUnavailable, err))
		return
	}
	writeJSON(w, http.StatusOK, answer)
}

var errStopping = errors.New("the server is stopping")

// probes keeps what the database said last, for whoever asks within probeLife: strangers may ask as often as they like.
type probes struct {
	mu   sync.Mutex
	last *probe
}

type probe struct {
	done   chan struct{} // closed when the rest is set
	answer health
	err    error
}

// probe returns how the service is. The first who asks finds out, and the others wait for it.
func (a *API) probe(ctx context.Context) (health, error) {
	a.probes.mu.Lock()
	p := a.probes.last
	first := p == nil
	if first {
		p = &probe{done: make(chan struct{}), err: errors.New("the probe did not end")}
		a.probes.last = p
	}
	a.probes.mu.Unlock()
	if first {
		a.find(context.WithoutCancel(ctx), p)
	}
	select {
	case <-p.done:
		return p.answer, p.err
	case <-ctx.Done():
		return health{}, ctx.Err()
	}
}

func (a *API) find(ctx context.Context, p *probe) {
	defer time.AfterFunc(probeLife, func() {
		a.probes.mu.Lock()
		defer a.probes.mu.Unlock()
		a.probes.last = nil
	})
	defer close(p.done)
	ctx, cancel := context.WithTimeout(ctx, readyWithin)
	defer cancel()
	if p.answer, p.err = a.health(ctx); p.err != nil {
		a.log.WarnContext(ctx, "not ready", "error", p.err)
	}
}

func (a *API) health(ctx context.Context) (health, error) {
	if a.cfg.Ready != nil {
		if err := a.cfg.Ready(ctx); err != nil {
			return health{}, err
		}
	}
	answer := health{Status: "ok"}
	if a.cfg.Sealed != nil {
		answer.Checks = &healthChecks{Database: "ok", Sealer: a.sealHealth(ctx)}
		if status := answer.Checks.Sealer.Status; status == "behind" || status == "unknown" {
			answer.Status = "degraded"
		}
	}
	return answer, nil
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
