package external_test

import (
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/app"
	"laurel.example/laurel/internal/dev/apptest"
	"laurel.example/laurel/internal/dev/storetest"
)

func TestAnOutsideAnswerOfAnotherShapeIsAFault(t *testing.T) {
	t.Parallel()
	storetest.EachURL(t, func(t *testing.T, address string) {
		log := &storetest.Log{}
		s := apptest.OpenAtNoon(
			t,
			address,
			app.Config{NoRateLimits: true, Dev: true, Logger: slog.New(slog.NewTextHandler(log, nil))},
		)
		var page atomic.Value
		outside := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			_, _ = fmt.Fprint(w, page.Load())
		}))
		t.Cleanup(outside.Close)
		currency := s.Post(
			"/api/loyalty/currencies",
			object{"name": "Miles", "symbol": "M", "decimals": 0},
		).OK()["id"].(string)
		s.Post("/api/loyalty/transactions", apptest.CreditBody(currency, apptest.Alice, 5, nil)).OK()
		path := "/api/loyalty/accounts?loyaltyCurrencyId=" + currency
		if a := s.Get(path).Data()[0]; a["amountFrom"] != nil {
			t.Errorf("of a currency kept here: %v", a)
		}
		s.Post("/api/loyalty/currencies/"+currency, object{"apiGetUrl": outside.URL + "/secret-path"}).OK()
		for _, c := range []struct{ page, want string }{
			{`{"data":[{"walletAddress":"` + apptest.Alice + `","amount":"8"}]}`, "8 outside"},
			{`{"data":[]}`, "5 mirror"}, // it knows nothing of the wallet
			{`{}`, "5 mirror fault"},
			{`{"balances":[{"walletAddress":"` + apptest.Alice + `","amount":"8"}]}`, "5 mirror fault"},
			{`{"data":null}`, "5 mirror fault"},
			{`{"data":{"` + apptest.Alice + `":8}}`, "5 mirror fault"},
			{`{"data":[{"wallet":"` + apptest.Alice + `","amount":"8"}]}`, "5 mirror fault"},
			{`{"data":[{"walletAddress":"` + apptest.Alice + `"}]}`, "5 mirror fault"},
			{`{"data":[{"walletAddress":"` + apptest.Alice + `","amount":"much"}]}`, "5 mirror fault"},
			{`{"data":[{"walletAddress":"` + apptest.Alice + `","amount":"8"}],"hasNextPage":true}`, "5 mirror fault"},
			{`<html>`, "5 mirror fault"},
		} {
			page.Store(c.page)
			s.Clock.Advance(outsideKnown)
			before := strings.Count(log.String(), "external balances could not be read")
			a := s.Get(path).Data()[0]
			got := fmt.Sprint(a["amount"], " ", a["amountFrom"])
			if strings.Count(log.String(), "external balances could not be read") > before {
				got += " fault"
			}
			if got != c.want {
				t.Errorf("%s: %s, not %s", c.page, got, c.want)
			}
		}
		if strings.Contains(log.String(), "secret-path") {
			t.Error("the log holds the address")
		}
	})
}

func TestAUserWithoutWalletHasTheMirrorOfABalanceOutside(t *testing.T) {
	t.Parallel()
	apptest.EachWithBank(t, func(t *testing.T, s *apptest.Server, b *apptest.Bank, _ string) {
		made := s.Post(
			"/api/loyalty/currencies",
			object{"name": "Miles", "symbol": "M", "decimals": 0, "apiGetUrl": b.URL + "/get"},
		).
			OK()
		currency, user := made["id"].(string), made["createdById"].(string) // the key's own user
		s.Post(
			"/api/loyalty/transactions",
			object{"description": "x", "loyaltyCurrencyId": currency, "entries": []any{object{"userId": user, "amount": 5}}},
		).
			OK()
		amounts := func(query string) string {
			found := []string{}
			for _, a := range s.Get("/api/loyalty/accounts?loyaltyCurrencyId=" + currency + query).Data() {
				found = append(found, fmt.Sprint(a["amount"], " ", a["amountFrom"]))
			}
			return strings.Join(found, ", ")
		}
		if got := amounts(""); got != "5 mirror" || b.Reads != 0 {
			t.Errorf("alone: %s after %d reads", got, b.Reads)
		}
		s.Post("/api/loyalty/transactions", apptest.CreditBody(currency, apptest.Alice, 4, nil)).OK()
		set(b, func(b *apptest.Bank) { b.Balances[apptest.Alice] = 7 * laurel.One })
		if got := amounts(""); got != "5 mirror, 7 outside" {
			t.Errorf("beside a wallet: %s", got)
		}
		if got := amounts("&userId="); got != "-9 <nil>" {
			t.Errorf("the main account: %s", got)
		}
	})
}
