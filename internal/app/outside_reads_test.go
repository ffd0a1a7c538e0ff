package app_test

import (
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"laurel"
	"laurel/internal/app"
	"laurel/internal/dev/storetest"
)

func TestAnOutsideAnswerOfAnotherShapeIsAFault(t *testing.T) {
	t.Parallel()
	storetest.EachURL(t, func(t *testing.T, address string) {
		log := &storetest.Log{}
		s := openAtNoon(
			t,
			address,
			app.Config{NoRateLimits: true, Dev: true, Logger: slog.New(slog.NewTextHandler(log, nil))},
		)
		var page atomic.Value
		outside := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			_, _ = fmt.Fprint(w, page.Load())
		}))
		t.Cleanup(outside.Close)
		currency := s.post("/api/loyalty/currencies", object{"name": "Miles", "symbol": "M", "decimals": 0}).ok()["id"].(string)
		s.post("/api/loyalty/transactions", gift(currency, alice, 5, nil)).ok()
		path := "/api/loyalty/accounts?loyaltyCurrencyId=" + currency
		if a := s.get(path).data()[0]; a["amountFrom"] != nil {
			t.Errorf("of a currency kept here: %v", a)
		}
		s.post("/api/loyalty/currencies/"+currency, object{"apiGetUrl": outside.URL + "/secret-path"}).ok()
		for _, c := range []struct{ page, want string }{
			{`{"data":[{"walletAddress":"` + alice + `","amount":"8"}]}`, "8 outside"},
			{`{"data":[]}`, "5 mirror"}, // it knows nothing of the wallet
			{`{}`, "5 mirror fault"},
			{`{"balances":[{"walletAddress":"` + alice + `","amount":"8"}]}`, "5 mirror fault"},
			{`{"data":null}`, "5 mirror fault"},
			{`{"data":{"` + alice + `":8}}`, "5 mirror fault"},
			{`{"data":[{"wallet":"` + alice + `","amount":"8"}]}`, "5 mirror fault"},
			{`{"data":[{"walletAddress":"` + alice + `"}]}`, "5 mirror fault"},
			{`{"data":[{"walletAddress":"` + alice + `","amount":"much"}]}`, "5 mirror fault"},
			{`{"data":[{"walletAddress":"` + alice + `","amount":"8"}],"hasNextPage":true}`, "5 mirror fault"},
			{`<html>`, "5 mirror fault"},
		} {
			page.Store(c.page)
			s.clock.advance(outsideKnown)
			before := strings.Count(log.String(), "balances kept outside could not be read")
			a := s.get(path).data()[0]
			got := fmt.Sprint(a["amount"], " ", a["amountFrom"])
			if strings.Count(log.String(), "balances kept outside could not be read") > before {
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
	eachWithBank(t, func(t *testing.T, s *server, b *bank, _ string) {
		made := s.post("/api/loyalty/currencies", object{"name": "Miles", "symbol": "M", "decimals": 0, "apiGetUrl": b.URL + "/get"}).
			ok()
		currency, user := made["id"].(string), made["createdById"].(string) // the key's own user
		s.post("/api/loyalty/transactions", object{"description": "x", "loyaltyCurrencyId": currency, "entries": []any{object{"userId": user, "amount": 5}}}).
			ok()
		tell := func(query string) string {
			found := []string{}
			for _, a := range s.get("/api/loyalty/accounts?loyaltyCurrencyId=" + currency + query).data() {
				found = append(found, fmt.Sprint(a["amount"], " ", a["amountFrom"]))
			}
			return strings.Join(found, ", ")
		}
		if got := tell(""); got != "5 mirror" || b.reads != 0 {
			t.Errorf("alone: %s after %d reads", got, b.reads)
		}
		s.post("/api/loyalty/transactions", gift(currency, alice, 4, nil)).ok()
		b.set(func(b *bank) { b.balances[alice] = 7 * laurel.One })
		if got := tell(""); got != "5 mirror, 7 outside" {
			t.Errorf("beside a wallet: %s", got)
		}
		if got := tell("&userId="); got != "-9 <nil>" {
			t.Errorf("the main account: %s", got)
		}
	})
}
