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

	"laurel.example/laurel/internal/outbound"
)

// ChildArgument is the only argument of the program when it runs as a child.
const ChildArgument = "run-functions"

// child is a process that executes jobs, one at a time.
type child struct {
	cmd        *exec.Cmd
	in         io.WriteCloser
	out        *bufio.Reader
	write      sync.Mutex
	killReason atomic.Pointer[string] // why it was killed; nil: it was not, or for no reason of the run
	jobs       int
}

// job is a run or a check for a child to execute.
type job struct {
	call    Call
	request request
	wall    time.Duration
}

// errChildEnded means that a child ended before it got its job.
var errChildEnded = errors.New("sandbox: the child has ended")

const (
	msgCrashed  = "the function used too much memory or nested too deeply"
	msgCPU      = "the function used more than %s of CPU time"
	msgWall     = "the function ran longer than %s"
	msgProtocol = "the function broke the sandbox"
)

// spawner starts children on a thread of its own, which lasts as long as the spawner: the system ends children when the
// thread that started them ends. The thread drops its privileges before the first child, so all children lack them.
type spawner struct {
	onThread    chan func() // functions to run on the thread
	command     []string    // of a child
	log         *slog.Logger
	prepareOnce sync.Once
	null        *os.File // the standard error of children
	missing     []string // layers of protection that the system does not have
	warnOnce    sync.Once
}

// newSpawner returns a spawner of children with the command, and starts its thread, on which it starts all children.
func newSpawner(command []string, log *slog.Logger) *spawner {
	s := &spawner{onThread: make(chan func()), command: command, log: log}
	go func() {
		runtime.LockOSThread()
		for start := range s.onThread {
			start()
		}
	}()
	return s
}

func (s *spawner) close() { close(s.onThread) }

// prepareThread finds the program of children and drops the privileges of the spawner's thread. It runs on that thread.
func (s *spawner) prepareThread() {
	var err error
	if s.command, err = childCommand(s.command); err != nil {
		return // spawn reports it
	}
	if s.null, err = os.OpenFile(os.DevNull, os.O_WRONLY, 0); err != nil {
		return
	}
	s.missing = dropPrivileges(s.command[0])
}

// start starts a child on the spawner's thread, which the first call prepares, and waits until the child is ready.
func (s *spawner) start() (c *child, err error) {
	done := make(chan struct{})
	s.onThread <- func() { defer close(done); s.prepareOnce.Do(s.prepareThread); c, err = s.spawn() }
	<-done
	if err != nil {
		return nil, err
	}
	missing, err := c.awaitReady()
	if err != nil {
		c.killAndWait()
		return nil, fmt.Errorf("sandbox: a child does not start: %w", err)
	}
	s.warnMissing(append(slices.Clone(s.missing), missing...))
	return c, nil
}

// warnMissing logs once which layers of protection are missing.
func (s *spawner) warnMissing(missing []string) {
	s.warnOnce.Do(func() {
		if len(missing) > 0 {
			s.log.Warn("functions run with fewer layers of protection: the system lacks some",
				slog.String("missing", strings.Join(missing, ", ")))
		}
	})
}

// startTimeout is how long a child may take to be ready.
const startTimeout = 30 * time.Second

// awaitReady waits at most startTimeout until a child is ready, and then limits its memory, before the child gets a
// function. It returns the names of the layers of protection that the system does not have.
func (c *child) awaitReady() (missing []string, err error) {
	late := time.AfterFunc(startTimeout, c.kill)
	defer late.Stop()
	var r reply
	if err := readFrame(c.out, maxFromChild, &r); err != nil {
		return nil, err
	}
	if r.Type != typeReady {
		return nil, errFrame
	}
	if limitMemory(c.cmd.Process.Pid) != nil {
		r.Missing = append(r.Missing, "memory")
	}
	return r.Missing, nil
}

// spawn starts a child process with an empty environment and no open files but its pipes. It must run on the spawner's
// thread.
func (s *spawner) spawn() (*child, error) {
	if s.null == nil { // prepareThread has failed
		return nil, errors.New("sandbox: there is no program to run functions")
	}
	cmd := exec.Command(s.command[0], s.command[1:]...) //nolint:gosec,noctx // the operator's own command; it outlives calls
	cmd.Env, cmd.Dir, cmd.SysProcAttr, cmd.Stderr = []string{}, "/", childAttributes(), s.null
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

// killFor kills the child and records why. The first reason counts.
func (c *child) killFor(why string) {
	c.killReason.CompareAndSwap(nil, &why)
	c.kill()
}

// killAndWait kills the child and waits for its exit.
func (c *child) killAndWait() {
	c.kill()
	_ = c.in.Close()
	_ = c.cmd.Wait()
}

// send sends a request to the child.
func (c *child) send(req request) error {
	c.write.Lock()
	defer c.write.Unlock()
	return writeFrame(c.in, req)
}

// execute lets the child execute a job and returns its result. isReusable reports whether the child may take another
// job. A run that crashes its child is a result with an error. Errors: errChildEnded if the child ended before it got
// the job; that of ctx.
func (c *child) execute(ctx context.Context, client *outbound.Client, j job) (r Result, isReusable bool, err error) {
	startedAt := time.Now()
	defer func() { r.Took = time.Since(startedAt) }()
	wall := time.AfterFunc(j.wall, func() { c.killFor(fmt.Sprintf(msgWall, j.wall)) })
	defer wall.Stop()
	stop := context.AfterFunc(ctx, c.kill)
	defer stop()
	c.jobs++
	if err := c.send(j.request); err != nil {
		return r, false, contextCauseOr(ctx, errChildEnded)
	}
	calls := newFetches(ctx, c, client, j.call.Tenant.Website)
	last, err := c.awaitResult(calls)
	calls.stop()
	if ctx.Err() != nil {
		return r, false, context.Cause(ctx)
	}
	if err != nil {
		r.Error = c.explainExit(err, j.request.CPU)
		return r, false, nil
	}
	r = last.result()
	// wall.Stop returns false if the time was over, and the child is being killed
	return r, !last.Retire && c.jobs < maxJobsPerChild && wall.Stop(), nil
}

// contextCauseOr returns why ctx ended, or err if it did not.
func contextCauseOr(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return err
}

// awaitResult reads replies of the child until the one with the result, and starts the fetches that it requests. An
// error means that the child ended, or sent a reply that is malformed or exceeds a limit.
func (c *child) awaitResult(calls *fetches) (reply, error) {
	for {
		var r reply
		if err := readFrame(c.out, maxFromChild, &r); err != nil {
			return reply{}, err
		}
		switch r.Type {
		case typeFetch:
			if err := calls.start(r); err != nil {
				return reply{}, err
			}
		case typeDone:
			return r, r.checkLimits()
		default:
			return reply{}, errFrame
		}
	}
}

// explainExit returns the error of a run whose child ended without a result, or sent a malformed reply. It kills the
// child. err is the error of awaitResult, limit the CPU limit of the run.
func (c *child) explainExit(err error, limit time.Duration) string {
	c.kill()
	if !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) && c.killReason.Load() == nil {
		return msgProtocol
	}
	_ = c.cmd.Wait()
	if why := c.killReason.Load(); why != nil {
		return *why
	}
	if c.cmd.ProcessState.ExitCode() == exitCPU {
		return fmt.Sprintf(msgCPU, limit)
	}
	return msgCrashed
}

// errOverLimit means that a reply exceeds a limit that a child enforces itself.
var errOverLimit = errors.New("sandbox: a reply exceeds a limit")

// checkLimits returns errOverLimit if the reply exceeds a limit that a child enforces itself: then a function has taken
// control of the child.
func (r reply) checkLimits() error {
	size := 0
	for _, line := range r.Logs {
		size += len(line)
	}
	for _, t := range r.Transactions {
		size += len(t.Data)
	}
	const room = 1000 // for logCutMark
	if len(r.Output) > MaxOutput || size > MaxLogs+MaxOutput+room || len(r.Transactions) > MaxTransactions {
		return errOverLimit
	}
	return nil
}

// result returns the result in the reply. Its error is cut to 4000 bytes; a run that failed has no transactions.
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
