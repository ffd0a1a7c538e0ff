package audit_test

import (
	"context"
	"encoding/json"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/dev/wait"
	"laurel.example/laurel/internal/feed"
	"laurel.example/laurel/internal/points/audit"
	"laurel.example/laurel/internal/points/seal"
)

const (
	entriesOfType = "SELECT COUNT(*) FROM loyalty_transaction_entries"
	newBlock      = "SELECT CAST(COALESCE(SUM(size), 0) AS BIGINT) FROM seal_blocks"
)

func TestNodesThatDieAndTakeOverSealEveryEntryOnce(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world) {
		nodes := []*node{w.node(), w.node()}
		posting := make(chan struct{})
		var workers, posters sync.WaitGroup
		for i, n := range nodes {
			workers.Go(func() {
				for {
					stop := n.run(t, key(byte(i+1)))
					time.Sleep(time.Duration(rand.IntN(400)) * time.Millisecond)
					n.ahead.Store(int64(rand.IntN(2)) * int64(time.Minute)) // now and then it takes the lease of the other at work
					stop()
					select {
					case <-posting:
						return
					default:
					}
				}
			})
		}
		for p := range 6 {
			posters.Go(func() {
				for i := range 25 {
					if _, err := w.try(p, 100+i%5, 200+p); err != nil {
						t.Error(err)
					}
				}
			})
		}
		posters.Wait()
		close(posting)
		workers.Wait()
		last := w.node()
		last.ahead.Store(int64(2 * time.Minute))
		stop := last.run(t, key(3))
		wait.Until(t, "all is sealed", func() bool { return last.state(t).Entries == 0 })
		stop()
		report := w.verify(audit.Trust{})
		if len(report.Discrepancies) > 0 || report.Seal.Unsealed != 0 || report.Seal.Sealed != 6*25*4 ||
			report.Seal.Sealed != w.count(entriesOfType) {
			t.Fatalf("%v %+v", report.Discrepancies, report.Seal)
		}
		// Each committed block is witnessed once by the sealer that made it, unless that one died in between.
		if logged := strings.Count(w.log.String(), "msg=sealed"); int64(logged) > report.Seal.Blocks || logged == 0 {
			t.Errorf("%d heads in the log of %d blocks", logged, report.Seal.Blocks)
		}
	})
}

// fill posts 1212 entries of which the feed does not tell, as an older version or a bulk load leaves them.
func (w *world) fill() {
	wallets := make([]int, 100)
	for i := range wallets {
		wallets[i] = i
	}
	for range 12 {
		w.post(wallets...)
	}
	w.exec("DELETE FROM changes")
}

func TestWhatWasThereBeforeSealingIsSealedOnceAndWhatIsPutInLaterNever(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world) {
		w.fill()
		if report := w.green(); report.Seal.Unsealed != 1212 || report.Seal.Blocks != 0 {
			t.Fatalf("before: %+v", report.Seal)
		}
		first := w.node()
		stop := first.run(t, key(1))
		wait.Until(t, "one block is made", func() bool { return w.count(newBlock) > 0 })
		stop()
		// Half-way: what is still to come is known, what is put behind it is not.
		if done := w.count(newBlock); done < 1212 {
			if report := w.green(); report.Seal.Unsealed != 1212-done || report.Seal.Sealed != done {
				t.Errorf("half-way: %+v", report.Seal)
			}
		}
		w.post(1)
		w.seal()
		if report := w.green(); report.Seal.Unsealed != 0 || report.Seal.Sealed != 1214 {
			t.Fatalf("after: %+v", report.Seal)
		}
		w.exec(w.copyEntry(w.id("SELECT MIN(CAST(id AS TEXT)) FROM loyalty_transaction_entries WHERE user_id IS NULL")))
		w.seal()
		report := w.verify(audit.Trust{})
		if len(report.Discrepancies) == 0 || report.Discrepancies[0].EntryID != mustID(forged) || w.count(newBlock) != 1214 {
			t.Errorf("%d sealed: %v", w.count(newBlock), report.Discrepancies)
		}
	})
}

func TestSealingTwiceWhatTheFeedRepeatsSealsNothingAgain(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world) {
		w.post(1, 2)
		w.seal()
		if err := feed.NewFeed(w.db, nil).ReplayFrom(ctx, "sealer", 1); err != nil {
			t.Fatal(err)
		}
		w.post(3)
		w.seal()
		if report := w.green(); report.Seal.Blocks != 2 || report.Seal.Sealed != 5 {
			t.Errorf("%+v", report.Seal)
		}
	})
}

func TestOrganizationsHaveChainsOfTheirOwn(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world) {
		w.post(1)
		former, points := w.scope, w.points
		w.scope, w.points = w.program("Other")
		w.post(1, 2)
		other := w.scope
		w.scope, w.points = former, points
		w.post(2)
		w.seal()
		report := w.green()
		sizes := map[laurel.ID]int64{}
		for _, head := range report.Seal.Heads {
			sizes[head.OrganizationID] = head.Number * head.Size
		}
		if len(sizes) != 2 || sizes[former.OrganizationID] != 4 || sizes[other.OrganizationID] != 3 {
			t.Errorf("%v", sizes)
		}
	})
}

func TestTheOrderInABlockIsTheFeedsAndTheLogTellsItsHead(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world) {
		first, second := w.post(5, 6), w.post(4)
		w.seal()
		order := w.members(1)
		if len(order) != 5 || order[0].ID != first.Entries[0].ID || order[1].ID != first.Entries[1].ID ||
			order[3].ID != second.Entries[0].ID {
			t.Errorf("%v", order)
		}
		head := w.green().Seal.Heads[0]
		for _, part := range []string{"level=INFO msg=sealed", "organization=" + head.OrganizationID.String(), "block=1", "entries=5", "root=" + head.Root.String(),
			"hash=" + head.Hash.String(), "signature=" + head.Signature.String()} {
			if !strings.Contains(w.log.String(), part) {
				t.Errorf("%q is not in\n%s", part, w.log)
			}
		}
	})
}

func TestASealerThatIsDeadShowsAndKeepsNobodyFromPosting(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world) {
		w.post(1)
		w.seal()
		n := w.node()
		if s := n.state(t); s.Entries != 0 || s.Lag != 0 || !s.Started || time.Since(s.LastBlock) > time.Hour {
			t.Errorf("sealed: %+v", s)
		}
		w.post(1, 2)
		n.ahead.Store(int64(time.Hour))
		if s := n.state(t); s.Entries != 3 || s.Lag < time.Hour-time.Minute {
			t.Errorf("behind: %+v", s)
		}
		// Upkeep keeps what the sealer has not passed, however old it is.
		if _, err := feed.NewFeed(w.db, nil).Prune(ctx, w.db.Now().Add(time.Hour)); err != nil {
			t.Fatal(err)
		}
		w.seal()
		if report := w.green(); report.Seal.Unsealed != 0 || report.Seal.Sealed != 5 {
			t.Errorf("%+v", report.Seal)
		}
	})
}

func TestASealerThatFailsTriesAgain(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world) {
		w.exec("ALTER TABLE seal_blocks RENAME TO lost")
		w.post(1)
		n := w.node()
		stop := n.run(t, key(1))
		wait.Until(t, "the log tells", func() bool { return strings.Contains(w.log.String(), "level=ERROR") })
		w.post(2)
		w.exec("ALTER TABLE lost RENAME TO seal_blocks")
		wait.Until(t, "all is sealed", func() bool { return w.count(newBlock) == 4 })
		stop()
		w.green()
	})
}

func TestEveryEntryIsProvenWhenItIsSealed(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world) {
		w.post(1, 2, 3)
		w.post(1)
		w.seal()
		var ids []laurel.ID
		if err := w.db.Select(ctx, &ids, "SELECT id FROM loyalty_transaction_entries"); err != nil {
			t.Fatal(err)
		}
		for _, id := range ids {
			proof, err := w.app.Audit.Proof(ctx, id)
			if err != nil {
				t.Fatal(err)
			}
			text, err := json.Marshal(proof)
			if err != nil {
				t.Fatal(err)
			}
			read, err := seal.ParseProof(text)
			if err != nil || read.Check(key(1).Public()) != nil || read.Check(key(2).Public()) == nil ||
				read.Row.Entry[0].Value != id.String() {
				t.Errorf("%v: %s", err, text)
			}
			larger := strings.Replace(string(text), `"amount":"`, `"amount":"9`, 1)
			if read, err = seal.ParseProof([]byte(larger)); err != nil || read.Check(key(1).Public()) == nil {
				t.Errorf("a larger amount passes: %v", err)
			}
		}
		late := w.post(9).Entries[0].ID
		_, err := w.app.Audit.Proof(ctx, late)
		if laurel.CodeOf(err) != laurel.Refused || !strings.Contains(err.Error(), "is not sealed yet") {
			t.Errorf("unsealed: %v", err)
		}
		if _, err = w.app.Audit.Proof(ctx, w.db.NewID()); laurel.CodeOf(err) != laurel.NotFound {
			t.Errorf("unknown: %v", err)
		}
		w.exec("UPDATE loyalty_transaction_entries SET amount = amount + 1 WHERE id = '" + ids[0].String() + "'")
		if _, err = w.app.Audit.Proof(ctx, ids[0]); err == nil || !strings.Contains(err.Error(), "run laurel verify") {
			t.Errorf("changed: %v", err)
		}
	})
}

func TestVerifyRunsBesideSealersAndPosters(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world) {
		w.node().run(t, key(1))
		working, done := context.WithTimeout(ctx, 3*time.Second)
		defer done()
		var posters sync.WaitGroup
		for p := range 3 {
			posters.Go(func() {
				for working.Err() == nil {
					if _, err := w.try(p, 50); err != nil {
						t.Error(err)
					}
				}
			})
		}
		for working.Err() == nil {
			w.green()
		}
		posters.Wait()
	})
}

func TestASealerTellsThatItsKeyIsNotTheFormerOne(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world) {
		w.post(1)
		w.seal()
		const says = "signed with another key"
		n := w.node()
		n.run(t, key(1))()
		if strings.Contains(w.log.String(), says) {
			t.Error(w.log.String())
		}
		stop := n.run(t, key(2))
		wait.Until(t, "the log tells", func() bool {
			return strings.Contains(w.log.String(), says) && strings.Contains(w.log.String(), "former="+key(1).Public().String())
		})
		stop()
	})
}
