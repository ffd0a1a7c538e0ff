package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
)

// stage is where one step of one seed plays.
type stage struct {
	name string // of the step
	dir  string
	seed uint64
	pg   *postgres // nil: SQLite
}

// newDatabase returns the address of an empty database.
func (s *stage) newDatabase(ctx context.Context) (string, error) {
	if s.pg == nil {
		return "sqlite:" + filepath.Join(s.dir, "laurel.db"), nil
	}
	return s.pg.create(ctx, "torture_"+s.name)
}

func (s *stage) engine() string {
	if s.pg == nil {
		return "sqlite"
	}
	return "postgres"
}

func (s *stage) title(what string, i, of int) string {
	return fmt.Sprintf("seed %d %s %s %d/%d", s.seed, s.engine(), what, i+1, of)
}

// runScenario makes a world of its own for a step, on a new database that is reached directly.
func (s *stage) runScenario(ctx context.Context, o options, t *tally, play func(w *world)) {
	database, err := s.newDatabase(ctx)
	if err != nil {
		t.round(s.title(s.name, 0, 1), "there is no database", 0, []string{"stuck: " + err.Error()})
		return
	}
	position{s, database, database}.play(ctx, o, t, play)
}

// position is a stage with its database.
type position struct {
	*stage
	database, through string // as the command line reaches it, and as the servers do
}

// play makes the world; one that cannot be made is a red round.
func (a position) play(ctx context.Context, o options, t *tally, play func(w *world)) {
	w, err := newWorld(ctx, o, a)
	defer w.close()
	if err != nil {
		t.round(a.title(a.name, 0, 1), "the server did not come up", 0, []string{"stuck: " + err.Error()})
		return
	}
	play(w)
	if !o.short && ctx.Err() == nil {
		w.drain(ctx, t, a.title(a.name+", the last clicks", 0, 1))
	}
}

// torture carries out the steps of one seed on one engine.
func (o options) torture(ctx context.Context, t *tally, seed uint64, engine string) {
	name := fmt.Sprintf("seed %d %s", seed, engine)
	dir := filepath.Join(o.dir, fmt.Sprintf("%s-%d", engine, seed))
	var pg *postgres
	if engine == "postgres" {
		var err error
		if pg, err = startPostgres(ctx, o, filepath.Join(dir, "server")); err != nil {
			t.round(name, "PostgreSQL did not start", 0, []string{"stuck: " + err.Error()})
			return
		}
		defer pg.close() //nolint:contextcheck // also after the run was broken off
	}
	for _, step := range steps() {
		if !o.wants(step, engine) || ctx.Err() != nil {
			continue
		}
		s := &stage{name: step.name, dir: filepath.Join(dir, step.name), seed: seed, pg: pg}
		if err := os.MkdirAll(s.dir, 0o755); err != nil { //nolint:gosec // PostgreSQL's user passes here
			t.round(name, "no folder", 0, []string{err.Error()})
			return
		}
		step.play(ctx, o, s, t)
	}
	if ctx.Err() != nil {
		t.round(name, "broken off", 0, []string{"stuck: " + ctx.Err().Error()})
	}
}
