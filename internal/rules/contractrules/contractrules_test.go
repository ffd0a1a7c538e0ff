package contractrules_test

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math/big"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/app"
	"laurel.example/laurel/internal/dev/anvil"
	"laurel.example/laurel/internal/dev/apptest"
	"laurel.example/laurel/internal/dev/storetest"
	"laurel.example/laurel/internal/evm/abi"
)

type object = apptest.Object

const (
	subscriptions = "/api/stratus/subscriptions"
	// The contract logs what it is called with: behind the selector, the topic of the event, an indexed argument, and data.
	poster    = "0x60128060095f395ff3365f5f376024516004516044360360" + "44a200"
	paidEvent = "event Paid(address indexed to, uint256 value)"
	postCall  = "function post(bytes32 topic, uint256 id, uint256 value)"
	shopABI   = `[{"type":"event","name":"Paid","inputs":[{"name":"to","type":"address","indexed":true},{"name":"value","type":"uint256"}]},
		{"type":"function","name":"post","inputs":[{"name":"topic","type":"bytes32"},{"name":"id","type":"uint256"},{"name":"value","type":"uint256"}]}]`
	confirmations = 6
)

// chain is a server with a blockchain that has a contract.
type chain struct {
	*apptest.Server
	t        *testing.T
	node     *anvil.Node
	proxy    *anvil.Proxy // in front of the node
	receiver *apptest.Receiver
	address  string // of the contract
	contract string // its id
	paid     *abi.Event
	post     *abi.Function
	last     time.Time // of the last block
	database string
}

// each runs a test on both engines, each with a chain of its own.
func each(t *testing.T, f func(t *testing.T, c *chain)) {
	t.Helper()
	storetest.EachURL(t, func(t *testing.T, address string) {
		n := anvil.Start(t)
		c := &chain{t: t, node: n, proxy: anvil.NewProxy(t, n), receiver: apptest.NewReceiver(t), database: address}
		c.paid = abi.ParseEvent(new(laurel.Faults), "", paidEvent)
		c.post = abi.ParseFunction(new(laurel.Faults), "", postCall)
		var receipt struct{ ContractAddress string }
		if err := json.Unmarshal(n.Do("eth_getTransactionReceipt", n.Send("", poster, "0x0")), &receipt); err != nil {
			t.Fatal(err)
		}
		c.address = strings.ToLower(receipt.ContractAddress)
		path := filepath.Join(t.TempDir(), "networks.json")
		text := fmt.Sprintf(`{"networks": [{"name": "devnet", "chainId": 31337, "confirmations": %d, "rpcUrl": [%q]}]}`, confirmations, c.proxy.URL)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		c.Server = apptest.OpenAtNoon(t, address, app.Config{NoRateLimits: true, Dev: true, Networks: path})
		c.Clock.Set(time.Now().Add(time.Minute)) // the chain has begun just now
		c.look()
		c.contract = c.Post("/api/contracts", object{
			"name": "Shop", "address": c.address, "chainId": 31337, "type": "custom", "abi": shopABI,
		}).Created()["id"].(string)
		f(t, c)
	})
}

func (c *chain) look() { c.App.Networks.Look(context.Background()) }

// read reads all that there is on the chain, delivers it, and lets rules decide on it.
func (c *chain) read() {
	c.t.Helper()
	c.look()
	if err := c.App.Reader.Read(context.Background()); err != nil {
		c.t.Fatal(err)
	}
	for range 40 { // a turn of the sender has an end
		c.DeliverEvents()
	}
	c.Clock.Advance(time.Second)
	if err := c.App.ContractRules.RunDue(context.Background()); err != nil {
		c.t.Fatal(err)
	}
}

// readInterrupted is read, but it is cut off again and again while it works.
func (c *chain) readInterrupted() {
	c.t.Helper()
	c.look()
	for range 30 {
		ctx, cancel := context.WithTimeout(context.Background(), 20*time.Millisecond)
		_ = c.App.Reader.Read(ctx)
		_ = c.App.ContractRules.RunDue(ctx)
		cancel()
	}
	c.Clock.Advance(10 * time.Minute) // leases and pauses end
	c.read()
}

// instant creates a subscription that gets the events at once.
func (c *chain) instant() string {
	c.t.Helper()
	return c.Post(subscriptions, object{
		"name": "Chain", "organizationId": c.OrganizationID, "websiteId": c.WebsiteID, "callbackUrl": c.receiver.URL,
		"finality": "instant", "blockchainSubscriptions": []any{object{
			"chainId": 31337, "contractAddress": c.address, "blockchainSubscriptionType": "EVENT", "eventAbi": paidEvent,
		}},
	}).OK()["id"].(string)
}

// rule creates a rule that pays 1 for each event of the contract to the wallet that the event names.
func (c *chain) rule(properties, contract object) string {
	c.t.Helper()
	watched := object{"contractId": c.contract, "event": "Paid", "addressMapping": "to"}
	maps.Copy(watched, contract)
	all := object{"amount": 1, "interval": "unlimited", "metadata": object{"smartContract": watched}}
	for name, value := range properties {
		if name == "onReorg" {
			all["metadata"].(object)["onReorg"] = value
		} else {
			all[name] = value
		}
	}
	return c.Rule("smart_contract_event", all)
}

func wallet(n int) string { return fmt.Sprintf("0x%040x", 0xabc000+n) }

// emit makes a block, of the time of the server, with an event for each pair of a wallet and a value.
func (c *chain) emit(pairs ...[2]int) {
	c.t.Helper()
	at := c.Clock.Now().Truncate(time.Second)
	if !at.After(c.last) {
		at = c.last.Add(time.Second)
	}
	c.last = at
	c.node.InOneBlock(at, func() {
		for _, p := range pairs {
			word, _ := new(big.Int).SetString(wallet(p[0])[2:], 16)
			call, err := c.post.EncodeCall(c.paid.Topic, word.String(), strconv.Itoa(p[1]))
			if err != nil {
				c.t.Fatal(err)
			}
			// with one price the same call after a reorganization is the same transaction
			c.node.Text("eth_sendTransaction", map[string]string{
				"from": anvil.First, "to": c.address, "data": fmt.Sprintf("0x%x", call), "gas": "0x15f90", "gasPrice": "0x77359400",
			})
		}
	})
}

// confirm makes the blocks that confirm those before.
func (c *chain) confirm() {
	c.t.Helper()
	for range confirmations {
		c.emit()
	}
}

// canonical counts the contract's events on the chain by their keys and by their wallets.
func (c *chain) canonical() (keys, wallets map[string]int) {
	c.t.Helper()
	var logs []struct {
		BlockHash, TransactionHash, LogIndex string
		Topics                               []string
	}
	filter := object{"address": c.address, "fromBlock": "0x0", "toBlock": "latest"}
	if err := json.Unmarshal(c.node.Do("eth_getLogs", filter), &logs); err != nil {
		c.t.Fatal(err)
	}
	keys, wallets = map[string]int{}, map[string]int{}
	for _, l := range logs {
		index, err := strconv.ParseUint(l.LogIndex, 0, 64)
		if err != nil {
			c.t.Fatal(err)
		}
		keys[fmt.Sprintf("31337:%s:%s:%d", l.BlockHash, l.TransactionHash, index)]++
		wallets["0x"+l.Topics[1][26:]]++
	}
	return keys, wallets
}

// entriesOf returns the entries of a rule, newest first.
func (c *chain) entriesOf(rule string) (out []object) {
	c.t.Helper()
	for after := ""; ; {
		page := c.Get("/api/loyalty/transaction_entries?limit=100&loyaltyRuleId=" + rule + after)
		out = append(out, page.Data()...)
		if page.OK()["hasNextPage"] == false {
			return out
		}
		after = "&startingAfter=" + out[len(out)-1]["id"].(string)
	}
}

// paidTo returns what a rule has paid to wallets, less what it has taken back, such as "3:2 5:1".
func (c *chain) paidTo(rule string) string {
	c.t.Helper()
	sums := map[int]int{}
	for _, e := range c.entriesOf(rule) {
		amount, err := strconv.Atoi(e["amount"].(json.Number).String())
		if err != nil {
			c.t.Fatal(err)
		}
		if e["direction"] == "debit" {
			amount = -amount
		}
		number, err := strconv.ParseInt(e["loyaltyAccount"].(object)["user"].(object)["walletAddress"].(string)[2:], 16, 64)
		if err != nil {
			c.t.Fatal(err)
		}
		sums[int(number)-0xabc000] += amount
	}
	var out []string
	for _, n := range slices.Sorted(maps.Keys(sums)) {
		if sums[n] != 0 {
			out = append(out, fmt.Sprintf("%d:%d", n, sums[n]))
		}
	}
	return strings.Join(out, " ")
}

// is checks what a rule has paid.
func (c *chain) is(what, rule, want string) {
	c.t.Helper()
	if got := c.paidTo(rule); got != want {
		c.t.Errorf("%s: paid %q, want %q", what, got, want)
	}
}

// TestPointsAreThoseOfTheChainsEvents emits a thousand events while reader and rules are cut off again and again. Then
// the chain replaces the blocks of the last twenty.
func TestPointsAreThoseOfTheChainsEvents(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, c *chain) {
		atOnce := c.rule(object{"amount": 2, "subscriptionId": c.instant()}, nil)
		confirmed := c.rule(nil, nil)
		block := func(first, count int) (out [][2]int) {
			for i := range count {
				out = append(out, [2]int{(first + i) % 10, 1})
			}
			return out
		}
		for i := range 8 {
			c.emit(block(i, 60)...)
		}
		c.readInterrupted()
		for i := range 10 {
			c.emit(block(i, 50)...)
		}
		mark := c.node.Snapshot()
		for i := range 4 {
			c.emit(block(i, 5)...)
		}
		c.read()
		c.is("all, at once", atOnce, "0:198 1:200 2:202 3:204 4:204 5:202 6:200 7:198 8:196 9:196")
		c.node.Revert(mark)
		for i := range confirmations + 1 {
			c.emit([2]int{20 + i, 1})
		}
		c.readInterrupted()
		keys, wallets := c.canonical()
		if len(keys) != 980+confirmations+1 {
			t.Fatalf("%d events", len(keys))
		}
		c.confirm()
		c.read()
		want := func(factor int) string {
			var out []string
			for n := range 40 {
				if count := wallets[wallet(n)]; count > 0 {
					out = append(out, fmt.Sprintf("%d:%d", n, factor*count))
				}
			}
			return strings.Join(out, " ")
		}
		c.is("at once", atOnce, want(2))
		c.is("after the confirmations", confirmed, want(1))
		applied := map[string]int{}
		for _, call := range c.receiver.TakeCalls() {
			var body struct{ Data object }
			if err := json.Unmarshal([]byte(call.Body), &body); err != nil {
				t.Fatal(err)
			}
			key := body.Data["eventKey"].(string)
			applied[key]++
			if body.Data["removed"] == true {
				applied[key] -= 2
			}
			if applied[key] == 0 {
				delete(applied, key)
			}
		}
		if !maps.Equal(applied, keys) {
			t.Errorf("the receiver has %d events, the chain %d", len(applied), len(keys))
		}
		debits := 0
		for _, e := range c.entriesOf(atOnce) {
			about, _ := e["metadata"].(object)
			if !strings.HasPrefix(fmt.Sprint(about["eventKey"]), "31337:0x") {
				t.Fatalf("%v", e)
			}
			if e["direction"] == "debit" {
				debits++
				if about["loyaltyRuleId"] != atOnce || about["reason"] != "Block left the chain" {
					t.Errorf("%v", e)
				}
			}
		}
		if debits != 20 {
			t.Errorf("%d debits", debits)
		}
		c.Sound()
	})
}

// TestRulesPayForTheEventsThatTheyName has rules of all kinds watch one contract.
func TestRulesPayForTheEventsThatTheyName(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, c *chain) {
		past := c.Clock.Now().Add(-10 * time.Second).Format(time.RFC3339)
		c.emit([2]int{1, 1})
		c.Clock.Advance(time.Minute)
		where := func(tests ...object) object { return object{"params": tests} }
		test := func(name, condition string, value any) object {
			return object{"name": name, "condition": condition, "value": value}
		}
		list := []struct {
			name                 string
			properties, contract object
			want                 string
		}{
			{"every event", nil, nil, "1:2 2:1 3:1"},
			{"since a moment", object{"effectiveStartTime": past}, nil, "1:3 2:1 3:1"},
			{"until a moment", object{"effectiveEndTime": past}, nil, ""},
			{"greater", nil, where(test("value", "greater_than", "9")), "2:1 3:1"},
			{"as integers", nil, where(test("value", "less_than", 20)), "1:2 2:1"},
			{"both", nil, where(test("value", "greater_than_or_equal", 10), test("value", "not_equals", 10.0)), "3:1"},
			{"a wallet", nil, where(test("to", "equals", "0x"+strings.ToUpper(wallet(3)[2:]))), "3:1"},
			{"a part", nil, where(test("to", "contains", "ABC002")), "2:1"},
			{"an unknown word", nil, where(test("value", "less_than_or_equal", "2")), "1:2"},
			{"whatever they are", nil, object{"criteria": "everyEvent", "params": []object{test("value", "equals", 0)}}, "1:2 2:1 3:1"},
			{"by its signature", nil, object{"event": "Paid(address indexed to, uint256 value)"}, "1:2 2:1 3:1"},
			{"times a value", nil, object{"amountMultiplier": object{"valueMapping": "value"}}, "1:3 2:10 3:20"},
			{"once", object{"interval": "once"}, nil, "1:1 2:1 3:1"},
			{"up to a maximum", object{"amount": 4, "maxAmountInterval": "lifetime", "maxAmountPerInterval": 6}, nil, "1:6 2:4 3:4"},
		}
		rules := make([]string, len(list))
		for i, one := range list {
			rules[i] = c.rule(one.properties, one.contract)
		}
		calls := c.rule(nil, object{"type": "function", "event": "post", "addressMapping": "", "params": []object{
			test("value", "equals", 10),
		}})
		deleted := c.rule(nil, nil)
		c.emit([2]int{1, 1}, [2]int{2, 10}, [2]int{1, 2})
		c.emit([2]int{3, 20})
		c.Remove("/api/loyalty/rules/" + deleted)
		c.read()
		for i, one := range list {
			if one.name != "since a moment" {
				c.is(one.name+", before the confirmations", rules[i], "")
			}
		}
		c.confirm()
		c.read()
		for i, one := range list {
			c.is(one.name, rules[i], one.want)
		}
		c.is("deleted", deleted, "")
		paid := c.entriesOf(calls)
		if len(paid) != 1 || paid[0]["loyaltyAccount"].(object)["user"].(object)["walletAddress"] != anvil.First ||
			!strings.HasSuffix(fmt.Sprint(paid[0]["metadata"].(object)["eventKey"]), ":call") {
			t.Errorf("%v", paid)
		}
		c.Post("/api/loyalty/rules/"+rules[1], object{"effectiveStartTime": c.Clock.Now().Add(-time.Hour).Format(time.RFC3339)}).OK()
		c.read() // the past is read again
		c.is("again", rules[1], "1:3 2:1 3:1")
		c.Complete(rules[0], object{"walletAddress": wallet(1)}).Refused(400, "Quest not completed")
		c.Sound()
	})
}

// TestPointsOfBlocksThatLeaveTheChain takes back what was paid at once, as each rule says.
func TestPointsOfBlocksThatLeaveTheChain(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, c *chain) {
		sub := c.instant()
		only := func(n int, properties object) string {
			properties["subscriptionId"], properties["amount"] = sub, 5
			return c.rule(properties, object{"contractId": nil, "params": []object{
				{"name": "to", "condition": "equals", "value": wallet(n)},
			}})
		}
		within, all, kept := only(1, object{}), only(2, object{"onReorg": "reverse"}), only(3, object{"onReorg": "keep"})
		daily, keptDaily := only(4, object{"interval": "daily"}), only(5, object{"interval": "daily", "onReorg": "keep"})
		function := c.Post("/api/stratus/functions", object{"name": "F", "code": `module.exports.handler = async (input, output) => {
			if (input.event.data.args.to.endsWith("6")) output.setResult([{walletAddress: input.event.data.args.to, amount: 5}]);
			else output.setResult([]); return output.buildOutput(); };`}).OK()["id"]
		decided := c.Rule("stratus_function", object{"functionId": function, "subscriptionId": sub, "interval": "unlimited"})
		c.Post("/api/loyalty/rules", object{"name": "R", "type": "smart_contract_event", "metadata": object{"onReorg": "undo"}}).
			Refused(400, "metadata.onReorg must be one of: reverse_within_balance, reverse, keep")
		events := [][2]int{{1, 1}, {2, 1}, {3, 1}, {4, 1}, {5, 1}, {6, 1}}
		c.emit()
		mark := c.node.Snapshot()
		c.emit(events...)
		c.read()
		list := map[string]string{within: "1:5", all: "2:5", kept: "3:5", daily: "4:5", keptDaily: "5:5", decided: "6:5"}
		for rule, want := range list {
			c.is("at first", rule, want)
		}
		c.node.Revert(mark)
		c.emit(events...) // the same transactions in another block
		c.emit()
		mark = c.node.Snapshot()
		c.read()
		for rule, want := range list {
			c.is("included again", rule, want)
		}
		if n := len(c.entriesOf(daily)); n != 3 {
			t.Errorf("%d entries: want a credit, a debit and a credit", n)
		}
		if n := len(c.entriesOf(kept)); n != 1 {
			t.Errorf("%d entries of a rule whose points stay", n)
		}
		for n := range 2 {
			c.Transact(apptest.Points(wallet(n+1), 3, apptest.Debit)).OK()
		}
		c.emit([2]int{1, 1}, [2]int{2, 1}) // 7 points each
		c.read()
		c.node.Revert(mark)
		for range 2 {
			c.emit([2]int{9, 1})
		}
		c.read()
		c.is("taken back", within, "1:5")
		c.is("taken back", all, "2:5")
		for n := range 2 {
			c.Transact(apptest.Points(wallet(n+1), 2, apptest.Debit)).OK() // nothing is left
		}
		c.Sound()
	})
}

// TestWhatTheBalanceDoesNotCoverIsOwed takes back more than a member has.
func TestWhatTheBalanceDoesNotCoverIsOwed(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, c *chain) {
		sub := c.instant()
		rule := c.rule(object{"amount": 5, "subscriptionId": sub, "onReorg": "reverse"}, object{"contractId": nil})
		other := c.rule(object{"amount": 7, "subscriptionId": sub}, object{"contractId": nil, "params": []object{
			{"name": "to", "condition": "equals", "value": wallet(2)},
		}})
		c.emit()
		mark := c.node.Snapshot()
		c.emit([2]int{1, 1})
		c.read()
		c.Transact(apptest.Points(wallet(1), 3, apptest.Debit)).OK()
		c.node.Revert(mark)
		c.emit([2]int{2, 1})
		c.emit()
		c.read()
		account := func(n int) string {
			a := c.Get("/api/loyalty/accounts?walletAddress=" + wallet(n)).Data()[0]
			return fmt.Sprint(a["amount"], " ", a["receivable"])
		}
		if got := account(1); got != "0 3" {
			t.Errorf("after 5 were taken back of 2: %s", got)
		}
		c.is("the other rule", other, "2:7")
		c.is("this rule", rule, "1:3 2:5")
		c.Transact(apptest.Points(wallet(1), 2)).OK()
		if got := account(1); got != "0 1" {
			t.Errorf("after a credit of 2: %s", got)
		}
		c.Transact(apptest.Points(wallet(1), 4)).OK()
		if got := account(1); got != "3 <nil>" {
			t.Errorf("after a credit of 4: %s", got)
		}
		c.Transact(apptest.Points(wallet(1), 4)).OK()
		if got := account(1); got != "7 <nil>" {
			t.Errorf("after another credit of 4: %s", got)
		}
		c.Sound()
	})
}

// TestEventsOfTheContractBeforeEarnNothing changes the contract of a rule that has not decided on all of its events.
func TestEventsOfTheContractBeforeEarnNothing(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, c *chain) {
		mended, kept := c.rule(nil, nil), c.rule(nil, nil)
		c.emit()
		c.read()
		c.emit([2]int{1, 1}, [2]int{2, 1})
		c.confirm()
		c.look()
		if err := c.App.Reader.Read(context.Background()); err != nil {
			t.Fatal(err)
		}
		other := c.Post("/api/contracts", object{
			"name": "Other", "address": wallet(9), "chainId": 31337, "type": "custom", "abi": shopABI,
		}).Created()["id"].(string)
		c.Update(mended, object{"metadata": object{
			"smartContract": object{"contractId": other, "event": "Paid", "addressMapping": "to"},
		}})
		c.read()
		c.is("of the other contract", mended, "")
		c.is("of the same contract", kept, "1:1 2:1")
	})
}

// TestARuleForApplicationsPaysTheDeployer, and nobody else, as soon as it is known.
func TestARuleForApplicationsPaysTheDeployer(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, c *chain) {
		rule := c.rule(object{"isDappRule": true}, nil)
		c.emit()
		c.read()
		c.emit([2]int{1, 1}, [2]int{2, 1})
		c.confirm()
		c.read()
		if got := c.entriesOf(rule); len(got) != 0 {
			t.Errorf("paid before anybody looked: %v", got)
		}
		if err := c.App.Usage.Read(context.Background()); err != nil {
			t.Fatal(err)
		}
		c.Clock.Advance(10 * time.Minute)
		c.read()
		paid := c.entriesOf(rule)
		if len(paid) != 2 {
			t.Fatalf("%v", paid)
		}
		for _, e := range paid {
			if wallet := e["loyaltyAccount"].(object)["user"].(object)["walletAddress"]; wallet != anvil.First {
				t.Errorf("paid to %v", wallet)
			}
		}
		c.Sound()
	})
}

// TestARuleForApplicationsWaitsForANode: a server without a node of the network cannot tell who has deployed a contract,
// which another one may. So the event is decided again, and nobody else is paid.
func TestARuleForApplicationsWaitsForANode(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		contract := s.Post("/api/contracts", object{
			"name": "Shop", "address": wallet(1), "chainId": 1, "type": "custom", "abi": shopABI,
		}).Created()["id"]
		rule := s.Rule("smart_contract_event", object{
			"isDappRule": true, "metadata": object{"smartContract": object{"contractId": contract, "event": "Paid"}},
		})
		id, err := laurel.ParseID(rule)
		if err != nil {
			t.Fatal(err)
		}
		event, err := json.Marshal(object{
			"chainId": 1, "contractAddress": wallet(1), "eventName": "Paid", "args": object{}, "txHash": "0xa", "eventKey": "1:0xb:0xa:0",
			"blockTimestamp": laurel.Stamp(s.Clock.Now()), "txFrom": apptest.Alice, "removed": false,
		})
		if err != nil {
			t.Fatal(err)
		}
		err = s.App.Completions.DecideOnContractEvent(t.Context(), s.WebsiteScope(), id, event, s.Clock.Now())
		if want := "no node of the network with the chain id 1 is configured"; err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("the decision ends with %v, want %s", err, want)
		}
		if got := s.Get("/api/loyalty/transaction_entries?loyaltyRuleId=" + rule).Data(); len(got) > 0 {
			t.Errorf("paid %v", got)
		}
	})
}

// TestAKeptTransactionIsPaidOnce: a transaction has its events at other places of another block, and points that stay
// are not paid again there.
func TestAKeptTransactionIsPaidOnce(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		contract := s.Post("/api/contracts", object{
			"name": "Shop", "address": wallet(1), "chainId": 1, "type": "custom", "abi": shopABI,
		}).Created()["id"]
		rule := func(policy string) string {
			return s.Rule("smart_contract_event", object{"amount": 1, "interval": "unlimited", "metadata": object{
				"onReorg": policy, "smartContract": object{"contractId": contract, "event": "Paid"}}})
		}
		kept, reversed := rule("keep"), rule("reverse")
		decide := func(key string, isRemoved bool) {
			t.Helper()
			decideInBlock(s, key, isRemoved, kept, reversed)
		}
		decide("0xb1:0xa:5", false)
		decide("0xb1:0xa:7", false)
		decide("0xb1:0xa:5", true)
		decide("0xb1:0xa:7", true)
		decide("0xb2:0xa:8", false)
		decide("0xb2:0xa:10", false)
		decide("0xb2:0xaa:11", false) // another transaction
		for rule, want := range map[string]int{kept: 3, reversed: 5} {
			credits := s.Get("/api/loyalty/transaction_entries?limit=50&direction=credit&loyaltyRuleId=" + rule).Data()
			if len(credits) != want {
				t.Errorf("%d payments, want %d", len(credits), want)
			}
		}
		s.Sound()
	})
}

// decideInBlock lets rules decide on an event of alice in a block, with a key that names the block, the transaction and
// the place, or on that the block has left the chain.
func decideInBlock(s *apptest.Server, key string, isRemoved bool, rules ...string) {
	s.T.Helper()
	for _, rule := range rules {
		id, err := laurel.ParseID(rule)
		if err != nil {
			s.T.Fatal(err)
		}
		event, err := json.Marshal(object{
			"chainId": 1, "contractAddress": wallet(1), "eventName": "Paid", "args": object{}, "eventKey": "1:" + key,
			"txHash": strings.Split(key, ":")[1], "blockTimestamp": laurel.Stamp(s.Clock.Now()), "txFrom": apptest.Alice, "removed": isRemoved,
		})
		if err == nil {
			err = s.App.Completions.DecideOnContractEvent(s.T.Context(), s.WebsiteScope(), id, event, s.Clock.Now())
		}
		if err != nil {
			s.T.Fatal(err)
		}
	}
	s.Clock.Advance(time.Second)
}

// TestATransactionIsPaidOnceWhoseReversalIsRefused: points of an external ledger stay when their block leaves the chain,
// whatever the rule's policy is, and are not paid again in another block.
func TestATransactionIsPaidOnceWhoseReversalIsRefused(t *testing.T) {
	t.Parallel()
	apptest.EachWithBank(t, func(t *testing.T, s *apptest.Server, _ *apptest.Bank, currency string) {
		contract := s.Post("/api/contracts", object{
			"name": "Shop", "address": wallet(1), "chainId": 1, "type": "custom", "abi": shopABI,
		}).Created()["id"]
		for _, policy := range []string{"reverse_within_balance", "reverse"} {
			rule := s.Rule("smart_contract_event", object{
				"amount": 15, "interval": "unlimited", "loyaltyCurrencyId": currency, "metadata": object{
					"onReorg": policy, "smartContract": object{"contractId": contract, "event": "Paid"}}})
			decideInBlock(s, "0xb1:0xa:5", false, rule)
			decideInBlock(s, "0xb1:0xa:5", true, rule)
			decideInBlock(s, "0xb2:0xa:8", false, rule)
			credits := s.Get("/api/loyalty/transaction_entries?limit=50&direction=credit&loyaltyRuleId=" + rule).Data()
			if len(credits) != 1 {
				t.Errorf("%s: one transaction was paid %d times", policy, len(credits))
			}
		}
	})
}

// TestAKeptTransactionIsPaidOnceAfterAChangeOfThePolicy: what the rule has kept is paid, though it takes points back by
// now.
func TestAKeptTransactionIsPaidOnceAfterAChangeOfThePolicy(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		contract := s.Post("/api/contracts", object{
			"name": "Shop", "address": wallet(1), "chainId": 1, "type": "custom", "abi": shopABI,
		}).Created()["id"]
		about := func(policy string) object {
			return object{"metadata": object{
				"onReorg": policy, "smartContract": object{"contractId": contract, "event": "Paid"}}}
		}
		rule := s.Rule("smart_contract_event", apptest.Over(about("keep"), object{"amount": 15, "interval": "unlimited"}))
		decideInBlock(s, "0xb1:0xa:5", false, rule)
		decideInBlock(s, "0xb1:0xa:5", true, rule)
		s.Post("/api/loyalty/rules/"+rule, about("reverse")).OK()
		decideInBlock(s, "0xb2:0xa:8", false, rule)
		if got := s.Balance(apptest.Alice); got != "15" {
			t.Errorf("the balance is %s, want 15", got)
		}
		s.Sound()
	})
}

// TestManyNewRulesBeginInPartsAtASlowNode: to find their first blocks may take longer than the lease of the reader, so
// that it stores some of them before it goes on.
func TestManyNewRulesBeginInPartsAtASlowNode(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, c *chain) {
		const count = 12
		var rules []string
		for range count {
			rules = append(rules, c.rule(nil, nil))
		}
		c.Clock.Advance(10 * time.Second)
		c.emit([2]int{1, 5})
		c.confirm()
		db := apptest.Database{DB: storetest.Open(t, c.database, c.Clock.Now), T: t}
		parts := map[int]bool{}
		c.proxy.Set(anvil.Fault{Before: func() {
			c.Clock.Advance(2 * time.Second)
			parts[db.Count("rule_watches WHERE next_block IS NOT NULL")] = true
		}})
		for range 3 {
			c.read()
		}
		c.proxy.Set(anvil.Fault{})
		if len(parts) < count/2 {
			t.Errorf("the rules have begun in the parts %v", parts)
		}
		for _, rule := range rules {
			if got := len(c.entriesOf(rule)); got != 1 {
				t.Errorf("%d entries, want 1", got)
			}
		}
	})
}
