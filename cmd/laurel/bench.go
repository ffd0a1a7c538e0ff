package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"

	"laurel.example/laurel/internal/dev/bench"
)

type benchCommand struct {
	Row        rowNumbers `help:"Rows of docs/benchmarks.md to measure. Default: all." placeholder:"1,2"`
	Engine     string     `help:"Engine: sqlite or postgres. Default: the engine of each row." enum:"sqlite,postgres," default:""`
	JSON       bool       `name:"json" help:"Print the results as a JSON array."`
	Seconds    int        `help:"Duration of each run." default:"20"`
	Scale      int        `help:"Scale factor of pgbench." default:"50"`
	Members    int        `help:"Number of members in the database for completions." default:"200000"`
	Wallets    bool       `help:"Identify members by wallet instead of by ID."`
	Accounts   int        `help:"Number of accounts in the large data set." default:"10000000"`
	Entries    int        `help:"Number of entries in the large data set." default:"20000000"`
	Data       string     `help:"Folder that stores PostgreSQL and the large data set for the next run. Default: a temporary folder." type:"path"`
	Postgres   string     `help:"URL of a PostgreSQL server to use, with the right to create databases. Default: a temporary server."`
	CPUProfile string     `name:"cpuprofile" help:"Write the CPU profile of the measured server to this file, with one file per row." type:"path"`
	Growth     string     `help:"Measure rows 1, 2, 6 and 7 at each of --sizes instead, and write a chart (SVG) to this file." type:"path"`
	Sizes      []int      `help:"Numbers of entries for --growth." default:"1000000,5000000,20000000"`
}

// rowNumbers are the numbers of a flag, divided by commas. There is at least one: a script's variable that is not set
// must not measure everything, which takes an hour.
type rowNumbers []int

// UnmarshalText appends the numbers in one use of a flag, such as 1,2. The flag may be repeated: each use adds to the
// list.
func (r *rowNumbers) UnmarshalText(text []byte) error {
	for part := range strings.SplitSeq(string(text), ",") {
		n, err := strconv.Atoi(part)
		if err != nil {
			return errors.New("must be numbers of rows such as 1,2")
		}
		*r = append(*r, n)
	}
	return nil
}

// Run measures the rows of docs/benchmarks.md and prints the results. With --growth it measures some rows at each size
// of --sizes instead. Missed goals do not change the exit status: people judge them. After an error Run still prints
// the rows that were measured before it.
func (c benchCommand) Run(e environment) error {
	program, err := os.Executable()
	if err != nil {
		return err
	}
	fmt.Fprintln(os.Stderr, bench.Heading(e.ctx))
	options := bench.Options{
		Rows:     c.Row,
		Engine:   c.Engine,
		Time:     time.Duration(c.Seconds) * time.Second,
		Scale:    c.Scale,
		Members:  c.Members,
		Wallets:  c.Wallets,
		Accounts: c.Accounts,
		Entries:  c.Entries,
		Data:     c.Data,
		Postgres: c.Postgres,
		Profile:  c.CPUProfile,
		Program:  program,
		Progress: os.Stderr,
	}
	var results []bench.Result
	if c.Growth == "" {
		results, err = bench.Run(e.ctx, options)
	} else {
		results, err = c.grow(e, options)
	}
	if len(results) == 0 && err != nil {
		return err
	}
	if c.JSON {
		return errors.Join(err, printJSON(results))
	}
	return errors.Join(err, bench.Print(os.Stdout, results))
}

// grow measures the service at each size of --sizes, writes a chart to the file of --growth, and returns the results of
// all sizes.
func (c benchCommand) grow(e environment, o bench.Options) ([]bench.Result, error) {
	grown, err := bench.MeasureGrowth(e.ctx, o, c.Sizes)
	if err != nil {
		return nil, err
	}
	var results []bench.Result
	for _, g := range grown {
		results = append(results, g.Results...)
	}
	var picture bytes.Buffer
	if err := bench.PlotGrowth(&picture, grown); err != nil {
		return results, err
	}
	return results, os.WriteFile(c.Growth, picture.Bytes(), 0o644) //nolint:gosec // a picture for everybody
}
