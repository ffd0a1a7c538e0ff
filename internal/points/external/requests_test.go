package external_test

import (
	"net/http"
	"strings"
	"testing"

	"laurel.example/laurel/internal/dev/apptest"
)

func TestAKeyOfAnOpenPostIsNoOtherRequests(t *testing.T) {
	t.Parallel()
	apptest.EachWithBank(t, func(t *testing.T, s *apptest.Server, b *apptest.Bank, currency string) {
		rule := s.Rule("external_rule", object{"loyaltyCurrencyId": currency, "interval": "unlimited"})
		send := func(path string, body object) apptest.Response {
			return s.Call(s.WebsiteAPIKey, "POST", path, body, "Idempotency-Key", "k")
		}
		set(b, func(b *apptest.Bank) { b.After = func(int) int { return -1 } }) // it writes, and does not tell
		const transactions = "/api/loyalty/transactions"
		send(transactions, apptest.CreditBody(currency, apptest.Alice, 1, nil)).Refused(503, "Service unavailable")
		asked := writesAsked(b)
		const other = "Idempotency-Key was already used with a different request"
		send(transactions, apptest.CreditBody(currency, apptest.Alice, 2, nil)).Refused(400, other)
		send("/api/loyalty/rules/"+rule+"/complete", object{"walletAddress": apptest.Alice}).Refused(400, other)
		if writesAsked(b) != asked || len(s.ExternalPosts(currency)) != 1 {
			t.Errorf("%d calls more, %d posts", writesAsked(b)-asked, len(s.ExternalPosts(currency)))
		}
		set(b, func(b *apptest.Bank) { b.After = nil })
		send(transactions, apptest.CreditBody(currency, apptest.Alice, 1, nil)).OK()
		send(transactions, apptest.CreditBody(currency, apptest.Alice, 2, nil)).Refused(400, other)
		b.CheckBalance(t, apptest.Alice, "1")
		s.Sound()
	})
}

func TestCredentialsThatCannotBeSentAreRefused(t *testing.T) {
	t.Parallel()
	apptest.EachWithBank(t, func(t *testing.T, s *apptest.Server, b *apptest.Bank, currency string) {
		const name, value = "apiAuthKey must be the name of a header that is not one of the protocol's", "apiAuthValue must be at most 4096 printable characters of ASCII"
		for _, c := range []struct {
			set  object
			want string
		}{
			{object{"apiAuthType": "apiKey", "apiAuthKey": "x api"}, name},
			{object{"apiAuthType": "apiKey", "apiAuthKey": "Content-Length"}, name},
			{object{"apiAuthType": "apiKey", "apiAuthValue": "a\nb"}, value},
			{object{"apiAuthType": "bearer", "apiAuthValue": "a\r\nx-other: b"}, value},
			{object{"apiAuthValue": "sécret"}, value}, // it is bearer already
			{object{"apiAuthType": "token"}, "apiAuthType must be one of: none, basic, bearer, apiKey"},
			{object{"apiAuthValue": strings.Repeat("a", 4097)}, "apiAuthValue must be at most 4096 characters"},
		} {
			s.Post("/api/loyalty/currencies/"+currency, c.set).Refused(http.StatusBadRequest, c.want)
		}
		s.Post("/api/loyalty/transactions", apptest.CreditBody(currency, apptest.Alice, 1, nil)).OK()
		if got := b.LastHeader.Get("Authorization"); got != "Bearer s3cret" {
			t.Errorf("sent %q", got)
		}
		// they are encoded
		s.Post("/api/loyalty/currencies/"+currency, object{"apiAuthType": "basic", "apiAuthKey": "x api", "apiAuthValue": "a\nb"}).
			OK()
		s.Post("/api/loyalty/currencies/"+currency, object{"apiAuthType": "apiKey"}).Refused(400, name)
	})
}
