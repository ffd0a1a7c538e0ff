// Package bench measures the service as its clients see it and sets each figure beside a limit of the same machine,
// measured in the same run: pgbench, Redis, or another row. It is a client: it starts servers of this program, calls
// them over HTTP, and owns no table. It fills tables in bulk where making the same rows through the service would take
// hours.
package bench

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/dev/bulk"
)

// The engines.
const (
	SQLite   = "sqlite"
	Postgres = "postgres"
)

// Options says what to measure, and on what.
type Options struct {
	Rows     []int         // empty: every row of the engine
	Engine   string        // SQLite, Postgres, or empty: each row on its own engine
	Time     time.Duration // how long each run is measured
	Scale    int           // of pgbench
	Members  int           // of the database that completions are measured on
	Wallets  bool          // completions name members by their wallets, not by their ids
	Accounts int           // of the large data set
	Entries  int           // of the large data set
	Data     string        // folder that stores the data; empty: a temporary one
	Postgres string        // address of a server to use; empty: one is started
	Profile  string        // file for the CPU profile of the measured server; empty: none
	Program  string        // the laurel binary that is measured
	Progress io.Writer     // gets lines that say what is being done
}

// Validate returns nil, or one Invalid error with every fault, named by the flags of the command.
func (o Options) Validate() error {
	var f laurel.Faults
	for _, n := range o.Rows {
		i := slices.IndexFunc(rows, func(r row) bool { return r.number == n })
		if i < 0 {
			f.Add("--row", "names %d, and there is no row %d", n, n)
		} else if o.Engine != "" && !slices.Contains(rows[i].engines, o.Engine) {
			f.Add("--row", "names %d, and row %d is not measured on %s", n, n, o.Engine)
		}
	}
	if o.Time < time.Second {
		f.Add("--seconds", "must be at least 1")
	}
	if o.Scale < 1 {
		f.Add("--scale", "must be at least 1")
	}
	if o.Members < minMembers || o.Members > maxPeople {
		f.Add("--members", "must be between %d and %d", minMembers, maxPeople)
	}
	if o.Accounts < minMembers || o.Accounts > maxPeople {
		f.Add("--accounts", "must be between %d and %d", minMembers, maxPeople)
	} else {
		bulk.ShapeOf(o.Accounts, o.Entries).Check(&f, o.Entries)
	}
	return f.Err()
}

// row is one row of docs/benchmarks.md.
type row struct {
	number  int
	engines []string // the first one is used unless Options name one
	measure func(*bench, context.Context) ([]Result, error)
}

var rows = []row{
	{1, []string{Postgres, SQLite}, (*bench).measureCompletions64},
	{2, []string{Postgres, SQLite}, (*bench).measureCompletions512},
	{3, []string{SQLite}, (*bench).measureCompletionsSQLite},
	{4, []string{Postgres, SQLite}, (*bench).measureHotRows},
	{5, []string{Postgres, SQLite}, (*bench).measureCore},
	{6, []string{Postgres}, (*bench).measureRank},
	{7, []string{Postgres}, (*bench).measureFilters},
	{8, []string{Postgres}, (*bench).measureLarge},
	{9, []string{Postgres, SQLite}, (*bench).measureWebhooks},
	{10, []string{SQLite}, (*bench).measureFunctions},
	{12, []string{SQLite}, (*bench).measureColdStart},
	{14, []string{Postgres, SQLite}, (*bench).measureFanOut},
	{15, []string{Postgres, SQLite}, (*bench).measureBadges},
	{16, []string{Postgres, SQLite}, (*bench).measureCommerce},
	{17, []string{Postgres}, (*bench).measurePages},
	{19, []string{Postgres, SQLite}, (*bench).measureVerifications},
}

// bench is one run of the program.
type bench struct {
	Options
	engine   string // of the row under way
	row      int
	dir      string // for databases and other files
	cluster  *cluster
	cleanups []func() error
}

// Run measures the rows that the options select and returns their results in order. A row that fails ends the run; then
// the results before it are returned with the error.
func Run(ctx context.Context, o Options) (results []Result, err error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	b := &bench{Options: o}
	if err := b.createFolder(); err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, b.close()) }()
	for _, r := range rows {
		if !o.wants(r) {
			continue
		}
		b.row, b.engine = r.number, o.Engine
		if b.engine == "" {
			b.engine = r.engines[0]
		}
		b.logf("row %d on %s", b.row, b.engine)
		lines, err := r.measure(b, ctx)
		results = append(results, lines...)
		if err != nil {
			return results, fmt.Errorf("row %d: %w", r.number, err)
		}
	}
	return results, nil
}

// wants reports whether a row is selected: by its number or, without numbers, by the engine.
func (o Options) wants(r row) bool {
	if len(o.Rows) > 0 {
		return slices.Contains(o.Rows, r.number)
	}
	return o.Engine == "" || slices.Contains(r.engines, o.Engine)
}

// createFolder creates the folder of the run: the data folder, or a temporary one that close removes.
func (b *bench) createFolder() error {
	if b.Data == "" {
		dir, err := os.MkdirTemp("", "laurel-bench-")
		b.dir = dir
		b.onClose(func() error { return os.RemoveAll(dir) })
		return err
	}
	dir, err := filepath.Abs(b.Data)
	b.dir = dir
	return errors.Join(
		err,
		os.MkdirAll(dir, 0o755),
	) //nolint:gosec // the user that runs PostgreSQL must reach its own folder inside
}

// onClose adds a function that close calls, the newest first.
func (b *bench) onClose(f func() error) { b.cleanups = append(b.cleanups, f) }

// close calls the functions of onClose and returns all their errors.
func (b *bench) close() error {
	var err error
	for _, f := range slices.Backward(b.cleanups) {
		err = errors.Join(err, f())
	}
	return err
}

func (b *bench) logf(format string, arguments ...any) {
	_, _ = fmt.Fprintf(b.Progress, time.Now().Format(time.TimeOnly)+" "+format+"\n", arguments...)
}

// profile returns the file for the CPU profile of the row under way; "" for none. With several rows each has a file of
// its own.
func (b *bench) profile() string {
	if b.Profile == "" || len(b.Rows) == 1 {
		return b.Profile
	}
	extension := filepath.Ext(b.Profile)
	return fmt.Sprintf("%s-row%d%s", strings.TrimSuffix(b.Profile, extension), b.row, extension)
}
