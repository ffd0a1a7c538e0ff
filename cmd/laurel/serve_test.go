package main_test

import (
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"

	"laurel.example/laurel/internal/dev/storetest"
	"laurel.example/laurel/internal/dev/wait"
)

func TestServeAnswersWhatOperatorsAndNewcomersAskFor(t *testing.T) {
	t.Parallel()
	storetest.EachURL(t, func(t *testing.T, database string) {
		s := serve(t, database)
		anyone := s.caller("")
		for _, path := range []string{"/healthz", "/readyz"} {
			if got := anyone.get(path).ok(t)["status"]; got != "ok" {
				t.Errorf("%s: %v", path, got)
			}
		}
		for _, name := range []string{"go_goroutines", "process_cpu_seconds_total", "laurel_"} {
			if got := anyone.get("/metrics"); got.status != http.StatusOK || !strings.Contains(got.body, name) {
				t.Errorf("/metrics: status %d, %s is missing", got.status, name)
			}
		}
		document := anyone.get("/openapi.json").ok(t)
		if paths := document["paths"].(object); document["openapi"] != "3.1.0" ||
			paths["/api/loyalty/rules/{id}/complete"] == nil {
			t.Errorf("/openapi.json: %v with %d paths", document["openapi"], len(paths))
		}
		anyone.get("/api/loyalty/rules").refused(t, http.StatusForbidden, "API key is required")
		if status := s.stop(syscall.SIGTERM); status != 0 {
			t.Errorf("exit status %d", status)
		}
	})
}

var (
	assetOf   = regexp.MustCompile(`(?:src|href)\s*=\s*["']([^"']+)["']`)
	elementOf = regexp.MustCompile(`<(\w+)[^>]*`)
	remoteCSS = regexp.MustCompile(`(?:url\(|@import)\s*["']?https?://`)
)

func TestPagesForPeopleNeedNothingFromTheNetwork(t *testing.T) {
	t.Parallel()
	s := serve(t, "sqlite:"+filepath.Join(t.TempDir(), "laurel.db"))
	for _, path := range []string{"/docs/api", "/docs", "/docs/benchmarks", "/docs/search?q=refund"} {
		loadsFromItsServer(t, s, path)
	}
}

// loadsFromItsServer fetches what a page loads, all of which must come from the page's server.
func loadsFromItsServer(t *testing.T, s *process, path string) {
	t.Helper()
	anyone := s.caller("")
	page := anyone.get(path)
	base, err := url.Parse(s.address + path)
	if page.status != http.StatusOK || err != nil {
		t.Fatal(path, page.status, err)
	}
	assets := 0
	for _, element := range elementOf.FindAllStringSubmatch(page.body, -1) {
		for _, reference := range assetOf.FindAllStringSubmatch(element[0], -1) {
			target, err := base.Parse(reference[1])
			if err != nil {
				t.Fatal(err)
			}
			if element[1] == "a" {
				continue // a link is followed only by who clicks it
			}
			if target.Host != base.Host {
				t.Errorf("%s: <%s> loads %s", path, element[1], target)
				continue
			}
			got := anyone.get(target.RequestURI())
			if got.status != http.StatusOK || got.body == "" {
				t.Errorf("%s: <%s> loads %s: status %d", path, element[1], target, got.status)
			}
			if strings.HasSuffix(target.Path, ".css") && remoteCSS.MatchString(got.body) {
				t.Errorf("%s loads from the network", target)
			}
			assets++
		}
	}
	if assets < 2 || remoteCSS.MatchString(page.body) {
		t.Errorf("%s: %d assets; the page:\n%s", path, assets, page.body)
	}
}

func TestASecondServerOnOneSQLiteFileIsRefused(t *testing.T) {
	t.Parallel()
	database := "sqlite:" + filepath.Join(t.TempDir(), "laurel.db")
	first := serve(t, database)
	run(t, "serve", "--listen", "127.0.0.1:0", "--database", database).fails("already served by another process")
	first.caller("").get("/readyz").ok(t)
	first.kill()
	serve(t, database).caller("").get("/readyz").ok(t) // a killed server leaves no lock behind
}

func TestAnAddressInUseIsRefusedBeforeTheDatabaseIsTouched(t *testing.T) {
	t.Parallel()
	first := serve(t, "sqlite:"+filepath.Join(t.TempDir(), "laurel.db"))
	dir := t.TempDir()
	for _, line := range [][]string{{"serve", "--database", "sqlite:" + filepath.Join(dir, "other.db")}, {"demo", "--dir", filepath.Join(dir, "demo")}} {
		e := run(
			t,
			append(
				line,
				"--listen",
				strings.TrimPrefix(first.address, "http://"),
			)...).fails("address already in use", "--listen")
		if left, err := os.ReadDir(dir); e.status != 1 || err != nil || len(left) != 0 {
			t.Errorf("%s: status %d, left %v %v", e.line, e.status, left, err)
		}
	}
}

func TestCommandsThatWriteWaitForTheServersWrites(t *testing.T) {
	t.Parallel()
	storetest.EachURL(t, func(t *testing.T, database string) {
		p := initProgram(t, database)
		s := serve(t, database)
		l := begin(t, s.site(p))
		l.reach(100)
		var wg sync.WaitGroup
		for range 3 {
			wg.Go(func() {
				for range 5 {
					run(
						t,
						"keys",
						"create",
						"--database",
						database,
						"--organization",
						p.OrganizationID,
						"--role",
						"ORGANIZATION_API_KEY",
					).ok()
				}
			})
		}
		wg.Wait()
		l.reach(100)
		if keys := listKeys(t, database, p); len(keys) != 5+15 {
			t.Errorf("%d keys, want 20", len(keys))
		}
		l.check(database)
		if len(l.unanswered) > 0 {
			t.Errorf("%d requests had no answer", len(l.unanswered))
		}
	})
}

func TestSIGTERMUnderLoadAnswersEveryAcceptedRequest(t *testing.T) {
	t.Parallel()
	storetest.EachURL(t, func(t *testing.T, database string) {
		p := initProgram(t, database)
		s := serve(t, database)
		l := begin(t, s.site(p))
		l.reach(300)
		if status := s.stop(syscall.SIGTERM); status != 0 {
			t.Errorf("exit status %d", status)
		}
		l.check(database)
		if happened, _ := written(t, database); len(happened) != len(l.done) {
			t.Errorf("%d effects, %d were acknowledged: an accepted request had no answer", len(happened), len(l.done))
		}
	})
}

func TestDevelopmentModeIsLoud(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	quiet := serve(t, "sqlite:"+filepath.Join(dir, "a.db"))
	if strings.Contains(quiet.out.String(), "DEVELOPMENT MODE") {
		t.Errorf("a warning without --dev:\n%s", quiet.out)
	}
	loud := serve(t, "sqlite:"+filepath.Join(dir, "b.db"), "--dev")
	if !strings.Contains(loud.out.String(), `level=WARN msg="DEVELOPMENT MODE`) {
		t.Errorf("no warning with --dev:\n%s", loud.out)
	}
}

func TestSettingsComeFromTheEnvironmentAndFlagsWin(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	database := "sqlite:" + filepath.Join(dir, "environment.db")
	p := initProgram(t, database)
	env := []string{
		"LAUREL_DATABASE_URL=" + database,
		"LAUREL_LISTEN=127.0.0.1:0",
		"LAUREL_DEV=1",
		"LAUREL_RATE_LIMITS=off",
		"LAUREL_PREFIX=/loyalty",
		"LAUREL_SECRET=a secret of more than sixteen letters",
	}
	s := start(t, serving, env, "serve")
	output := s.out.String()
	if !strings.HasSuffix(s.address, "/loyalty") || !strings.Contains(output, "DEVELOPMENT MODE") ||
		!strings.Contains(output, "rate limits are off") {
		t.Errorf("printed:\n%s", output)
	}
	if strings.Contains(output, "LAUREL_SECRET is not set") || strings.Contains(output, "sixteen letters") {
		t.Errorf("printed:\n%s", output)
	}
	got := s.site(p).get("/api/loyalty/rules")
	got.ok(t)
	if limits := got.header.Get("RateLimit"); limits != "" {
		t.Errorf("rate limits are off, yet the answer says %s", limits)
	}
	s.kill()

	flags := start(t, serving, env, "serve", "--rate-limits", "on", "--prefix", "/other")
	got = flags.site(p).get("/api/loyalty/rules")
	got.ok(t)
	if !strings.HasSuffix(flags.address, "/other") || !strings.Contains(got.header.Get("RateLimit-Policy"), "q=1000") {
		t.Errorf("%s: %v", flags.address, got.header)
	}
	if decode[[]apiKey](t, runWith(t, env, "keys", "list", "--organization", p.OrganizationID, "--json").ok())[0].ID == "" {
		t.Error("keys list does not read the environment")
	}
	if files, err := os.ReadDir(dir); err != nil || !strings.HasPrefix(files[0].Name(), "environment.db") {
		t.Errorf("%v %v", files, err)
	}
}

func TestADatabasesPasswordIsNeverLogged(t *testing.T) {
	t.Parallel()
	onPostgres(t, func(t *testing.T, database string) {
		address, err := url.Parse(database)
		if err != nil {
			t.Fatal(err)
		}
		address.User = url.UserPassword(address.User.Username(), "hunter2")
		p := initProgram(t, database)
		s := serve(t, address.String(), "--log", "debug", "--dev")
		site := s.site(p)
		site.post(transactions, site.transfer("", move{walletOf(1), 5})).ok(t)
		output := run(t, "keys", "list", "--database", address.String(), "--organization", p.OrganizationID, "--log", "debug")
		output.ok()
		address.Path = "/there_is_no_such_database"
		failed := run(t, "verify", "--database", address.String(), "--log", "debug").fails("there_is_no_such_database")
		if status := s.stop(syscall.SIGTERM); status != 0 {
			t.Errorf("exit status %d", status)
		}
		if all := s.out.String() + output.stdout + output.stderr + failed.stdout + failed.stderr; strings.Contains(
			all,
			"hunter2",
		) {
			t.Errorf("the password was printed:\n%s", all)
		}
	})
}

func TestAServerWithoutItsDatabaseAnswers503AndRecovers(t *testing.T) {
	t.Parallel()
	onPostgres(t, func(t *testing.T, database string) {
		p := initProgram(t, database)
		s := serve(t, database)
		site := s.site(p)
		site.get("/api/loyalty/rules").ok(t)
		name := strings.TrimPrefix(decodeURL(t, database).Path, "/")
		elsewhere := *decodeURL(t, database)
		elsewhere.Path = "/postgres"
		admin := open(t, elsewhere.String())
		execute(t, admin, "UPDATE pg_database SET datallowconn = false WHERE datname = '"+name+"'")
		execute(t, admin, "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '"+name+"'")
		if got := s.caller("").
			get("/readyz"); got.status != http.StatusServiceUnavailable ||
			got.header.Get("Retry-After") == "" {
			t.Errorf("/readyz: %d %v %s", got.status, got.header, got.body)
		}
		got := site.post(transactions, site.transfer("", move{walletOf(1), 5}))
		if got.status != http.StatusServiceUnavailable {
			t.Errorf("a write: %d %s", got.status, got.body)
		}
		s.says("msg=unavailable requestId=" + decode[object](t, got.body)["debugInfo"].(string))
		s.caller("").get("/healthz").ok(t)
		execute(t, admin, "UPDATE pg_database SET datallowconn = true WHERE datname = '"+name+"'")
		wait.Until(t, "the server recovers", func() bool { return s.caller("").get("/readyz").status == http.StatusOK })
		site.post(transactions, site.transfer("", move{walletOf(1), 5})).ok(t)
		green(t, database)
	})
}

func decodeURL(t testing.TB, address string) *url.URL {
	t.Helper()
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	return u
}
