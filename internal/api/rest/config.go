// Package rest serves the HTTP API for all operations alike (contract 1.1 to 1.9): it authenticates API keys, applies
// limits, checks queries and bodies, handles Idempotency-Key, and writes responses, errors and the OpenAPI document. It
// owns no operation: the packages below api define those, and package api lists them.
package rest

import (
	"context"
	"log/slog"
	"net/http"
	"net/netip"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/identity"
	"laurel.example/laurel/internal/manual"
	"laurel.example/laurel/internal/tenancy"
)

// Config holds the dependencies and settings of the API.
type Config struct {
	Tenancy  *tenancy.Service
	Identity *identity.Service

	Logger *slog.Logger     // nil: slog.Default()
	Now    func() time.Time // the clock of the service
	// Deadline returns the deadline of a connection after a duration. Connections use the system's clock, whatever Now is.
	Deadline func(time.Duration) time.Time
	NewID    func() laurel.ID // makes request ids
	Health   Health           // what /readyz reports
	// Stopping reports whether the server is about to end; nil: it never is.
	Stopping func() bool
	// Asset returns the path of a file of the dashboard that pages of the documentation use, too; nil: there are none.
	Asset    func(name string) string
	Metrics  http.Handler // serves /metrics; nil: none
	Observer Observer     // learns of each request when it ends; nil: nobody does
	// SetClock moves the clock of a database for tests forward and returns the time that it shows; nil: nobody may.
	SetClock func(ctx context.Context, at time.Time) (time.Time, error)
	// DemoPage returns the HTML of /demo, on which a shop shows the widget; nil: there is no such page.
	DemoPage func(ctx context.Context) ([]byte, error)
	Debug    bool   // 500 bodies contain the cause; never in production
	Prefix   string // path prefix of every route, such as /loyalty; empty: none
	Texts    Texts  // of the OpenAPI document
	// TrustedProxies are the peers whose X-Forwarded-For is believed.
	TrustedProxies []netip.Prefix
	// CountryHeader names the header in which these peers state the country of a request; "": they do not.
	CountryHeader string
	Limits        Limits
	// Reading returns the context of a request that only reads, which limits the connections that reads take; nil: the
	// context is used as it is.
	Reading      func(context.Context) context.Context
	UnderWay     *Tally        // counts requests; nil: any number of one address may be under way
	Pages        http.Handler  // of the dashboard, whose paths begin with PagesAt; nil: there is none
	StallTimeout time.Duration // how long a caller may take nothing of an answer, or send nothing of a file; 0: 30 s
}

// Health reports the state of the parts of a server to /readyz.
type Health interface {
	// Ping fails unless the database is reachable.
	Ping(ctx context.Context) error
	// Writable returns why the database and the folder of files cannot be written; nil if they can. It delays no writes.
	Writable(ctx context.Context) (database, files error)
	// FailingReaders returns the consumers of the change feed that have failed for a while.
	FailingReaders(ctx context.Context) ([]FailingReader, error)
	// SealState returns how far the ledger is sealed.
	SealState(ctx context.Context) (SealState, error)
	// Networks returns what is known of the blockchain networks that are read. It calls no node.
	Networks(ctx context.Context) []NetworkState
}

// Observer measures requests, for metrics and the log.
type Observer interface {
	// Begin returns when a request begins, by the system's clock.
	Begin() time.Time
	// End is called when the response is written, or broken off.
	End(ctx context.Context, begun time.Time, served Served)
}

// Served is a request that has ended.
type Served struct {
	Method string // as the caller sent it
	// Route is the pattern of the path, such as /api/loyalty/rules/{id}/complete, and never a path of a caller: OtherRoute
	// if no route has it. There are as many as the service has routes.
	Route string
	// Status is that of the response; StatusCallerLeft if the caller has gone before it.
	Status    int
	Bytes     int64 // of the body of the response
	RequestID string
}

// StatusCallerLeft is what the observer learns of a request whose caller has disconnected before the response, which is
// no fault of the service. No response has it.
const StatusCallerLeft = 499

// Routes of requests that belong to no route of the service.
const (
	OtherRoute     = "other"     // no route has the path or the method, or the request was refused before
	PreflightRoute = "preflight" // a browser asks whether it may send a request (CORS)
)

// NetworkState is what is known of a blockchain network.
type NetworkState struct {
	Name    string
	ChainID uint64
	Status  string // of contract 5.23
	Head    uint64 // 0: unknown
	Cursor  *int64 // the last block whose events were read; nil: none are
	Problem string // why it is not ok; strangers read it
}

// FailingReader is a reader of the change feed that has not got on for a while.
type FailingReader struct {
	Name  string
	Since time.Time
}

// SealState describes how far the ledger is sealed.
type SealState struct {
	Entries   int64         // the number of unsealed entries
	Lag       time.Duration // the age of the oldest unsealed entry
	Started   bool          // the entries from before sealing began are sealed
	LastBlock time.Time     // when the last block was made; zero: none yet
}

// PagesAt is the path of the dashboard, below the prefix.
const PagesAt = "/admin"

// Limits are the rate limits of one node (contract 1.9). The limits of completions, mints, bids and sign-in hold across
// nodes; they are defined beside what they limit.
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

// DefaultLimits returns the limits of contract 1.9.
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
	manual *manual.Site
	outage outage
	probes probes
}
