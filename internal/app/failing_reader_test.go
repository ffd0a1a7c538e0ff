package app_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"laurel.example/laurel/internal/app"
	"laurel.example/laurel/internal/dev/apptest"
	"laurel.example/laurel/internal/dev/storetest"
	"laurel.example/laurel/internal/feed"
	"laurel.example/laurel/internal/store"
	"laurel.example/laurel/internal/tenancy"
	"laurel.example/laurel/internal/webhooks"
)

// logged is a log that a test reads.
type logged struct {
	mu   sync.Mutex
	text bytes.Buffer
}

// Write adds a line.
func (l *logged) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

// of counts the lines with a text, and how many of them have a stack.
func (l *logged) of(text string) (all, stacks int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for line := range strings.Lines(l.text.String()) {
		if strings.Contains(line, text) {
			all++
			stacks += strings.Count(line, "[running]")
		}
	}
	return all, stacks
}

func TestAReaderOfTheFeedThatFailsForAMinuteIsSeen(t *testing.T) {
	t.Parallel()
	storetest.EachURL(t, func(t *testing.T, address string) {
		log := &logged{}
		s := apptest.OpenAtNoon(t, address, app.Config{NoRateLimits: true, Logger: slog.New(slog.NewTextHandler(log, nil))})
		var mended atomic.Bool
		var tries atomic.Int64
		c := feed.Consumer{Name: webhooks.ConsumerName, Handle: func(context.Context, *store.Tx, []feed.Change) error {
			switch n := tries.Add(1); {
			case mended.Load():
				return nil
			case n == 1:
				return errors.New("a first failure of another kind")
			default:
				panic("no such service")
			}
		}}
		s.Rule("external_rule", nil)
		defer apptest.RunWorkers(func(ctx context.Context) { _ = s.App.Feed.Run(ctx, c) })()
		s.WaitUntil(func() bool { return tries.Load() >= 4 })
		owner := s.SignInAdmin(tenancy.RoleSuperAdmin)
		const failed, page = "a consumer of the change feed failed", "Subscriptions aren’t receiving new events"
		ready := func() string { return s.Call("", "GET", "/readyz", nil).Body }
		if body := ready(); !strings.Contains(body, `"feed":{"status":"ok","failing":[]}`) {
			t.Errorf("within the first minute: %s", body)
		}
		if all, stacks := log.of(failed); all != 2 || stacks != 1 {
			t.Errorf("at first: %d lines, %d stacks", all, stacks)
		}
		owner.Get(owner.Site("")).Shows(200).Hides(page)
		for minute := 1; minute <= 2; minute++ {
			s.Clock.Advance(time.Minute)
			n := tries.Load()
			s.WaitUntil(func() bool { return tries.Load() > n })
			s.WaitUntil(func() bool { all, _ := log.of(failed); return all >= 2+minute })
			if all, stacks := log.of(failed); all != 2+minute || stacks != 1 {
				t.Errorf("after %d minutes: %d lines, %d stacks", minute, all, stacks)
			}
		}
		s.WaitUntil(func() bool {
			return strings.Contains(ready(), `"status":"failing","failing":[{"reader":"webhooks","seconds":12`)
		})
		if got := s.Call("", "GET", "/readyz", nil); got.Status != 200 || !strings.HasPrefix(got.Body, `{"status":"degraded"`) {
			t.Errorf("%d %s", got.Status, got.Body)
		}
		owner.Get(owner.Site("")).Shows(200, page, "2 min")
		metric := `laurel_feed_failing_seconds{consumer="webhooks"} `
		if got := s.Call("", "GET", "/metrics", nil).Body; !strings.Contains(got, metric+"12") {
			t.Error("the metrics do not tell of it")
		}
		mended.Store(true)
		s.WaitUntil(func() bool { return strings.Contains(s.Call("", "GET", "/metrics", nil).Body, metric+"0\n") })
		s.WaitUntil(func() bool { return strings.Contains(ready(), `"feed":{"status":"ok","failing":[]}`) })
		owner.Get(owner.Site("")).Shows(200).Hides(page)
	})
}
