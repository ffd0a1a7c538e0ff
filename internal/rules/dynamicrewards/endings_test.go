package dynamicrewards_test

import (
	"context"
	"encoding/json"
	"net/http"
	"slices"
	"sync"
	"testing"
	"time"

	"laurel.example/laurel/internal/dev/apptest"
	"laurel.example/laurel/internal/feed"
	"laurel.example/laurel/internal/store"
)

// multiplierChanges returns what the feed tells of multipliers, as "action id", up to the changes that are there now.
func multiplierChanges(s *apptest.Server) []string {
	s.T.Helper()
	ctx, stop := context.WithCancel(context.Background())
	var mu sync.Mutex
	var listed []string
	mark := s.GrantMultiplier("the-mark", 2, nil)
	over := make(chan struct{})
	var reading sync.WaitGroup
	reading.Go(func() {
		_ = s.App.Feed.Run(
			ctx,
			feed.Consumer{Name: "observer " + mark, Handle: func(_ context.Context, _ *store.Tx, changes []feed.Change) error {
				mu.Lock()
				defer mu.Unlock()
				for _, c := range changes {
					if c.EntityID.String() == mark {
						close(over)
						return nil
					}
					if c.Table == feed.TableMultiplier {
						listed = append(listed, string(c.Action)+" "+c.EntityID.String())
					}
				}
				return nil
			}},
		)
	})
	select {
	case <-over:
	case <-time.After(20 * time.Second):
		s.T.Error("the feed was not read to its end in twenty seconds")
	}
	stop()
	reading.Wait()
	s.Remove(apptest.MultipliersPath + "/" + mark)
	return listed
}

func TestWhatARuleGaveEndsWithIt(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		gold, silver, points := s.CreateMultiplierRule(2, nil), s.CreateMultiplierRule(3, nil), s.Free(nil)
		s.Complete(gold, object{"walletAddress": apptest.Alice}).OK()
		s.Complete(gold, object{"walletAddress": apptest.Bob}).OK()
		s.Complete(silver, object{"walletAddress": apptest.Alice}).OK()
		given := s.GrantMultiplier(apptest.Alice, 5, nil)
		if s.CompletePaid(points, apptest.Alice, nil) != "80" || s.CompletePaid(points, apptest.Bob, nil) != "20" {
			t.Error("what is held raises nothing")
		}
		live := s.Get(apptest.MultipliersPath).Data()
		s.Remove("/api/loyalty/rules/" + gold)
		if s.CompletePaid(points, apptest.Alice, nil) != "70" || s.CompletePaid(points, apptest.Bob, nil) != "10" {
			t.Error("what the deleted rule gave raises points still")
		}
		if list := s.MultiplierValues(apptest.Alice); !slices.Equal(list, []string{"5", "3"}) {
			t.Errorf("alice holds %v", list)
		}
		var want []string
		for _, m := range s.Get(apptest.MultipliersPath + "?includeDeleted=true").Data() {
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
		s.Post(apptest.MultipliersPath+"/"+given, object{"title": "T"}).OK()
		s.Remove(apptest.MultipliersPath + "/" + given)
		want = append(want, "updated "+given, "deleted "+given)
		got := multiplierChanges(s)
		slices.Sort(got[4:6]) // one transaction ends them in the order of members
		slices.Sort(want[4:6])
		if !slices.Equal(got, want) {
			t.Errorf("the feed tells %v, want %v", got, want)
		}
	})
}

func TestARuleThatComesBackFindsItsMultipliersEnded(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		once, again := s.CreateMultiplierRule(2, object{"interval": "once"}), s.CreateMultiplierRule(3, nil)
		for _, rule := range []string{once, again} {
			s.Complete(rule, object{"walletAddress": apptest.Alice}).OK()
			s.Post("/api/loyalty/rules/"+rule, object{"deletedAt": "2026-01-14T12:00:00Z"}).OK()
			s.Restore(s.Edits(rule)[0], nil).OK()
		}
		if list := s.MultiplierValues(apptest.Alice); len(list) != 0 {
			t.Errorf("alice holds %v", list)
		}
		// its windows are as they were
		s.Complete(once, object{"walletAddress": apptest.Alice}).Refused(400, "You have already been rewarded")
		s.Complete(again, object{"walletAddress": apptest.Alice}).OK()
		if list := s.MultiplierValues(apptest.Alice); !slices.Equal(list, []string{"3"}) {
			t.Errorf("alice holds %v", list)
		}
	})
}

func TestManyMultipliersEndInSteps(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		rule, other := s.CreateMultiplierRule(2, nil), s.CreateMultiplierRule(3, nil)
		const many = 300
		fewAtOnce(many, func(i int) { s.Complete(rule, object{"walletAddress": apptest.Wallet(i)}).OK() })
		s.Complete(other, object{"walletAddress": apptest.Wallet(1)}).OK()
		s.Remove("/api/loyalty/rules/" + rule)
		if n := s.Count(apptest.MultipliersPath + "?limit=1000"); n != many+1-256 {
			t.Errorf("%d are live after the answer", n)
		}
		s.Post("/api/loyalty/rules/"+rule, object{"deletedAt": nil}).Refused(400, "Loyalty rule is still being cleared")
		s.Restore(s.Edits(rule)[0], nil).Refused(400, "Loyalty rule is still being cleared")
		ends := apptest.CallConcurrently(3, func(int) apptest.Response { // as three nodes do
			if err := s.App.Engagement.RunDue(context.Background()); err != nil {
				t.Error(err)
			}
			return apptest.Response{T: t, Status: http.StatusOK}
		})
		if list := s.Get(apptest.MultipliersPath + "?limit=1000").
			Data(); len(ends) != 3 || len(list) != 1 ||
			list[0]["multiplier"] != json.Number("3") {
			t.Errorf("live: %v", list)
		}
		deleted := map[string]int{}
		for _, line := range multiplierChanges(s) {
			deleted[line[:7]]++
			deleted[line]++
			if deleted[line] > 1 {
				t.Errorf("logged twice: %s", line)
			}
		}
		if deleted["deleted"] != many {
			t.Errorf("%d endings were recorded, want %d", deleted["deleted"], many)
		}
		s.Post("/api/loyalty/rules/"+rule, object{"deletedAt": nil}).OK()
		s.Complete(rule, object{"walletAddress": apptest.Wallet(1)}).OK()
		if err := s.App.Engagement.RunDue(context.Background()); err != nil {
			t.Fatal(err)
		}
		if list := s.MultiplierValues(apptest.Wallet(1)); !slices.Equal(list, []string{"2", "3"}) {
			t.Errorf("after it came back: %v", list)
		}
	})
}
