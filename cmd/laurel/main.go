// Command laurel is the service and its tools: serve, doctor, demo, init, organizations,
// websites, members, keys, admin, secrets, migrate, backup, restore, health,
// verify, replay, functions, bench, listen and version.
package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/alecthomas/kong"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/app"
)

// cli has every command with its flags. Many flags may also be set by an environment variable.
type cli struct {
	Database string `help:"Database: sqlite:PATH or postgres://user@host/name." env:"LAUREL_DATABASE_URL" default:"${database}"`
	Log      string `help:"Log level: debug, info, warn or error. Default: info, or warn for the demo." env:"LAUREL_LOG" aliases:"log-level" enum:",debug,info,warn,error" default:""`

	LogFormat string `help:"Format of the log: text, or json with one object per line." env:"LAUREL_LOG_FORMAT" enum:"text,json" default:"text"`

	ShowVersion kong.VersionFlag `name:"version" help:"Print the version."`

	Serve         serveCommand         `cmd:"" help:"Serve the API until interrupted."`
	Doctor        doctorCommand        `cmd:"" help:"Check a set-up: configuration, database, folders, networks and more. Takes the flags of serve, and changes nothing."`
	Demo          demoCommand          `cmd:"" help:"Serve a demo program with sample members and history, on its own database."`
	Init          initCommand          `cmd:"" help:"Create an organization with a website, a currency and one key of each kind."`
	Organizations organizationsCommand `cmd:"" help:"List organizations and their websites."`
	Websites      websitesCommand      `cmd:"" help:"Record when the terms of a website were signed."`
	Members       membersCommand       `cmd:"" help:"Import members of another program with their balances."`
	Keys          keysCommand          `cmd:"" help:"Create, list and revoke API keys."`
	Admin         adminCommand         `cmd:"" help:"Invite people to the dashboard, or reset the password of an admin."`
	Secrets       secretsCommand       `cmd:"" help:"Rotate the secrets that sign member tokens, or the secret that encrypts all others."`
	Migrate       migrateCommand       `cmd:"" help:"Apply database migrations, or list their state."`
	Backup        backupCommand        `cmd:"" help:"Write a backup of a SQLite database and its uploaded files; a server may run meanwhile."`
	Restore       restoreCommand       `cmd:"" help:"Restore a backup; no server may run meanwhile."`
	Health        healthCommand        `cmd:"" help:"Ask the server on this machine whether it is up. Exits with status 1 if it is not."`
	Verify        verifyCommand        `cmd:"" help:"Verify the ledger: recompute every balance and every sealed block from the entries. Exits with status 1 if anything differs."`
	Replay        replayCommand        `cmd:"" help:"Show what a changed rule would have paid for past completions."`
	Networks      networksCommand      `cmd:"" help:"Restart the reader of a blockchain network that has stopped."`
	SealKey       sealKeyCommand       `cmd:"" help:"Print the public key that signs the blocks of the ledger."`
	Functions     functionsCommand     `cmd:"" help:"Deploy, list and run functions, and read their logs."`
	Listen        listenCommand        `cmd:"" help:"Print the events of a website during development, and forward them to a local URL."`
	Bench         benchCommand         `cmd:"" help:"Measure the service and pgbench on this machine."`
	Version       versionCommand       `cmd:"" help:"Print the version."`
}

// environment is what all commands share.
type environment struct {
	ctx      context.Context
	database string
	secret   string // LAUREL_SECRET, or what the file of LAUREL_SECRET_FILE holds
	log      *slog.Logger
	secrets  bool // the command opens or seals secrets: LAUREL_SECRET must be the right one
}

// withApp runs f on the services of a database that must exist and be up to date, and closes them. It does not need the
// file to itself: it waits for writes of a running server.
func (e environment) withApp(f func(*app.App) error) error {
	return e.run(app.Config{NoMigrate: true}, f)
}

// withAppMigrated is withApp for laurel init, the one command that creates its database and migrates it.
func (e environment) withAppMigrated(f func(*app.App) error) error { return e.run(app.Config{}, f) }

// run opens the services with the configuration c and the shared flags, calls f with them and closes them. Unless the
// command set e.secrets, the services can neither open nor seal secrets.
func (e environment) run(c app.Config, f func(*app.App) error) error {
	c.Database, c.Secret, c.Logger, c.WithoutSecrets = e.database, e.secret, e.log, !e.secrets
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
	secretFile        = "LAUREL_SECRET_FILE"
	defaultDatabase   = "sqlite:laurel.db"
	newSecretVariable = "LAUREL_NEW_SECRET"
)

// Exit statuses.
const (
	exitFailed = 1 // the command could not do its work, or verify found a difference
	exitMisuse = 2 // the command line or the input is invalid; nothing was done
)

func main() {
	if app.IsFunctionsChild(os.Args) {
		os.Exit(app.RunFunctions())
	}
	os.Exit(run(os.Args[1:]))
}

// run parses the arguments, runs their command and returns the exit status.
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
		return exitMisuse
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	go cancelOnSignal(signals, cancel)
	log := slog.New(logHandler(c.LogFormat, logLevel(c.Log, parsed.Command())))
	slog.SetDefault(log)
	secret, err := readSecret()
	if err != nil {
		return printError(err)
	}
	err = parsed.Run(environment{ctx: ctx, database: c.Database, secret: secret, log: log})
	if c.LogFormat == jsonLog {
		return logError(log, err)
	}
	return printError(err)
}

// readSecret returns LAUREL_SECRET, or the one line of the file that LAUREL_SECRET_FILE names: secrets of containers
// and of systemd are files. Errors: Invalid if both are set, or the file cannot be read or is empty.
func readSecret() (string, error) {
	secret, path := os.Getenv(secretVariable), os.Getenv(secretFile)
	if path == "" {
		return secret, nil
	}
	if secret != "" {
		return "", laurel.Errorf(laurel.Invalid, "set one of %s and %s, not both", secretVariable, secretFile)
	}
	text, err := os.ReadFile(path) //nolint:gosec // the operator's own choice
	if err != nil {
		return "", laurel.Errorf(laurel.Invalid, "%s: %s", secretFile, err)
	}
	if secret = strings.TrimSpace(string(text)); secret == "" || strings.ContainsAny(secret, "\r\n") {
		return "", laurel.Errorf(laurel.Invalid, "%s: %s must have one line", secretFile, path)
	}
	return secret, nil
}

// jsonLog is the format of a log that programs read.
const jsonLog = "json"

// logHandler returns what writes the log to stderr.
func logHandler(format string, level slog.Level) slog.Handler {
	options := &slog.HandlerOptions{Level: level}
	if format == jsonLog {
		return slog.NewJSONHandler(os.Stderr, options)
	}
	return slog.NewTextHandler(os.Stderr, options)
}

// logLevel returns the level of --log, by its name. Without one it is info, or warn for the demo: a log would bury what
// the demo prints.
func logLevel(name, command string) slog.Level {
	level := slog.LevelInfo
	if command == "demo" {
		level = slog.LevelWarn
	}
	if name != "" {
		_ = level.UnmarshalText([]byte(name)) // the flag takes nothing else
	}
	return level
}

// cancelOnSignal cancels the work of a command on the first signal, and ends the process on the second, with the status
// that shells give to a signal.
func cancelOnSignal(signals <-chan os.Signal, cancel context.CancelFunc) {
	<-signals
	cancel()
	status := exitFailed
	if number, ok := (<-signals).(syscall.Signal); ok {
		status = 128 + int(number)
	}
	os.Exit(status)
}

// printError prints an error, each fault of the input on a line of its own, and returns the exit status; 0 for nil.
func printError(err error) int {
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
	return statusOf(err)
}

// logError logs the error of a command, all its faults in one line, and returns the exit status; 0 for nil.
func logError(log *slog.Logger, err error) int {
	if err == nil {
		return 0
	}
	log.Error("laurel failed", slog.Any("error", err))
	return statusOf(err)
}

// statusOf returns the exit status of an error.
func statusOf(err error) int {
	if laurel.CodeOf(err) == laurel.Invalid {
		return exitMisuse
	}
	return exitFailed
}
