package app_test

import (
	"context"
	"encoding/json"
	"net/http"
	"slices"
	"sync"
	"testing"
	"time"

	"laurel/internal/feed"
	"laurel/internal/store"
)

// told returns what the feed tells of multipliers, as "action id", up to the changes that are there now.
func (s *server) told() []string {
	s.t.Helper()
	ctx, stop := context.WithCancel(context.Background())
	var mu sync.Mutex
	var seen []string
	mark := s.multiply("the-mark", 2, nil)
	over := make(chan struct{})
	var reading sync.WaitGroup
	reading.Go(func() {
		_ = s.app.Feed.Run(
			ctx,
			feed.Consumer{Name: "told " + mark, Handle: func(_ context.Context, _ *store.Tx, changes []feed.Change) error {
				mu.Lock()
				defer mu.Unlock()
				for _, c := range changes {
					if c.EntityID.String() == mark {
						close(over)
						return nil
					}
					if c.Table == feed.Multiplier {
						seen = append(seen, string(c.Action)+" "+c.EntityID.String())
					}
				}
				return nil
			}},
		)
	})
	select {
	case <-over:
	case <-time.After(20 * time.Second):
		s.t.Error("the feed was not read to its end in twenty seconds")
	}
	stop()
	reading.Wait()
	s.remove(multipliersPath + "/" + mark)
	return seen
}

func TestWhatARuleGaveEndsWithIt(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		gold, silver, points := s.gift(2, nil), s.gift(3, nil), s.free(nil)
		s.complete(gold, object{"walletAddress": alice}).ok()
		s.complete(gold, object{"walletAddress": bob}).ok()
		s.complete(silver, object{"walletAddress": alice}).ok()
		given := s.multiply(alice, 5, nil)
		if s.earned(points, alice, nil) != "80" || s.earned(points, bob, nil) != "20" {
			t.Error("what is held raises nothing")
		}
		live := s.get(multipliersPath).data()
		s.remove("/api/loyalty/rules/" + gold)
		if s.earned(points, alice, nil) != "70" || s.earned(points, bob, nil) != "10" {
			t.Error("what the deleted rule gave raises points still")
		}
		if list := s.held(alice); !slices.Equal(list, []string{"5", "3"}) {
			t.Errorf("alice holds %v", list)
		}
		var want []string
		for _, m := range s.get(multipliersPath + "?includeDeleted=true").data() {
			if gone := m["loyaltyRuleId"] == gold; gone != (m["deletedAt"] != nil) {
				t.Errorf("%v", m)
			}
		}
		slices.Reverse(live)
		for _, m := range live {
			want = append(want, "created "+m["id"].(string))
		}
		for _, m := range live {
			if m["loyaltyRuleId"] == gold {
				want = append(want, "deleted "+m["id"].(string))
			}
		}
		s.post(multipliersPath+"/"+given, object{"title": "T"}).ok()
		s.remove(multipliersPath + "/" + given)
		want = append(want, "updated "+given, "deleted "+given)
		got := s.told()
		slices.Sort(got[4:6]) // one transaction ends them in the order of members
		slices.Sort(want[4:6])
		if !slices.Equal(got, want) {
			t.Errorf("the feed tells %v, want %v", got, want)
		}
	})
}

func TestARuleThatComesBackFindsItsMultipliersEnded(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		once, again := s.gift(2, object{"interval": "once"}), s.gift(3, nil)
		for _, rule := range []string{once, again} {
			s.complete(rule, object{"walletAddress": alice}).ok()
			s.post("/api/loyalty/rules/"+rule, object{"deletedAt": "2026-01-14T12:00:00Z"}).ok()
			s.restore(s.edits(rule)[0], nil).ok()
		}
		if list := s.held(alice); len(list) != 0 {
			t.Errorf("alice holds %v", list)
		}
		// its windows are as they were
		s.complete(once, object{"walletAddress": alice}).refused(400, "You have already been rewarded")
		s.complete(again, object{"walletAddress": alice}).ok()
		if list := s.held(alice); !slices.Equal(list, []string{"3"}) {
			t.Errorf("alice holds %v", list)
		}
	})
}

func TestManyMultipliersEndInSteps(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		rule, other := s.gift(2, nil), s.gift(3, nil)
		const many = 300
		fewAtOnce(many, func(i int) { s.complete(rule, object{"walletAddress": wallet(i)}).ok() })
		s.complete(other, object{"walletAddress": wallet(1)}).ok()
		s.remove("/api/loyalty/rules/" + rule)
		if n := s.count(multipliersPath + "?limit=1000"); n != many+1-256 {
			t.Errorf("%d are live after the answer", n)
		}
		s.post("/api/loyalty/rules/"+rule, object{"deletedAt": nil}).refused(400, "Loyalty rule is still being cleared")
		s.restore(s.edits(rule)[0], nil).refused(400, "Loyalty rule is still being cleared")
		ends := atOnce(3, func(int) answer { // as three nodes do
			if err := s.app.Engagement.RunDue(context.Background()); err != nil {
				t.Error(err)
			}
			return answer{t: t, status: http.StatusOK}
		})
		if list := s.get(multipliersPath + "?limit=1000").
			data(); len(ends) != 3 || len(list) != 1 ||
			list[0]["multiplier"] != json.Number("3") {
			t.Errorf("live: %v", list)
		}
		deleted := map[string]int{}
		for _, line := range s.told() {
			deleted[line[:7]]++
			deleted[line]++
			if deleted[line] > 1 {
				t.Errorf("told twice: %s", line)
			}
		}
		if deleted["deleted"] != many {
			t.Errorf("%d endings were told, want %d", deleted["deleted"], many)
		}
		s.post("/api/loyalty/rules/"+rule, object{"deletedAt": nil}).ok()
		s.complete(rule, object{"walletAddress": wallet(1)}).ok()
		if err := s.app.Engagement.RunDue(context.Background()); err != nil {
			t.Fatal(err)
		}
		if list := s.held(wallet(1)); !slices.Equal(list, []string{"2", "3"}) {
			t.Errorf("after it came back: %v", list)
		}
	})
}
