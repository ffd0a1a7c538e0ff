package payouts_test

import (
	"bytes"
	"context"
	"log/slog"
	"net/http"
	"strings"
	"testing"
	"time"

	"laurel.example/laurel/internal/app"
	"laurel.example/laurel/internal/dev/apptest"
	"laurel.example/laurel/internal/dev/storetest"
	"laurel.example/laurel/internal/points/payouts"
)

func TestADriverThatIsDownIsLeftAloneWithAllThatWaits(t *testing.T) {
	t.Parallel()
	storetest.EachURL(t, func(t *testing.T, address string) {
		y, log := apptest.NewTreasury(t), &bytes.Buffer{}
		logger := slog.New(slog.NewTextHandler(log, &slog.HandlerOptions{Level: slog.LevelWarn}))
		s := apptest.OpenAtNoon(
			t,
			address,
			app.Config{NoRateLimits: true, Dev: true, Payouts: driverFile(t, y), Logger: logger},
		)
		y.Set(func(y *apptest.Treasury) { y.Before = apptest.Always(http.StatusBadGateway, "") })
		rule := s.CreateTokenRule("external_rule", object{"interval": "unlimited"})
		const owed = 40
		for range owed {
			s.Complete(rule, object{"walletAddress": apptest.Alice}).OK()
		}
		s.RunPayouts() // of the first share, calls open the breaker
		if n := strings.Count(log.String(), "is paused until an attempt"); n != 1 {
			t.Errorf("logged %d times that the queue is paused: %s", n, log)
		}
		log.Reset()
		calls, untouched := y.CountCalls(), 0
		for range 5 { // the rest waits with it, untouched
			s.RunPayouts()
		}
		for _, p := range s.Payouts("?limit=100") {
			if p["message"] == nil {
				untouched++
			}
		}
		if untouched < owed-8 || y.CountCalls() != calls || log.Len() > 0 {
			t.Errorf("%d of %d are untouched, %d calls more, logged: %s", untouched, owed, y.CountCalls()-calls, log)
		}
		for range 4 { // afterwards one of them finds out
			s.Clock.Advance(16 * time.Second)
			s.RunPayouts()
		}
		if log.Len() > 0 {
			t.Errorf("logged once more: %s", log)
		}
	})
}

func TestAWebsiteWhosePayoutsHangDelaysNoOther(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		slow := *s
		slow.Program = s.NewProgram("Slow")
		owe := func(s *apptest.Server, n int) {
			rule := s.CreateTokenRule("external_rule", object{"interval": "unlimited"})
			for range n {
				s.Complete(rule, object{"walletAddress": apptest.Alice}).OK()
			}
		}
		owe(&slow, 40) // they come first
		owe(s, 20)
		release := make(chan struct{})
		s.App.Payouts.Driver = func(ctx context.Context, p payouts.Payout) (payouts.DriverResult, error) {
			if p.WebsiteID == slow.WebsiteID {
				select {
				case <-release:
				case <-ctx.Done():
				}
				return payouts.DriverResult{}, payouts.ErrPaused
			}
			return payouts.DriverResult{Status: payouts.Done, TxHash: "0x1"}, nil
		}
		defer apptest.RunWorkers(s.App.Payouts.Run)()
		defer close(release)
		s.WaitUntil(func() bool { return len(s.Payouts("?status=done&limit=100")) == 20 })
		if n := len(slow.Payouts("?status=waiting&limit=100")); n != 40 {
			t.Errorf("%d wait", n)
		}
	})
}
