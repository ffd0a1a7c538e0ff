package main_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"laurel/internal/storetest"
)

func TestKillDuringAnImportLosesNoRowAndWritesNoneTwice(t *testing.T) {
	t.Parallel()
	const rows, again = 60_000, 500
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
		put(t, asset["signedUrl"].(string), file.String())
		rule := site.post("/api/loyalty/rules", object{"name": "R", "type": "external_rule", "amount": 1, "interval": "unlimited", "loyaltyUserAllotmentCsvUrl": asset["url"]}).ok(t)["id"].(string)
		imports := func(c caller) object {
			return c.get("/api/loyalty/rules/" + rule + "/imports").ok(t)["data"].([]any)[0].(object)
		}
		read := func() float64 { return imports(site)["rowsRead"].(float64) }
		eventually(t, "some of the list is read", func() bool { return read() > 0 })
		at := read()
		s.kill()
		next := serve(t, database, "--data-dir", folder).site(p)
		if imports(next)["status"] == "complete" {
			t.Skip("the list was read before the server could be killed")
		}
		eventually(t, "the import is complete", func() bool { return imports(next)["status"] == "complete" })
		got := imports(next)
		if told := fmt.Sprint(got["rowsTotal"], got["rowsRead"], got["rowsKept"], got["rowsSkipped"]); told != fmt.Sprint(float64(rows), float64(rows), float64(rows-again), float64(again)) {
			t.Errorf("killed at %v: %s", at, told)
		}
		next.post(completion(rule), object{"walletAddress": fmt.Sprintf("0x%040x", 0xabc000+rows-again-1)}).ok(t)
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
		eventually(t, "the post is carried on", func() bool { return posts()["status"] == "done" })
		next.post(completion(rule), object{"walletAddress": wallet}).refused(t, 400, "You have already been rewarded")
		accounts := next.get("/api/loyalty/accounts?loyaltyCurrencyId=" + currency).ok(t)["data"].([]any)
		if len(accounts) != 1 || accounts[0].(object)["amount"] != 10.0 || len(written) != 1 || calls != 2 {
			t.Errorf("%v, written %v in %d calls", accounts, written, calls)
		}
		green(t, database)
	})
}
