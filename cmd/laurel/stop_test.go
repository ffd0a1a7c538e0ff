package main_test

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"

	"laurel.example/laurel/internal/dev/wait"
)

// connect opens a connection to the server and sends the text.
func (p *process) connect(text string) net.Conn {
	p.t.Helper()
	conn, err := net.Dial("tcp", strings.TrimPrefix(p.address, "http://"))
	if err != nil {
		p.t.Fatal(err)
	}
	p.t.Cleanup(func() { _ = conn.Close() })
	p.write(conn, text)
	return conn
}

func (p *process) write(conn net.Conn, text string) {
	p.t.Helper()
	if _, err := io.WriteString(conn, text); err != nil {
		p.t.Fatal(err)
	}
}

// begin opens a request whose body is still to come, and waits until the server has begun with it.
func (p *process) begin(key, body string) net.Conn {
	p.t.Helper()
	conn := p.connect(
		fmt.Sprintf(
			"POST /api/loyalty/transactions HTTP/1.1\r\nHost: laurel\r\nX-API-KEY: %s\r\nContent-Type: application/json\r\n"+
				"Expect: 100-continue\r\nContent-Length: %d\r\n\r\n",
			key,
			len(body),
		),
	)
	line, err := bufio.NewReader(conn).ReadString('\n') // the server asks for the body: it has begun
	if err != nil || !strings.Contains(line, "100 Continue") {
		p.t.Fatalf("%q %v", line, err)
	}
	return conn
}

func (p *process) signal(s syscall.Signal) {
	p.t.Helper()
	if err := p.cmd.Process.Signal(s); err != nil {
		p.t.Fatal(err)
	}
}

func (p *process) says(words string) {
	p.t.Helper()
	wait.Until(p.t, "the log says "+words, func() bool { return strings.Contains(p.out.String(), words) })
}

func TestAStoppingServerFinishesWhatItBeganAndRefusesTheRest(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "laurel.db")
	database := "sqlite:" + path
	p := initProgram(t, database)
	s := serve(t, database)
	body := func(key string) string {
		return fmt.Sprintf(
			`{"description":"d","loyaltyCurrencyId":%q,"entries":[{"walletAddress":%q,"direction":"credit","amount":1,"idempotencyKey":%q}]}`,
			p.LoyaltyCurrencyID,
			walletOf(1),
			key,
		)
	}
	silent := s.connect("POST /api/loyalty/transactions HTTP/1.1\r\n") // accepted before the next one, which is answered
	begun := s.begin(p.WebsiteAPIKey, body("begun"))
	s.signal(syscall.SIGTERM)
	wait.Until(t, "nobody is let in any more", func() bool {
		conn, err := net.Dial("tcp", strings.TrimPrefix(s.address, "http://"))
		if err == nil {
			_ = conn.Close()
		}
		return err != nil
	})
	s.write(
		silent,
		fmt.Sprintf(
			"Host: laurel\r\nX-API-KEY: %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s",
			p.WebsiteAPIKey,
			len(body("late")),
			body("late"),
		),
	)
	if got, err := io.ReadAll(silent); len(got) > 0 {
		t.Errorf("what begins after the stop: %v %s", err, got)
	}
	s.write(begun, body("begun"))
	reader := bufio.NewReader(begun)
	if rest, err := io.ReadAll(reader); err != nil || !strings.Contains(string(rest), "HTTP/1.1 200 OK") {
		t.Errorf("what was begun before it: %v %s", err, rest)
	}
	wait.Until(t, "the server ends", s.ended)
	if status := s.cmd.ProcessState.ExitCode(); status != 0 ||
		!regexp.MustCompile(`msg=stopped took=\d`).MatchString(s.out.String()) {
		t.Errorf("status %d:\n%s", status, s.out)
	}
	if _, err := os.Stat(path + "-wal"); err == nil {
		t.Error("a stopped server left part of its data outside the database's own file")
	}
	if _, keys := written(t, database); keys["begun"] != 1 || keys["late"] != 0 {
		t.Errorf("written: %v", keys)
	}
}

func TestASecondSignalEndsAStoppingServerAtOnce(t *testing.T) {
	t.Parallel()
	database := "sqlite:" + filepath.Join(t.TempDir(), "laurel.db")
	p := initProgram(t, database)
	for _, signal := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM} {
		s := serve(t, database)
		s.begin(p.WebsiteAPIKey, "{}")
		s.signal(signal)
		s.says(`msg="stopping`)
		if s.ended() {
			t.Fatal("the request under way did not hold the server")
		}
		if status := s.stop(signal); status != 128+int(signal) || strings.Contains(s.out.String(), "msg=stopped") {
			t.Errorf("status %d:\n%s", status, s.out)
		}
	}
	green(t, database)
}

func TestADrainingServerSaysSoAndASecondSignalEndsIt(t *testing.T) {
	t.Parallel()
	s := serve(t, "sqlite:"+filepath.Join(t.TempDir(), "laurel.db"), "--drain", "1h")
	s.caller("").get("/readyz").ok(t)
	s.signal(syscall.SIGTERM)
	anyone := s.caller("")
	wait.Until(t, "/readyz says so", func() bool { return anyone.get("/readyz").status == http.StatusServiceUnavailable })
	anyone.get("/healthz").ok(t)
	status := s.stop(syscall.SIGTERM)
	if status != 128+int(syscall.SIGTERM) || strings.Contains(s.out.String(), "msg=stopped") {
		t.Errorf("status %d:\n%s", status, s.out)
	}
}

func TestSQLiteFilesBelongToTheirOwnerAlone(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := serve(t, "sqlite:"+filepath.Join(dir, "laurel.db"))
	s.caller("").get("/readyz").ok(t)
	files, err := os.ReadDir(dir)
	if err != nil || len(files) != 5 {
		t.Fatalf("%v %v", files, err)
	}
	for _, f := range files {
		if info, err := f.Info(); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v %v", f.Name(), info.Mode(), err)
		}
	}
}

func TestServeTellsWhereItsDocumentIs(t *testing.T) {
	t.Parallel()
	s := serve(t, "sqlite:"+filepath.Join(t.TempDir(), "laurel.db"), "--prefix", "/loyalty")
	found := regexp.MustCompile(`docs=(http://\S+)`).FindStringSubmatch(s.out.String())
	if len(found) < 2 || found[1] != s.address+"/docs" {
		t.Fatalf("%v in\n%s", found, s.out)
	}
	if got := s.caller("").get("/docs"); got.status != http.StatusOK {
		t.Errorf("status %d", got.status)
	}
}

func TestDemoWarnsOfDevelopmentModeAndNotOfItsSecret(t *testing.T) {
	t.Parallel()
	networks := filepath.Join(t.TempDir(), "networks.json")
	text := `{"networks": [{"name": "acmechain", "chainId": 4242, "rpcUrl": "http://127.0.0.1:9/"}]}`
	if err := os.WriteFile(networks, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	line := []string{"demo", "--listen", "127.0.0.1:0", "--dev", "--rate-limits", "off", "--networks", networks}
	s := start(t, showing, nil, line...)
	wait.Until(t, "the demo says how to stop it", func() bool { return strings.Contains(s.out.String(), "Ctrl-C") })
	output := s.out.String()
	if !strings.Contains(output, "blockchain         none of the demo's own, as --networks is set") {
		t.Errorf("with networks of the operator:\n%s", output)
	}
	if !strings.Contains(output, "DEVELOPMENT MODE") || !strings.Contains(output, "rate limits are off") ||
		strings.Contains(output, "LAUREL_SECRET") {
		t.Errorf("printed:\n%s", output)
	}
	if status := s.stop(syscall.SIGINT); status != 0 {
		t.Errorf("exit status %d", status)
	}
}

func TestAnUnreachablePostgresIsToldOnce(t *testing.T) {
	t.Parallel()
	e := run(
		t,
		"serve",
		"--listen",
		"127.0.0.1:0",
		"--database",
		"postgres://laurel@127.0.0.1:1/db",
	).fails("connection refused")
	if e.status != 1 || strings.Count(e.stderr, "connection refused") != 1 || strings.Count(e.stderr, "\n") != 1 {
		t.Errorf("status %d:\n%s", e.status, e.stderr)
	}
}
