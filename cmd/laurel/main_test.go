package main_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"laurel.example/laurel/internal/dev/storetest"
	"laurel.example/laurel/internal/dev/wait"
)

// binary is the program under test, built once for all tests of this package.
var binary string

func TestMain(m *testing.M) { os.Exit(buildAndRun(m)) }

func buildAndRun(m *testing.M) int {
	dir, err := os.MkdirTemp("", "laurel-binary-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer func() { _ = os.RemoveAll(dir) }()
	binary = filepath.Join(dir, "laurel")
	if out, err := exec.Command("go", "build", "-buildvcs=false", "-o", binary, ".").CombinedOutput(); err != nil {
		fmt.Fprintf(os.Stderr, "go build: %v\n%s", err, out)
		return 1
	}
	return m.Run()
}

// patience is how long a test waits for what must happen. It only bounds hanging: nothing is measured by it.
const patience = 2 * time.Minute

// command prepares a run of the program in an empty folder, with no setting of the caller's environment but those
// given.
func command(t testing.TB, env []string, args ...string) *exec.Cmd {
	t.Helper()
	cmd := exec.Command(binary, args...)
	cmd.Dir = t.TempDir()
	for _, pair := range os.Environ() {
		if !strings.HasPrefix(pair, "LAUREL_") {
			cmd.Env = append(cmd.Env, pair)
		}
	}
	cmd.Env = append(cmd.Env, "XDG_STATE_HOME="+cmd.Dir) // where servers on PostgreSQL keep the key that they seal with
	cmd.Env = append(cmd.Env, env...)
	return cmd
}

// ended is a finished run of the program.
type ended struct {
	t              testing.TB
	line           string
	status         int
	stdout, stderr string
}

// run runs a command that ends by itself.
func run(t testing.TB, args ...string) ended {
	t.Helper()
	return runWith(t, nil, args...)
}

func runWith(t testing.TB, env []string, args ...string) ended {
	t.Helper()
	cmd := command(t, env, args...)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	guard := time.AfterFunc(patience, func() { _ = cmd.Process.Kill() })
	_ = cmd.Wait()
	guard.Stop()
	return ended{t, "laurel " + strings.Join(args, " "), cmd.ProcessState.ExitCode(), stdout.String(), stderr.String()}
}

// ok demands status 0 and returns what was printed.
func (e ended) ok() string {
	e.t.Helper()
	if e.status != 0 {
		e.t.Fatalf("%s: status %d\n%s%s", e.line, e.status, e.stdout, e.stderr)
	}
	return e.stdout
}

// fails demands a status other than 0 and the words somewhere in what was printed; a panic is no clear message.
func (e ended) fails(words ...string) ended {
	e.t.Helper()
	output := e.stdout + e.stderr
	if e.status <= 0 || strings.Contains(output, "goroutine ") {
		e.t.Fatalf("%s: status %d, want a failure with a message\n%s", e.line, e.status, output)
	}
	for _, w := range words {
		if !strings.Contains(output, w) {
			e.t.Fatalf("%s: %q is not in\n%s", e.line, w, output)
		}
	}
	return e
}

// decode reads JSON that the program printed.
func decode[T any](t testing.TB, text string) T {
	t.Helper()
	var out T
	if err := json.Unmarshal([]byte(text), &out); err != nil {
		t.Fatalf("%v in %s", err, text)
	}
	return out
}

// process is a running server.
type process struct {
	t       testing.TB
	cmd     *exec.Cmd
	out     *storetest.Log
	gone    chan struct{} // closed when it has ended
	address string        // http://127.0.0.1:PORT
}

var (
	serving = regexp.MustCompile(`msg=serving address=(http://\S+)`)
	showing = regexp.MustCompile(`address +(http://\S+)`)
)

// start runs a command that serves and waits until it tells its address.
func start(t testing.TB, pattern *regexp.Regexp, env []string, args ...string) *process {
	t.Helper()
	return started(t, pattern, command(t, env, args...))
}

// started is start with a command that is prepared.
func started(t testing.TB, pattern *regexp.Regexp, cmd *exec.Cmd) *process {
	t.Helper()
	p := &process{t: t, cmd: cmd, out: &storetest.Log{}, gone: make(chan struct{})}
	p.cmd.Stdout, p.cmd.Stderr = p.out, p.out
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func() {
		_ = p.cmd.Wait()
		close(p.gone)
	}()
	t.Cleanup(func() {
		p.kill()
		if t.Failed() {
			t.Logf("%s printed:\n%s", strings.Join(cmd.Args, " "), p.out)
		}
	})
	var found []string
	wait.Until(t, "the server tells its address", func() bool {
		found = pattern.FindStringSubmatch(p.out.String())
		return found != nil || p.ended()
	})
	if found == nil {
		t.Fatalf("%s ended:\n%s", strings.Join(cmd.Args, " "), p.out)
	}
	p.address = found[1]
	return p
}

// serve runs laurel serve on a free port, without rate limits and without a drain time unless the flags say otherwise.
func serve(t testing.TB, database string, flags ...string) *process {
	t.Helper()
	env := []string{"LAUREL_RATE_LIMITS=off", "LAUREL_DRAIN=0s"}
	return start(
		t,
		serving,
		env,
		append([]string{"serve", "--listen", "127.0.0.1:0", "--database", database}, flags...)...)
}

func (p *process) ended() bool {
	select {
	case <-p.gone:
		return true
	default:
		return false
	}
}

// kill ends the process as a power failure would; it is no error when it has ended already.
func (p *process) kill() {
	_ = p.cmd.Process.Kill()
	<-p.gone
}

// stop sends the signal and returns the exit status.
func (p *process) stop(signal syscall.Signal) int {
	p.t.Helper()
	if err := p.cmd.Process.Signal(signal); err != nil {
		p.t.Fatal(err)
	}
	select {
	case <-p.gone:
	case <-time.After(patience):
		p.t.Fatalf("still running after %s:\n%s", signal, p.out)
	}
	return p.cmd.ProcessState.ExitCode()
}

// onPostgres runs the test on a new PostgreSQL database: for what takes more than one server, which SQLite does not
// allow.
func onPostgres(t *testing.T, f func(t *testing.T, database string)) {
	t.Helper()
	for _, e := range storetest.Engines() {
		if e.Name == "postgres" {
			t.Run(e.Name, func(t *testing.T) {
				t.Parallel()
				f(t, e.URL(t))
			})
		}
	}
}
