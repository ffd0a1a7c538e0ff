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

// patience is how long anything may take that must happen. It only bounds hanging: nothing is measured by it.
const patience = 60 * time.Second

// program is what laurel init prints.
type program struct {
	WebsiteID, LoyaltyCurrencyID, WebsiteAPIKey string
}

// laurel runs a command that ends by itself and returns what it printed.
func (w *world) laurel(ctx context.Context, args ...string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	out, err := w.command(ctx, args...).CombinedOutput()
	if err != nil {
		return string(out), fmt.Errorf("laurel %s: %w: %s", args[0], err, strings.TrimSpace(string(out)))
	}
	return string(out), nil
}

// command prepares a run of the program with no setting of the caller's environment.
func (w *world) command(ctx context.Context, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, w.program, args...) //nolint:gosec // the program under test
	cmd.Dir = w.dir
	for _, pair := range os.Environ() {
		if !strings.HasPrefix(pair, "LAUREL_") {
			cmd.Env = append(cmd.Env, pair)
		}
	}
	return cmd
}

func (w *world) init(ctx context.Context) error {
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
	return json.Unmarshal(out, &w.made)
}

// node is a running server.
type node struct {
	cmd     *exec.Cmd
	log     string // the file that it prints to
	address string // http://127.0.0.1:PORT
	gone    chan struct{}
}

var serving = regexp.MustCompile(`msg=serving address=(http://\S+)`)

// serve starts a server on the database and waits until it is ready, however long its start takes.
func (w *world) serve(ctx context.Context, database string) (*node, error) {
	w.started++
	n := &node{log: filepath.Join(w.dir, fmt.Sprintf("server-%d.log", w.started)), gone: make(chan struct{})}
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
	err = eventually(ctx, "the server is ready: "+n.log, func() bool {
		if n.ended() {
			return true
		}
		text, _ := os.ReadFile(n.log)
		found := serving.FindSubmatch(text)
		if found == nil {
			return false
		}
		n.address = string(found[1])
		return w.client.ready(ctx, n.address)
	})
	if err == nil && n.ended() {
		text, _ := os.ReadFile(n.log)
		err = fmt.Errorf("the server ended: %s", strings.TrimSpace(string(text)))
	}
	if err != nil {
		n.kill()
	}
	return n, err
}

func (n *node) ended() bool {
	select {
	case <-n.gone:
		return true
	default:
		return false
	}
}

// kill ends a server as a power failure of its machine would; it is no error when it has ended already.
func (n *node) kill() {
	_ = n.cmd.Process.Kill()
	<-n.gone
}

// eventually waits until something holds.
func eventually(ctx context.Context, what string, holds func() bool) error {
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

// within gives something that waits no longer than anything may take.
func within(ctx context.Context, wait func(context.Context) error) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	return wait(ctx)
}
