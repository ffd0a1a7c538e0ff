package app_test

import (
	"context"
	"fmt"
	"log/slog"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"

	"laurel/internal/app"
	"laurel/internal/dev/storetest"
)

// again opens a server's database once more, as a later start would.
func (s *server) again(address string, config app.Config) *server {
	s.t.Helper()
	config.Database, config.DataDir, config.NoRateLimits, config.Dev = address, s.t.TempDir(), true, true
	if config.Logger == nil {
		config.Logger = slog.New(slog.DiscardHandler)
	}
	a, err := app.Open(context.Background(), config)
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() { _ = a.Close() })
	h := httptest.NewServer(a.Handler)
	s.t.Cleanup(h.Close)
	return &server{t: s.t, app: a, http: h, Program: s.Program}
}

func (s *server) close() {
	s.t.Helper()
	s.http.Close()
	if err := s.app.Close(); err != nil {
		s.t.Fatal(err)
	}
}

// sealedKey finds a sealed key in stored metadata.
var sealedKey = regexp.MustCompile(`"customRewardsApiKey":\{"sealed":"[^"]+"\}`)

// unseal stores everything as a version before sealing did.
func unseal(t *testing.T, address, value, key string) {
	t.Helper()
	db, ctx := opened(t, address), context.Background()
	for _, column := range []string{"loyalty_rules metadata", "loyalty_rules record", "rule_edits data", "rule_edits previous_data"} {
		table, name, _ := strings.Cut(column, " ")
		rows, err := db.QueryContext(ctx, "SELECT CAST(id AS TEXT), "+name+" FROM "+table+" WHERE "+name+" LIKE '%sealed%'")
		if err != nil {
			t.Fatal(err)
		}
		texts := map[string]string{}
		for rows.Next() {
			var id, text string
			if err := rows.Scan(&id, &text); err != nil {
				t.Fatal(err)
			}
			texts[id] = sealedKey.ReplaceAllString(text, `"customRewardsApiKey":"`+key+`"`)
		}
		if err := rows.Err(); err != nil || len(texts) == 0 {
			t.Fatalf("%s: %d rows, %v", column, len(texts), err)
		}
		for id, text := range texts {
			tamper(t, address, "UPDATE "+table+" SET "+name+" = '"+text+"' WHERE CAST(id AS TEXT) = '"+id+"'")
		}
	}
	for _, statement := range []string{
		"UPDATE loyalty_currencies SET api_auth_sealed = '" + value + "' WHERE api_auth_sealed IS NOT NULL",
		"UPDATE rule_sources SET api_key_sealed = '" + key + "' WHERE api_key_sealed IS NOT NULL",
		`UPDATE request_keys SET answer = '{"id":1,"apiAuthValue":"` + value + `","metadata":{"customRewardsApiKey":"` + key + `"}}'`,
		"DELETE FROM settings WHERE name IN ('sealed_under', 'secrets_sealed')",
	} {
		tamper(t, address, statement)
	}
}

// TestWhatAnEarlierVersionStoredInTheClearIsSealed fills a database, puts every secret in the clear as an earlier
// version would have stored it, and starts the server: nothing is left in the clear, in no row and in no file, and
// everything works as before. A second beginning, as after a crash, changes nothing.
func TestWhatAnEarlierVersionStoredInTheClearIsSealed(t *testing.T) {
	t.Parallel()
	storetest.EachURL(t, func(t *testing.T, address string) {
		const value, key = "pl4nt-v4lue-in-the-clear", "v1.pl4nt.k3y" // one that looks like a sealed text
		s := open(t, address, app.Config{NoRateLimits: true, Dev: true})
		bank, out := newBank(t), outsideSite(t)
		currency := s.post(currenciesPath, object{"name": "Miles", "symbol": "M", "decimals": 0, "apiAuthType": "bearer", "apiAuthValue": "x", "apiPostUrl": bank.URL + "/post"}).ok()["id"].(string)
		feed := out.set("/feed", `{"next":null,"results":[{"tokenId":1,"reward":2}]}`)
		rule := s.rule(
			"token_hold",
			object{
				"customRewardsApiUrl": feed,
				"loyaltyCurrencyId":   s.LoyaltyCurrencyID,
				"metadata":            object{"customRewardsApiKey": "x", "buttonText": "a"},
			},
		)
		create := object{"name": "Once", "symbol": "O", "decimals": 0, "apiAuthValue": "x"}
		s.call(s.WebsiteAPIKey, "POST", currenciesPath, create, "Idempotency-Key", "k").ok()
		s.update(rule, object{"metadata": object{"customRewardsApiKey": "x", "buttonText": "b"}})
		token := s.post("/api/users/tokens", object{"walletAddress": wallet(1)}).ok()["token"]
		s.close()
		unseal(t, address, value, key)

		var logs storetest.Log
		for round := range 2 {
			s = s.again(
				address,
				app.Config{Logger: slog.New(slog.NewTextHandler(&logs, nil)), Secret: "the secret of this instance"},
			)
			p := &planter{server: s, made: []string{value, key}}
			for table, text := range dump(t, address) {
				if said := p.found(text); said != "" {
					t.Errorf("round %d: table %s holds %s", round, table, said)
				}
			}
			for _, text := range files(t, address) {
				if said := p.found(text); said != "" {
					t.Errorf("round %d: a file of the database holds %s", round, said)
				}
			}
			if p.found(logs.String()) != "" || strings.Count(logs.String(), "sealed secrets that lay in the clear") != 1 {
				t.Errorf("the log: %s", &logs)
			}
			for _, listed := range s.get(currenciesPath).data() {
				if listed["id"] == currency && listed["apiAuthValue"] != value {
					t.Errorf("apiAuthValue is told as %v", listed["apiAuthValue"])
				}
			}
			s.post("/api/loyalty/transactions", object{"description": "T", "loyaltyCurrencyId": currency, "entries": []object{{"walletAddress": wallet(1), "amount": 5, "direction": "credit"}}}).
				ok()
			if got := bank.seen.Get("Authorization"); got != "Bearer "+value {
				t.Errorf("the bank was shown %q", got)
			}
			for _, e := range s.edits(rule) {
				for _, side := range []string{"data", "previousData"} {
					if told, ok := e[side].(object); ok && told["metadata"] != nil &&
						told["metadata"].(object)["customRewardsApiKey"] != key {
						t.Errorf("%s of an edit tells %v", side, told["metadata"])
					}
				}
			}
			before := len(s.edits(rule))
			s.update(rule, object{"metadata": object{"customRewardsApiKey": key, "buttonText": "b"}})
			if len(s.edits(rule)) != before {
				t.Error("the same key counts as a change")
			}
			replay := s.call(s.WebsiteAPIKey, "POST", currenciesPath, create, "Idempotency-Key", "k")
			if replay.body != `{"message":"Already carried out"}` {
				t.Errorf("the replay: %s", replay.body)
			}
			s.readLists()
			s.call(s.ClientAPIKey, "GET", "/api/loyalty/transaction_entries?walletAddress="+wallet(1), nil, "Authorization", fmt.Sprint("Bearer ", token)).
				ok()
			s.close()
			// as if the first had broken off before its end
			tamper(t, address, "DELETE FROM settings WHERE name = 'secrets_sealed'")
		}
		if shown, _ := out.keys.Load("/feed"); shown != key {
			t.Errorf("the feed was shown %v", shown)
		}
	})
}

// TestASealedTextOfAnotherRowIsNotTold copies a sealed text to another row: it opens nowhere else.
func TestASealedTextOfAnotherRowIsNotTold(t *testing.T) {
	t.Parallel()
	storetest.EachURL(t, func(t *testing.T, address string) {
		var logs storetest.Log
		s := open(t, address, app.Config{NoRateLimits: true, Logger: slog.New(slog.NewTextHandler(&logs, nil))})
		one := s.post(currenciesPath, object{"name": "A", "symbol": "A", "decimals": 0, "apiAuthValue": "pl4nt-a"}).ok()["id"].(string)
		two := s.post(currenciesPath, object{"name": "B", "symbol": "B", "decimals": 0, "apiAuthValue": "pl4nt-b"}).ok()["id"].(string)
		tamper(
			t,
			address,
			`UPDATE loyalty_currencies SET api_auth_sealed = (SELECT c.api_auth_sealed FROM loyalty_currencies c WHERE CAST(c.id AS TEXT) = '`+one+`')
			WHERE CAST(id AS TEXT) = '`+two+`'`,
		)
		for _, c := range s.get(currenciesPath).data() {
			if want := map[any]any{one: "pl4nt-a"}[c["id"]]; c["apiAuthValue"] != want {
				t.Errorf("%s tells %v, want %v", c["name"], c["apiAuthValue"], want)
			}
		}
		if said := logs.String(); !strings.Contains(said, "currency:"+two+":apiAuthValue") ||
			strings.Contains(said, "pl4nt") {
			t.Errorf("the log: %s", said)
		}
	})
}
