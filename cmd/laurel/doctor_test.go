package main_test

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"io/fs"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"laurel.example/laurel/internal/dev/storetest"
)

// finding is a finding of laurel doctor.
type finding struct{ State, Check, Message, Advice string }

// report is what laurel doctor prints as JSON.
type report struct {
	OK       bool
	Findings []finding
}

// doctor runs laurel doctor on a database, and returns its report and its exit status.
func doctor(t *testing.T, env []string, flags ...string) (report, int) {
	t.Helper()
	e := runWith(t, env, append([]string{"doctor", "--json", "--listen", "127.0.0.1:0"}, flags...)...)
	r := decode[report](t, e.stdout)
	if r.OK != (e.status == 0) {
		t.Errorf("ok is %v, and the exit status %d", r.OK, e.status)
	}
	for _, f := range r.Findings {
		if (f.State == "ok") != (f.Advice == "") {
			t.Errorf("%+v: every finding but ok says what to do", f)
		}
	}
	return r, e.status
}

// of returns the messages of a state, each behind its check.
func (r report) of(state string) (out []string) {
	for _, f := range r.Findings {
		if f.State == state {
			out = append(out, f.Check+": "+f.Message)
		}
	}
	return out
}

// has reports whether a message of a state holds all words.
func (r report) has(state string, words ...string) bool {
	return slices.ContainsFunc(r.of(state), func(text string) bool {
		return !slices.ContainsFunc(words, func(word string) bool { return !strings.Contains(text, word) })
	})
}

// treeOf returns the files below a folder with hashes of their bytes.
func treeOf(t *testing.T, folder string) string {
	t.Helper()
	var out strings.Builder
	err := filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			out.WriteString(path + "\n")
			return err
		}
		text, err := os.ReadFile(path)
		sum := sha256.Sum256(text)
		out.WriteString(path + " " + hex.EncodeToString(sum[:]) + "\n")
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// served runs a server on a database until it is ready, so that it has sealed secrets.
func served(t *testing.T, env []string, database string) {
	t.Helper()
	s := start(t, serving, append([]string{"LAUREL_DRAIN=0s"}, env...), "serve", "--listen", "127.0.0.1:0", "--database", database)
	if status := s.stop(syscall.SIGTERM); status != 0 {
		t.Fatalf("exit status %d:\n%s", status, s.out)
	}
}

const doctorSecret = "LAUREL_SECRET=a-secret-of-the-doctor"

func TestDoctorFindsAGoodSetUpGoodAndChangesNothing(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	database := "sqlite:" + filepath.Join(folder, "laurel.db")
	env := []string{doctorSecret}
	r, status := doctor(t, env, "--database", database)
	if status != 0 || !r.has("ok", "does not exist yet") || treeOf(t, folder) != folder+"\n" {
		t.Errorf("a new database: %v; left:\n%s", r.Findings, treeOf(t, folder))
	}
	served(t, env, database)
	before := treeOf(t, folder)
	r, status = doctor(t, env, "--database", database)
	if status != 0 || !r.has("ok", "schema: up to date") || !r.has("ok", "secret: LAUREL_SECRET opens") ||
		!r.has("ok", "database: SQLite 3.") || !r.has("ok", "data folder") {
		t.Errorf("status %d: %v", status, r.Findings)
	}
	if after := treeOf(t, folder); after != before {
		t.Errorf("before:\n%safter:\n%s", before, after)
	}
	text := runWith(t, env, "doctor", "--listen", "127.0.0.1:0", "--database", database).ok()
	if !strings.Contains(text, "\nok    schema           up to date\n") || !strings.Contains(text, " ok, ") {
		t.Errorf("the text:\n%s", text)
	}
	s := start(t, serving, []string{doctorSecret, "LAUREL_DRAIN=0s"}, "serve", "--listen", "127.0.0.1:0",
		"--database", database)
	r, status = doctor(t, env, "--database", database, "--listen", strings.TrimPrefix(s.address, "http://"))
	if status != 0 || !r.has("ok", "listen", "is in use by a running server") || !r.has("ok", "schema: up to date") {
		t.Errorf("beside a running server: %v", r.Findings)
	}
}

func TestDoctorLooksAtPostgreSQL(t *testing.T) {
	t.Parallel()
	onPostgres(t, func(t *testing.T, database string) {
		env := []string{doctorSecret}
		served(t, env, database)
		r, _ := doctor(t, env, "--database", database)
		if !r.has("ok", "schema: up to date") || !r.has("ok", "secret: LAUREL_SECRET opens") || !r.has("ok", "clock") ||
			!r.has("ok", "database: PostgreSQL") {
			t.Errorf("%v", r.Findings)
		}
		// The database of the tests itself is one that the doctor refuses, as it is not durable. Nothing else is wrong.
		for _, text := range r.of("fail") {
			if !strings.HasPrefix(text, "postgresql: ") || !strings.Contains(text, " is off: a crash ") {
				t.Errorf("%s", text)
			}
		}
		separator := "?"
		if strings.Contains(database, "?") {
			separator = "&"
		}
		r, status := doctor(t, env, "--database", database+separator+"default_transaction_read_only=on&synchronous_commit=off")
		if status != 1 || !r.has("fail", "default_transaction_read_only is on: nothing can be written") ||
			!r.has("fail", "synchronous_commit is off") {
			t.Errorf("settings of the address: %v", r.Findings)
		}
		r, status = doctor(t, []string{"LAUREL_SECRET=another-secret-than-that"}, "--database", database)
		if status != 1 || !r.has("fail", "secret: ", "sealed under another LAUREL_SECRET") {
			t.Errorf("another secret: %v", r.Findings)
		}
	})
}

// TestDoctorAcceptsARoleThatMigratesNothing checks the set-up of the runbook: the nodes' role may create no tables.
func TestDoctorAcceptsARoleThatMigratesNothing(t *testing.T) {
	t.Parallel()
	onPostgres(t, func(t *testing.T, database string) {
		initProgram(t, database)
		db := open(t, database)
		role := "laurel_app_" + strings.ToLower(rand.Text())
		change := func(statement string) {
			if _, err := db.ExecContext(context.Background(), statement); err != nil {
				t.Fatalf("%s: %v", statement, err)
			}
		}
		for _, statement := range []string{
			"CREATE ROLE " + role + " LOGIN PASSWORD 'app'", "GRANT USAGE ON SCHEMA public TO " + role,
			"GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO " + role,
		} {
			change(statement)
		}
		t.Cleanup(func() { change("DROP OWNED BY " + role); change("DROP ROLE " + role) })
		address, err := url.Parse(database)
		if err != nil {
			t.Fatal(err)
		}
		address.User = url.UserPassword(role, "app")
		const words = "the role may not create tables"
		if r, _ := doctor(t, nil, "--database", address.String()); r.has("fail", words) || !r.has("ok", "schema: up to date") {
			t.Errorf("%v", r.Findings)
		}
		execute(t, db, "DELETE FROM goose_db_version WHERE version_id = (SELECT MAX(version_id) FROM goose_db_version)")
		if r, status := doctor(t, nil, "--database", address.String()); status != 1 || !r.has("fail", words) {
			t.Errorf("a pending migration: %v", r.Findings)
		}
	})
}

func TestDoctorReportsSchemasOfOtherVersions(t *testing.T) {
	t.Parallel()
	storetest.EachURL(t, func(t *testing.T, database string) {
		initProgram(t, database)
		db := open(t, database)
		execute(t, db, "DELETE FROM goose_db_version WHERE version_id = (SELECT MAX(version_id) FROM goose_db_version)")
		if r, _ := doctor(t, nil, "--database", database); !r.has("warn", "schema: migrations that are not applied yet: 1") {
			t.Errorf("a pending migration: %v", r.Findings)
		}
		execute(t, db, "INSERT INTO goose_db_version (version_id, is_applied) VALUES (99999, true)")
		r, status := doctor(t, nil, "--database", database)
		if status != 1 || !r.has("fail", "schema: the database has migration 99999 of a newer version") {
			t.Errorf("a newer schema: %v", r.Findings)
		}
	})
}

// rpcNode starts a node of a blockchain with a chain id, in hexadecimal digits.
func rpcNode(t *testing.T, chain string) string {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		var out []string
		for _, call := range decode[[]struct {
			ID     json.RawMessage
			Method string
		}](t, string(body)) {
			result := chain
			if call.Method == "eth_blockNumber" {
				result = "0x10"
			}
			out = append(out, `{"jsonrpc":"2.0","id":`+string(call.ID)+`,"result":"`+result+`"}`)
		}
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, "["+strings.Join(out, ",")+"]")
	}))
	t.Cleanup(s.Close)
	return s.URL
}

func TestDoctorFindsEachFailure(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	file := func(name, text string) string {
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	good := "sqlite:" + filepath.Join(folder, "laurel.db")
	served(t, []string{doctorSecret}, good)
	taken, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = taken.Close() })
	right, wrong := rpcNode(t, "0x2105"), rpcNode(t, "0x1")
	networks := func(name, urls string) string {
		return file(name, `{"networks": [{"name": "base", "rpcUrl": `+urls+`}]}`)
	}
	for _, c := range []struct {
		name  string
		env   []string
		flags []string
		state string
		words []string
	}{
		{"a flag", nil, []string{"--prefix", "shop"}, "fail", []string{"configuration: ", "must begin with /"}},
		{"a flag of serve alone", nil, []string{"--drain", "1s", "--clock"}, "fail", []string{"configuration: ", "--clock needs --dev"}},
		{"a database that is down", nil, []string{"--database", "postgres://127.0.0.1:1/x"}, "fail", []string{"database: ", "connection refused"}},
		{"no database", nil, []string{"--database", "sqlite:" + file("text.db", strings.Repeat("no database ", 100))}, "fail", []string{"database: ", "not a database"}},
		{"no secret", []string{"LAUREL_SECRET="}, nil, "fail", []string{"secret: ", "none is set"}},
		{"a short secret", []string{"LAUREL_SECRET=short"}, nil, "fail", []string{"configuration: ", "at least 16 characters"}},
		{"another secret", []string{"LAUREL_SECRET=another-secret-than-that"}, nil, "fail", []string{"secret: ", "sealed under another LAUREL_SECRET"}},
		{"a key to seal with", nil, []string{"--seal-key", file("seal", "no key")}, "fail", []string{"seal key: "}},
		{"a folder that is none", nil, []string{"--data-dir", file("data", "")}, "fail", []string{"data folder: ", "is no folder"}},
		{"an address in use", nil, []string{"--listen", taken.Addr().String()}, "fail", []string{"listen: ", "address already in use"}},
		{"metrics in use", nil, []string{"--metrics-listen", taken.Addr().String()}, "fail", []string{"metrics: ", "address already in use"}},
		{"metrics for all", nil, []string{"--metrics-listen", "0.0.0.0:0"}, "warn", []string{"metrics: ", "strangers"}},
		{"everybody is a proxy", nil, []string{"--trusted-proxies", "0.0.0.0/0"}, "fail", []string{"proxies: ", "trusts every caller"}},
		{"no proxy is named", nil, []string{"--public-url", "https://shop.example"}, "warn", []string{"proxies: ", "does not name it"}},
		{"development for all", nil, []string{"--dev", "--listen", "0.0.0.0:0"}, "fail", []string{"exposure: --dev is set"}},
		{"no TLS", nil, []string{"--listen", "0.0.0.0:0"}, "warn", []string{"exposure: ", "without TLS"}},
		{"no rate limits", nil, []string{"--rate-limits", "off"}, "warn", []string{"exposure: rate limits are off"}},
		{"many connections", nil, []string{"--max-connections", "2000000000"}, "warn", []string{"open files: ", "--max-connections is 2000000000"}},
		{"a bucket", nil, []string{"--files-bucket", "ftp://x"}, "fail", []string{"bucket: --files-bucket: "}},
		{"a file of providers", nil, []string{"--identity", file("identity.json", `{"nothing": 1}`)}, "fail", []string{"identity: ", "nothing"}},
		{"a missing file", nil, []string{"--partners", filepath.Join(folder, "none.json")}, "fail", []string{"partners: ", "no such file"}},
		{"a mail server that is down", nil, []string{"--identity", file("mail.json",
			`{"email": {"url": "smtp://127.0.0.1:1", "from": "no-reply@shop.example"}}`)}, "warn", []string{"identity: 127.0.0.1:1 cannot be reached"}},
		{"a driver that is down", nil, []string{"--payouts", file("payouts.json", `{"url": "http://127.0.0.1:1/pay"}`)}, "warn", []string{"payouts: 127.0.0.1:1 cannot be reached"}},
		{"nodes that are down", nil, []string{"--networks", networks("down.json", `"http://127.0.0.1:1"`)}, "fail", []string{"network base: address 1: "}},
		{"a node of another chain", nil, []string{"--networks", networks("wrong.json", `"`+wrong+`"`)}, "fail", []string{"network base: address 1: ", "chain"}},
		{"one node of two", nil, []string{"--networks", networks("two.json", `["http://127.0.0.1:1", "`+right+`"]`)}, "warn", []string{"network base: address 1: "}},
		{"a node", nil, []string{"--networks", networks("one.json", `"`+right+`"`)}, "ok", []string{"network base: 1 of 1 addresses respond"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			env := c.env
			if env == nil {
				env = []string{doctorSecret}
			}
			r, status := doctor(t, env, append([]string{"--database", good}, c.flags...)...)
			if !r.has(c.state, c.words...) || (status == 1) != (c.state == "fail") {
				t.Errorf("status %d, want %s %q among:\n%s", status, c.state, c.words,
					strings.Join(append(r.of("fail"), append(r.of("warn"), r.of("ok")...)...), "\n"))
			}
		})
	}
}
