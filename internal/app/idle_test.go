package app_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"laurel.example/laurel/internal/dev/apptest"
)

// begun returns how many write transactions the server has begun.
func begun(s *apptest.Server) string {
	s.T.Helper()
	return s.Metric("laurel_store_transactions_total")
}

// TestAnIdleServerBeginsNoWriteTransaction: where nothing is due the workers only read, so that the one writer of
// SQLite is free, and an idle PostgreSQL has nothing to log. The readers of the change feed renew their leases besides.
func TestAnIdleServerBeginsNoWriteTransaction(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		s.Complete(s.Free(nil), object{"walletAddress": apptest.Alice}).OK()
		s.Complete(s.CreateDynamicRule(nil), object{"walletAddress": apptest.Alice}).OK()
		s.Rule(
			"manual_upload",
			object{
				"frequency":    "daily",
				"startTime":    apptest.Noon.Add(48 * time.Hour).Format(time.RFC3339),
				apptest.OnList: s.Upload("l.csv", apptest.Alice+"\n"),
			},
		)
		s.Refer(s.ReferralCode(s.Rule("referred_user", object{"metadata": object{"referralRequirements": object{"points": object{"amount": 1}}}}), "a"), s.UserOf("b")).
			OK()
		ctx, stop := context.WithCancel(context.Background())
		var workers sync.WaitGroup
		a := s.App
		for _, run := range []func(context.Context){
			a.Ledger.Run, a.Expiry.Run, a.Reset.Run, a.Engagement.Run, a.Badges.Run, a.Rules.Run, a.Lists.Run, a.Claims.Run, a.MemberImports.Run,
			a.PostResolver.Run, a.Completions.Run, a.Referrals.Run, a.Schedule.Run, a.Payouts.Run, a.DynamicRewards.Run, a.Replays.Run,
			a.Awards.Run, a.Functions.Run, a.Holds.Run, a.Minting.Run, a.Auctions.Run,
		} {
			workers.Go(func() { run(ctx) })
		}
		defer func() { stop(); workers.Wait() }()
		before := ""
		for range 10 { // what is left to do takes a while
			after := begun(s)
			if before == after {
				break
			}
			before = after
			time.Sleep(3 * time.Second)
		}
		if after := begun(s); after != before {
			t.Errorf("%s write transactions were begun before, %s after three idle seconds", before, after)
		}
		s.Complete(s.Free(nil), object{"walletAddress": apptest.Alice}).OK()
		if begun(s) == before {
			t.Error("a completion is not counted")
		}
	})
}
