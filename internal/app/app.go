// Package app wires the service: the configuration into the store, the store into services, and services into the HTTP
// server and its workers. It is the only package that knows all others. It owns no business rule.
package app

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/netip"
	"path/filepath"
	"sync/atomic"
	"time"

	"laurel.example/laurel/internal/admins"
	"laurel.example/laurel/internal/api"
	"laurel.example/laurel/internal/api/rest"
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
	"laurel.example/laurel/internal/evm/holdings"
	"laurel.example/laurel/internal/evm/node"
	"laurel.example/laurel/internal/evm/reader"
	"laurel.example/laurel/internal/evm/usage"
	"laurel.example/laurel/internal/feed"
	"laurel.example/laurel/internal/functions"
	"laurel.example/laurel/internal/functions/sandbox"
	"laurel.example/laurel/internal/identity"
	"laurel.example/laurel/internal/identity/attributes"
	"laurel.example/laurel/internal/identity/connect"
	"laurel.example/laurel/internal/identity/delegations"
	"laurel.example/laurel/internal/identity/devices"
	"laurel.example/laurel/internal/identity/proofs"
	"laurel.example/laurel/internal/memberimports"
	"laurel.example/laurel/internal/messages"
	"laurel.example/laurel/internal/outbound"
	"laurel.example/laurel/internal/platforms"
	"laurel.example/laurel/internal/points/audit"
	"laurel.example/laurel/internal/points/expiry"
	"laurel.example/laurel/internal/points/external"
	"laurel.example/laurel/internal/points/ledger"
	"laurel.example/laurel/internal/points/payouts"
	"laurel.example/laurel/internal/points/reversals"
	"laurel.example/laurel/internal/points/rewardhistory"
	"laurel.example/laurel/internal/points/transactions"
	"laurel.example/laurel/internal/report"
	"laurel.example/laurel/internal/report/figures"
	"laurel.example/laurel/internal/rules/awards"
	"laurel.example/laurel/internal/rules/catalog"
	"laurel.example/laurel/internal/rules/chains"
	"laurel.example/laurel/internal/rules/completion"
	"laurel.example/laurel/internal/rules/contractrules"
	"laurel.example/laurel/internal/rules/dynamicrewards"
	"laurel.example/laurel/internal/rules/lists"
	"laurel.example/laurel/internal/rules/progress"
	"laurel.example/laurel/internal/rules/providers"
	"laurel.example/laurel/internal/rules/referrals"
	"laurel.example/laurel/internal/rules/replay"
	"laurel.example/laurel/internal/rules/reset"
	"laurel.example/laurel/internal/rules/schedule"
	"laurel.example/laurel/internal/rules/schema"
	"laurel.example/laurel/internal/store"
	"laurel.example/laurel/internal/tenancy"
	"laurel.example/laurel/internal/vault"
	"laurel.example/laurel/internal/webhooks"
)

// App is the wired service on one open database.
type App struct {
	Tenancy        *tenancy.Service
	Identity       *identity.Service
	Messages       *messages.Service
	Phones         *connect.Phones
	Emails         *connect.Emails
	Attributes     *attributes.Service
	Networks       *node.Networks
	holdings       *holdings.Reader
	Proofs         *proofs.Service
	Delegations    *delegations.Service
	Devices        *devices.Service
	MemberImports  *memberimports.Service
	Admins         *admins.Service
	Ledger         *ledger.Service
	Expiry         *expiry.Service
	Reset          *reset.Service
	Rules          *catalog.Service
	Completions    *completion.Service
	Chains         *chains.Service
	Engagement     *engagement.Service
	Badges         *badges.Service
	Awards         *awards.Service
	Content        *content.Service
	Collections    *collections.Service
	Pages          *pages.Service
	Contracts      *contracts.Service
	ContractRules  *contractrules.Service
	Holds          *holds.Service
	Minting        *minting.Service
	Auctions       *auctions.Service
	Claims         *claims.Service
	Flows          *connect.Flows
	PlatformClient *platforms.Client
	Lists          *lists.Service
	External       *external.Service
	Transactions   *transactions.Service
	Reversals      *reversals.Service
	PostResolver   *external.Resolver
	Referrals      *referrals.Service
	Schedule       *schedule.Service
	Payouts        *payouts.Service
	DynamicRewards *dynamicrewards.Service
	Replays        *replay.Service
	Webhooks       *webhooks.Service
	Reader         *reader.Reader
	Usage          *usage.Reader
	Functions      *functions.Service
	Report         *report.Service
	Figures        *figures.Service
	Refusals       *figures.Refusals
	Feed           *feed.Feed
	Audit          *audit.Service
	Sealer         *audit.Sealer
	Handler        http.Handler

	config       Config
	guarded      outbound.Options // of clients that call addresses of tenants
	identityFile connect.Config
	partners     *providers.Partners
	verifiers    providers.Registry
	sandbox      *sandbox.Sandbox
	db           *store.DB
	vault        *vault.Vault
	committer    *store.Committer
	log          *slog.Logger
	edge         Edge
	proxies      []netip.Prefix
	folders      *folders
	connections  *rest.Tally // that are open
	requests     *rest.Tally // that are under way
	served       *requestMetrics
	stopping     atomic.Bool
	cancel       context.CancelFunc // ends what lasts as long as the App
}

// ownConnections is how many calls of one of the operator's own addresses may be under way: all that payouts make at
// once, and as many again for partners.
const ownConnections = 256

// Open opens the database, migrates it and makes the services. With NoMigrate it does not migrate: the database must
// exist and be up to date. The caller must call Close.
func Open(ctx context.Context, c Config) (*App, error) {
	nets, err := c.validate()
	if err != nil {
		return nil, err
	}
	if c.Logger == nil {
		c.Logger = slog.Default()
	}
	own := outbound.New(outbound.Options{Trusted: true, Connections: ownConnections}) // calls addresses of the operator
	drivers, err := c.openPayoutDrivers(own)
	if err != nil {
		return nil, err
	}
	mints, err := c.openMintingDriver(own)
	if err != nil {
		return nil, err
	}
	partners, err := c.readPartners(own.Guard)
	if err != nil {
		return nil, err
	}
	identityFile, err := c.readIdentity(own.Guard)
	if err != nil {
		return nil, err
	}
	registry, err := c.readNetworks(own.Guard)
	if err != nil {
		return nil, err
	}
	registry.AddNames()
	db, err := store.Open(
		ctx,
		store.Options{
			URL:       c.Database,
			Now:       c.Now,
			Logger:    c.Logger,
			Exclusive: c.Exclusive,
			MustExist: c.NoMigrate,
			TxLimit:   c.TxLimit,

			RerunBatches: c.RerunBatches,
		},
	)
	if err != nil {
		return nil, err
	}
	a := &App{
		config:       c,
		proxies:      nets.proxies,
		db:           db,
		log:          c.Logger,
		guarded:      outbound.Options{Dev: c.Dev, Allow: nets.callbacks},
		identityFile: identityFile,
		served:       newRequestMetrics(c.Logger),
		Networks:     node.New(node.Config{Registry: registry, Outbound: own, Now: db.Now, Logger: c.Logger}),
		partners:     providers.NewPartners(own, partners),
		verifiers:    providers.Registry{},
	}
	a.sandbox = c.sandbox(outbound.New(a.guarded))
	a.Payouts = payouts.New(payouts.Config{DB: db, Driver: drivers.pay, Logger: c.Logger})
	if err := a.wire(ctx, drivers, mints); err != nil {
		a.sandbox.Close()
		return nil, errors.Join(err, a.db.Close())
	}
	a.initTallies()
	lasting, end := context.WithCancel(context.WithoutCancel(ctx))
	a.cancel = end
	pages, err := a.pages() //nolint:contextcheck // its actions use the contexts of requests
	if err != nil {
		return nil, errors.Join(err, a.Close())
	}
	if a.Handler, err = api.New(lasting, a.httpConfig(pages)); err != nil {
		return nil, errors.Join(err, a.Close())
	}
	return a, nil
}

// wire makes all services, each after those that it uses.
func (a *App) wire(ctx context.Context, drivers payoutDrivers, mints minting.Driver) error {
	if err := a.prepareSchema(ctx); err != nil {
		return err
	}
	if a.config.WithoutSecrets {
		a.vault = vault.Closed()
	} else if err := a.openVault(ctx); err != nil {
		return err
	}
	a.committer = store.NewCommitter(a.db) //nolint:contextcheck // a batch outlives the requests in it
	a.Identity = identity.New(a.db, a.vault, a.config.identityOptions(a.identityFile))
	a.Tenancy = tenancy.New(tenancy.Config{
		DB: a.db, Users: a.Identity, Logger: a.log, MaxWebsites: a.config.caps().Websites,
	})
	a.wireContacts()
	a.wireUserData()
	listClient := outbound.New(a.guarded) // external ledgers have clients of their own
	a.Ledger = ledger.New(ledger.Config{
		DB: a.db, Outbound: listClient, Vault: a.vault, Logger: a.log, Follower: currencyFollower{},
	})
	a.Expiry = expiry.New(a.db, a.Ledger, a.log)
	a.Engagement = engagement.New(engagement.Config{
		DB: a.db, Committer: a.committer, People: a.Identity, Ledger: a.Ledger, Rule: ruleOf, Logger: a.log,
	})
	folder := cmp.Or(a.config.DataDir, serverPath(a.config, "files"))
	a.folders = newFolders(a.config, a.db, folder)
	var bucket *content.Bucket // nil: files lie in the data folder
	if a.config.FilesBucket != "" {
		var err error
		if bucket, err = content.OpenBucket(ctx, a.config.FilesBucket); err != nil {
			return err
		}
	}
	a.Content = content.New(content.Config{
		DB: a.db, Folder: folder, Bucket: bucket, Quotas: a.config.fileQuotas(),
		Base: cmp.Or(a.config.PublicURL, a.config.Prefix),
	})
	a.Collections = collections.New(a.db)
	a.Pages = pages.New(a.db, catalog.GroupNames)
	a.Lists = lists.New(lists.Config{
		DB: a.db, Outbound: listClient, Files: a.Content, Vault: a.vault, Logger: a.log,
		Folder: filepath.Join(folder, "imports"),
	})
	a.Rules = catalog.New(catalog.Config{
		DB: a.db, Ledger: a.Ledger, Lists: a.Lists, Vault: a.vault, Logger: a.log,
		Follower: ruleFollower{},
		Live: map[schema.ReferenceKind]catalog.FindLiveIDs{
			schema.FunctionRef: functions.LiveAmong, schema.SubscriptionRef: webhooks.LiveAmong,
			schema.ContractRef: contracts.LiveAmong,
		},
		ContractABI: contracts.ABIOf,
	})
	a.Badges = badges.New(badges.Config{
		DB: a.db, Committer: a.committer, People: a.Identity, Ledger: a.Ledger, Logger: a.log,
		Rules: a.Rules.LiveAmong, Groups: a.Rules.LiveGroups, CheckListURL: a.Lists.Check,
		Follower: awards.BadgeFollower{},
	})
	a.Chains = chains.New(a.db, a.Rules, a.Ledger, a.Lists)
	a.Awards = awards.New(awards.Config{
		DB: a.db, Committer: a.committer, People: a.Identity, Ledger: a.Ledger, Rules: a.Rules, Chains: a.Chains,
		Lists: a.Lists, Badges: a.Badges, Rewards: rewardhistory.New(a.db), Logger: a.log,
	})
	a.External = external.New(external.Config{
		DB: a.db, PostClient: outbound.New(a.guarded), ReadClient: outbound.New(a.guarded), Ledger: a.Ledger, Vault: a.vault,
		Logger: a.log,
	})
	a.Figures, a.Refusals, a.Reversals = figures.New(a.db), figures.NewRefusals(a.db, a.log),
		newReversals(a.db, a.committer, a.Ledger, a.Identity, a.Awards)
	a.Functions = functions.New(functions.Config{
		DB: a.db, Vault: a.vault, Sandbox: a.sandbox, Caps: a.config.caps().Functions, Driver: drivers.transact,
		Serves: drivers.serves, Logger: a.log,
	})
	dapps := a.wireVerifiers()
	a.Completions = completion.New(completion.Config{
		DB: a.db, Committer: a.committer, People: a.Identity, Ledger: a.Ledger, Reversals: a.Reversals, Rules: a.Rules,
		Engagement: a.Engagement, Chains: a.Chains, Badges: a.Badges, External: a.External, Verifiers: a.verifiers,
		Logger:     a.log,
		OwePayouts: stagePayouts, CountRefusal: a.Refusals.Count,
		Decimals:   decimalsIn(a.db, a.Networks, a.holdings),
		DeployerOf: deployersIn(a.Networks, a.Usage),
	})
	a.Transactions = transactions.New(transactions.Config{
		DB: a.db, Committer: a.committer, Ledger: a.Ledger, External: a.External,
		People: newPeople(a.db, a.Identity, a.Completions),
	})
	a.wireCommerce(mints)
	a.MemberImports = memberimports.New(memberimports.Config{
		DB: a.db, Lists: a.Lists, Files: a.Content, People: a.Identity, Ledger: a.Ledger, Logger: a.log,
	})
	a.Referrals = referrals.New(referrals.Config{
		DB: a.db, People: a.Identity, Ledger: a.Ledger, Rules: a.Rules, Logger: a.log, PayBonuses: a.Completions.PayReferral,
	})
	a.Schedule = schedule.New(schedule.Config{
		DB: a.db, People: a.Identity, Ledger: a.Ledger, Rules: a.Rules, Completions: a.Completions,
		Referrals: a.Referrals, Logger: a.log, Walks: scheduleWalks(a.Lists, dapps), Follower: runFollower{a.Lists},
	})
	a.DynamicRewards = dynamicrewards.New(dynamicrewards.Config{
		DB: a.db, Rules: a.Rules, Lists: a.Lists, Completions: a.Completions, Engagement: a.Engagement,
		Badges: a.Badges, Logger: a.log,
	})
	a.Replays = replay.New(replay.Config{DB: a.db, Rules: a.Rules, Rewards: rewardhistory.New(a.db), Logger: a.log})
	a.Reset = reset.New(reset.Config{
		DB: a.db, People: a.Identity, Ledger: a.Ledger, Rules: a.Rules, Logger: a.log,
		RuleData: []reset.RuleData{progress.RuleData{}, a.Engagement, a.Badges},
	})
	a.Admins = admins.New(admins.Config{
		DB: a.db, Tenancy: a.Tenancy, Users: a.Identity, Vault: a.vault, Logger: a.log,
		QuickPasswords: a.config.QuickPasswords,
	})
	a.Report = report.New(a.db)
	a.Feed = feed.NewFeed(a.db, a.log)
	return a.wireDelivery()
}

// wireUserData makes the services that store what belongs to users: attributes, wallets and
// devices, and the flows that connect accounts.
func (a *App) wireUserData() {
	a.Attributes = attributes.New(a.db, a.Identity)
	a.Proofs = proofs.New(proofs.Config{
		DB: a.db, Tenancy: a.Tenancy, PublicURL: cmp.Or(a.config.PublicURL, a.config.Address),
		Contracts: a.Networks, Logger: a.log,
	})
	a.Delegations, a.Devices = delegations.New(a.db, a.Identity), devices.New(a.db, a.Identity)
	a.Flows = a.newFlows()
}

// wireDelivery makes the services that work on what the others have written: webhooks deliver changes to subscriptions,
// the sealer puts entries into signed blocks, and the resolver finishes what waits for external ledgers.
func (a *App) wireDelivery() error {
	records, err := api.EventRecords(a.services()) // only Webhooks is still missing
	if err != nil {
		return err
	}
	a.Webhooks = webhooks.New(webhooks.Config{
		DB: a.db, Vault: a.vault, Outbound: outbound.New(callbacks(a.guarded)), Functions: webhookFunctions{a.Functions},
		Rules: triggeredRules{a.Completions}, Records: records,
		Currencies: ledger.CurrenciesOfMainAccounts, Policy: a.config.Webhooks, Caps: a.config.caps().Subscriptions,
		Head: a.head, Logger: a.log,
	})
	a.wireReader()
	a.Audit = audit.New(a.db)
	a.Sealer = audit.NewSealer(a.db, a.Feed, a.log)
	a.PostResolver, err = external.NewResolver(a.External, a.Transactions.Applier(), a.Completions.ExternalPostApplier())
	return err
}

// wireCommerce makes the services in which members spend points: contracts, holds, minting, auctions and claims.
func (a *App) wireCommerce(mints minting.Driver) {
	people := newPeople(a.db, a.Identity, a.Completions)
	a.Contracts = contracts.New(a.db, catalog.IsContractUsed, claims.UsesContract)
	a.Holds = holds.New(holds.Config{
		DB: a.db, Committer: a.committer, People: people, Logger: a.log,
	})
	a.Minting = minting.New(minting.Config{
		DB: a.db, Committer: a.committer, People: people, Identity: a.Identity,
		Driver: mints, Logger: a.log,
	})
	a.Auctions = auctions.New(auctions.Config{
		DB: a.db, Committer: a.committer, People: people, Identity: a.Identity,
		Ledger: a.Ledger, Minting: a.Minting, Logger: a.log,
	})
	a.Claims = claims.New(claims.Config{
		DB: a.db, Lists: a.Lists, People: a.Identity, Contracts: a.Contracts, Logger: a.log,
	})
}

// prepareSchema migrates the database or, with NoMigrate, checks that it is up to date.
func (a *App) prepareSchema(ctx context.Context) error {
	if a.config.NoMigrate {
		if err := a.db.RequireMigrated(ctx); err != nil {
			return err
		}
	} else if err := a.db.Migrate(ctx); err != nil {
		return fmt.Errorf("migrate: %w", err)
	}
	return readClock(ctx, a.db, a.config)
}

// httpConfig returns the configuration of the HTTP handler.
func (a *App) httpConfig(pages http.Handler) api.Config {
	limits := rest.DefaultLimits()
	limits.ClientKey.Requests = a.edge.ClientKeyRate
	if a.config.NoRateLimits {
		limits = rest.Limits{}
	}
	cfg := a.services()
	cfg.Config = rest.Config{
		Tenancy:        a.Tenancy,
		Identity:       a.Identity,
		Logger:         a.log,
		Now:            a.db.Now,
		NewID:          a.db.NewID,
		Health:         health{a},
		Metrics:        a.publicMetrics(),
		Observer:       a.served,
		SetClock:       a.clockSetter(),
		DemoPage:       a.config.DemoPage,
		Debug:          a.config.Dev,
		Prefix:         a.config.Prefix,
		Deadline:       func(d time.Duration) time.Time { return time.Now().Add(d) },
		Stopping:       a.stopping.Load,
		UnderWay:       a.requests,
		Reading:        store.WithListReads,
		StallTimeout:   a.edge.StallWithin,
		Pages:          pages,
		Asset:          a.assetPath,
		TrustedProxies: a.proxies,
		CountryHeader:  a.config.CountryHeader,
		Limits:         limits,
	}
	return cfg
}

// Close finishes accepted work and closes the database.
func (a *App) Close() error {
	a.cancel()
	a.sandbox.Close()
	a.Functions.Close()
	if a.committer != nil {
		a.committer.Close()
	}
	return a.db.Close()
}
