package app_test

import (
	"context"
	"strings"
	"sync"
	"testing"
	"time"
)

// begun returns how many write transactions the server has begun.
func (s *server) begun() string { s.t.Helper(); return s.counted("laurel_store_transactions_total") }

// counted returns what a counter of the metrics has come to.
func (s *server) counted(name string) string {
	s.t.Helper()
	_, after, told := strings.Cut(s.get("/metrics").body, "\n"+name+" ")
	if !told {
		s.t.Fatalf("the metrics do not tell %s", name)
	}
	count, _, _ := strings.Cut(after, "\n")
	return count
}

// TestAnIdleServerBeginsNoWriteTransaction: where nothing is due the workers only read, so that the one writer of
// SQLite is free, and an idle PostgreSQL has nothing to log. The readers of the change feed renew their leases besides.
func TestAnIdleServerBeginsNoWriteTransaction(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		s.complete(s.free(nil), object{"walletAddress": alice}).ok()
		s.complete(s.dynamic(nil), object{"walletAddress": alice}).ok()
		s.rule(
			"manual_upload",
			object{
				"frequency": "daily",
				"startTime": noon.Add(48 * time.Hour).Format(time.RFC3339),
				onList:      s.upload("l.csv", alice+"\n"),
			},
		)
		s.refer(s.code(s.rule("referred_user", object{"metadata": object{"referralRequirements": object{"points": object{"amount": 1}}}}), "a"), s.userOf("b")).
			ok()
		ctx, stop := context.WithCancel(context.Background())
		var workers sync.WaitGroup
		for _, run := range []func(context.Context){s.app.Ledger.Run, s.app.Expiry.Run, s.app.Clearing.Run, s.app.Engagement.Run, s.app.Rules.Run, s.app.Lists.Run,
			s.app.Carrier.Run, s.app.Completions.Run, s.app.Referrals.Run, s.app.Cadence.Run, s.app.Lifetimes.Run, s.app.Payouts.Run} {
			workers.Go(func() { run(ctx) })
		}
		defer func() { stop(); workers.Wait() }()
		time.Sleep(5 * time.Second) // what is left to do
		before := s.begun()
		time.Sleep(3 * time.Second)
		if after := s.begun(); after != before {
			t.Errorf("%s write transactions were begun before, %s after three idle seconds", before, after)
		}
		s.complete(s.free(nil), object{"walletAddress": alice}).ok()
		if s.begun() == before {
			t.Error("a completion is not counted")
		}
	})
}
