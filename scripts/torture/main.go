// Command torture drives random completions, transactions, progress, codes and rule edits from 64 clients against real
// server processes, interrupts them (kills, a database that stops, a full disk, connections cut inside COMMIT), and
// then holds every answer that was given against what the database says. In a step of its own hundreds of members bid,
// buy, reserve and claim. It is a client of the built program and knows nothing of its inside. scripts/torture.sh runs
// it.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// options are the settings of one run.
type options struct {
	engines        []string
	seeds          []uint64
	steps          []string // empty: all
	short          bool
	rounds         int    // of each step, when not 0
	laurel         string // the program; empty: built here
	tags           string // for building it
	postgres       string // the folder of initdb and pg_ctl
	dir            string // logs and databases; empty: a new one
	isTemporaryDir bool   // dir is a new one: removed when all is well
	limit          time.Duration
	tradeDuration  time.Duration // how long the step of that name goes on, when not 0
	out            io.Writer
}

func main() { os.Exit(runCommand()) }

// runCommand runs the command with the arguments of the process and returns the exit status.
func runCommand() int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	o, err := parseOptions(os.Args[1:], os.Stdout)
	switch {
	case errors.Is(err, flag.ErrHelp):
		return 0
	case err != nil:
		fmt.Fprintln(os.Stderr, "torture:", err)
		return 2
	case !o.run(ctx):
		return 1
	}
	return 0
}

// parseOptions parses the arguments of the command. If no seeds are given, it draws as many as the flag seeds says.
// Errors: flag.ErrHelp after it has printed the help, and one for arguments that are not allowed.
func parseOptions(args []string, out io.Writer) (options, error) {
	o := options{out: out}
	flags := flag.NewFlagSet("torture", flag.ContinueOnError)
	flags.SetOutput(out)
	engine := flags.String("engine", "both", "sqlite, postgres or both")
	seeds := flags.String("seed", os.Getenv("SEED"), "seeds to replay, separated by commas; also as SEED")
	count := flags.Int("seeds", 3, "how many new seeds to draw when none is given")
	steps := flags.String("step", "", "only these steps, separated by commas: "+strings.Join(stepNames(), ", "))
	flags.BoolVar(&o.short, "short", false, "one seed and few rounds, for every change")
	flags.IntVar(&o.rounds, "rounds", 0, "rounds of each step, instead of its own number")
	flags.StringVar(&o.laurel, "laurel", "", "the program to torture; without it ./cmd/laurel is built")
	flags.StringVar(&o.tags, "tags", "", "build tags for building it")
	flags.StringVar(&o.postgres, "postgres-bin", "", "the folder of initdb and pg_ctl")
	flags.StringVar(&o.dir, "dir", "", "folder for databases and logs; without it a new one, removed when all is well")
	flags.DurationVar(
		&o.tradeDuration, "trade", 0, "how long the step trade goes on, instead of its own time, such as 10m",
	)
	flags.DurationVar(&o.limit, "limit", time.Hour, "the longest that all of it may take")
	if err := flags.Parse(args); err != nil {
		return o, err
	}
	switch *engine {
	case "both":
		o.engines = []string{"sqlite", "postgres"}
	case "sqlite", "postgres":
		o.engines = []string{*engine}
	default:
		return o, fmt.Errorf("there is no engine %q", *engine)
	}
	for _, name := range splitList(*steps) {
		if !slices.Contains(stepNames(), name) {
			return o, fmt.Errorf("there is no step %q", name)
		}
		o.steps = append(o.steps, name)
	}
	for _, text := range splitList(*seeds) {
		seed, err := strconv.ParseUint(text, 10, 64)
		if err != nil {
			return o, fmt.Errorf("a seed is a whole number: %w", err)
		}
		o.seeds = append(o.seeds, seed)
	}
	if o.short {
		*count = 1
	}
	for len(o.seeds) == 0 || len(o.seeds) < *count && *seeds == "" {
		o.seeds = append(o.seeds, rand.Uint64N(1_000_000))
	}
	return o, nil
}

// splitList splits a list at commas and spaces.
func splitList(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool { return r == ',' || r == ' ' })
}

// run runs every step for every seed and engine, and reports whether all went well.
func (o options) run(ctx context.Context) bool {
	ctx, cancel := context.WithTimeout(ctx, o.limit)
	defer cancel()
	began := time.Now()
	if o.dir == "" {
		dir, err := os.MkdirTemp("", "laurel-torture-")
		if err != nil {
			fmt.Fprintln(o.out, "torture:", err)
			return false
		}
		o.dir, o.isTemporaryDir = dir, true
	}
	o.dir, _ = filepath.Abs(o.dir)
	if err := o.build(ctx); err != nil {
		fmt.Fprintln(o.out, "torture:", err)
		return false
	}
	t := &reporter{out: o.out}
	for _, seed := range o.seeds {
		for _, engine := range o.engines {
			o.torture(ctx, t, seed, engine)
		}
	}
	return t.printSummary(o, time.Since(began))
}

// build builds the program under test and sets o.laurel to its path. If the option names a program, that one is used.
func (o *options) build(ctx context.Context) error {
	if o.laurel != "" {
		path, err := filepath.Abs(o.laurel)
		o.laurel = path
		return err
	}
	o.laurel = filepath.Join(o.dir, "laurel")
	out, err := exec.CommandContext(ctx, "go", "build", "-buildvcs=false", "-tags", o.tags, "-o", o.laurel, "laurel.example/laurel/cmd/laurel").
		CombinedOutput()
	if err != nil {
		return fmt.Errorf("go build: %w\n%s", err, out)
	}
	return nil
}
