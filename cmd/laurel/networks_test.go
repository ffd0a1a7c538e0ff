package main_test

import (
	"testing"

	"laurel.example/laurel/internal/dev/storetest"
)

func TestAStoppedReaderOfANetworkIsResumed(t *testing.T) {
	t.Parallel()
	storetest.EachURL(t, func(t *testing.T, database string) {
		run(t, "migrate", "up", "--database", database).ok()
		db := open(t, database)
		execute(t, db, `INSERT INTO network_cursors (chain_id, name, block_number, block_hash, stopped_reason, resumed,
			lease_until, updated_at) VALUES (8453, 'base', 7, '0x07', 'the chain has another block 5', FALSE, 0, 0),
			(10, 'optimism', 7, '0x07', '', FALSE, 0, 0)`)
		if got := run(t, "networks", "resume", "base", "--database", database).ok(); got != "The reader of base goes on.\n" {
			t.Errorf("%q", got)
		}
		if n := one(t, db, "SELECT CAST(COUNT(*) AS TEXT) FROM network_cursors WHERE resumed AND name = 'base'"); n != "1" {
			t.Errorf("%s were resumed", n)
		}
		for _, name := range []string{"optimism", "nonet"} {
			run(t, "networks", "resume", name, "--database", database).fails("The reader of network " + name + " has not stopped")
		}
	})
}
