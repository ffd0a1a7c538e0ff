package store_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"

	"laurel.example/laurel/internal/dev/storetest"
	"laurel.example/laurel/internal/store"
)

const baton = "baton"

// relay takes a baton over from its holder, whom only the row of the baton names.
type relay struct{ runner string }

func (r relay) Locks() []store.Lock {
	return []store.Lock{counters.Lock(baton), counters.Lock(r.runner)}
}

func (r relay) LateLocks(b *store.Batch) []store.Lock {
	if before := counters.Row(b, baton).Value; before != "" {
		return []store.Lock{counters.Lock(before)}
	}
	return nil
}

func (r relay) Judge(b *store.Batch) error {
	held := counters.Changed(b, baton)
	if held.Value != "" {
		counters.Changed(b, held.Value).Value += "gave "
	}
	counters.Changed(b, r.runner).Value += "took "
	held.Value = r.runner
	return nil
}

func TestAFollowerHoldsTheRowsThatOthersName(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		nodes := []*store.Committer{store.NewCommitter(db), store.NewCommitter(db)}
		const runners, each = 7, 20
		var running sync.WaitGroup
		for i := range runners * each {
			running.Go(func() {
				err := nodes[i%2].Submit(context.Background(), nil, func() (store.Work, error) {
					return relay{fmt.Sprint("runner ", i%runners)}, nil
				})
				if err != nil {
					t.Error(err)
				}
			})
		}
		running.Wait()
		for _, node := range nodes {
			node.Close()
		}
		var values []string
		if err := db.Select(context.Background(), &values, "SELECT value FROM settings WHERE name LIKE 'runner %'"); err != nil {
			t.Fatal(err)
		}
		all := strings.Join(values, "")
		if took, handed := strings.Count(all, "took"), strings.Count(all, "gave"); took != runners*each || handed != took-1 {
			t.Errorf("taken %d times of %d, given %d times", took, runners*each, handed)
		}
		if err := db.InTx(context.Background(), func(tx *store.Tx) error {
			return store.Run(context.Background(), tx, relay{"the last"})
		}); err != nil || value(t, db, "the last") == 0 {
			t.Errorf("in a transaction of its caller: %v", err)
		}
	})
}
