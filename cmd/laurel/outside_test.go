package main_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"laurel.example/laurel/internal/dev/storetest"
	"laurel.example/laurel/internal/dev/wait"
)

func TestKillDuringAnImportLosesNoRowAndWritesNoneTwice(t *testing.T) {
	t.Parallel()
	const rows, again, held = 12_000, 500, 6000
	storetest.EachURL(t, func(t *testing.T, database string) {
		folder := t.TempDir()
		p := initProgram(t, database)
		s := serve(t, database, "--data-dir", folder)
		site := s.site(p)
		var file strings.Builder
		for i := range rows {
			fmt.Fprintf(&file, "0x%040x,%d\n", 0xabc000+i%(rows-again), i)
		}
		asset := site.post("/api/assets", object{"fileName": "list.csv", "fileSize": file.Len(), "filePath": "loyalty"}).ok(t)
		put(t, s.address+asset["signedUrl"].(string), file.String())
		lift := barrier(t, database, held)
		rule := site.post("/api/loyalty/rules", object{"name": "R", "type": "external_rule", "amount": 1, "interval": "unlimited", "loyaltyUserAllotmentCsvUrl": asset["url"]}).ok(t)["id"].(string)
		wait.Until(
			t,
			"the list is read up to the barrier",
			func() bool { return imported(site, rule)["rowsRead"] == float64(held) },
		)
		s.kill()
		lift()
		s = serve(t, database, "--data-dir", folder)
		site = s.site(p)
		wait.Until(t, "the import is complete", func() bool { return imported(site, rule)["status"] == "complete" })
		got := imported(site, rule)
		if counts := fmt.Sprint(
			got["rowsTotal"],
			got["rowsRead"],
			got["rowsKept"],
			got["rowsSkipped"],
		); counts != fmt.Sprint(
			float64(rows),
			float64(rows),
			float64(rows-again),
			float64(again),
		) {
			t.Errorf("killed at %d: %s", held, counts)
		}
		site.post(completion(rule), object{"walletAddress": fmt.Sprintf("0x%040x", 0xabc000+rows-again-1)}).ok(t)
	})
}

// barrier makes the database hold a transaction in its middle that writes a row of a list behind the line, until the
// returned function is called.
func barrier(t *testing.T, database string, line int) (lift func()) {
	t.Helper()
	db := open(t, database)
	run := func(statements ...string) {
		t.Helper()
		for _, statement := range statements {
			if _, err := db.ExecContext(context.Background(), statement); err != nil {
				t.Fatalf("%s: %v", statement, err)
			}
		}
	}
	if strings.HasPrefix(database, "sqlite:") { // which waits for nothing: it counts without end
		run(
			"CREATE VIEW numbers AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n",
			fmt.Sprintf(
				"CREATE TRIGGER barrier BEFORE INSERT ON allotments WHEN NEW.line > %d BEGIN SELECT COUNT(*) FROM numbers; END",
				line,
			),
		)
		return func() { run("DROP TRIGGER barrier", "DROP VIEW numbers") }
	}
	db.SetMaxOpenConns(1) // whose lock it is
	run(
		"SELECT pg_advisory_lock(1)",
		fmt.Sprintf(
			"CREATE FUNCTION barrier() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN IF NEW.line > %d THEN PERFORM pg_advisory_xact_lock(1); END IF; RETURN NEW; END $$",
			line,
		),
		"CREATE TRIGGER barrier BEFORE INSERT ON allotments FOR EACH ROW EXECUTE FUNCTION barrier()",
	)
	return func() {
		run("SELECT pg_advisory_unlock(1)", "DROP TRIGGER barrier ON allotments", "DROP FUNCTION barrier()")
	}
}

// imported returns how far the newest reading of a rule's list is.
func imported(c caller, rule string) object {
	c.t.Helper()
	return c.get("/api/loyalty/rules/" + rule + "/imports").ok(c.t)["data"].([]any)[0].(object)
}

func TestKillWhileAFeedIsReadGoesOnWithItsPage(t *testing.T) {
	t.Parallel()
	const pages, onPage = 4, 2500
	storetest.EachURL(t, func(t *testing.T, database string) {
		var calls [pages + 1]atomic.Int64
		asked := make(chan struct{})
		feed := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			page := 1
			_, _ = fmt.Sscan(r.URL.Query().Get("page"), &page)
			if calls[page].Add(1) == 1 && page == 3 {
				close(asked)
				<-r.Context().Done() // the caller is killed meanwhile
				return
			}
			next, results := "null", make([]string, onPage)
			if page < pages {
				next = fmt.Sprintf("%q", fmt.Sprintf("/feed?page=%d", page+1))
			}
			for i := range results {
				results[i] = fmt.Sprintf(`{"tokenId":%d,"reward":1}`, page*onPage+i)
			}
			_, _ = fmt.Fprintf(w, `{"next":%s,"results":[%s]}`, next, strings.Join(results, ","))
		}))
		t.Cleanup(feed.Close)
		p := initProgram(t, database)
		s := serve(t, database, "--dev")
		rule := s.site(p).post("/api/loyalty/rules", object{"name": "R", "type": "token_hold", "amount": 1, "customRewardsApiUrl": feed.URL + "/feed"}).ok(t)["id"].(string)
		select {
		case <-asked:
		case <-time.After(patience):
			t.Fatal("the third page is not asked for")
		}
		s.kill()
		site := serve(t, database, "--dev").site(p)
		if got := imported(site, rule); got["rowsRead"] != 2.0*onPage {
			t.Errorf("killed after two pages: %v", got)
		}
		wait.Until(t, "the import is complete", func() bool { return imported(site, rule)["status"] == "complete" })
		got := imported(site, rule)
		if counts, all := fmt.Sprint(
			got["rowsTotal"],
			got["rowsRead"],
			got["rowsKept"],
			got["rowsSkipped"],
		), float64(
			pages*onPage,
		); counts != fmt.Sprint(
			all,
			all,
			all,
			0,
		) {
			t.Errorf("counted %s", counts)
		}
		if counts := fmt.Sprint(calls[1].Load(), calls[2].Load(), calls[3].Load(), calls[4].Load()); counts != "1 1 2 1" {
			t.Errorf("its pages were asked for %s times", counts)
		}
	})
}

// put sends a file to its signed address.
func put(t testing.TB, address, text string) {
	t.Helper()
	r, err := http.NewRequest(http.MethodPut, address, strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	res, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	_ = res.Body.Close()
	if res.StatusCode != http.StatusOK {
		t.Fatalf("status %d", res.StatusCode)
	}
}

func TestKillWhileBalancesOutsideAreWrittenPaysOnce(t *testing.T) {
	t.Parallel()
	storetest.EachURL(t, func(t *testing.T, database string) {
		var mu sync.Mutex
		written, calls := map[string]bool{}, 0
		asked, release := make(chan struct{}, 10), make(chan struct{})
		bank := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
			var in struct{ IdempotencyKey string }
			_ = json.NewDecoder(r.Body).Decode(&in)
			mu.Lock()
			written[in.IdempotencyKey] = true
			calls++
			mu.Unlock()
			asked <- struct{}{}
			<-release // it has written, and the answer is under way
		}))
		t.Cleanup(bank.Close)
		p := initProgram(t, database)
		s := serve(t, database, "--dev")
		site := s.site(p)
		currency := site.post("/api/loyalty/currencies", object{"name": "Miles", "symbol": "M", "decimals": 0, "apiPostUrl": bank.URL}).ok(t)["id"].(string)
		rule := site.post("/api/loyalty/rules", object{"name": "R", "type": "external_rule", "amount": 10, "interval": "once", "loyaltyCurrencyId": currency}).ok(t)["id"].(string)
		wallet := fmt.Sprintf("0x%040x", 0xa11ce)
		go func() { _, _ = site.send(http.MethodPost, completion(rule), object{"walletAddress": wallet}) }()
		select {
		case <-asked:
		case <-time.After(patience):
			t.Fatal("the outside is not asked")
		}
		s.kill()
		close(release)
		next := serve(t, database, "--dev").site(p)
		posts := func() object {
			return next.get("/api/loyalty/currencies/" + currency + "/external_posts").ok(t)["data"].([]any)[0].(object)
		}
		if got := posts(); got["status"] != "open" {
			t.Fatalf("%v", got)
		}
		wait.Until(t, "the post is carried on", func() bool { return posts()["status"] == "done" })
		next.post(completion(rule), object{"walletAddress": wallet}).refused(t, 400, "You have already been rewarded")
		accounts := next.get("/api/loyalty/accounts?loyaltyCurrencyId=" + currency).ok(t)["data"].([]any)
		if len(accounts) != 1 || accounts[0].(object)["amount"] != 10.0 || len(written) != 1 || calls != 2 {
			t.Errorf("%v, written %v in %d calls", accounts, written, calls)
		}
		green(t, database)
	})
}
