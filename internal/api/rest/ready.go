package rest

import (
	"context"
	"errors"
	"net/http"
	"sync"
	"time"

	"laurel.example/laurel"
)

const (
	// readyTimeout limits a probe: a database that takes longer is not ready.
	readyTimeout = 2 * time.Second
	// probeTTL is how long the result of a probe is reused.
	probeTTL = time.Second
	// maxSealLag is the lag from which the sealer is reported as behind. It seals once a second; restarts and leases take
	// some seconds.
	maxSealLag = time.Minute
)

// health is the body of /healthz and /readyz.
type health struct {
	Status  string        `json:"status"`
	Message string        `json:"message,omitempty"` // with the status unavailable, as in every 5xx
	Checks  *healthChecks `json:"checks,omitempty"`
}

// The states of a health and of its parts.
const (
	statusOK          = "ok"
	statusDegraded    = "degraded"
	statusUnavailable = "unavailable"
	statusNotWritable = "not writable"
	statusBehind      = "behind"
	statusUnknown     = "unknown"
)

// healthChecks has the status of each part. A part that fails while requests are served makes the whole degraded, not
// unavailable.
type healthChecks struct {
	Database string      `json:"database"` // ok, not writable
	Files    string      `json:"files"`    // ok, not writable
	Sealer   *sealHealth `json:"sealer"`
	Feed     *feedHealth `json:"feed"`
	// Networks are the blockchain networks that are read, by name (contract 5.23). Their states leave that of the whole
	// as it is: they say something about the operator's nodes.
	Networks map[string]networkHealth `json:"networks,omitempty"`
}

type networkHealth struct {
	Status  string  `json:"status"` // ok, down, stopped, wrong_chain
	ChainID uint64  `json:"chainId"`
	Head    *uint64 `json:"head"`   // null: no block was seen yet
	Cursor  *int64  `json:"cursor"` // the last block whose events were read; null: none are
	Error   string  `json:"error,omitempty"`
}

// feedHealth lists the consumers of the change feed that fail. Their work waits meanwhile.
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

// ready serves /readyz. It returns 503 only if requests cannot be served: the database does not respond or cannot be
// written, or the server is stopping. A sealer that is behind, a failing consumer and a full folder of files are only
// reported in the body: a status of 503 would take all nodes out of the load balancer, since they share these.
func (a *API) ready(w http.ResponseWriter, r *http.Request) {
	response, err := health{}, errStopping
	if a.cfg.Stopping == nil || !a.cfg.Stopping() {
		response, err = a.probe(r.Context())
	}
	if err != nil {
		a.fail(w, r, a.serverFault(r.Context(), http.StatusServiceUnavailable, err))
		return
	}
	status := http.StatusOK
	if response.Status == statusUnavailable {
		status = http.StatusServiceUnavailable
	}
	writeJSON(w, status, response)
}

var errStopping = errors.New("the server is stopping")

// probes holds the last result of a probe, which is reused within probeTTL: strangers may ask as often as they like.
type probes struct {
	mu   sync.Mutex
	last *probe
}

type probe struct {
	done     chan struct{} // closed when the other fields are set
	response health
	err      error
}

// probe returns the health of the service. The first caller checks it, and others wait for that result, which is used
// for probeTTL.
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
		a.runProbe(context.WithoutCancel(ctx), p)
	}
	select {
	case <-p.done:
		return p.response, p.err
	case <-ctx.Done():
		return health{}, ctx.Err()
	}
}

// runProbe checks the health of the service and stores the result in p for probeTTL.
func (a *API) runProbe(ctx context.Context, p *probe) {
	defer time.AfterFunc(probeTTL, func() {
		a.probes.mu.Lock()
		defer a.probes.mu.Unlock()
		a.probes.last = nil
	})
	defer close(p.done)
	ctx, cancel := context.WithTimeout(ctx, readyTimeout)
	defer cancel()
	if p.response, p.err = a.health(ctx); p.err != nil {
		a.log.WarnContext(ctx, "not ready", "error", p.err)
	}
}

// health checks the database, the folder of files, the sealer and the consumers of the change feed, and returns the
// state of each. The whole is unavailable if the database cannot be written, and degraded if anything else is wrong. It
// returns an error if the database does not respond.
func (a *API) health(ctx context.Context) (health, error) {
	if err := a.cfg.Health.Ping(ctx); err != nil {
		return health{}, err
	}
	sealer, feed := a.sealHealth(ctx), a.feedHealth(ctx)
	networks := a.networkHealth(ctx)
	database, files := a.cfg.Health.Writable(ctx) // last: a folder that hangs takes all the time that is left
	checks := healthChecks{
		Database: a.writableStatus(ctx, "the database", database),
		Files:    a.writableStatus(ctx, "the folder of files", files),
		Sealer:   sealer,
		Feed:     feed,
		Networks: networks,
	}
	response := health{Status: statusOK, Checks: &checks}
	if files != nil || checks.Sealer.isBad() || checks.Feed.Status != statusOK {
		response.Status = statusDegraded
	}
	if database != nil {
		response.Status, response.Message = statusUnavailable, "The database cannot be written"
	}
	return response, nil
}

// writableStatus returns the status of a part by its write error. Only the log has the error, since strangers read the
// body.
func (a *API) writableStatus(ctx context.Context, part string, err error) string {
	if err == nil {
		return statusOK
	}
	a.log.WarnContext(ctx, "a part of the server cannot be written", "part", part, "error", err)
	return statusNotWritable
}

// feedHealth returns the health of the change feed's consumers.
func (a *API) feedHealth(ctx context.Context) *feedHealth {
	list, err := a.cfg.Health.FailingReaders(ctx)
	if err != nil {
		a.log.WarnContext(ctx, "the state of the feed's readers is unknown", "error", err)
		return &feedHealth{Status: statusUnknown, Failing: []failingReader{}}
	}
	out := &feedHealth{Status: statusOK, Failing: []failingReader{}}
	for _, r := range list {
		out.Status = "failing"
		out.Failing = append(out.Failing, failingReader{r.Name, a.cfg.Now().Sub(r.Since).Seconds()})
	}
	return out
}

// networkHealth returns the health of the networks that are read.
func (a *API) networkHealth(ctx context.Context) map[string]networkHealth {
	out := map[string]networkHealth{}
	for _, n := range a.cfg.Health.Networks(ctx) {
		one := networkHealth{Status: n.Status, ChainID: n.ChainID, Cursor: n.Cursor, Error: n.Problem}
		if n.Head > 0 {
			one.Head = &n.Head
		}
		out[n.Name] = one
	}
	return out
}

// isBad reports whether the sealer makes the service degraded.
func (h *sealHealth) isBad() bool { return h.Status == statusBehind || h.Status == statusUnknown }

// sealHealth returns the health of the sealer.
func (a *API) sealHealth(ctx context.Context) *sealHealth {
	state, err := a.cfg.Health.SealState(ctx)
	if err != nil {
		a.log.WarnContext(ctx, "the state of the sealer is unknown", "error", err)
		return &sealHealth{Status: statusUnknown}
	}
	out := &sealHealth{Status: statusOK, LagEntries: state.Entries, LagSeconds: state.Lag.Seconds()}
	if !state.LastBlock.IsZero() {
		out.LastBlockAt = laurel.Stamp(state.LastBlock)
	}
	switch {
	case state.Lag > maxSealLag: // also if the sealer never starts
		out.Status = statusBehind
	case !state.Started:
		out.Status = "starting"
	}
	return out
}
