package main

import (
	"context"
	"fmt"
	"strings"
	"time"

	"laurel.example/laurel/scripts/torture/proxy"
)

// step is one kind of interruption.
type step struct {
	name   string
	engine string // empty: both
	play   func(ctx context.Context, o options, s *stepRun, t *reporter)
}

// steps returns all steps in their order, each with the engine that it needs, or "" if it is for both.
func steps() []step {
	return []step{
		{"kill", "", playKill},
		{"stop", "postgres", playStop},
		{"nodes", "postgres", playNodes},
		{"cut", "postgres", playCut},
		{"disk", "", playDisk},
		{"trade", "", playTrade},
	}
}

// stepNames returns the names of all steps.
func stepNames() []string {
	var out []string
	for _, s := range steps() {
		out = append(out, s.name)
	}
	return out
}

// wants reports whether a step is to run on an engine: it was selected, or none was, and it is for that engine.
func (o options) wants(s step, engine string) bool {
	isSelected := len(o.steps) == 0
	for _, name := range o.steps {
		isSelected = isSelected || name == s.name
	}
	return isSelected && (s.engine == "" || s.engine == engine)
}

// roundCount returns how many rounds a step has: the number of --rounds if it is given, else short in the short form,
// else long.
func (o options) roundCount(long, short int) int {
	if o.rounds > 0 {
		return o.rounds
	}
	if o.short {
		return short
	}
	return long
}

// acknowledgementsBeforeFault returns after how many acknowledgements an interruption comes, at random.
func (w *world) acknowledgementsBeforeFault() int { return 100 + w.rng.IntN(300) }

// pause sleeps for a short random time, so that an interruption may come anywhere between two commits.
func (w *world) pause() { time.Sleep(time.Duration(w.rng.IntN(20_000)) * time.Microsecond) }

// playKill kills the only server with SIGKILL, again and again, and starts another.
func playKill(ctx context.Context, o options, s *stepRun, t *reporter) {
	rounds := o.roundCount(20, 2)
	s.runScenario(ctx, o, t, func(w *world) {
		for i := range rounds {
			w.playRound(ctx, t, s.title("kill -9", i, rounds), func(c *roundClients) error {
				if err := c.waitForMore(ctx, w.acknowledgementsBeforeFault()); err != nil {
					return err
				}
				w.pause()
				w.killNode(0)
				if err := w.startNode(ctx, w.database); err != nil {
					return err
				}
				return c.waitForMore(ctx, 50)
			})
		}
	})
}

// playStop crashes PostgreSQL and starts it again, under one, two or three servers, which go on running.
func playStop(ctx context.Context, o options, s *stepRun, t *reporter) {
	rounds := o.roundCount(6, 1)
	s.runScenario(ctx, o, t, func(w *world) {
		for i := range rounds {
			count := 1 + i/2%3 // two rounds each with one, two and three servers
			if err := w.startNodesUpTo(ctx, count); err != nil {
				t.addRound(s.title("PostgreSQL crash", i, rounds), "a server did not start", 0, []string{"stuck: " + err.Error()})
				return
			}
			w.playRound(ctx, t, s.title(fmt.Sprintf("PostgreSQL crash under %d", count), i, rounds), func(c *roundClients) error {
				if err := c.waitForMore(ctx, w.acknowledgementsBeforeFault()); err != nil {
					return err
				}
				w.pause()
				if err := s.postgres.crash(ctx); err != nil {
					return err
				}
				if err := s.postgres.start(ctx); err != nil {
					return err
				}
				return c.waitForMore(ctx, 200)
			})
			w.killAllBut(count % 3) // one after three, so that the count begins anew
		}
	})
}

// playNodes runs three or two servers, by turns, on one PostgreSQL database, and kills one of them in each round.
func playNodes(ctx context.Context, o options, s *stepRun, t *reporter) {
	rounds := o.roundCount(8, 1)
	s.runScenario(ctx, o, t, func(w *world) {
		for i := range rounds {
			count := 3 - i%2
			if err := w.startNodesUpTo(ctx, count); err != nil {
				t.addRound(s.title("a node killed", i, rounds), "a server did not start", 0, []string{"stuck: " + err.Error()})
				return
			}
			w.playRound(ctx, t, s.title(fmt.Sprintf("one of %d nodes killed", count), i, rounds), func(c *roundClients) error {
				if err := c.waitForMore(ctx, w.acknowledgementsBeforeFault()); err != nil {
					return err
				}
				w.pause()
				w.killNode(w.rng.IntN(count))
				return c.waitForMore(ctx, 200)
			})
			w.killAllBut(1)
		}
	})
}

// killAllBut kills servers until count of them are left, but leaves at least one.
func (w *world) killAllBut(count int) {
	for len(w.nodes) > max(count, 1) {
		w.killNode(0)
	}
}

// startNodesUpTo starts servers until count of them run.
func (w *world) startNodesUpTo(ctx context.Context, count int) error {
	for len(w.nodes) < count {
		if err := w.startNode(ctx, w.database); err != nil {
			return err
		}
	}
	return nil
}

// playCut cuts connections of the server inside COMMIT, so that it does not know whether the transaction was committed.
func playCut(ctx context.Context, o options, s *stepRun, t *reporter) {
	rounds, cycles := o.roundCount(8, 1), 3
	if o.short {
		cycles = 1
	}
	p, err := proxy.Start(ctx, s.postgres.host(), func() error { return s.postgres.crashAndUseUpNumbers(ctx) })
	if err == nil {
		defer p.Close()
	}
	database, fault := s.newDatabase(ctx)
	if err != nil || fault != nil {
		t.addRound(
			s.title("cut inside COMMIT", 0, rounds),
			"the proxy did not start",
			0,
			[]string{fmt.Sprint("stuck: ", err, fault)},
		)
		return
	}
	through := strings.Replace(database, s.postgres.host(), p.Address(), 1)
	stepDatabase{stepRun: s, database: database, serverDatabase: through}.play(ctx, o, t, func(w *world) {
		for i := range rounds {
			w.playRound(ctx, t, s.title("cut inside COMMIT", i, rounds), func(c *roundClients) error {
				for n := range cycles * len(proxy.Cuts) {
					kind := proxy.Cuts[n%len(proxy.Cuts)]
					if kind.Hold > time.Second && n >= len(proxy.Cuts) {
						continue // a long hold once is enough
					}
					if err := c.waitForMore(ctx, 10+w.rng.IntN(40)); err != nil {
						return err
					}
					w.pause()
					if err := withPatience(ctx, func(ctx context.Context) error { return p.CutNext(ctx, kind) }); err != nil {
						return fmt.Errorf("%s: %w", kind.Name, err)
					}
				}
				return c.waitForMore(ctx, 50)
			})
		}
	})
}
