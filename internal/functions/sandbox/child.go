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
	exitCPU     = 10 // a run used up its CPU time and did not heed
	exitTrouble = 11 // the child could not do its work
)

const (
	goStack      = 128 << 20
	goMemory     = 160 << 20 // of the Go parts, beyond which memory is given back early
	retireCPU    = time.Minute
	retireMemory = 256 << 20 // of the Go parts
	lookEvery    = 20 * time.Millisecond
	threads      = 2
	evalAtMost   = wallLimit // whoever uses up its CPU time is ended before
)

// Child is the program of a child: it carries out what comes through standard input until that ends, and returns the
// exit status. It gives up what it does not need of the system first.
func Child() int {
	runtime.GOMAXPROCS(threads)
	debug.SetMemoryLimit(goMemory)
	debug.SetMaxStack(goStack)
	missing, err := confine()
	if err != nil {
		return exitTrouble
	}
	m := &machine{in: make(chan order), out: os.Stdout}
	go m.read()
	if m.warm() != nil || m.say(reply{Type: typeReady, Missing: missing}) != nil {
		return exitTrouble
	}
	for o := range m.in {
		if o.Type == typeFetched { // of a run that has ended
			continue
		}
		r := m.carry(o)
		if r.Retire = spent(); m.say(r) != nil || r.Retire {
			return exitTrouble
		}
		if err := m.warm(); err != nil { // the next run finds a machine that is ready
			return exitTrouble
		}
	}
	return 0
}

// spent reports whether the child has used up what the system lets it have: the address space that Go took for a run is
// not given back.
func spent() bool {
	var memory runtime.MemStats
	runtime.ReadMemStats(&memory)
	return memory.Sys > retireMemory || cpuTime() > retireCPU
}

// machine is the JavaScript machine of one run, and how the child speaks.
type machine struct {
	in  chan order
	out *os.File
	mu  sync.Mutex // of what is said

	bytecode []byte
	vm       *quickjs.VM
	world    quickjs.Value
	run      *run
}

// read hands on what comes. The end of standard input is the end of the server.
func (m *machine) read() {
	in := bufio.NewReaderSize(os.Stdin, 64<<10)
	for {
		var o order
		if readFrame(in, maxToChild, &o) != nil {
			os.Exit(0)
		}
		m.in <- o
	}
}

func (m *machine) say(r reply) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	return writeFrame(m.out, r)
}

// warm makes a fresh machine with the world of a handler in it.
func (m *machine) warm() error {
	if m.vm != nil {
		m.world.Free()
		_ = m.vm.Close()
	}
	vm, err := quickjs.NewVM()
	if err != nil {
		return err
	}
	m.vm, m.run = vm, &run{}
	vm.SetMemoryLimit(memoryLimit)
	if err := vm.SetEvalTimeout(evalAtMost); err != nil {
		return err
	}
	for name, f := range m.hosts() {
		if err := vm.RegisterHostFunc("__laurel_"+name, f); err != nil {
			return err
		}
	}
	if m.bytecode == nil {
		if m.bytecode, err = vm.Compile(prelude, quickjs.EvalGlobal); err != nil {
			return err
		}
	}
	m.world, err = vm.EvalBytecodeValue(m.bytecode)
	return err
}

// call calls a function of the world.
func (m *machine) call(name string, args ...any) (any, error) {
	atom, err := m.vm.NewAtom(name)
	if err != nil {
		return nil, err
	}
	f, err := m.world.GetPropertyValue(atom)
	if err != nil {
		return nil, err
	}
	defer f.Free()
	return f.Call(quickjs.UndefinedValue, args...)
}

// carry carries a job out and returns what is to be said of it.
func (m *machine) carry(o order) reply {
	m.run.order = o
	stop := m.watch(o.CPU)
	err := m.work(o)
	stop()
	r := m.run
	out := reply{Type: typeDone, Logs: r.logs, Error: r.told(err), Final: r.final}
	if r.output != "" {
		out.Output = json.RawMessage(r.output)
	}
	if out.Error == "" {
		out.Transactions = r.transactions
	}
	return out
}

// work reads the code and runs the handler until it ends.
func (m *machine) work(o order) error {
	if _, err := m.vm.Eval(o.Code, quickjs.EvalGlobal); err != nil {
		return err
	}
	if o.Type == typeCheck {
		problem, err := m.call("check")
		if text, _ := problem.(string); err == nil && text != "" {
			m.run.end(text)
		}
		return err
	}
	if _, err := m.call("run", o.Input); err != nil {
		return err
	}
	for {
		if _, err := m.vm.ExecutePendingJobs(); err != nil && m.run.broken(err) {
			return err
		}
		if m.run.ended || m.run.over.Load() {
			return nil
		}
		if m.run.waiting == 0 {
			return errors.New("the handler waits for something that never comes")
		}
		f := <-m.in
		if f.Type != typeFetched || f.Fetch <= 0 || f.Fetch > m.run.fetches {
			continue
		}
		m.run.waiting--
		if _, err := m.call("settle", f.Fetch, f.Problem, f.Answer); err != nil {
			return err
		}
	}
}

// watch ends the run when it has used its CPU time, and the child where the run does not heed.
func (m *machine) watch(limit time.Duration) (stop func()) {
	begun, done, gone, r, vm := cpuTime(), make(chan struct{}), make(chan struct{}), m.run, m.vm
	go func() {
		defer close(gone)
		tick := time.NewTicker(lookEvery)
		defer tick.Stop()
		for {
			select {
			case <-done:
				return
			case <-tick.C:
			}
			used := cpuTime() - begun
			if used > limit {
				r.over.Store(true)
				vm.Interrupt()
			}
			if used > limit+grace {
				os.Exit(exitCPU)
			}
		}
	}()
	return func() { close(done); <-gone }
}

// run is what one run has said so far.
type run struct {
	order        order
	logs         []string
	logged       int
	output       string
	set          bool
	problem      string // the run fails for
	final        bool
	ended        bool
	fetches      int
	waiting      int // fetches without an answer
	transactions []Transaction
	spent        int // bytes of transactions
	over         atomic.Bool
}

// end ends the run, with a problem or without one.
func (r *run) end(problem string) {
	if r.ended {
		return
	}
	r.ended = true
	r.fails(problem)
}

// fails notes why the run fails; the first reason counts.
func (r *run) fails(problem string) {
	if r.problem == "" {
		r.problem = problem
	}
}

// broken reports whether an error of the machine ends the run: that of a promise that nobody looks at does not.
func (r *run) broken(err error) bool {
	return r.over.Load() || strings.HasPrefix(err.Error(), "InternalError") || strings.HasPrefix(err.Error(), "quickjs: ")
}

// told returns why the run failed, "" where it did not.
func (r *run) told(err error) string {
	switch {
	case r.over.Load():
		return fmt.Sprintf(msgCPU, r.order.CPU)
	case r.problem != "":
		return r.problem
	case err != nil:
		return explained(err, r.order.CPU)
	}
	return ""
}

// explained returns what a tenant is told of an error of the machine.
func explained(err error, limit time.Duration) string {
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
