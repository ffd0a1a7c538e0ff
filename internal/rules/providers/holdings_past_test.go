package providers_test

import (
	"testing"
	"time"

	"laurel.example/laurel/internal/dev/anvil"
	"laurel.example/laurel/internal/dev/apptest"
)

// TestHoldersOfAnyTokenOfAContract counts the tokens of all ids of contracts with several, and leaves out who has sold.
func TestHoldersOfAnyTokenOfAContract(t *testing.T) {
	t.Parallel()
	eachWithMarkets(t, func(t *testing.T, s *apptest.Server, c chain) {
		items, batches := c.Deploy("tokens", "Items", ""), c.Deploy("markets", "Batches", "")
		members(s)
		delegate(s, cold, apptest.Carol)
		sell := func(seller, buyer, collection string) {
			c.Send(c.market, call("sell(address,address,address,uint256,address,uint256,address,uint256)",
				seller, buyer, collection, 1, zeroAddress, 1, artist, 0), "0x0")
		}
		start := s.Clock.Now()
		c.items(items, apptest.Alice, 2)
		c.items(items, apptest.Bob, 1)
		c.items(items, cold, 1)
		c.items(items, dave, 1)
		sell(apptest.Alice, vault, batches) // another collection
		sell(apptest.Bob, vault, items)
		sell(vault, apptest.Alice, items) // she has bought
		c.move(batches, zeroAddress, apptest.Alice, 1, 2, 7, 3)
		c.move(batches, zeroAddress, cold, 900, 4, 901, 0)
		c.move(batches, apptest.Alice, apptest.Bob, 7, 3, 8, 0) // all of one
		c.move(batches, apptest.Bob, apptest.Alice, 7, 1, 8, 0) // and one of them back
		each := object{"frequency": "daily", "metadata": object{"rewardPerAction": true}}
		never := s.Rule("token_hold", apptest.Over(each, object{"collections": on(items), "metadata": object{
			"rewardPerAction": true, "hasNeverSold": true}}))
		all := s.Rule("snapshot_hold", apptest.Over(each, object{"collections": on(batches)}))
		onCall := object{"rewardType": "multiplier", "amount": 2, "collections": on(batches), "metadata": object{"hasNeverSold": true}}
		calls := s.Rule("token_hold", onCall)
		without := s.Rule("token_hold", apptest.Over(onCall, object{"metadata": object{"hasNeverSold": true, "fillSource": "x"}}))
		coins := s.Rule("token_hold_erc20", apptest.Over(onCall, object{"collections": on(c.Deploy("tokens", "Pieces", ""))}))
		c.runUntil(s, start)
		c.at(start.Add(time.Hour), func() {
			sell(cold, vault, items)
			sell(dave, vault, items)
		})
		s.In(dave, "g")
		s.In(apptest.Alice, "g")
		c.proxy.Set(anvil.Fault{Status: 500})
		c.runUntil(s, start.Add(day))
		c.proxy.Set(anvil.Fault{})
		for range 3 {
			s.Clock.Advance(10 * time.Minute)
			s.RunSchedule()
		}
		for _, w := range []struct{ rule, want string }{
			{never, "map[alice:20 carol:10 dave:10]"}, // later Dave has sold, who is in Alice's group, and the cold wallet
			{all, "map[alice:30+30 bob:20+20 carol:40+40]"},
		} {
			if got := paid(s, w.rule); got != w.want {
				t.Errorf("paid %s, want %s", got, w.want)
			}
		}
		s.Complete(calls, wallet(apptest.Alice)).Refused(400, notAchieved) // she has sold one
		simulation := s.Simulate(calls, wallet(apptest.Bob))
		simulation.Predicts(s.Complete(calls, wallet(apptest.Bob)))
		for _, rule := range []string{without, coins} {
			s.Complete(rule, wallet(apptest.Bob)).Refused(400, "Rule is not setup")
		}
		s.Sound()
	})
}

// TestASellerLeavesTheOthersInOneCall: a run reads the balances of all its members at once, though one of them has sold.
func TestASellerLeavesTheOthersInOneCall(t *testing.T) {
	t.Parallel()
	eachWithMarkets(t, func(t *testing.T, s *apptest.Server, c chain) {
		const members = 60
		c.PlaceMulticall()
		items, start := c.Deploy("tokens", "Items", ""), s.Clock.Now()
		for i := range members {
			s.User(apptest.Wallet(1000+i), nil)
		}
		c.items(items, apptest.Wallet(1001), 2)
		c.items(items, apptest.Wallet(1002), 1)
		c.Send(c.market, call("sell(address,address,address,uint256,address,uint256,address,uint256)",
			apptest.Wallet(1002), vault, items, 1, zeroAddress, 1, artist, 0), "0x0")
		rule := s.Rule("token_hold", object{"collections": on(items), "frequency": "once", "metadata": object{
			"rewardPerAction": true, "hasNeverSold": true}})
		calls := c.proxy.Calls("eth_call")
		c.runUntil(s, start)
		for s.Runs(rule)[0]["status"] == "processing" {
			s.Clock.Advance(10 * time.Minute)
			s.RunSchedule()
		}
		if got := apptest.RunCounts(s.Runs(rule)[0]); got != "complete 60/1/59/0 " {
			t.Errorf("the run is %s", got)
		}
		if got := s.Balance(apptest.Wallet(1001)); got != "20" {
			t.Errorf("2 tokens earn %s", got)
		}
		if calls = c.proxy.Calls("eth_call") - calls; calls > 10 { // most say what the contract is
			t.Errorf("%d members cost %d calls", members, calls)
		}
	})
}
