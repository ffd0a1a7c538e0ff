package providers_test

import (
	"fmt"
	"math/big"
	"strings"
	"testing"
	"time"

	"laurel.example/laurel/internal/dev/anvil"
	"laurel.example/laurel/internal/dev/apptest"
)

const (
	poolFactory  = "0x0000000000000000000000000000000000000fac"
	otherFactory = "0x0000000000000000000000000000000000000fad"
)

// eachWithDollars runs the test on each engine, with a network that has a dollar token with 6 decimals, another one with
// 18 and a position manager.
func eachWithDollars(t *testing.T, f func(t *testing.T, s *apptest.Server, c chain, second string)) {
	t.Helper()
	var second string
	eachWithNetworks(t, func(c *chain) string {
		c.dollar, second = c.Deploy("tokens", "Coin", fmt.Sprintf("%064x", 6)), c.Deploy("tokens", "Coin", fmt.Sprintf("%064x", 18))
		c.positions = c.Deploy("pools", "Positions", anvil.Word(poolFactory))
		return fmt.Sprintf(`"dollarTokens": [%q, %q], "positionManagers": [%q]`, c.dollar, second, c.positions)
	}, func(t *testing.T, s *apptest.Server, c chain) { f(t, s, c, second) })
}

// units returns a number of tokens in their smallest unit.
func units(count int64, decimals int64) *big.Int {
	return new(big.Int).Mul(big.NewInt(count), new(big.Int).Exp(big.NewInt(10), big.NewInt(decimals), nil))
}

// signed returns a number as an argument of a contract.
func signed(n int64) *big.Int {
	if n >= 0 {
		return big.NewInt(n)
	}
	return new(big.Int).Add(new(big.Int).Lsh(big.NewInt(1), 256), big.NewInt(n))
}

// pair creates a pool of version 2 with reserves.
func (c chain) pair(token0, token1 string, reserve0, reserve1 *big.Int) string {
	pool := c.Deploy("pools", "Pair", anvil.Word(token0)+anvil.Word(token1))
	c.Send(pool, call("set(uint112,uint112)", reserve0, reserve1), "0x0")
	return pool
}

// share gives somebody shares of a pool of version 2.
func (c chain) share(pool, to string, value int) {
	c.Send(pool, call("mint(address,uint256)", to, value), "0x0")
}

// ranged creates a pool of version 3 with a price.
func (c chain) ranged(token0, token1 string, fee int, factory string, root *big.Int, tick int64) string {
	pool := c.Deploy("pools", "RangedPool", anvil.Word(token0)+anvil.Word(token1)+fmt.Sprintf("%064x", fee)+anvil.Word(factory))
	c.Send(pool, call("set(uint160,int24)", root, signed(tick)), "0x0")
	return pool
}

// position gives somebody a position in a pool of version 3.
func (c chain) position(manager, pool, to string, lower, upper int64, liquidity *big.Int) {
	c.Send(manager, call("mint(address,address,int24,int24,uint128)", to, pool, signed(lower), signed(upper), liquidity), "0x0")
}

// liquidity returns the metadata of a rule about pools, with other properties.
func liquidity(properties object, pools ...string) object {
	list := make([]object, len(pools))
	for i, pool := range pools {
		list[i] = object{"id": pool}
	}
	return object{"liquidity": apptest.Over(object{"network": "devnet", "pools": list, "liquidityPerDay": 1000}, properties)}
}

func TestRunsPayForSharesOfPools(t *testing.T) {
	t.Parallel()
	eachWithDollars(t, func(t *testing.T, s *apptest.Server, c chain, second string) {
		coin := c.Deploy("tokens", "Coin", fmt.Sprintf("%064x", 18))
		pool := c.pair(coin, c.dollar, units(500, 18), units(1_000_000, 6)) // of 2,000,000 dollars
		both := c.pair(c.dollar, second, units(300, 6), units(700, 18))     // of 1000
		empty := c.pair(c.dollar, coin, units(1, 6), units(1, 18))          // nobody has shares
		neither := c.pair(coin, coin, units(1, 18), units(1, 18))
		members(s)
		delegate(s, cold, apptest.Carol)
		for who, shares := range map[string]int{apptest.Alice: 30, apptest.Bob: 20, cold: 10, vault: 940} {
			c.share(pool, who, shares)
		}
		c.share(both, apptest.Alice, 1)
		c.share(both, vault, 3)
		start := s.Clock.Now()
		rule := func(kind string, properties object, pools ...string) string {
			return s.Rule(kind, object{"frequency": "once", "metadata": liquidity(properties, pools...)})
		}
		custom := func(text string) object { return object{"calculationType": "custom", "customFunction": text} }
		const v2, v3 = "liquidity_amm_v2", "liquidity_amm_v3"

		// Alice has 30/1000 x 2,000,000 + 1/4 x 1000 dollars, Bob 20/1000 and Carol, in a cold wallet, 10/1000.
		paying := []struct{ rule, want string }{
			{rule(v2, object{"calculationType": "fixed"}, pool, both, empty, "0x"+strings.ToUpper(pool[2:])), "map[alice:602.5 bob:400 carol:200]"},
			{rule(v2, object{"liquidityPerDay": 7}, pool), "map[alice:85714.285714 bob:57142.857142 carol:28571.428571]"},
			{rule(v2, custom("min(sqrt(X), 200)"), pool, both), "map[alice:200 bob:200 carol:141.421356]"},
			{rule(v2, custom("1 / (x - 40000)"), pool, both), "map[alice:0.000049]"},
			{rule(v2, custom("log(X) ^ 900"), pool), "map[]"},
		}
		failing := []struct{ rule, want string }{
			{rule(v2, object{"network": nil}, pool), "liquidity names no network"},
			{rule(v2, nil), "liquidity names no pool"},
			{rule(v2, object{"network": "unreadnet"}, pool), "no node of unreadnet is configured"},
			{rule(v2, object{"liquidityPerDay": nil}, pool), "liquidityPerDay must be above 0"},
			{rule(v2, object{"calculationType": "custom"}, pool), "customFunction is no formula"},
			{s.Rule(v2, object{"frequency": "once", "amount": nil, "metadata": liquidity(nil, pool)}), "amount must be above 0"},
			{rule(v2, nil, "0x12"), "0x12 on devnet is not the address of a contract"},
			{rule(v2, nil, pool, coin), coin + " on devnet is not a pool of version 2"},
			{rule(v2, nil, anvil.Second), anvil.Second + " on devnet is not a pool of version 2"},
			{rule(v2, nil, neither), neither + " on devnet trades no dollar token"},
			{rule(v3, nil, pool), pool + " on devnet is not a pool of version 3"},
		}
		daily := s.Rule(v2, object{"frequency": "daily", "metadata": liquidity(nil, pool)})
		claimed := s.Rule(v2, object{"frequency": "once", "claimType": "manual", "metadata": liquidity(nil, pool)})
		s.Complete(daily, wallet(apptest.Alice)).Refused(400, "Quest not completed")
		s.Complete(claimed, wallet(apptest.Alice)).Refused(400, "Quest not completed")
		c.InOneBlock(start, func() {}) // the block of the runs
		c.NextBlockAt(start.Add(time.Second))
		c.share(pool, vault, 1000) // later
		c.proxy.Set(anvil.Fault{Status: 500})
		c.runUntil(s, start)
		if got := apptest.RunCounts(s.Runs(daily)[0]); got != "processing 0/0/0/0 Provider failed" {
			t.Errorf("while the node fails: %s", got)
		}
		c.proxy.Set(anvil.Fault{})
		for range 3 {
			s.Clock.Advance(10 * time.Minute)
			s.RunSchedule()
		}
		for _, w := range paying {
			if got := paid(s, w.rule); got != w.want {
				t.Errorf("paid %s, want %s", got, w.want)
			}
		}
		for _, w := range failing {
			if got, want := apptest.RunCounts(s.Runs(w.rule)[0]), "failed 0/0/0/0 Rule is not setup: "+w.want; got != want {
				t.Errorf("the run is %q, want %q", got, want)
			}
		}
		if got := apptest.RunCounts(s.Runs(paying[0].rule)[0]); got != "complete 5/3/2/0 " {
			t.Errorf("the run is %q", got)
		}
		entry := s.Get("/api/loyalty/transaction_entries?walletAddress=" + apptest.Bob + "&loyaltyRuleId=" + daily).Data()[0]
		if data := entry["metadata"].(object); fmt.Sprint(data["dollars"]) != "40000" || data["blocks"] == nil {
			t.Errorf("the entry says %v", data)
		}
		s.Rule(v2, object{
			"frequency": "once", "rewardType": "multiplier", "amount": 2, "metadata": liquidity(object{"liquidityPerDay": nil}, both),
		})
		c.runUntil(s, s.Clock.Now())
		if got := fmt.Sprint(s.MultiplierValues(apptest.Alice), s.MultiplierValues(apptest.Bob)); got != "[2] []" {
			t.Errorf("multipliers: %s", got)
		}

		// A claim pays for what is in the pool now: others have bought half of the shares meanwhile.
		c.proxy.Set(anvil.Fault{Status: 500})
		s.Complete(claimed, wallet(apptest.Bob)).Refused(503, "Provider failed")
		c.proxy.Set(anvil.Fault{})
		s.Clock.Advance(10 * time.Minute)
		s.Complete(claimed, wallet(dave)).Refused(400, "Quest not completed") // no run has found anything
		simulation := s.Simulate(claimed, wallet(apptest.Bob))
		s.Complete(claimed, object{"walletAddress": apptest.Bob, "verifyOnly": true}).OK()
		simulation.Predicts(s.Complete(claimed, wallet(apptest.Bob)))
		if got := paid(s, claimed); got != "map[bob:200]" {
			t.Errorf("claimed %s", got)
		}

		c.at(start.Add(time.Hour), func() {
			c.Send(pool, call("set(uint112,uint112)", units(500, 18), units(3_000_000, 6)), "0x0")
		})
		c.runUntil(s, start.Add(day))
		if got := paid(s, daily); got != "map[alice:600+1800 bob:400+600 carol:200+300]" { // Alice has a multiplier of 2
			t.Errorf("paid %s", got)
		}
		s.Sound()
	})
}

// TestRunsPayForPositionsInPools values positions at a price of 2000 dollars, as computed by hand with 60 digits:
// liquidity x (1/P - 1/B) coins and liquidity x (P - A) dollars, where A, P and B are the roots of the lower price, the
// price within the range, and the upper price.
func TestRunsPayForPositionsInPools(t *testing.T) {
	t.Parallel()
	eachWithDollars(t, func(t *testing.T, s *apptest.Server, c chain, second string) {
		c.PlaceMulticall()
		root, _ := new(big.Int).SetString("3543191142285914205922034", 10)
		const tick = -200_312
		liquid := units(1, 15)
		coin := c.Deploy("tokens", "Coin", fmt.Sprintf("%064x", 18))
		pool := c.ranged(coin, c.dollar, 3000, poolFactory, root, tick)
		const turn = 200_311
		turnedRoot, _ := new(big.Int).SetString("1771595571142957102961017161607260", 10)
		reversed := c.ranged(c.dollar, coin, 100, poolFactory, turnedRoot, turn)
		both := c.ranged(c.dollar, second, 100, poolFactory, new(big.Int).Lsh(big.NewInt(1), 96), 0)
		cheap := c.ranged(coin, c.dollar, 500, poolFactory, root, tick) // no rule names it
		alien := c.ranged(coin, c.dollar, 3000, otherFactory, root, tick)
		aliens := c.Deploy("pools", "Positions", anvil.Word(otherFactory)) // not configured
		members(s)
		delegate(s, cold, apptest.Carol)
		c.position(c.positions, pool, apptest.Alice, tick-10_000, tick+10_000, liquid)  // 35191.6114641622
		c.position(c.positions, pool, apptest.Alice, tick+100, tick+20_000, liquid)     // 28046.5503751901, above the price
		c.position(c.positions, cheap, apptest.Alice, tick-10_000, tick+10_000, liquid) // of another pool
		c.position(aliens, alien, apptest.Alice, tick-10_000, tick+10_000, liquid)      // of another manager
		c.position(c.positions, pool, apptest.Bob, tick-20_000, tick-100, liquid)       // 28044.3109369188, below
		c.position(c.positions, pool, cold, -887_220, 887_220, liquid)                  // 89442.7190999915
		c.position(c.positions, pool, dave, tick-10_000, tick+10_000, new(big.Int))     // nothing
		c.position(c.positions, reversed, apptest.Bob, turn-6000, turn-1000, liquid)    // 9409.3897417209, below the price
		c.position(c.positions, reversed, apptest.Carol, turn-5000, turn+5000, liquid)  // 19783.7887482056
		c.position(c.positions, both, dave, -10_000, 10_000, units(1, 18))              // 393454177842.558696
		c.position(c.positions, pool, dave, tick-60, tick, liquid)                      // 133.9509978374, just below
		c.position(c.positions, pool, apptest.Carol, tick, tick+60, liquid)             // 133.9616230156, at its end
		rule := func(properties object, pools ...string) string {
			return s.Rule("liquidity_amm_v3", object{
				"frequency": "once", "amount": 1, "metadata": liquidity(apptest.Over(object{"liquidityPerDay": 1}, properties), pools...),
			})
		}
		all, inRange := rule(nil, pool), rule(object{"onlyRewardInRangeLiquidity": true}, pool)
		foreign, stable := rule(nil, alien), rule(object{"customFunction": "X / 10 ^ 10", "calculationType": "custom"}, both)
		turned := rule(nil, reversed)
		calls := c.proxy.Calls("eth_call")
		c.proxy.Set(anvil.Fault{Error: map[string]any{"eth_call": object{"code": -32000, "message": "missing trie node 12ab"}}})
		c.runUntil(s, s.Clock.Now())
		if got := apptest.RunCounts(s.Runs(all)[0]); got != "processing 0/0/0/0 Provider has no data of the block that is to be read" {
			t.Errorf("a node without the state: %s", got)
		}
		c.proxy.Set(anvil.Fault{})
		for range 3 {
			s.Clock.Advance(10 * time.Minute)
			s.RunSchedule()
		}
		if n := c.proxy.Calls("eth_call") - calls; n > 60 {
			t.Errorf("%d calls for five rules and five members", n)
		}
		for _, w := range []struct{ rule, want string }{
			{all, "map[alice:63238.161839 bob:28044.310936 carol:89576.680723 dave:133.950997]"},
			{inRange, "map[alice:35191.611464 carol:89576.680723]"},
			{foreign, "map[]"},
			{stable, "map[dave:39.345418]"},
			{turned, "map[bob:9409.389741 carol:19783.788748]"},
		} {
			if got := paid(s, w.rule); got != w.want {
				t.Errorf("paid %s, want %s", got, w.want)
			}
		}
		want := "failed 0/0/0/0 Rule is not setup: " + alien + " on devnet is of no configured position manager"
		if got := apptest.RunCounts(s.Runs(foreign)[0]); got != want {
			t.Errorf("the run is %q, want %q", got, want)
		}

		s.In(apptest.Bob, "g")
		s.In(dave, "g")
		claimed := s.Rule("liquidity_amm_v3", object{
			"frequency": "once", "amount": 1, "claimType": "manual", "metadata": liquidity(object{"liquidityPerDay": 1}, pool),
		})
		c.runUntil(s, s.Clock.Now())
		s.Complete(claimed, wallet(dave)).OK()
		s.Complete(claimed, wallet(apptest.Bob)).Refused(400, "Quest not completed") // his group has claimed it
		if got := paid(s, claimed); got != "map[dave:28178.261934]" {
			t.Errorf("claimed by a group: %s", got)
		}
		s.Sound()
	})
}
