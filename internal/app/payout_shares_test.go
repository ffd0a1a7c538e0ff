package app_test

import (
	"bytes"
	"context"
	"log/slog"
	"net/http"
	"strings"
	"testing"
	"time"

	"laurel/internal/app"
	"laurel/internal/dev/storetest"
	"laurel/internal/points/payouts"
)

func TestADriverThatIsDownIsLeftAloneWithAllThatWaits(t *testing.T) {
	t.Parallel()
	storetest.EachURL(t, func(t *testing.T, address string) {
		y, log := newTreasury(t), &bytes.Buffer{}
		logger := slog.New(slog.NewTextHandler(log, &slog.HandlerOptions{Level: slog.LevelWarn}))
		s := openAtNoon(t, address, app.Config{NoRateLimits: true, Dev: true, Payouts: y.file(t), Logger: logger})
		y.set(func(y *treasury) { y.before = always(http.StatusBadGateway, "") })
		rule := s.tokens("external_rule", object{"interval": "unlimited"})
		const owed = 40
		for range owed {
			s.complete(rule, object{"walletAddress": alice}).ok()
		}
		s.pay() // of the first share, calls open the breaker
		if n := strings.Count(log.String(), "left alone"); n != 1 {
			t.Errorf("told %d times that the driver is left alone: %s", n, log)
		}
		log.Reset()
		calls, untouched := y.called(), 0
		for range 5 { // the rest waits with it, untouched
			s.pay()
		}
		for _, p := range s.payouts("?limit=100") {
			if p["message"] == nil {
				untouched++
			}
		}
		if untouched < owed-8 || y.called() != calls || log.Len() > 0 {
			t.Errorf("%d of %d are untouched, %d calls more, logged: %s", untouched, owed, y.called()-calls, log)
		}
		for range 4 { // afterwards one of them finds out
			s.clock.advance(16 * time.Second)
			s.pay()
		}
		if log.Len() > 0 {
			t.Errorf("told once more: %s", log)
		}
	})
}

func TestAWebsiteWhosePayoutsHangDelaysNoOther(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		slow := *s
		slow.Program = s.program("Slow")
		owe := func(s *server, n int) {
			rule := s.tokens("external_rule", object{"interval": "unlimited"})
			for range n {
				s.complete(rule, object{"walletAddress": alice}).ok()
			}
		}
		owe(&slow, 40) // they come first
		owe(s, 20)
		release := make(chan struct{})
		s.app.Payouts.Driver = func(ctx context.Context, p payouts.Payout) (payouts.Answer, error) {
			if p.WebsiteID == slow.WebsiteID {
				select {
				case <-release:
				case <-ctx.Done():
				}
				return payouts.Answer{}, payouts.ErrResting
			}
			return payouts.Answer{Status: payouts.Done, TxHash: "0x1"}, nil
		}
		defer beside(s.app.Payouts.Run)()
		defer close(release)
		s.waits(func() bool { return len(s.payouts("?status=done&limit=100")) == 20 })
		if n := len(slow.payouts("?status=waiting&limit=100")); n != 40 {
			t.Errorf("%d wait", n)
		}
	})
}
