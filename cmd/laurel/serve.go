package main

import (
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"runtime/pprof"

	"laurel/internal/app"
)

// serverFlags are what every serving command knows.
type serverFlags struct {
	Listen         string            `help:"Address to listen on." env:"LAUREL_LISTEN" default:"127.0.0.1:8080"`
	Prefix         string            `help:"Path prefix of every route, such as /loyalty." env:"LAUREL_PREFIX"`
	Dev            bool              `help:"Development mode: callback addresses may be http and loopback, error answers tell their cause." env:"LAUREL_DEV"`
	RateLimits     string            `help:"on or off." env:"LAUREL_RATE_LIMITS" enum:"on,off" default:"on"`
	DataDir        string            `name:"data-dir" help:"Folder of uploaded files; nodes of one PostgreSQL share it. None: beside the SQLite database, else in the user's state folder." env:"LAUREL_DATA_DIR" type:"path"`
	PublicURL      string            `name:"public-url" help:"Address of the service as others see it, prefix included, such as https://loyalty.example.com. None: as each request names it." env:"LAUREL_PUBLIC_URL"`
	SealKey        string            `help:"File of the Ed25519 key that signs the ledger's blocks; made where it is missing. None: the key that LAUREL_SECRET gives, else a file beside the database." env:"LAUREL_SEAL_KEY" type:"path"`
	Payouts        string            `help:"File that says where the driver is that pays token rewards: {\"url\": …, \"headers\": {…}}. None: what is owed waits." env:"LAUREL_PAYOUTS" type:"path"`
	CallbackAllow  []string          `name:"callback-allow-cidrs" help:"CIDRs that tenants' urls may lead to though they are private." env:"LAUREL_CALLBACK_ALLOW_CIDRS"`
	Partners       string            `help:"File (JSON) that names the partners who tell whether members have earned rules of some types; see docs/operations.md." env:"LAUREL_PARTNERS" type:"path"`
	PlatformLabels map[string]string `help:"Display names of platforms in messages, such as microblog=Chirp;code_host=Forge." env:"LAUREL_PLATFORM_LABELS"`
	TrustedProxies []string          `help:"CIDRs of proxies whose X-Forwarded-For is believed." env:"LAUREL_TRUSTED_PROXIES"`
}

func (f serverFlags) config(e environment) app.Config {
	return app.Config{Database: e.database, Prefix: f.Prefix, Dev: f.Dev, NoRateLimits: f.RateLimits == "off", Secret: os.Getenv(secretVariable),
		SealKey: f.SealKey, Payouts: f.Payouts, Partners: f.Partners, TrustedProxies: f.TrustedProxies, CallbackAllow: f.CallbackAllow, DataDir: f.DataDir, PublicURL: f.PublicURL, PlatformLabels: f.PlatformLabels, Logger: e.log, Exclusive: true}
}

type serveCommand struct {
	serverFlags
	CPUProfile string `name:"cpu-profile" help:"Write a CPU profile to this file when the server stops." hidden:"" type:"path"`
}

// Run serves until SIGINT or SIGTERM, then finishes what was accepted.
func (c serveCommand) Run(e environment) (err error) {
	if c.CPUProfile != "" {
		end, err := profileTo(c.CPUProfile)
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, end()) }()
	}
	return c.serve(e)
}

func (c serveCommand) serve(e environment) error {
	app.CollectLess()
	listener, err := c.listen(e)
	if err != nil {
		return err
	}
	a, err := app.Open(e.ctx, c.config(e))
	if err != nil {
		return errors.Join(err, listener.Close())
	}
	a.Warn()
	a.WarnUnsealed()
	address := c.address(listener)
	e.log.Info("serving", slog.String("address", address), slog.String("docs", address+"/docs"))
	return a.Run(e.ctx, listener)
}

// profileTo begins a CPU profile and answers what ends it.
func profileTo(path string) (func() error, error) {
	file, err := os.Create(path)
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

// listen comes before the database is opened, so that a taken address leaves it untouched. Connections wait until the server runs.
func (f serverFlags) listen(e environment) (net.Listener, error) {
	listener, err := (&net.ListenConfig{}).Listen(e.ctx, "tcp", f.Listen)
	if err != nil {
		return nil, fmt.Errorf("%w; choose an address with --listen (LAUREL_LISTEN)", err)
	}
	return listener, nil
}

func (f serverFlags) address(listener net.Listener) string {
	return "http://" + listener.Addr().String() + f.Prefix
}

type migrateCommand struct {
	Up     migrateUp     `cmd:"" help:"Apply every migration that is missing."`
	Status migrateStatus `cmd:"" help:"List every migration and whether it is applied."`
}

type migrateUp struct{}

// Run migrates and says so.
func (migrateUp) Run(e environment) error {
	if err := app.Migrate(e.ctx, e.database, e.log); err != nil {
		return err
	}
	fmt.Println("the schema is up to date")
	return nil
}

type migrateStatus struct{}

// Run prints one line per migration.
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
