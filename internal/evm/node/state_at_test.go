package node_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strconv"
	"testing"
	"time"

	"laurel.example/laurel/internal/dev/anvil"
	"laurel.example/laurel/internal/evm/node"
)

func TestTheLastBlockOfAMoment(t *testing.T) {
	t.Parallel()
	const began = 1_768_000_000
	n := anvil.Start(t, "--timestamp", strconv.Itoa(began))
	proxy := anvil.NewProxy(t, n)
	c := open(t, proxy.URL)
	random := rand.New(rand.NewPCG(1, 2)) //nolint:gosec // the same in every run
	at := began
	const blocks = 80
	for i := range blocks {
		at += 1 + random.IntN(5)
		if i%10 == 9 { // nothing comes for a while
			at += random.IntN(3000)
		}
		n.NextBlockAt(time.Unix(int64(at), 0))
		n.Mine(1)
	}
	times := make([]int64, blocks+1)
	for i := range times {
		h, err := c.HeaderByNumber(t.Context(), uint64(i)) //nolint:gosec // small
		if err != nil || h.Number != uint64(i) {           //nolint:gosec // small
			t.Fatalf("block %d: %+v, %v", i, h, err)
		}
		times[i] = h.Time.Unix()
	}
	head, err := c.Head(t.Context())
	if err != nil || head.Number != blocks {
		t.Fatalf("head %+v, %v", head, err)
	}
	before := proxy.Posts()
	asked := 0
	for range 60 {
		moment := times[0] + random.Int64N(times[blocks]-times[0]+10)
		if asked%3 == 0 {
			moment = times[random.IntN(len(times))]
		}
		want := 0
		for want < blocks && times[want+1] <= moment {
			want++
		}
		asked++
		got, err := c.LastBlockAt(t.Context(), head, time.Unix(moment, 0))
		if err != nil || got.Number != uint64(want) || got.Time.Unix() != times[want] { //nolint:gosec // small
			t.Errorf("at %d: block %d of %d, %v; want %d of %d", moment, got.Number, got.Time.Unix(), err, want, times[want])
		}
	}
	if posts := proxy.Posts() - before; posts > 60*14 {
		t.Errorf("%d requests", posts)
	}
	if _, err := c.LastBlockAt(t.Context(), head, time.Unix(began-1, 0)); !errors.Is(err, node.ErrNotFound) {
		t.Errorf("before the chain: %v", err)
	}
	if _, err := c.HeaderByNumber(t.Context(), blocks+1); !errors.Is(err, node.ErrNotFound) {
		t.Errorf("a block that does not exist: %v", err)
	}
}

func TestBalancesAreReadInBatches(t *testing.T) {
	t.Parallel()
	n := anvil.Start(t)
	c := open(t, n.URL)
	var accounts []string
	for i := range 120 {
		accounts = append(accounts, fmt.Sprintf("0x%040x", 0x1000_0000+i))
	}
	n.Send(accounts[70], "0x", "0x7")
	head, err := c.Head(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	n.Send(accounts[70], "0x", "0x1")
	list, err := c.Balances(t.Context(), accounts, node.At{Hash: head.Hash})
	if err != nil || len(list) != len(accounts) {
		t.Fatalf("%d balances, %v", len(list), err)
	}
	for i, b := range list {
		if i == 70 && b.Int64() != 7 || i != 70 && b.Sign() != 0 {
			t.Errorf("%d has %s", i, b)
		}
	}
	if _, err := c.Balances(t.Context(), accounts, node.At{Hash: "0x" + anvil.Word(anvil.First)}); err == nil {
		t.Error("balances of a block that does not exist")
	}
}
