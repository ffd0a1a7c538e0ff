package bench

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// server is a `laurel serve` in a process of its own, as it runs in production.
type server struct {
	command  *exec.Cmd
	host     string // where it listens
	lastLine <-chan string
}

const stopTimeout = 45 * time.Second

// serve starts a server on a database and waits until it listens. If profile is not "", a CPU profile is written to
// that file when it stops. more are further arguments.
func (b *bench) serve(ctx context.Context, database, profile string, more ...string) (*server, error) {
	arguments := []string{
		"serve",
		"--listen",
		"127.0.0.1:0",
		"--database",
		database,
		"--rate-limits",
		"off",
		"--seal-key",
		b.sealKey(),
	}
	if profile != "" {
		arguments = append(arguments, "--cpu-profile", profile)
	}
	return b.start(ctx, append(arguments, more...))
}

// sealKey returns the file of the key with which servers sign blocks: one of the bench's own, so that servers leave
// nothing in the caller's home.
func (b *bench) sealKey() string { return filepath.Join(b.dir, "seal-key") }

// start starts the measured program and waits until its log says where it listens.
func (b *bench) start(ctx context.Context, arguments []string) (*server, error) {
	command := exec.Command(b.Program, arguments...) //nolint:noctx // stop ends it: killed, it would write no profile
	s := &server{command: command}
	s.command.Env = ownEnvironment()
	stderr, err := s.command.StderrPipe()
	if err != nil {
		return nil, err
	}
	if err := s.command.Start(); err != nil {
		return nil, err
	}
	address, tail := make(chan string, 1), make(chan string, 1)
	s.lastLine = tail
	go followLog(stderr, address, tail)
	select {
	case where := <-address:
		u, err := url.Parse(where)
		if err != nil || where == "" {
			return nil, errors.Join(err, s.stop(), errors.New("the server did not start"))
		}
		s.host = u.Host
		return s, nil
	case <-ctx.Done():
		return nil, errors.Join(ctx.Err(), s.stop())
	}
}

// ownEnvironment returns the caller's environment without the settings of Laurel, which would change what is measured.
// Servers stop without a drain time.
func ownEnvironment() []string {
	out := []string{"LAUREL_DRAIN=0s"}
	for _, pair := range os.Environ() {
		if !strings.HasPrefix(pair, "LAUREL_") {
			out = append(out, pair)
		}
	}
	return out
}

// followLog reads a server's log to its end, so that the server never waits. It sends the address where the server
// listens, or "" if the log ends without one, and at the end the last line that is a warning or an error.
func followLog(stderr io.Reader, address, tail chan<- string) {
	last, found := "", false
	for lines := bufio.NewScanner(stderr); lines.Scan(); {
		line := lines.Text()
		if _, where, ok := strings.Cut(line, "msg=serving address="); ok && !found {
			where, _, _ = strings.Cut(where, " ")
			found = true
			address <- where
		}
		if !strings.Contains(line, "level=INFO") {
			last = line
		}
	}
	if !found {
		address <- ""
	}
	tail <- last
}

// stop stops the server as an operator would. A server that does not end in time is killed, and that is an error.
func (s *server) stop() error {
	_ = s.command.Process.Signal(syscall.SIGTERM) // of one that has ended already, Wait returns the error
	timer := time.AfterFunc(stopTimeout, func() { _ = s.command.Process.Kill() })
	defer timer.Stop()
	last := <-s.lastLine
	if err := s.command.Wait(); err != nil {
		return fmt.Errorf("the server ended badly: %w: %s", err, last)
	}
	return nil
}
