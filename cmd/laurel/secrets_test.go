package main_test

import (
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"

	"laurel.example/laurel/internal/dev/storetest"
	"laurel.example/laurel/internal/dev/wait"
)

const (
	secretA = "the first secret of the instance"
	secretB = "the second secret of the instance"
)

func under(secret string) []string {
	return []string{"LAUREL_RATE_LIMITS=off", "LAUREL_SECRET=" + secret}
}

// instance is a database with secrets of every kind in it.
type instance struct {
	t        *testing.T
	database string
	program
	token    string // of a member
	currency string
	rule     string
}

const (
	bankValue = "v4lue-of-the-bank"
	feedKey   = "k3y-of-the-feed"
)

// filled fills a database through a server with these settings, which is stopped again.
func filled(t *testing.T, database string, env []string) *instance {
	t.Helper()
	i := &instance{t: t, database: database, program: initProgram(t, database)}
	s := i.serve(env)
	c := s.site(i.program)
	c.post(transactions, c.transfer("", move{walletOf(1), 5})).ok(t)
	i.token = c.post("/api/users/tokens", object{"walletAddress": walletOf(1)}).ok(t)["token"].(string)
	i.currency = c.post("/api/loyalty/currencies", object{"name": "M", "symbol": "M", "decimals": 0, "apiAuthValue": bankValue}).ok(t)["id"].(string)
	rule := object{
		"name":                "R",
		"type":                "token_hold",
		"amount":              1,
		"loyaltyCurrencyId":   i.LoyaltyCurrencyID,
		"customRewardsApiUrl": "https://feed.example/rewards",
		"metadata":            object{"customRewardsApiKey": "former"},
	}
	i.rule = c.post("/api/loyalty/rules", rule).ok(t)["id"].(string)
	c.post("/api/loyalty/rules/"+i.rule, object{"metadata": object{"customRewardsApiKey": feedKey}}).ok(t)
	i.sealedBlock(s)
	s.stop(syscall.SIGTERM)
	return i
}

func (i *instance) serve(env []string) *process {
	i.t.Helper()
	return start(i.t, serving, env, "serve", "--listen", "127.0.0.1:0", "--database", i.database)
}

// sealedBlock waits until every entry is sealed.
func (i *instance) sealedBlock(p *process) {
	i.t.Helper()
	wait.Until(i.t, "the entries are sealed", func() bool {
		return strings.Contains(run(i.t, "verify", "--database", i.database).stdout, " 0 waiting")
	})
}

// whole demands that a server with these settings opens everything.
func (i *instance) whole(env []string) {
	i.t.Helper()
	s := i.serve(env)
	c := s.site(i.program)
	if body := c.get("/api/loyalty/currencies").body; !strings.Contains(body, bankValue) {
		i.t.Errorf("currencies: %s", body)
	}
	if body := c.get("/api/loyalty/rules").body; !strings.Contains(body, feedKey) {
		i.t.Errorf("rules: %s", body)
	}
	if body := c.get(
		"/api/loyalty/rule_edits?loyaltyRuleId=" + i.rule,
	).body; strings.Count(body, feedKey) != 1 ||
		strings.Count(body, `"former"`) != 2 {
		i.t.Errorf("edits: %s", body)
	}
	r, err := c.with(i.ClientAPIKey).
		send(http.MethodGet, "/api/loyalty/transaction_entries?walletAddress="+walletOf(1), nil, "Authorization", "Bearer "+i.token)
	c.must(r, err).ok(i.t)
	c.post(transactions, c.transfer("", move{walletOf(2), 5})).ok(i.t)
	i.sealedBlock(s)
	if strings.Contains(s.out.String(), "another key") {
		i.t.Errorf("blocks are signed by another key:\n%s", s.out)
	}
	if status := s.stop(syscall.SIGTERM); status != 0 {
		i.t.Errorf("status %d:\n%s", status, s.out)
	}
}

// refuses demands that a server with these settings does not start, and says why.
func (i *instance) refuses(env []string, words ...string) ended {
	i.t.Helper()
	return runWith(i.t, env, "serve", "--listen", "127.0.0.1:0", "--database", i.database).fails(words...)
}

func (i *instance) rotate(env []string, flags ...string) ended {
	i.t.Helper()
	return runWith(i.t, env, append([]string{"secrets", "rotate-instance", "--database", i.database}, flags...)...)
}

func (i *instance) sealKey(env []string) string {
	i.t.Helper()
	return strings.TrimSpace(runWith(i.t, env, "seal-key", "--database", i.database).ok())
}

// sealed counts the texts that are sealed with a key.
func (i *instance) sealed(id string) (n int) {
	i.t.Helper()
	db := open(i.t, i.database)
	for _, column := range []string{"member_secrets.secret", "loyalty_currencies.api_auth_sealed", "list_sources.api_key_sealed", "loyalty_rules.metadata", "loyalty_rules.record",
		"rule_edits.data", "rule_edits.previous_data", "settings.value"} {
		table, name, _ := strings.Cut(column, ".")
		if one(i.t, db, "SELECT CAST(COUNT(*) AS TEXT) FROM "+table+" WHERE "+name+" LIKE '%v1."+id+".%'") != "0" {
			n++
		}
	}
	return n
}

func (i *instance) keys() string {
	i.t.Helper()
	return one(i.t, open(i.t, i.database), "SELECT value FROM settings WHERE name = 'sealed_under'")
}

func TestAServerThatCannotOpenWhatIsSealedDoesNotStart(t *testing.T) {
	t.Parallel()
	storetest.EachURL(t, func(t *testing.T, database string) {
		i := filled(t, database, under(secretA))
		id := i.keys()
		i.refuses(
			under(secretB),
			"sealed under another LAUREL_SECRET (key id "+id+"; that of the one that is set is ",
			"set that one; laurel secrets rotate-instance moves them",
		)
		i.refuses(nil, "sealed under a LAUREL_SECRET (key id "+id+") and none is set: set that one")
		for _, env := range [][]string{nil, under(secretB)} {
			runWith(t, env, "secrets", "rotate", "--database", database, "--website", i.WebsiteID).fails("sealed under a", id)
			// what needs no secret asks for none
			for _, line := range [][]string{{"keys", "list"}, {"organizations", "list"}, {"verify"}, {"migrate", "status"}} {
				runWith(t, env, append(line, "--database", database)...).ok()
			}
		}
		i.whole(under(secretA))
		if i.keys() != id {
			t.Errorf("sealed under %s, then %s", id, i.keys())
		}
	})
}

func TestRotateInstanceMovesEverythingToANewSecret(t *testing.T) {
	t.Parallel()
	storetest.EachURL(t, func(t *testing.T, database string) {
		i := filled(t, database, under(secretA))
		first, signer := i.keys(), i.sealKey(under(secretA))
		both := append(under(secretA), "LAUREL_NEW_SECRET="+secretB)
		i.rotate(under(secretA)).fails("LAUREL_NEW_SECRET must have at least 16 characters")
		s := i.serve(under(secretA))
		i.rotate(both).
			fails(map[bool]string{true: "is already served by another process", false: "stop every server first"}[strings.HasPrefix(database, "sqlite:")])
		s.stop(syscall.SIGTERM)
		i.rotate([]string{"LAUREL_SECRET=" + secretB, "LAUREL_NEW_SECRET=" + secretB}).
			fails("sealed under another LAUREL_SECRET (key id " + first)
		if output := i.rotate(both); output.ok() == "" || strings.Contains(output.stdout+output.stderr, secretA) ||
			strings.Contains(output.stdout+output.stderr, secretB) {
			t.Errorf("said %s%s", output.stdout, output.stderr)
		}
		second := i.keys()
		if second == first || strings.Contains(second, " ") || i.sealed(first) != 0 || i.sealed(second) != 8 {
			t.Errorf(
				"sealed under %s: %d columns under the old key, %d under the new one",
				second,
				i.sealed(first),
				i.sealed(second),
			)
		}
		i.refuses(under(secretA), "sealed under another LAUREL_SECRET (key id "+second)
		if got := i.sealKey(under(secretB)); got != signer {
			t.Errorf("blocks are signed by %s, before by %s", got, signer)
		}
		i.whole(under(secretB))
		run(t, "verify", "--database", database, "--public-key", signer).ok()

		file := filepath.Join(t.TempDir(), "secret")
		if err := os.WriteFile(file, []byte(secretA+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		i.rotate(under(secretB), "--new-secret-file", file, "--new-seal-key").ok()
		if got, own := i.sealKey(
			under(secretA),
		), strings.TrimSpace(
			runWith(t, under(secretA), "seal-key").ok(),
		); got != own ||
			i.keys() != first {
			t.Errorf("blocks are signed by %s, not by the key of the new secret, %s", got, own)
		}
		i.rotate(under(secretA), "--new-secret-file", file).ok() // there is nothing to do
	})
}

func TestARotationThatBrokeOffIsBroughtToItsEnd(t *testing.T) {
	t.Parallel()
	storetest.EachURL(t, func(t *testing.T, database string) {
		i := filled(t, database, under(secretA))
		both := append(under(secretA), "LAUREL_NEW_SECRET="+secretB)
		first, db := i.keys(), open(t, database)
		const before = "SELECT previous_data FROM rule_edits WHERE previous_data LIKE '%sealed%'"
		was := one(t, db, before)
		broken := strings.Replace(was, "v1."+first+".", "v1."+first+".AAAA", 1)
		set := func(text string) {
			execute(t, db, "UPDATE rule_edits SET previous_data = '"+text+"' WHERE previous_data LIKE '%sealed%'")
		}
		set(broken) // the last table of all: everything else has been moved when it is met
		i.rotate(both).fails("rule_edits ", "vault: sealed text does not open")
		if n := i.sealed(first); n == 0 || n == 8 {
			t.Errorf("%d columns are under the old key", n)
		}
		for _, secret := range []string{secretA, secretB} {
			i.refuses(
				under(secret),
				"on their way from one LAUREL_SECRET to another",
				"run laurel secrets rotate-instance to its end",
			)
		}
		set(was)
		i.rotate(both).ok()
		if n := i.sealed(first); n != 0 {
			t.Errorf("%d columns are under the old key", n)
		}
		i.whole(under(secretB))
	})
}

func TestRotateInstanceMovesFromTheKeyInTheDatabase(t *testing.T) {
	t.Parallel()
	storetest.EachURL(t, func(t *testing.T, database string) {
		// where the key that signs blocks lies, on PostgreSQL
		state := []string{"LAUREL_RATE_LIMITS=off", "XDG_STATE_HOME=" + t.TempDir()}
		i := filled(t, database, state)
		signer := i.sealKey(state)
		with := append(slices.Clone(state), "LAUREL_NEW_SECRET="+secretB)
		i.rotate(with).ok()
		if n := one(
			t,
			open(t, database),
			"SELECT CAST(COUNT(*) AS TEXT) FROM settings WHERE name = 'instance_secret'",
		); n != "0" {
			t.Error("the old key still lies in the database")
		}
		i.refuses(state, "and none is set: set that one")
		i.whole(append(state, under(secretB)...))
		if got := i.sealKey(under(secretB)); got != signer {
			t.Errorf("blocks are signed by %s, before by %s", got, signer)
		}
	})
}

func TestARunningServerEndsWhenItsSecretsWereMoved(t *testing.T) {
	t.Parallel()
	onPostgres(t, func(t *testing.T, database string) {
		i := filled(t, database, under(secretA))
		s := i.serve(under(secretA))
		execute(t, open(t, database), "UPDATE settings SET value = 'elsewhere' WHERE name = 'sealed_under'")
		wait.Until(t, "the server ends", s.ended)
		if output := s.out.String(); !strings.Contains(output, "sealed under another LAUREL_SECRET (key id elsewhere") ||
			s.cmd.ProcessState.ExitCode() != 1 {
			t.Errorf("said %s", output)
		}
	})
}

// TestNoFlagTakesASecret reads the help of every command: what is on a command line, every user of the machine can
// read.
func TestNoFlagTakesASecret(t *testing.T) {
	t.Parallel()
	harmless := map[string]string{
		"--new-secret-file": "a path",
		"--seal-key":        "a path",
		"--new-seal-key":    "yes or no",
		"--public-key":      "public",
		"--key-id":          "an id",
		"--client-key-rate": "a number",
	}
	smells := regexp.MustCompile(`--[a-z-]*(?:secret|token|passw|key|credential|auth)[a-z-]*`)
	found := 0
	for _, line := range []string{"serve", "demo", "init", "organizations list", "keys create", "keys list", "keys revoke", "secrets rotate", "secrets rotate-instance", "websites terms", "migrate up",
		"migrate status", "verify", "replay", "seal-key", "bench", "version"} {
		help := run(t, append(strings.Fields(line), "--help")...).ok()
		for _, flag := range smells.FindAllString(help, -1) {
			found++
			if harmless[flag] == "" {
				t.Errorf("laurel %s %s: a secret may come from the environment or from a file only", line, flag)
			}
		}
	}
	if found < 3 {
		t.Errorf("found %d flags", found)
	}
}
