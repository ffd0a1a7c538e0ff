// Package rest is the machinery of the API, the same for every operation: API keys into scopes, limits, reading and
// judging queries and bodies, Idempotency-Key, responses, error bodies and the OpenAPI document (contract 1.1 to 1.9).
// It knows no operation: those stand in the packages beside it, and their table in package api.
package rest

import (
	"context"
	"log/slog"
	"net/http"
	"net/netip"
	"time"

	"laurel"
	"laurel/internal/identity"
	"laurel/internal/tenancy"
)

// Config says what the machinery works with and how strict it is.
type Config struct {
	Tenancy  *tenancy.Service
	Identity *identity.Service

	Logger *slog.Logger     // nil: slog.Default()
	Now    func() time.Time // the clock of the service
	// Deadline returns when a duration is over by the clock of connections, which is the system's whatever Now says.
	Deadline func(time.Duration) time.Time
	NewID    func() laurel.ID            // makes request ids
	Ready    func(context.Context) error // nil error: database and queue are reachable
	// Writable returns why the database and the folder of files cannot be written; nil where they can. It holds up no
	// write. nil: /readyz says nothing of that.
	Writable func(context.Context) (database, files error)
	// Failing returns the readers of the change feed that have failed for a while; nil: /readyz says nothing of them.
	Failing func(context.Context) ([]FailingReader, error)
	// Stopping reports whether the server is about to end; nil: it never is.
	Stopping func() bool
	// Sealed tells /readyz how far the ledger is sealed; nil: it says nothing of that.
	Sealed  func(context.Context) (SealState, error)
	Metrics http.Handler // answers /metrics; nil: none
	Debug   bool         // 500 bodies tell the cause; never in production
	Prefix  string       // path prefix of every route, such as /loyalty; empty: none
	// TrustedProxies are the peers whose X-Forwarded-For is believed.
	TrustedProxies []netip.Prefix
	// CountryHeader names the header in which these peers say from which country a request comes; empty: they do not.
	CountryHeader string
	Limits        Limits
	// Reading returns the context of a request that only reads, so that such reads leave connections to others; nil: as it
	// is.
	Reading     func(context.Context) context.Context
	UnderWay    *Tally        // counts requests; nil: any number of one address may be under way
	Pages       http.Handler  // of the dashboard, whose paths begin with PagesAt; nil: there is none
	StallWithin time.Duration // how long a caller may take nothing of an answer, or send nothing of a file; 0: 30 s
}

// FailingReader is a reader of the change feed that has not got on for a while.
type FailingReader struct {
	Name  string
	Since time.Time
}

// SealState tells how far the sealing of the ledger is.
type SealState struct {
	Entries   int64         // that wait
	Lag       time.Duration // for how long the oldest has waited
	Started   bool          // the entries from before sealing began are sealed
	LastBlock time.Time     // when the last block was made; zero: none yet
}

// PagesAt is where the dashboard stands, below the prefix.
const PagesAt = "/admin"

// Limits are the rate limits of one node (contract 1.9). Those of completions, mints, bids and sign-in hold across
// nodes: each stands beside what it limits.
type Limits struct {
	Secret     Limit // per key of kind O, W, R or S
	Client     Limit // per client key and remote address
	ClientKey  Limit // per client key, from all addresses together
	FailedKeys Limit // per remote address
	Pages      Limit // per remote address: the dashboard, with what its pages load
	Keyless    Limit // per remote address: /readyz, /metrics, the documents and uploads
}

// Limit allows a number of requests in every window. Zero requests: no limit.
type Limit struct {
	Requests int
	Window   time.Duration
}

// DefaultLimits are those of contract 1.9. It knows no pages: an office behind one address stays below their limit.
func DefaultLimits() Limits {
	return Limits{
		Secret:     Limit{Requests: 1000, Window: time.Second},
		Client:     Limit{Requests: 50, Window: time.Second},
		ClientKey:  Limit{Requests: 1000, Window: time.Second},
		FailedKeys: Limit{Requests: 20, Window: time.Minute},
		Pages:      Limit{Requests: 200, Window: time.Second},
		Keyless:    Limit{Requests: 50, Window: time.Second},
	}
}

// API serves operations.
type API struct {
	cfg    Config
	log    *slog.Logger
	limits limiters
	bodies *Tally // bytes of bodies under way
	outage outage
	probes probes
}
