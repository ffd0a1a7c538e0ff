package main

import (
	"context"
	"fmt"
	"net/http"
	"sync"
)

// house is people that a rule pays as one: a group that no one joins or leaves any more, or a single wallet.
type house struct {
	name    string // of the group; "": a single wallet
	wallets []string
	blocked history[bool] // one mark for all of them
	round   int           // the round in which the mark was last changed
}

// person is a wallet whose group and block mark are known.
type person struct {
	wallet, id string
	house      *house          // nil: a guest, who moves from group to group
	group      history[string] // "": none
}

// settlement has the people of a round: houses that are blocked now and then, houses that never are, and guests with
// the groups that they move between.
type settlement struct {
	blockable, neverBlocked []*house
	guests                  []*person
	guestGroups             []string
}

const (
	housesEach = 6 // of each kind per round, every other one a single wallet
	houseSize  = 3
	guestsEach = 10
	innsEach   = 2
	firstHouse = 1000 // the number of a settlement's first wallet
)

// createSettlement creates the people of a round in the model and in the service, before anything is interrupted:
// houses of several wallets and of one, half of both never blocked, and guests with the groups that they move between.
func (c *roundClients) createSettlement(ctx context.Context) error {
	s := &settlement{}
	number := firstHouse
	newPerson := func(group string) *person {
		p := &person{wallet: walletOf(c.round, number)}
		p.group.initialize(group)
		number++
		c.world.model.persons[p.wallet] = p
		return p
	}
	for i := range 2 * housesEach {
		h := &house{} // with an even i a group of houseSize wallets, else a single wallet
		h.blocked.initialize(false)
		for n := 0; n == 0 || n < houseSize && i%2 == 0; n++ {
			if i%2 == 0 {
				h.name = fmt.Sprintf("house-%d-%d", c.round, i)
			}
			p := newPerson(h.name)
			p.house = h
			h.wallets = append(h.wallets, p.wallet)
		}
		if i < housesEach {
			s.blockable = append(s.blockable, h)
		} else {
			s.neverBlocked = append(s.neverBlocked, h)
		}
	}
	for range guestsEach {
		s.guests = append(s.guests, newPerson(""))
	}
	for i := range innsEach {
		s.guestGroups = append(s.guestGroups, fmt.Sprintf("inn-%d-%d", c.round, i))
	}
	c.world.settlements = append(c.world.settlements, s)
	return c.world.createUsers(ctx, c.round, number)
}

// createUsers creates a round's people in the service, with their groups, and stores their ids. Their wallets have the
// numbers from firstHouse up to, but not including, end.
func (w *world) createUsers(ctx context.Context, round, end int) error {
	return runConcurrently(end-firstHouse, func(i int) error {
		p := w.model.persons[walletOf(round, firstHouse+i)]
		body := map[string]any{"walletAddress": p.wallet}
		if p.house != nil && p.house.name != "" {
			body[groupField] = p.house.name
		}
		var user struct{ UserID string }
		err := w.sendOK(ctx, request{method: http.MethodPost, path: metadataPath, body: body}, &user)
		p.id = user.UserID
		return err
	})
}

const (
	metadataPath = "/api/users/metadatas"
	groupField   = "userGroupExternalIdentifier"
)

// writeMetadata writes one field of a person's metadata. A refusal is a finding.
func (m *loadClient) writeMetadata(ctx context.Context, wallet, field string, value any) outcome {
	a, err := m.world.client.send(
		ctx,
		m.world.address(m.number),
		request{method: http.MethodPost, path: metadataPath, body: map[string]any{"walletAddress": wallet, field: value}},
	)
	t := m.world.model.parseResponse(field+" of "+wallet, a, err)
	if t.outcome == refused {
		m.world.model.addFinding("answer: %s of %s was refused: %s", field, wallet, t.refusal)
	}
	return t.outcome
}

// chooseSettlement returns the people of this round, or in one of five cases those of any round so far.
func (m *loadClient) chooseSettlement() *settlement {
	if m.rng.IntN(5) == 0 {
		return m.world.settlements[m.rng.IntN(m.round)]
	}
	return m.world.settlements[m.round-1]
}

// chooseHouse returns a house, as often one that may be blocked as one that never is.
func (m *loadClient) chooseHouse() *house {
	s := m.chooseSettlement()
	if m.rng.IntN(2) == 0 {
		return s.neverBlocked[m.rng.IntN(len(s.neverBlocked))]
	}
	return s.blockable[m.rng.IntN(len(s.blockable))]
}

func (m *loadClient) chooseWalletOf(h *house) string { return h.wallets[m.rng.IntN(len(h.wallets))] }

// completeForHouse lets two members of one house complete a rule at the same time; the rule must pay the house only
// once. In one of three calls it lets two guests do so instead.
func (m *loadClient) completeForHouse(ctx context.Context) {
	h, s, r := m.chooseHouse(), m.chooseSettlement(), m.choosePlainRule()
	if m.rng.IntN(4) == 0 {
		r = m.world.plainRules[len(m.world.plainRules)-1-m.rng.IntN(2)] // one of the last two, which others require
	}
	one, other := m.chooseWalletOf(h), m.chooseWalletOf(h)
	if m.rng.IntN(3) == 0 {
		one, other = s.guests[m.rng.IntN(guestsEach)].wallet, s.guests[m.rng.IntN(guestsEach)].wallet
	}
	m.sendAtOnce(ctx, m.newCompletion(r, one), m.newCompletion(r, other))
}

// toggleBlock blocks or unblocks a house, by a request for one of its members. A house, which is a fixed group, is
// changed at most once in a round, so that a mark lasts.
func (m *loadClient) toggleBlock(ctx context.Context) {
	s := m.chooseSettlement()
	h := s.blockable[m.rng.IntN(len(s.blockable))]
	wallet := m.chooseWalletOf(h)
	h.blocked.tryChange(func(isBlocked bool) bool { return !isBlocked }, func(isBlocked bool) outcome {
		if h.round == m.round {
			return unsent
		}
		h.round = m.round
		return m.writeMetadata(ctx, wallet, "isBlocked", isBlocked)
	})
}

// moveGuest lets a guest, a person without a fixed group, move to a random group for guests, or to none.
func (m *loadClient) moveGuest(ctx context.Context) {
	s := m.chooseSettlement()
	g := s.guests[m.rng.IntN(guestsEach)]
	target := append(s.guestGroups, "")[m.rng.IntN(innsEach+1)]
	g.group.tryChange(func(string) string { return target }, func(group string) outcome {
		if group == "" {
			return m.writeMetadata(ctx, g.wallet, groupField, nil)
		}
		return m.writeMetadata(ctx, g.wallet, groupField, group)
	})
}

// joinMateWhilePaid lets a new wallet complete a rule that pays once, and join the group of a mate afterwards or
// meanwhile. Then the rule may pay neither the mate nor, once it has left the group, the wallet itself again.
func (m *loadClient) joinMateWhilePaid(ctx context.Context) {
	wallet, mate, r := m.newWallet(), m.newWallet(), m.world.onceRules[m.rng.IntN(len(m.world.onceRules))]
	group := "pair-" + wallet
	complete := func(wallet, mate string) outcome {
		o := &operation{id: m.newID(), rule: r, wallet: wallet, mate: mate}
		return m.perform(ctx, o.withCompletion(nil)).outcome
	}
	if m.writeMetadata(ctx, mate, groupField, group) != done {
		return
	}
	paidFirst := m.rng.IntN(2) == 0
	var paid outcome
	var both sync.WaitGroup
	both.Go(func() { paid = complete(wallet, mate) })
	if paidFirst {
		both.Wait()
	}
	joined := m.writeMetadata(ctx, wallet, groupField, group)
	both.Wait()
	if paid != done || joined != done {
		return
	}
	if complete(mate, wallet) == done {
		m.world.model.addFinding("window: rule %s paid %s, whose mate %s it had paid", r.name, mate, wallet)
	} else if m.writeMetadata(ctx, wallet, groupField, nil) == done && complete(wallet, mate) == done {
		m.world.model.addFinding("window: rule %s paid %s again when it had left its group", r.name, wallet)
	}
}

// click clicks on a link as a member of a house that is never blocked. So the click can end unpaid only because another
// member of the house was paid.
func (m *loadClient) click(ctx context.Context) {
	s := m.chooseSettlement()
	h := s.neverBlocked[m.rng.IntN(len(s.neverBlocked))]
	link := m.world.linkRules[m.rng.IntN(len(m.world.linkRules))]
	o := &operation{id: m.newID(), rule: link, wallet: m.chooseWalletOf(h)}
	o.request.idempotencyKey = m.chooseIdempotencyKey(o.id)
	m.perform(ctx, o.withCompletion(nil))
}

// newProgress returns an operation that adds 1 to the progress of a house in the counter rule.
func (m *loadClient) newProgress() *operation {
	o := &operation{id: m.newID(), rule: m.world.counterRule, wallet: m.chooseWalletOf(m.chooseHouse()), isProgress: true}
	o.request.idempotencyKey = m.chooseIdempotencyKey(o.id)
	return o.withPost(
		"/api/loyalty/rule_statuses",
		map[string]any{"loyaltyRuleId": o.rule.id, "walletAddress": o.wallet, "incProgress": 1},
	)
}
