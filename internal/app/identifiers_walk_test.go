package app_test

import (
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"
	"testing"

	"laurel.example/laurel/internal/dev/apptest"
)

// hiddenIdentifiers are identifiers of members that are no addresses of blockchains; shownIdentifiers are some that
// are, of several types of wallets.
var (
	hiddenIdentifiers = []string{"hidden_cust_1001", "hidden.zoe@example.com", "+4915100hidden"}
	shownIdentifiers  = []string{
		"9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM", "cosmos194c3vs4hy6cygqtz0j5lhtpj7hy9xra3x5yd8n",
		"0x1654653399040a61",
	}
)

// another returns the tenant as another member of its website acts: one that has, or is part of, all that lists show.
func (t *tenant) another(wallet string, n int, streak string) *tenant {
	t.T.Helper()
	who := *t
	who.token, who.things = "", maps.Clone(t.things)
	who.things["user"], who.things["wallet"] = t.User(wallet, nil), wallet
	who.things["rule"] = streak // whose streaks are listed
	t.rich(wallet)
	t.Complete(streak, object{"walletAddress": wallet}).OK()
	t.Complete(t.things["rule"], object{"walletAddress": wallet}).OK()
	progress := object{"loyaltyRuleId": t.things["rule"], "walletAddress": wallet, "progress": n}
	t.Post("/api/loyalty/rule_statuses", progress).OK()
	t.Post(apptest.MultipliersPath, object{"walletAddress": wallet, "multiplier": 2}).OK()
	t.Post("/api/loyalty/questions_responses", object{"walletAddress": wallet, "loyaltyQuestionChoiceId": t.things["choice"]}).OK()
	given := t.Post(apptest.BadgesPath+"/"+t.things["badge"]+"/reward", object{"walletAddress": wallet}).OK()
	who.things["badge user"] = given["data"].(object)["id"].(string)
	bid := object{"auctionId": t.things["auction"], "walletAddress": wallet, "amount": 10 * (n + 1)}
	who.things["bid"] = t.Post("/api/auction_bids", bid).OK()["id"].(string)
	order := t.aMint()
	order["walletAddress"] = wallet
	who.things["mint"] = t.Post("/api/minting/contracts/mint", order).OK()["mintingContractAssetMintStatusId"].(string)
	reserved := object{"loyaltyCurrencyId": t.things["currency"], "walletAddress": wallet, "amount": 1}
	who.things["hold"] = t.Post("/api/loyalty/holds", reserved).OK()["id"].(string)
	entry := t.Get("/api/loyalty/transaction_entries?walletAddress=" + url.QueryEscape(wallet)).Data()[0]
	who.things["account"] = entry["loyaltyAccountId"].(string)
	who.things["lot-account"], who.things["entry"] = who.things["account"], entry["id"].(string)
	return &who
}

// refers makes one member the referrer of another, by a rule of its own.
func (t *tenant) refers(referrer, referee *tenant) {
	t.T.Helper()
	rule := t.Rule("referred_user", object{"loyaltyCurrencyId": t.things["currency"]})
	code := t.Post("/api/referral/codes", object{"loyaltyRuleId": rule, "userId": referrer.things["user"]}).OK()["id"]
	t.Post("/api/referral/users", object{"referralCodeId": code, "userIds": []any{referee.things["user"]}}).OK()
}

// variations are the queries of a read: as it needs them, with each value of each parameter that has a few, and with
// each of the users.
func variations(needed url.Values, parameters []any, users []string) []url.Values {
	out := []url.Values{needed}
	for _, p := range parameters {
		if p.(object)["$ref"] != nil || p.(object)["in"] != "query" {
			continue
		}
		name, schema := p.(object)["name"].(string), p.(object)["schema"].(object)
		if items, ok := schema["items"].(object); ok {
			schema = items
		}
		values := []string{}
		switch {
		case schema["type"] == "boolean":
			values = []string{"true", "false"}
		case name == "userId":
			values = append(slices.Clone(users), strings.Join(users, ","), "")
		case schema["enum"] != nil && !strings.Contains(strings.ToLower(name), "network"):
			for _, value := range items(schema["enum"]) {
				values = append(values, fmt.Sprint(value))
			}
		}
		for _, value := range values {
			out = append(out, with(needed, name, value))
		}
	}
	return out
}

// shownBy are the operations that tell the identifiers of members to secret keys, so that the walk has something to find
// where they could tell client keys.
var shownBy = []string{
	"/api/auction_bids", "/api/auction_bids/{id}", "/api/loyalty/account_streaks", "/api/loyalty/accounts",
	"/api/loyalty/badge_users", "/api/loyalty/multipliers", "/api/loyalty/transaction_entries", "/api/minting/status",
	"/api/minting/status/{id}", "/api/referral/users", "/api/users", "/api/users/{id}",
}

// identifierWalk reads with a client key and notes which identifiers each answer has.
type identifierWalk struct {
	*tenant
	tokens          map[string]string // token: whose wallet; "": nobody's
	users           []string
	revealed, own   map[string]bool // paths that tell a hidden identifier to secret keys, or to its own member
	shown           map[string]bool // addresses of blockchains that somebody has read
	document        object
	reads, readings int
}

// read reads an operation as every reader, with every query, for the things of one member.
func (w *identifierWalk) read(op operation, target *tenant) {
	w.T.Helper()
	secret := target.visit(op, 'W').send(w.WebsiteAPIKey).Body
	for _, name := range hiddenIdentifiers {
		w.revealed[op.path] = w.revealed[op.path] || strings.Contains(secret, name)
	}
	parameters := items(w.document[op.path].(object)["get"].(object)["parameters"])
	v := target.visit(op, 'C')
	for _, query := range variations(v.query, parameters, w.users) {
		for token, reader := range w.tokens {
			call := v.with(token)
			call.query = query
			w.judge(call, reader)
		}
	}
}

// judge reads once, and fails if the answer has an identifier that is hidden from its reader. What a call names is no
// news to its caller.
func (w *identifierWalk) judge(call *visitor, reader string) {
	w.T.Helper()
	got := call.send(w.ClientAPIKey)
	w.reads++
	if got.Status == 200 {
		w.readings++
	}
	for _, name := range hiddenIdentifiers {
		switch {
		case !strings.Contains(got.Body, name) || isSent(call.query, name):
		case reader == name:
			w.own[call.op.path] = true
		default:
			w.T.Errorf("%s?%s tells %s to %s: %.300s", call.path(), call.query.Encode(), name, reader, got.Body)
		}
	}
	for _, name := range shownIdentifiers {
		if strings.Contains(got.Body, name) {
			w.shown[name] = true
		}
	}
}

// isSent reports whether a query has the value.
func isSent(query url.Values, value string) bool {
	for _, values := range query {
		if slices.Contains(values, value) {
			return true
		}
	}
	return false
}

// Client keys see what another member is called only if that is an address of a blockchain (contract 1.11): whatever
// they read, whomever they name, with whatever token.
func TestNoReadOfAClientKeyTellsTheIdentifierOfAnotherMember(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		w := identifierWalk{
			tenant: settle(s, called("acme")), document: s.Get("/openapi.json").OK()["paths"].(object),
			tokens: map[string]string{"": "nobody"}, revealed: map[string]bool{}, own: map[string]bool{}, shown: map[string]bool{},
		}
		streak := s.CreateStreakRule(object{"loyaltyCurrencyId": w.things["currency"]})
		members := []*tenant{w.tenant}
		for i, wallet := range slices.Concat(hiddenIdentifiers, shownIdentifiers) {
			members = append(members, w.another(wallet, i, streak))
		}
		for _, who := range members {
			w.users = append(w.users, who.things["user"])
		}
		readers := members[:1+len(hiddenIdentifiers)]
		s.In(hiddenIdentifiers[0], called("acme")["userGroupExternalIdentifier"]) // the group of the first reader
		w.refers(readers[2], readers[0])
		w.refers(readers[0], readers[3])
		for _, who := range readers {
			body := object{"userId": who.things["user"], "expiresInSeconds": 86400}
			w.tokens[s.Post("/api/users/tokens", body).OK()["token"].(string)] = who.things["wallet"]
		}
		for _, op := range operations(s) {
			if op.method != "GET" || !strings.Contains(op.visit.keys, "C") || op.visit.auth != "" {
				continue
			}
			for _, target := range readers {
				w.read(op, target)
			}
		}
		for _, path := range shownBy {
			if !w.revealed[path] {
				t.Errorf("%s tells no identifier even to secret keys, so nothing is tried", path)
			}
		}
		for _, path := range []string{"/api/users/me", "/api/users", "/api/loyalty/accounts", "/api/auction_bids"} {
			if !w.own[path] {
				t.Errorf("%s does not tell members their own identifier", path)
			}
		}
		if len(w.shown) != len(shownIdentifiers) {
			t.Errorf("of the addresses of blockchains only %v are shown", w.shown)
		}
		if w.readings < 1000 {
			t.Errorf("only %d of %d reads were answered", w.readings, w.reads)
		}
		t.Logf("%d of %d reads were answered", w.readings, w.reads)
	})
}
