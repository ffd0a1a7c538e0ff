package main_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"laurel.example/laurel/internal/dev/freeport"
)

// guide is a page of docs/guides: its commands, in order, and what each of them must print. A block without an expected
// output may print what it likes.
type guide struct {
	commands []string
	wants    []string
}

// otherPort is the port on which the pages start what Laurel calls, such as a receiver of webhooks.
var otherPort = regexp.MustCompile(`\b3000\b`)

// serverPort is where the pages start Laurel: each page has a port of its own, none of which is that of the demo, so that
// no page calls a server of another one.
var serverPort = regexp.MustCompile(`127\.0\.0\.1:808[1-9]\b`)

var fence = regexp.MustCompile("(?s)\n```(\\w+)\n(.*?\n)```\n")

// readGuide reads the blocks of a page: sh are commands, and text is the output of the commands before it.
func readGuide(t *testing.T, path string) (g guide) {
	t.Helper()
	page, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, block := range fence.FindAllStringSubmatch(string(page), -1) {
		switch last := len(g.wants) - 1; {
		case block[1] == "sh":
			g.commands, g.wants = append(g.commands, block[2]), append(g.wants, "")
		case block[1] == "text" && last >= 0:
			g.wants[last] = block[2]
		}
	}
	return g
}

// The commands of every guide work as they stand on its page, and print what it says.
func TestTheCommandsOfTheGuidesDoWhatThePagesSay(t *testing.T) {
	t.Parallel()
	for _, tool := range []string{"bash", "curl", "jq", "python3"} {
		if _, err := exec.LookPath(tool); err != nil {
			if os.Getenv("CI") == "true" {
				t.Fatal(err)
			}
			t.Skip("the guides need bash, curl, jq and python3")
		}
	}
	pages, err := filepath.Glob("../../docs/guides/*.md")
	if err != nil || len(pages) == 0 {
		t.Fatal(pages, err)
	}
	for _, page := range pages {
		t.Run(filepath.Base(page), func(t *testing.T) {
			t.Parallel()
			readGuide(t, page).run(t)
		})
	}
}

// run runs the commands in one shell, in a folder of their own, on a free port, and compares what they print.
func (g guide) run(t *testing.T) {
	t.Helper()
	if len(g.commands) == 0 {
		t.Fatal("the page has no commands")
	}
	var ports [2]string // of the server, and of the program that it calls
	for i := range ports {
		port, err := freeport.Find(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		ports[i] = fmt.Sprint(port)
	}
	dir, address := t.TempDir(), "127.0.0.1:"+ports[0]
	script := "set -euo pipefail\n"
	for i, block := range g.commands {
		if strings.Contains(block, "127.0.0.1:8080") {
			t.Error("the page calls the port of the demo")
		}
		block = otherPort.ReplaceAllString(serverPort.ReplaceAllString(block, address), ports[1])
		script += fmt.Sprintf("{\n%s} >out.%d\n", block, i)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, "bash", "-c", script) //nolint:gosec // the commands are those of the project's pages
	tools := filepath.Join(dir, "bin")
	if err := os.Mkdir(tools, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(binary, filepath.Join(tools, "laurel")); err != nil {
		t.Fatal(err)
	}
	cmd.Dir = dir
	for _, pair := range os.Environ() {
		if !strings.HasPrefix(pair, "LAUREL_") {
			cmd.Env = append(cmd.Env, pair)
		}
	}
	cmd.Env = append(cmd.Env, "PATH="+tools+":"+os.Getenv("PATH"), "XDG_STATE_HOME="+dir)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	output, err := cmd.CombinedOutput()
	_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) // the servers that it has begun
	if err != nil {
		t.Fatalf("%v: %s\nthe server says: %s", err, output, read(dir, "server.log"))
	}
	for i, want := range g.wants {
		if got := read(dir, fmt.Sprint("out.", i)); want != "" && !like(want, got) {
			t.Errorf("after\n%s\nit prints\n%s\nand the page says\n%s", g.commands[i], got, want)
		}
	}
}

// read returns a file of a folder; "" if there is none.
func read(dir, name string) string {
	text, _ := os.ReadFile(filepath.Join(dir, name)) //nolint:gosec // a folder of the test
	return string(text)
}

// like reports whether a text is what a page says, where … stands for anything within a line.
func like(want, got string) bool {
	pattern := strings.ReplaceAll(regexp.QuoteMeta(strings.TrimSpace(want)), "…", ".*")
	return regexp.MustCompile("^" + pattern + "$").MatchString(strings.TrimSpace(got))
}
