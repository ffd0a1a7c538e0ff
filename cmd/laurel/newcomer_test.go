package main_test

import (
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"laurel.example/laurel/internal/dev/storetest"
	"laurel.example/laurel/internal/dev/wait"
)

// taken is an address that somebody listens on.
func taken(t *testing.T) string {
	t.Helper()
	listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = listener.Close() })
	return listener.Addr().String()
}

func TestServeChecksEverySettingBeforeItListens(t *testing.T) {
	t.Parallel()
	address, dir := taken(t), t.TempDir()
	broken, missing := filepath.Join(dir, "broken"), filepath.Join(dir, "missing")
	if err := os.WriteFile(broken, []byte("nothing that is known"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ flag, value, says string }{
		{"LAUREL_SECRET", "short", "LAUREL_SECRET must have at least 16 characters"},
		{"--prefix", "loyalty/", "--prefix must begin with /"},
		{"--trusted-proxies", "everyone", "--trusted-proxies everyone is no CIDR"},
		{"--callback-allow-cidrs", "everyone", "--callback-allow-cidrs everyone is no CIDR"},
		{"--public-url", "nowhere", "--public-url must be a url"},
		{"--platform-labels", "nothing=X", "--platform-labels nothing is none of"},
		{"--payouts", missing, "--payouts"},
		{"--payouts", broken, "--payouts"},
		{"--partners", missing, "--partners"},
		{"--partners", broken, "--partners"},
		{"--identity", missing, "--identity"},
		{"--identity", broken, "--identity"},
		{"--seal-key", broken, "must hold an Ed25519 private key"},
		{"--database", "mysql://root:hunter2@127.0.0.1/db", "--database must be sqlite:PATH or postgres://"},
		{"--database", "sqlite:", "--database needs a file path"},
		{"--database", "postgres:host=127.0.0.1 password=hunter2", "--database must be sqlite:PATH or postgres://"},
		{"--database", "postgres://laurel:hunter2@127.0.0.1/db?sslmode=sometimes",
			"--database cannot be read as an address of PostgreSQL"},
	} {
		for _, command := range []string{"serve", "demo"} {
			if command == "demo" && c.flag == "--database" {
				continue // it has a database of its own
			}
			line, env := []string{command, "--listen", address}, []string(nil)
			if strings.HasPrefix(c.flag, "--") {
				line = append(line, c.flag+"="+c.value)
			} else {
				env = []string{c.flag + "=" + c.value}
			}
			e := runWith(t, env, line...).fails(c.says)
			if output := e.stdout + e.stderr; strings.Contains(output, "in use") || strings.Contains(output, "hunter2") {
				t.Errorf("%s: %s", e.line, output)
			}
		}
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) != 1 {
		t.Errorf("left %v %v", left, err)
	}
}

func TestAPortInUseIsNamedWithTheFlagThatChoosesAnother(t *testing.T) {
	t.Parallel()
	address := taken(t)
	_, port, err := net.SplitHostPort(address)
	if err != nil {
		t.Fatal(err)
	}
	for _, command := range []string{"serve", "demo"} {
		e := run(t, command, "--listen", address).fails("laurel: port "+port+" ", "address already in use",
			"--listen", "LAUREL_LISTEN")
		if strings.Count(e.stderr, "\n") != 1 {
			t.Errorf("%s", e.stderr)
		}
	}
}

func TestAMissingDatabaseTellsWhatToDo(t *testing.T) {
	t.Parallel()
	run(t, "verify").fails("laurel: laurel.db does not exist", "laurel serve", "laurel init", "--database")
}

func TestMigrationsAreToldInOneLineUnlessAskedFor(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	output := serve(t, "sqlite:"+filepath.Join(dir, "laurel.db")).out.String()
	if strings.Contains(output, "schema.sqlite.sql") || strings.Count(output, "migrated") != 1 {
		t.Errorf("printed:\n%s", output)
	}
	detailed := run(t, "migrate", "up", "--database", "sqlite:"+filepath.Join(dir, "new.db"), "--log", "debug")
	detailed.ok()
	if !strings.Contains(detailed.stderr, "schema.sqlite.sql") {
		t.Errorf("debug printed:\n%s", detailed.stderr)
	}
}

func TestErrorsOfPostgreSQLBeginWithTheirCause(t *testing.T) {
	t.Parallel()
	refusing := refusingPostgres(t)
	starts := func(database, cause string, more ...string) {
		t.Helper()
		for _, line := range [][]string{{"serve", "--listen", "127.0.0.1:0"}, {"verify"}} {
			e := run(t, append(line, "--database", database)...).fails(more...)
			if !strings.HasPrefix(e.stderr, "laurel: "+cause) || strings.Contains(e.stderr, "hunter2") ||
				strings.Count(e.stderr, "\n") != 1 {
				t.Errorf("want %q first, got %s", cause, e.stderr)
			}
		}
	}
	starts("postgres://laurel:hunter2@127.0.0.1:1/db?sslmode=disable", "connection refused: ",
		"postgres://laurel:xxxxx@127.0.0.1:1/db")
	starts("postgres://laurel:hunter2@127.0.0.1:1,127.0.0.1:2/db", "connection refused: ", "127.0.0.1:1")
	starts("postgres://laurel:hunter2@"+refusing+"/db?sslmode=disable",
		`password authentication failed for user "laurel": `, refusing)
	onPostgres(t, func(t *testing.T, database string) {
		address := decodeURL(t, database)
		elsewhere := *address
		elsewhere.Path = "/no_such_database"
		starts(elsewhere.String(), `database "no_such_database" does not exist: `, address.Host)
		stranger := *address
		stranger.User = url.UserPassword("no_such_role", "hunter2")
		starts(stranger.String(), `role "no_such_role" does not exist: `, address.Host)
	})
}

// refusingPostgres listens as a PostgreSQL that knows no password and returns its address.
func refusingPostgres(t *testing.T) string {
	t.Helper()
	listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = listener.Close() })
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			_, _ = conn.Read(make([]byte, 1024))
			const text = "SFATAL\x00VFATAL\x00C28P01\x00Mpassword authentication failed for user \"laurel\"\x00\x00"
			_, _ = conn.Write([]byte("E\x00\x00\x00" + string(rune(4+len(text))) + text))
			_ = conn.Close()
		}
	}()
	return listener.Addr().String()
}

func TestAFileThatIsNoDatabaseIsLeftAsItIsAndAlone(t *testing.T) {
	t.Parallel()
	const text = "Notes of mine, and nothing else.\n"
	for _, line := range append(readers(), []string{"serve", "--listen", "127.0.0.1:0"}, []string{"migrate", "up"},
		[]string{"init", "--name", "A", "--website", "B", "--currency", "C"}) {
		dir := t.TempDir()
		path := filepath.Join(dir, "notes.txt")
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil { //nolint:gosec // the mode stays
			t.Fatal(err)
		}
		e := run(t, append(line, "--database", "sqlite:"+path)...).fails(path, "not a database")
		left, err := os.ReadDir(dir)
		kept, reading := os.ReadFile(path)
		if err != nil || reading != nil || len(left) != 1 || string(kept) != text {
			t.Errorf("%s: left %v %v, %q %v", e.line, left, err, kept, reading)
		}
	}
}

func TestEverythingThatAServerMakesIsForItsOwnerAlone(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	database := "sqlite:" + filepath.Join(dir, "laurel.db")
	cmd := command(t, []string{"LAUREL_RATE_LIMITS=off"}, "serve", "--listen", "127.0.0.1:0", "--database", database,
		"--cpu-profile", filepath.Join(dir, "profile"))
	cmd.Path, cmd.Args = "/bin/sh", append([]string{"sh", "-c", `umask 0; exec "$0" "$@"`, binary}, cmd.Args[1:]...)
	s := started(t, serving, cmd)
	site := s.site(initProgram(t, database))
	file := site.post("/api/assets", object{"fileName": "a.png", "fileSize": 3}).ok(t)
	r, err := http.NewRequestWithContext(
		t.Context(),
		http.MethodPut,
		s.address+file["signedUrl"].(string),
		strings.NewReader("abc"),
	)
	if err != nil {
		t.Fatal(err)
	}
	if answer, err := http.DefaultClient.Do(r); err != nil || answer.Body.Close() != nil ||
		answer.StatusCode != http.StatusOK {
		t.Fatal(answer, err)
	}
	seen := 0
	err = filepath.WalkDir(dir, func(path string, entry os.DirEntry, err error) error {
		if err != nil || path == dir {
			return err
		}
		info, err := entry.Info()
		if err == nil && info.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s is %s", path, info.Mode())
		}
		seen++
		return err
	})
	if err != nil || seen < 7 {
		t.Errorf("%d files, %v", seen, err)
	}
}

func TestAKeyThatIsRevokedTwiceSaysSo(t *testing.T) {
	t.Parallel()
	storetest.EachURL(t, func(t *testing.T, database string) {
		initProgram(t, database)
		key := decode[apiKey](t, run(t, "keys", "create", "--database", database, "--role", "WEBSITE_API_KEY", "--json").ok())
		if output := run(t, "keys", "revoke", "--database", database, key.ID).ok(); output != "revoked\n" {
			t.Errorf("the first time: %s", output)
		}
		at := one(t, open(t, database), "SELECT CAST(revoked_at AS TEXT) FROM api_keys WHERE revoked_at IS NOT NULL")
		output := run(t, "keys", "revoke", "--database", database, key.ID).ok()
		if !regexp.MustCompile(`^was already revoked on 20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d\.\d\d\dZ\n$`).MatchString(output) {
			t.Errorf("the second time: %s", output)
		}
		if after := one(t, open(t, database),
			"SELECT CAST(revoked_at AS TEXT) FROM api_keys WHERE revoked_at IS NOT NULL"); after != at {
			t.Errorf("revoked at %s, then at %s", at, after)
		}
	})
}

func TestTheLifeOfAKeyIsToldInDaysToo(t *testing.T) {
	t.Parallel()
	database := "sqlite:" + filepath.Join(t.TempDir(), "laurel.db")
	initProgram(t, database)
	create := []string{"keys", "create", "--database", database, "--role", "WEBSITE_API_KEY", "--json"}
	type dated struct{ CreatedAt, ExpiresAt time.Time }
	for text, want := range map[string]time.Duration{"30d": 720 * time.Hour, "12h": 12 * time.Hour,
		"1d12h": 36 * time.Hour, "90m": 90 * time.Minute, "3650d": 87600 * time.Hour} {
		key := decode[dated](t, run(t, append(create, "--expires-in", text)...).ok())
		if got := key.ExpiresAt.Sub(key.CreatedAt); got < want-time.Minute || got > want+time.Minute {
			t.Errorf("%s is %s", text, got)
		}
	}
	for text, says := range map[string]string{"30": "--expires-in: must be a duration such as 30d, 12h or 1d12h",
		"d": "such as 30d", "": "such as 30d", "2 days": "such as 30d", "1d-2h": "such as 30d",
		"1.5d": "such as 30d", "12h1d": "such as 30d", "999999999d": "such as 30d", "106751d24h": "such as 30d",
		"-1h": "--expires-in must be in the future", "0d": "--expires-in must be in the future",
		"-2d": "--expires-in must be in the future"} {
		if e := run(t, append(create, "--expires-in="+text)...).fails(says); e.status != 2 || e.stdout != "" {
			t.Errorf("%q: status %d %s", text, e.status, e.stdout)
		}
	}
}

func TestInitAsksWhichOriginsMayUseTheClientKey(t *testing.T) {
	t.Parallel()
	database := "sqlite:" + filepath.Join(t.TempDir(), "laurel.db")
	line := []string{"init", "--database", database, "--name", "A", "--website", "B", "--currency", "C"}
	for _, form := range [][]string{line, {"keys", "create", "--database", database, "--role", "WEBSITE_CLIENT_API_KEY"},
		append(line[:len(line):len(line)], "--json")} {
		e := run(t, form...)
		e.ok()
		if !strings.Contains(e.stderr, "every origin") || !strings.Contains(e.stderr, "--origins") {
			t.Errorf("%s does not tell that every origin is admitted:\n%s%s", e.line, e.stdout, e.stderr)
		}
	}
	narrow := run(t, append(line, "--json", "--origins", "https://shop.example,https://www.shop.example")...)
	p := decode[program](t, narrow.ok())
	if strings.Contains(narrow.stderr, "every origin") {
		t.Errorf("printed %s", narrow.stderr)
	}
	client := serve(t, database).caller(p.ClientAPIKey)
	for origin, status := range map[string]int{"https://shop.example": http.StatusOK,
		"https://www.shop.example": http.StatusOK, "https://other.example": http.StatusForbidden} {
		r, err := client.send(http.MethodGet, "/api/loyalty/rules", nil, "Origin", origin)
		if got := client.must(r, err); got.status != status {
			t.Errorf("%s: status %d, want %d", origin, got.status, status)
		}
	}
	fresh := filepath.Join(t.TempDir(), "new.db")
	e := run(
		t,
		"init",
		"--database",
		"sqlite:"+fresh,
		"--name=A",
		"--website=B",
		"--currency=C",
		"--origins=shop.example",
	)
	if e.fails("--origins must be an origin, such as https://shop.example").status != 2 {
		t.Errorf("status %d", e.status)
	}
	if _, err := os.Stat(fresh); err == nil {
		t.Error("a database was made all the same")
	}
}

// aloud finds a line of the log, but for the one that says what the demo's blockchain does on purpose.
var aloud = regexp.MustCompile(`level=\w+ msg="[^b]|level=\w+ msg="b[^l]`)

func TestADemoInAFolderIsServedAgain(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "kept")
	line := []string{"demo", "--dir", dir, "--listen", "127.0.0.1:0"}
	var links []string // into the dashboard: each works once, so each start shows another
	card := func() (*process, string) {
		s := start(t, showing, withAnvil(t), line...)
		wait.Until(t, "the demo says how to stop it", func() bool { return strings.Contains(s.out.String(), "Ctrl-C") })
		output := s.out.String()
		if !strings.HasPrefix(output, "Laurel demo: 200 members") {
			t.Errorf("something stands before the card:\n%s", output)
		}
		links = append(links, shownLink.FindString(output))
		return s, strings.ReplaceAll(shownLink.ReplaceAllString(output, "LINK"), s.address, "ADDRESS")
	}
	first, shown := card()
	keys := shownKey.FindAllStringSubmatch(shown, -1)
	site := first.caller(keys[1][2])
	onChain(t, first, site, "a") // of a node, where there is one
	entries := site.get("/api/loyalty/transaction_entries").ok(t)["data"].([]any)
	if status := first.stop(syscall.SIGINT); status != 0 || aloud.MatchString(first.out.String()) {
		t.Errorf("status %d, and the log is not silent:\n%s", status, first.out)
	}
	second, again := card()
	if shown != again {
		t.Errorf("the first card\n%s\nthe second\n%s", shown, again)
	}
	if links[0] == "" || links[0] == links[1] {
		t.Errorf("the links into the dashboard are %q", links)
	}
	onChain(t, second, second.caller(keys[1][2]), "a")
	now := second.caller(keys[1][2]).get("/api/loyalty/transaction_entries?limit=100").ok(t)["data"].([]any)
	isThere := func(entry any) bool { return len(entries) > 0 && entry.(object)["id"] == entries[0].(object)["id"] }
	if !slices.ContainsFunc(now, isThere) { // what the demo's rules and badges still had to do may stand before it
		t.Errorf("the entries begin with %v, then with %v", entries, now)
	}
	second.kill()
	files, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		own := os.FileMode(0o600)
		if f.IsDir() { // of the lists that rules go by
			own = 0o700
		}
		if info, err := f.Info(); err != nil || info.Mode().Perm() != own {
			t.Errorf("%s is %v %v", f.Name(), info.Mode(), err)
		}
	}
	green(t, "sqlite:"+filepath.Join(dir, "demo.db"))
	if err := os.Remove(filepath.Join(dir, "demo.json")); err != nil {
		t.Fatal(err)
	}
	run(t, line...).fails("demo.db", "demo.json", "remove")
	talkative := start(t, showing, []string{"LAUREL_LOG=info"}, "demo", "--listen", "127.0.0.1:0")
	if !strings.Contains(talkative.out.String(), "level=INFO") {
		t.Errorf("a log that was asked for is silent:\n%s", talkative.out)
	}
}
