package main_test

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"
)

// The most that one request may cost before it is refused, whatever its form.
const (
	refusalDecodings = 30       // its CPU time, in times of the yardstick
	refusalMemory    = 64 << 20 // bytes: they are the same on a slow machine
)

// cost is what a server process used between two moments. It is read from the kernel's own accounting, so other work on
// the machine does not change it.
type cost struct {
	cpu    time.Duration // of all threads, in user and kernel mode
	memory int64         // bytes by which the resident set grew at its highest
}

// costOf returns what the process used while f ran.
func (p *process) costOf(f func()) cost {
	p.t.Helper()
	p.resetPeak()
	resident, spent := p.status("VmRSS"), p.cpu()
	f()
	return cost{cpu: p.cpu() - spent, memory: max(0, p.status("VmHWM")-resident)}
}

// mustBeCheap fails the test where a refusal cost more than one may.
func (c cost) mustBeCheap(t testing.TB, what string) {
	t.Helper()
	c.mustBeAtMost(t, what, refusalDecodings, refusalMemory)
}

// mustBeAtMost fails the test where the server used more CPU time than so many decodings of 1 MiB of JSON, or more
// memory than so many bytes.
func (c cost) mustBeAtMost(t testing.TB, what string, decodings int, memory int64) {
	t.Helper()
	decoding.takesAtMost(t, what, c.cpu, decodings)
	if c.memory > memory {
		t.Errorf("%s took %d MiB of the server's memory, want at most %d", what, c.memory>>20, memory>>20)
	}
}

// cpu returns the CPU time that the process has used since it began: fields 14 and 15 of proc_pid_stat(5), in ticks of
// 10 ms.
func (p *process) cpu() time.Duration {
	p.t.Helper()
	line := p.proc("stat")
	fields := strings.Fields(line[strings.LastIndexByte(line, ')')+1:]) // from field 3 on: the name before may hold spaces
	var ticks int64
	for _, field := range fields[11:13] {
		n, err := strconv.ParseInt(field, 10, 64)
		if err != nil {
			p.t.Fatal(err)
		}
		ticks += n
	}
	return time.Duration(ticks) * 10 * time.Millisecond
}

// resetPeak makes VmHWM count anew from what is resident now (proc_pid_clear_refs(5)).
func (p *process) resetPeak() {
	p.t.Helper()
	if err := os.WriteFile(fmt.Sprintf("/proc/%d/clear_refs", p.cmd.Process.Pid), []byte("5"), 0); err != nil {
		p.t.Fatal(err)
	}
}

// status returns a size in bytes from proc_pid_status(5), such as VmRSS.
func (p *process) status(name string) int64 {
	p.t.Helper()
	for line := range strings.Lines(p.proc("status")) {
		if rest, ok := strings.CutPrefix(line, name+":"); ok {
			n, err := strconv.ParseInt(strings.Fields(rest)[0], 10, 64)
			if err != nil {
				p.t.Fatal(err)
			}
			return n << 10
		}
	}
	p.t.Fatalf("no %s in /proc/%d/status", name, p.cmd.Process.Pid)
	return 0
}

func (p *process) proc(file string) string {
	p.t.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/%s", p.cmd.Process.Pid, file))
	if err != nil {
		p.t.Fatal(err)
	}
	return string(text)
}
