package main_test

import (
	"fmt"
	"os"
	"path/filepath"
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
