package app_test

import (
	"context"
	"database/sql"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	_ "github.com/jackc/pgx/v5/stdlib"
	_ "modernc.org/sqlite"

	"laurel.example/laurel/internal/app"
	"laurel.example/laurel/internal/dev/apptest"
	"laurel.example/laurel/internal/dev/storetest"
)

// stall has every read of a table take without end, until the answered function is called. Nothing may be written to it
// meanwhile.
func stall(t *testing.T, address, table string) (lift func()) {
	t.Helper()
	path, embedded := strings.CutPrefix(address, "sqlite:")
	db, err := sql.Open(map[bool]string{true: "sqlite", false: "pgx"}[embedded], path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	ctx := context.Background()
	if !embedded {
		tx, err := db.BeginTx(ctx, nil)
		if err == nil {
			_, err = tx.ExecContext(ctx, "LOCK TABLE "+table+" IN ACCESS EXCLUSIVE MODE")
		}
		if err != nil {
			t.Fatal(err)
		}
		return func() { _ = tx.Rollback() }
	}
	var columns string // readers of SQLite wait for nobody: they count without end
	if err := db.QueryRowContext(ctx, "SELECT group_concat('i + ' || cid || ' AS ' || name) FROM pragma_table_info(?)", table).
		Scan(&columns); err != nil {
		t.Fatal(err)
	}
	run := func(statements ...string) {
		for _, statement := range statements {
			if _, err := db.ExecContext(ctx, statement); err != nil {
				t.Errorf("%s: %v", statement, err)
			}
		}
	}
	run("PRAGMA busy_timeout = 10000", "ALTER TABLE "+table+" RENAME TO stalled",
		"CREATE VIEW "+table+" AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT "+columns+" FROM n")
	return func() { run("DROP VIEW "+table, "ALTER TABLE stalled RENAME TO "+table) }
}

// longReads is clients that reads one address.
type longReads struct {
	answers chan *http.Response
	leave   func() // ends the requests that are still under way
}

// readAtOnce sends as many reads with the key that stands in every page.
func readAtOnce(s *apptest.Server, n int, path string) longReads {
	ctx, cancel := context.WithCancel(context.Background())
	c := longReads{answers: make(chan *http.Response, n)}
	var all sync.WaitGroup
	for range n {
		all.Go(func() {
			r, err := http.NewRequestWithContext(ctx, http.MethodGet, s.HTTP.URL+path, http.NoBody)
			if err != nil {
				s.T.Error(err)
				return
			}
			r.Header.Set("X-API-KEY", s.ClientAPIKey)
			if res, err := s.HTTP.Client().Do(r); err == nil {
				text, _ := io.ReadAll(res.Body)
				_ = res.Body.Close()
				res.Body = io.NopCloser(strings.NewReader(string(text)))
				c.answers <- res
			}
		})
	}
	c.leave = func() { cancel(); all.Wait() }
	return c
}

func TestReadsWithoutEndNeverStopCompletions(t *testing.T) {
	t.Parallel()
	for name, of := range map[string]struct {
		table string
		path  func(s *apptest.Server) string
	}{
		"ranks of the past": {"rank_snapshots", func(s *apptest.Server) string {
			account := s.Get("/api/loyalty/accounts").Data()[0]["id"].(string)
			at := s.Clock.Now()
			s.Clock.Advance(apptest.Settling)
			return "/api/loyalty/accounts/" + account + "/rank?organizationId=" + s.OrganizationID.String() + "&websiteId=" + s.WebsiteID.String() +
				"&loyaltyCurrencyId=" + s.LoyaltyCurrencyID.String() + "&" + apptest.AsOf(at)
		}},
		"leaders of the past": {"rank_snapshots", func(s *apptest.Server) string {
			at := s.Clock.Now()
			s.Clock.Advance(apptest.Settling)
			return "/api/loyalty/accounts?loyaltyCurrencyId=" + s.LoyaltyCurrencyID.String() + "&" + apptest.AsOf(at)
		}},
		"profiles of leaders": {"user_metadata", func(s *apptest.Server) string {
			return "/api/loyalty/accounts?loyaltyCurrencyId=" + s.LoyaltyCurrencyID.String()
		}},
		"lists": {"loyalty_questions", func(s *apptest.Server) string {
			return "/api/loyalty/questions?loyaltyRuleIds=" + s.Rule("external_rule", nil)
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			storetest.EachURL(t, func(t *testing.T, address string) {
				const readers = 40 // more than a node has connections
				s := apptest.OpenAtNoon(t, address, app.Config{NoRateLimits: true})
				rule := s.Rule("external_rule", object{"interval": "unlimited"})
				s.Complete(rule, object{"walletAddress": apptest.Alice}).OK()
				path := of.path(s)
				s.Call(s.ClientAPIKey, http.MethodGet, path, nil).OK()
				lift := stall(t, address, of.table)
				reading := readAtOnce(s, readers, path)
				defer reading.leave()
				defer lift()
				time.Sleep(time.Second) // they take all that they can have; more time would not give them more
				paid := make(chan apptest.Response, 1)
				go func() { paid <- s.Complete(rule, object{"walletAddress": apptest.Bob}) }()
				select {
				case got := <-paid:
					got.OK()
				case <-time.After(20 * time.Second):
					t.Fatal("a completion waits for reads")
				}
				select {
				case res := <-reading.answers:
					text, _ := io.ReadAll(res.Body)
					if res.StatusCode != http.StatusServiceUnavailable || res.Header.Get("Retry-After") == "" ||
						!strings.Contains(string(text), `"Service unavailable"`) {
						t.Errorf("a reader too many: status %d, Retry-After %q: %s", res.StatusCode, res.Header.Get("Retry-After"), text)
					}
				case <-time.After(20 * time.Second):
					t.Error("readers too many wait without end")
				}
			})
		})
	}
}
