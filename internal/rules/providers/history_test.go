package providers_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"laurel.example/laurel/internal/dev/anvil"
	"laurel.example/laurel/internal/dev/apptest"
)

const (
	zeroAddress = "0x0000000000000000000000000000000000000000"
	artist      = "0x0000000000000000000000000000000000000a77"
	vault       = "0x0000000000000000000000000000000000057a4e"
)

// eachWithMarkets runs the test on each engine, with a network that has two markets.
func eachWithMarkets(t *testing.T, f func(t *testing.T, s *apptest.Server, c chain)) {
	t.Helper()
	eachWithNetworks(t, func(c *chain) string {
		c.market, c.plainMarket = c.Deploy("markets", "Market", ""), c.Deploy("markets", "PlainMarket", "")
		return fmt.Sprintf(`"markets": [{"fillSource": "Bazaar", "contractAddress": "%s", "eventAbi":
			"event Sold(address indexed seller, address indexed buyer, address nft, uint256 id, address currency, uint256 price, address to, uint256 r)",
			"mapping": {"seller": "seller", "buyer": "buyer", "collection": "nft", "tokenId": "id", "price": "price",
			"currency": "currency", "royaltyAddress": "to", "royaltyAmount": "r"}},
			{"fillSource": "plain", "contractAddress": "%s", "eventAbi":
			"event Sold(address seller, address buyer, address nft, uint256 id, uint256 price)", "mapping": {"seller": "seller", "buyer": "buyer", "collection": "nft", "tokenId": "id",
			"price": "price"}}]`, c.market, c.plainMarket)
	}, f)
}

// at makes the next block one of a time, with what f sends, each in a block of its own that follows within seconds.
func (c chain) at(moment time.Time, f func()) {
	c.NextBlockAt(moment)
	f()
}

// move moves two counts of two tokens of a contract of Batches.
func (c chain) move(contract, from, to string, one, count, two, countOfTwo int) {
	c.Send(contract, call("move(address,address,uint256,uint256,uint256,uint256)", from, to, one, count, two, countOfTwo), "0x0")
}

// runUntil sets the clock to a minute after a moment, confirms the blocks up to the moment, and executes what is due.
func (c chain) runUntil(s *apptest.Server, moment time.Time) {
	s.Clock.Set(moment.Add(time.Minute))
	c.confirm(moment.Add(time.Minute))
	s.RunSchedule()
}

// settle sets the clock to a moment, and confirms the blocks before.
func (c chain) settle(s *apptest.Server, moment time.Time) {
	s.Clock.Set(moment)
	c.confirm(moment)
}

// paid returns the sums that a rule has paid, by the names of members.
func paid(s *apptest.Server, rule string) string {
	sums := map[string]string{}
	names := map[any]string{apptest.Alice: "alice", apptest.Bob: "bob", apptest.Carol: "carol", dave: "dave", cold: "cold"}
	for _, e := range s.Get("/api/loyalty/transaction_entries?limit=100&sortBy=createdAt&sortDir=asc&loyaltyRuleId=" + rule).Data() {
		name := names[e["loyaltyAccount"].(object)["user"].(object)["walletAddress"]]
		sums[name] = strings.TrimPrefix(sums[name]+"+"+fmt.Sprint(e["amount"]), "+")
	}
	return fmt.Sprint(sums)
}

func members(s *apptest.Server) {
	for _, who := range []string{apptest.Alice, apptest.Bob, apptest.Carol, dave, cold} {
		s.User(who, nil)
	}
}

func TestRunsPayWhatWasMintedSinceTheRunBefore(t *testing.T) {
	t.Parallel()
	eachWithChain(t, func(t *testing.T, s *apptest.Server, c chain) {
		items, pieces, batches := c.Deploy("tokens", "Items", ""), c.Deploy("tokens", "Pieces", ""), c.Deploy("markets", "Batches", "")
		members(s)
		start := s.Clock.Now()
		c.items(items, apptest.Alice, 2) // 1 and 2, before the rules
		daily := object{"collections": on(items), "frequency": "daily"}
		plain := s.Rule("minted_on", daily)
		early := s.Rule("minted_on", apptest.Over(daily, object{
			"effectiveStartTime": start.Add(-2 * time.Hour).Format(time.RFC3339),
			"effectiveEndTime":   start.Add(30 * time.Hour).Format(time.RFC3339), "metadata": object{"rewardPerAction": true},
		}))
		several := s.Rule("minted_on", apptest.Over(daily, object{"collections": on(items, pieces, batches), "metadata": object{
			"collection": []object{{"address": pieces, "multiplier": 2, "tokenIds": []int{1}}}}}))
		tiers := s.Rule("minted_on", apptest.Over(daily, object{"metadata": object{
			"range": []object{{"startRange": 2, "endRange": 3, "amount": 5}, {"startRange": 4, "endRange": 9, "amount": 7}}}}))
		claimed := s.Rule("minted_on", apptest.Over(daily, object{"claimType": "manual", "interval": "unlimited",
			"metadata": object{"rewardPerAction": true}}))
		for _, body := range []object{wallet(apptest.Alice), {"walletAddress": apptest.Alice, "verifyOnly": true}} {
			s.Complete(plain, body).Refused(400, "Quest not completed")
			s.Complete(claimed, body).Refused(400, "Quest not completed")
		}
		if got := s.Simulate(claimed, wallet(apptest.Alice)).OK()["message"]; got != "Quest not completed" {
			t.Errorf("the simulation of a claim says %v", got)
		}
		c.runUntil(s, start) // the first runs, of the moment of the rules
		c.at(start.Add(time.Hour), func() {
			c.items(items, apptest.Alice, 3) // 3 to 5
			c.pieces(pieces, apptest.Alice, 1, 4)
			c.pieces(pieces, apptest.Alice, 9, 100)                                                      // not of the named ids
			c.move(batches, zeroAddress, apptest.Carol, 1, 2, 7, 1)                                      // 3
			c.Send(items, call("transferFrom(address,address,uint256)", apptest.Alice, dave, 3), "0x0")  // no mint
			c.move(batches, apptest.Carol, apptest.Bob, 1, 2, 7, 1)                                      // no mint
			c.items(items, cold, 1)                                                                      // 6
			c.Send(items, call("transferFrom(address,address,uint256)", cold, zeroAddress, 6), "0x0")    // is gone, and was minted
			c.Send(items, call("transferFrom(address,address,uint256)", apptest.Alice, vault, 4), "0x0") // of no member
		})
		c.InOneBlock(start.Add(day), func() { c.Submit(items, call("mint(address,uint256)", apptest.Bob, 2)) }) // 7 and 8
		c.at(start.Add(day+10*time.Second), func() { c.items(items, apptest.Carol, 5) })                        // for the next run
		c.proxy.Set(anvil.Fault{Result: map[string]any{"eth_getLogs": []any{}}})
		c.runUntil(s, start.Add(day))
		if got := apptest.RunCounts(s.Runs(plain)[1]); !strings.HasPrefix(got, "processing 0/0/0/0 Provider ") {
			t.Errorf("a node that leaves out logs: %s", got)
		}
		for _, fault := range []anvil.Fault{{Status: 500}, {Error: map[string]any{"eth_getLogs": object{"code": -32005,
			"message": "query returned more than 10000 results"}}}, {}} {
			c.proxy.Set(fault)
			for range 2 {
				s.Clock.Advance(10 * time.Minute)
				s.RunSchedule()
			}
		}
		delegate(s, cold, dave) // mints of cold wallets stay their own
		c.runUntil(s, start.Add(2*day))
		s.In(apptest.Alice, "g")
		s.In(dave, "g")
		c.at(start.Add(2*day+time.Hour), func() {
			c.items(items, apptest.Alice, 1)
			c.items(items, dave, 1)
		})
		c.runUntil(s, start.Add(3*day))
		for _, w := range []struct{ rule, want string }{
			{plain, "map[alice:10+10 bob:10 carol:10 cold:10]"},
			{early, "map[alice:20+30 bob:20 carol:50 cold:10]"},
			{several, "map[alice:110+20 bob:20 carol:30+50 cold:10]"},
			{tiers, "map[alice:5+5 bob:5 carol:7]"},
		} {
			if got := paid(s, w.rule); got != w.want {
				t.Errorf("paid %s, want %s", got, w.want)
			}
		}
		if got := apptest.RunCounts(s.Runs(plain)[1]); got != "complete 5/3/2/0 " {
			t.Errorf("the run is %q", got)
		}
		entries := s.Get("/api/loyalty/transaction_entries?loyaltyRuleId=" + plain + "&walletAddress=" + apptest.Bob).Data()
		if data := entries[0]["metadata"].(object); fmt.Sprint(data["count"]) != "2" || data["blocks"] == nil {
			t.Errorf("the entry says %v", data)
		}

		// A claim pays what the runs have found, and what comes after the last of them is left for the next one.
		c.at(start.Add(3*day+time.Hour), func() { c.items(items, apptest.Bob, 4) })
		c.confirm(start.Add(3*day + 2*time.Hour))
		s.Simulate(claimed, wallet(apptest.Bob)).Predicts(s.Complete(claimed, wallet(apptest.Bob)))
		s.Complete(claimed, wallet(apptest.Bob)).Refused(400, "Quest not completed")
		s.Complete(claimed, wallet(apptest.Carol)).OK()
		if got := paid(s, claimed); got != "map[bob:20 carol:50]" {
			t.Errorf("claimed %s", got)
		}
		c.runUntil(s, start.Add(4*day))
		s.Complete(claimed, wallet(apptest.Bob)).OK()
		if got := paid(s, claimed); got != "map[bob:20+40 carol:50]" {
			t.Errorf("claimed %s", got)
		}
		s.Sound()
	})
}

func TestRunsPayWhatWasBoughtAndSold(t *testing.T) {
	t.Parallel()
	eachWithMarkets(t, func(t *testing.T, s *apptest.Server, c chain) {
		items, others := c.Deploy("tokens", "Items", ""), c.Deploy("tokens", "Items", "")
		coin, bare := c.Deploy("tokens", "Coin", fmt.Sprintf("%064x", 6)), c.Deploy("tokens", "BareCoin", "")
		members(s)
		s.Post("/api/website_collections", object{"collectionAddress": items, "network": "devnet", "name": "N", "sortId": 1,
			"royaltyFee": 5, "royaltyFeeAddress": artist}).OK()
		const ether = 1_000_000_000_000_000_000
		sell := func(seller, buyer, collection, currency string, price int, to string, royalty int) {
			c.Send(c.market, call("sell(address,address,address,uint256,address,uint256,address,uint256)",
				seller, buyer, collection, 1, currency, price, to, royalty), "0x0")
		}
		start := s.Clock.Now()
		both := func(kind, other string, properties object) [2]string {
			body := apptest.Over(object{"collections": on(items), "frequency": "daily"}, properties)
			return [2]string{s.Rule(kind, body), s.Rule(other, body)}
		}
		rules := map[string][2]string{}
		for name, metadata := range map[string]object{
			"once": {}, "each": {"rewardPerAction": true}, "market": {"rewardPerAction": true, "fillSource": "bazaar"},
			"any market": {"rewardPerAction": true, "fillSource": "none", "hasFillSource": false},
			"native":     {"rewardPerAction": true, "onlyNative": true}, "value": {"rewardPerValue": true},
			"coin":    {"rewardPerValue": true, "saleCurrency": strings.ToUpper(coin[2:])},
			"royalty": {"rewardPerAction": true, "hasPaidFullRoyalty": true},
		} {
			if name == "coin" {
				metadata["saleCurrency"] = "0x" + strings.ToUpper(coin[2:])
			}
			rules[name] = both("bought_on", "sold_on", object{"metadata": metadata})
		}
		rules["any collection"] = both("bought_on", "sold_on", object{"collections": nil, "network": "devnet",
			"metadata": object{"rewardPerAction": true}})
		rules["royalties"] = both("bought_with_royalties", "sold_with_royalties", object{"metadata": object{"rewardPerAction": true}})
		rules["own royalties"] = both("bought_with_royalties", "sold_with_royalties", object{"metadata": object{
			"rewardPerAction": true, "royaltyPercentage": "10", "royaltyAddress": dave}})
		c.runUntil(s, start)
		c.at(start.Add(time.Hour), func() {
			sell(apptest.Alice, apptest.Bob, items, zeroAddress, 2*ether, artist, ether/10)   // the whole royalty
			sell(apptest.Alice, apptest.Bob, items, zeroAddress, ether/2, artist, ether/40-1) // one wei less
			sell(apptest.Carol, apptest.Bob, items, coin, 7_500_019, artist, 375_000)         // rounded down
			sell(apptest.Carol, vault, items, coin, 3_000_000, dave, 300_000)                 // to another, 10 %
			sell(apptest.Alice, apptest.Bob, others, zeroAddress, ether, artist, ether)       // another collection
			sell(apptest.Bob, apptest.Alice, items, bare, 1000, artist, 1000)                 // a currency without a unit
			sell(dave, dave, items, zeroAddress, 5*ether, artist, ether)                      // to itself
			c.Send(c.plainMarket, call("sell(address,address,address,uint256,uint256)", apptest.Alice, apptest.Carol, items, 3,
				4*ether), "0x0")
		})
		c.runUntil(s, start.Add(day))
		c.runUntil(s, start.Add(2*day)) // nothing happened since
		for name, want := range map[string][2]string{
			"once":           {"map[alice:10 bob:10 carol:10]", "map[alice:10 bob:10 carol:10]"},
			"each":           {"map[alice:10 bob:30 carol:10]", "map[alice:30 bob:10 carol:20]"},
			"any market":     {"map[alice:10 bob:30 carol:10]", "map[alice:30 bob:10 carol:20]"},
			"market":         {"map[alice:10 bob:30]", "map[alice:20 bob:10 carol:20]"},
			"native":         {"map[bob:20 carol:10]", "map[alice:30]"},
			"value":          {"map[bob:100.00019 carol:40]", "map[alice:65 carol:105.00019]"},
			"coin":           {"map[bob:75.00019]", "map[carol:105.00019]"},
			"royalty":        {"map[alice:10 bob:20]", "map[alice:10 bob:10 carol:10]"},
			"royalties":      {"map[alice:10 bob:20]", "map[alice:10 bob:10 carol:10]"},
			"any collection": {"map[alice:10 bob:40 carol:10]", "map[alice:40 bob:10 carol:20]"},
			"own royalties":  {"map[]", "map[carol:10]"},
		} {
			for i, rule := range rules[name] {
				if got := paid(s, rule); got != want[i] {
					t.Errorf("%s: paid %s, want %s", name, got, want[i])
				}
			}
		}
		if got := apptest.RunCounts(s.Runs(rules["once"][0])[2]); got != "complete 5/0/5/0 " {
			t.Errorf("a run after which nothing happened is %q", got)
		}
		s.Sound()
	})
}

func TestRunsPayWhatIsLocked(t *testing.T) {
	t.Parallel()
	eachWithChain(t, func(t *testing.T, s *apptest.Server, c chain) {
		items, batches := c.Deploy("tokens", "Items", ""), c.Deploy("markets", "Batches", "")
		members(s)
		delegate(s, cold, apptest.Bob)
		for _, address := range []string{items, batches} {
			s.Post("/api/website_collections", object{"collectionAddress": address, "network": "devnet", "name": "N", "sortId": 1,
				"stakingAddress": vault}).OK()
		}
		send := func(from, to string, id int) {
			c.Send(items, call("transferFrom(address,address,uint256)", from, to, id), "0x0")
		}
		start := s.Clock.Now()
		c.items(items, apptest.Alice, 4) // 1 to 4
		c.items(items, cold, 1)          // 5
		c.items(items, vault, 1)         // 6, which nobody has locked
		send(apptest.Alice, vault, 1)
		send(apptest.Alice, vault, 2)
		send(apptest.Alice, vault, 3)
		send(vault, dave, 2) // to somebody else
		send(cold, vault, 5)
		c.move(batches, zeroAddress, apptest.Alice, 1, 10, 2, 10)
		c.move(batches, zeroAddress, apptest.Carol, 1, 10, 2, 10)
		c.move(batches, apptest.Alice, vault, 1, 4, 2, 3)
		c.move(batches, apptest.Carol, vault, 1, 5, 2, 0)
		c.move(batches, vault, apptest.Carol, 1, 2, 2, 0) // from what is Carol's
		c.move(batches, vault, dave, 1, 1, 2, 1)          // from what is there for longest: Alice's
		each := object{"frequency": "daily", "metadata": object{"rewardPerAction": true}}
		one := s.Rule("lodging", apptest.Over(each, object{"collections": on(items), "metadata": object{}}))
		both := s.Rule("lodging", apptest.Over(each, object{"collections": on(items, batches)}))
		ids := s.Rule("lodging", object{"frequency": "daily", "metadata": object{"collection": []object{
			{"address": batches, "network": "devnet", "multiplier": 0.5, "tokenIds": []int{2}}}}})
		late := s.Rule("lodging", apptest.Over(each, object{"collections": on(items), "effectiveStartTime": start.Add(time.Hour).
			Format(time.RFC3339)}))
		c.runUntil(s, start)
		c.at(start.Add(2*time.Hour), func() {
			send(vault, apptest.Alice, 3)
			send(apptest.Alice, vault, 4)
			send(dave, vault, 2)
		})
		c.at(start.Add(day+10*time.Second), func() { send(vault, apptest.Alice, 1) })
		c.runUntil(s, start.Add(day))
		for _, w := range []struct{ rule, want string }{
			// Alice has 1 and 3 there, then 1 and 4; Bob's cold wallet has 5; Dave has 2 there in the end.
			{one, "map[alice:10+10 bob:10+10 dave:10]"},
			// Of the batches, Alice has 3 + 2 there, and Carol 3.
			{both, "map[alice:70+70 bob:10+10 carol:30+30 dave:10]"},
			{ids, "map[alice:10+10]"},
			{late, "map[alice:10 dave:10]"},
		} {
			if got := paid(s, w.rule); got != w.want {
				t.Errorf("paid %s, want %s", got, w.want)
			}
		}
		s.Sound()
	})
}

func TestRunsNameTheSettingThatAHistoryRuleLacks(t *testing.T) {
	t.Parallel()
	eachWithMarkets(t, func(t *testing.T, s *apptest.Server, c chain) {
		items, coin := c.Deploy("tokens", "Items", ""), c.Deploy("tokens", "Coin", fmt.Sprintf("%064x", 0))
		s.User(apptest.Alice, nil)
		there := []object{{"address": items, "network": "unreadnet"}}
		cases := []struct {
			kind       string
			properties object
			want       string
		}{
			{"minted_on", object{}, "Rule is not setup"},
			{"minted_on", object{"collections": there}, "Rule is not setup: no node of unreadnet is configured"},
			{"minted_on", object{"collections": on(coin)}, coin + " on devnet is not a collection"},
			{"minted_on", object{"collections": on("0x12")}, "0x12 on devnet is not the address of a contract"},
			{"lodging", object{"collections": on(items)}, "Rule is not setup: the collection " + items + " on devnet has no stakingAddress"},
			{"bought_on", object{"network": "unreadnet"}, "Rule is not setup: no node of unreadnet is configured"},
			{"sold_on", object{"network": "devnet", "metadata": object{"fillSource": "x"}}, "Rule is not setup: no market x of devnet is configured"},
			{"sold_on", object{"network": "devnet", "metadata": object{"saleCurrency": "USD"}}, "Rule is not setup: saleCurrency must be the address of a token, or native"},
			{"bought_with_royalties", object{"collections": on(items)}, "Rule is not setup: it has no royaltyPercentage"},
			{"sold_with_royalties", object{"collections": on(items), "metadata": object{"royaltyPercentage": 5, "fillSource": "plain"}},
				"Rule is not setup: no market of devnet tells which royalty was paid to whom"},
		}
		rules := make([]string, len(cases))
		for i, k := range cases {
			rules[i] = s.Rule(k.kind, apptest.Over(k.properties, object{"frequency": "once"}))
		}
		c.runUntil(s, s.Clock.Now())
		for i, k := range cases {
			if got := apptest.RunCounts(s.Runs(rules[i])[0]); got != "failed 0/0/0/0 "+k.want {
				t.Errorf("%s: the run is %s, want %s", k.kind, got, k.want)
			}
		}
		if got := s.Post("/api/loyalty/rules", object{"name": "N", "type": "sold_on", "metadata": object{"saleCurrency": 5}}); got.Status != 400 {
			t.Errorf("a number as a currency: %s", got.Body)
		}
	})
}
