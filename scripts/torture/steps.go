package main

import (
	"context"
	"fmt"
	"time"
)

func init() {
	steps = []step{
		{"kill", "", playKill},
	}
}

// wants reports whether a step is asked for.
func (o options) wants(s step, engine string) bool {
	for _, name := range o.steps {
		if name == s.name {
			return s.engine == "" || s.engine == engine
		}
	}
	return len(o.steps) == 0 && (s.engine == "" || s.engine == engine)
}

// times answers how many rounds a step has.
func (o options) times(long, short int) int {
	if o.short {
		return short
	}
	return long
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

// on makes a world of its own for a step; a world that cannot be made is a red round.
func (s *stage) on(ctx context.Context, o options, t *tally, play func(w *world)) {
	database, err := s.newDatabase(ctx)
	var w *world
	if err == nil {
		w, err = newWorld(ctx, o, s, database, database)
	}
	if w != nil {
		defer w.close()
	}
	if err != nil {
		t.round(s.title(s.name, 0, 1), "the server did not come up", 0, []string{"stuck: " + err.Error()})
		return
	}
	play(w)
}

// moment answers after how many acknowledgements an interruption comes.
func (w *world) moment() int { return 100 + w.rng.IntN(300) }

// pause is a short while, so that an interruption may come anywhere between two commits.
func (w *world) pause() { time.Sleep(time.Duration(w.rng.IntN(20_000)) * time.Microsecond) }

// playKill ends the only server with SIGKILL, again and again, and starts it anew.
func playKill(ctx context.Context, o options, s *stage, t *tally) {
	rounds := o.times(20, 2)
	if o.rounds > 0 {
		rounds = o.rounds
	}
	s.on(ctx, o, t, func(w *world) {
		for i := range rounds {
			w.round(ctx, t, s.title("kill -9", i, rounds), func(c *crew) error {
				if err := c.reach(ctx, w.moment()); err != nil {
					return err
				}
				w.pause()
				w.lose(0)
				if err := w.join(ctx, w.database); err != nil {
					return err
				}
				return c.reach(ctx, 50)
			})
		}
	})
}
