package main_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// stateOf returns the state of a process and its parent; "" where there is none.
func stateOf(pid int) (state string, parent int) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return "", 0
	}
	fields := strings.Fields(string(text[strings.LastIndexByte(string(text), ')')+1:]))
	parent, _ = strconv.Atoi(fields[1])
	return fields[0], parent
}

// childrenOf returns the processes that a process has started.
func childrenOf(t testing.TB, process int) (pids []int) {
	t.Helper()
	names, err := filepath.Glob("/proc/[0-9]*")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		pid, err := strconv.Atoi(filepath.Base(name))
		if err != nil {
			continue
		}
		if _, parent := stateOf(pid); parent == process {
			pids = append(pids, pid)
		}
	}
	return pids
}

func TestAKilledServerLeavesNoChildren(t *testing.T) {
	t.Parallel()
	database := "sqlite:" + filepath.Join(t.TempDir(), "laurel.db")
	p := initProgram(t, database)
	s := serve(t, database)
	env := []string{"LAUREL_URL=" + s.address, "LAUREL_API_KEY=" + p.WebsiteAPIKey}
	runWith(t, env, "functions", "deploy", writeFunction(t, helloFunction)).ok()
	runWith(t, env, "functions", "invoke", "hello").ok()
	children := childrenOf(t, s.cmd.Process.Pid)
	if len(children) == 0 {
		t.Fatal("a server that has run a function has no child")
	}
	s.kill()
	for range 50 {
		alive := 0
		for _, pid := range children {
			if state, _ := stateOf(pid); state != "" && state != "Z" {
				alive++
			}
		}
		if alive == 0 {
			return
		}
		time.Sleep(100 * time.Millisecond)
	}
	t.Errorf("children of a killed server are still there: %v", children)
}

// residentOf returns the resident memory of a process in MiB.
func residentOf(t testing.TB, pid int) int {
	t.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/statm", pid))
	if err != nil {
		t.Fatal(err)
	}
	pages, err := strconv.Atoi(strings.Fields(string(text))[1])
	if err != nil {
		t.Fatal(err)
	}
	return pages * os.Getpagesize() >> 20
}

func TestBombsMoveNeitherTheServersMemoryNorItsAnswers(t *testing.T) {
	t.Parallel()
	database := "sqlite:" + filepath.Join(t.TempDir(), "laurel.db")
	p := initProgram(t, database)
	s := serve(t, database)
	site := s.site(p)
	before := residentOf(t, s.cmd.Process.Pid)
	usual := medianOf(200, func() { site.get("/healthz").ok(t) })
	ended := make(chan string)
	bombs := []string{
		`for (;;) {}`,
		`const a = []; for (;;) a.push(new ArrayBuffer(1 << 20))`,
		`const s = "x".repeat(1 << 20); for (let i = 0; i < 1024; i++) console.log(s)`,
		`let a = []; for (let i = 0; i < 1e6; i++) a = [a]; output.setResult(a)`,
	}
	go func() {
		defer close(ended)
		for _, bomb := range bombs {
			code := "module.exports.handler = async (input, output) => {\n" + bomb +
				"\nif (0) output.setResult(0);\nreturn output.buildOutput();\n};"
			made := site.post("/api/stratus/functions", object{"name": "bomb", "code": code}).ok(t)
			run := site.post("/api/stratus/functions/"+made["id"].(string)+"/invoke", object{}).ok(t)
			ended <- fmt.Sprint(run["data"].(object)["status"])
		}
	}()
	var answers []time.Duration
	var statuses []string
	for over := false; !over; {
		select {
		case status, more := <-ended:
			if over = !more; more {
				statuses = append(statuses, status)
			}
		case <-time.After(20 * time.Millisecond):
			begun := time.Now()
			site.get("/healthz").ok(t)
			answers = append(answers, time.Since(begun))
		}
	}
	if got := strings.Join(statuses, " "); got != "failed failed succeeded failed" {
		t.Errorf("the runs: %s", got)
	}
	// Bombs that hold the server up delay every answer. A busy machine delays a few: hence the median.
	slices.Sort(answers)
	median := answers[len(answers)/2]
	t.Logf("half of %d answers took more than %v, and %v without bombs", len(answers), median, usual)
	if median > 500*usual {
		t.Errorf("half of %d answers took more than %v, and %v without bombs", len(answers), median, usual)
	}
	if after := residentOf(t, s.cmd.Process.Pid); after > before+64 {
		t.Errorf("the server has %d MiB, and had %d before", after, before)
	}
}

// medianOf returns the median duration of n calls.
func medianOf(n int, call func()) time.Duration {
	took := make([]time.Duration, n)
	for i := range took {
		begun := time.Now()
		call()
		took[i] = time.Since(begun)
	}
	slices.Sort(took)
	return took[n/2]
}
