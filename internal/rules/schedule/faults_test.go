package schedule_test

import (
	"context"
	"log/slog"
	"strings"
	"testing"
	"time"

	"laurel"
	"laurel/internal/app"
	"laurel/internal/dev/apptest"
	"laurel/internal/dev/storetest"
	"laurel/internal/store"
)

func TestARunWhoseEndPanicsIsEndedLater(t *testing.T) {
	t.Parallel()
	storetest.EachURL(t, func(t *testing.T, address string) {
		log := &storetest.Log{}
		s := apptest.OpenAtNoon(t, address, app.Config{NoRateLimits: true, Logger: slog.New(slog.NewTextHandler(log, nil))})
		rule := s.Rule(
			"referred_user",
			object{
				"amount":            100,
				"loyaltyCurrencyId": s.LoyaltyCurrencyID,
				"frequency":         "daily",
				"startTime":         apptest.Noon.Format(time.RFC3339),
			},
		)
		broken, panicked, followed, ran := true, 0, 0, s.App.Schedule.OnComplete
		s.App.Schedule.OnComplete = func(ctx context.Context, tx *store.Tx, scope laurel.Scope, rule laurel.ID) error {
			if broken {
				panicked++
				panic("of whoever follows a run")
			}
			followed++
			return ran(ctx, tx, scope, rule)
		}
		s.Clock.Advance(apptest.Settling)
		s.Run()
		if runs := s.Runs(rule); panicked == 0 || len(runs) != 1 || runs[0]["status"] != "processing" ||
			runs[0]["finishedAt"] != nil {
			t.Fatalf("after %d panics while it ended: %v", panicked, runs)
		}
		if !strings.Contains(log.String(), `level=ERROR msg="a run met a fault"`) {
			t.Errorf("the log tells of it as %s", log.String())
		}
		broken = false
		s.Clock.Advance(time.Minute)
		s.Run()
		if runs := s.Runs(rule); apptest.Counts(runs[0]) != "complete 0/0/0/0 " || followed != 1 {
			t.Errorf("%v, told %d times", runs, followed)
		}
	})
}
