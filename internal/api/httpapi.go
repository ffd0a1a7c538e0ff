// Package httpapi is the HTTP edge of the service: the route table, API keys into scopes, query and body decoding,
// answers, error bodies, limits per key, Idempotency-Key and the OpenAPI document (contract sections 1 and 4). It
// shapes and decides nothing: every rule of the business belongs to a domain package, every statement to a sql.go.
package api

import (
	"context"
	"log/slog"
	"net/http"
	"net/netip"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"laurel"
	"laurel/internal/content"
	"laurel/internal/engagement"
	"laurel/internal/identity"
	"laurel/internal/points/audit"
	"laurel/internal/points/expiry"
	"laurel/internal/points/external"
	"laurel/internal/points/ledger"
	"laurel/internal/points/payouts"
	"laurel/internal/report"
	"laurel/internal/rules/catalog"
	"laurel/internal/rules/chains"
	"laurel/internal/rules/completion"
	"laurel/internal/rules/lists"
	"laurel/internal/rules/referrals"
	"laurel/internal/rules/reset"
	"laurel/internal/rules/schedule"
	"laurel/internal/tenancy"
	"laurel/internal/vault"
)

// Config says what the API serves and how strict it is.
type Config struct {
	Tenancy     *tenancy.Service
	Identity    *identity.Service
	Ledger      *ledger.Service
	Expiry      *expiry.Service
	Clearing    *reset.Service
	Payouts     *payouts.Service
	Rules       *catalog.Service
	Completions *completion.Service
	Chains      *chains.Service
	Engagement  *engagement.Service
	Content     *content.Service
	Lists       *lists.Service
	External    *external.Service
	Report      *report.Service

	Referrals *referrals.Service
	Cadence   *schedule.Service

	Vault *vault.Vault // opens what secret keys are told of secrets

	Logger *slog.Logger     // nil: slog.Default()
	Now    func() time.Time // the clock of the service
	// Deadline returns when a duration is over by the clock of connections, which is the system's whatever Now says.
	Deadline func(time.Duration) time.Time
	NewID    func() laurel.ID            // makes request ids
	Ready    func(context.Context) error // nil error: database and queue are reachable
	// Stopping reports whether the server is about to end; nil: it never is.
	Stopping func() bool
	// Sealed tells /readyz how far the ledger is sealed; nil: it says nothing of that.
	Sealed  func(context.Context) (audit.SealState, error)
	Metrics http.Handler // answers /metrics; nil: none
	Debug   bool         // 500 bodies tell the cause; never in production
	Prefix  string       // path prefix of every route, such as /loyalty; empty: none
	// TrustedProxies are the peers whose X-Forwarded-For is believed.
	TrustedProxies []netip.Prefix
	Limits         Limits
	// CompletionsOff switches off the limits of completions through client keys, which hold across nodes.
	CompletionsOff bool
	// Reading returns the context of a request that only reads, so that such reads leave connections to others; nil: as it
	// is.
	Reading     func(context.Context) context.Context
	UnderWay    *Tally        // counts requests; nil: any number of one address may be under way
	StallWithin time.Duration // how long a caller may take nothing of an answer, or send nothing of a file; 0: 30 s
}

// Limits are the rate limits of one node (contract 1.9). Those of users, codes and mints hold across nodes and belong
// to the domains.
type Limits struct {
	Secret     Limit // per key of kind O, W, R or S
	Client     Limit // per publishable key and remote address
	ClientKey  Limit // per publishable key, from all addresses together
	FailedKeys Limit // per remote address
	Keyless    Limit // per remote address: /readyz, /metrics, the documents and uploads
}

// Limit allows a number of requests in every window. Zero requests: no limit.
type Limit struct {
	Requests int
	Window   time.Duration
}

// DefaultLimits are those of contract 1.9.
func DefaultLimits() Limits {
	return Limits{
		Secret:     Limit{Requests: 1000, Window: time.Second},
		Client:     Limit{Requests: 50, Window: time.Second},
		ClientKey:  Limit{Requests: 1000, Window: time.Second},
		FailedKeys: Limit{Requests: 20, Window: time.Minute},
		Keyless:    Limit{Requests: 50, Window: time.Second},
	}
}

// API serves the routes of contract section 4.
type API struct {
	cfg    Config
	log    *slog.Logger
	limits limiters
	bodies *Tally // bytes of bodies under way
	outage outage
	probes probes
	huma   huma.Config
}
