// Package api is the HTTP edge of the service: its table of routes joins package rest, which serves requests, and the
// packages of handlers, one per family of operations. It shapes requests and responses and decides nothing: business
// rules belong to domain packages.
package api

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"reflect"
	"slices"

	apiauctions "laurel.example/laurel/internal/api/auctions"
	apibadges "laurel.example/laurel/internal/api/badges"
	"laurel.example/laurel/internal/api/caller"
	apiclaims "laurel.example/laurel/internal/api/claims"
	apicommerce "laurel.example/laurel/internal/api/commerce"
	"laurel.example/laurel/internal/api/connections"
	apifunctions "laurel.example/laurel/internal/api/functions"
	apiminting "laurel.example/laurel/internal/api/minting"
	apipages "laurel.example/laurel/internal/api/pages"
	"laurel.example/laurel/internal/api/people"
	"laurel.example/laurel/internal/api/points"
	"laurel.example/laurel/internal/api/rest"
	"laurel.example/laurel/internal/api/rules"
	"laurel.example/laurel/internal/api/subscriptions"
	"laurel.example/laurel/internal/api/websites"
	"laurel.example/laurel/internal/commerce/auctions"
	"laurel.example/laurel/internal/commerce/claims"
	"laurel.example/laurel/internal/commerce/contracts"
	"laurel.example/laurel/internal/commerce/holds"
	"laurel.example/laurel/internal/commerce/minting"
	"laurel.example/laurel/internal/content"
	"laurel.example/laurel/internal/content/collections"
	"laurel.example/laurel/internal/content/pages"
	"laurel.example/laurel/internal/engagement"
	"laurel.example/laurel/internal/engagement/badges"
	"laurel.example/laurel/internal/functions"
	"laurel.example/laurel/internal/identity/attributes"
	"laurel.example/laurel/internal/identity/connect"
	"laurel.example/laurel/internal/identity/delegations"
	"laurel.example/laurel/internal/identity/devices"
	"laurel.example/laurel/internal/identity/proofs"
	"laurel.example/laurel/internal/memberimports"
	"laurel.example/laurel/internal/points/expiry"
	"laurel.example/laurel/internal/points/external"
	"laurel.example/laurel/internal/points/ledger"
	"laurel.example/laurel/internal/points/payouts"
	"laurel.example/laurel/internal/points/reversals"
	"laurel.example/laurel/internal/points/transactions"
	"laurel.example/laurel/internal/report"
	"laurel.example/laurel/internal/rules/catalog"
	"laurel.example/laurel/internal/rules/chains"
	"laurel.example/laurel/internal/rules/completion"
	"laurel.example/laurel/internal/rules/lists"
	"laurel.example/laurel/internal/rules/referrals"
	"laurel.example/laurel/internal/rules/replay"
	"laurel.example/laurel/internal/rules/reset"
	"laurel.example/laurel/internal/rules/schedule"
	"laurel.example/laurel/internal/vault"
	"laurel.example/laurel/internal/webhooks"
)

// Config holds the services behind the API. The Config of package rest says how it is served.
type Config struct {
	rest.Config
	Vault *vault.Vault // opens secrets that are shown to secret keys

	Flows  *connect.Flows
	Phones *connect.Phones
	Emails *connect.Emails

	Ledger       *ledger.Service
	Expiry       *expiry.Service
	External     *external.Service
	Transactions *transactions.Service
	Reversals    *reversals.Service
	Payouts      *payouts.Service

	Rules       *catalog.Service
	Chains      *chains.Service
	Completions *completion.Service
	Lists       *lists.Service
	Referrals   *referrals.Service
	Replays     *replay.Service
	Reset       *reset.Service
	Schedule    *schedule.Service

	Attributes  *attributes.Service
	Proofs      *proofs.Service
	Delegations *delegations.Service
	Devices     *devices.Service
	Imports     *memberimports.Service

	Engagement *engagement.Service
	Badges     *badges.Service
	// BadgeProgress computes the present progress of users toward badges; nil: the stored progress is shown.
	BadgeProgress apibadges.Progress
	Content       *content.Service
	Report        *report.Service
	Webhooks      *webhooks.Service
	Functions     *functions.Service

	Collections *collections.Service
	Pages       *pages.Service
	Contracts   *contracts.Service
	Holds       *holds.Service
	Minting     *minting.Service
	Auctions    *auctions.Service
	Claims      *claims.Service

	// LimitsOff switches off the limits of completions, mints and bids through client keys, which hold across nodes.
	LimitsOff bool
}

// checkServices returns an error if a service is missing, except the one in the field named optional. Without it a
// handler would panic, and a consumer of the change feed would fail again and again, so the server must not start.
func (c Config) checkServices(optional string) error {
	services := reflect.ValueOf(c)
	for _, field := range reflect.VisibleFields(services.Type()) {
		pointer := field.Type.Kind() == reflect.Pointer && len(field.Index) == 1
		if pointer && field.Name != optional && services.FieldByIndex(field.Index).IsNil() {
			return fmt.Errorf("api: the service %s is missing", field.Name)
		}
	}
	if c.Tenancy == nil || c.Identity == nil { // they are fields of the embedded rest.Config
		return errors.New("api: the service Tenancy or Identity is missing")
	}
	return nil
}

// New returns the handler of all routes. Its rate limits end with ctx. It fails if a service is missing or a limit
// cannot be set up.
func New(ctx context.Context, cfg Config) (http.Handler, error) {
	if err := cfg.checkServices(""); err != nil {
		return nil, err
	}
	f := cfg.families()
	cfg.Texts = documentTexts()
	return rest.New(ctx, cfg.Config, f.operations(), keylessRoutes(f.websites, f.connections))
}

// Document returns the OpenAPI 3.1 document of the API: indented, the same bytes for the same routes.
func Document() ([]byte, error) {
	return rest.Document(Config{}.families().operations(), documentTexts())
}

// families holds the operations of each family.
type families struct {
	rules    rules.Operations
	points   points.Operations
	people   people.Operations
	websites websites.Operations
	badges   apibadges.Operations

	connections connections.Operations

	subscriptions subscriptions.Operations
	functions     apifunctions.Operations
	pages         apipages.Operations
	commerce      apicommerce.Operations
	minting       apiminting.Operations
	auctions      apiauctions.Operations
	claims        apiclaims.Operations
}

// families makes the operations of each family, such as rules or points, from the services that the family needs.
func (c Config) families() families {
	return families{
		rules:  rules.New(c.rules()),
		points: points.New(c.points()),
		people: people.New(people.Config{
			Caller: c.caller(), Identity: c.Identity, Attributes: c.Attributes, Proofs: c.Proofs,
			Delegations: c.Delegations, Devices: c.Devices, Engagement: c.Engagement, Ledger: c.Ledger,
			External: c.External, Referrals: c.Referrals, Imports: c.Imports, Report: c.Report,
		}),
		badges: apibadges.New(c.badges()),
		connections: connections.New(connections.Config{
			Caller: c.caller(), Flows: c.Flows, Phones: c.Phones, Emails: c.Emails,
		}),
		websites: websites.New(websites.Config{
			Caller: c.caller(), Tenancy: c.Tenancy, Identity: c.Identity, Content: c.Content,
			Collections: c.Collections, Minting: c.Minting,
		}),
		subscriptions: subscriptions.New(subscriptions.Config{
			Caller: c.caller(), Secrets: rest.NewSecrets(c.Vault, c.Logger), Webhooks: c.Webhooks,
		}),
		pages:     apipages.New(apipages.Config{Caller: c.caller(), Collections: c.Collections, Pages: c.Pages}),
		commerce:  apicommerce.New(c.commerce()),
		minting:   apiminting.New(c.minting()),
		auctions:  apiauctions.New(c.auctions()),
		claims:    apiclaims.New(c.claims()),
		functions: apifunctions.New(apifunctions.Config{Caller: c.caller(), Functions: c.Functions}),
	}
}

func (c Config) caller() *caller.Resolver {
	return &caller.Resolver{Tenancy: c.Tenancy, Identity: c.Identity}
}

func (c Config) rules() rules.Config {
	return rules.Config{
		Caller: c.caller(), Secrets: rest.NewSecrets(c.Vault, c.Logger), Tenancy: c.Tenancy, Identity: c.Identity,
		Rules: c.Rules, Chains: c.Chains, Badges: c.Badges, Completions: c.Completions, Lists: c.Lists,
		Replays: c.Replays, Reset: c.Reset, Schedule: c.Schedule, Report: c.Report, CompletionLimitsOff: c.LimitsOff,
	}
}

// points returns the configuration of the operations on points.
func (c Config) points() points.Config {
	secrets := rest.NewSecrets(c.Vault, c.Logger)
	return points.Config{
		Caller: c.caller(), Secrets: secrets, RuleMetadata: rules.Metadata(secrets), Identity: c.Identity,
		Attributes: c.Attributes, Ledger: c.Ledger,
		Transactions: c.Transactions, Reversals: c.Reversals,
		Expiry: c.Expiry, External: c.External, Payouts: c.Payouts, Reset: c.Reset,
		Rules: c.Rules, Report: c.Report,
	}
}

func (c Config) badges() apibadges.Config {
	return apibadges.Config{
		Caller: c.caller(), Identity: c.Identity, Badges: c.Badges, Report: c.Report, Progress: c.BadgeProgress,
	}
}

func (c Config) commerce() apicommerce.Config {
	return apicommerce.Config{Caller: c.caller(), Contracts: c.Contracts, Holds: c.Holds, Report: c.Report}
}

func (c Config) minting() apiminting.Config {
	return apiminting.Config{
		Caller: c.caller(), Tenancy: c.Tenancy, Minting: c.Minting, Badges: c.Badges, Report: c.Report,
		AuctionItems: c.Auctions.ItemsOfAssets, LimitsOff: c.LimitsOff,
	}
}

func (c Config) auctions() apiauctions.Config {
	return apiauctions.Config{
		Caller: c.caller(), Tenancy: c.Tenancy, Secrets: rest.NewSecrets(c.Vault, c.Logger), Ledger: c.Ledger,
		Minting: c.Minting, Auctions: c.Auctions, Report: c.Report, LimitsOff: c.LimitsOff,
	}
}

func (c Config) claims() apiclaims.Config {
	return apiclaims.Config{Caller: c.caller(), Identity: c.Identity, Contracts: c.Contracts, Claims: c.Claims}
}

// operations returns the routes of all families.
func (f families) operations() []rest.Operation {
	return slices.Concat(
		ruleRoutes(f.rules), pointRoutes(f.points), peopleRoutes(f.people), badgeRoutes(f.badges), websiteRoutes(f.websites),
		connectionRoutes(f.connections),
		subscriptionRoutes(f.subscriptions),
		functionRoutes(f.functions), pageRoutes(f.pages), commerceRoutes(f.commerce), mintingRoutes(f.minting),
		auctionRoutes(f.auctions), claimRoutes(f.claims),
	)
}
