// Command laurel is the service and its tools: serve, demo, init, keys, secrets, migrate and verify.
package main

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"os/signal"
	"syscall"

	"github.com/alecthomas/kong"

	"laurel/internal/app"
)

// cli is every command with its flags; each flag may be set by its environment variable instead.
type cli struct {
	Database string `help:"sqlite:PATH or postgres://user@host/name." env:"LAUREL_DATABASE_URL" default:"sqlite:laurel.db"`
	Log      string `help:"How much is logged: debug, info, warn or error." env:"LAUREL_LOG" enum:"debug,info,warn,error" default:"info"`

	Serve   serveCommand   `cmd:"" help:"Serve the API until interrupted."`
	Demo    demoCommand    `cmd:"" help:"Serve a made-up program with members and a history, on a database of its own."`
	Init    initCommand    `cmd:"" help:"Create an organization with a website, a currency and one key of each kind."`
	Keys    keysCommand    `cmd:"" help:"Create, list and revoke API keys."`
	Secrets secretsCommand `cmd:"" help:"Rotate the secrets that sign member tokens."`
	Migrate migrateCommand `cmd:"" help:"Bring the schema up to date, or tell its state."`
	Verify  verifyCommand  `cmd:"" help:"Recompute every balance and running amount from the entries; exit status 1 where anything differs."`
}

// environment is what commands share.
type environment struct {
	ctx      context.Context
	database string
	log      *slog.Logger
}

// open opens the database for a command that ends by itself. It waits for a running server's writes rather than fail.
func (e environment) open() (*app.App, error) {
	return app.Open(e.ctx, app.Config{Database: e.database, Secret: os.Getenv(secretVariable), Logger: e.log})
}

// with runs f on the opened service and closes it.
func (e environment) with(f func(*app.App) error) error {
	a, err := e.open()
	if err != nil {
		return err
	}
	if err := f(a); err != nil {
		_ = a.Close()
		return err
	}
	return a.Close()
}

const secretVariable = "LAUREL_SECRET"

func main() {
	var c cli
	parsed := kong.Parse(&c, kong.Name("laurel"), kong.UsageOnError(),
		kong.Description("Laurel is a self-hostable loyalty and engagement service. "+secretVariable+" seals secrets at rest."))
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	var level slog.Level
	if err := level.UnmarshalText([]byte(c.Log)); err != nil {
		parsed.FatalIfErrorf(err)
	}
	log := slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: level}))
	slog.SetDefault(log)
	if err := parsed.Run(environment{ctx: ctx, database: c.Database, log: log}); err != nil {
		fmt.Fprintln(os.Stderr, "laurel:", err)
		stop()
		os.Exit(1) //nolint:gocritic // stop has run
	}
}
