package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"time"
)

// world is one database with its servers, the clients and the model.
type world struct {
	program     string // the binary
	dir         string
	seed        uint64
	database    string // as the command line takes it, around every proxy
	made        program
	client      *client
	model       *model
	section     string  // the rule group that comes before others
	plain       []*rule // without codes, clicks and progress
	once        []*rule // of plain: those with one window for ever
	links       []*rule // to be clicked
	tracked     []*rule // with progress
	climbing    *rule
	gauge       *rule
	settlements []*settlement     // by round
	ids         map[string]string // of the users that were there after the last round, by wallet
	rounds      int
	started     int // servers so far
	settled     int // operations of the last round that had to be repeated
	rng         *rand.Rand

	mu        sync.Mutex
	nodes     []*node
	addresses []string
}

// newWorld makes the database, a first server and the rules.
func newWorld(ctx context.Context, o options, a position) (*world, error) {
	w, err := openWorld(ctx, o, a)
	if err != nil {
		return w, err
	}
	err = w.prepare(ctx)
	return w, err
}

// openWorld makes the database and a first server.
func openWorld(ctx context.Context, o options, a position) (*world, error) {
	w := &world{
		program:  o.laurel,
		dir:      a.dir,
		seed:     a.seed,
		database: a.database,
		client:   newClient(),
		ids:      map[string]string{},
		model:    &model{persons: map[string]*person{}, ended: map[[2]string]string{}},
	}
	w.rng = rand.New(rand.NewPCG(a.seed, 0)) //nolint:gosec // chance that can be replayed
	if err := w.init(ctx); err != nil {
		return w, err
	}
	w.client.key = w.made.WebsiteAPIKey
	err := w.startNode(ctx, a.through)
	return w, err
}

// startNode starts one more server and lets clients use it.
func (w *world) startNode(ctx context.Context, database string) error {
	n, err := w.serve(ctx, database)
	if err != nil {
		return err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.nodes = append(w.nodes, n)
	w.updateRoutes()
	return nil
}

// updateRoutes tells the clients which servers there are. Where none is left they go on knocking at the last one.
func (w *world) updateRoutes() {
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

// killNode kills a server; its clients learn of it by requests that break.
func (w *world) killNode(number int) {
	w.mu.Lock()
	n := w.nodes[number]
	w.nodes = append(w.nodes[:number:number], w.nodes[number+1:]...)
	w.mu.Unlock()
	n.kill()
	w.mu.Lock()
	defer w.mu.Unlock()
	w.updateRoutes()
}

func (w *world) close() {
	for _, n := range w.nodes {
		n.kill()
	}
	w.client.http.CloseIdleConnections()
}

// repeatUnknown repeats the operations with a key and without a known outcome: each is answered now, and must then be
// there once.
func (w *world) repeatUnknown(ctx context.Context) error {
	var open []*op
	for _, o := range w.model.ops {
		if o.outcome == unknown && o.repeatable() {
			open = append(open, o)
		}
	}
	w.settled = len(open)
	return runInLanes(len(open), func(i int) error { return w.repeatUntilKnown(ctx, i, open[i]) })
}

// runInLanes does so many things, eight at a time. After an error a lane does no more.
func runInLanes(many int, do func(i int) error) error {
	var wg sync.WaitGroup
	errs := make([]error, 8)
	for lane := range errs {
		wg.Go(func() {
			for i := lane; i < many && errs[lane] == nil; i += len(errs) {
				errs[lane] = do(i)
			}
		})
	}
	wg.Wait()
	return errors.Join(errs...)
}

// repeatUntilKnown sends an operation until it is answered.
func (w *world) repeatUntilKnown(ctx context.Context, number int, o *op) error {
	return eventually(ctx, "an operation that is repeated is answered: "+o.String(), func() bool {
		o.outcome = unsent // whatever was under way is over: what is told now holds
		t := w.ask(ctx, number, o)
		return t.outcome == done || t.outcome == refused
	})
}

// playRound lets the clients work, interrupts them, and checks everything afterwards.
func (w *world) playRound(ctx context.Context, t *tally, name string, interrupt func(c *crew) error) {
	began := time.Now()
	first := len(w.model.ops)
	findings := func() []string {
		c, err := w.begin(ctx)
		if err != nil {
			return []string{"stuck: the round did not begin: " + err.Error()}
		}
		err = interrupt(c)
		c.stop()
		if err != nil {
			return []string{"stuck: " + err.Error()}
		}
		return w.findFindings(ctx)
	}()
	findings, w.model.wrong = append(findings, w.model.wrong...), nil
	t.round(name, w.describeOperations(first), time.Since(began), findings)
}

// findFindings checks all operations of this world and returns what is wrong.
func (w *world) findFindings(ctx context.Context) []string {
	if err := w.repeatUnknown(ctx); err != nil {
		return []string{"stuck: " + err.Error()}
	}
	b, err := w.readStableBooks(ctx)
	if err != nil {
		return []string{"stuck: the books cannot be read: " + err.Error()}
	}
	findings := w.model.check(b)
	if output, err := w.laurel(ctx, "verify", "--database", w.database); err != nil {
		findings = append(findings, "verify: "+err.Error()+output)
	}
	return findings
}

// describeOperations counts the outcomes of a round's operations.
func (w *world) describeOperations(first int) string {
	count := map[outcome]int{}
	for _, o := range w.model.ops[first:] {
		count[o.outcome]++
	}
	return fmt.Sprintf(
		"%d acknowledged, %d refused, %d repeated, %d left unknown",
		count[done],
		count[refused],
		w.settled,
		count[unknown],
	)
}

// drain waits until no click waits any more, some of them for the lease of a server that was killed, and checks once
// more.
func (w *world) drain(ctx context.Context, t *tally, name string) {
	began := time.Now()
	var err error
	for range 3 {
		err = eventually(ctx, "no click waits", func() bool {
			clicks, err := w.readClicks(ctx)
			return err == nil && !slices.ContainsFunc(clicks, func(c clickRow) bool { return c.Status == "pending" })
		})
		if err == nil {
			t.round(name, "no click waits any more", time.Since(began), w.findFindings(ctx))
			return
		}
	}
	t.round(name, "a click waits for ever", time.Since(began), []string{"stuck: " + err.Error()})
}
