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
	Status  string        `json:"status"`
	Message string        `json:"message,omitempty"` // of an unavailable one, as every 5xx has it
	Checks  *healthChecks `json:"checks,omitempty"`
}

// The states of a health and of its parts.
const (
	wellOf      = "ok"
	degradedOf  = "degraded"
	unavailable = "unavailable"
	notWritable = "not writable"
	unknownOf   = "unknown"
)

// healthChecks tells how each part is. A part that is not well while requests are answered makes the whole degraded,
// not unavailable.
type healthChecks struct {
	Database string      `json:"database"` // ok, not writable
	Files    string      `json:"files,omitempty"`
	Sealer   *sealHealth `json:"sealer,omitempty"`
	Feed     *feedHealth `json:"feed,omitempty"`
}

// feedHealth tells which readers of the change feed do not get on. What they are to do waits meanwhile.
type feedHealth struct {
	Status  string          `json:"status"` // ok, failing, unknown
	Failing []failingReader `json:"failing"`
}

type failingReader struct {
	Reader  string  `json:"reader"`
	Seconds float64 `json:"seconds"`
}

type sealHealth struct {
	Status      string            `json:"status"` // ok, starting, behind, unknown
	LagEntries  int64             `json:"lagEntries"`
	LagSeconds  float64           `json:"lagSeconds"`
	LastBlockAt *laurel.Timestamp `json:"lastBlockAt"`
}

// ready returns 503 where requests cannot be answered, and only there: the database does not respond or takes no
// write, or the server is stopping. A sealer that is behind, a reader of the feed that fails and a folder of files
// that is full are told in the body. If a sealer took a node out of the load balancer it would take out all of them,
// since they share one.
func (a *API) ready(w http.ResponseWriter, r *http.Request) {
	answer, err := health{}, errStopping
	if a.cfg.Stopping == nil || !a.cfg.Stopping() {
		answer, err = a.probe(r.Context())
	}
	if err != nil {
		a.fail(w, r, a.serverFault(r.Context(), http.StatusServiceUnavailable, err))
		return
	}
	status := http.StatusOK
	if answer.Status == unavailable {
		status = http.StatusServiceUnavailable
	}
	writeJSON(w, status, answer)
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
	answer := health{Status: wellOf}
	if a.cfg.Sealed == nil && a.cfg.Writable == nil && a.cfg.Failing == nil {
		return answer, nil
	}
	checks := &healthChecks{Database: wellOf}
	answer.Checks = checks
	if a.cfg.Sealed != nil {
		checks.Sealer = a.sealHealth(ctx)
		answer.worse(checks.Sealer.Status == "behind" || checks.Sealer.Status == unknownOf)
	}
	if a.cfg.Failing != nil {
		checks.Feed = a.feedHealth(ctx)
		answer.worse(checks.Feed.Status != wellOf)
	}
	if a.cfg.Writable != nil {
		database, files := a.cfg.Writable(ctx)
		checks.Database, checks.Files = a.room(ctx, "the database", database), a.room(ctx, "the folder of files", files)
		answer.worse(files != nil)
		if database != nil {
			answer.Status, answer.Message = unavailable, "The database cannot be written"
		}
	}
	return answer, nil
}

// worse notes that a part is not well without which requests are answered.
func (h *health) worse(bad bool) {
	if bad {
		h.Status = degradedOf
	}
}

// room returns whether a part can be written. The log alone says why not: strangers read the body.
func (a *API) room(ctx context.Context, part string, err error) string {
	if err == nil {
		return wellOf
	}
	a.log.WarnContext(ctx, "a part of the server cannot be written", "part", part, "error", err)
	return notWritable
}

func (a *API) feedHealth(ctx context.Context) *feedHealth {
	list, err := a.cfg.Failing(ctx)
	if err != nil {
		a.log.WarnContext(ctx, "the state of the feed's readers is unknown", "error", err)
		return &feedHealth{Status: unknownOf, Failing: []failingReader{}}
	}
	out := &feedHealth{Status: wellOf, Failing: []failingReader{}}
	for _, r := range list {
		out.Status = "failing"
		out.Failing = append(out.Failing, failingReader{r.Name, a.cfg.Now().Sub(r.Since).Seconds()})
	}
	return out
}

func (a *API) sealHealth(ctx context.Context) *sealHealth {
	state, err := a.cfg.Sealed(ctx)
	if err != nil {
		a.log.WarnContext(ctx, "the state of the sealer is unknown", "error", err)
		return &sealHealth{Status: unknownOf}
	}
	out := &sealHealth{Status: wellOf, LagEntries: state.Entries, LagSeconds: state.Lag.Seconds()}
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
