package main_test

import (
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"laurel.example/laurel/internal/dev/storetest"
	"laurel.example/laurel/internal/dev/wait"
)

// readers are the commands that neither make nor migrate a database.
func readers() [][]string {
	id := "0197f0a0-0000-7000-8000-000000000000"
	return [][]string{
		{"verify"},
		{"verify", "--proof", id},
		{"migrate", "status"},
		{"organizations", "list"},
		{"keys", "list"},
		{"keys", "create", "--role", "ORGANIZATION_API_KEY"},
		{"keys", "revoke", id},
		{"secrets", "rotate", "--website", id},
		{"websites", "terms", id},
		{"networks", "resume", "base"},
	}
}

func TestAMistypedFileIsNeitherMadeNorFoundInOrder(t *testing.T) {
	t.Parallel()
	for _, line := range readers() {
		dir := t.TempDir()
		path := filepath.Join(dir, "typo.db")
		if e := run(
			t,
			append(line, "--database", "sqlite:"+path)...).fails("typo.db does not exist"); e.status != 1 ||
			e.stdout != "" {
			t.Errorf("%s: status %d\n%s", e.line, e.status, e.stdout)
		}
		if left, err := os.ReadDir(dir); err != nil || len(left) != 0 {
			t.Errorf("%v left %v %v", line, left, err)
		}
	}
}

func TestAnOldSchemaIsRefusedAndLeftAsItIs(t *testing.T) {
	t.Parallel()
	storetest.EachURL(t, func(t *testing.T, database string) {
		run(t, "migrate", "up", "--database", database).ok()
		db := open(t, database)
		newest := one(t, db, "SELECT CAST(MAX(version_id) AS TEXT) FROM goose_db_version")
		execute(t, db, "DELETE FROM goose_db_version WHERE version_id = "+newest)
		for _, line := range readers() {
			if line[0] == "migrate" {
				continue
			}
			run(t, append(line, "--database", database)...).fails("the schema is not up to date; run laurel migrate up")
		}
		status := run(t, "migrate", "status", "--database", database).ok()
		if strings.Count(status, "pending") != 1 ||
			one(t, db, "SELECT CAST(MAX(version_id) AS TEXT) FROM goose_db_version") == newest {
			t.Errorf("status:\n%s", status)
		}
	})
}

func TestAnEmptyDatabaseStaysEmptyWhereACommandOnlyReads(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "empty.db")
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, line := range readers() {
		e := run(t, append(line, "--database", "sqlite:"+path)...)
		if output := e.stdout + e.stderr; !strings.Contains(output, "pending") &&
			!strings.Contains(output, "run laurel migrate up") {
			t.Errorf("%s: status %d\n%s", e.line, e.status, output)
		}
	}
	if n := one(t, open(t, "sqlite:"+path), "SELECT CAST(COUNT(*) AS TEXT) FROM sqlite_master"); n != "0" {
		t.Errorf("%s things in the empty database", n)
	}
}

func TestAWrongCommandLineIsStatus2AndOneLineOfError(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ line, says string }{
		{"dance", "dance"},
		{"", "expected"},
		{"keys", "create"},
		{"verify --quickly", "--quickly"},
		{"verify --proof nonsense", "must be a uuid"},
		{"verify --proof 0197f0a0-0000-7000-8000-000000000000 --check a", "can't be used together"},
		{"init --name A --website B", "--currency"},
		{"keys revoke nonsense", "must be a uuid"},
	} {
		e := run(t, strings.Fields(c.line)...).fails(c.says)
		if e.status != 2 || e.stdout != "" || strings.Count(e.stderr, "\n") != 2 ||
			!strings.HasSuffix(e.stderr, "\nrun laurel --help\n") {
			t.Errorf("%s: status %d\n%s%s", e.line, e.status, e.stdout, e.stderr)
		}
	}
	help := run(t, "--help").ok()
	for _, word := range []string{"serve", "organizations list", "version", "--version"} {
		if !strings.Contains(help, word) {
			t.Errorf("%s is not in the help:\n%s", word, help)
		}
	}
}

func TestVersionTellsTheBuildAndItsGo(t *testing.T) {
	t.Parallel()
	for _, line := range []string{"version", "--version"} {
		words := strings.Fields(run(t, line).ok())
		if len(words) != 3 || words[0] != "laurel" || words[1] == "" || !strings.HasPrefix(words[2], "go1.") {
			t.Errorf("%s prints %q", line, words)
		}
	}
}

func TestInitChecksEverythingBeforeItMakesADatabase(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "new.db")
	for _, c := range []struct {
		arguments []string
		says      string
	}{
		{[]string{"--name=", "--website=  ", "--currency=\t", "--symbol=" + strings.Repeat("s", 33), "--decimals=-1"},
			"laurel: --name is required\nlaurel: --website is required\nlaurel: --currency is required\n" +
				"laurel: --symbol must be at most 32 characters\nlaurel: --decimals must be between 0 and 18\n"},
		{[]string{"--name=" + strings.Repeat("é", 1001), "--website=B", "--currency=C"}, "laurel: --name must be at most 1000 characters\n"},
		{[]string{"--name=A", "--website=" + strings.Repeat("é", 1001), "--currency=C"}, "laurel: --website must be at most 1000 characters\n"},
		{[]string{"--name=A", "--website=B", "--currency=" + strings.Repeat("é", 256)}, "laurel: --currency must be at most 255 characters\n"},
		{[]string{"--name=A", "--website=B", "--currency=C", "--decimals=19"}, "laurel: --decimals must be between 0 and 18\n"},
	} {
		e := run(t, append([]string{"init", "--database", "sqlite:" + path}, c.arguments...)...)
		if e.status != 2 || e.stderr != c.says {
			t.Errorf("status %d, want\n%sgot\n%s", e.status, c.says, e.stderr)
		}
		if _, err := os.Stat(path); err == nil {
			t.Fatalf("%s made the database", e.line)
		}
	}
}

func TestInitTakesWhatTheRecordsTakeAndWarnsOfANamesake(t *testing.T) {
	t.Parallel()
	storetest.EachURL(t, func(t *testing.T, database string) {
		name, currency := strings.Repeat("é", 1000), "ö "+strings.Repeat("é", 253)
		line := []string{
			"init",
			"--database",
			database,
			"--name",
			name,
			"--website",
			name,
			"--currency",
			currency,
			"--decimals",
			"18",
		}
		first := run(t, line...)
		first.ok()
		second := run(t, line...)
		second.ok()
		if strings.Contains(first.stderr, "exists already") || !strings.Contains(second.stderr, "exists already") {
			t.Errorf("first\n%s\nsecond\n%s", first.stderr, second.stderr)
		}
		db := open(t, database)
		if got := one(
			t,
			db,
			"SELECT CAST(COUNT(*) AS TEXT) FROM loyalty_currencies WHERE symbol = 'ÖÉÉÉ' AND decimals = 18",
		); got != "2" {
			t.Errorf("%s currencies with the derived symbol and 18 decimals, want 2", got)
		}
	})
}

func TestTheTermsOfAWebsiteAreSigned(t *testing.T) {
	t.Parallel()
	storetest.EachURL(t, func(t *testing.T, database string) {
		p := initProgram(t, database)
		sign := func(args ...string) ended {
			return run(t, append([]string{"websites", "terms", "--database", database}, args...)...)
		}
		if output := sign(p.WebsiteID, "--at", "2026-01-15").ok(); !strings.Contains(output, "2026-01-15T00:00:00.000Z") {
			t.Error(output)
		}
		sign(p.WebsiteID).ok()
		sign(p.WebsiteID, "--at", "2999-01-01").fails("Terms cannot be signed in the future")
		sign("0197f0a0-0000-7000-8000-000000000000").fails("Website not found")
		sign(p.WebsiteID, "--at", "soon").fails("ISO 8601")
	})
}

func TestTheOnlyOrganizationNeedNotBeNamed(t *testing.T) {
	t.Parallel()
	storetest.EachURL(t, func(t *testing.T, database string) {
		run(t, "migrate", "up", "--database", database).ok()
		run(t, "keys", "list", "--database", database).fails("laurel init")
		if listed := run(
			t,
			"organizations",
			"list",
			"--database",
			database,
			"--json",
		).ok(); strings.TrimSpace(listed) != "[]" {
			t.Errorf("an empty database lists %s", listed)
		}
		p := initProgram(t, database)
		made := run(t, "keys", "create", "--database", database, "--role", "WEBSITE_API_KEY", "--json")
		if key := decode[apiKey](
			t,
			made.ok(),
		); key.WebsiteID == nil || *key.WebsiteID != p.WebsiteID ||
			!strings.Contains(made.stderr, p.OrganizationID) {
			t.Errorf("made %+v, said %s", key, made.stderr)
		}
		run(t, "keys", "list", "--database", database).ok()
		run(t, "secrets", "rotate", "--database", database, "--website", p.WebsiteID).ok()

		other := decode[program](
			t,
			run(
				t,
				"init",
				"--database",
				database,
				"--name",
				"Other",
				"--website",
				"Other site",
				"--currency",
				"C",
				"--json",
			).ok(),
		)
		before := rowCounts(t, database)
		for _, line := range [][]string{{"keys", "create", "--role", "ORGANIZATION_API_KEY"}, {"keys", "list"}, {"secrets", "rotate", "--website", p.WebsiteID}} {
			run(t, append(line, "--database", database)...).fails("--organization is required", "organizations list")
		}
		if after := rowCounts(t, database); !maps.Equal(before, after) {
			t.Errorf("rows before %v, after %v", before, after)
		}
		type site struct{ ID, Name string }
		listed := decode[[]struct {
			ID, Name string
			Websites []site
		}](t, run(t, "organizations", "list", "--database", database, "--json").ok())
		if len(listed) != 2 || listed[0].ID != other.OrganizationID || listed[1].ID != p.OrganizationID ||
			listed[1].Name != "Acme" ||
			len(listed[1].Websites) != 1 ||
			listed[1].Websites[0] != (site{p.WebsiteID, "Acme site"}) {
			t.Errorf("listed %+v", listed)
		}
		plain := run(t, "organizations", "list", "--database", database).ok()
		for _, word := range []string{p.OrganizationID, p.WebsiteID, "Acme site", other.WebsiteID} {
			if !strings.Contains(plain, word) {
				t.Errorf("%s is not in\n%s", word, plain)
			}
		}
	})
}

func TestKeysListTellsWhichKeysAreGood(t *testing.T) {
	t.Parallel()
	storetest.EachURL(t, func(t *testing.T, database string) {
		p := initProgram(t, database)
		late := decode[apiKey](
			t,
			run(
				t,
				"keys",
				"create",
				"--database",
				database,
				"--role",
				"WEBSITE_API_KEY",
				"--expires-in",
				"2s",
				"--name",
				"late\n\x1b[31m",
				"--json",
			).ok(),
		)
		soon := decode[apiKey](
			t,
			run(
				t,
				"keys",
				"create",
				"--database",
				database,
				"--role",
				"ORGANIZATION_API_KEY",
				"--expires-in",
				"24h",
				"--json",
			).ok(),
		)
		gone := decode[apiKey](
			t,
			run(t, "keys", "create", "--database", database, "--role", "ORGANIZATION_API_KEY", "--json").ok(),
		)
		run(t, "keys", "revoke", "--database", database, gone.ID).ok()
		var lines []string
		wait.Until(t, "a key has expired", func() bool {
			lines = strings.Split(run(t, "keys", "list", "--database", database).ok(), "\n")
			return strings.Contains(strings.Join(lines, "\n"), "expired")
		})
		if got := strings.Join(strings.Fields(lines[0]), " "); got != "ID ROLE PREFIX WEBSITE STATE LAST USED EXPIRES NAME" {
			t.Errorf("columns %s", got)
		}
		line := func(id string) string {
			for _, l := range lines {
				if strings.HasPrefix(l, id) {
					return strings.Join(strings.Fields(l), " ")
				}
			}
			t.Fatalf("%s is not listed", id)
			return ""
		}
		for _, c := range []struct {
			id    string
			words []string
		}{
			{late.ID, []string{"expired 20", p.WebsiteID, late.Prefix, "never", `"late\n\x1b[31m"`}},
			{soon.ID, []string{"live", "every", "never 20"}},
			{gone.ID, []string{"revoked 20", "every", "never never"}},
		} {
			for _, word := range c.words {
				if !strings.Contains(line(c.id), word) {
					t.Errorf("%q is not in %s", word, line(c.id))
				}
			}
		}
	})
}
