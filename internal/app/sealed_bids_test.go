package app_test

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"laurel.example/laurel/internal/app"
	"laurel.example/laurel/internal/dev/apptest"
	"laurel.example/laurel/internal/dev/storetest"
)

// TestNobodyReadsSealedBids runs one scenario twice: in one run members bid in auctions with hidden bids, in the other
// they do not. Everything that callers other than the bidders and secret keys may read must be the same, byte for byte,
// except ids. It walks every operation that reads, with every parameter that the document declares. After the end all
// callers see the bids.
func TestNobodyReadsSealedBids(t *testing.T) {
	t.Parallel()
	for _, e := range storetest.Engines() {
		t.Run(e.Name, func(t *testing.T) {
			t.Parallel()
			var readings [2][]reading
			for i, bidding := range []bool{false, true} {
				address := e.URL(t)
				h := hall(apptest.OpenAtNoon(t, address, app.Config{NoRateLimits: true}))
				h.story(bidding)
				readings[i] = h.readings()
				if bidding {
					h.knows()
					if before, after := h.migrates(t, address); !slices.Equal(before, after) || len(before) < 20 {
						t.Errorf("bids wrote\n%s\nthe migration\n%s", strings.Join(before, "\n"), strings.Join(after, "\n"))
					}
					h.ends()
				}
			}
			if len(readings[0]) != len(readings[1]) {
				t.Errorf("%d readings without bids, %d with", len(readings[0]), len(readings[1]))
			}
			for i, without := range readings[0] {
				if with := readings[1][min(i, len(readings[1])-1)]; without != with {
					a, b := apart(without.body, with.body)
					t.Fatalf("%s\nwithout bids: %s\n%s\nwith bids:    %s", without.call, a, with.call, b)
				}
			}
			t.Logf("%d readings", len(readings[0]))
		})
	}
}

// apart returns where two texts begin to differ.
func apart(a, b string) (string, string) {
	same := 0
	for same < min(len(a), len(b)) && a[same] == b[same] {
		same++
	}
	same = max(0, same-200)
	return a[same:min(len(a), same+400)], b[same:min(len(b), same+400)]
}

// auctioning is a website with members and auctions whose bids are hidden.
type auctioning struct {
	*tenant
	members  []string // wallets, the tenant's user first
	users    []string
	accounts []string
	auctions map[string]string // by name
	moments  []time.Time
	known    map[string]string // ids, as readings tell them
}

var bidders = []string{apptest.Bob, apptest.Carol, apptest.Wallet(11), apptest.Wallet(12), apptest.Wallet(13)}

func hall(s *apptest.Server) *auctioning {
	s.T.Helper()
	h := &auctioning{tenant: settle(s, called("acme")), auctions: map[string]string{}, known: map[string]string{}}
	h.members = append([]string{h.things["wallet"]}, bidders...)
	for i, wallet := range h.members {
		h.users = append(h.users, h.User(wallet, object{}))
		h.earn(wallet, 1000-100*i)
		h.accounts = append(h.accounts, h.Account(wallet))
	}
	h.In(h.members[4], "family") // who bids together
	h.In(h.members[5], "family")
	for _, properties := range []object{
		{"name": "first", "type": "first_price"}, {"name": "second", "type": "second_price"},
		{"name": "hidden", "hideBids": true}, {"name": "turned"}, {"name": "cancelled", "type": "first_price"},
	} {
		body := apptest.Over(h.anAuction(), properties, object{"endsAt": apptest.Noon.AddDate(0, 0, 20)})
		h.auctions[properties["name"].(string)] = h.Post("/api/auctions", body).OK()["id"].(string)
	}
	for _, condition := range []object{
		{"type": "points", "amount": 850, "loyaltyCurrencyIds": []any{h.things["currency"]}},
		{"type": "level", "amount": 2, "loyaltyCurrencyIds": []any{h.things["currency"]}},
	} {
		h.CreateBadgeWith(object{"conditions": []any{condition}})
	}
	return h
}

func (h *auctioning) earn(wallet string, amount int) {
	h.T.Helper()
	h.Transact(apptest.Points(wallet, amount, object{"loyaltyCurrencyId": h.things["currency"]})).OK()
}

// pass lets two hours pass, of which the middle is a moment to ask for. The clock moves a little by itself whenever it
// is read.
func (h *auctioning) pass() {
	at := apptest.Noon.Add(time.Duration(2*len(h.moments)+1) * time.Hour)
	h.moments = append(h.moments, at)
	h.Clock.Set(at.Add(time.Hour))
}

// story lets time pass between bids, and members earn and spend before and after each.
func (h *auctioning) story(bidding bool) {
	h.T.Helper()
	bid := func(auction string, member, amount int) {
		h.T.Helper()
		if bidding {
			h.Post("/api/auction_bids", object{
				"auctionId": h.auctions[auction], "walletAddress": h.members[member], "amount": amount,
			}).OK()
		}
	}
	hide := func(auction string, hidden bool) {
		h.T.Helper()
		h.Post("/api/auctions/"+h.auctions[auction], object{"hideBids": hidden}).OK()
	}
	h.pass()
	bid("first", 1, 400)
	bid("second", 2, 300)
	bid("second", 3, 250)
	bid("hidden", 3, 200)
	bid("turned", 1, 50)
	hide("turned", true)
	hide("turned", false)
	hide("turned", true)
	h.pass()
	for i, wallet := range h.members {
		h.earn(wallet, 10+i)
	}
	bid("hidden", 2, 250) // outbids
	bid("first", 4, 700)  // and its group pays a part
	bid("cancelled", 3, 10)
	h.pass()
	h.Transact(apptest.Points(h.members[1], 5, object{"loyaltyCurrencyId": h.things["currency"], "direction": "debit"})).OK()
	h.Post("/api/loyalty/holds", object{
		"loyaltyCurrencyId": h.things["currency"], "walletAddress": h.members[2], "amount": 7,
	}).OK()
	bid("first", 1, 500) // replaces
	bid("turned", 3, 60)
	h.GrantBadge(h.CreateBadgeWith(object{"rewards": []any{object{
		"rewardType": "multiplier", "multiplier": 2, "isRetroactive": true, "multiplierLoyaltyCurrencyIds": []any{h.things["currency"]},
	}}}), h.members[1])
	h.Complete(h.things["rule"], object{"walletAddress": h.members[3]}).OK()
	h.pass()
	h.GrantEarnedBadges()
	h.pass()
}

// reading is what a call is answered.
type reading struct{ call, body string }

// readings reads whatever may be read without a secret key.
func (h *auctioning) readings() (out []reading) {
	h.T.Helper()
	document := h.OpenAPI()["paths"].(object)
	token := "Bearer " + h.Token(h.members[0])
	for _, op := range operations(h.Server) {
		if op.method != "GET" || op.visit.auth != "" { // a flow tells nothing of points, and each has a state of its own
			continue
		}
		parameters := items(document[op.path].(object)["get"].(object)["parameters"])
		for _, kind := range []byte(op.visit.keys) {
			listed := strings.HasPrefix(op.path, "/api/auction_bids") || strings.HasSuffix(op.path, "/lots") ||
				strings.HasSuffix(op.path, "/expiring")
			if kind != 'R' && kind != 'C' || kind == 'R' && listed {
				continue // read-only keys list hidden bids, and lots
			}
			v := h.visit(op, kind)
			for _, id := range h.ids(op) {
				path := strings.NewReplacer("{id}", id, "{eventId}", h.things["event"]).Replace(op.path)
				for _, query := range h.queries(v.query, parameters) {
					for _, bearer := range map[byte][]string{'R': {""}, 'C': {"", token}}[kind] {
						out = append(out, h.pages(kind, bearer, path, query)...)
					}
				}
			}
		}
	}
	return out
}

// pages reads a list to its end.
func (h *auctioning) pages(kind byte, bearer, path string, query url.Values) (out []reading) {
	for {
		address := path + "?" + query.Encode()
		got := h.Call(h.key(kind), "GET", address, nil, "Authorization", bearer)
		out = append(out, reading{
			h.plain(fmt.Sprintf("%c %.7s %s", kind, bearer, address)), h.plain(fmt.Sprint(got.Status, " ", got.Body)),
		})
		if got.Status != 200 || !strings.HasSuffix(got.Body, `"hasNextPage":true}`) {
			return out
		}
		data := items(got.JSON()["data"])
		last, _ := data[len(data)-1].(object)["id"].(string)
		if last == "" || query.Get("limit") != "2" {
			return out
		}
		query.Set("startingAfter", last)
	}
}

var anID = regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|0x[0-9a-f]{40}`)

// plain replaces ids by numbers, in the order in which they first appear.
func (h *auctioning) plain(text string) string {
	text = anID.ReplaceAllStringFunc(text, func(id string) string {
		if h.known[id] == "" {
			h.known[id] = fmt.Sprintf("<%d>", len(h.known))
		}
		return h.known[id]
	})
	return varying.ReplaceAllStringFunc(text, func(part string) string {
		if at, err := time.Parse(time.RFC3339, part); err == nil {
			return at.Format("Mon 15:04")
		}
		return "~"
	})
}

// ids are those that a path is read with.
func (h *auctioning) ids(op operation) []string {
	switch op.visit.id {
	case "account", "lot-account":
		return append(slices.Clone(h.accounts), h.things["main account"])
	case "auction":
		var ids []string
		for _, name := range []string{"first", "second", "hidden", "turned", "cancelled"} {
			ids = append(ids, h.auctions[name])
		}
		return append(ids, h.things["auction"])
	}
	return []string{h.things[op.visit.id]}
}

// queries are the needed parameters alone, with each other one, and both with a currency and in short pages.
func (h *auctioning) queries(needed url.Values, parameters []any) (out []url.Values) {
	bases := []url.Values{needed}
	for _, p := range parameters {
		if name, _ := p.(object)["name"].(string); name == "limit" {
			bases = append(bases, with(with(needed, "limit", "2"), "loyaltyCurrencyId", h.things["currency"]))
		}
	}
	for _, base := range bases {
		out = append(out, with(base, "", ""))
		for _, p := range parameters {
			if p.(object)["$ref"] == nil && p.(object)["in"] == "query" {
				for _, value := range h.values(p.(object)) {
					out = append(out, with(base, p.(object)["name"].(string), value))
				}
			}
		}
	}
	return out
}

func with(base url.Values, name, value string) url.Values {
	out := url.Values{}
	for key, values := range base {
		out[key] = values
	}
	if name != "" {
		out.Set(name, value)
	}
	return out
}

// values are those that a parameter is tried with.
func (h *auctioning) values(p object) (out []string) {
	schema := p["schema"].(object)
	if items, ok := schema["items"].(object); ok {
		schema = items
	}
	switch name := p["name"].(string); {
	case strings.Contains(strings.ToLower(name), "network"):
		out = []string{"mainnet"} // one of many, and another server of this process may add to them meanwhile
	case schema["enum"] != nil:
		for _, value := range items(schema["enum"]) {
			out = append(out, fmt.Sprint(value))
		}
	case schema["type"] == "boolean":
		out = []string{"true", "false"}
	case schema["format"] == "date-time":
		for _, moment := range h.moments {
			out = append(out, moment.Format(time.RFC3339))
		}
	case name == "userId":
		out = append(slices.Clone(h.users), "")
	case name == "walletAddress":
		out = h.members
	case name == "loyaltyAccountId":
		out = append(slices.Clone(h.accounts), h.things["main account"])
	case name == "auctionId":
		for _, auction := range []string{"first", "second", "hidden", "turned"} {
			out = append(out, h.auctions[auction])
		}
	case name == "userGroupExternalIdentifier":
		out = []string{"family"}
	case name != "startingAfter" && h.things[idKinds[name]] != "":
		out = []string{h.things[idKinds[name]]}
	}
	return out
}

// attributeValues matches the attributes of users, which secret keys alone see.
var attributeValues = regexp.MustCompile(`\[\{"value":"[^"]*","websiteUserAttribute":\{[^}]*\}\}\]`)

// knows checks that secret keys, and each member for its own account, see balances without what bids hold. All others
// see balances that include it.
func (h *auctioning) knows() {
	h.T.Helper()
	for member, held := range []int{0, 500, 550, 320, 614, 86} {
		path := "/api/loyalty/accounts?loyaltyCurrencyId=" + h.things["currency"] + "&userId=" + h.users[member]
		own := h.Call(h.ClientAPIKey, "GET", path, nil, h.MemberTokenHeaders(h.users[member])...)
		if secret := attributeValues.ReplaceAllString(h.Get(path).Body, "[]"); own.Body != secret {
			h.T.Errorf("member %d sees %s, a secret key %s", member, own.Body, secret)
		}
		amount := h.Call(h.ReadOnlyAPIKey, "GET", path, nil).Data()[0]["amount"]
		if got := apptest.Number(amount) - apptest.Number(own.Data()[0]["amount"]); got != held {
			h.T.Errorf("of member %d %d points are concealed, want %d", member, got, held)
		}
		path = "/api/loyalty/transaction_entries?limit=100&userId=" + h.users[member]
		own = h.Call(h.ClientAPIKey, "GET", path, nil, h.MemberTokenHeaders(h.users[member])...)
		if secret := h.Get(path).Body; own.Body != secret || held > 0 && !strings.Contains(own.Body, `"reason":"bid"`) {
			h.T.Errorf("member %d sees %s, a secret key %s", member, own.Body, secret)
		}
	}
}

// migrates forgets what the migration has added, and lets it add that again: as for auctions from before. It returns
// what bids have written, and what the migration writes.
func (h *auctioning) migrates(t *testing.T, address string) (before, after []string) {
	t.Helper()
	text, err := os.ReadFile("../store/migrations/00106_concealed_bids.sql")
	if err != nil {
		t.Fatal(err)
	}
	up, down, _ := strings.Cut(string(text), "-- +goose Down")
	db := apptest.OpenSQL(t, address)
	db.SetMaxOpenConns(1)
	concealed := func() (out []string) {
		t.Helper()
		rows, err := db.QueryContext(context.Background(), `SELECT CAST(entry_id AS TEXT) || ' ' || CAST(website_id AS TEXT) || ' ' ||
			CAST(auction_id AS TEXT) || ' ' || CAST(bidder_id AS TEXT) || ' ' || CAST(loyalty_account_id AS TEXT) || ' ' ||
			COALESCE(CAST(user_id AS TEXT), '-') || ' ' || CAST(amount AS TEXT) || ' ' || COALESCE(CAST(version AS TEXT), '-') || ' ' ||
			CAST(created_at AS TEXT) || CASE WHEN concealed THEN ' concealed' ELSE '' END AS line FROM bid_entries
			UNION ALL SELECT CAST(id AS TEXT) || ' ' || CAST(concealed_amount AS TEXT) FROM loyalty_accounts WHERE concealed_amount <> 0
			ORDER BY line`)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = rows.Close() }()
		for rows.Next() {
			var line string
			if err := rows.Scan(&line); err != nil {
				t.Fatal(err)
			}
			out = append(out, line)
		}
		if err := rows.Err(); err != nil {
			t.Fatal(err)
		}
		return out
	}
	before = concealed()
	for _, statement := range strings.Split(down+up, ";\n") {
		if _, err := db.ExecContext(context.Background(), statement); err != nil {
			t.Fatalf("%s: %v", statement, err)
		}
	}
	h.Sound()
	return before, concealed()
}

// TestBidsOfAuctionsThatAreOverAreMigrated: an auction was cancelled before the migration, and what it holds goes back
// after it.
func TestBidsOfAuctionsThatAreOverAreMigrated(t *testing.T) {
	t.Parallel()
	for _, e := range storetest.Engines() {
		t.Run(e.Name, func(t *testing.T) {
			t.Parallel()
			address := e.URL(t)
			h := hall(apptest.OpenAtNoon(t, address, app.Config{NoRateLimits: true}))
			h.story(true)
			h.Remove("/api/loyalty/currencies/" + h.things["currency"]) // cancels its auctions, and leaves the rest to the queue
			db := apptest.OpenSQL(t, address)
			remembered := func() (n int) {
				t.Helper()
				if err := db.QueryRowContext(context.Background(), `SELECT (SELECT COUNT(*) FROM bid_entries) +
					(SELECT COUNT(*) FROM loyalty_accounts WHERE concealed_amount <> 0)`).Scan(&n); err != nil {
					t.Fatal(err)
				}
				return n
			}
			before, after := h.migrates(t, address)
			for _, line := range after { // who was outbid before the end has nothing to be shown any more
				if !slices.Contains(before, line) {
					t.Errorf("the migration adds %s", line)
				}
			}
			for _, line := range before {
				if strings.Count(line, " ") == 1 && !slices.Contains(after, line) {
					t.Errorf("the migration loses what an account holds: %s", line)
				}
			}
			if err := h.App.Auctions.CloseDueBatch(context.Background()); err != nil {
				t.Fatal(err)
			}
			if n := remembered(); n != 0 {
				t.Errorf("%d rows are left when all has gone back", n)
			}
			h.Sound()
		})
	}
}

// ends lets the auctions end, one by a cancellation, and checks that all readers then get the same answers as
// secret keys.
func (h *auctioning) ends() {
	h.T.Helper()
	h.Post("/api/auctions/"+h.auctions["cancelled"]+"/cancel", object{}).OK()
	h.Clock.Advance(21 * 24 * time.Hour)
	if err := h.App.Auctions.CloseDueBatch(context.Background()); err != nil {
		h.T.Fatal(err)
	}
	h.Clock.Advance(time.Hour)
	list := "/api/loyalty/accounts?loyaltyCurrencyId=" + h.things["currency"]
	paths := []string{list, list + "&sortDir=asc", list + "&userId=", "/api/loyalty/transaction_entries?limit=100",
		"/api/loyalty/transaction_entries?limit=100&userId=", "/api/loyalty/transaction_entries?limit=100&sortBy=loyaltyAccountLockVersion"}
	for _, moment := range h.moments {
		paths = append(paths, list+"&"+apptest.AsOf(moment))
	}
	for _, account := range h.accounts {
		for _, at := range append([]string{""}, "&"+apptest.AsOf(h.moments[2])) {
			paths = append(paths, fmt.Sprintf("/api/loyalty/accounts/%s/rank?organizationId=%s&websiteId=%s&loyaltyCurrencyId=%s%s",
				account, h.OrganizationID, h.WebsiteID, h.things["currency"], at))
		}
	}
	for _, path := range paths {
		if r, w := h.Call(h.ReadOnlyAPIKey, "GET", path, nil).Body, h.Get(path).Body; r != w {
			h.T.Errorf("%s\nto a read-only key: %s\nto a secret key: %s", path, r, w)
		}
	}
	h.Sound()
}
