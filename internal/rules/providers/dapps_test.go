package providers_test

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math/big"
	"math/rand/v2"
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
)

// The contract accepts calls without data and reverts others. The factory makes one with each call, and returns its
// address.
const (
	dappCode     = "6936156008575f5ffd5b005f52600a6016f3"
	factoryCode  = "60218060095f395ff371" + dappCode + "5f526012600e5ff05f5260205ff3"
	day          = 24 * time.Hour
	longAgo      = 100 * day
	plentyOfGas  = "0x7a120"
	contractsURL = "/api/contracts"
)

// dappChain is a chain with contracts, at Noon.
type dappChain struct {
	chain
	t         *testing.T
	accounts  []string
	contracts []string
	deployers map[string]string // of contracts, in lower case
}

// eachWithDapps runs the test on each engine, with ten contracts on a chain that has calls of them.
func eachWithDapps(t *testing.T, f func(t *testing.T, s *apptest.Server, c *dappChain)) {
	t.Helper()
	storetest.EachURL(t, func(t *testing.T, address string) {
		n := anvil.Start(t, "--timestamp", strconv.FormatInt(apptest.Noon.Add(-longAgo).Unix(), 10))
		c := &dappChain{chain: chain{Node: n, proxy: anvil.NewProxy(t, n)}, t: t, deployers: map[string]string{}}
		if err := json.Unmarshal(n.Do("eth_accounts"), &c.accounts); err != nil {
			t.Fatal(err)
		}
		c.play()
		file := filepath.Join(t.TempDir(), "networks.json")
		text := fmt.Sprintf(`{"networks": [{"name": "devnet", "chainId": %d, "rpcUrl": %q, "confirmations": %d}]}`,
			anvil.ChainID, c.proxy.URL, confirmations)
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		f(t, apptest.OpenAtNoon(t, address, app.Config{NoRateLimits: true, Networks: file}), c)
	})
}

// submit sends a transaction without waiting for a block; without an account it creates a contract.
func (c *dappChain) submit(from int, to, data string) {
	c.t.Helper()
	tx := map[string]string{"from": c.accounts[from], "data": data, "gas": plentyOfGas}
	if to != "" {
		tx["to"] = to
	}
	c.Text("eth_sendTransaction", tx)
}

// block mines what f submits in a block so long before Noon, and returns its receipts.
func (c *dappChain) block(before time.Duration, f func()) []receipt {
	c.t.Helper()
	c.InOneBlock(apptest.Noon.Add(-before), f)
	return c.receipts(c.Text("eth_blockNumber"))
}

type receipt struct{ From, To, ContractAddress, Status, GasUsed, EffectiveGasPrice string }

func (c *dappChain) receipts(block string) (out []receipt) {
	c.t.Helper()
	if err := json.Unmarshal(c.Do("eth_getBlockReceipts", block), &out); err != nil {
		c.t.Fatal(err)
	}
	return out
}

// deploy deploys a contract for each account, in one block.
func (c *dappChain) deploy(before time.Duration, accounts ...int) {
	c.t.Helper()
	for _, r := range c.block(before, func() {
		for _, from := range accounts {
			c.submit(from, "", "0x"+dappCode)
		}
	}) {
		if r.ContractAddress != "" {
			c.add(r.ContractAddress, r.From)
		}
	}
}

func (c *dappChain) add(contract, deployer string) {
	contract = strings.ToLower(contract)
	c.contracts, c.deployers[contract] = append(c.contracts, contract), strings.ToLower(deployer)
}

// play deploys the contracts and calls them: at the moments at which windows begin and end, and around them.
func (c *dappChain) play() {
	c.t.Helper()
	random := rand.New(rand.NewPCG(1, 2)) //nolint:gosec // the same in every test
	c.deploy(95*day, 0, 0, 1, 2, 3, 4)    // the first account has two
	factory := strings.ToLower(c.block(94*day, func() { c.submit(9, "", "0x"+factoryCode) })[0].ContractAddress)
	made := c.Text("eth_call", map[string]string{"to": factory}, "latest")
	for _, r := range c.block(93*day, func() { // two contracts of the factory, and others: only a trace tells them apart
		c.submit(7, factory, "0x")
		c.submit(8, factory, "0x")
		c.submit(5, "", "0x"+dappCode)
	}) {
		switch {
		case r.ContractAddress != "":
			c.add(r.ContractAddress, r.From)
		case made != "":
			c.add("0x"+made[len(made)-40:], r.From) // the first one
			made = ""
		}
	}
	calls := func(before time.Duration, count int) {
		c.block(before, func() {
			for range count {
				data := "0x"
				if random.IntN(4) == 0 {
					data = "0x01" // fails
				}
				// Some senders come more often than others.
				sender := min(random.IntN(10), random.IntN(10))
				c.submit(sender, c.contracts[random.IntN(len(c.contracts))], data)
			}
		})
	}
	for _, before := range []time.Duration{
		92 * day, 60 * day, 60*day - time.Second, 45 * day, 30 * day, 30*day - time.Second,
	} {
		calls(before, 12)
	}
	c.deploy(20*day, 6)
	for _, before := range []time.Duration{14*day - time.Second, 8 * day, 7 * day, 7*day - time.Second} {
		calls(before, 12)
	}
	c.deploy(3*day, 6)
	for _, before := range []time.Duration{
		2 * day, 2*day - time.Second, 25 * time.Hour, day, day - time.Second, time.Hour, 0, -time.Second,
	} {
		calls(before, 12)
	}
	c.Mine(confirmations)
}

// register registers contracts for a website.
func (c *dappChain) register(s *apptest.Server, contracts ...string) (ids []string) {
	c.t.Helper()
	for i, address := range contracts {
		body := object{"name": fmt.Sprint("App ", i), "address": address, "chainId": anvil.ChainID, "type": "custom"}
		ids = append(ids, s.Post(contractsURL, body).Created()["id"].(string))
	}
	return ids
}

// sent is a transaction to a contract.
type sent struct {
	to, from string
	at       time.Time
	isGood   bool
	fee      *big.Int
}

// history reads all transactions to contracts, block by block.
func (c *dappChain) history() (out []sent) {
	c.t.Helper()
	number := func(text string) *big.Int {
		n, ok := new(big.Int).SetString(text, 0)
		if !ok {
			c.t.Fatalf("the node says %q", text)
		}
		return n
	}
	for n := range c.Head() + 1 {
		var b struct{ Number, Timestamp string }
		if err := json.Unmarshal(c.Do("eth_getBlockByNumber", fmt.Sprintf("0x%x", n), false), &b); err != nil {
			c.t.Fatal(err)
		}
		for _, r := range c.receipts(b.Number) {
			out = append(out, sent{
				strings.ToLower(r.To), strings.ToLower(r.From), time.Unix(number(b.Timestamp).Int64(), 0), r.Status == "0x1",
				new(big.Int).Mul(number(r.GasUsed), number(r.EffectiveGasPrice)),
			})
		}
	}
	return out
}

// measure counts by hand.
func measure(kind string, all []sent, contract string, window time.Duration) *big.Rat {
	until := apptest.Noon
	from := until.Add(-window)
	if window == 0 {
		from = time.Time{}
	}
	isIn := func(t, from, until time.Time) bool { return t.After(from) && !t.After(until) }
	fees, count := new(big.Int), int64(0)
	now, before, first, days := map[string]bool{}, map[string]bool{}, map[string]time.Time{}, map[string]map[string]bool{}
	for _, tx := range all {
		if tx.to != contract || tx.at.After(until) {
			continue
		}
		if isIn(tx.at, from, until) {
			fees.Add(fees, tx.fee)
		}
		if !tx.isGood {
			continue
		}
		if first[tx.from].IsZero() {
			first[tx.from], days[tx.from] = tx.at, map[string]bool{}
		}
		days[tx.from][tx.at.UTC().Format(time.DateOnly)] = true
		if isIn(tx.at, from, until) {
			count++
			now[tx.from] = true
		}
		if isIn(tx.at, from.Add(-window), from) {
			before[tx.from] = true
		}
	}
	switch kind {
	case "dapps_by_gas_spent":
		return new(big.Rat).SetInt(fees)
	case "dapps_by_transaction_count":
		return big.NewRat(count, 1)
	case "dapps_by_active_users":
		return big.NewRat(int64(len(now)), 1)
	case "dapps_by_new_users":
		newUsers := int64(0)
		for _, at := range first {
			if isIn(at, from, until) {
				newUsers++
			}
		}
		return big.NewRat(newUsers, 1)
	}
	again, of := int64(0), int64(len(before))
	for sender := range before {
		if now[sender] {
			again++
		}
	}
	if window == 0 {
		again, of = 0, int64(len(days))
		for _, d := range days {
			if len(d) > 1 {
				again++
			}
		}
	}
	if of == 0 {
		return new(big.Rat)
	}
	return big.NewRat(again*100, of)
}

var ranks = []object{
	{"startRange": 1, "endRange": 1, "amount": 100}, {"startRange": 2, "endRange": 3, "amount": "50.5"},
	{"startRange": 5, "endRange": 8, "amount": 10},
}

func amountOf(rank int) laurel.Amount {
	switch {
	case rank == 1:
		return 100 * laurel.One
	case rank == 2 || rank == 3:
		return 50*laurel.One + laurel.One/2
	case rank >= 5 && rank <= 8:
		return 10 * laurel.One
	}
	return 0
}

// expect ranks contracts by hand: what each deployer is paid, and how many ties there are.
func (c *dappChain) expect(kind string, all []sent, contracts []string, window time.Duration) (paid []string, ties int) {
	values := map[string]*big.Rat{}
	for _, contract := range contracts {
		if v := measure(kind, all, contract, window); v.Sign() > 0 {
			values[contract] = v
		}
	}
	lines, sums := map[string][]string{}, map[string]laurel.Amount{}
	type place struct {
		contract string
		rank     int
	}
	var places []place
	for contract, v := range values {
		rank := 1
		for other, o := range values {
			if o.Cmp(v) > 0 {
				rank++
			}
			if other != contract && o.Cmp(v) == 0 {
				ties++
			}
		}
		places = append(places, place{contract, rank})
	}
	slices.SortFunc(places, func(a, b place) int {
		return cmp.Or(cmp.Compare(a.rank, b.rank), strings.Compare(a.contract, b.contract))
	})
	for _, p := range places {
		amount := amountOf(p.rank)
		if amount == 0 {
			continue
		}
		v := values[p.contract]
		millionths := new(big.Int).Quo(new(big.Int).Mul(v.Num(), big.NewInt(1_000_000)), v.Denom())
		value := v.Num().String()
		if !v.IsInt() {
			value = laurel.Amount(millionths.Int64()).String()
		}
		who := c.deployers[p.contract]
		lines[who] = append(lines[who], fmt.Sprintf("%s #%d %s %s", p.contract, p.rank, value, amount))
		sums[who] += amount
	}
	for who, list := range lines {
		paid = append(paid, fmt.Sprintf("%s %s %s", who, sums[who], strings.Join(list, ", ")))
	}
	slices.Sort(paid)
	return paid, ties
}

// paidBy returns what a rule has paid, in the form of expect.
func paidBy(s *apptest.Server, rule string) (out []string) {
	for _, e := range s.Get("/api/loyalty/transaction_entries?limit=100&loyaltyRuleId=" + rule).Data() {
		var list []string
		for _, d := range e["metadata"].(object)["dapps"].([]any) {
			d := d.(object)
			list = append(list, fmt.Sprintf("%s #%v %v %v", d["address"], d["rank"], d["value"], d["amount"]))
		}
		who := e["loyaltyAccount"].(object)["user"].(object)["walletAddress"]
		out = append(out, fmt.Sprintf("%s %v %s", who, e["amount"], strings.Join(list, ", ")))
	}
	slices.Sort(out)
	return out
}

// readUsage lets the server read all that there is.
func readUsage(t *testing.T, s *apptest.Server) {
	t.Helper()
	s.App.Networks.Look(t.Context())
	if err := s.App.Usage.Read(t.Context()); err != nil {
		t.Fatal(err)
	}
}

func TestContractsAreRankedByHowTheyAreUsed(t *testing.T) {
	t.Parallel()
	eachWithDapps(t, func(t *testing.T, s *apptest.Server, c *dappChain) {
		all := c.history()
		ids := c.register(s, c.contracts...)
		c.register(s, anvil.Second) // no contract
		kinds := []string{
			"dapps_by_gas_spent", "dapps_by_transaction_count", "dapps_by_active_users", "dapps_by_new_users",
			"dapps_by_user_retention",
		}
		windows := map[string]time.Duration{"": 0, "daily": day, "weekly": 7 * day, "monthly": 30 * day}
		type ranking struct {
			rule string
			want []string
		}
		var rankings []ranking
		ties := 0
		add := func(s *apptest.Server, kind, window string, contracts []string, properties object) {
			t.Helper()
			body := object{"network": "devnet", "frequency": "once", "metadata": object{"range": ranks}}
			if window != "" {
				body["dappDataWindow"] = window
			}
			rule := s.Rule(kind, apptest.Over(body, properties))
			want, tied := c.expect(kind, all, contracts, windows[window])
			if len(want) == 0 {
				t.Errorf("%s %s: the test expects nobody", kind, window)
			}
			ties += tied
			rankings = append(rankings, ranking{rule, want})
		}
		for _, kind := range kinds {
			for window := range windows {
				add(s, kind, window, c.contracts, nil)
			}
		}
		add(s, kinds[0], "weekly", c.contracts[len(c.contracts)-1:], object{"dappDeployedWithin": "weekly"})
		add(s, kinds[1], "", c.contracts[len(c.contracts)-2:], object{"dappDeployedWithin": "monthly"})
		add(s, kinds[2], "", c.contracts[1:4], object{"contractIds": ids[1:4]})
		other := *s
		other.Program = s.NewProgram("Other")
		c.register(&other, c.contracts[2], c.contracts[5])
		own := len(rankings)
		add(&other, kinds[1], "", []string{c.contracts[2], c.contracts[5]}, object{"loyaltyCurrencyId": other.LoyaltyCurrencyID})
		if ties == 0 {
			t.Error("the test has no ties")
		}

		plain := s.Rule(kinds[1], object{"network": "devnet", "frequency": "once", "amount": 3}) // every rank, 3 each
		first := rankings[0].rule
		s.Complete(first, wallet(c.accounts[0])).Refused(400, "Quest not completed") // for runs alone
		c.proxy.Set(anvil.Fault{Status: 500})
		s.RunSchedule()
		if got := apptest.RunCounts(s.Runs(first)[0]); got != "processing 0/0/0/0 Provider failed" {
			t.Errorf("while the node fails: %s", got)
		}
		c.proxy.Set(anvil.Fault{})
		s.Clock.Advance(10 * time.Minute)
		s.RunSchedule()
		if got := apptest.RunCounts(s.Runs(first)[0]); got != "processing 0/0/0/0 Looking for who has deployed 11 contracts on devnet" {
			t.Errorf("before anything is read: %s", got)
		}
		readUsage(t, s)
		s.Clock.Advance(10 * time.Minute)
		s.RunSchedule()
		for i, r := range rankings {
			website := s
			if i >= own {
				website = &other
			}
			rule := website.Get("/api/loyalty/rules/" + r.rule)
			if got := paidBy(website, r.rule); !slices.Equal(got, r.want) {
				t.Errorf("%s %v: paid\n%s\nwant\n%s", rule.JSON()["type"], rule.JSON()["dappDataWindow"],
					strings.Join(got, "\n"), strings.Join(r.want, "\n"))
			}
			want := fmt.Sprintf("complete %d/%d/0/0 ", len(r.want), len(r.want))
			if got := apptest.RunCounts(website.Runs(r.rule)[0]); got != want {
				t.Errorf("the run is %q, want %q", got, want)
			}
		}
		if got := len(paidBy(s, plain)); got != 8 { // eight accounts have deployed contracts
			t.Errorf("without ranges, %d are paid", got)
		}
		s.Sound()
	})
}

func TestDeployersClaimWhatTheirRanksPay(t *testing.T) {
	t.Parallel()
	eachWithDapps(t, func(t *testing.T, s *apptest.Server, c *dappChain) {
		c.register(s, c.contracts...)
		properties := object{"network": "devnet", "frequency": "once", "amount": 3, "metadata": object{"skipMultiplier": true}}
		claimed := s.Rule("dapps_by_transaction_count", apptest.Over(properties, object{"claimType": "manual"}))
		grouped := s.Rule("dapps_by_transaction_count", properties)
		multiplier := s.Rule("dapps_by_active_users", apptest.Over(properties, object{
			"rewardType": "multiplier", "metadata": object{"range": []object{
				{"startRange": 1, "endRange": 10, "loyaltyMultiplierAmount": 2}}},
		}))
		unread := s.Rule("dapps_by_new_users", object{"network": "polygon", "frequency": "once"})
		for _, n := range []int{1, 2} {
			s.User(c.accounts[n], nil)
			s.In(c.accounts[n], "g")
		}
		s.RunSchedule() // asks for the contracts
		for _, fault := range []struct {
			of   anvil.Fault
			want string
		}{
			{anvil.Fault{Error: map[string]any{"eth_getCode": object{"code": -32000, "message": "missing trie node 12ab"}}},
				"the node does not tell the state of block "},
			{anvil.Fault{Refuses: map[string]bool{"debug_traceTransaction": true}}, "which transaction of block "},
		} {
			c.proxy.Set(fault.of)
			s.Clock.Advance(10 * time.Minute)
			readUsage(t, s)
			s.RunSchedule()
			message := fmt.Sprint(s.Runs(grouped)[0]["message"])
			if !strings.HasPrefix(message, "Who has deployed 0x") || !strings.Contains(message, fault.want) {
				t.Errorf("while nobody can tell: %s", message)
			}
		}
		c.proxy.Set(anvil.Fault{})
		for range 3 {
			s.Clock.Advance(10 * time.Minute)
			readUsage(t, s)
			s.RunSchedule()
		}
		if got := apptest.RunCounts(s.Runs(unread)[0]); got != "failed 0/0/0/0 Rule is not setup: no node of polygon is configured" {
			t.Errorf("on a network without nodes: %s", got)
		}
		if got := paidBy(s, claimed); len(got) != 0 {
			t.Errorf("before a claim: %v", got)
		}
		simulation := s.Simulate(claimed, wallet(c.accounts[0]))
		got := s.Complete(claimed, wallet(c.accounts[0]))
		simulation.Predicts(got)
		got.OK()
		s.Complete(claimed, wallet(c.accounts[0])).Refused(400, apptest.Undone) // no further run has found it
		s.Complete(claimed, wallet(apptest.Alice)).Refused(400, "Quest not completed")
		if got := fmt.Sprint(paidBy(s, claimed)); !strings.Contains(got, " 6 ") || strings.Count(got, "#") != 2 {
			t.Errorf("two contracts are paid %s", got)
		}
		// What a group has deployed is paid once, to the first of its deployers.
		list := paidBy(s, grouped)
		i := slices.IndexFunc(list, func(line string) bool {
			return strings.Contains(line, c.contracts[2]) && strings.Contains(line, c.contracts[3]) && strings.Contains(line, " 6 ")
		})
		if counts := apptest.RunCounts(s.Runs(grouped)[0]); i < 0 || len(list) != 7 || counts != "complete 8/7/1/0 " {
			t.Errorf("of a group: %s, %s", counts, strings.Join(list, "\n"))
		}
		if got := fmt.Sprint(s.MultiplierValues(c.accounts[0])); got != "[2]" {
			t.Errorf("%s: the multipliers are %s", multiplier, got)
		}
		s.Sound()
	})
}

func TestADeepReorganizationStopsTheReadingOfContracts(t *testing.T) {
	t.Parallel()
	eachWithDapps(t, func(t *testing.T, s *apptest.Server, c *dappChain) {
		c.register(s, c.contracts...)
		properties := object{"network": "devnet", "frequency": "once", "amount": 1}
		count := func() string {
			rule := s.Rule("dapps_by_transaction_count", properties)
			for range 3 {
				s.RunSchedule()
				readUsage(t, s)
				s.Clock.Advance(10 * time.Minute)
			}
			return rule
		}
		count()
		mark := c.Snapshot()
		calls := func(contract string, number int) {
			c.InOneBlock(s.Clock.Now().Add(-time.Minute), func() {
				for i := range number {
					c.submit(i, contract, "0x")
				}
			})
			c.confirm(s.Clock.Now())
			c.Mine(confirmations)
		}
		calls(c.contracts[0], 9)
		readUsage(t, s)
		c.Revert(mark)
		calls(c.contracts[1], 8)
		rule := s.Rule("dapps_by_transaction_count", properties)
		s.RunSchedule()
		if got := apptest.RunCounts(s.Runs(rule)[0]); !strings.HasPrefix(got, "processing 0/0/0/0 devnet has another block") {
			t.Errorf("before the reader has looked: %s", got)
		}
		c.Mine(1) // what was read is compared with the next block
		for range 2 {
			readUsage(t, s)
			s.Clock.Advance(10 * time.Minute)
			s.RunSchedule()
		}
		const stopped = "the chain has another block"
		if got := apptest.RunCounts(s.Runs(rule)[0]); !strings.HasPrefix(got, "processing 0/0/0/0 Reading devnet has stopped: "+stopped) {
			t.Errorf("the run is %s", got)
		}
		network := s.Get("/readyz").JSON()["checks"].(object)["networks"].(object)["devnet"].(object)
		if network["status"] != "stopped" || !strings.HasPrefix(fmt.Sprint(network["error"]), stopped) {
			t.Errorf("/readyz says %v", network)
		}
		if err := s.App.ResumeNetwork(t.Context(), "devnet"); err != nil {
			t.Fatal(err)
		}
		for range 2 {
			readUsage(t, s)
			s.Clock.Advance(10 * time.Minute)
			s.RunSchedule()
		}
		all := c.history()
		for i, want := range c.contracts {
			good := 0
			for _, tx := range all {
				if tx.to == want && tx.isGood {
					good++
				}
			}
			if got := fmt.Sprint(paidBy(s, rule)); !strings.Contains(got, fmt.Sprintf("%s #", want)) ||
				!strings.Contains(got, fmt.Sprintf(" %d 1", good)) {
				t.Errorf("contract %d has %d transactions: %s", i, good, got)
			}
		}
		if err := s.App.ResumeNetwork(t.Context(), "devnet"); laurel.CodeOf(err) != laurel.Refused {
			t.Errorf("resumed again: %v", err)
		}
	})
}
