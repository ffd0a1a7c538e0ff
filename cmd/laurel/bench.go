package main

import (
	"errors"
	"fmt"
	"os"
	"time"

	"laurel/internal/bench"
)

type benchCommand struct {
	Row        []int  `help:"Rows of docs/benchmarks.md; none: all."`
	Engine     string `help:"sqlite or postgres; none: each row on its own engine." enum:"sqlite,postgres," default:""`
	JSON       bool   `name:"json" help:"Print an array of results on standard output and nothing else there."`
	Seconds    int    `help:"Measured time of each run." default:"10"`
	Scale      int    `help:"Scale of pgbench." default:"50"`
	Members    int    `help:"Members in the database that completions are measured on." default:"200000"`
	Accounts   int    `help:"Accounts of the large data set." default:"10000000"`
	Entries    int    `help:"Entries of the large data set." default:"20000000"`
	Data       string `help:"Folder that keeps PostgreSQL and the large data set for the next run; none: a temporary one." type:"path"`
	Postgres   string `help:"Address of a PostgreSQL server to use, with the right to make databases; none: a throwaway one is started."`
	CPUProfile string `name:"cpuprofile" help:"Write the CPU profile of the measured server to this file." type:"path"`
}

// Run measures and prints. Whether goals are met does not change the exit status: that is for people to judge.
func (c benchCommand) Run(e environment) error {
	program, err := os.Executable()
	if err != nil {
		return err
	}
	fmt.Fprintln(os.Stderr, bench.Heading(e.ctx))
	results, err := bench.Run(e.ctx, bench.Options{Rows: c.Row, Engine: c.Engine, Seconds: time.Duration(c.Seconds) * time.Second, Scale: c.Scale,
		Members: c.Members, Accounts: c.Accounts, Entries: c.Entries, Data: c.Data, Postgres: c.Postgres, Profile: c.CPUProfile, Program: program,
		Progress: os.Stderr})
	if results == nil && err != nil {
		return err
	}
	if c.JSON {
		return errors.Join(err, printJSON(results))
	}
	return errors.Join(err, bench.Print(os.Stdout, results))
}
