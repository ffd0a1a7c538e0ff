package schedule_test

import (
	"context"
	"log/slog"
	"strings"
	"testing"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/app"
	"laurel.example/laurel/internal/dev/apptest"
	"laurel.example/laurel/internal/dev/storetest"
	"laurel.example/laurel/internal/rules/schedule"
	"laurel.example/laurel/internal/store"
)

// panickingFollower is a Follower that panics at the end of each run while it is broken.
type panickingFollower struct {
	schedule.Follower
	isBroken      bool
	panics, calls int
}

func (f *panickingFollower) RunCompleted(ctx context.Context, tx *store.Tx, scope laurel.Scope, rule laurel.ID) error {
	if f.isBroken {
		f.panics++
		panic("of the follower of a run")
	}
	f.calls++
	return f.Follower.RunCompleted(ctx, tx, scope, rule)
}

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
		follower := &panickingFollower{Follower: s.App.Schedule.Follower, isBroken: true}
		s.App.Schedule.Follower = follower
		s.Clock.Advance(apptest.Settling)
		s.RunSchedule()
		if runs := s.Runs(rule); follower.panics == 0 || len(runs) != 1 || runs[0]["status"] != "processing" ||
			runs[0]["finishedAt"] != nil {
			t.Fatalf("after %d panics while it ended: %v", follower.panics, runs)
		}
		if !strings.Contains(log.String(), `level=ERROR msg="a run met a fault"`) {
			t.Errorf("the log tells of it as %s", log.String())
		}
		follower.isBroken = false
		s.Clock.Advance(time.Minute)
		s.RunSchedule()
		if runs := s.Runs(rule); apptest.RunCounts(runs[0]) != "complete 0/0/0/0 " || follower.calls != 1 {
			t.Errorf("%v, followed %d times", runs, follower.calls)
		}
	})
}
