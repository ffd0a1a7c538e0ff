package sandbox

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"laurel/internal/outbound"
)

// ChildArgument is the one argument with which the program runs Child.
const ChildArgument = "run-functions"

// child is one process that carries jobs out, one at a time.
type child struct {
	cmd   *exec.Cmd
	in    io.WriteCloser
	out   *bufio.Reader
	write sync.Mutex
	why   atomic.Pointer[string] // it was killed for
	calls int
}

// job is what a child is to carry out.
type job struct {
	call  Call
	order order
	wall  time.Duration
}

// errGone tells that a child had ended before it got its job.
var errGone = errors.New("sandbox: the child has ended")

const (
	msgBroke = "the function used too much memory or nested too deeply"
	msgCPU   = "the function used more than %s of CPU time"
	msgWall  = "the function ran longer than %s"
	msgSaid  = "the function broke the sandbox"
)

// spawner starts children on one thread that lasts: the system ends children when the thread that started them ends.
// Before the first one the thread gives up what children are not to have. It ends with the spawner, and is nobody
// else's.
type spawner struct {
	orders  chan func()
	command []string // of a child
	log     *slog.Logger
	prepare sync.Once
	null    *os.File // where a child's standard error goes
	missing []string // layers that the system does not have
	told    sync.Once
}

func newSpawner(command []string, log *slog.Logger) *spawner {
	s := &spawner{orders: make(chan func()), command: command, log: log}
	go func() {
		runtime.LockOSThread()
		for start := range s.orders {
			start()
		}
	}()
	return s
}

func (s *spawner) close() { close(s.orders) }

// ready finds the program and gives up what children are not to have. It runs on the spawner's thread.
func (s *spawner) ready() {
	var err error
	if s.command, err = programOf(s.command); err != nil {
		return // starting says so
	}
	if s.null, err = os.OpenFile(os.DevNull, os.O_WRONLY, 0); err != nil {
		return
	}
	s.missing = giveUp(s.command[0])
}

func (s *spawner) start() (c *child, err error) {
	done := make(chan struct{})
	s.orders <- func() { defer close(done); s.prepare.Do(s.ready); c, err = s.spawn() }
	<-done
	if err != nil {
		return nil, err
	}
	missing, err := c.greet()
	if err != nil {
		c.end()
		return nil, fmt.Errorf("sandbox: a child does not start: %w", err)
	}
	s.tell(append(slices.Clone(s.missing), missing...))
	return c, nil
}

// tell says once which layers are missing.
func (s *spawner) tell(missing []string) {
	s.told.Do(func() {
		if len(missing) > 0 {
			s.log.Warn("functions run with fewer layers around them: the system does not have all",
				slog.String("missing", strings.Join(missing, ", ")))
		}
	})
}

// startWithin is how long a child may take until it is ready.
const startWithin = 30 * time.Second

// greet waits until a child is ready, and bounds its memory before it sees a function.
func (c *child) greet() (missing []string, err error) {
	late := time.AfterFunc(startWithin, c.kill)
	defer late.Stop()
	var said reply
	if err := readFrame(c.out, maxFromChild, &said); err != nil {
		return nil, err
	}
	if said.Type != typeReady {
		return nil, errFrame
	}
	if boundMemory(c.cmd.Process.Pid) != nil {
		said.Missing = append(said.Missing, "memory")
	}
	return said.Missing, nil
}

// spawn starts a child with an empty environment and nothing but its pipes.
func (s *spawner) spawn() (*child, error) {
	if s.null == nil {
		return nil, errors.New("sandbox: there is no program to run functions")
	}
	cmd := exec.Command(s.command[0], s.command[1:]...) //nolint:gosec,noctx // the operator's own; it outlives calls
	cmd.Env, cmd.Dir, cmd.SysProcAttr, cmd.Stderr = []string{}, "/", attributes(), s.null
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("sandbox: %w", err)
	}
	return &child{cmd: cmd, in: in, out: bufio.NewReaderSize(out, 64<<10)}, nil
}

func (c *child) kill() { _ = c.cmd.Process.Kill() }

// killFor kills the child; the run is told why, the first reason where there are several.
func (c *child) killFor(why string) {
	c.why.CompareAndSwap(nil, &why)
	c.kill()
}

// end kills the child and forgets it.
func (c *child) end() {
	c.kill()
	_ = c.in.Close()
	_ = c.cmd.Wait()
}

func (c *child) send(o order) error {
	c.write.Lock()
	defer c.write.Unlock()
	return writeFrame(c.in, o)
}

// carry has the child carry a job out. alive: it may take another one.
func (c *child) carry(ctx context.Context, client *outbound.Client, j job) (r Result, alive bool, err error) {
	begun := time.Now()
	defer func() { r.Took = time.Since(begun) }()
	wall := time.AfterFunc(j.wall, func() { c.killFor(fmt.Sprintf(msgWall, j.wall)) })
	defer wall.Stop()
	stop := context.AfterFunc(ctx, c.kill)
	defer stop()
	c.calls++
	if err := c.send(j.order); err != nil {
		return r, false, ended(ctx, errGone)
	}
	calls := newCalls(ctx, c, client, j.call.Of.Website)
	said, err := c.listen(calls)
	calls.end()
	if ctx.Err() != nil {
		return r, false, context.Cause(ctx)
	}
	if err != nil {
		r.Error = c.broke(err, j.order.CPU)
		return r, false, nil
	}
	r = said.result()
	return r, !said.Retire && c.calls < callsOfChild && wall.Stop(), nil
}

func ended(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return err
}

// listen reads what the child says until it tells the end.
func (c *child) listen(calls *calls) (reply, error) {
	for {
		var said reply
		if err := readFrame(c.out, maxFromChild, &said); err != nil {
			return reply{}, err
		}
		switch said.Type {
		case typeFetch:
			if err := calls.begin(said); err != nil {
				return reply{}, err
			}
		case typeDone:
			return said, said.problem()
		default:
			return reply{}, errFrame
		}
	}
}

// broke returns what a run is told whose child ended without telling the end.
func (c *child) broke(err error, limit time.Duration) string {
	c.kill()
	if !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) && c.why.Load() == nil {
		return msgSaid
	}
	_ = c.cmd.Wait()
	if why := c.why.Load(); why != nil {
		return *why
	}
	if c.cmd.ProcessState.ExitCode() == exitCPU {
		return fmt.Sprintf(msgCPU, limit)
	}
	return msgBroke
}

var errSaid = errors.New("sandbox: the child says what it may not")

// problem checks what the child has counted itself: it may be in the hands of the function.
func (r reply) problem() error {
	size := 0
	for _, line := range r.Logs {
		size += len(line)
	}
	for _, t := range r.Transactions {
		size += len(t.Data)
	}
	if len(r.Output) > MaxOutput || size > MaxLogs+MaxOutput+1000 || len(r.Transactions) > MaxTransactions {
		return errSaid
	}
	return nil
}

func (r reply) result() Result {
	out := Result{Output: r.Output, Final: r.Final, Logs: r.Logs, Transactions: r.Transactions}
	if out.Error = strings.ToValidUTF8(strings.ReplaceAll(r.Error, "\x00", ""), ""); len(out.Error) > 4000 {
		out.Error = strings.ToValidUTF8(out.Error[:4000], "")
	}
	if out.Error != "" {
		out.Transactions = nil
	}
	return out
}
