package bench_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"laurel"
	"laurel/internal/app"
	"laurel/internal/audit"
	"laurel/internal/bench"
	"laurel/internal/identity"
	"laurel/internal/rulebook"
	"laurel/internal/rules"
	"laurel/internal/storetest"
)

func TestTheClientReadsAnswersOfEveryForm(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("0123456789", 10_000)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/short":
			_, _ = w.Write([]byte(r.URL.Query().Get("a") + " " + r.Header.Get("X-Api-Key")))
		case "/long":
			_, _ = w.Write([]byte(long))
			w.(http.Flusher).Flush()
			_, _ = w.Write([]byte("end"))
		default:
			w.WriteHeader(http.StatusNotFound)
		}
	}))
	t.Cleanup(s.Close)
	for _, c := range []struct {
		path   string
		status int
		body   string
	}{{"/short", 200, "b c k"}, {"/long", 200, long + "end"}, {"/none", 404, ""}} {
		status, body, err := bench.Ask(t.Context(), strings.TrimPrefix(s.URL, "http://"), c.path)
		if err != nil || status != c.status || body != c.body {
			t.Errorf("%s: %d, %d bytes, %v", c.path, status, len(body), err)
		}
	}
}

func TestNoPairOfRuleAndMemberComesTwice(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ rules, members int }{{1, 1000}, {7, 1000}, {10, 1000}, {5, 1013}, {12, 2000}} {
		seen := map[[2]int]bool{}
		last := [2]int{-1, -1}
		for _, pair := range bench.Pairs(c.rules, c.members, false) {
			if seen[pair] || pair[1] == last[1] {
				t.Fatalf("%d rules, %d members: %v again", c.rules, c.members, pair)
			}
			seen[pair], last = true, pair
		}
	}
	first := 0
	for _, pair := range bench.Pairs(4, 1000, true)[:1000] {
		if pair == [2]int{} {
			first++
		}
	}
	if first < 500 || first > 510 {
		t.Errorf("%d of 1000 completions are of the busy account", first)
	}
}

func TestMembersMadeInBulkAreThoseThatTheServiceKnows(t *testing.T) {
	t.Parallel()
	storetest.EachURL(t, func(t *testing.T, database string) {
		engine := bench.SQLite
		if strings.HasPrefix(database, "postgres") {
			engine = bench.Postgres
		}
		p, err := bench.Populate(t.Context(), database, engine, 1000)
		if err != nil {
			t.Fatal(err)
		}
		a, err := app.Open(t.Context(), app.Config{Database: database, NoMigrate: true})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = a.Close() })
		scope, err := a.ScopeOf(t.Context(), p.WebsiteAPIKey)
		if err != nil {
			t.Fatal(err)
		}
		rule, err := a.Rules.Create(t.Context(), scope, rulebook.Input{Name: laurel.Some("R"), Type: laurel.Some("external_rule"), Interval: laurel.Some("daily"),
			Amount: laurel.Some(laurel.One), LoyaltyCurrencyID: laurel.Some(p.LoyaltyCurrencyID)})
		if err != nil {
			t.Fatal(err)
		}
		last, err := laurel.ParseID(bench.IDOf(bench.KindUser, 999))
		if err != nil {
			t.Fatal(err)
		}
		for _, user := range []identity.Ref{{Wallet: bench.WalletOf(0)}, {UserID: last}} {
			if _, err := a.Rules.Complete(t.Context(), scope, rules.CompleteInput{RuleID: rule.ID, User: user}); err != nil {
				t.Fatal(err)
			}
		}
		report, err := a.Audit.Verify(t.Context(), audit.Trust{})
		if err != nil || len(report.Discrepancies) > 0 || report.Accounts != 1001 || report.Entries != 4 {
			t.Errorf("%+v %v", report, err)
		}
	})
}

func TestRedisIsSpokenToInItsProtocol(t *testing.T) {
	t.Parallel()
	if got := bench.Order("ZREVRANK", "rank", "é"); got != "*3\r\n$8\r\nZREVRANK\r\n$4\r\nrank\r\n$2\r\né\r\n" {
		t.Errorf("%q", got)
	}
}
