// Command laurel is the service and its tools: serve, demo, init, organizations, keys, admin, secrets, migrate, verify,
// replay, functions, bench, listen and version.
package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/signal"
	"syscall"

	"github.com/alecthomas/kong"

	"laurel"
	"laurel/internal/app"
)

// cli is every command with its flags; each flag may be set by its environment variable instead.
type cli struct {
	Database string `help:"Database: sqlite:PATH or postgres://user@host/name." env:"LAUREL_DATABASE_URL" default:"${database}"`
	Log      string `help:"Log level: debug, info, warn or error. Default: info, or warn for the demo." env:"LAUREL_LOG" enum:",debug,info,warn,error" default:""`

	ShowVersion kong.VersionFlag `name:"version" help:"Print the version."`

	Serve         serveCommand         `cmd:"" help:"Serve the API until interrupted."`
	Demo          demoCommand          `cmd:"" help:"Serve a demo program with sample members and history, on its own database."`
	Init          initCommand          `cmd:"" help:"Create an organization with a website, a currency and one key of each kind."`
	Organizations organizationsCommand `cmd:"" help:"List organizations and their websites."`
	Websites      websitesCommand      `cmd:"" help:"Record when the terms of a website were signed."`
	Keys          keysCommand          `cmd:"" help:"Create, list and revoke API keys."`
	Admin         adminCommand         `cmd:"" help:"Invite people to the dashboard, or reset the password of an admin."`
	Secrets       secretsCommand       `cmd:"" help:"Rotate the secrets that sign member tokens, or the secret that encrypts all others."`
	Migrate       migrateCommand       `cmd:"" help:"Apply database migrations, or list their state."`
	Verify        verifyCommand        `cmd:"" help:"Verify the ledger: recompute every balance and every sealed block from the entries. Exits with status 1 if anything differs."`
	Replay        replayCommand        `cmd:"" help:"Show what a changed rule would have paid for past completions."`
	SealKey       sealKeyCommand       `cmd:"" help:"Print the public key that signs the blocks of the ledger."`
	Functions     functionsCommand     `cmd:"" help:"Deploy, list and run functions, and read their logs."`
	Listen        listenCommand        `cmd:"" help:"Print the events of a website during development, and forward them to a local URL."`
	Bench         benchCommand         `cmd:"" help:"Measure the service and pgbench on this machine."`
	Version       versionCommand       `cmd:"" help:"Print the version."`
}

// environment is what commands share.
type environment struct {
	ctx      context.Context
	database string
	log      *slog.Logger
	secrets  bool // the command opens or seals secrets: LAUREL_SECRET must be the right one
}

// withApp runs f on the service over a database that is there and up to date. It waits for a running server's writes
// rather than fail.
func (e environment) withApp(f func(*app.App) error) error {
	return e.run(app.Config{NoMigrate: true}, f)
}

// making is with for the one command that may make and migrate its database.
func (e environment) making(f func(*app.App) error) error { return e.run(app.Config{}, f) }

func (e environment) run(c app.Config, f func(*app.App) error) error {
	c.Database, c.Secret, c.Logger, c.Unsealed = e.database, os.Getenv(secretVariable), e.log, !e.secrets
	a, err := app.Open(e.ctx, c)
	if err != nil {
		return err
	}
	if err := f(a); err != nil {
		_ = a.Close()
		return err
	}
	return a.Close()
}

const (
	secretVariable    = "LAUREL_SECRET"
	defaultDatabase   = "sqlite:laurel.db"
	newSecretVariable = "LAUREL_NEW_SECRET"
)

// Exit statuses.
const (
	failed = 1 // the command could not do its work, or verify found a difference
	misuse = 2 // the command line asks for what there is not; nothing was done
)

func main() {
	if app.IsFunctionsChild(os.Args) {
		os.Exit(app.RunFunctions())
	}
	os.Exit(run(os.Args[1:]))
}

// run returns the exit status.
func run(arguments []string) int {
	var c cli
	parser := kong.Must(
		&c,
		kong.Name("laurel"),
		kong.Vars{"version": app.Version(), "database": defaultDatabase},
		kong.Description(
			"Laurel is a self-hostable loyalty and engagement service. "+secretVariable+" seals secrets at rest.",
		),
	)
	parsed, err := parser.Parse(arguments)
	if err != nil {
		fmt.Fprintf(os.Stderr, "laurel: %s\nrun laurel --help\n", err)
		return misuse
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	go obey(signals, cancel)
	log := slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: levelOf(c.Log, parsed.Command())}))
	slog.SetDefault(log)
	return report(parsed.Run(environment{ctx: ctx, database: c.Database, log: log}))
}

// levelOf returns how much is logged. The demo is for who looks at its card, which a log would bury.
func levelOf(name, command string) slog.Level {
	level := slog.LevelInfo
	if command == "demo" {
		level = slog.LevelWarn
	}
	if name != "" {
		_ = level.UnmarshalText([]byte(name)) // the flag takes nothing else
	}
	return level
}

// obey ends the command's work on the first signal and the process on the second, with the status that shells give to a
// signal.
func obey(signals <-chan os.Signal, cancel context.CancelFunc) {
	<-signals
	cancel()
	status := failed
	if number, ok := (<-signals).(syscall.Signal); ok {
		status = 128 + int(number)
	}
	os.Exit(status)
}

// report prints an error, each fault of the input on a line of its own, and returns the exit status.
func report(err error) int {
	if err == nil {
		return 0
	}
	var refused *laurel.Error
	if !errors.As(err, &refused) || len(refused.Faults) < 2 {
		fmt.Fprintln(os.Stderr, "laurel:", err)
	} else {
		for _, f := range refused.Faults {
			fmt.Fprintln(os.Stderr, "laurel:", f.Message)
		}
	}
	if laurel.CodeOf(err) == laurel.Invalid {
		return misuse
	}
	return failed
}
