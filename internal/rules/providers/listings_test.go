package providers_test

import (
	"fmt"
	"testing"
	"time"

	"laurel.example/laurel/internal/dev/apptest"
)

// eachWithListings runs the test on each engine, with a network of which the offers of two markets are read.
func eachWithListings(t *testing.T, f func(t *testing.T, s *apptest.Server, c chain, bazaar, stalls string)) {
	t.Helper()
	eachWithNetworks(t, func(c *chain) string {
		bazaar, stalls := c.Deploy("markets", "Bazaar", ""), c.Deploy("markets", "Stalls", "")
		c.others = []string{bazaar, stalls}
		return fmt.Sprintf(`"listings": [{"fillSource": "Bazaar", "contractAddress": %q, "listed": {
			"eventAbi": "event Listed(uint256 indexed listing, address indexed seller, address nft, uint256 id, uint256 endsAt)",
			"mapping": {"listing": "listing", "seller": "seller", "collection": "nft", "tokenId": "id", "endsAt": "endsAt"}},
			"ended": [{"eventAbi": "event Cancelled(uint256 indexed listing)", "mapping": {"listing": "listing"}},
			{"eventAbi": "event Bought(uint256 indexed listing, address buyer)", "mapping": {"listing": "listing"}}]},
			{"fillSource": "stalls", "contractAddress": %q, "listed": {
			"eventAbi": "event Offered(address seller, address nft, uint256 id, uint256 count)",
			"mapping": {"seller": "seller", "collection": "nft", "tokenId": "id", "quantity": "count"}},
			"ended": [{"eventAbi": "event Taken(address seller, address nft, uint256 id, uint256 count)",
			"mapping": {"seller": "seller", "collection": "nft", "tokenId": "id", "quantity": "count"}},
			{"eventAbi": "event Closed(address nft, uint256 id)", "mapping": {"collection": "nft", "tokenId": "id"}}]}]`,
			bazaar, stalls)
	}, func(t *testing.T, s *apptest.Server, c chain) { f(t, s, c, c.others[0], c.others[1]) })
}

func TestRunsPayForOpenListings(t *testing.T) {
	t.Parallel()
	eachWithListings(t, func(t *testing.T, s *apptest.Server, c chain, bazaar, stalls string) {
		items, others, batches := c.Deploy("tokens", "Items", ""), c.Deploy("tokens", "Items", ""), c.Deploy("markets", "Batches", "")
		members(s)
		delegate(s, cold, apptest.Carol)
		start := s.Clock.Now()
		list := func(number int, seller, nft string, id int, ends int64) {
			c.Send(bazaar, call("list(uint256,address,address,uint256,uint256)", number, seller, nft, id, ends), "0x0")
		}
		offer := func(function, seller, nft string, id, count int) {
			c.Send(stalls, call(function+"(address,address,uint256,uint256)", seller, nft, id, count), "0x0")
		}
		list(1, apptest.Alice, items, 1, 0)
		list(2, apptest.Alice, items, 2, start.Add(12*time.Hour).Unix())
		list(3, apptest.Bob, items, 3, 0)
		list(4, dave, items, 3, 0) // the token has another owner now
		list(5, cold, items, 5, 0)
		list(6, apptest.Bob, others, 1, 0)
		list(7, dave, items, 7, start.Add(-time.Minute).Unix()) // over
		list(8, vault, items, 8, 0)                             // of no member
		offer("offer", apptest.Alice, items, 1, 1)              // once more, elsewhere
		offer("offer", apptest.Bob, batches, 1, 5)
		offer("offer", dave, batches, 1, 2)
		offer("take", apptest.Bob, batches, 1, 3)
		offer("take", apptest.Carol, batches, 1, 9) // nothing of hers
		rule := func(properties object) string {
			return s.Rule("listing", apptest.Over(object{"collections": on(items), "frequency": "daily"}, properties))
		}
		tiers := object{"range": []object{{"startRange": 1, "endRange": 1, "amount": 1}, {"startRange": 2, "endRange": 9, "amount": 2}}}
		plain, counted := rule(nil), rule(object{"metadata": tiers})
		market := rule(object{"metadata": apptest.Over(tiers, object{"fillSource": "STALLS"})})
		everywhere := rule(object{"collections": nil, "network": "devnet", "metadata": tiers})
		pieces := rule(object{"collections": on(batches), "metadata": tiers})
		claimed := rule(object{"claimType": "manual", "metadata": tiers})
		late := rule(object{"effectiveStartTime": start.Add(time.Hour).Format(time.RFC3339)})
		unread := rule(object{"metadata": object{"fillSource": "elsewhere"}})
		s.Complete(plain, wallet(apptest.Alice)).Refused(400, "Quest not completed")
		c.runUntil(s, start)
		s.Simulate(claimed, wallet(apptest.Alice)).Predicts(s.Complete(claimed, wallet(apptest.Alice)))
		c.at(start.Add(2*time.Hour), func() {
			c.Send(bazaar, call("cancel(uint256)", 1), "0x0")
			c.Send(bazaar, call("buy(uint256,address)", 5, vault), "0x0")
			c.Send(bazaar, call("cancel(uint256)", 99), "0x0")
			c.Send(stalls, call("close(address,uint256)", batches, 1), "0x0")
			list(9, apptest.Bob, items, 9, 0)
		})
		c.at(start.Add(day+10*time.Second), func() { c.Send(bazaar, call("cancel(uint256)", 9), "0x0") })
		c.runUntil(s, start.Add(day))
		s.Complete(claimed, wallet(dave)).OK()
		s.Complete(claimed, wallet(apptest.Carol)).Refused(400, "Quest not completed") // it is sold
		for _, w := range []struct{ rule, want string }{
			{plain, "map[alice:10+10 bob:10 carol:10 dave:10+10]"}, // Alice still has an offer on the other market
			{counted, "map[alice:2+1 bob:1 carol:1 dave:1+1]"},
			{market, "map[alice:1+1]"},
			{everywhere, "map[alice:2+1 bob:2+2 carol:1 dave:2+1]"},
			{pieces, "map[bob:2 dave:2]"},
			{claimed, "map[alice:2 dave:1]"},
			{late, "map[bob:10]"},
		} {
			if got := paid(s, w.rule); got != w.want {
				t.Errorf("paid %s, want %s", got, w.want)
			}
		}
		if got := apptest.RunCounts(s.Runs(unread)[0]); got != "failed 0/0/0/0 Rule is not setup" {
			t.Errorf("a market that is not configured, without a partner: %s", got)
		}
		s.Sound()
	})
}
