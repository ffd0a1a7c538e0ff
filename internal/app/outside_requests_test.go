package app_test

import (
	"net/http"
	"strings"
	"testing"
)

func TestAKeyOfAnOpenPostIsNoOtherRequests(t *testing.T) {
	t.Parallel()
	eachWithBank(t, func(t *testing.T, s *server, b *bank, currency string) {
		rule := s.rule("external_rule", object{"loyaltyCurrencyId": currency, "interval": "unlimited"})
		send := func(path string, body object) answer {
			return s.call(s.WebsiteAPIKey, "POST", path, body, "Idempotency-Key", "k")
		}
		b.set(func(b *bank) { b.after = func(int) int { return -1 } }) // it writes, and does not tell
		const transactions = "/api/loyalty/transactions"
		send(transactions, gift(currency, alice, 1, nil)).refused(503, "Service unavailable")
		asked := b.asked()
		const other = "Idempotency-Key was already used with a different request"
		send(transactions, gift(currency, alice, 2, nil)).refused(400, other)
		send("/api/loyalty/rules/"+rule+"/complete", object{"walletAddress": alice}).refused(400, other)
		if b.asked() != asked || len(s.posts(currency)) != 1 {
			t.Errorf("%d calls more, %d posts", b.asked()-asked, len(s.posts(currency)))
		}
		b.set(func(b *bank) { b.after = nil })
		send(transactions, gift(currency, alice, 1, nil)).ok()
		send(transactions, gift(currency, alice, 2, nil)).refused(400, other)
		b.has(t, alice, "1")
		s.sound()
	})
}

func TestCredentialsThatCannotBeSentAreRefused(t *testing.T) {
	t.Parallel()
	eachWithBank(t, func(t *testing.T, s *server, b *bank, currency string) {
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
			s.post("/api/loyalty/currencies/"+currency, c.set).refused(http.StatusBadRequest, c.want)
		}
		s.post("/api/loyalty/transactions", gift(currency, alice, 1, nil)).ok()
		if got := b.seen.Get("Authorization"); got != "Bearer s3cret" {
			t.Errorf("sent %q", got)
		}
		// they are encoded
		s.post("/api/loyalty/currencies/"+currency, object{"apiAuthType": "basic", "apiAuthKey": "x api", "apiAuthValue": "a\nb"}).
			ok()
		s.post("/api/loyalty/currencies/"+currency, object{"apiAuthType": "apiKey"}).refused(400, name)
	})
}
