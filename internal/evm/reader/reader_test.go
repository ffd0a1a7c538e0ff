package reader_test

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
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

const subscriptions = "/api/stratus/subscriptions"

// The contract logs what it is called with: behind the selector, the topic of the event, an indexed argument, and data.
// It copies the call to memory (365f5f37), and calls LOG2 with the data behind 68 bytes and the two words before it.
const (
	poster      = "0x60128060095f395ff3365f5f376024516004516044360360" + "44a200"
	noteEvent   = "event Note(uint256 indexed id, uint256 value)"
	postCall    = "function post(bytes32 topic, uint256 id, uint256 value)"
	enoughGas   = "0x15f90"
	tooFewGas   = "0x5aa0" // for the call, but not for its log
	chainOfTest = "31337"
)

// chain is a server that reads a blockchain with a contract.
type chain struct {
	*apptest.Server
	t        testing.TB
	node     *anvil.Node
	proxy    *anvil.Proxy
	receiver *apptest.Receiver
	contract string
	note     *abi.Event
	post     *abi.Function
}

// networksFile writes a file with one network.
func networksFile(t testing.TB, confirmations int, urls ...string) string {
	t.Helper()
	list, err := json.Marshal(urls)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "networks.json")
	text := fmt.Sprintf(`{"networks": [{"name": "devnet", "chainId": %s, "confirmations": %d, "rpcUrl": %s}]}`,
		chainOfTest, confirmations, list)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// newChain deploys the contract on a new node.
func newChain(t testing.TB) *chain {
	t.Helper()
	n := anvil.Start(t)
	c := &chain{t: t, node: n, proxy: anvil.NewProxy(t, n), receiver: apptest.NewReceiver(t)}
	c.note = abi.ParseEvent(new(laurel.Faults), "", noteEvent)
	c.post = abi.ParseFunction(new(laurel.Faults), "", postCall)
	var receipt struct{ ContractAddress string }
	if err := json.Unmarshal(n.Do("eth_getTransactionReceipt", n.Send("", poster, "0x0")), &receipt); err != nil {
		t.Fatal(err)
	}
	c.contract = strings.ToLower(receipt.ContractAddress)
	return c
}

// each runs a test on both engines, each with a chain of its own.
func each(t *testing.T, confirmations int, f func(t *testing.T, c *chain)) {
	t.Helper()
	storetest.EachURL(t, func(t *testing.T, address string) {
		c := newChain(t)
		c.Server = apptest.OpenAtNoon(t, address, app.Config{
			NoRateLimits: true, Dev: true, Networks: networksFile(t, confirmations, c.proxy.URL),
		})
		c.look()
		f(t, c)
	})
}

// look lets the server see the head of the chain.
func (c *chain) look() { c.App.Networks.Look(context.Background()) }

// read reads all that there is on the chain, and delivers it.
func (c *chain) read() {
	c.t.Helper()
	c.look()
	if err := c.App.Reader.Read(context.Background()); err != nil {
		c.t.Fatal(err)
	}
	c.DeliverEvents()
}

// watch creates a subscription to the events or the calls of the contract.
func (c *chain) watch(properties object, source object) object {
	c.t.Helper()
	one := object{"chainId": 31337, "contractAddress": c.contract, "blockchainSubscriptionType": "EVENT", "eventAbi": noteEvent}
	maps.Copy(one, source)
	body := object{
		"name": "Chain", "organizationId": c.OrganizationID, "websiteId": c.WebsiteID, "callbackUrl": c.receiver.URL,
		"blockchainSubscriptions": []any{one},
	}
	maps.Copy(body, properties)
	return c.Post(subscriptions, body).OK()
}

// transaction sends a call of the contract without waiting for it.
func (c *chain) transaction(id int, gas string) {
	c.t.Helper()
	call, err := c.post.EncodeCall(c.note.Topic, strconv.Itoa(id), strconv.Itoa(1000+id))
	if err != nil {
		c.t.Fatal(err)
	}
	c.node.Text("eth_sendTransaction", map[string]string{
		"from": anvil.First, "to": c.contract, "data": fmt.Sprintf("0x%x", call), "gas": gas,
	})
}

// emit makes a block with an event for each id.
func (c *chain) emit(ids ...int) {
	c.t.Helper()
	c.node.Do("evm_setAutomine", false)
	for _, id := range ids {
		c.transaction(id, enoughGas)
	}
	c.node.Mine(1)
	c.node.Do("evm_setAutomine", true)
}

// received returns the events of contracts that the receiver got since the last call: the id of each, and whether it is
// removed.
func (c *chain) received() (out []string) {
	c.t.Helper()
	for _, data := range c.receivedData() {
		text := fmt.Sprint(data["args"].(object)["id"])
		if data["removed"] == true {
			text += " removed"
		}
		out = append(out, text)
	}
	return out
}

func (c *chain) receivedData() (out []object) {
	c.t.Helper()
	for _, call := range c.receiver.TakeCalls() {
		var body struct{ Data object }
		if err := json.Unmarshal([]byte(call.Body), &body); err != nil {
			c.t.Fatal(err)
		}
		out = append(out, body.Data)
	}
	return out
}

func (c *chain) got(what string, want ...string) {
	c.t.Helper()
	got := c.received()
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		c.t.Errorf("%s: got %q, want %q", what, got, want)
	}
}

// network is what /readyz says of the network.
func (c *chain) network() object {
	c.t.Helper()
	time.Sleep(1100 * time.Millisecond) // what /readyz found counts for a second
	return c.Get("/readyz").JSON()["checks"].(object)["networks"].(object)["devnet"].(object)
}

// canonical are the keys of the contract's events that the chain has.
func (c *chain) canonical() map[string]int {
	c.t.Helper()
	var logs []struct{ BlockHash, TransactionHash, LogIndex string }
	filter := object{"address": c.contract, "fromBlock": "0x0", "toBlock": "latest"}
	if err := json.Unmarshal(c.node.Do("eth_getLogs", filter), &logs); err != nil {
		c.t.Fatal(err)
	}
	out := map[string]int{}
	for _, l := range logs {
		index, err := strconv.ParseUint(l.LogIndex, 0, 64)
		if err != nil {
			c.t.Fatal(err)
		}
		out[fmt.Sprintf("%s:%s:%s:%d", chainOfTest, l.BlockHash, l.TransactionHash, index)]++
	}
	return out
}

// readInterrupted reads all that there is on the chain, while its calls and transactions are cut off again and again.
func (c *chain) readInterrupted() {
	c.t.Helper()
	c.look()
	for range 40 {
		ctx, cancel := context.WithTimeout(context.Background(), 15*time.Millisecond)
		_ = c.App.Reader.Read(ctx)
		cancel()
	}
	c.read()
}

// TestWhatIsAppliedMinusWhatIsRolledBackIsTheChain emits a thousand events and cuts the reader off while it reads them.
// Then the chain replaces the blocks of the last twenty.
func TestWhatIsAppliedMinusWhatIsRolledBackIsTheChain(t *testing.T) {
	t.Parallel()
	each(t, 25, func(t *testing.T, c *chain) {
		c.watch(object{"finality": "instant"}, object{"triggerId": "notes"})
		balance := map[string]int{}
		take := func() (removed int) {
			for range 20 { // a turn of the sender has an end
				c.DeliverEvents()
				list := c.receivedData()
				for _, data := range list {
					key := data["eventKey"].(string)
					if data["removed"] == true {
						balance[key]--
						removed++
					} else {
						balance[key]++
					}
					if balance[key] == 0 {
						delete(balance, key)
					}
					if data["triggerId"] != "notes" || data["txFrom"] != anvil.First || data["eventName"] != "Note" {
						t.Fatalf("%v", data)
					}
				}
				if len(list) == 0 {
					break
				}
			}
			return removed
		}
		ids := func(from int) (list []int) {
			for id := range 20 {
				list = append(list, from+id)
			}
			return list
		}
		for block := range 24 {
			c.emit(ids(20 * block)...)
		}
		c.readInterrupted()
		take()
		if len(balance) != 480 {
			t.Fatalf("%d events after 480", len(balance))
		}
		for block := range 25 {
			c.emit(ids(480 + 20*block)...)
		}
		mark := c.node.Snapshot()
		c.emit(ids(980)...)
		c.read()
		take()
		if len(balance) != 1000 || !maps.Equal(balance, c.canonical()) {
			t.Fatalf("%d events after 1000", len(balance))
		}
		c.node.Revert(mark)
		c.look()
		if err := c.App.Reader.Read(context.Background()); err != nil || take() != 0 {
			t.Errorf("a lower head is no reorganization: %v", err)
		}
		c.emit(2000, 2001, 2002)
		c.emit(2003)
		c.readInterrupted()
		if removed := take(); removed != 20 || !maps.Equal(balance, c.canonical()) {
			t.Errorf("%d were removed, and %d events are left of %d", removed, len(balance), len(c.canonical()))
		}
		if len(balance) != 984 {
			t.Errorf("%d events are left", len(balance))
		}
		for _, line := range []string{
			`laurel_network_reorgs_total{network="devnet"} 1`,
			`laurel_network_events_total{kind="rolled_back",network="devnet"} 20`,
		} {
			if !strings.Contains(c.Get("/metrics").Body, line) {
				t.Errorf("no %s", line)
			}
		}
	})
}

func TestEventsWaitForTheirConfirmations(t *testing.T) {
	t.Parallel()
	each(t, 3, func(t *testing.T, c *chain) {
		made := c.watch(nil, nil)
		source := made["blockchainSubscriptions"].([]any)[0].(object)
		if head := strconv.FormatUint(c.node.Head(), 10); source["createdAtBlock"] != head || source["fromBlock"] != head {
			t.Errorf("created at %v, from %v of %s", source["createdAtBlock"], source["fromBlock"], head)
		}
		c.emit(1, 2)
		c.node.Mine(2)
		c.read()
		c.got("before the third block")
		c.node.Mine(1)
		c.read()
		c.got("at the third block", "1", "2")
		if got := c.network(); fmt.Sprint(got["cursor"]) != fmt.Sprint(c.node.Head()) || got["status"] != "ok" {
			t.Errorf("%v", got)
		}

		mark := c.node.Snapshot()
		c.emit(3)
		c.read()
		c.node.Revert(mark)
		c.emit(4)
		c.node.Mine(4)
		c.read()
		c.got("a block left before it was confirmed", "4")

		c.emit(5)
		c.read()
		c.got("before it is confirmed")
		c.Post(subscriptions+"/"+made["id"].(string), object{"finality": "instant"}).OK()
		c.read()
		c.got("once the subscription is instant", "5")

		event := c.Get(subscriptions + "/" + made["id"].(string) + "/events").Data()[0]
		of := event["event"].(object)
		if event["table"] != nil || event["type"] != "contract.event" || of["contractAddress"] != c.contract ||
			!strings.HasPrefix(of["eventKey"].(string), chainOfTest+":0x") || of["blockNumber"] != strconv.FormatUint(c.node.Head(), 10) {
			t.Errorf("%v", event)
		}
	})
}

func TestADeepReorganizationStopsTheReader(t *testing.T) {
	t.Parallel()
	each(t, 2, func(t *testing.T, c *chain) {
		c.watch(object{"finality": "instant"}, nil)
		mark := c.node.Snapshot()
		c.emit(1)
		c.emit(2)
		c.emit(3)
		c.read()
		c.got("at first", "1", "2", "3")
		cursor := c.node.Head()
		c.node.Revert(mark)
		for id := 4; id < 9; id++ {
			c.emit(id)
		}
		c.read()
		c.got("after a deep reorganization")
		got := c.network()
		if got["status"] != "stopped" || fmt.Sprint(got["cursor"]) != fmt.Sprint(cursor) ||
			!strings.Contains(fmt.Sprint(got["error"]), "a reorganization of more than 2 blocks") {
			t.Errorf("%v", got)
		}
		if !strings.Contains(c.Get("/metrics").Body, `laurel_network_stopped{network="devnet"} 1`) {
			t.Error("the metric does not say so")
		}
		if err := c.App.Reader.Resume(t.Context(), "othernet"); err == nil {
			t.Error("another network was resumed")
		}
		if err := c.App.Reader.Resume(t.Context(), "devnet"); err != nil {
			t.Error(err)
		}
		c.read()
		c.got("after it was resumed", "1 removed", "2 removed", "3 removed", "4", "5", "6", "7", "8")
		if got := c.network(); got["status"] != "ok" || got["error"] != nil {
			t.Errorf("%v", got)
		}
		if err := c.App.Reader.Resume(t.Context(), "devnet"); err == nil {
			t.Error("a reader was resumed that reads")
		}
	})
}

func TestAnEmptyAnswerIsNotTakenForNoEvents(t *testing.T) {
	t.Parallel()
	each(t, 3, func(t *testing.T, c *chain) {
		c.watch(object{"finality": "instant"}, nil)
		c.read()
		for name, fault := range map[string]anvil.Fault{
			"no logs":      {Result: map[string]any{"eth_getLogs": []any{}}},
			"null":         {Result: map[string]any{"eth_getLogs": nil}},
			"an error":     {Error: map[string]any{"eth_getLogs": object{"code": -32000, "message": "header not found"}}},
			"rate limited": {Error: map[string]any{"eth_getLogs": object{"code": -32005, "message": "rate limit"}}},
			"too much":     {Error: map[string]any{"eth_getLogs": object{"code": -32000, "message": "more than 10 results"}}},
		} {
			c.emit(1)
			c.look()
			c.proxy.Set(fault)
			if err := c.App.Reader.Read(context.Background()); err == nil {
				t.Errorf("%s: no error", name)
			}
			c.DeliverEvents()
			c.got(name)
			c.proxy.Set(anvil.Fault{})
			c.Clock.Advance(2 * time.Minute)
			c.read()
			c.got("after "+name, "1")
		}
	})
}

func TestThePastIsReadInRanges(t *testing.T) {
	t.Parallel()
	each(t, 3, func(t *testing.T, c *chain) {
		first := c.node.Head() + 1
		c.emit(1, 2)
		c.node.Mine(300)
		c.emit(3)
		c.node.Mine(300)
		c.emit(4)
		c.look()
		c.watch(object{"finality": "instant"}, object{"fromBlock": "0"})
		c.watch(object{"finality": "instant"}, object{"fromBlock": strconv.FormatUint(first+1, 10)})
		late := c.watch(nil, object{"fromBlock": strconv.FormatUint(c.node.Head()+2, 10)})
		c.emit(5)
		calls := c.proxy.Calls("eth_getLogs")
		c.read()
		c.got("from two blocks", "1", "2", "3", "3", "4", "4", "5", "5")
		if n := c.proxy.Calls("eth_getLogs") - calls; n > 60 {
			t.Errorf("%d calls for 600 blocks", n)
		}
		source := c.Get(subscriptions + "/" + late["id"].(string)).OK()["blockchainSubscriptions"].([]any)[0].(object)
		if source["backfill"] != nil {
			t.Errorf("%v", source)
		}
		c.emit(6)
		c.node.Mine(3)
		c.read()
		c.got("from a later block", "6", "6", "6")

		// A server that was down for long reads ranges too.
		c.emit(7)
		c.node.Mine(200)
		c.read()
		c.got("after a pause", "7", "7", "7")
	})
}

func TestCallsOfFunctionsArePublished(t *testing.T) {
	t.Parallel()
	each(t, 1, func(t *testing.T, c *chain) {
		c.watch(object{"finality": "instant"}, object{
			"blockchainSubscriptionType": "FUNCTION", "functionAbi": postCall, "eventAbi": "",
		})
		c.node.Do("evm_setAutomine", false)
		c.transaction(1, enoughGas)
		c.transaction(2, tooFewGas)
		c.node.Mine(1)
		c.read()
		list := c.receivedData()
		if len(list) != 1 {
			t.Fatalf("%d calls", len(list))
		}
		one := list[0]
		if fmt.Sprint(one["args"]) != "map[id:1 topic:"+c.note.Topic+" value:1001]" || one["functionName"] != "post" ||
			!strings.HasSuffix(one["eventKey"].(string), ":call") || one["txValue"] != "0" || one["eventName"] != nil {
			t.Errorf("%v", one)
		}
	})
}

func TestTenantsAndLogsThatDoNotFit(t *testing.T) {
	t.Parallel()
	each(t, 1, func(t *testing.T, c *chain) {
		other := c.NewProgram("Other")
		c.watch(object{"finality": "instant"}, nil)
		body := object{
			"name": "Other", "organizationId": other.OrganizationID, "websiteId": other.WebsiteID, "callbackUrl": c.receiver.URL,
			"finality": "instant", "blockchainSubscriptions": []any{object{
				"chainId": 31337, "contractAddress": c.contract, "blockchainSubscriptionType": "EVENT", "eventAbi": noteEvent,
			}},
		}
		foreign := c.Call(other.WebsiteAPIKey, "POST", subscriptions, body).OK()
		c.emit(1)
		c.node.Send(c.contract, fmt.Sprintf("%s%s%064x", c.post.Selector, c.note.Topic[2:], 9), "0x0") // without data
		c.emit(2)
		c.read()
		c.got("two tenants", "1", "1", "2", "2")
		if !strings.Contains(c.Get("/metrics").Body, `laurel_network_undecodable_total{network="devnet"} 2`) {
			t.Error("logs that do not fit are not counted")
		}
		c.Call(other.WebsiteAPIKey, "DELETE", subscriptions+"/"+foreign["id"].(string), nil).OK()
		c.emit(3)
		c.read()
		c.got("one tenant", "3")
		if n := len(c.Get(subscriptions).Data()); n != 1 {
			t.Errorf("%d subscriptions", n)
		}
	})
}

// TestTheLongPastOfOneWebsiteHoldsUpNoOther lets a website read six hundred blocks, and another one fifty.
func TestTheLongPastOfOneWebsiteHoldsUpNoOther(t *testing.T) {
	t.Parallel()
	each(t, 1, func(t *testing.T, c *chain) {
		c.node.Mine(600)
		c.look()
		other := *c
		otherServer := *c.Server
		other.Server = &otherServer
		other.Program = c.NewProgram("Other")
		long := c.watch(nil, object{"fromBlock": "0"})["id"].(string)
		short := other.watch(nil, object{"fromBlock": strconv.FormatUint(c.node.Head()-50, 10)})["id"].(string)
		isReading := func(c *chain, id string) bool {
			got := c.Get(subscriptions + "/" + id).OK()["blockchainSubscriptions"].([]any)[0].(object)["backfill"]
			return got != nil && got.(object)["nextBlock"] != nil
		}
		isHeldUp := true
		c.proxy.Set(anvil.Fault{Before: func() {
			if isReading(c, long) && !isReading(&other, short) {
				isHeldUp = false
			}
		}})
		c.read()
		c.proxy.Set(anvil.Fault{})
		if isReading(c, long) || isHeldUp {
			t.Error("the other website waited until all was read")
		}
	})
}

func TestOneNodeAtATimeReadsANetwork(t *testing.T) {
	t.Parallel()
	c := newChain(t)
	both, _ := apptest.NodesWith(t, app.Config{NoRateLimits: true, Dev: true, Networks: networksFile(t, 2, c.proxy.URL)})
	c.Server = both[0]
	c.look()
	both[1].App.Networks.Look(t.Context())
	c.watch(object{"finality": "instant"}, nil)
	c.read()
	for id := range 6 {
		c.emit(id)
		both[0].App.Networks.Look(t.Context())
		both[1].App.Networks.Look(t.Context())
		if id == 3 { // the first one is killed
			both[0].Clock.Advance(time.Minute)
			both[1].Clock.Advance(time.Minute)
		}
		order := []*apptest.Server{both[0], both[1]}
		if id >= 3 {
			order = []*apptest.Server{both[1], both[0]}
		}
		for _, s := range order {
			if err := s.App.Reader.Read(t.Context()); err != nil {
				t.Error(err)
			}
		}
	}
	c.DeliverEvents()
	c.got("by two nodes", "0", "1", "2", "3", "4", "5")
}

// TestAddressesThatDisagreeAreNoReorganization gives a network two addresses of nodes with different chains. The second
// one answers while the first one fails.
func TestAddressesThatDisagreeAreNoReorganization(t *testing.T) {
	t.Parallel()
	storetest.EachURL(t, func(t *testing.T, address string) {
		c, other := newChain(t), anvil.Start(t)
		c.Server = apptest.OpenAtNoon(t, address, app.Config{
			NoRateLimits: true, Dev: true, Networks: networksFile(t, 50, c.proxy.URL, other.URL),
		})
		c.look()
		c.watch(object{"finality": "instant"}, nil)
		c.emit(1)
		c.read()
		c.got("at first", "1")
		other.Mine(20)
		c.proxy.Set(anvil.Fault{Status: 500})
		c.look()
		if err := c.App.Reader.Read(context.Background()); err == nil {
			t.Error("another chain was taken for a reorganization")
		}
		c.DeliverEvents()
		c.got("while the first address fails")
		c.proxy.Set(anvil.Fault{})
		c.node.Mine(30)
		c.emit(2)
		c.Clock.Advance(2 * time.Minute)
		c.read()
		c.got("when it answers again", "2")
	})
}
