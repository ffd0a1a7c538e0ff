package feed_test

import (
	"context"
	"errors"
	"testing"

	"laurel.example/laurel/internal/dev/wait"
	"laurel.example/laurel/internal/feed"
	"laurel.example/laurel/internal/store"
)

// What a consumer has read before its transaction is written once: not where another reader was faster meanwhile, and
// again where the transaction did not commit.
func TestWhatIsGatheredIsWrittenOnce(t *testing.T) {
	t.Parallel()
	eachNode(t, func(t *testing.T, n *node) {
		n.exec(t, "CREATE TABLE effects (seq BIGINT NOT NULL)")
		n.record(t, 25)
		batches, failed := 0, errors.New("not committed")
		gather := func(_ context.Context, _ store.Queryer, changes []feed.Change) (feed.Write, error) {
			batches++
			batch := batches
			if batch == 1 { // another reader has handled the first three rows meanwhile
				n.exec(t, "UPDATE feed_consumers SET position = ? WHERE name = 'sums'", row(changes[2]))
			}
			return func(ctx context.Context, tx *store.Tx) error {
				for _, c := range changes {
					if _, err := tx.Exec(ctx, "INSERT INTO effects (seq) VALUES (?)", row(c)); err != nil {
						return err
					}
				}
				if batch == 2 {
					return failed
				}
				return nil
			}, nil
		}
		n.run(t, feed.Consumer{Name: "sums", Batch: 10, Prepare: gather, RestFactor: 1})
		wait.Until(t, "all is handled", func() bool {
			return n.count(t, "SELECT COUNT(*) FROM effects") >= 22 && n.lag(t, "sums") == 0
		})
		all, once := n.count(t, "SELECT COUNT(*) FROM effects"), n.count(t, "SELECT COUNT(DISTINCT seq) FROM effects")
		if all != 22 || once != 22 {
			t.Errorf("%d effects of %d rows, want those of the last 22", all, once)
		}
		both := feed.Consumer{Name: "both", Prepare: gather, Handle: (&received{}).consumer("x").Handle}
		if err := n.feed.Run(t.Context(), both); err == nil {
			t.Error("a consumer with both is not refused")
		}
	})
}
