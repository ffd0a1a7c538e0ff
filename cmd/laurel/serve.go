package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"runtime/pprof"
	"strings"
	"syscall"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/app"
)

// serverFlags are the flags of the commands that serve: serve and demo.
type serverFlags struct {
	Listen           string            `help:"Address to listen on." env:"LAUREL_LISTEN" default:"127.0.0.1:8080"`
	MetricsListen    string            `name:"metrics-listen" help:"Address to serve /metrics on instead of the public one, such as 127.0.0.1:9464. It also has the metrics of completions and points." env:"LAUREL_METRICS_LISTEN"`
	Prefix           string            `help:"Path prefix of every route, such as /loyalty." env:"LAUREL_PREFIX"`
	Dev              bool              `help:"Development mode: callback URLs can use http and loopback addresses, and error responses include the cause." env:"LAUREL_DEV"`
	RateLimits       string            `help:"Rate limits: on or off." env:"LAUREL_RATE_LIMITS" enum:"on,off" default:"on"`
	DataDir          string            `name:"data-dir" help:"Folder for uploaded files, shared by all nodes of one PostgreSQL database. Default: next to the SQLite database, or in the user's state folder." env:"LAUREL_DATA_DIR" type:"path"`
	FilesBucket      string            `name:"files-bucket" help:"Bucket for uploaded files instead of the folder, such as s3://files?region=eu-central-1; see docs/operations.md." env:"LAUREL_FILES_BUCKET"`
	PublicURL        string            `name:"public-url" help:"Public URL of the service, including the prefix, such as https://loyalty.example.com. Default: none, and URLs of files are paths." env:"LAUREL_PUBLIC_URL"`
	QuotaMember      uint32            `name:"quota-member" help:"Storage limit per user and website, in MiB." env:"LAUREL_QUOTA_MEMBER" default:"100"`
	QuotaWebsite     uint32            `name:"quota-website" help:"Storage limit per website, in MiB." env:"LAUREL_QUOTA_WEBSITE" default:"10240"`
	QuotaInstance    uint32            `name:"quota-instance" help:"Storage limit of the server, in MiB." env:"LAUREL_QUOTA_INSTANCE" default:"102400"`
	SealKey          string            `help:"File with the Ed25519 key that signs the ledger's blocks; created if it is missing. Default: the key derived from LAUREL_SECRET, or a file next to the database." env:"LAUREL_SEAL_KEY" type:"path"`
	Payouts          string            `help:"JSON file with the URL of your payout driver, which pays token rewards: {\"url\": …, \"headers\": {…}}. Without it, payouts stay pending." env:"LAUREL_PAYOUTS" type:"path"`
	Minting          string            `help:"JSON file with the URL of your minting driver, which mints on blockchains: {\"url\": …, \"headers\": {…}}. Without it, ONCHAIN contracts refuse mints." env:"LAUREL_MINTING" type:"path"`
	CallbackAllow    []string          `name:"callback-allow-cidrs" help:"Private CIDRs that the URLs of tenants can use." env:"LAUREL_CALLBACK_ALLOW_CIDRS"`
	Identity         string            `help:"JSON file that connects members' accounts elsewhere, and says where admins sign in; see docs/identity.md." env:"LAUREL_IDENTITY" type:"path"`
	Networks         string            `help:"JSON file with the blockchain networks that are read, and the addresses of their nodes; see docs/networks.md." env:"LAUREL_NETWORKS" type:"path"`
	Partners         string            `help:"JSON file with the partners that verify rules of some types; see docs/operations.md." env:"LAUREL_PARTNERS" type:"path"`
	Functions        int               `help:"Number of functions that can run at the same time, each in its own process. 0: two per CPU, at least 4. An organization can use at most half of them." env:"LAUREL_FUNCTIONS" default:"0"`
	FunctionsWaiting int               `name:"functions-waiting" help:"Number of functions that can wait to run, at most half of them for one organization. 0: 256. Further ones are refused." env:"LAUREL_FUNCTIONS_WAITING" default:"0"`
	PlatformLabels   map[string]string `help:"Display names of platforms in messages, such as microblog=Chirp;code_host=Forge." env:"LAUREL_PLATFORM_LABELS"`
	TrustedProxies   []string          `help:"CIDRs of proxies whose X-Forwarded-For header is trusted." env:"LAUREL_TRUSTED_PROXIES"`
	CountryHeader    string            `name:"country-header" help:"Header in which these proxies send the caller's country (ISO 3166 alpha-2), for token claims that block countries. Default: none, so countries are unknown." env:"LAUREL_COUNTRY_HEADER"`
	MaxConnections   int               `help:"Maximum number of open connections. 0: no limit." env:"LAUREL_MAX_CONNECTIONS" default:"4096"`
	MaxPerAddress    int               `help:"Maximum number of open connections and of concurrent requests per IP address. 0: no limit." env:"LAUREL_MAX_PER_ADDRESS" default:"1024"`
	WebhookRetry     []time.Duration   `name:"webhook-retry-schedule" help:"Delays between the attempts to deliver an event, such as 5s,5m,30m. Default: as documented." env:"LAUREL_WEBHOOK_RETRY_SCHEDULE"`
	WebhookDisable   time.Duration     `name:"webhook-disable-after" help:"How long all attempts of a subscription must fail (at least 20 attempts) before it is disabled." env:"LAUREL_WEBHOOK_DISABLE_AFTER" default:"120h"`
	capFlags
	ClientKeyRate int `help:"Maximum requests per second with one client key, over all IP addresses. 0: no limit." env:"LAUREL_CLIENT_KEY_RATE" default:"1000"`
}

// capFlags limit how many live records of a kind tenants may have.
type capFlags struct {
	MaxSubscriptions             int `help:"Maximum number of subscriptions per website. 0: no limit." env:"LAUREL_MAX_SUBSCRIPTIONS" default:"200"`
	MaxSubscriptionsOrganization int `help:"Maximum number of subscriptions per organization. 0: no limit." env:"LAUREL_MAX_SUBSCRIPTIONS_ORGANIZATION" default:"1000"`
	MaxFunctions                 int `help:"Maximum number of functions per website. 0: no limit." env:"LAUREL_MAX_FUNCTIONS" default:"200"`
	MaxFunctionsOrganization     int `help:"Maximum number of functions per organization. 0: no limit." env:"LAUREL_MAX_FUNCTIONS_ORGANIZATION" default:"1000"`
	MaxWebsites                  int `help:"Maximum number of websites per organization. 0: no limit." env:"LAUREL_MAX_WEBSITES" default:"500"`
}

// caps returns the flags as the configuration has them.
func (f capFlags) caps() *app.Caps {
	return &app.Caps{
		Subscriptions: laurel.Caps{Website: f.MaxSubscriptions, Organization: f.MaxSubscriptionsOrganization},
		Functions:     laurel.Caps{Website: f.MaxFunctions, Organization: f.MaxFunctionsOrganization},
		Websites:      f.MaxWebsites,
	}
}

// config returns the configuration that the flags describe.
func (f serverFlags) config(e environment) app.Config {
	edge := app.DefaultEdge()
	edge.Connections, edge.PerAddress, edge.ClientKeyRate = f.MaxConnections, f.MaxPerAddress, f.ClientKeyRate
	return app.Config{
		Database:            e.database,
		Prefix:              f.Prefix,
		Dev:                 f.Dev,
		NoRateLimits:        f.RateLimits == "off",
		Secret:              e.secret,
		SealKey:             f.SealKey,
		Payouts:             f.Payouts,
		Minting:             f.Minting,
		Partners:            f.Partners,
		Identity:            f.Identity,
		Networks:            f.Networks,
		Caps:                f.caps(),
		ConcurrentFunctions: f.Functions,
		WaitingFunctions:    f.FunctionsWaiting,
		TrustedProxies:      f.TrustedProxies,
		CountryHeader:       f.CountryHeader,
		CallbackAllow:       f.CallbackAllow,
		DataDir:             f.DataDir,
		FilesBucket:         f.FilesBucket,
		PublicURL:           f.PublicURL,
		FileQuotas:          f.fileQuotas(),
		PlatformLabels:      f.PlatformLabels,
		Webhooks:            app.WebhookPolicy{Schedule: f.WebhookRetry, DisableAfter: f.WebhookDisable},
		Edge:                &edge,
		Logger:              e.log,
		Exclusive:           true,
	}
}

// fileQuotas returns the quotas of the flags, in bytes.
func (f serverFlags) fileQuotas() *app.FileQuotas {
	bytes := func(mebibytes uint32) int64 { return int64(mebibytes) << 20 }
	return &app.FileQuotas{Member: bytes(f.QuotaMember), Website: bytes(f.QuotaWebsite), Instance: bytes(f.QuotaInstance)}
}

type serveCommand struct {
	serverFlags
	Clock      bool          `help:"Let everybody move the clock of a test database forward, by POST /dev/clock; needs --dev, and a database of laurel init --clock." env:"LAUREL_CLOCK"`
	Drain      time.Duration `help:"How long /readyz returns 503 before a stopping server refuses requests, so that load balancers can react." env:"LAUREL_DRAIN" default:"5s"`
	CPUProfile string        `name:"cpu-profile" help:"Write a CPU profile to this file when the server stops." hidden:"" type:"path"`
}

// config returns the configuration that the flags describe.
func (c serveCommand) config(e environment) app.Config {
	config := c.serverFlags.config(e)
	config.Drain, config.Clock = c.Drain, c.Clock
	return config
}

// Run serves until SIGINT or SIGTERM, then finishes what was accepted.
func (c serveCommand) Run(e environment) (err error) {
	if c.CPUProfile != "" {
		end, err := startCPUProfile(c.CPUProfile)
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, end()) }()
	}
	return c.serve(e)
}

// serve opens the database and serves it until interrupted. It prints the link that creates the first admin if there is
// none.
func (c serveCommand) serve(e environment) error {
	app.CollectLess()
	if err := c.config(e).Check(); err != nil {
		return err
	}
	listener, err := c.listen(e)
	if err != nil {
		return err
	}
	config := c.config(e)
	config.Address, config.MetricsListener = c.address(listener), listener.metrics
	a, err := app.Open(e.ctx, config)
	if err != nil {
		return errors.Join(err, listener.Close())
	}
	a.Warn()
	a.WarnUnsealed(e.ctx)
	address := c.address(listener)
	addresses := []any{slog.String("address", address), slog.String("docs", address+"/docs"),
		slog.String("dashboard", address+"/admin")}
	if listener.metrics != nil {
		addresses = append(addresses, slog.String("metrics", "http://"+listener.metrics.Addr().String()+"/metrics"))
	}
	e.log.Info("serving", addresses...)
	err = printSetup(e, a, cmp.Or(strings.TrimSuffix(c.PublicURL, "/"), address))
	if err != nil && e.ctx.Err() == nil { // a server that is stopped meanwhile ends as others do
		return errors.Join(err, listener.Close(), a.Close())
	}
	return a.Run(e.ctx, listener.Listener)
}

// printSetup prints a link that creates the first admin, unless there is one already.
func printSetup(e environment, a *app.App, address string) error {
	path, err := a.SetupLink(e.ctx)
	if err == nil && path != "" {
		fmt.Printf("No one can sign in to the dashboard yet. Open this link within a day to create the first account. It works once:\n%s%s\n",
			address, path)
	}
	return err
}

// startCPUProfile starts a CPU profile and returns the function that ends it.
func startCPUProfile(path string) (func() error, error) {
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return nil, err
	}
	if err := pprof.StartCPUProfile(file); err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return func() error {
		pprof.StopCPUProfile()
		return file.Close()
	}, nil
}

// listeners are those of a server.
type listeners struct {
	net.Listener              // of callers
	metrics      net.Listener // nil: callers read the metrics
}

// Close closes both, where no server runs on them.
func (l listeners) Close() error {
	if l.metrics == nil {
		return l.Listener.Close()
	}
	return errors.Join(l.Listener.Close(), l.metrics.Close())
}

// listen returns listeners on the addresses of --listen and --metrics-listen. It comes before the database is opened,
// so that an address that is taken leaves the database untouched. Connections wait until the server runs.
func (f serverFlags) listen(e environment) (out listeners, err error) {
	public, metrics := publicListen(), listenFlag{"--metrics-listen", "LAUREL_METRICS_LISTEN", "127.0.0.1:9464"}
	if err := public.check(e.ctx, f.Listen); err != nil {
		return out, err
	}
	if f.MetricsListen != "" {
		if err := metrics.check(e.ctx, f.MetricsListen); err != nil {
			return out, err
		}
	}
	if out.Listener, err = public.listen(e.ctx, f.Listen); err != nil || f.MetricsListen == "" {
		return out, err
	}
	if out.metrics, err = metrics.listen(e.ctx, f.MetricsListen); err != nil {
		return out, errors.Join(err, out.Listener.Close())
	}
	return out, nil
}

// listenFlag is a flag with an address to listen on.
type listenFlag struct{ flag, variable, example string }

// publicListen returns the flag with the address that callers use.
func publicListen() listenFlag { return listenFlag{"--listen", "LAUREL_LISTEN", "127.0.0.1:8081"} }

// listen returns a listener on an address.
func (l listenFlag) listen(ctx context.Context, address string) (net.Listener, error) {
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", address)
	if err != nil {
		what := l.flag + " " + address
		if _, port, fault := net.SplitHostPort(address); fault == nil && errors.Is(err, syscall.EADDRINUSE) {
			what = "port " + port + " is taken"
		}
		return nil, fmt.Errorf(
			"%s: %w; choose another address with %s (%s), such as %s %s",
			what, err, l.flag, l.variable, l.flag, l.example)
	}
	return listener, nil
}

// check returns an error for a text that is not an address and a port to listen on.
func (l listenFlag) check(ctx context.Context, address string) error {
	var f laurel.Faults
	_, port, err := net.SplitHostPort(address)
	if err == nil {
		_, err = net.DefaultResolver.LookupPort(ctx, "tcp", port)
	}
	if err != nil {
		f.AddText(l.flag, l.flag+" "+address+" must be an address and a port, such as "+l.example)
	}
	return f.Err()
}

// address returns the URL of the server that listens, with the prefix.
func (f serverFlags) address(listener net.Listener) string {
	return "http://" + listener.Addr().String() + f.Prefix
}

type migrateCommand struct {
	Up     migrateUp     `cmd:"" help:"Apply all pending migrations."`
	Status migrateStatus `cmd:"" help:"List all migrations and whether they are applied."`
}

type migrateUp struct{}

// Run applies all pending migrations and prints that the schema is up to date.
func (migrateUp) Run(e environment) error {
	if err := app.Migrate(e.ctx, e.database, e.log); err != nil {
		return err
	}
	fmt.Println("the schema is up to date")
	return nil
}

type migrateStatus struct{}

// Run prints one line per migration: whether it is applied or pending, and its name.
func (migrateStatus) Run(e environment) error {
	states, err := app.MigrationStatus(e.ctx, e.database, e.log)
	for _, s := range states {
		state := "pending"
		if s.Applied {
			state = "applied"
		}
		fmt.Printf("%-8s %s\n", state, s.Name)
	}
	return err
}
