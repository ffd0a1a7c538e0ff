// Package dashboard serves the pages at /admin: templates and forms over the services below, which make all decisions.
// It has no SQL and no business rules of its own.
//
// A page is a line in routes.go, a function that returns a view, and a template of the view's name. The line names the
// right that the page needs; menus, buttons and tests read the same table.
package dashboard

import (
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/alexedwards/scs/v2"
	"github.com/go-chi/chi/v5"

	"laurel"
	"laurel/internal/admins"
	"laurel/internal/commerce/auctions"
	"laurel/internal/commerce/claims"
	"laurel/internal/commerce/contracts"
	"laurel/internal/commerce/minting"
	"laurel/internal/content"
	"laurel/internal/content/collections"
	layout "laurel/internal/content/pages"
	"laurel/internal/engagement"
	"laurel/internal/engagement/badges"
	"laurel/internal/feed"
	"laurel/internal/functions"
	"laurel/internal/identity"
	"laurel/internal/pictures"
	"laurel/internal/points/audit"
	"laurel/internal/points/expiry"
	"laurel/internal/points/external"
	"laurel/internal/points/ledger"
	"laurel/internal/points/payouts"
	"laurel/internal/points/transactions"
	"laurel/internal/report"
	"laurel/internal/report/figures"
	"laurel/internal/rules/awards"
	"laurel/internal/rules/catalog"
	"laurel/internal/rules/chains"
	"laurel/internal/rules/completion"
	"laurel/internal/rules/lists"
	"laurel/internal/rules/replay"
	"laurel/internal/rules/reset"
	"laurel/internal/rules/schedule"
	"laurel/internal/tenancy"
	"laurel/internal/webhooks"
)

// Config has the services that the dashboard uses, which the API uses too, and its settings.
type Config struct {
	Admins        *admins.Service
	Tenancy       *tenancy.Service
	Identity      *identity.Service
	Ledger        *ledger.Service
	Transactions  *transactions.Service
	External      *external.Service
	Expiry        *expiry.Service
	Payouts       *payouts.Service
	Audit         *audit.Service
	Rules         *catalog.Service
	Chains        *chains.Service
	Completions   *completion.Service
	Replay        *replay.Service
	Lists         *lists.Service
	Content       *content.Service
	Pages         *layout.Service
	Collections   *collections.Service
	Contracts     *contracts.Service
	Claims        *claims.Service
	Reset         *reset.Service
	Schedule      *schedule.Service
	Engagement    *engagement.Service
	Badges        *badges.Service
	Awards        *awards.Service
	Minting       *minting.Service
	Auctions      *auctions.Service
	Report        *report.Service
	Pictures      *pictures.Service
	Figures       *figures.Service
	Functions     *functions.Service
	Webhooks      *webhooks.Service
	Sealer        *audit.Sealer
	Feed          *feed.Feed
	Version       string                       // of the service
	Prefix        string                       // path prefix of every route; pages are at Prefix + /admin
	Secure        bool                         // browsers use HTTPS: cookies are sent only there
	ClientAddress func(r *http.Request) string // IP address of the client, as trusted proxies report it
	ClientNetwork func(r *http.Request) string // network of that address, which rate limits count
	// PublicURL is the external URL of the service, with the prefix: links begin with it. The Host header of a request
	// is not used, as the client chooses it. Empty: links are paths.
	PublicURL string
	RequestID func(r *http.Request) string // under which the log knows a request
	Now       func() time.Time             // the service's clock
	// Deadline returns the moment after a span by the system's clock, which connections go by.
	Deadline func(time.Duration) time.Time
	NewID    func() laurel.ID // ids of forms, which count once
	Logger   *slog.Logger
}

// Dashboard serves the pages.
type Dashboard struct {
	Config
	base        string // Prefix + /admin
	assets      *assets
	licences    []licence
	templates   templateSet
	sessions    *scs.SessionManager
	menuItems   map[string]bool // of the menu, that have a page
	mux         *chi.Mux
	crossOrigin *http.CrossOriginProtection
	ledgerCheck ledgerCheck
	editMutex   sync.Mutex // held from comparing a form's base version until the save
}

// rootPath is the path of all pages. Requests come without the path prefix and without a slash at the end.
const rootPath = "/admin"

// How long a session lasts.
const sessionLifetime = 12 * time.Hour

// New returns the dashboard over the services in the configuration. It fails if an embedded asset, licence or template
// cannot be read.
func New(c Config) (*Dashboard, error) {
	d := &Dashboard{Config: c, base: c.Prefix + rootPath, mux: chi.NewMux(), crossOrigin: http.NewCrossOriginProtection()}
	var err error
	if d.assets, err = embeddedAssets(); err != nil {
		return nil, err
	}
	if d.licences, err = readLicences(); err != nil {
		return nil, err
	}
	if d.templates, err = d.loadTemplates(); err != nil {
		return nil, err
	}
	d.sessions = scs.New()
	d.sessions.Store, d.sessions.Codec = c.Admins.Sessions(), c.Admins.Sessions()
	d.sessions.HashTokenInStore, d.sessions.Lifetime = true, sessionLifetime
	d.registerRoutes()
	return d, nil
}

// The policy of every page: nothing from elsewhere, no script or style in the page itself.
const contentSecurityPolicy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; " +
	"connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

// ServeHTTP serves assets and pages. Pages get the security headers and are protected against cross-origin requests.
func (d *Dashboard) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if strings.HasPrefix(r.URL.Path, rootPath+"/assets/") {
		d.assets.ServeHTTP(w, r)
		return
	}
	head := w.Header()
	head.Set("Content-Security-Policy", contentSecurityPolicy)
	head.Set("Referrer-Policy", "same-origin")
	head.Set("Cross-Origin-Opener-Policy", "same-origin")
	head.Set("X-Content-Type-Options", "nosniff")
	head.Set("X-Frame-Options", "DENY")
	head.Set("Cache-Control", "no-store")
	d.crossOrigin.Handler(d.mux).ServeHTTP(w, r)
}
