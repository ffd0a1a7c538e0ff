package app_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"laurel.example/laurel/internal/app"
	"laurel.example/laurel/internal/dev/apptest"
	"laurel.example/laurel/internal/dev/storetest"
)

// eachOutsideDevelopment runs the test on a server that guards addresses as in production, with a driver and a partner
// of the operator's on this machine.
func eachOutsideDevelopment(
	t *testing.T,
	f func(t *testing.T, s *apptest.Server, y *apptest.Treasury, p *apptest.Partner),
) {
	t.Helper()
	storetest.EachURL(t, func(t *testing.T, address string) {
		y, p := apptest.NewTreasury(t), apptest.NewPartner(t)
		driver := apptest.WriteConfig(t, `{"url":"`+y.URL+`/pay?token=s3cret"}`)
		f(t, apptest.OpenAtNoon(t, address, app.Config{NoRateLimits: true, Payouts: driver, Partners: p.ConfigFile(t)}), y, p)
	})
}

func TestOnlyTheOperatorsOwnAddressesMayBePrivate(t *testing.T) {
	t.Parallel()
	eachOutsideDevelopment(t, func(t *testing.T, s *apptest.Server, y *apptest.Treasury, p *apptest.Partner) {
		s.Complete(s.CreateTokenRule("external_rule", nil), object{"walletAddress": apptest.Alice}).OK()
		s.RunPayouts()
		y.CheckPaid(t, apptest.Alice, "10;")
		p.RespondAlways(http.StatusOK, `{"fulfilled":true}`)
		s.Complete(s.Rule("create_partner_account", nil), object{"walletAddress": apptest.Alice, "verifyOnly": true}).OK()
		if len(p.TakeQuestions()) == 0 {
			t.Error("the partner was not asked")
		}
		n := y.CountCalls()
		body := object{"name": "Miles", "symbol": "M", "decimals": 0, "apiPostUrl": y.URL + "/pay"}
		s.Post("/api/loyalty/currencies", body).Refused(400, "apiPostUrl must use https")
		body["apiPostUrl"] = strings.Replace(y.URL, "http:", "https:", 1) + "/pay"
		s.Post("/api/loyalty/currencies", body).Refused(400, "apiPostUrl must not point to a private address")
		body["apiPostUrl"] = strings.Replace(body["apiPostUrl"].(string), "127.0.0.1", "localhost", 1)
		currency := s.Post("/api/loyalty/currencies", body).OK()["id"].(string)
		s.Post("/api/loyalty/transactions", apptest.CreditBody(currency, apptest.Alice, 1, nil)).Refused(503, "Service unavailable")
		if post := s.ExternalPosts(currency)[0]; post["status"] != "cancelled" || post["message"] != "not an allowed address" {
			t.Errorf("the post: %v", post)
		}
		if y.CountCalls() != n {
			t.Error("a tenant reached the driver")
		}
	})
}

func TestTenantsAreNotToldWhereTheDriverIs(t *testing.T) {
	t.Parallel()
	eachOutsideDevelopment(t, func(t *testing.T, s *apptest.Server, y *apptest.Treasury, _ *apptest.Partner) {
		s.Complete(s.CreateTokenRule("external_rule", nil), object{"walletAddress": apptest.Alice}).OK()
		after := func(want string) {
			t.Helper()
			s.RunPayouts()
			got := s.Payouts("")[0]
			if text, _ := json.Marshal(got); got["message"] != want || strings.Contains(string(text), "127.0.0.1") ||
				strings.Contains(string(text), "s3cret") {
				t.Errorf("%s, want %q", text, want)
			}
			s.Clock.Advance(2 * time.Hour)
		}
		y.Set(func(y *apptest.Treasury) { y.Before = apptest.Always(http.StatusNotFound, "") })
		after("answered with status 404")
		y.Set(func(y *apptest.Treasury) { y.Before = apptest.Always(http.StatusOK, `{"status":"at 127.0.0.1"}`) })
		after("the answer is not valid")
		y.Set(func(y *apptest.Treasury) { y.Before = apptest.Always(-1, "") })
		after("the connection broke off")
		y.Close()
		after("no connection")
	})
}
