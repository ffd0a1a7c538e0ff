package feed_test

import (
	"context"
	"slices"
	"sync"
	"testing"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/dev/wait"
	"laurel.example/laurel/internal/feed"
	"laurel.example/laurel/internal/store"
)

// What nobody is concerned with is passed: the cursor moves behind it, and a consumer that is concerned later begins
// with what comes then.
func TestAConsumerTakesOnlyWhatConcernsIt(t *testing.T) {
	t.Parallel()
	eachNode(t, func(t *testing.T, n *node) {
		wanted, other := ofOne(n.db, 150), ofOne(n.db, 200)
		global := feed.Change{OrganizationID: n.db.NewID(), EntityID: n.db.NewID(), Table: feed.TableUser, Action: feed.Created}
		for part := range slices.Chunk(slices.Concat(other[:100], wanted, []feed.Change{global}, other[100:]), 25) {
			n.insert(t, part...)
		}
		var mu sync.Mutex
		var got []laurel.ID
		asked := map[laurel.ID]bool{}
		n.run(t, feed.Consumer{Name: "c", Batch: 60,
			FilterWebsites: func(_ context.Context, _ store.Queryer, websites []laurel.ID) (map[laurel.ID]bool, error) {
				mu.Lock()
				defer mu.Unlock()
				for _, w := range websites {
					asked[w] = true
				}
				return map[laurel.ID]bool{wanted[0].WebsiteID: true}, nil
			},
			Handle: func(_ context.Context, _ *store.Tx, changes []feed.Change) error {
				mu.Lock()
				defer mu.Unlock()
				for _, c := range changes {
					got = append(got, c.EntityID)
				}
				return nil
			}})
		wait.Until(
			t,
			"all are handled",
			func() bool { mu.Lock(); defer mu.Unlock(); return len(got) >= len(wanted) && n.lag(t, "c") == 0 },
		)
		mu.Lock()
		defer mu.Unlock()
		if !slices.EqualFunc(got, wanted, func(id laurel.ID, c feed.Change) bool { return id == c.EntityID }) {
			t.Errorf("%d changes were handed over, want the %d of one website in their order", len(got), len(wanted))
		}
		if len(asked) != 2 || !asked[other[0].WebsiteID] {
			t.Errorf("asked about %d websites, want the two that have changes", len(asked))
		}
	})
}
