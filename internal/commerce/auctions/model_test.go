package auctions_test

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"pgregory.net/rapid"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/dev/apptest"
)

var newcomers atomic.Int64

// No sequence of bids, cancellations and ends at once lets a member spend a point twice or lose one that was held.
func TestNoSequenceOfBidsLosesOrDoublesAPoint(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s stage) {
		s.asset = s.stock(1_000_000)
		rapid.Check(t, func(rt *rapid.T) { newSale(rt, s).run() })
		s.Sound()
	})
}

// sale is one auction, what members have done in it and what they must have in the end.
type sale struct {
	*rapid.T
	stage
	kind    string
	id      string
	items   int
	reserve laurel.Amount // 0: none
	wallets []string
	minted  int // before it
}

// funds are what each member has before.
const funds = 200

func newSale(rt *rapid.T, s stage) *sale {
	out := &sale{T: rt, stage: s, kind: rapid.SampledFrom([]string{"english", "first_price", "second_price"}).Draw(rt, "type")}
	most := 3
	if out.kind == "english" {
		most = 1
	}
	out.items = rapid.IntRange(0, most).Draw(rt, "items")
	changes := out.stage.items(out.items)
	if rapid.Bool().Draw(rt, "reserve") {
		out.reserve = 60 * laurel.One
		changes["reservePrice"] = "60"
	}
	out.minted = out.quantity()
	out.id = s.auction(out.kind, changes)
	for range 3 {
		out.wallets = append(out.wallets, apptest.Wallet(int(newcomers.Add(1))+1_000_000))
		s.Transact(apptest.Points(out.wallets[len(out.wallets)-1], funds)).OK()
	}
	if rapid.Bool().Draw(rt, "a group") {
		group := "group " + out.id
		s.In(out.wallets[0], group)
		s.In(out.wallets[1], group)
	}
	return out
}

func (m *sale) quantity() int {
	return apptest.Number(m.Get("/api/minting/assets/" + m.asset).OK()["quantityMinted"])
}

func (m *sale) run() {
	for range rapid.IntRange(1, 3).Draw(m.T, "rounds") {
		var all []func()
		for range rapid.IntRange(1, 5).Draw(m.T, "calls") {
			all = append(all, m.call())
		}
		together(all...)
	}
	late, end := m.call(), func() { m.pass(time.Hour) }
	together(late, end, m.end, m.end)
	m.end()
	m.judge()
}

// call draws something that somebody does.
func (m *sale) call() func() {
	if rapid.IntRange(0, 19).Draw(m.T, "cancel") == 0 {
		return func() { m.known(m.Post("/api/auctions/"+m.id+"/cancel", object{})) }
	}
	wallet := rapid.SampledFrom(m.wallets).Draw(m.T, "member")
	amount := rapid.IntRange(5, 450).Draw(m.T, "amount")
	return func() { m.known(m.bid(m.id, wallet, amount)) }
}

// known demands that a call has succeeded or is refused.
func (m *sale) known(a apptest.Response) {
	if a.Status != 200 && a.Status != 400 {
		m.Errorf("%d %s", a.Status, a.Body)
	}
}

func together(all ...func()) {
	var wg sync.WaitGroup
	for _, f := range all {
		wg.Go(f)
	}
	wg.Wait()
}

// placed is a bid as it is listed.
type placed struct {
	user, status string
	amount       laurel.Amount
}

func (m *sale) listed() []placed {
	var out []placed
	for _, b := range m.Get("/api/auction_bids?auctionId=" + m.id).Data() {
		amount, err := laurel.ParseAmount(b["amount"].(string))
		if err != nil {
			m.Fatal(err)
		}
		out = append(out, placed{b["user"].(object)["id"].(string), b["status"].(string), amount})
	}
	return out
}

// last returns the bids that stood at the end, the highest first: of sealed auctions each member's highest.
func (m *sale) last(bids []placed) []laurel.Amount {
	best := map[string]laurel.Amount{}
	for _, b := range bids {
		key := b.user
		if m.kind == "english" {
			key = ""
		}
		best[key] = max(best[key], b.amount)
	}
	return slices.SortedFunc(maps.Values(best), func(a, b laurel.Amount) int { return cmp.Compare(b, a) })
}

// cost is what winners pay together, and how many there are, worked out anew.
func (m *sale) cost(bids []laurel.Amount) (sum laurel.Amount, winners int) {
	for i := range min(m.items, len(bids)) {
		if bids[i] < m.reserve {
			break
		}
		price := bids[i]
		if m.kind == "second_price" {
			price = 10 * laurel.One
			if i+1 < len(bids) {
				price = bids[i+1]
			} else if m.reserve > 0 {
				price = m.reserve
			}
			price = max(price, m.reserve)
		}
		sum += price
		winners++
	}
	return sum, winners
}

func (m *sale) judge() {
	bids, status := m.listed(), m.Get("/api/auctions/" + m.id).OK()["status"]
	paid, winners := m.cost(m.last(bids))
	switch status {
	case "cancelled":
		paid, winners = 0, 0
	case "completed":
	default:
		m.Fatalf("the auction is %v after its end", status)
	}
	held := laurel.Amount(0)
	for _, w := range m.wallets {
		amount, err := laurel.ParseAmount(m.Balance(w))
		if err != nil || amount < 0 {
			m.Fatalf("%s has %s: %v", w, amount, err)
		}
		held += amount
	}
	if want := laurel.Amount(len(m.wallets))*funds*laurel.One - paid; held != want {
		m.Errorf("%s, %v with %d items: members have %s together, want %s after %v", m.kind, status, m.items, held, want, bids)
	}
	fulfilled := 0
	for _, b := range bids {
		switch b.status {
		case "fulfilled":
			fulfilled++
		case "rejected":
		default:
			m.Errorf("a bid is %s after the end", b.status)
		}
	}
	if got := m.quantity() - m.minted; fulfilled != winners || got != winners {
		m.Errorf("%d bids are fulfilled and %d items minted, want %d: %v", fulfilled, got, winners, bids)
	}
}

func TestNodesThatEndTheSameAuctionDoSoOnce(t *testing.T) {
	t.Parallel()
	nodes := apptest.Nodes(t)
	s, other := staged(nodes[0]), stage{Server: nodes[1]}
	a := s.auction("second_price", s.items(2))
	const bidderCount = 120 // more than one step gives back to
	for i := range bidderCount {
		s.Transact(apptest.Points(apptest.Wallet(i+1), 500)).OK()
	}
	answers := apptest.CallConcurrently(bidderCount, func(i int) apptest.Response {
		return stage{Server: nodes[i%2]}.bid(a, apptest.Wallet(i+1), 100+i)
	})
	apptest.CheckOutcomes(t, answers, bidderCount, "")
	s.Clock.Advance(time.Hour)
	together(s.end, other.end, s.end, other.end)
	s.end()
	want := map[string]int{fmt.Sprint(500 - (100 + bidderCount - 2)): 1, fmt.Sprint(500 - (100 + bidderCount - 3)): 1, "500": bidderCount - 2}
	got := map[string]int{}
	for i := range bidderCount {
		got[s.Balance(apptest.Wallet(i+1))]++
	}
	if !maps.Equal(got, want) {
		t.Errorf("balances %v, want %v", got, want)
	}
	s.minted(s.asset, 2)
	s.Sound()
}

func TestBiddersOnTwoNodesBidOneAfterTheOther(t *testing.T) {
	t.Parallel()
	nodes := apptest.Nodes(t)
	s := staged(nodes[0])
	a := s.auction("english", s.items(1))
	const bidderCount = 24
	for i := range bidderCount {
		s.Transact(apptest.Points(apptest.Wallet(i+1), 500)).OK()
	}
	var best atomic.Int64
	for _, answer := range apptest.CallConcurrently(4*bidderCount, func(i int) apptest.Response {
		amount := 10 + (i*37)%400
		got := stage{Server: nodes[i%2]}.bid(a, apptest.Wallet(i%bidderCount+1), amount)
		for was := best.Load(); got.Status == 200 && int64(amount) > was && !best.CompareAndSwap(was, int64(amount)); {
			was = best.Load()
		}
		return got
	}) {
		if answer.Status != 200 && answer.Status != 400 {
			t.Errorf("%d %s", answer.Status, answer.Body)
		}
	}
	sum := 0
	for i := range bidderCount {
		sum += apptest.Number(s.Get("/api/loyalty/accounts?walletAddress=" + apptest.Wallet(i+1)).Data()[0]["amount"])
	}
	if want := bidderCount*500 - int(best.Load()); sum != want {
		t.Errorf("members have %d together, want %d", sum, want)
	}
	s.Sound()
}
