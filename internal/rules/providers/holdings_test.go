package providers_test

import (
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"laurel.example/laurel/internal/app"
	"laurel.example/laurel/internal/dev/anvil"
	"laurel.example/laurel/internal/dev/apptest"
	"laurel.example/laurel/internal/dev/storetest"
	"laurel.example/laurel/internal/evm/keccak"
)

type object = apptest.Object

const (
	notAchieved   = "Quest not achieved, please try again."
	confirmations = 3
)

// chain is a node of the network devnet behind a proxy. Its blocks begin an hour before Noon.
type chain struct {
	*anvil.Node
	proxy *anvil.Proxy

	market, plainMarket string   // contracts, if the network has markets
	dollar, positions   string   // contracts, if the network has a dollar token and a position manager
	others              []string // contracts of one test
}

// eachWithChain runs the test on each engine, with a chain that the server reads.
func eachWithChain(t *testing.T, f func(t *testing.T, s *apptest.Server, c chain)) {
	t.Helper()
	eachWithNetworks(t, func(*chain) string { return `"markets": []` }, f)
}

// eachWithNetworks does so with a network that has the properties in the JSON that a function returns.
func eachWithNetworks(
	t *testing.T, properties func(c *chain) string, f func(t *testing.T, s *apptest.Server, c chain),
) {
	t.Helper()
	eachWithConfig(t, app.Config{NoRateLimits: true}, properties, f)
}

// eachWithConfig does so with a configuration of the server.
func eachWithConfig(
	t *testing.T, config app.Config, properties func(c *chain) string, f func(t *testing.T, s *apptest.Server, c chain),
) {
	t.Helper()
	storetest.EachURL(t, func(t *testing.T, address string) {
		n := anvil.Start(t, "--timestamp", strconv.FormatInt(apptest.Noon.Add(-time.Hour).Unix(), 10))
		c := chain{Node: n, proxy: anvil.NewProxy(t, n)}
		file := filepath.Join(t.TempDir(), "networks.json")
		text := fmt.Sprintf(`{"networks": [
			{"name": "devnet", "chainId": %d, "rpcUrl": "%s", "confirmations": %d, %s},
			{"name": "unreadnet", "chainId": 4242007}]}`, anvil.ChainID, c.proxy.URL, confirmations, properties(&c))
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		config := config
		config.Networks = file
		f(t, apptest.OpenAtNoon(t, address, config), c)
	})
}

// call returns the data of a call of a contract: its function, and addresses and numbers as arguments.
func call(signature string, arguments ...any) string {
	sum := keccak.Sum256([]byte(signature))
	out := "0x" + hex.EncodeToString(sum[:4])
	for _, a := range arguments {
		if address, ok := a.(string); ok {
			out += anvil.Word(address)
		} else {
			out += fmt.Sprintf("%064x", a)
		}
	}
	return out
}

// coins creates fungible tokens, in the smallest unit.
func (c chain) coins(token, to string, value int) {
	c.Send(token, call("mint(address,uint256)", to, value), "0x0")
}

// items creates tokens of a collection.
func (c chain) items(collection, to string, count int) {
	c.Send(collection, call("mint(address,uint256)", to, count), "0x0")
}

// pieces creates some of one token of a contract with several.
func (c chain) pieces(contract, to string, id, count int) {
	c.Send(contract, call("mint(address,uint256,uint256)", to, id, count), "0x0")
}

// confirm mines blocks after a time, until those before have their confirmations.
func (c chain) confirm(after time.Time) {
	c.NextBlockAt(after.Add(time.Second))
	c.Mine(confirmations)
}

func on(addresses ...string) []object {
	var list []object
	for _, a := range addresses {
		list = append(list, object{"address": a, "network": "devnet"})
	}
	return list
}

func wallet(address string) object { return object{"walletAddress": address} }

func delegate(s *apptest.Server, cold, to string) {
	s.Post("/api/users/delegations", object{"delegatorWalletAddress": cold, "walletAddress": to}).OK()
}

const (
	dave = "0x000000000000000000000000000000000000da7e"
	cold = "0x0000000000000000000000000000000000000c01"
)

func TestCallsCountFungibleTokens(t *testing.T) {
	t.Parallel()
	eachWithChain(t, func(t *testing.T, s *apptest.Server, c chain) {
		coin, other := c.Deploy("tokens", "Coin", fmt.Sprintf("%064x", 6)), c.Deploy("tokens", "Coin", fmt.Sprintf("%064x", 0))
		tiers := []object{
			{"startRange": 100, "endRange": 200, "amount": 5}, {"startRange": 200.5, "endRange": 1000, "amount": 50},
		}
		rule := s.Rule("token_hold_erc20", object{"collections": on(coin), "metadata": object{"range": tiers}})
		c.coins(coin, apptest.Alice, 250_500_000)
		c.coins(coin, apptest.Bob, 99_999_999)
		c.coins(other, apptest.Bob, 1_000_000_000) // of another contract
		for who, want := range map[string]string{apptest.Alice: "50", apptest.Bob: "", dave: ""} {
			simulation, dry := s.Simulate(rule, wallet(who)), s.Complete(rule, apptest.Over(wallet(who), object{"verifyOnly": true}))
			got := s.Complete(rule, wallet(who))
			simulation.Predicts(got)
			if want == "" {
				dry.Refused(400, notAchieved)
				got.Refused(400, notAchieved)
				continue
			}
			dry.OK()
			got.OK()
			if balance := s.Balance(who); balance != want {
				t.Errorf("%s has %s", who, balance)
			}
			s.Complete(rule, wallet(who)).Refused(400, apptest.PaidAlready)
		}
		entry := s.Get("/api/loyalty/transaction_entries?walletAddress=" + apptest.Alice).Data()[0]["metadata"].(object)
		if fmt.Sprint(entry["held"]) != "250.5" || fmt.Sprint(entry["blocks"]) != fmt.Sprintf("map[devnet:%d]", c.Head()) {
			t.Errorf("the entry says %v", entry)
		}
		missing := s.Simulate(rule, wallet(apptest.Bob)).JSON()["missing"].(object)["value"].(object)
		if fmt.Sprint(missing) != "map[have:99.999999 need:100]" {
			t.Errorf("missing %v", missing)
		}

		c.coins(coin, apptest.Carol, 1) // with what its group holds, just enough
		s.In(apptest.Bob, "g")
		s.In(apptest.Carol, "g")
		s.Complete(rule, wallet(apptest.Carol)).OK()
		if s.Balance(apptest.Carol) != "5" {
			t.Errorf("a group that holds 100 earns %s", s.Balance(apptest.Carol))
		}
		s.Complete(rule, wallet(apptest.Bob)).Refused(400, apptest.PaidAlready)

		c.coins(coin, cold, 150_000_000)
		delegate(s, cold, dave)
		s.Complete(rule, wallet(cold)).Refused(400, notAchieved) // it counts for its delegate alone
		s.Complete(rule, wallet(dave)).OK()
		if s.Balance(dave) != "5" {
			t.Errorf("with a cold wallet: %s", s.Balance(dave))
		}

		batches := s.Rule("token_hold_erc20", object{"collections": on(coin, other), "metadata": object{
			"rewardByBatch": true, "batchSize": 100, "collection": []object{{"address": coin, "multiplier": "1.5"}},
		}})
		s.Complete(batches, wallet(apptest.Alice)).OK() // 250.5 x 1.5 are 3 batches
		if s.Balance(apptest.Alice) != "80" {
			t.Errorf("with batches: %s", s.Balance(apptest.Alice))
		}
		s.Complete(batches, wallet("0x00000000000000000000000000000000000000ff")).Refused(400, notAchieved)
		s.Sound()
	})
}

func TestCallsCountTheCoinOfTheNetwork(t *testing.T) {
	t.Parallel()
	for _, hasMulticall := range []bool{false, true} {
		eachWithChain(t, func(t *testing.T, s *apptest.Server, c chain) {
			if hasMulticall {
				c.PlaceMulticall()
			}
			rule := s.Rule("token_hold_erc20", object{"network": "devnet", "amount": 2, "metadata": object{
				"erc20Type": "native", "rewardPerAction": true,
			}})
			c.Send(apptest.Alice, "0x", "0x14d1120d7b160000") // 1.5
			c.Send(apptest.Bob, "0x", "0xde0b6b3a7640001")    // 1, and a little
			s.In(apptest.Alice, "g")
			s.In(apptest.Bob, "g")
			s.Complete(rule, wallet(apptest.Alice)).OK()
			if s.Balance(apptest.Alice) != "5" {
				t.Errorf("2.5 coins earn %s", s.Balance(apptest.Alice))
			}
			s.Complete(rule, wallet(dave)).Refused(400, notAchieved)
		})
	}
}

func TestACallAboutHoldingsFailsWithItsNode(t *testing.T) {
	t.Parallel()
	eachWithChain(t, func(t *testing.T, s *apptest.Server, c chain) {
		coin := c.Deploy("tokens", "Coin", fmt.Sprintf("%064x", 0))
		c.coins(coin, apptest.Alice, 7)
		rule := s.Rule("token_hold_erc20", object{"collections": on(coin)})
		for message, fault := range map[string]anvil.Fault{
			"Provider failed":                                      {Status: 500},
			"Provider did not give a valid answer":                 {IsEmpty: true},
			"Provider is rate limited, please try again later":     {Status: 429, RetryAfter: "3"},
			"Provider has no data of the block that is to be read": {Error: map[string]any{"eth_call": object{"code": -32000, "message": "missing trie node 12ab"}}},
		} {
			c.Mine(1) // what was read of a block is kept
			c.proxy.Set(fault)
			s.Complete(rule, wallet(apptest.Alice)).Refused(503, message)
			s.Complete(rule, apptest.Over(wallet(apptest.Alice), object{"verifyOnly": true})).Refused(503, message)
			c.proxy.Set(anvil.Fault{})
			s.Clock.Advance(10 * time.Minute)
		}
		if n := s.Count("/api/loyalty/transaction_entries?walletAddress=" + apptest.Alice); n != 0 {
			t.Errorf("a node that fails has led to %d entries", n)
		}
		s.Complete(rule, wallet(apptest.Alice)).OK()
	})
}

func TestWhatIsNoTokenIsRefused(t *testing.T) {
	t.Parallel()
	eachWithChain(t, func(t *testing.T, s *apptest.Server, c chain) {
		coin, bare := c.Deploy("tokens", "Coin", fmt.Sprintf("%064x", 0)), c.Deploy("tokens", "BareCoin", "")
		items, pieces := c.Deploy("tokens", "Items", ""), c.Deploy("tokens", "Pieces", "")
		yes, multicall := c.Deploy("tokens", "Yes", ""), c.Deploy("tokens", "Multicall", "")
		ids := func(contract string) object {
			return object{"collection": []object{{"address": contract, "tokenIds": []any{1, "2"}}}}
		}
		for _, kind := range []string{"token_hold", "token_hold_erc20", "snapshot_hold", "snapshot_full_set"} {
			isFungible := kind == "token_hold_erc20"
			problems := []struct {
				address  string
				metadata object
				problem  string
			}{
				{anvil.Second, object{}, "is not a contract"},
				{"0x12", object{}, "is not the address of a contract"},
				{bare, object{}, "is not a contract of tokens"},
				{multicall, object{}, "is not a contract of tokens"},
				{coin, object{}, "is not a collection"},
				{yes, object{}, "is not a collection"},
				{items, ids(items), "has no balances by token, and the rule names token ids"},
			}
			for _, p := range problems {
				if isFungible && (p.address == coin || p.address == yes) {
					continue
				}
				if isFungible && p.address == items {
					p.problem = "is not a fungible token"
				}
				want := p.address + " on devnet " + p.problem
				run := s.Rule(kind, object{"collections": on(p.address), "metadata": p.metadata, "frequency": "once"})
				s.RunSchedule()
				c.confirm(s.Clock.Now())
				s.Clock.Advance(10 * time.Second)
				s.RunSchedule()
				if got := apptest.RunCounts(s.Runs(run)[0]); got != "failed 0/0/0/0 "+want {
					t.Errorf("%s: the run is %s, want %s", kind, got, want)
				}
				switch kind {
				case "token_hold":
					rule := s.Rule(kind, object{"collections": on(p.address), "metadata": p.metadata, "rewardType": "multiplier", "amount": 2})
					s.Complete(rule, wallet(apptest.Alice)).Refused(400, want)
				case "token_hold_erc20":
					rule := s.Rule(kind, object{"collections": on(p.address), "metadata": p.metadata})
					s.Complete(rule, wallet(apptest.Alice)).Refused(400, want)
				}
			}
		}
		pool := object{"liquidity": object{"network": "devnet", "pools": []object{{"id": coin}}, "liquidityPerDay": 1}}
		run := s.Rule("liquidity_amm_v2", object{"frequency": "once", "metadata": pool})
		s.RunSchedule()
		want := "failed 0/0/0/0 Rule is not setup: no dollar token of devnet is configured"
		if got := apptest.RunCounts(s.Runs(run)[0]); got != want {
			t.Errorf("the run is %s, want %s", got, want)
		}
		for path, metadata := range map[string]object{
			"metadata.collection.0.tokenIds.1": {"collection": []object{{"address": pieces, "tokenIds": []any{1, "x"}}}},
			"metadata.collection.0.tokenIds":   {"collection": []object{{"address": pieces, "tokenIds": 1}}},
		} {
			body := object{"name": "N", "type": "token_hold", "collections": on(pieces), "metadata": metadata}
			if got := s.Post("/api/loyalty/rules", body); got.Status != 400 || !strings.Contains(got.Body, `"`+path+`"`) {
				t.Errorf("%s: %s", path, got.Body)
			}
		}
	})
}

func TestTokenHoldByCallGivesMultipliers(t *testing.T) {
	t.Parallel()
	eachWithChain(t, func(t *testing.T, s *apptest.Server, c chain) {
		items := c.Deploy("tokens", "Items", "")
		c.items(items, apptest.Alice, 1)
		multiplier := object{"collections": on(items), "rewardType": "multiplier", "amount": 2}
		complete := func(properties ...object) apptest.Response {
			return s.Complete(s.Rule("token_hold", apptest.Over(object{}, properties...)), wallet(apptest.Alice))
		}
		complete(object{"collections": on(items)}).Refused(400, "Claim on token hold is supported only for multipliers")
		for _, name := range []string{"hasPaidFullRoyalty", "onlyNative"} {
			complete(multiplier, object{"metadata": object{name: true}}).
				Refused(400, "Claim on token hold is not supported for paid full royalty or native purchases")
		}
		for _, network := range []string{"sui", "unreadnet", "polygon"} {
			there := object{"collections": []object{{"address": items, "network": network}}}
			complete(multiplier, there).Refused(400, fmt.Sprintf("Claim on token hold is not supported for %s", network))
			s.Complete(s.Rule("token_hold_erc20", there), wallet(apptest.Alice)).Refused(400, "Rule is not setup")
			run := s.Rule("token_hold", apptest.Over(there, object{"frequency": "once"}))
			s.RunSchedule()
			if got := apptest.RunCounts(s.Runs(run)[0]); got != "failed 0/0/0/0 Rule is not setup: no node of "+network+" is configured" {
				t.Errorf("the run is %s", got)
			}
		}
		complete(object{"rewardType": "multiplier"}).Refused(400, "Rule is not setup")
		complete(multiplier, object{"metadata": object{"hasNeverSold": true}}).Refused(400, "Rule is not setup")

		rule := s.Rule("token_hold", apptest.Over(multiplier, object{"rewardLifetime": "dynamic", "collections": nil,
			"collectionAddress": items, "network": "devnet"}))
		s.Complete(rule, wallet(apptest.Bob)).Refused(400, notAchieved)
		s.Complete(rule, wallet(apptest.Alice)).OK()
		s.Complete(rule, wallet(apptest.Alice)).Refused(400, apptest.PaidAlready)
		has := func(want string) {
			t.Helper()
			if got := fmt.Sprint(s.MultiplierValues(apptest.Alice)); got != want {
				t.Errorf("multipliers %s, want %s", got, want)
			}
		}
		has("[2]")
		s.CheckDynamicRewards(25 * time.Hour)
		has("[2]")
		c.Send(items, call("transferFrom(address,address,uint256)", apptest.Alice, apptest.Bob, 1), "0x0")
		c.proxy.Set(anvil.Fault{Status: 500})
		s.CheckDynamicRewards(25 * time.Hour)
		has("[2]") // nobody knows
		c.proxy.Set(anvil.Fault{})
		s.CheckDynamicRewards(time.Hour)
		has("[]")
	})
}

func TestRunsReadTheLastBlockOfTheirTime(t *testing.T) {
	t.Parallel()
	eachWithChain(t, func(t *testing.T, s *apptest.Server, c chain) {
		items, pieces := c.Deploy("tokens", "Items", ""), c.Deploy("tokens", "Pieces", "")
		for _, who := range []string{apptest.Alice, apptest.Bob, apptest.Carol, dave, cold} {
			s.User(who, nil)
		}
		c.items(items, apptest.Alice, 2) // 1 and 2
		c.items(items, apptest.Bob, 2)   // 3 and 4
		c.pieces(pieces, apptest.Alice, 1, 4)
		c.pieces(pieces, apptest.Alice, 2, 1)
		c.pieces(pieces, apptest.Alice, 9, 100) // does not count
		c.items(items, cold, 2)
		delegate(s, cold, apptest.Carol)
		rules := map[string]string{}
		for _, kind := range []string{"token_hold", "snapshot_hold"} {
			rules[kind] = s.Rule(kind, object{
				"collections": on(items, pieces), "frequency": "once", "metadata": object{
					"range": []object{{"startRange": 1, "endRange": 5, "amount": 10}, {"startRange": 6, "endRange": 20, "amount": 3}},
					"collection": []object{
						{"address": items, "network": "devnet", "multiplier": 1.5},
						{"address": pieces, "multiplier": 2, "tokenIds": []any{"1", 2}},
					},
				},
			})
		}
		each := s.Rule("snapshot_hold", object{"collections": on(items), "frequency": "once", "metadata": object{"rewardPerAction": true}})
		single := s.Rule("token_hold", object{"collections": on(items), "frequency": "once", "metadata": object{
			"rewardPerAction": true, "onlyRewardSingleTokenOwnership": true}})
		plain := s.Rule("token_hold", object{"collections": on(items), "frequency": "once"})
		claimed := s.Rule("token_hold", object{"collections": on(items), "frequency": "once", "claimType": "manual"})
		set := s.Rule("snapshot_full_set", object{"collections": on(items, pieces), "frequency": "once", "metadata": object{
			"collection": []object{{"address": pieces, "tokenIds": []int{1, 2}}}}})
		// In the block of the snapshot, one token goes from Bob to Alice; later ones do not count.
		c.InOneBlock(s.Clock.Now(), func() {
			c.Submit(items, call("transferFrom(address,address,uint256)", apptest.Bob, apptest.Alice, 3))
		})
		c.NextBlockAt(s.Clock.Now().Add(time.Second))
		c.items(items, dave, 50)
		s.RunSchedule()
		if got := apptest.RunCounts(s.Runs(plain)[0]); got != "processing 0/0/0/0 Waiting for 2 more blocks of devnet" {
			t.Errorf("before the confirmations: %s", got)
		}
		c.proxy.Set(anvil.Fault{Status: 500})
		s.Clock.Advance(6 * time.Second)
		s.RunSchedule()
		if got := apptest.RunCounts(s.Runs(plain)[0]); got != "processing 0/0/0/0 Provider failed" {
			t.Errorf("while the node fails: %s", got)
		}
		c.proxy.Set(anvil.Fault{})
		c.Mine(confirmations)
		for range 3 {
			s.Clock.Advance(10 * time.Minute)
			s.RunSchedule()
		}
		paid := func(rule string) string {
			t.Helper()
			sums := map[string]string{}
			names := map[any]string{apptest.Alice: "alice", apptest.Bob: "bob", apptest.Carol: "carol", dave: "dave", cold: "cold"}
			for _, e := range s.Get("/api/loyalty/transaction_entries?limit=100&loyaltyRuleId=" + rule).Data() {
				sums[names[e["loyaltyAccount"].(object)["user"].(object)["walletAddress"]]] += fmt.Sprint(e["amount"])
			}
			return fmt.Sprint(sums)
		}
		for _, w := range []struct{ rule, want, counts string }{
			// Alice holds 3 + 5: 3 x (3 x 1.5 + 5 x 2). Bob holds 1: 10 x 1.5. Carol has 2 in a cold wallet: 10 x 3.
			{rules["token_hold"], "map[alice:43.5 bob:15 carol:30]", "complete 5/3/2/0 "},
			{rules["snapshot_hold"], "map[alice:43.5 bob:15 carol:30]", "complete 5/3/2/0 "},
			{each, "map[alice:30 bob:10 carol:20]", "complete 5/3/2/0 "},
			{single, "map[alice:10 bob:10 carol:10]", "complete 5/3/2/0 "},
			{plain, "map[alice:10 bob:10 carol:10]", "complete 5/3/2/0 "},
			{set, "map[alice:10]", "complete 5/1/4/0 "},
		} {
			if got := paid(w.rule); got != w.want {
				t.Errorf("paid %s, want %s", got, w.want)
			}
			if got := apptest.RunCounts(s.Runs(w.rule)[0]); got != w.counts {
				t.Errorf("the run is %q, want %q", got, w.counts)
			}
		}
		s.Complete(each, wallet(apptest.Alice)).Refused(400, "Quest not completed")
		if got := paid(claimed); got != "map[]" {
			t.Errorf("before a claim: %s", got)
		}
		s.Complete(claimed, wallet(dave)).Refused(400, "Quest not completed") // he held none at the block of the run
		s.Complete(claimed, wallet(apptest.Carol)).OK()
		if got := paid(claimed); got != "map[carol:10]" {
			t.Errorf("after a claim: %s", got)
		}
		s.Sound()
	})
}

func TestRunsReadManyHoldersInOneCall(t *testing.T) {
	t.Parallel()
	for _, hasMulticall := range []bool{false, true} {
		eachWithChain(t, func(t *testing.T, s *apptest.Server, c chain) {
			if hasMulticall {
				c.PlaceMulticall()
			}
			coin := c.Deploy("tokens", "Coin", fmt.Sprintf("%064x", 0))
			const members = 120
			for i := range members {
				s.User(apptest.Wallet(1000+i), nil)
			}
			for i := range 5 {
				c.coins(coin, apptest.Wallet(1000+20*i), 1+i)
			}
			rule := s.Rule("token_hold_erc20", object{
				"collections": on(coin), "frequency": "once", "metadata": object{"rewardPerAction": true},
			})
			c.confirm(s.Clock.Now())
			posts, calls := c.proxy.Posts(), c.proxy.Calls("eth_call")
			s.RunSchedule()
			posts, calls = c.proxy.Posts()-posts, c.proxy.Calls("eth_call")-calls
			if got := apptest.RunCounts(s.Runs(rule)[0]); got != "complete 120/5/115/0 " {
				t.Errorf("the run is %s", got)
			}
			if got := s.Balance(apptest.Wallet(1080)); got != "50" {
				t.Errorf("5 tokens earn %s", got)
			}
			t.Logf("%d members: %d posts, %d calls, multicall: %v", members, posts, calls, hasMulticall)
			if posts > 20 || hasMulticall && calls > 5+5 { // 5 calls say what the contract is
				t.Errorf("%d members cost %d posts, %d calls", members, posts, calls)
			}
		})
	}
}
