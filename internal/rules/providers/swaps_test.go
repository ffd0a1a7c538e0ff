package providers_test

import (
	"fmt"
	"math/big"
	"strings"
	"testing"
	"time"

	"laurel.example/laurel/internal/dev/anvil"
	"laurel.example/laurel/internal/dev/apptest"
	"laurel.example/laurel/internal/dev/wait"
)

// swapPools are the pools of the network of a test about swaps, and their tokens.
type swapPools struct {
	chain
	coin, other, router     string
	pair, ranged, elsewhere string // the last one is not configured
}

// eachWithSwaps runs the test on each engine, with a network that has a pool of each version: of coins and dollars, and
// of dollars and other tokens.
func eachWithSwaps(t *testing.T, f func(t *testing.T, s *apptest.Server, p swapPools)) {
	t.Helper()
	eachWithNetworks(t, func(c *chain) string {
		c.dollar = c.Deploy("tokens", "Coin", fmt.Sprintf("%064x", 6))
		coin, other := c.Deploy("tokens", "Coin", fmt.Sprintf("%064x", 18)), c.Deploy("tokens", "Coin", fmt.Sprintf("%064x", 2))
		one := big.NewInt(1)
		pair, elsewhere := c.pair(coin, c.dollar, one, one), c.pair(coin, c.dollar, one, one)
		ranged := c.ranged(c.dollar, other, 500, poolFactory, one, 0)
		c.others = []string{coin, other, c.Deploy("pools", "Router", ""), pair, ranged, elsewhere}
		return fmt.Sprintf(`"dollarTokens": [%q], "swapPools": [%q, %q]`, c.dollar, pair, ranged)
	}, func(t *testing.T, s *apptest.Server, c chain) {
		f(t, s, swapPools{
			chain: c, coin: c.others[0], other: c.others[1], router: c.others[2], pair: c.others[3], ranged: c.others[4],
			elsewhere: c.others[5],
		})
	})
}

// sendAs sends a transaction of an account of the node, and waits until it is in a block.
func (p swapPools) sendAs(t *testing.T, from, to, data string) {
	t.Helper()
	hash := p.Text("eth_sendTransaction", map[string]string{"from": from, "to": to, "data": data})
	wait.Until(t, "the transaction is in a block", func() bool {
		return string(p.Do("eth_getTransactionReceipt", hash)) != "null"
	})
}

// sell swaps coins for dollars in a pool of version 2.
func (p swapPools) sell(t *testing.T, from, pool string, coins, dollars int64) {
	t.Helper()
	p.sendAs(t, from, pool, call("swap(uint256,uint256,uint256,uint256)", units(coins, 18), 0, 0, units(dollars, 6)))
}

// buy swaps other tokens for dollars in the pool of version 3.
func (p swapPools) buy(t *testing.T, from string, dollars, others int64) {
	t.Helper()
	p.sendAs(t, from, p.ranged, call("swap(int256,int256)", signed(-dollars*1_000_000), signed(others*100)))
}

func token(address string) []object { return []object{{"address": address, "chainId": "31337"}} }

func TestCallsPayForSwaps(t *testing.T) {
	t.Parallel()
	eachWithSwaps(t, func(t *testing.T, s *apptest.Server, p swapPools) {
		s.User(anvil.First, nil)
		s.User(anvil.Second, nil)
		s.User(apptest.Bob, nil)
		start := s.Clock.Now()
		swap := func(metadata object, more ...object) string {
			body := object{"metadata": metadata}
			for _, m := range more {
				body = apptest.Over(body, m)
			}
			return s.Rule("swap", body)
		}
		tiers := object{"range": []object{
			{"startRange": 100, "endRange": 499, "amount": 1}, {"startRange": 500, "endRange": 5000, "amount": 2},
		}}
		side := func(name string, side object) object { return object{"swap": object{name: side}} }
		specific := func(address string) object {
			return object{"mode": "specific", "chain": "31337", "tokens": token(address)}
		}
		cases := []struct {
			rule, first, second string // what First and Second have; "": refused
		}{
			{swap(nil), "10", "10"},
			{swap(object{"swap": object{"from": object{"mode": "any", "chain": "any"}, "to": object{"chain": 31337}}}), "10", "10"},
			{swap(tiers), "2", "1"}, // 300 + 400 dollars, the last on their way; 120
			{swap(apptest.Over(tiers, side("from", specific(strings.ToUpper(p.coin[2:]))))), "", ""}, // no address
			{swap(apptest.Over(tiers, side("from", specific(p.coin)))), "2", ""},
			{swap(apptest.Over(tiers, side("to", specific(p.other)))), "1", ""}, // 400 dollars on their way
			{swap(side("to", specific(p.dollar))), "10", "10"},
			{swap(side("from", specific(p.dollar))), "", ""}, // they only pass through
			{swap(object{"swap": object{"from": apptest.Over(specific(p.coin), object{"trackAmount": true})}, "range": []object{
				{"startRange": 3, "endRange": 3, "amount": 3}, {"startRange": 4, "endRange": 9, "amount": 4}}}), "3", ""},
			{swap(object{"swap": object{"to": apptest.Over(specific(p.other), object{"trackAmount": true})}, "range": []object{
				{"startRange": 7.5, "endRange": 8, "amount": 7}}}), "7", ""},
			{swap(nil, object{"effectiveStartTime": start.Add(2 * time.Hour).Format(time.RFC3339)}), "", ""},
		}
		notSetUp := []string{
			swap(object{"swap": object{"requireCrossChainSwap": true}}), swap(side("to", object{"chain": 137})),
			swap(object{"swap": object{"from": object{"chain": 31337}, "to": object{"chain": "137"}}}),
			swap(side("to", specific(zeroAddress))), swap(nil, object{"network": "unreadnet"}),
		}
		p.at(start.Add(time.Minute), func() {
			p.sell(t, anvil.First, p.pair, 1, 300)
			p.sell(t, anvil.Second, p.elsewhere, 5, 5000) // of a pool that is not configured
			p.buy(t, anvil.Second, 120, 60)
			p.sendAs(t, anvil.First, p.router, call("hop(address,uint256,uint256,address,int256)", p.pair, units(2, 18), units(400, 6),
				p.ranged, 750))
			p.sendAs(t, anvil.Second, p.router, call("loop(address,uint256,uint256)", p.pair, units(9, 18), units(9000, 6)))
		})
		s.Clock.Set(start.Add(time.Minute + 10*time.Second))
		p.confirm(start.Add(time.Minute + 10*time.Second))
		s.Complete(cases[0].rule, wallet(anvil.First)).Refused(400, "Quest not completed") // its block may still leave
		p.settle(s, start.Add(3*time.Minute))
		for i, k := range cases {
			for who, want := range map[string]string{anvil.First: k.first, anvil.Second: k.second, apptest.Bob: ""} {
				simulation, dry := s.Simulate(k.rule, wallet(who)), s.Complete(k.rule, apptest.Over(wallet(who), object{"verifyOnly": true}))
				got := s.Complete(k.rule, wallet(who))
				simulation.Predicts(got)
				if (want != "") != (got.Status == 200) || got.Status != dry.Status {
					t.Errorf("%d: %s: %d %s", i, who, got.Status, got.Body)
				}
				entries := s.Get("/api/loyalty/transaction_entries?loyaltyRuleId=" + k.rule + "&walletAddress=" + who).Data()
				if want != "" && (len(entries) != 1 || fmt.Sprint(entries[0]["amount"]) != want) {
					t.Errorf("%d: %s: %v, want %s", i, who, entries, want)
				}
			}
		}
		for _, rule := range notSetUp {
			s.Complete(rule, wallet(anvil.First)).Refused(400, "Rule is not setup")
		}
		data := s.Get("/api/loyalty/transaction_entries?loyaltyRuleId=" + cases[2].rule + "&walletAddress=" + anvil.First).Data()[0]["metadata"]
		if d := data.(object); fmt.Sprintf("%v %v", d["swaps"], d["value"]) != "2 700" || d["blocks"] == nil {
			t.Errorf("the entry says %v", data)
		}
		s.Sound()
	})
}

// TestASwapCountsInOnePeriod pays for each swap once, for a group, across payments, and nothing for what left the chain.
func TestASwapCountsInOnePeriod(t *testing.T) {
	t.Parallel()
	eachWithSwaps(t, func(t *testing.T, s *apptest.Server, p swapPools) {
		s.User(anvil.First, nil)
		s.User(anvil.Second, nil)
		s.In(anvil.First, "g")
		s.In(anvil.Second, "g")
		start := s.Clock.Now()
		rule := s.Rule("swap", object{"interval": "unlimited"})
		refused := func() { s.Complete(rule, wallet(anvil.First)).Refused(400, "Quest not completed") }
		p.settle(s, start.Add(time.Minute))
		refused()
		p.at(start.Add(2*time.Minute), func() { p.sell(t, anvil.Second, p.pair, 1, 300) })
		p.settle(s, start.Add(3*time.Minute))
		s.Complete(rule, wallet(anvil.First)).OK()
		refused()
		p.at(start.Add(4*time.Minute), func() { p.sell(t, anvil.Second, p.pair, 1, 300) }) // one is final soon
		p.settle(s, start.Add(4*time.Minute+30*time.Second))
		p.sell(t, anvil.First, p.pair, 1, 300) // and this one later than the payment
		s.Complete(rule, wallet(anvil.First)).OK()
		p.settle(s, start.Add(6*time.Minute))
		s.Complete(rule, wallet(anvil.First)).OK()
		refused()
		mark := p.Snapshot()
		p.sell(t, anvil.First, p.pair, 1, 300)
		p.Revert(mark)
		p.settle(s, start.Add(8*time.Minute))
		refused()
		p.proxy.Set(anvil.Fault{Status: 500})
		s.Clock.Advance(time.Second)
		s.Complete(rule, wallet(anvil.First)).Refused(503, "Provider failed")
		p.proxy.Set(anvil.Fault{})
		s.Sound()
	})
}

// TestDollarsOfARouteCountOnce: a route through two dollar tokens, or to and fro between them, is worth what it gives or
// takes on the whole; dollars that only pass through are worth the largest amount of them.
func TestDollarsOfARouteCountOnce(t *testing.T) {
	t.Parallel()
	eachWithNetworks(t, func(c *chain) string {
		c.dollar = c.Deploy("tokens", "Coin", fmt.Sprintf("%064x", 6))
		coin, second := c.Deploy("tokens", "Coin", fmt.Sprintf("%064x", 18)), c.Deploy("tokens", "Coin", fmt.Sprintf("%064x", 2))
		one := big.NewInt(1)
		pair, ranged := c.pair(coin, c.dollar, one, one), c.ranged(c.dollar, second, 500, poolFactory, one, 0)
		c.others = []string{coin, second, c.Deploy("pools", "Router", ""), pair, ranged}
		return fmt.Sprintf(`"dollarTokens": [%q, %q], "swapPools": [%q, %q]`, c.dollar, second, pair, ranged)
	}, func(t *testing.T, s *apptest.Server, c chain) {
		p := swapPools{chain: c, coin: c.others[0], other: c.others[1], router: c.others[2], pair: c.others[3], ranged: c.others[4]}
		s.User(anvil.First, nil)
		s.User(anvil.Second, nil)
		start := s.Clock.Now()
		rule := s.Rule("swap", nil)
		p.at(start.Add(time.Minute), func() {
			p.sendAs(t, anvil.First, p.router, call("hop(address,uint256,uint256,address,int256)", p.pair, units(2, 18), units(400, 6),
				p.ranged, 40_000)) // coins to 400 dollars, to 400 of the other dollars
			p.buy(t, anvil.Second, 120, 119)
		})
		p.settle(s, start.Add(3*time.Minute))
		for who, want := range map[string]string{anvil.First: "400", anvil.Second: "120"} {
			s.Complete(rule, wallet(who)).OK()
			e := s.Get("/api/loyalty/transaction_entries?loyaltyRuleId=" + rule + "&walletAddress=" + who).Data()[0]
			if got := fmt.Sprint(e["metadata"].(object)["value"]); got != want {
				t.Errorf("%s: a value of %s dollars, want %s", who, got, want)
			}
		}
		s.Sound()
	})
}
