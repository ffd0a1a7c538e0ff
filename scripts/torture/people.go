package main

import (
	"context"
	"fmt"
	"net/http"
	"sync"
)

// house is people that a rule pays as one: a group that nobody joins or leaves any more, or a wallet alone.
type house struct {
	name    string // of the group; empty: a wallet alone
	wallets []string
	blocked history[bool] // blocked: one mark for all of them
	round   int           // in which that was last changed
}

// person is a wallet whose group and block mark are known.
type person struct {
	wallet, id string
	house      *house          // nil: a guest, who goes from group to group
	group      history[string] // empty: none
}

// settlement is the people that a round has made: houses that are blocked now and then, houses that never are, and
// guests with their inns.
type settlement struct {
	houses, calm []*house
	guests       []*person
	inns         []string
}

const (
	housesEach = 6 // of each kind per round, every other one a wallet alone
	houseSize  = 3
	guestsEach = 10
	innsEach   = 2
	firstHouse = 1000 // the number of a settlement's first wallet
)

// createSettlement makes the people of a round and joins them, before anything is interrupted.
func (c *crew) createSettlement(ctx context.Context) error {
	s := &settlement{}
	number := firstHouse
	made := func(group string) *person {
		p := &person{wallet: walletOf(c.round, number)}
		p.group.begin(group)
		number++
		c.w.model.persons[p.wallet] = p
		return p
	}
	for i := range 2 * housesEach {
		h := &house{}
		h.blocked.begin(false)
		for n := 0; n == 0 || n < houseSize && i%2 == 0; n++ {
			if i%2 == 0 {
				h.name = fmt.Sprintf("house-%d-%d", c.round, i)
			}
			p := made(h.name)
			p.house = h
			h.wallets = append(h.wallets, p.wallet)
		}
		if i < housesEach {
			s.houses = append(s.houses, h)
		} else {
			s.calm = append(s.calm, h)
		}
	}
	for range guestsEach {
		s.guests = append(s.guests, made(""))
	}
	for i := range innsEach {
		s.inns = append(s.inns, fmt.Sprintf("inn-%d-%d", c.round, i))
	}
	c.w.settlements = append(c.w.settlements, s)
	return c.w.register(ctx, c.round, number)
}

// register tells the service of a round's people.
func (w *world) register(ctx context.Context, round, end int) error {
	return runInLanes(end-firstHouse, func(i int) error {
		p := w.model.persons[walletOf(round, firstHouse+i)]
		body := map[string]any{"walletAddress": p.wallet}
		if p.house != nil && p.house.name != "" {
			body[joins] = p.house.name
		}
		var user struct{ UserID string }
		err := w.sendOK(ctx, request{method: http.MethodPost, path: metadatas, body: body}, &user)
		p.id = user.UserID
		return err
	})
}

const (
	metadatas = "/api/users/metadatas"
	joins     = "userGroupExternalIdentifier"
)

// writeMetadata writes something about a person.
func (m *member) writeMetadata(ctx context.Context, wallet, field string, value any) outcome {
	a, err := m.w.client.send(
		ctx,
		m.w.address(m.number),
		request{method: http.MethodPost, path: metadatas, body: map[string]any{"walletAddress": wallet, field: value}},
	)
	t := m.w.model.read(field+" of "+wallet, a, err)
	if t.outcome == refused {
		m.w.model.finding("answer: %s of %s was refused: %s", field, wallet, t.refusal)
	}
	return t.outcome
}

// settlement returns the people of this round mostly, else of a former one.
func (m *member) settlement() *settlement {
	if m.rng.IntN(5) == 0 {
		return m.w.settlements[m.rng.IntN(m.round)]
	}
	return m.w.settlements[m.round-1]
}

// anyHouse returns one that may be blocked or one that never is.
func (m *member) anyHouse() *house {
	s := m.settlement()
	if m.rng.IntN(2) == 0 {
		return s.calm[m.rng.IntN(len(s.calm))]
	}
	return s.houses[m.rng.IntN(len(s.houses))]
}

func (m *member) walletOfHouse(h *house) string { return h.wallets[m.rng.IntN(len(h.wallets))] }

// completeForHouse lets members of one house, or a guest, compete for one window.
func (m *member) completeForHouse(ctx context.Context) {
	h, s, r := m.anyHouse(), m.settlement(), m.plainRule()
	if m.rng.IntN(4) == 0 {
		r = m.w.plain[len(m.w.plain)-1-m.rng.IntN(2)] // what comes before others
	}
	one, other := m.walletOfHouse(h), m.walletOfHouse(h)
	if m.rng.IntN(3) == 0 {
		one, other = s.guests[m.rng.IntN(guestsEach)].wallet, s.guests[m.rng.IntN(guestsEach)].wallet
	}
	m.sendAtOnce(ctx, m.newCompletion(r, one), m.newCompletion(r, other))
}

// toggleBlock blocks a house by any of its members, or ends that: once in a round, so that a mark lasts.
func (m *member) toggleBlock(ctx context.Context) {
	s := m.settlement()
	h := s.houses[m.rng.IntN(len(s.houses))]
	wallet := m.walletOfHouse(h)
	h.blocked.change(func(is bool) bool { return !is }, func(is bool) outcome {
		if h.round == m.round {
			return unsent
		}
		h.round = m.round
		return m.writeMetadata(ctx, wallet, "isBlocked", is)
	})
}

// moveGuest lets a guest go to another inn, or leave.
func (m *member) moveGuest(ctx context.Context) {
	s := m.settlement()
	g := s.guests[m.rng.IntN(guestsEach)]
	inn := append(s.inns, "")[m.rng.IntN(innsEach+1)]
	g.group.change(func(string) string { return inn }, func(is string) outcome {
		if is == "" {
			return m.writeMetadata(ctx, g.wallet, joins, nil)
		}
		return m.writeMetadata(ctx, g.wallet, joins, is)
	})
}

// pairUp lets a new wallet be paid before or while it joins the group of a mate: then neither is paid again, nor is it
// when it has left.
func (m *member) pairUp(ctx context.Context) {
	wallet, mate, r := m.newWallet(), m.newWallet(), m.w.once[m.rng.IntN(len(m.w.once))]
	group := "pair-" + wallet
	complete := func(wallet, mate string) outcome {
		o := &op{id: m.name(), rule: r, wallet: wallet, mate: mate}
		return m.deliver(ctx, o.completes(nil)).outcome
	}
	if m.writeMetadata(ctx, mate, joins, group) != done {
		return
	}
	before := m.rng.IntN(2) == 0
	var paid outcome
	var both sync.WaitGroup
	both.Go(func() { paid = complete(wallet, mate) })
	if before {
		both.Wait()
	}
	joined := m.writeMetadata(ctx, wallet, joins, group)
	both.Wait()
	if paid != done || joined != done {
		return
	}
	if complete(mate, wallet) == done {
		m.w.model.finding("window: rule %s paid %s, whose mate %s it had paid", r.name, mate, wallet)
	} else if m.writeMetadata(ctx, wallet, joins, nil) == done && complete(wallet, mate) == done {
		m.w.model.finding("window: rule %s paid %s again when it had left its group", r.name, wallet)
	}
}

// click clicks on a link; a member of a house that is never blocked does, so that nothing but a mate's payment ends the
// click unpaid.
func (m *member) click(ctx context.Context) {
	s := m.settlement()
	h := s.calm[m.rng.IntN(len(s.calm))]
	o := &op{id: m.name(), rule: m.w.links[m.rng.IntN(len(m.w.links))], wallet: m.walletOfHouse(h)}
	o.request.header = m.header(o.id)
	m.deliver(ctx, o.completes(nil))
}

// step adds 1 to what a house has on the gauge.
func (m *member) step() *op {
	o := &op{id: m.name(), rule: m.w.gauge, wallet: m.walletOfHouse(m.anyHouse()), step: true}
	o.request.header = m.header(o.id)
	return o.to(
		"/api/loyalty/rule_statuses",
		map[string]any{"loyaltyRuleId": o.rule.id, "walletAddress": o.wallet, "incProgress": 1},
	)
}
