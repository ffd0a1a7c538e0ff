package main_test

import (
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"laurel.example/laurel/internal/dev/storetest"
	"laurel.example/laurel/internal/dev/wait"
)

func TestInitPrintsTheEightDocumentedKeys(t *testing.T) {
	t.Parallel()
	storetest.EachURL(t, func(t *testing.T, database string) {
		arguments := []string{
			"init",
			"--database",
			database,
			"--name",
			"Acme",
			"--website",
			"Site",
			"--currency",
			"Points",
			"--json",
		}
		printed := decode[map[string]string](t, run(t, arguments...).ok())
		want := []string{
			"clientApiKey",
			"functionApiKey",
			"loyaltyCurrencyId",
			"organizationApiKey",
			"organizationId",
			"readOnlyApiKey",
			"websiteApiKey",
			"websiteId",
		}
		if got := slices.Sorted(maps.Keys(printed)); !slices.Equal(got, want) {
			t.Fatalf("keys %v, want %v", got, want)
		}
		second := decode[map[string]string](t, run(t, arguments...).ok())
		for key, value := range printed {
			if value == "" || second[key] == value {
				t.Errorf("%s is %q, and %q of the second organization", key, value, second[key])
			}
		}
		site := serve(t, database).caller(printed["websiteApiKey"])
		for _, c := range []struct {
			key    string
			status int
		}{{"organizationApiKey", 200}, {"websiteApiKey", 200}, {"readOnlyApiKey", 200}, {"clientApiKey", 200}, {"functionApiKey", 403}} {
			if got := site.with(printed[c.key]).get("/api/loyalty/currencies"); got.status != c.status {
				t.Errorf("%s: status %d, want %d: %s", c.key, got.status, c.status, got.body)
			}
		}
		sites := site.with(second["organizationApiKey"]).get("/api/websites").ok(t)["data"].([]any)
		if len(sites) != 1 || sites[0].(object)["id"] != second["websiteId"] {
			t.Errorf("the second organization sees %v", sites)
		}
	})
}

// apiKey is what keys create and keys list print of a key.
type apiKey struct {
	ID, RoleType, Name, Prefix, Key string
	WebsiteID, RevokedAt            *string
}

func TestKeysAreMadeListedAndRevokedBesideARunningServer(t *testing.T) {
	t.Parallel()
	storetest.EachURL(t, func(t *testing.T, database string) {
		p := initProgram(t, database)
		s := serve(t, database)
		made := decode[apiKey](
			t,
			run(t, "keys", "create", "--database", database, "--organization", p.OrganizationID, "--website", p.WebsiteID,
				"--role", "WEBSITE_API_KEY", "--name", "shop", "--json").ok(),
		)
		if made.RoleType != "WEBSITE_API_KEY" || made.Name != "shop" || !strings.HasPrefix(made.Key, "lrl_w_") ||
			!strings.HasPrefix(made.Key, made.Prefix) {
			t.Fatalf("made %+v", made)
		}
		shop := s.caller(made.Key)
		shop.get("/api/loyalty/rules").ok(t)

		plain := run(t, "keys", "list", "--database", database, "--organization", p.OrganizationID).ok()
		if !strings.Contains(plain, made.ID) || strings.Contains(plain, made.Key) {
			t.Fatalf("the list must hold the id and never the key:\n%s", plain)
		}
		if list := listKeys(
			t,
			database,
			p,
		); len(list) != 6 || list[0].ID != made.ID || list[0].Key != "" ||
			list[0].RevokedAt != nil {
			t.Fatalf("listed %+v", list)
		}
		run(t, "keys", "revoke", "--database", database, made.ID).ok()
		refusedWithinASecond(t, shop)
		if list := listKeys(t, database, p); list[0].RevokedAt == nil {
			t.Fatalf("listed %+v", list[0])
		}
		s.site(p).get("/api/loyalty/rules").ok(t)
	})
}

func listKeys(t testing.TB, database string, p program) []apiKey {
	t.Helper()
	return decode[[]apiKey](
		t,
		run(t, "keys", "list", "--database", database, "--organization", p.OrganizationID, "--json").ok(),
	)
}

// refusedWithinASecond demands that no request begun a second after the revocation is still answered.
func refusedWithinASecond(t testing.TB, callers ...caller) {
	t.Helper()
	revoked := time.Now()
	for _, c := range callers {
		wait.Until(t, "the key is refused", func() bool {
			begun := time.Since(revoked)
			got := c.get("/api/loyalty/rules")
			if got.status == http.StatusOK && begun > time.Second {
				t.Fatalf("%s still takes the key %s after it was revoked", c.address, begun)
			}
			return got.status == http.StatusForbidden
		})
		c.get("/api/loyalty/rules").refused(t, http.StatusForbidden, "Invalid API key")
	}
}

func TestMigrateTellsWhatIsAppliedAndAppliesTheRest(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "new.db")
	database := "sqlite:" + path
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	before := strings.Split(strings.TrimSpace(run(t, "migrate", "status", "--database", database).ok()), "\n")
	if up := run(t, "migrate", "up", "--database", database).ok(); !strings.Contains(up, "up to date") {
		t.Fatalf("migrate up printed %q", up)
	}
	run(t, "migrate", "up", "--database", database).ok()
	after := strings.Split(strings.TrimSpace(run(t, "migrate", "status", "--database", database).ok()), "\n")
	for i := range before {
		was, is := strings.Fields(before[i]), strings.Fields(after[i])
		if len(was) < 2 || len(is) < 2 || was[0] != "pending" || is[0] != "applied" || was[1] != is[1] {
			t.Errorf("before %q, after %q", before[i], after[i])
		}
	}
}

func TestSecretsRotateKeepsTokensOfTheFormerSecretUntilTheNextRotation(t *testing.T) {
	t.Parallel()
	storetest.EachURL(t, func(t *testing.T, database string) {
		p := initProgram(t, database)
		s := serve(t, database)
		site := s.site(p)
		wallet := walletOf(1)
		site.post(transactions, site.transfer("", move{wallet, 5})).ok(t)
		token := site.post("/api/users/tokens", object{"walletAddress": wallet}).ok(t)["token"].(string)
		entries := func() reply {
			r, err := site.with(p.ClientAPIKey).
				send(http.MethodGet, "/api/loyalty/transaction_entries?walletAddress="+wallet, nil, "Authorization", "Bearer "+token)
			return site.must(r, err)
		}
		entries().ok(t)
		rotate := []string{
			"secrets",
			"rotate",
			"--database",
			database,
			"--organization",
			p.OrganizationID,
			"--website",
			p.WebsiteID,
		}
		run(t, rotate...).ok()
		time.Sleep(time.Second) // the rotation has arrived everywhere
		entries().ok(t)
		run(t, rotate...).ok()
		wait.Until(t, "the token is refused", func() bool { return entries().status == http.StatusForbidden })
	})
}

func TestBadCommandLinesFailWithAMessageAndWriteNothing(t *testing.T) {
	t.Parallel()
	storetest.EachURL(t, func(t *testing.T, database string) {
		p := initProgram(t, database)
		unknown := "0197f0a0-0000-7000-8000-000000000000"
		fingerprint := rowCounts(t, database)
		for _, c := range []struct {
			line string
			says string
		}{
			{"keys create --organization " + unknown + " --role ORGANIZATION_API_KEY", "Organization not found"},
			{"keys create --organization " + p.OrganizationID + " --website " + unknown + " --role WEBSITE_API_KEY", "Website not found"},
			{"keys create --organization " + p.OrganizationID + " --role KING", "--role must be one of: ORGANIZATION_API_KEY"},
			{"keys create --organization nonsense --role ORGANIZATION_API_KEY", "--organization: must be a uuid"},
			{"keys create", "--role"},
			{"keys create --organization " + p.OrganizationID + " --website " + p.WebsiteID + " --role ORGANIZATION_API_KEY", "--website does not go with ORGANIZATION_API_KEY"},
			{"keys create --role WEBSITE_API_KEY --name=", "--name is required"},
			{"keys create --role WEBSITE_API_KEY --origins https://a.example", "--origins works only with WEBSITE_CLIENT_API_KEY: other keys are for servers, whose requests have no origin"},
			{"serve --listen 18802", "--listen 18802 must be an address and a port, such as 127.0.0.1:8081"},
			{"serve --listen 127.0.0.1:99999", "--listen 127.0.0.1:99999 must be an address and a port, such as 127.0.0.1:8081"},
			{"keys create --role WEBSITE_CLIENT_API_KEY --origins https://a.example,nonsense", "--origins must be an origin, such as https://shop.example"},
			{"keys list --organization " + unknown, "Organization not found"},
			{"keys revoke " + unknown, "not found"},
			{"keys revoke nonsense", "must be a uuid"},
			{"keys", "create"},
			{"keys create --organization " + p.OrganizationID + " --role ORGANIZATION_API_KEY --expires-in=-1h", "--expires-in must be in the future"},
			{"secrets rotate --organization " + unknown + " --website " + p.WebsiteID, "Organization not found"},
			{"secrets rotate --organization " + p.OrganizationID + " --website " + unknown, "Website not found"},
			{"init --name A --website B", "--currency"},
			{"init --name A --website B --currency= --json", "--currency is required"},
			{"init --name A --website B --currency C --decimals 19", "--decimals must be between 0 and 18"},
			{"init --name A --website B --currency C --colour red", "--colour"},
			{"serve --rate-limits maybe", "maybe"},
			{"serve --listen 127.0.0.1:99999", "99999"},
			{"serve --prefix loyalty/", "--prefix"},
			{"serve --trusted-proxies everyone", "everyone"},
			{"serve --callback-allow-cidrs everyone", "everyone"},
			{"verify --quickly", "--quickly"},
			{"admin invite --email a@acme.example --organization " + unknown, "Organization not found"},
			{"admin invite --email a@acme.example --organization " + p.OrganizationID + " --website " + unknown, "Website not found"},
			{"admin invite --email a@acme.example --role king", "--role"},
			{"admin invite", "--email"},
			{"admin invite --email nobody", "must be an email address"},
			{"admin link nobody@acme.example", "Admin not found"},
			{"admin link", "email"},
			{"dance", "dance"},
		} {
			run(t, append(strings.Fields(c.line), "--database", database)...).fails(c.says)
		}
		runWith(t, []string{"LAUREL_SECRET=short"}, "serve", "--database", database).fails("LAUREL_SECRET")
		if after := rowCounts(t, database); !maps.Equal(fingerprint, after) {
			t.Errorf("rows before %v, after %v", fingerprint, after)
		}
	})
}

func TestADatabaseThatCannotBeReachedIsNamedWithoutItsPassword(t *testing.T) {
	t.Parallel()
	nowhere := filepath.Join(t.TempDir(), "missing", "laurel.db")
	for _, c := range []struct{ database, says string }{
		{"sqlite:" + nowhere, nowhere},
		{"sqlite:", "path"},
		{"mysql://root:hunter2@127.0.0.1/db", "sqlite:PATH or postgres://"},
		{"postgres://laurel:hunter2@127.0.0.1:1/db?sslmode=disable", "127.0.0.1:1"},
		{"postgres://127.0.0.1:1/db?sslmode=disable&user=laurel&password=hunter2", "127.0.0.1:1"},
		{"postgres://laurel:hunter2@127.0.0.1:port/db", "cannot be read"},
		{"postgres://laurel:hunter2@%zz/db", "cannot be read"},
		{"postgres://laurel:hunter2@127.0.0.1:1/db?sslmode=sometimes", "cannot be read"},
	} {
		for _, line := range [][]string{{"serve", "--listen", "127.0.0.1:0"}, {"verify"}, {"init", "--name", "A", "--website", "B", "--currency", "C"}} {
			e := run(t, append(line, "--database", c.database, "--log", "debug")...).fails(c.says)
			if strings.Contains(e.stdout+e.stderr, "hunter2") {
				t.Errorf("%s tells the password:\n%s%s", e.line, e.stdout, e.stderr)
			}
		}
	}
}
