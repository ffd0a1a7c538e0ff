package sandbox

import (
	"bufio"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"modernc.org/quickjs"
)

//go:embed prelude.js
var prelude string

// Exit statuses of a child.
const (
	exitCPU   = 10 // a run exceeded its CPU time and ignored the interrupt
	exitFault = 11 // the child cannot go on
)

const (
	goStack          = 128 << 20
	goMemory         = 160 << 20 // of Go, beyond which memory is returned early
	retireCPU        = time.Minute
	retireMemory     = 256 << 20 // of Go
	cpuCheckInterval = 20 * time.Millisecond
	threads          = 2
	evalTimeout      = wallLimit // the CPU limit ends most runs earlier
)

// Child is the main function of a child process. It drops its privileges and executes the requests that arrive on
// standard input. It returns exitFault if it cannot go on, or if mustRetire is true after a request. When the input
// ends, the process exits with status 0.
func Child() int {
	runtime.GOMAXPROCS(threads)
	debug.SetMemoryLimit(goMemory)
	debug.SetMaxStack(goStack)
	missing, err := confine()
	if err != nil {
		return exitFault
	}
	m := &machine{in: make(chan request), out: os.Stdout}
	go m.read()
	if m.prepareVM() != nil || m.send(reply{Type: typeReady, Missing: missing}) != nil {
		return exitFault
	}
	for req := range m.in {
		if req.Type == typeFetched { // the run that made the fetch has ended
			continue
		}
		r := m.execute(req)
		if r.Retire = mustRetire(); m.send(r) != nil || r.Retire {
			return exitFault
		}
		if err := m.prepareVM(); err != nil { // so that the next run need not wait for it
			return exitFault
		}
	}
	return 0
}

// mustRetire reports whether the child has used so much memory or CPU time that another one should replace it. Go does
// not return the address space that it took for a run.
func mustRetire() bool {
	var memory runtime.MemStats
	runtime.ReadMemStats(&memory)
	return memory.Sys > retireMemory || cpuTime() > retireCPU
}

// machine is the JavaScript machine of one run, with the pipes of the child.
type machine struct {
	in  chan request
	out *os.File
	mu  sync.Mutex // guards writes to out

	bytecode []byte
	vm       *quickjs.VM
	bridge   quickjs.Value // the functions of prelude.js: check, run and settle
	run      *runState
}

// read reads requests from standard input and sends them to m.in. When the input ends, the server process has ended,
// and read exits the child.
func (m *machine) read() {
	in := bufio.NewReaderSize(os.Stdin, 64<<10)
	for {
		var req request
		if readFrame(in, maxToChild, &req) != nil {
			os.Exit(0)
		}
		m.in <- req
	}
}

// send writes a reply to the server.
func (m *machine) send(r reply) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	return writeFrame(m.out, r)
}

// prepareVM replaces the JavaScript machine by a fresh one, with the limits, the host functions and prelude.js.
func (m *machine) prepareVM() error {
	if m.vm != nil {
		m.bridge.Free()
		_ = m.vm.Close()
	}
	vm, err := quickjs.NewVM()
	if err != nil {
		return err
	}
	m.vm, m.run = vm, &runState{}
	vm.SetMemoryLimit(memoryLimit)
	if err := vm.SetEvalTimeout(evalTimeout); err != nil {
		return err
	}
	for name, f := range m.hostFunctions() {
		if err := vm.RegisterHostFunc("__laurel_"+name, f); err != nil {
			return err
		}
	}
	if m.bytecode == nil {
		if m.bytecode, err = vm.Compile(prelude, quickjs.EvalGlobal); err != nil {
			return err
		}
	}
	m.bridge, err = vm.EvalBytecodeValue(m.bytecode)
	return err
}

// callBridge calls a function of prelude.js by name, and returns its result.
func (m *machine) callBridge(name string, args ...any) (any, error) {
	atom, err := m.vm.NewAtom(name)
	if err != nil {
		return nil, err
	}
	f, err := m.bridge.GetPropertyValue(atom)
	if err != nil {
		return nil, err
	}
	defer f.Free()
	return f.Call(quickjs.UndefinedValue, args...)
}

// execute executes a run or a check, and returns the reply with its result.
func (m *machine) execute(req request) reply {
	m.run.request = req
	stop := m.enforceCPULimit(req.CPU)
	err := m.evaluate(req)
	stop()
	r := m.run
	out := reply{Type: typeDone, Logs: r.logs, Error: r.errorText(err), Final: r.final}
	if r.output != "" {
		out.Output = json.RawMessage(r.output)
	}
	if out.Error == "" {
		out.Transactions = r.transactions
	}
	return out
}

// evaluate evaluates the code of a request. For a check it then checks what the code has defined; for a run it calls
// the handler and goes on until the handler ends, passing in the responses of its fetches. A problem that the function
// has caused is recorded in m.run; the error is one of the JavaScript machine.
func (m *machine) evaluate(req request) error {
	if _, err := m.vm.Eval(req.Code, quickjs.EvalGlobal); err != nil {
		return err
	}
	if req.Type == typeCheck {
		problem, err := m.callBridge("check")
		if text, _ := problem.(string); err == nil && text != "" {
			m.run.finish(text)
		}
		return err
	}
	if _, err := m.callBridge("run", req.Input); err != nil {
		return err
	}
	for {
		if _, err := m.vm.ExecutePendingJobs(); err != nil && m.run.isFatal(err) {
			return err
		}
		if m.run.finished || m.run.cpuExceeded.Load() {
			return nil
		}
		if m.run.pendingFetches == 0 {
			return errors.New("the handler waits for something that never comes")
		}
		f := <-m.in
		if f.Type != typeFetched || f.Fetch <= 0 || f.Fetch > m.run.fetches {
			continue
		}
		m.run.pendingFetches--
		if _, err := m.callBridge("settle", f.Fetch, f.Problem, f.Response); err != nil {
			return err
		}
	}
}

// enforceCPULimit watches the CPU time of a run in the background. Beyond the limit it interrupts the run, and if the
// run goes on for killDelay, it ends the child. stop ends the watch.
func (m *machine) enforceCPULimit(limit time.Duration) (stop func()) {
	cpuAtStart, done, stopped, r, vm := cpuTime(), make(chan struct{}), make(chan struct{}), m.run, m.vm
	go func() {
		defer close(stopped)
		tick := time.NewTicker(cpuCheckInterval)
		defer tick.Stop()
		for {
			select {
			case <-done:
				return
			case <-tick.C:
			}
			used := cpuTime() - cpuAtStart
			if used > limit {
				r.cpuExceeded.Store(true)
				vm.Interrupt()
			}
			if used > limit+killDelay {
				os.Exit(exitCPU)
			}
		}
	}()
	return func() { close(done); <-stopped }
}

// runState holds the output of one run so far.
type runState struct {
	request          request
	logs             []string
	logBytes         int
	output           string
	hasOutput        bool
	problem          string // why the run fails; "": it does not
	final            bool
	finished         bool
	fetches          int
	pendingFetches   int // fetches without a response
	transactions     []Transaction
	transactionBytes int
	cpuExceeded      atomic.Bool
}

// finish ends the run, with a problem or without one.
func (r *runState) finish(problem string) {
	if r.finished {
		return
	}
	r.finished = true
	r.setProblem(problem)
}

// setProblem records why the run fails. The first reason counts.
func (r *runState) setProblem(problem string) {
	if r.problem == "" {
		r.problem = problem
	}
}

// isFatal reports whether an error of the machine ends the run. An unhandled rejection of a promise does not.
func (r *runState) isFatal(err error) bool {
	return r.cpuExceeded.Load() || strings.HasPrefix(err.Error(), "InternalError") || strings.HasPrefix(err.Error(), "quickjs: ")
}

// errorText returns why the run failed, or "" if it succeeded. err is the error of the machine, if any.
func (r *runState) errorText(err error) string {
	switch {
	case r.cpuExceeded.Load():
		return fmt.Sprintf(msgCPU, r.request.CPU)
	case r.problem != "":
		return r.problem
	case err != nil:
		return describeError(err, r.request.CPU)
	}
	return ""
}

// describeError returns the text of a machine error that the tenant sees. limit is the CPU limit of the run.
func describeError(err error, limit time.Duration) string {
	var e *quickjs.Error
	text := err.Error()
	if errors.As(err, &e) && e.Name != "" {
		text = e.Name + ": " + e.Message
		if e.LineNumber > 0 {
			text += fmt.Sprintf(" (line %d, column %d)", e.LineNumber, e.ColumnNumber)
		}
	}
	switch {
	case strings.Contains(text, "out of memory"):
		return msgMemory
	case strings.Contains(text, "InternalError: interrupted"):
		return fmt.Sprintf(msgCPU, limit)
	case text == "" || text == "null":
		return msgMemory // there was no memory left for an error
	}
	return text
}

var msgMemory = fmt.Sprintf("the function used more than %d MiB of memory", memoryLimit>>20)
