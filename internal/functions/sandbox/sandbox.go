// Package sandbox executes the functions of tenants: JavaScript in child processes of this program, with a fresh
// JavaScript machine for every run (contract 7.6). It owns the limits of a run and the calls that it may make. It knows
// neither tenants' data nor databases. Replies of a child are not trusted, since a function may have taken control of
// it.
package sandbox

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"runtime"
	"sync"
	"time"

	"laurel.example/laurel/internal/outbound"
	"laurel.example/laurel/internal/worker"
)

// The limits of a run (contract 7.6).
const (
	MaxCode         = 256 << 10 // bytes
	MaxOutput       = 256 << 10 // bytes of the result as JSON, and of all transactions
	MaxLogs         = 64 << 10  // bytes
	MaxFetches      = 20
	MaxTransactions = 500
	memoryLimit     = 64 << 20
	cpuLimit        = 5 * time.Second
	checkCPULimit   = time.Second
	wallLimit       = 60 * time.Second
	checkWallLimit  = 10 * time.Second
	// killDelay is how long a child may exceed its CPU limit before it exits.
	killDelay = 500 * time.Millisecond
	// maxJobsPerChild is how many jobs a child executes before another replaces it.
	maxJobsPerChild    = 500
	defaultMaxWaiting  = 256
	defaultWaitTimeout = 10 * time.Second
)

// ErrBusy means that no child was free in time.
var ErrBusy = errors.New("sandbox: too many functions are running")

// ErrClosed means that the sandbox is closed.
var ErrClosed = errors.New("sandbox: it is closed")

// Options configures a Sandbox.
type Options struct {
	// Command starts a child: the program and its arguments, which must call Child; nil: this program with
	// ChildArgument.
	Command []string
	// Children is how many runs are executed at once, including those that wait for a fetch; 0: two per CPU, at least
	// 4.
	Children int
	// MaxWaiting is how many runs may wait for a child; 0: 256.
	MaxWaiting int
	// WaitTimeout is how long a run waits for a child; 0: 10 s.
	WaitTimeout time.Duration
	// WallLimit is the time that a run may take; 0: 60 s.
	WallLimit time.Duration
	// CPULimit is the CPU time that a run may use; 0: 5 s.
	CPULimit time.Duration
	// Client makes the requests of fetch; nil: fetch fails.
	Client *outbound.Client
	// Logger logs which layers of protection the system does not have; nil: they are not logged.
	Logger *slog.Logger
}

// Call is one run of a function.
type Call struct {
	Tenant worker.Tenant // organizations share the children fairly, and so do their websites
	Code   string
	Input  json.RawMessage // what the handler gets as input
	// Payable allows the handler to add transactions.
	Payable bool
}

// Transaction is a transaction that a handler requested from the operator's payout driver.
type Transaction struct {
	To      string          `json:"to"`
	Data    string          `json:"data,omitempty"`  // 0x hex
	Value   string          `json:"value,omitempty"` // a whole number
	ChainID json.RawMessage `json:"chainId,omitempty"`
}

// Result is the result of a run.
type Result struct {
	Output       json.RawMessage // the argument of setResult; nil: it was not called
	Error        string          // why it failed; "": it succeeded
	Final        bool            // output.fail ended it: another attempt would not help
	Logs         []string
	Transactions []Transaction
	Took         time.Duration
}

// Failed reports whether the run failed.
func (r Result) Failed() bool { return r.Error != "" }

// Sandbox executes functions in a pool of child processes. All methods may be called from many goroutines.
type Sandbox struct {
	options Options
	spawner *spawner
	gate    *worker.FairSemaphore // shares the slots between tenants
	slots   chan *child           // one per child; nil: it is not started
	once    sync.Once             // of shutdown

	mu      sync.Mutex
	closed  bool
	running map[*child]bool
}

// New returns a Sandbox, which starts children when they are needed. Limits that are zero in o have their defaults.
func New(o Options) *Sandbox {
	if o.Children <= 0 {
		o.Children = max(4, 2*runtime.NumCPU())
	}
	if o.MaxWaiting <= 0 {
		o.MaxWaiting = defaultMaxWaiting
	}
	if o.WaitTimeout <= 0 {
		o.WaitTimeout = defaultWaitTimeout
	}
	if o.WallLimit <= 0 {
		o.WallLimit = wallLimit
	}
	if o.CPULimit <= 0 {
		o.CPULimit = cpuLimit
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	s := &Sandbox{
		options: o,
		spawner: newSpawner(o.Command, o.Logger),
		slots:   make(chan *child, o.Children),
		gate:    worker.NewFairSemaphore(o.Children, o.MaxWaiting),
		running: map[*child]bool{},
	}
	for range o.Children {
		s.slots <- nil // a child that has not started yet
	}
	return s
}

// Run executes a function. A function that fails, in whatever way, is a Result with an Error. Errors: ErrBusy if no
// child was free in time, ErrClosed, that of ctx, and faults of the machine.
func (s *Sandbox) Run(ctx context.Context, c Call) (Result, error) {
	if len(c.Input) == 0 {
		c.Input = json.RawMessage("null")
	}
	return s.execute(ctx, job{call: c, wall: s.options.WallLimit, request: request{
		Type: typeRun, Code: c.Code, Input: string(c.Input), Payable: c.Payable, CPU: s.options.CPULimit,
	}})
}

// Check returns what is wrong with the code of a function, or "". The code must parse, have exactly one handler with
// two parameters, call setResult or fail, and return buildOutput. It is executed, except for its handler. Errors are
// those of Run.
func (s *Sandbox) Check(ctx context.Context, tenant worker.Tenant, code string) (problem string, err error) {
	if problem := checkSource(code); problem != "" {
		return problem, nil
	}
	r, err := s.execute(ctx, job{
		call:    Call{Tenant: tenant},
		wall:    checkWallLimit,
		request: request{Type: typeCheck, Code: code, CPU: checkCPULimit},
	})
	return r.Error, err
}

// Close ends every child, so that running functions fail. Further calls do nothing.
func (s *Sandbox) Close() { s.once.Do(s.shutdown) }

// shutdown kills all children, and waits until none is in use any more.
func (s *Sandbox) shutdown() {
	s.mu.Lock()
	s.closed = true
	for c := range s.running {
		c.kill()
	}
	s.mu.Unlock()
	for range s.options.Children {
		if c := <-s.slots; c != nil { // each slot comes back when its job ends
			c.killAndWait()
		}
	}
	s.spawner.close()
}

// enter waits until the tenant may use a child. The caller calls leave when it no longer uses it. Errors: ErrClosed;
// ErrBusy if MaxWaiting calls are waiting already; the cause of ctx.
func (s *Sandbox) enter(ctx context.Context, tenant worker.Tenant) (leave func(), err error) {
	if s.isClosed() {
		return nil, ErrClosed
	}
	leave, err = s.gate.Acquire(ctx, tenant)
	if errors.Is(err, worker.ErrFull) {
		err = ErrBusy
	}
	return leave, err
}

// execute waits for a free child, starts it if needed, and lets it execute a job. A child that cannot be reused is
// ended. Errors: those of Run.
func (s *Sandbox) execute(ctx context.Context, j job) (Result, error) {
	waitCtx, cancel := context.WithTimeoutCause(ctx, s.options.WaitTimeout, ErrBusy)
	defer cancel()
	leave, err := s.enter(waitCtx, j.call.Tenant)
	if err != nil {
		return Result{}, err
	}
	defer leave()
	var c *child
	select {
	case c = <-s.slots:
	case <-waitCtx.Done():
		return Result{}, context.Cause(waitCtx)
	}
	cancel()
	defer func() { s.slots <- c }()
	for try := 0; ; try++ {
		if c == nil {
			if c, err = s.start(); err != nil {
				return Result{}, err
			}
		}
		r, isReusable, err := c.execute(ctx, s.options.Client, j)
		if !isReusable {
			s.removeChild(c)
			c.killAndWait()
			c = nil
		}
		if errors.Is(err, errChildEnded) && try == 0 { // it ended before it got the job, so another child may take it
			continue
		}
		if err == nil && s.isClosed() && r.Failed() {
			err = ErrClosed
		}
		return r, err
	}
}

func (s *Sandbox) isClosed() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.closed
}

// start starts a child and adds it to the running ones. Errors: ErrClosed; faults of the system.
func (s *Sandbox) start() (*child, error) {
	c, err := s.spawner.start()
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		c.killAndWait()
		return nil, ErrClosed
	}
	s.running[c] = true
	return c, nil
}

func (s *Sandbox) removeChild(c *child) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.running, c)
}
