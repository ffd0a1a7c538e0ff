package reader_test

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"laurel.example/laurel/internal/app"
	"laurel.example/laurel/internal/dev/apptest"
	"laurel.example/laurel/internal/dev/storetest"
)

// The contract logs as many events as a call says: of the topic behind the selector, with the numbers from 0 on as
// argument and as data. It is a loop around LOG2.
const repeater = "0x60198060095f395ff35f5b805f52806004356020" + "5fa260010180602435" + "1160015700"

// deployRepeater deploys the contract and returns its address.
func (c *chain) deployRepeater() string {
	c.t.Helper()
	var receipt struct{ ContractAddress string }
	if err := json.Unmarshal(c.node.Do("eth_getTransactionReceipt", c.node.Send("", repeater, "0x0")), &receipt); err != nil {
		c.t.Fatal(err)
	}
	return strings.ToLower(receipt.ContractAddress)
}

// repeat makes a block with many events.
func (c *chain) repeat(contract string, count int) {
	c.t.Helper()
	c.node.Send(contract, fmt.Sprintf("0x00000000%s%064x", strings.TrimPrefix(c.note.Topic, "0x"), count), "0x0")
}

// BenchmarkBackfill reads 20,000 events in 200 blocks of the past of a contract, and says how many are decoded and
// stored a second: go test ./internal/evm/reader -run xxx -bench Backfill -benchtime 1x.
func BenchmarkBackfill(b *testing.B) {
	const blocks, perBlock = 200, 100
	for _, e := range storetest.Engines() {
		b.Run(e.Name, func(b *testing.B) {
			c := newChain(b)
			contract := c.deployRepeater()
			for range blocks {
				c.repeat(contract, perBlock)
			}
			c.node.Mine(3)
			var took time.Duration
			for range b.N {
				c.Server = apptest.OpenAtNoon(b, e.URL(b), app.Config{
					NoRateLimits: true, Dev: true, Networks: networksFile(b, 1, c.node.URL),
				})
				c.look()
				c.watch(nil, object{"contractAddress": contract, "fromBlock": "0"})
				begun := time.Now()
				if err := c.App.Reader.Read(context.Background()); err != nil {
					b.Fatal(err)
				}
				took += time.Since(begun)
				if !strings.Contains(c.Get("/metrics").Body, fmt.Sprintf(
					`laurel_network_events_total{kind="applied",network="devnet"} %d`, blocks*perBlock)) {
					b.Fatal("not all events were published")
				}
			}
			b.ReportMetric(float64(blocks*perBlock*b.N)/took.Seconds(), "logs/s")
		})
	}
}

// TestFollowingTwentyContractsCostsFewCalls counts the calls while blocks with and without events are followed: one for
// the newest block, which is the one that is read, and one for the logs of a block whose bloom says that there are some.
func TestFollowingTwentyContractsCostsFewCalls(t *testing.T) {
	t.Parallel()
	each(t, 3, func(t *testing.T, c *chain) {
		const blocks = 20
		var contracts []string
		for range 20 {
			contracts = append(contracts, c.deployRepeater())
		}
		for _, contract := range contracts {
			c.watch(nil, object{"contractAddress": contract})
		}
		c.read()
		before := c.proxy.CountAll()
		for i := range blocks {
			if i%2 == 0 {
				c.repeat(contracts[i], 2)
			} else {
				c.node.Mine(1)
			}
			c.read()
		}
		after := c.proxy.CountAll()
		sum := 0
		for _, method := range slices.Sorted(maps.Keys(after)) {
			sum += after[method] - before[method]
			t.Logf("%s: %d", method, after[method]-before[method])
		}
		if sum > blocks+blocks/2 {
			t.Errorf("%d calls for %d blocks", sum, blocks)
		}
		if n := len(c.received()); n < blocks-6 { // those of the last blocks wait for their confirmations
			t.Errorf("%d events", n)
		}
	})
}
