package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"time"
)

// patience is how long anything may take that must happen. It only limits hanging: nothing is measured by it.
const patience = 60 * time.Second

// createdProgram is what laurel init prints about the program that it creates.
type createdProgram struct {
	WebsiteID, LoyaltyCurrencyID, WebsiteAPIKey string
}

// runLaurel runs a command of laurel that ends by itself, and returns what it printed.
func (w *world) runLaurel(ctx context.Context, args ...string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	out, err := w.command(ctx, args...).CombinedOutput()
	if err != nil {
		return string(out), fmt.Errorf("laurel %s: %w: %s", args[0], err, strings.TrimSpace(string(out)))
	}
	return string(out), nil
}

// command prepares a run of laurel, without any LAUREL_ variable of the caller's environment.
func (w *world) command(ctx context.Context, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, w.binary, args...) //nolint:gosec // the program under test
	cmd.Dir = w.dir
	for _, pair := range os.Environ() {
		if !strings.HasPrefix(pair, "LAUREL_") {
			cmd.Env = append(cmd.Env, pair)
		}
	}
	return cmd
}

// createProgram creates the organization, website, currency and keys by laurel init.
func (w *world) createProgram(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	cmd := w.command(
		ctx,
		"init",
		"--database",
		w.database,
		"--name",
		"Torture",
		"--website",
		"Torture",
		"--currency",
		"Points",
		"--json",
	)
	out, err := cmd.Output()
	if err != nil {
		return fmt.Errorf("laurel init: %w", err)
	}
	return json.Unmarshal(out, &w.created)
}

// node is a running server.
type node struct {
	cmd     *exec.Cmd
	log     string        // the file that it prints to
	address string        // http://127.0.0.1:PORT
	gone    chan struct{} // closed when it has ended
}

var servingLine = regexp.MustCompile(`msg=serving address=(http://\S+)`)

// startServer starts a server on a database and waits until it is ready. An error has the log of a server that ended.
func (w *world) startServer(ctx context.Context, database string) (*node, error) {
	w.startedServers++
	n := &node{log: filepath.Join(w.dir, fmt.Sprintf("server-%d.log", w.startedServers)), gone: make(chan struct{})}
	file, err := os.Create(n.log)
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }()
	n.cmd = w.command(ctx, "serve", "--listen", "127.0.0.1:0", "--rate-limits", "off", "--database", database)
	n.cmd.Stdout, n.cmd.Stderr = file, file
	if err := n.cmd.Start(); err != nil {
		return nil, err
	}
	go func() {
		_ = n.cmd.Wait()
		close(n.gone)
	}()
	err = waitUntil(ctx, "the server is ready: "+n.log, func() bool {
		if n.hasEnded() {
			return true
		}
		text, _ := os.ReadFile(n.log)
		found := servingLine.FindSubmatch(text)
		if found == nil {
			return false
		}
		n.address = string(found[1])
		return w.client.isReady(ctx, n.address)
	})
	if err == nil && n.hasEnded() {
		text, _ := os.ReadFile(n.log)
		err = fmt.Errorf("the server ended: %s", strings.TrimSpace(string(text)))
	}
	if err != nil {
		n.kill()
	}
	return n, err
}

// hasEnded reports whether the server has ended.
func (n *node) hasEnded() bool {
	select {
	case <-n.gone:
		return true
	default:
		return false
	}
}

// kill ends a server as a power failure of its machine would. A server that has ended already is no error.
func (n *node) kill() {
	_ = n.cmd.Process.Kill()
	<-n.gone
}

// waitUntil waits until holds returns true. It fails after patience; what names the condition in the error.
func waitUntil(ctx context.Context, what string, holds func() bool) error {
	end := time.Now().Add(patience)
	for !holds() {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if time.Now().After(end) {
			return fmt.Errorf("after %s it is not so: %s", patience, what)
		}
		time.Sleep(10 * time.Millisecond)
	}
	return nil
}

// withPatience calls wait with a context that ends after patience.
func withPatience(ctx context.Context, wait func(context.Context) error) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	return wait(ctx)
}
