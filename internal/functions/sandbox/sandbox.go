// Package sandbox runs functions of tenants: JavaScript in child processes of the same program, each with a fresh
// machine for every run (contract 7.6). It owns what a run may use of the machine and what it may call, and knows
// neither tenants' data nor databases. What a child says is not trusted: it may be in the hands of a function.
package sandbox

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"runtime"
	"sync"
	"time"

	"laurel/internal/outbound"
	"laurel/internal/worker"
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
	cpuOfCheck      = time.Second
	wallLimit       = 60 * time.Second
	wallOfCheck     = 10 * time.Second
	// grace is what a child has to end by itself before it is killed.
	grace = 500 * time.Millisecond
	// callsOfChild is how many runs a child carries out before another takes its place.
	callsOfChild   = 500
	defaultWaiting = 256
	defaultWait    = 10 * time.Second
)

// ErrBusy tells that no child was free in time.
var ErrBusy = errors.New("sandbox: too many functions are running")

// ErrClosed tells that the sandbox has ended.
var ErrClosed = errors.New("sandbox: it is closed")

// Options says how functions are run.
type Options struct {
	// Command starts a child: the program and its arguments, which come to Child; nil: this program with ChildArgument.
	Command []string
	// Children is how many runs are carried out at once, those that wait for their calls included; 0: two per CPU, 4 at
	// least.
	Children int
	// Waiting is how many runs may wait for a child; 0: 256.
	Waiting int
	// Wait is how long a run waits for a child; 0: 10 s.
	Wait time.Duration
	// Wall is the time that a run may take; 0: 60 s.
	Wall time.Duration
	// CPU is the CPU time that a run may use; 0: 5 s.
	CPU time.Duration
	// Client makes the calls of fetch; nil: fetch fails.
	Client *outbound.Client
	// Logger is told which layers the system does not have; nil: nobody is.
	Logger *slog.Logger
}

// Call is one run.
type Call struct {
	Of    worker.Tenant // whose run it is: organizations take turns, and their websites
	Code  string
	Input json.RawMessage // what the handler gets as input
	// Payable tells that transactions may be added: somebody carries them out.
	Payable bool
}

// Transaction is what a handler has asked the operator's payout driver for.
type Transaction struct {
	To      string          `json:"to"`
	Data    string          `json:"data,omitempty"`  // 0x hex
	Value   string          `json:"value,omitempty"` // a whole number
	ChainID json.RawMessage `json:"chainId,omitempty"`
}

// Result is what became of a run.
type Result struct {
	Output       json.RawMessage // what setResult was given; nil: nothing
	Error        string          // why it failed; "": it succeeded
	Final        bool            // output.fail ended it: another attempt would change nothing
	Logs         []string
	Transactions []Transaction
	Took         time.Duration
}

// Failed reports whether the run failed.
func (r Result) Failed() bool { return r.Error != "" }

// Sandbox runs functions. All methods may be called from many goroutines.
type Sandbox struct {
	options Options
	spawner *spawner
	gate    *worker.FairSemaphore // to the slots
	slots   chan *child           // one per child; nil: it is not started
	once    sync.Once             // it ends

	mu      sync.Mutex
	closed  bool
	running map[*child]bool
}

// New makes a sandbox. No child is started before it is needed.
func New(o Options) *Sandbox {
	if o.Children <= 0 {
		o.Children = max(4, 2*runtime.NumCPU())
	}
	if o.Waiting <= 0 {
		o.Waiting = defaultWaiting
	}
	if o.Wait <= 0 {
		o.Wait = defaultWait
	}
	if o.Wall <= 0 {
		o.Wall = wallLimit
	}
	if o.CPU <= 0 {
		o.CPU = cpuLimit
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	s := &Sandbox{
		options: o,
		spawner: newSpawner(o.Command, o.Logger),
		slots:   make(chan *child, o.Children),
		gate:    worker.NewFairSemaphore(o.Children, o.Waiting),
		running: map[*child]bool{},
	}
	for range o.Children {
		s.slots <- nil
	}
	return s
}

// Run carries a function out. A function that fails, whatever it does, is a Result with an Error. Errors: ErrBusy where
// no child was free in time, ErrClosed, that of ctx, and faults of the machine.
func (s *Sandbox) Run(ctx context.Context, c Call) (Result, error) {
	if len(c.Input) == 0 {
		c.Input = json.RawMessage("null")
	}
	return s.carry(ctx, job{call: c, wall: s.options.Wall, order: order{
		Type: typeRun, Code: c.Code, Input: string(c.Input), Payable: c.Payable, CPU: s.options.CPU,
	}})
}

// Check returns what is wrong with the code of a function, "" for nothing: it parses, has exactly one handler with two
// parameters, names setResult or fail, and buildOutput. The code is run as far as its handler. Errors are those of Run.
func (s *Sandbox) Check(ctx context.Context, of worker.Tenant, code string) (problem string, err error) {
	if problem := shapeOf(code); problem != "" {
		return problem, nil
	}
	r, err := s.carry(ctx, job{
		call:  Call{Of: of},
		wall:  wallOfCheck,
		order: order{Type: typeCheck, Code: code, CPU: cpuOfCheck},
	})
	return r.Error, err
}

// Close ends every child. Runs under way fail. It may be called again.
func (s *Sandbox) Close() { s.once.Do(s.end) }

func (s *Sandbox) end() {
	s.mu.Lock()
	s.closed = true
	for c := range s.running {
		c.kill()
	}
	s.mu.Unlock()
	for range s.options.Children {
		if c := <-s.slots; c != nil {
			c.end()
		}
	}
	s.spawner.close()
}

// enter waits until the tenant may have a child.
func (s *Sandbox) enter(ctx context.Context, of worker.Tenant) (leave func(), err error) {
	if s.isClosed() {
		return nil, ErrClosed
	}
	leave, err = s.gate.Acquire(ctx, of)
	if errors.Is(err, worker.ErrFull) {
		err = ErrBusy
	}
	return leave, err
}

// carry waits for a child and has it carry a job out.
func (s *Sandbox) carry(ctx context.Context, j job) (Result, error) {
	waiting, cancel := context.WithTimeoutCause(ctx, s.options.Wait, ErrBusy)
	defer cancel()
	leave, err := s.enter(waiting, j.call.Of)
	if err != nil {
		return Result{}, err
	}
	defer leave()
	var c *child
	select {
	case c = <-s.slots:
	case <-waiting.Done():
		return Result{}, context.Cause(waiting)
	}
	cancel()
	defer func() { s.slots <- c }()
	for try := 0; ; try++ {
		if c == nil {
			if c, err = s.start(); err != nil {
				return Result{}, err
			}
		}
		r, alive, err := c.carry(ctx, s.options.Client, j)
		if !alive {
			s.left(c)
			c.end()
			c = nil
		}
		if errors.Is(err, errGone) && try == 0 { // it had ended while nobody looked, and has seen nothing of the job
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

// start starts a child.
func (s *Sandbox) start() (*child, error) {
	c, err := s.spawner.start()
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		c.end()
		return nil, ErrClosed
	}
	s.running[c] = true
	return c, nil
}

func (s *Sandbox) left(c *child) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.running, c)
}
