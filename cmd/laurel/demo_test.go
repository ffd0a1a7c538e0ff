package main_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
)

var (
	curlLine = regexp.MustCompile(`(?m)^ +(curl .*)$`)
	shownKey = regexp.MustCompile(`(organization|website|read-only|client|function) key +(lrl_\w+)`)
)

func TestDemoPrintsCommandsThatWorkAsTheyStand(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("curl"); err != nil {
		t.Skip("no curl: the demo's commands cannot be tried")
	}
	dir := filepath.Join(t.TempDir(), "kept", "here")
	s := start(t, showing, nil, "demo", "--dir", dir, "--listen", "127.0.0.1:0")
	eventually(t, "the demo says how to stop it", func() bool { return strings.Contains(s.out.String(), "Ctrl-C") })
	said := s.out.String()
	if keys := shownKey.FindAllStringSubmatch(said, -1); len(keys) != 5 {
		t.Errorf("%d keys, want 5:\n%s", len(keys), said)
	}
	commands := curlLine.FindAllStringSubmatch(said, -1)
	if len(commands) != 3 {
		t.Fatalf("%d curl commands, want 3:\n%s", len(commands), said)
	}
	answers := make([]object, 3)
	for i, c := range commands {
		out, err := exec.Command("sh", "-c", c[1]).Output()
		if err != nil {
			t.Fatalf("%s: %v", c[1], err)
		}
		answers[i] = decode[object](t, string(out))
	}
	if answers[0]["data"].(object)["status"] != "completed" {
		t.Errorf("the purchase: %v", answers[0])
	}
	if entries := answers[1]["data"].([]any); len(entries) == 0 || entries[0].(object)["amount"] != 25.0 {
		t.Errorf("the newest entries do not begin with the purchase: %v", answers[1])
	}
	if board := answers[2]["data"].([]any); len(board) != 5 {
		t.Errorf("the leaderboard: %v", answers[2])
	}
	site := s.caller(shownKey.FindAllStringSubmatch(said, -1)[1][2])
	people := site.get("/api/users?limit=1000").ok(t)["data"].([]any)
	members := 0
	for _, person := range people {
		if person.(object)["walletAddress"] != nil {
			members++
		}
	}
	if members != 200 {
		t.Errorf("%d members, want 200", members)
	}
	if status := s.stop(syscall.SIGINT); status != 0 {
		t.Errorf("exit status %d:\n%s", status, s.out)
	}
	green(t, "sqlite:"+filepath.Join(dir, "demo.db"))
}

func TestDemoWithoutAFolderLeavesNothingBehind(t *testing.T) {
	t.Parallel()
	temporary := t.TempDir()
	s := start(t, showing, []string{"TMPDIR=" + temporary}, "demo", "--listen", "127.0.0.1:0")
	if before, err := os.ReadDir(temporary); err != nil || len(before) != 1 {
		t.Fatalf("%v %v", before, err)
	}
	if status := s.stop(syscall.SIGINT); status != 0 {
		t.Errorf("exit status %d:\n%s", status, s.out)
	}
	if after, err := os.ReadDir(temporary); err != nil || len(after) != 0 {
		t.Errorf("left behind: %v %v", after, err)
	}
}
