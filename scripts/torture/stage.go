package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
)

// stepRun is one step of one seed on one engine, with its folder.
type stepRun struct {
	name     string // of the step
	dir      string
	seed     uint64
	postgres *postgres // nil: SQLite
}

// newDatabase returns the address of an empty database.
func (s *stepRun) newDatabase(ctx context.Context) (string, error) {
	if s.postgres == nil {
		return "sqlite:" + filepath.Join(s.dir, "laurel.db"), nil
	}
	return s.postgres.createDatabase(ctx, "torture_"+s.name)
}

func (s *stepRun) engine() string {
	if s.postgres == nil {
		return "sqlite"
	}
	return "postgres"
}

// title returns the title of round i, counted from 0, of so many.
func (s *stepRun) title(what string, i, of int) string {
	return fmt.Sprintf("seed %d %s %s %d/%d", s.seed, s.engine(), what, i+1, of)
}

// runScenario runs play on a world of its own, with a new database that the servers reach directly.
func (s *stepRun) runScenario(ctx context.Context, o options, t *reporter, play func(w *world)) {
	database, err := s.newDatabase(ctx)
	if err != nil {
		t.addRound(s.title(s.name, 0, 1), "there is no database", 0, []string{"stuck: " + err.Error()})
		return
	}
	stepDatabase{stepRun: s, database: database, serverDatabase: database}.play(ctx, o, t, play)
}

// stepDatabase is the database of a step.
type stepDatabase struct {
	*stepRun
	database, serverDatabase string // the address for the command line, and that for the servers
}

// play creates a world on the database and runs the given function on it. A world that cannot be created is a failed
// round. In the long form it then waits for the last clicks.
func (a stepDatabase) play(ctx context.Context, o options, t *reporter, run func(w *world)) {
	w, err := newWorld(ctx, o, a)
	defer w.close()
	if err != nil {
		t.addRound(a.title(a.name, 0, 1), "the server did not come up", 0, []string{"stuck: " + err.Error()})
		return
	}
	run(w)
	if !o.short && ctx.Err() == nil {
		w.waitForClicks(ctx, t, a.title(a.name+", the last clicks", 0, 1))
	}
}

// torture runs the steps of one seed on one engine.
func (o options) torture(ctx context.Context, t *reporter, seed uint64, engine string) {
	name := fmt.Sprintf("seed %d %s", seed, engine)
	dir := filepath.Join(o.dir, fmt.Sprintf("%s-%d", engine, seed))
	var pg *postgres
	if engine == "postgres" {
		var err error
		if pg, err = startPostgres(ctx, o, filepath.Join(dir, "server")); err != nil {
			t.addRound(name, "PostgreSQL did not start", 0, []string{"stuck: " + err.Error()})
			return
		}
		defer pg.close() //nolint:contextcheck // also after the run was broken off
	}
	for _, step := range steps() {
		if !o.wants(step, engine) || ctx.Err() != nil {
			continue
		}
		s := &stepRun{name: step.name, dir: filepath.Join(dir, step.name), seed: seed, postgres: pg}
		if err := os.MkdirAll(s.dir, 0o755); err != nil { //nolint:gosec // PostgreSQL's user passes here
			t.addRound(name, "no folder", 0, []string{err.Error()})
			return
		}
		step.play(ctx, o, s, t)
	}
	if ctx.Err() != nil {
		t.addRound(name, "broken off", 0, []string{"stuck: " + ctx.Err().Error()})
	}
}
