// Package dashboard serves the pages at /admin: templates and forms over the services below, which make all decisions.
// It has no SQL and no business rules of its own.
//
// Its pages stand in rooms, the packages beside web, form and parts: members, rules, badges and so on. A room has the
// routes of its pages with their rights, its items of the menu, and its templates. This package gives the rooms their
// services and puts them into one menu; of pages it has only the overview.
package dashboard

import (
	"embed"
	"log/slog"
	"net/http"
	"time"

	"laurel"
	"laurel/internal/admins"
	"laurel/internal/commerce/auctions"
	"laurel/internal/commerce/claims"
	"laurel/internal/commerce/contracts"
	"laurel/internal/commerce/minting"
	"laurel/internal/content"
	"laurel/internal/content/collections"
	layout "laurel/internal/content/pages"
	"laurel/internal/dashboard/account"
	badgeroom "laurel/internal/dashboard/badges"
	contentroom "laurel/internal/dashboard/content"
	"laurel/internal/dashboard/integrate"
	ledgerroom "laurel/internal/dashboard/ledger"
	"laurel/internal/dashboard/members"
	"laurel/internal/dashboard/parts"
	"laurel/internal/dashboard/rules"
	"laurel/internal/dashboard/settings"
	"laurel/internal/dashboard/store"
	"laurel/internal/dashboard/web"
	"laurel/internal/engagement"
	"laurel/internal/engagement/badges"
	"laurel/internal/feed"
	"laurel/internal/functions"
	"laurel/internal/identity"
	"laurel/internal/messages"
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
	Messages      *messages.Service
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

// menuGroups are the parts of the menu, in order. The items are those of the rooms.
var menuGroups = []web.MenuGroup{
	{},
	{ID: "program", Title: "Program"},
	{ID: "store", Title: "Store"},
	{ID: "content", Title: "Content"},
	{ID: "insight", Title: "Insight"},
	{ID: "integrate", Title: "Integrate"},
	{ID: "operate", Title: "Operate"},
}

// New returns the dashboard over the services in the configuration. It fails if an embedded asset, licence or template
// cannot be read.
func New(c Config) (http.Handler, error) { return newServer(c) }

// newServer returns the server of all rooms.
func newServer(c Config) (*web.Server, error) {
	return web.New(web.Config{
		Admins: c.Admins, Tenancy: c.Tenancy, Pictures: c.Pictures, Version: c.Version, Prefix: c.Prefix, Secure: c.Secure,
		ClientAddress: c.ClientAddress, ClientNetwork: c.ClientNetwork, PublicURL: c.PublicURL, RequestID: c.RequestID,
		Now: c.Now, Deadline: c.Deadline, NewID: c.NewID, Logger: c.Logger,
	}, menuGroups, parts.Templates, rooms(c))
}

// rooms returns all rooms, in the order of their items in the menu.
func rooms(c Config) []web.Room {
	shared := &parts.Services{
		Identity: c.Identity, Ledger: c.Ledger, Rules: c.Rules, Lists: c.Lists, Badges: c.Badges, Awards: c.Awards,
		Content: c.Content, Report: c.Report, Figures: c.Figures,
	}
	return []web.Room{
		overviewRoom(shared, &services{Feed: c.Feed, Payouts: c.Payouts, Webhooks: c.Webhooks}),
		rules.Room(shared, &rules.Services{
			Engagement: c.Engagement, Chains: c.Chains, Completions: c.Completions, Replay: c.Replay, Reset: c.Reset,
		}),
		badgeroom.Room(shared),
		members.Room(shared, &members.Services{
			Engagement: c.Engagement, Expiry: c.Expiry, External: c.External, Transactions: c.Transactions,
		}),
		store.Room(shared, &store.Services{
			Auctions: c.Auctions, Claims: c.Claims, Contracts: c.Contracts, Minting: c.Minting,
		}),
		contentroom.Room(shared, &contentroom.Services{Collections: c.Collections, Pages: c.Pages}),
		ledgerroom.Room(shared, &ledgerroom.Services{
			Audit: c.Audit, Sealer: c.Sealer, External: c.External, Payouts: c.Payouts, Reset: c.Reset, Schedule: c.Schedule,
		}),
		integrate.Room(&integrate.Services{Functions: c.Functions, Messages: c.Messages, Webhooks: c.Webhooks}),
		settings.Room(&settings.Services{Ledger: c.Ledger}),
		account.Room(&account.Services{Ledger: c.Ledger}),
	}
}

//go:embed templates
var templates embed.FS

// services are those that only the overview calls.
type services struct {
	Feed     *feed.Feed
	Payouts  *payouts.Service
	Webhooks *webhooks.Service
}

// call is a call of the overview, with the services that it shows.
type call struct {
	parts.Call
	*services
}

// route is a page of this package.
type route = web.RouteOf[*call]

// overviewRoom returns the room of the overview.
func overviewRoom(p *parts.Services, s *services) web.Room {
	of := func(c *web.Call) *call { return &call{parts.Call{Call: c, Services: p}, s} }
	return web.Room{
		Routes: web.Bind(of, overviewRoutes),
		Menu: []web.MenuItem{
			{Name: "overview", Label: "Overview", Icon: "layout-dashboard", Right: admins.SeeProgram},
		},
		Templates: templates,
	}
}
