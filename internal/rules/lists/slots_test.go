package lists_test

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"laurel.example/laurel/internal/app"
	"laurel.example/laurel/internal/dev/apptest"
	"laurel.example/laurel/internal/dev/storetest"
	"laurel.example/laurel/internal/dev/wait"
)

// tenantOf is the server as another organization drives it.
func tenantOf(s *apptest.Server, name string) *apptest.Server {
	other := *s
	other.Program = s.NewProgram(name)
	return &other
}

func TestAddressesThatDoNotAnswerDelayNoOtherWebsite(t *testing.T) {
	t.Parallel()
	eachWithOutside(t, func(t *testing.T, s *apptest.Server, out *apptest.Site) {
		const silent = 12
		asked, release := make(chan struct{}, 2*silent), make(chan struct{})
		feed := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
			asked <- struct{}{}
			select {
			case <-release:
			case <-r.Context().Done():
			}
		}))
		t.Cleanup(feed.Close)
		for i := range silent {
			other := tenantOf(s, fmt.Sprint("Silent ", i))
			other.Rule("token_hold", object{"customRewardsApiUrl": feed.URL})
		}
		defer apptest.RunWorkers(s.App.Lists.Run)()
		defer close(release)
		for range 3 {
			<-asked
		}
		rule := s.Rule("points_airdrop", object{apptest.OnList: out.Set("/list.csv", apptest.Alice+",7\n")})
		limit := time.After(20 * time.Second)
		for s.Imports(rule)[0]["status"] != "complete" {
			select {
			case <-limit:
				t.Fatalf("a list waits for addresses of others: %v", s.Imports(rule)[0])
			case <-time.After(20 * time.Millisecond):
			}
		}
		s.Complete(rule, object{"walletAddress": apptest.Alice}).OK()
	})
}

// TestWebsitesOfOneOrganizationLeavePlacesToOthers has one organization make more websites than a node reads lists of
// at once, each with an address that never returns.
func TestWebsitesOfOneOrganizationLeavePlacesToOthers(t *testing.T) {
	t.Parallel()
	eachWithOutside(t, func(t *testing.T, s *apptest.Server, out *apptest.Site) {
		const silent = 70
		release := make(chan struct{})
		feed := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
			select {
			case <-release:
			case <-r.Context().Done():
			}
		}))
		t.Cleanup(feed.Close)
		greedy := tenantOf(s, "Greedy")
		for i := range silent {
			site := s.Call(greedy.OrganizationAPIKey, http.MethodPost, "/api/websites", object{"name": fmt.Sprint("Site ", i)}).OK()["id"]
			currency := s.Call(greedy.OrganizationAPIKey, http.MethodPost, "/api/loyalty/currencies", object{"name": "Points", "symbol": "P", "decimals": 0, "websiteId": site}).OK()["id"]
			s.Call(greedy.OrganizationAPIKey, http.MethodPost, "/api/loyalty/rules", object{
				"name":                "Held",
				"type":                "token_hold",
				"amount":              1,
				"websiteId":           site,
				"loyaltyCurrencyId":   currency,
				"customRewardsApiUrl": feed.URL,
			}).OK()
		}
		defer apptest.RunWorkers(s.App.Lists.Run)()
		defer close(release)
		rule := s.Rule("points_airdrop", object{apptest.OnList: out.Set("/list.csv", apptest.Alice+",7\n")})
		wait.Until(t, "the list of another organization is read", func() bool {
			return s.Imports(rule)[0]["status"] == "complete"
		})
	})
}

// slowRows has a row of a list that stands behind the line take half a second to write, where its line ends in three
// zeros.
func slowRows(t *testing.T, address string, line int) {
	t.Helper()
	path, embedded := strings.CutPrefix(address, "sqlite:")
	db, err := sql.Open(map[bool]string{true: "sqlite", false: "pgx"}[embedded], path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	statements := []string{
		fmt.Sprintf(
			"CREATE FUNCTION slow() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN IF NEW.line > %d AND NEW.line %% 1000 = 0 THEN PERFORM pg_sleep(0.5); END IF; RETURN NEW; END $$",
			line,
		),
		"CREATE TRIGGER slow BEFORE INSERT ON allotments FOR EACH ROW EXECUTE FUNCTION slow()",
	}
	if embedded { // which cannot sleep: it counts
		statements = []string{
			"CREATE VIEW numbers AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 500000) SELECT i FROM n",
			fmt.Sprintf(
				"CREATE TRIGGER slow BEFORE INSERT ON allotments WHEN NEW.line > %d AND NEW.line %% 1000 = 0 BEGIN SELECT COUNT(*) FROM numbers; END",
				line,
			),
		}
	}
	for _, statement := range statements {
		if _, err := db.ExecContext(context.Background(), statement); err != nil {
			t.Fatalf("%s: %v", statement, err)
		}
	}
}

// TestHugeListsDelayNoOtherWebsiteBeyondATurn has a small list read while two large ones are written.
//
//racetests:plain
func TestHugeListsDelayNoOtherWebsiteBeyondATurn(t *testing.T) {
	t.Parallel()
	storetest.EachURL(t, func(t *testing.T, address string) {
		const huge, rows = 3, 60_000
		s := apptest.Open(t, address, app.Config{NoRateLimits: true, Dev: true})
		slowRows(t, address, 10)
		out := apptest.NewSite(t)
		var file strings.Builder
		for i := range rows {
			fmt.Fprintf(&file, "0x%040x,%d\n", 0xabc000+i, i)
		}
		list := out.Set("/huge.csv", file.String())
		defer apptest.RunWorkers(s.App.Lists.Run)()
		var tenants []*apptest.Server
		var rules []string
		for i := range huge {
			other := tenantOf(s, fmt.Sprint("Huge ", i))
			tenants, rules = append(tenants, other), append(rules, other.Rule("points_airdrop", object{apptest.OnList: list}))
		}
		read := func(i int) int64 {
			n, _ := tenants[i].Imports(rules[i])[0]["rowsRead"].(json.Number).Int64()
			return n
		}
		wait.Until(t, "two huge lists are being written", func() bool {
			begun := 0
			for i := range huge {
				if read(i) > 0 {
					begun++
				}
			}
			return begun >= 2
		})
		rule := s.Rule("points_airdrop", object{apptest.OnList: out.Set("/small.csv", apptest.Alice+",7\n")})
		wait.Until(t, "the small list is read", func() bool { return s.Imports(rule)[0]["status"] == "complete" })
		for i := range huge {
			if got := tenants[i].Imports(rules[i])[0]; got["finishedAt"] != nil {
				t.Errorf("the small list waited for huge list %d: %v of %d rows", i, got["rowsRead"], rows)
			}
		}
	})
}
