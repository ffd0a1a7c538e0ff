package app_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"laurel/internal/app"
	"laurel/internal/dev/storetest"
)

// eachOutsideDevelopment runs the test on a server that guards addresses as in production, with a driver and a partner
// of the operator's on this machine.
func eachOutsideDevelopment(t *testing.T, f func(t *testing.T, s *server, y *treasury, p *partner)) {
	t.Helper()
	storetest.EachURL(t, func(t *testing.T, address string) {
		y, p := newTreasury(t), newPartner(t)
		driver := configured(t, `{"url":"`+y.URL+`/pay?token=s3cret"}`)
		f(t, openAtNoon(t, address, app.Config{NoRateLimits: true, Payouts: driver, Partners: p.file(t)}), y, p)
	})
}

func TestOnlyTheOperatorsOwnAddressesMayBePrivate(t *testing.T) {
	t.Parallel()
	eachOutsideDevelopment(t, func(t *testing.T, s *server, y *treasury, p *partner) {
		s.complete(s.tokens("external_rule", nil), object{"walletAddress": alice}).ok()
		s.pay()
		y.has(t, alice, "10;")
		p.always(http.StatusOK, `{"fulfilled":true}`)
		s.complete(s.rule("create_partner_account", nil), object{"walletAddress": alice, "verifyOnly": true}).ok()
		if len(p.asked()) == 0 {
			t.Error("the partner was not asked")
		}
		n := y.called()
		body := object{"name": "Miles", "symbol": "M", "decimals": 0, "apiPostUrl": y.URL + "/pay"}
		s.post("/api/loyalty/currencies", body).refused(400, "apiPostUrl must use https")
		body["apiPostUrl"] = strings.Replace(y.URL, "http:", "https:", 1) + "/pay"
		s.post("/api/loyalty/currencies", body).refused(400, "apiPostUrl must not point to a private address")
		body["apiPostUrl"] = strings.Replace(body["apiPostUrl"].(string), "127.0.0.1", "localhost", 1)
		currency := s.post("/api/loyalty/currencies", body).ok()["id"].(string)
		s.post("/api/loyalty/transactions", gift(currency, alice, 1, nil)).refused(503, "Service unavailable")
		if post := s.posts(currency)[0]; post["status"] != "cancelled" || post["message"] != "not an allowed address" {
			t.Errorf("the post: %v", post)
		}
		if y.called() != n {
			t.Error("a tenant reached the driver")
		}
	})
}

func TestTenantsAreNotToldWhereTheDriverIs(t *testing.T) {
	t.Parallel()
	eachOutsideDevelopment(t, func(t *testing.T, s *server, y *treasury, _ *partner) {
		s.complete(s.tokens("external_rule", nil), object{"walletAddress": alice}).ok()
		after := func(want string) {
			t.Helper()
			s.pay()
			got := s.payouts("")[0]
			if text, _ := json.Marshal(got); got["message"] != want || strings.Contains(string(text), "127.0.0.1") ||
				strings.Contains(string(text), "s3cret") {
				t.Errorf("%s, want %q", text, want)
			}
			s.clock.advance(2 * time.Hour)
		}
		y.set(func(y *treasury) { y.before = always(http.StatusNotFound, "") })
		after("answered with status 404")
		y.set(func(y *treasury) { y.before = always(http.StatusOK, `{"status":"at 127.0.0.1"}`) })
		after("the answer is not valid")
		y.set(func(y *treasury) { y.before = always(-1, "") })
		after("the connection broke off")
		y.Close()
		after("no connection")
	})
}
