package main_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"laurel.example/laurel/internal/dev/anvil"
	"laurel.example/laurel/internal/dev/wait"
)

// tokensOfKills is a chain with tokens for servers that are killed.
type tokensOfKills struct {
	*anvil.Node
	t        *testing.T
	networks string // the file
	accounts []string
}

func newTokensOfKills(t *testing.T) *tokensOfKills {
	t.Helper()
	c := &tokensOfKills{Node: anvil.Start(t), t: t, networks: filepath.Join(t.TempDir(), "networks.json")}
	if err := json.Unmarshal(c.Do("eth_accounts"), &c.accounts); err != nil {
		t.Fatal(err)
	}
	text := fmt.Sprintf(`{"networks": [{"name": "devnet", "chainId": %d, "rpcUrl": %q, "confirmations": 8,
		"blockTimeSeconds": 1}]}`, anvil.ChainID, c.URL)
	if err := os.WriteFile(c.networks, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return c
}

// mint has a contract log a transfer of new tokens to a member, with a transaction of an account.
func (c *tokensOfKills) mint(from int, contract string, member, count int) {
	c.t.Helper()
	const mintCall = "0x40c10f19" // of the address of an account, and a count
	c.Text("eth_sendTransaction", map[string]string{
		"from": c.accounts[from], "to": contract, "gas": "0x30d40",
		"data": fmt.Sprintf("%s%s%064x", mintCall, anvil.Word(walletOf(member)), count),
	})
}

// sentTo returns how many transactions of the chain a contract has got.
func (c *tokensOfKills) sentTo(contract string) (n int) {
	c.t.Helper()
	for height := range c.Head() + 1 {
		var block struct{ Transactions []struct{ To string } }
		if err := json.Unmarshal(c.Do("eth_getBlockByNumber", fmt.Sprintf("%#x", height), true), &block); err != nil {
			c.t.Fatal(err)
		}
		for _, tx := range block.Transactions {
			if strings.EqualFold(tx.To, contract) {
				n++
			}
		}
	}
	return n
}

// received returns how many events of a contract the chain has for each member.
func (c *tokensOfKills) received(contract string) map[string]int {
	c.t.Helper()
	var logs []struct{ Topics []string }
	filter := object{"address": contract, "fromBlock": "0x0", "toBlock": "latest"}
	if err := json.Unmarshal(c.Do("eth_getLogs", filter), &logs); err != nil {
		c.t.Fatal(err)
	}
	out := map[string]int{}
	for _, l := range logs {
		out["0x"+l.Topics[2][26:]]++
	}
	return out
}

// paidBy returns what a rule has paid each wallet.
func paidBy(site caller, rule string) map[string]int {
	site.t.Helper()
	out := map[string]int{}
	for after := ""; ; {
		page := site.get("/api/loyalty/transaction_entries?limit=100&loyaltyRuleId=" + rule + after).ok(site.t)
		list := page["data"].([]any)
		for _, e := range list {
			amount, err := strconv.Atoi(fmt.Sprint(e.(object)["amount"]))
			if err != nil {
				site.t.Fatal(err)
			}
			out[e.(object)["loyaltyAccount"].(object)["user"].(object)["walletAddress"].(string)] += amount
		}
		if page["hasNextPage"] != true {
			return out
		}
		after = "&startingAfter=" + list[len(list)-1].(object)["id"].(string)
	}
}

func sum(counts map[string]int) (n int) {
	for _, one := range counts {
		n += one
	}
	return n
}

// TestKilledReadersOfAChainPayEachEventOnceAndTheRanksOfItsBlocks kills one of two servers after the other while they
// read a chain, of which blocks leave meanwhile.
func TestKilledReadersOfAChainPayEachEventOnceAndTheRanksOfItsBlocks(t *testing.T) {
	t.Parallel()
	onPostgres(t, func(t *testing.T, database string) {
		c := newTokensOfKills(t)
		p := initProgram(t, database)
		servers := [2]*process{}
		for i := range servers {
			servers[i] = serve(t, database, "--networks", c.networks)
		}
		site := servers[0].site(p)
		coins, ids := make([]string, 3), make([]string, 3)
		for i := range coins {
			coins[i] = c.DeployBy(c.accounts[i], "tokens", "Coin", fmt.Sprintf("%064x", 0))
			made := site.post("/api/contracts", object{"name": "Coin", "address": coins[i], "chainId": anvil.ChainID, "type": "erc20"})
			if ids[i], _ = decode[object](t, made.body)["id"].(string); ids[i] == "" {
				t.Fatal(made.body)
			}
		}
		events := site.post("/api/loyalty/rules", object{
			"name": "Get coins", "type": "smart_contract_event", "amount": 1, "interval": "unlimited", "metadata": object{
				"smartContract": object{"contractId": ids[0], "event": "Transfer", "addressMapping": "to"},
			},
		}).ok(t)["id"].(string)
		for i, count := range []int{25, 14, 3} {
			for n := range count {
				c.mint(3, coins[i], 1+n%5, 1)
			}
		}
		ranks := site.post("/api/loyalty/rules", object{
			"name": "Busiest contracts", "type": "dapps_by_transaction_count", "amount": 1, "network": "devnet",
			"frequency": "once", "startTime": time.Now().Add(3 * time.Second).UTC().Format(time.RFC3339), "metadata": object{
				"range": []object{
					{"startRange": 1, "endRange": 1, "amount": 300}, {"startRange": 2, "endRange": 2, "amount": 200},
					{"startRange": 3, "endRange": 3, "amount": 100},
				},
			},
		}).ok(t)["id"].(string)
		c.Do("evm_setIntervalMining", 1)
		wait.Until(t, "the first events are paid", func() bool { return sum(paidBy(site, events)) > 0 })
		servers[0].kill() // while the run waits for its contracts to be read
		site = servers[1].site(p)
		mark := c.Snapshot()
		for n := range 10 {
			c.mint(3, coins[0], 1+n, 1)
		}
		c.Mine(1)
		c.Revert(mark)
		for n := range 40 {
			c.mint(4, coins[0], 1+n%7, 2)
			if n%4 == 0 {
				c.Mine(1)
			}
			if n == 20 {
				servers[0] = serve(t, database, "--networks", c.networks)
				servers[1].kill()
				site = servers[0].site(p)
			}
		}
		wait.Until(t, "all events are paid", func() bool { return sum(paidBy(site, events)) >= sum(c.received(coins[0])) })
		wait.Until(t, "the ranks are paid", func() bool { return sum(paidBy(site, ranks)) >= 600 })
		if got, want := paidBy(site, events), c.received(coins[0]); !maps.Equal(got, want) {
			t.Errorf("paid %v, and the chain has %v", got, want)
		}
		want := map[string]int{c.accounts[0]: 300, c.accounts[1]: 200, c.accounts[2]: 100}
		if got := paidBy(site, ranks); !maps.Equal(got, want) || c.sentTo(coins[1]) <= c.sentTo(coins[2]) {
			t.Errorf("the ranks have paid %v", got)
		}
		green(t, database)
	})
}
