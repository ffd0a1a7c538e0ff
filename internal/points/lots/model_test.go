package lots_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"pgregory.net/rapid"

	"laurel.example/laurel/internal/dev/apptest"
)

// modelLot is a lot as a reader of the decision would keep it in a list. Amounts are whole points.
type modelLot struct {
	state             string
	amount, remaining int
	until             time.Time // waits until, or expires
}

// purse is the lots of one wallet in the order in which they came into the account.
type purse struct {
	lots    []*modelLot // open ones, and what became of them
	pending []*modelLot
}

func (p *purse) balance() int {
	sum := 0
	for _, l := range p.lots {
		if l.state == "open" {
			sum += l.remaining
		}
	}
	return sum
}

func (p *purse) credit(n int, expires time.Time) {
	p.lots = append(p.lots, &modelLot{"open", n, n, expires})
}

func (p *purse) debit(n int) bool {
	_, done := p.spend(n)
	return done
}

// modelPart is what a lot paid for a hold.
type modelPart struct {
	lot *modelLot
	n   int
}

// modelHold is a hold that may still come back.
type modelHold struct {
	id    string
	of    *purse
	all   int
	parts []modelPart // in the order in which they were taken
	until time.Time
}

// giveBack returns an amount to the lots that paid it, the last first.
func (h *modelHold) giveBack(n int) {
	for _, part := range slices.Backward(h.parts) {
		back := min(n, part.n)
		n -= back
		if back > 0 {
			part.lot.remaining += back
			part.lot.state = "open"
		}
	}
}

// spend debits an amount and returns what each lot paid.
func (p *purse) spend(n int) (parts []modelPart, done bool) {
	if n > p.balance() {
		return nil, false
	}
	for _, l := range p.lots {
		if l.state != "open" {
			continue
		}
		part := min(n, l.remaining)
		l.remaining, n = l.remaining-part, n-part
		if part > 0 {
			parts = append(parts, modelPart{l, part})
		}
		if l.remaining == 0 {
			l.state = "spent"
		}
	}
	return parts, true
}

// end gives every open lot another state.
func (p *purse) end(state string, which func(*modelLot) bool) {
	for _, l := range p.lots {
		if l.state == "open" && which(l) {
			l.state = state
			if state != "closed" {
				l.remaining = 0
			}
		}
	}
}

func (p *purse) open() []string {
	out := []string{}
	for _, l := range p.lots {
		if l.state == "open" {
			out = append(out, fmt.Sprintf("%d %d", l.amount, l.remaining))
		}
	}
	return out
}

// lotModel drives one currency of the server and a list of purses side by side.
type lotModel struct {
	*apptest.Server
	rt       *rapid.T
	currency string
	rule     string
	days     int // 0: points do not expire
	wallets  []string
	purses   map[string]*purse
	holds    []*modelHold
}

func (m *lotModel) pick() (string, *purse) {
	who := rapid.SampledFrom(m.wallets).Draw(m.rt, "wallet")
	return who, m.purses[who]
}

func (m *lotModel) expires(at time.Time) time.Time {
	return at.Add(time.Duration(m.days) * apptest.Day)
}

func (m *lotModel) settings(body object) { m.Post(apptest.CurrenciesPath+"/"+m.currency, body).OK() }

func (m *lotModel) own(who string, amount int, more ...object) object {
	return apptest.Points(who, amount, append(more, object{"loyaltyCurrencyId": m.currency})...)
}

// actions are what may happen. Each moves the clock by a minute, so that nothing expires in the minute in which it is
// looked at.
func (m *lotModel) actions() map[string]func(*rapid.T) {
	wrapped := map[string]func(*rapid.T){}
	for name, act := range map[string]func(){
		"credit": m.credit, "debit": m.debit, "complete": m.completes, "crowd": m.actConcurrently, "pass": m.passes, "release": m.releases,
		"cancel": m.cancels, "term": m.term, "off and on": m.offAndOn, "reset": m.resets,
		"reserve": m.reserves, "end": m.ends,
	} {
		wrapped[name] = func(rt *rapid.T) {
			m.rt = rt
			m.Clock.Advance(time.Minute)
			act()
		}
	}
	wrapped[""] = func(rt *rapid.T) { m.rt = rt; m.check() }
	return wrapped
}

func (m *lotModel) credit() {
	who, p := m.pick()
	n := rapid.IntRange(1, 50).Draw(m.rt, "amount")
	m.Post("/api/loyalty/transactions", object{"description": "in", "entries": []any{m.own(who, n)}}).OK()
	p.credit(n, m.expires(m.Clock.Now()))
}

func (m *lotModel) debit() {
	who, p := m.pick()
	n := rapid.IntRange(1, 80).Draw(m.rt, "amount")
	got := m.Post(
		"/api/loyalty/transactions",
		object{"description": "out", "entries": []any{m.own(who, n, apptest.Debit)}},
	)
	if p.debit(n) {
		got.OK()
	} else {
		got.Refused(400, "Insufficient balance")
	}
}

// reserves holds an amount, for a time in which its lots may expire.
func (m *lotModel) reserves() {
	who, p := m.pick()
	n := rapid.IntRange(1, 60).Draw(m.rt, "amount")
	days := rapid.IntRange(1, 30).Draw(m.rt, "days held")
	got := m.Post("/api/loyalty/holds", object{"walletAddress": who, "amount": n, "loyaltyCurrencyId": m.currency,
		"expiresInSeconds": days * 86400})
	parts, done := p.spend(n)
	if !done {
		got.Refused(400, "Insufficient balance")
		return
	}
	until := m.Clock.Now().Add(time.Duration(days) * apptest.Day)
	m.holds = append(m.holds, &modelHold{got.OK()["id"].(string), p, n, parts, until})
}

// ends captures a hold in part, or releases it.
func (m *lotModel) ends() {
	if len(m.holds) == 0 {
		return
	}
	i := rapid.IntRange(0, len(m.holds)-1).Draw(m.rt, "hold")
	h, all := m.holds[i], m.holds[i].all
	captured := rapid.IntRange(0, all).Draw(m.rt, "captured")
	if captured == 0 {
		m.Post("/api/loyalty/holds/"+h.id+"/release", object{}).OK()
	} else {
		m.Post("/api/loyalty/holds/"+h.id+"/capture", object{"amount": captured}).OK()
	}
	m.holds = slices.Delete(m.holds, i, i+1)
	h.giveBack(all - captured)
	m.RunExpiry()
	m.ripen()
}

// lapse gives back the holds that have expired.
func (m *lotModel) lapse() {
	now := m.Clock.Now()
	if err := m.App.Holds.RunDue(context.Background()); err != nil {
		m.rt.Fatal(err)
	}
	m.holds = slices.DeleteFunc(m.holds, func(h *modelHold) bool {
		if h.until.After(now) {
			return false
		}
		h.giveBack(1 << 30)
		return true
	})
}

func (m *lotModel) completes() {
	who, p := m.pick()
	n := rapid.IntRange(1, 50).Draw(m.rt, "amount")
	m.Complete(m.rule, object{"walletAddress": who, "amount": n}).OK()
	p.pending = append(p.pending, &modelLot{"pending", n, n, m.Clock.Now().Add(48 * time.Hour)})
}

// actConcurrently has several callers credit and spend at once, and the expiry run twice beside them: the amounts are
// alike, so their order does not matter.
func (m *lotModel) actConcurrently() {
	who, p := m.pick()
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() { m.Complete(m.rule, object{"walletAddress": who, "amount": 3}).OK() })
		wg.Go(func() {
			m.Post("/api/loyalty/transactions", object{"description": "in", "entries": []any{m.own(who, 2)}}).OK()
		})
	}
	for range 2 {
		wg.Go(m.RunExpiry)
	}
	wg.Wait()
	now := m.Clock.Now()
	for range 4 {
		p.pending = append(p.pending, &modelLot{"pending", 3, 3, now.Add(48 * time.Hour)})
		p.credit(2, m.expires(now))
	}
	m.ripen() // what was due already
}

func (m *lotModel) passes() {
	m.Clock.Advance(time.Duration(rapid.IntRange(0, 12).Draw(m.rt, "days")) * apptest.Day)
	m.lapse()
	var wg sync.WaitGroup
	for range 2 { // two nodes at once
		wg.Go(m.RunExpiry)
	}
	wg.Wait()
	m.ripen()
	m.RunExpiry()
}

// ripen is what a run does: what has waited is given, then what has expired is taken back.
func (m *lotModel) ripen() {
	now := m.Clock.Now()
	for _, p := range m.purses {
		for _, l := range slices.Clone(p.pending) {
			if !l.until.After(now) {
				m.give(p, l, now)
			}
		}
		if m.days > 0 {
			p.end("expired", func(l *modelLot) bool { return !l.until.After(now) })
		}
	}
}

func (m *lotModel) give(p *purse, l *modelLot, now time.Time) {
	p.pending = slices.DeleteFunc(p.pending, func(o *modelLot) bool { return o == l })
	p.credit(l.amount, m.expires(now))
}

// waiting picks a pending lot of a wallet and the same in the model: the oldest, which both keep in order.
func (m *lotModel) waiting() (id string, p *purse) {
	who, p := m.pick()
	if len(p.pending) == 0 {
		return "", p
	}
	list := m.Get("/api/loyalty/accounts/" + m.accountIn(who) + "/lots?state=pending").Data()
	return list[len(list)-1]["id"].(string), p
}

func (m *lotModel) releases() {
	id, p := m.waiting()
	if id == "" {
		return
	}
	m.Post("/api/loyalty/lots/"+id+"/release", nil).OK()
	m.give(p, p.pending[0], m.Clock.Now())
}

func (m *lotModel) cancels() {
	id, p := m.waiting()
	if id == "" {
		return
	}
	var wg sync.WaitGroup
	done := make([]int, 3)
	for i := range done { // once, whichever reader asks
		wg.Go(func() { done[i] = m.Post("/api/loyalty/lots/"+id+"/cancel", nil).Status })
	}
	wg.Wait()
	slices.Sort(done)
	if !slices.Equal(done, []int{200, 400, 400}) {
		m.rt.Fatalf("cancelled: %v", done)
	}
	p.pending = p.pending[1:]
}

func (m *lotModel) term() {
	m.days = rapid.IntRange(1, 20).Draw(m.rt, "days")
	m.settings(object{"pointsExpireAfterDays": m.days})
}

func (m *lotModel) offAndOn() {
	for len(m.holds) > 1 { // one is held from one era to the next
		h := m.holds[0]
		m.holds = m.holds[1:]
		m.Post("/api/loyalty/holds/"+h.id+"/release", object{}).OK()
		h.giveBack(h.all)
	}
	m.RunExpiry()
	m.ripen()
	m.settings(object{"pointsExpireAfterDays": nil})
	m.Clock.Advance(30 * apptest.Day)
	m.days = rapid.IntRange(1, 20).Draw(m.rt, "days")
	m.settings(object{"pointsExpireAfterDays": m.days})
	for _, p := range m.purses {
		had := p.balance()
		p.end("closed", func(*modelLot) bool { return true })
		if had > 0 {
			p.credit(had, m.expires(m.Clock.Now()))
		}
	}
	for _, h := range m.holds { // what was held lives as if it had been given as the era began
		h.of.credit(h.all, m.expires(m.Clock.Now()))
		h.parts, h.all = nil, 0
	}
	m.lapse()
	m.RunExpiry()
	m.ripen()
}

func (m *lotModel) resets() {
	m.Post(apptest.ResetPath, object{"loyaltyCurrencyId": m.currency, "type": "loyalty_reset_balances"}).OK()
	for _, p := range m.purses {
		p.end("spent", func(*modelLot) bool { return true })
		p.pending = nil
	}
}

func (m *lotModel) accountIn(who string) string {
	list := m.Get("/api/loyalty/accounts?walletAddress=" + who + "&loyaltyCurrencyId=" + m.currency).Data()
	if len(list) == 0 {
		return ""
	}
	return list[0]["id"].(string)
}

// check compares balances, open lots in their order and what waits.
func (m *lotModel) check() {
	for who, p := range m.purses {
		id := m.accountIn(who)
		if id == "" {
			continue
		}
		balance := m.Get("/api/loyalty/accounts?walletAddress=" + who + "&loyaltyCurrencyId=" + m.currency).Data()[0]["amount"].(json.Number).String()
		if balance != fmt.Sprint(p.balance()) {
			m.rt.Fatalf("%s has %s, want %d", who, balance, p.balance())
		}
		open, sum := []string{}, 0
		for _, l := range slices.Backward(m.Get("/api/loyalty/accounts/" + id + "/lots?state=open").Data()) {
			open = append(open, fmt.Sprintf("%s %s", l["amount"], l["remaining"]))
			left, _ := l["remaining"].(json.Number).Int64()
			sum += int(left)
		}
		if fmt.Sprint(sum) != balance {
			m.rt.Fatalf("the lots of %s sum to %d of %s", who, sum, balance)
		}
		if want := p.open(); !slices.Equal(sorted(open), sorted(want)) {
			m.rt.Fatalf("%s has the lots %q, want %q", who, open, want)
		}
		if n := m.Count("/api/loyalty/accounts/" + id + "/lots?state=pending"); n != len(p.pending) {
			m.rt.Fatalf("%d lots of %s wait, want %d", n, who, len(p.pending))
		}
	}
}

func sorted(list []string) []string { return slices.Sorted(slices.Values(list)) }

// modelRounds bounds how many programs are made, each of some thirty steps with many requests.
const modelRounds = 25

func TestLotsAreWhatASmallListSays(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		round := 0
		rapid.Check(t, func(rt *rapid.T) {
			round++
			if round > modelRounds {
				return
			}
			m := &lotModel{Server: s, rt: rt, days: rapid.IntRange(1, 20).Draw(rt, "first days"), purses: map[string]*purse{}}
			m.currency = s.Post(apptest.CurrenciesPath, object{"name": "Model", "symbol": "M", "decimals": 0, "pointsExpireAfterDays": m.days, "pointsWaitHours": 48}).OK()["id"].(string)
			m.rule = s.Rule("external_rule", object{"interval": "unlimited", "loyaltyCurrencyId": m.currency})
			for i := range 3 {
				m.wallets = append(m.wallets, apptest.Wallet(0x100000+round*4+i))
				m.purses[m.wallets[i]] = &purse{}
			}
			rt.Repeat(m.actions())
			s.Sound()
			s.Call(
				s.WebsiteAPIKey,
				"DELETE",
				apptest.CurrenciesPath+"/"+m.currency,
				nil,
			).OK() // the next round is not kept busy with it
			if err := s.App.Expiry.RunDue(context.Background()); err != nil {
				rt.Fatal(err)
			}
		})
	})
}
