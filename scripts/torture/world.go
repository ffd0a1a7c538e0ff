package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/url"
	"os"
	"path/filepath"
	"sync"
	"time"
)

// world is one database with its servers, the clients and the model.
type world struct {
	program  string // the binary
	dir      string
	seed     uint64
	database string // as the command line takes it, around every proxy
	made     program
	client   *client
	model    *model
	plain    []*rule // without codes and progress
	climbing *rule
	rounds   int
	started  int // servers so far
	rng      *rand.Rand

	mu        sync.Mutex
	nodes     []*node
	addresses []string
}

// newWorld makes the database and a first server, which serves through the address that is given.
func newWorld(ctx context.Context, o options, s *stage, database, through string) (*world, error) {
	w := &world{program: o.laurel, dir: s.dir, seed: s.seed, database: database, client: newClient(), model: &model{}}
	w.rng = rand.New(rand.NewPCG(s.seed, 0)) //nolint:gosec // chance that can be replayed
	if err := w.init(ctx); err != nil {
		return w, err
	}
	w.client.key = w.made.WebsiteAPIKey
	if err := w.join(ctx, through); err != nil {
		return w, err
	}
	return w, w.prepare(ctx)
}

// join starts one more server and lets clients use it.
func (w *world) join(ctx context.Context, database string) error {
	n, err := w.serve(ctx, database)
	if err != nil {
		return err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.nodes = append(w.nodes, n)
	w.route()
	return nil
}

// route tells the clients which servers there are. Where none is left they go on knocking at the last one.
func (w *world) route() {
	if len(w.nodes) == 0 {
		return
	}
	w.addresses = nil
	for _, n := range w.nodes {
		w.addresses = append(w.addresses, n.address)
	}
}

// address is the server of a client.
func (w *world) address(number int) string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.addresses[number%len(w.addresses)]
}

// lose kills a server; its clients learn of it by requests that break.
func (w *world) lose(number int) {
	w.mu.Lock()
	n := w.nodes[number]
	w.nodes = append(w.nodes[:number:number], w.nodes[number+1:]...)
	w.mu.Unlock()
	n.kill()
	w.mu.Lock()
	defer w.mu.Unlock()
	w.route()
}

func (w *world) close() {
	for _, n := range w.nodes {
		n.kill()
	}
	w.client.http.CloseIdleConnections()
}

// settle repeats what has no known outcome and a key: each is answered now, and must then be there once.
func (w *world) settle(ctx context.Context) (settled int, err error) {
	var open []*op
	for _, o := range w.model.ops {
		if o.outcome == unknown && o.repeatable() {
			open = append(open, o)
		}
	}
	for i, o := range open {
		err := eventually(ctx, "an operation that is repeated is answered: "+o.String(), func() bool {
			o.outcome = unsent // whatever was under way is over: what is told now holds
			t := w.ask(ctx, i, o)
			return t.outcome == done || t.outcome == refused
		})
		if err != nil {
			return i, err
		}
	}
	return len(open), nil
}

// round lets the clients work, interrupts them, and checks everything afterwards.
func (w *world) round(ctx context.Context, t *tally, name string, interrupt func(c *crew) error) {
	began := time.Now()
	first := len(w.model.ops)
	findings := func() []string {
		c, err := w.begin(ctx)
		if err != nil {
			return []string{"stuck: the round did not begin: " + err.Error()}
		}
		err = interrupt(c)
		c.end()
		if err != nil {
			return []string{"stuck: " + err.Error()}
		}
		return w.examine(ctx)
	}()
	t.round(name, w.story(first), time.Since(began), findings)
}

// examine checks everything that was ever asked of this world.
func (w *world) examine(ctx context.Context) []string {
	if _, err := w.settle(ctx); err != nil {
		return []string{"stuck: " + err.Error()}
	}
	b, err := w.books(ctx)
	if err != nil {
		return []string{"stuck: the books cannot be read: " + err.Error()}
	}
	findings := append(w.model.wrong, w.model.check(b)...)
	w.model.wrong = nil
	if said, err := w.laurel(ctx, "verify", "--database", w.database); err != nil {
		findings = append(findings, "verify: "+err.Error()+said)
	}
	return findings
}

// story tells what became of a round's operations.
func (w *world) story(first int) string {
	count := map[outcome]int{}
	for _, o := range w.model.ops[first:] {
		count[o.outcome]++
	}
	return fmt.Sprintf("%d acknowledged, %d refused, %d unknown, %d never sent", count[done], count[refused], count[unknown], count[unsent])
}

// stage is where one step of one seed plays.
type stage struct {
	name string // of the step
	dir  string
	seed uint64
	pg   *postgres // nil: SQLite
}

// newDatabase answers the address of an empty database.
func (s *stage) newDatabase(ctx context.Context) (string, error) {
	if s.pg == nil {
		return "sqlite:" + filepath.Join(s.dir, "laurel.db"), nil
	}
	name := fmt.Sprintf("torture_%s", s.name)
	return s.pg.create(ctx, name)
}

// step is one kind of interruption.
type step struct {
	name   string
	engine string // empty: both
	play   func(ctx context.Context, o options, s *stage, t *tally)
}

var steps []step

func stepNames() []string {
	var out []string
	for _, s := range steps {
		out = append(out, s.name)
	}
	return out
}

// torture carries out the steps of one seed on one engine.
func (o options) torture(ctx context.Context, t *tally, seed uint64, engine string) {
	dir := filepath.Join(o.dir, fmt.Sprintf("%s-%d", engine, seed))
	if err := os.MkdirAll(dir, 0o750); err != nil {
		t.round(engine, "no folder", 0, []string{err.Error()})
		return
	}
	var pg *postgres
	if engine == "postgres" {
		var err error
		if pg, err = startPostgres(ctx, o.postgres, filepath.Join(dir, "server")); err != nil {
			t.round(fmt.Sprintf("seed %d postgres", seed), "PostgreSQL did not start", 0, []string{"stuck: " + err.Error()})
			return
		}
		defer pg.close()
	}
	for _, step := range steps {
		if !o.wants(step, engine) || ctx.Err() != nil {
			continue
		}
		s := &stage{name: step.name, dir: filepath.Join(dir, step.name), seed: seed, pg: pg}
		if err := os.MkdirAll(s.dir, 0o750); err != nil {
			t.round(step.name, "no folder", 0, []string{err.Error()})
			continue
		}
		step.play(ctx, o, s, t)
	}
	if ctx.Err() != nil {
		t.round(fmt.Sprintf("seed %d %s", seed, engine), "broken off", 0, []string{"stuck: " + ctx.Err().Error()})
	}
}

func withHost(database, host string) string {
	u, err := url.Parse(database)
	if err != nil {
		return database
	}
	u.Host = host
	return u.String()
}
