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
	binary             string // the program under test
	dir                string
	seed               uint64
	database           string // the address for the command line, which no proxy is behind
	created            createdProgram
	client             *client
	model              *model
	requiredGroupID    string            // the rule group that others require
	plainRules         []*rule           // without codes, clicks and progress
	onceRules          []*rule           // the plain rules that pay once for all time
	linkRules          []*rule           // whose links are clicked
	progressRules      []*rule           // with progress
	percentRule        *rule             // with progress in percent
	counterRule        *rule             // with progress as a number
	settlements        []*settlement     // by round
	userIDs            map[string]string // of the users after the last round, by wallet
	rounds             int
	startedServers     int // how many so far
	repeatedOperations int // how many of the last round
	rng                *rand.Rand

	mu        sync.Mutex
	nodes     []*node
	addresses []string
}

// newWorld returns a world with a loyalty program, a first server and the rules. Even after an error the world must be
// closed.
func newWorld(ctx context.Context, o options, a stepDatabase) (*world, error) {
	w, err := openWorld(ctx, o, a)
	if err != nil {
		return w, err
	}
	err = w.createRules(ctx)
	return w, err
}

// openWorld returns a world with a loyalty program and a first server, without rules. Even after an error the world
// must be closed.
func openWorld(ctx context.Context, o options, a stepDatabase) (*world, error) {
	w := &world{
		binary:   o.laurel,
		dir:      a.dir,
		seed:     a.seed,
		database: a.database,
		client:   newClient(),
		userIDs:  map[string]string{},
		model:    &model{persons: map[string]*person{}, endedClicks: map[[2]string]string{}},
	}
	w.rng = rand.New(rand.NewPCG(a.seed, 0)) //nolint:gosec // chance that can be replayed
	if err := w.createProgram(ctx); err != nil {
		return w, err
	}
	w.client.key = w.created.WebsiteAPIKey
	err := w.startNode(ctx, a.serverDatabase)
	return w, err
}

// startNode starts one more server on a database address and lets clients use it.
func (w *world) startNode(ctx context.Context, database string) error {
	n, err := w.startServer(ctx, database)
	if err != nil {
		return err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.nodes = append(w.nodes, n)
	w.updateRoutes()
	return nil
}

// updateRoutes sets the addresses that clients use. If no server is left, clients go on with the last addresses. The
// caller holds w.mu.
func (w *world) updateRoutes() {
	if len(w.nodes) == 0 {
		return
	}
	w.addresses = nil
	for _, n := range w.nodes {
		w.addresses = append(w.addresses, n.address)
	}
}

// address returns the address of the server that a client uses, by the client's number.
func (w *world) address(number int) string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.addresses[number%len(w.addresses)]
}

// killNode kills a server, by its place in the list. Its clients notice by requests that fail.
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

// repeatUnknown repeats the operations that have a key and no known outcome, until each is acknowledged or refused.
func (w *world) repeatUnknown(ctx context.Context) error {
	var open []*operation
	for _, o := range w.model.operations {
		if o.outcome == unknown && o.isRepeatable() {
			open = append(open, o)
		}
	}
	w.repeatedOperations = len(open)
	return runConcurrently(len(open), func(i int) error { return w.repeatUntilKnown(ctx, i, open[i]) })
}

// runConcurrently calls do with each number from 0 to count-1, in eight goroutines, and returns their joined errors.
// After an error one of the eight goroutines stops, and the others go on.
func runConcurrently(count int, do func(i int) error) error {
	var wg sync.WaitGroup
	errs := make([]error, 8)
	for lane := range errs {
		wg.Go(func() {
			for i := lane; i < count && errs[lane] == nil; i += len(errs) {
				errs[lane] = do(i)
			}
		})
	}
	wg.Wait()
	return errors.Join(errs...)
}

// repeatUntilKnown sends an operation until it is acknowledged or refused.
func (w *world) repeatUntilKnown(ctx context.Context, number int, o *operation) error {
	return waitUntil(ctx, "an operation that is repeated is answered: "+o.String(), func() bool {
		o.outcome = unsent // no earlier request is under way any more: only the outcome of this one counts
		t := w.sendOnce(ctx, number, o)
		return t.outcome == done || t.outcome == refused
	})
}

// playRound plays a round: it starts the clients, calls interrupt, stops the clients, and then compares the records
// with the model. It adds the round to the report t, with what is wrong; an error of interrupt is wrong, too.
func (w *world) playRound(ctx context.Context, t *reporter, name string, interrupt func(c *roundClients) error) {
	began := time.Now()
	first := len(w.model.operations)
	findings := func() []string {
		c, err := w.startRound(ctx)
		if err != nil {
			return []string{"stuck: the round did not begin: " + err.Error()}
		}
		err = interrupt(c)
		c.stop()
		if err != nil {
			return []string{"stuck: " + err.Error()}
		}
		return w.checkOperations(ctx)
	}()
	findings, w.model.findings = append(findings, w.model.findings...), nil
	t.addRound(name, w.describeOperations(first), time.Since(began), findings)
}

// checkOperations compares the records of the service with all operations of this world, runs laurel verify, and
// returns what is wrong.
func (w *world) checkOperations(ctx context.Context) []string {
	if err := w.repeatUnknown(ctx); err != nil {
		return []string{"stuck: " + err.Error()}
	}
	b, err := w.readStableBooks(ctx)
	if err != nil {
		return []string{"stuck: the books cannot be read: " + err.Error()}
	}
	findings := w.model.check(b)
	if output, err := w.runLaurel(ctx, "verify", "--database", w.database); err != nil {
		findings = append(findings, "verify: "+err.Error()+output)
	}
	return findings
}

// describeOperations says how many of the operations, from the index first on, had each outcome.
func (w *world) describeOperations(first int) string {
	count := map[outcome]int{}
	for _, o := range w.model.operations[first:] {
		count[o.outcome]++
	}
	return fmt.Sprintf(
		"%d acknowledged, %d refused, %d repeated, %d left unknown",
		count[done],
		count[refused],
		w.repeatedOperations,
		count[unknown],
	)
}

// waitForClicks waits until no click is pending, and checks everything once more. A click may wait for the lease of a
// server that was killed, so it waits three times.
func (w *world) waitForClicks(ctx context.Context, t *reporter, name string) {
	began := time.Now()
	var err error
	for range 3 {
		err = waitUntil(ctx, "no click waits", func() bool {
			clicks, err := w.readClicks(ctx)
			return err == nil && !slices.ContainsFunc(clicks, func(c clickRow) bool { return c.Status == "pending" })
		})
		if err == nil {
			t.addRound(name, "no click waits any more", time.Since(began), w.checkOperations(ctx))
			return
		}
	}
	t.addRound(name, "a click waits for ever", time.Since(began), []string{"stuck: " + err.Error()})
}
