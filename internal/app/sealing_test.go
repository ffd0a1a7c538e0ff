package app_test

import (
	"context"
	"fmt"
	"log/slog"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"

	"laurel.example/laurel/internal/app"
	"laurel.example/laurel/internal/dev/apptest"
	"laurel.example/laurel/internal/dev/storetest"
)

// again opens a server's database once more, as a later start would.
func again(s *apptest.Server, address string, config app.Config) *apptest.Server {
	s.T.Helper()
	config.Database, config.DataDir, config.NoRateLimits, config.Dev = address, s.T.TempDir(), true, true
	if config.Logger == nil {
		config.Logger = slog.New(slog.DiscardHandler)
	}
	a, err := app.Open(context.Background(), config)
	if err != nil {
		s.T.Fatal(err)
	}
	s.T.Cleanup(func() { _ = a.Close() })
	h := httptest.NewServer(a.Handler)
	s.T.Cleanup(h.Close)
	return &apptest.Server{T: s.T, App: a, HTTP: h, Program: s.Program}
}

func closeServer(s *apptest.Server) {
	s.T.Helper()
	s.HTTP.Close()
	if err := s.App.Close(); err != nil {
		s.T.Fatal(err)
	}
}

// sealedKey finds a sealed key in stored metadata.
var sealedKey = regexp.MustCompile(`"customRewardsApiKey":\{"sealed":"[^"]+"\}`)

// unseal stores everything as a version before sealing did.
func unseal(t *testing.T, address, value, key string) {
	t.Helper()
	db, ctx := apptest.OpenSQL(t, address), context.Background()
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
			apptest.Tamper(t, address, "UPDATE "+table+" SET "+name+" = '"+text+"' WHERE CAST(id AS TEXT) = '"+id+"'")
		}
	}
	for _, statement := range []string{
		"UPDATE loyalty_currencies SET api_auth_sealed = '" + value + "' WHERE api_auth_sealed IS NOT NULL",
		"UPDATE list_sources SET api_key_sealed = '" + key + "' WHERE api_key_sealed IS NOT NULL",
		`UPDATE request_keys SET answer = '{"id":1,"apiAuthValue":"` + value + `","metadata":{"customRewardsApiKey":"` + key + `"}}'`,
		"DELETE FROM settings WHERE name IN ('sealed_under', 'secrets_sealed')",
	} {
		apptest.Tamper(t, address, statement)
	}
}

// TestWhatAnEarlierVersionStoredInTheClearIsSealed fills a database, puts every secret in the clear as an earlier
// version would have stored it, and starts the server: nothing is left in the clear, in no row and in no file, and
// everything works as before. A second beginning, as after a crash, changes nothing.
func TestWhatAnEarlierVersionStoredInTheClearIsSealed(t *testing.T) {
	t.Parallel()
	storetest.EachURL(t, func(t *testing.T, address string) {
		const value, key = "pl4nt-v4lue-in-the-clear", "v1.pl4nt.k3y" // one that looks like a sealed text
		s := apptest.Open(t, address, app.Config{NoRateLimits: true, Dev: true})
		bank, out := apptest.NewBank(t), apptest.NewSite(t)
		currency := s.Post(apptest.CurrenciesPath, object{"name": "Miles", "symbol": "M", "decimals": 0, "apiAuthType": "bearer", "apiAuthValue": "x", "apiPostUrl": bank.URL + "/post"}).OK()["id"].(string)
		feed := out.Set("/feed", `{"next":null,"results":[{"tokenId":1,"reward":2}]}`)
		rule := s.Rule(
			"token_hold",
			object{
				"customRewardsApiUrl": feed,
				"loyaltyCurrencyId":   s.LoyaltyCurrencyID,
				"metadata":            object{"customRewardsApiKey": "x", "buttonText": "a"},
			},
		)
		create := object{"name": "Once", "symbol": "O", "decimals": 0, "apiAuthValue": "x"}
		s.Call(s.WebsiteAPIKey, "POST", apptest.CurrenciesPath, create, "Idempotency-Key", "k").OK()
		s.Update(rule, object{"metadata": object{"customRewardsApiKey": "x", "buttonText": "b"}})
		token := s.Post("/api/users/tokens", object{"walletAddress": apptest.Wallet(1)}).OK()["token"]
		closeServer(s)
		unseal(t, address, value, key)

		var logs storetest.Log
		for round := range 2 {
			s = again(
				s,
				address,
				app.Config{Logger: slog.New(slog.NewTextHandler(&logs, nil)), Secret: "the secret of this instance"},
			)
			p := &planter{Server: s, made: []string{value, key}}
			for table, text := range apptest.Dump(t, address) {
				if output := p.found(text); output != "" {
					t.Errorf("round %d: table %s holds %s", round, table, output)
				}
			}
			for _, text := range files(t, address) {
				if output := p.found(text); output != "" {
					t.Errorf("round %d: a file of the database holds %s", round, output)
				}
			}
			if p.found(logs.String()) != "" || strings.Count(logs.String(), "sealed secrets that were stored in plain text") != 1 {
				t.Errorf("the log: %s", &logs)
			}
			for _, listed := range s.Get(apptest.CurrenciesPath).Data() {
				if listed["id"] == currency && listed["apiAuthValue"] != value {
					t.Errorf("apiAuthValue is returned as %v", listed["apiAuthValue"])
				}
			}
			s.Post("/api/loyalty/transactions", object{"description": "T", "loyaltyCurrencyId": currency, "entries": []object{{"walletAddress": apptest.Wallet(1), "amount": 5, "direction": "credit"}}}).
				OK()
			if got := bank.LastHeader.Get("Authorization"); got != "Bearer "+value {
				t.Errorf("the bank was shown %q", got)
			}
			for _, e := range s.Edits(rule) {
				for _, side := range []string{"data", "previousData"} {
					if account, ok := e[side].(object); ok && account["metadata"] != nil &&
						account["metadata"].(object)["customRewardsApiKey"] != key {
						t.Errorf("%s of an edit tells %v", side, account["metadata"])
					}
				}
			}
			before := len(s.Edits(rule))
			s.Update(rule, object{"metadata": object{"customRewardsApiKey": key, "buttonText": "b"}})
			if len(s.Edits(rule)) != before {
				t.Error("the same key counts as a change")
			}
			replay := s.Call(s.WebsiteAPIKey, "POST", apptest.CurrenciesPath, create, "Idempotency-Key", "k")
			if replay.Body != `{"message":"Already carried out"}` {
				t.Errorf("the replay: %s", replay.Body)
			}
			s.ReadLists()
			s.Call(s.ClientAPIKey, "GET", "/api/loyalty/transaction_entries?walletAddress="+apptest.Wallet(1), nil, "Authorization", fmt.Sprint("Bearer ", token)).
				OK()
			closeServer(s)
			// as if the first had broken off before its end
			apptest.Tamper(t, address, "DELETE FROM settings WHERE name = 'secrets_sealed'")
		}
		if shown, _ := out.Keys.Load("/feed"); shown != key {
			t.Errorf("the feed was shown %v", shown)
		}
	})
}

// TestASealedTextOfAnotherRowIsNotTold copies a sealed text to another row: it opens nowhere else.
func TestASealedTextOfAnotherRowIsNotTold(t *testing.T) {
	t.Parallel()
	storetest.EachURL(t, func(t *testing.T, address string) {
		var logs storetest.Log
		s := apptest.Open(t, address, app.Config{NoRateLimits: true, Logger: slog.New(slog.NewTextHandler(&logs, nil))})
		one := s.Post(apptest.CurrenciesPath, object{"name": "A", "symbol": "A", "decimals": 0, "apiAuthValue": "pl4nt-a"}).OK()["id"].(string)
		two := s.Post(apptest.CurrenciesPath, object{"name": "B", "symbol": "B", "decimals": 0, "apiAuthValue": "pl4nt-b"}).OK()["id"].(string)
		apptest.Tamper(
			t,
			address,
			`UPDATE loyalty_currencies SET api_auth_sealed = (SELECT c.api_auth_sealed FROM loyalty_currencies c WHERE CAST(c.id AS TEXT) = '`+one+`')
			WHERE CAST(id AS TEXT) = '`+two+`'`,
		)
		for _, c := range s.Get(apptest.CurrenciesPath).Data() {
			if want := map[any]any{one: "pl4nt-a"}[c["id"]]; c["apiAuthValue"] != want {
				t.Errorf("%s tells %v, want %v", c["name"], c["apiAuthValue"], want)
			}
		}
		if output := logs.String(); !strings.Contains(output, "currency:"+two+":apiAuthValue") ||
			strings.Contains(output, "pl4nt") {
			t.Errorf("the log: %s", output)
		}
	})
}
