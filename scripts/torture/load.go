package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"time"

	"laurel"
)

const (
	clientCount = 64  // clients at once
	newWallets  = 80  // new wallets per round
	bankWallets = 48  // wallets whose balances are spent
	codesEach   = 150 // codes per round
)

// crew is the clients of one round.
type crew struct {
	w       *world
	round   int
	codes   *rule
	stopped atomic.Bool
	wg      sync.WaitGroup
}

// member is one client with its own chance, so that a seed always asks for the same things in the same order.
type member struct {
	*crew
	number int
	count  int
	rng    *rand.Rand
}

// begin starts the clients of a round.
func (w *world) begin(ctx context.Context) (*crew, error) {
	w.rounds++
	c := &crew{w: w, round: w.rounds}
	codes, err := w.codeRule(ctx, fmt.Sprintf("codes-%d", c.round))
	if err != nil {
		return nil, err
	}
	c.codes = codes
	if err := c.createSettlement(ctx); err != nil {
		return nil, err
	}
	for i := range clientCount {
		m := &member{
			crew:   c,
			number: i,
			rng:    rand.New(rand.NewPCG(w.seed, uint64(c.round)<<16|uint64(i))),
		} //nolint:gosec // chance that can be replayed
		c.wg.Go(func() {
			for !c.stopped.Load() && ctx.Err() == nil {
				m.act(ctx)
			}
		})
	}
	return c, nil
}

// stop waits until every client has its last answer.
func (c *crew) stop() {
	c.stopped.Store(true)
	c.wg.Wait()
}

// waitForMore waits until so many more operations are acknowledged.
func (c *crew) waitForMore(ctx context.Context, more int) error {
	goal := c.w.model.acknowledged() + more
	return eventually(
		ctx,
		fmt.Sprintf("%d more operations are acknowledged", more),
		func() bool { return c.w.model.acknowledged() >= goal },
	)
}

// act carries out one operation of chance.
func (m *member) act(ctx context.Context) {
	m.count++
	switch dice := m.rng.IntN(100); {
	case dice < 26:
		m.deliver(ctx, m.newCompletion(m.plainRule(), m.wallet()))
	case dice < 34:
		m.completeWithRival(ctx)
	case dice < 50:
		m.completeForHouse(ctx)
	case dice < 72:
		m.deliver(ctx, m.newTransaction())
	case dice < 80:
		m.deliver(ctx, m.newRedemption())
	case dice < 82:
		m.raiseProgress(ctx)
	case dice < 84:
		m.pairUp(ctx)
	case dice < 88:
		m.click(ctx)
	case dice < 91:
		m.deliver(ctx, m.step())
	case dice < 94:
		m.moveGuest(ctx)
	case dice < 95:
		m.toggleBlock(ctx)
	default:
		m.editRule(ctx)
	}
}

func (m *member) name() string {
	m.count++
	return fmt.Sprintf("op-%d-%d-%d", m.round, m.number, m.count)
}

// wallet returns one of this round's new wallets mostly, else one of a former round.
func (m *member) wallet() string {
	round := m.round
	if m.rng.IntN(5) == 0 {
		round = 1 + m.rng.IntN(m.round)
	}
	return walletOf(round, m.rng.IntN(newWallets))
}

func walletOf(kind, number int) string { return fmt.Sprintf("0x%032x%08x", kind, number) }

const bank = 0xbabe

// header returns an Idempotency-Key for some operations.
func (m *member) header(id string) string {
	if m.rng.IntN(3) == 0 {
		return "header-" + id
	}
	return ""
}

func (m *member) plainRule() *rule { return m.w.plain[m.rng.IntN(len(m.w.plain))] }

// completeWithRival sends two completions that compete for one window.
func (m *member) completeWithRival(ctx context.Context) {
	r, wallet := m.plainRule(), m.wallet()
	m.sendAtOnce(ctx, m.newCompletion(r, wallet), m.newCompletion(r, wallet))
}

// sendAtOnce lets two operations run at once.
func (m *member) sendAtOnce(ctx context.Context, one, other *op) {
	m.w.model.add(other)
	var both sync.WaitGroup
	both.Go(func() { m.w.ask(ctx, m.number+1, other) })
	m.deliver(ctx, one)
	both.Wait()
}

// newCompletion is one of a rule without codes, clicks and progress. Some by members of houses ask whether required
// rules are completed.
func (m *member) newCompletion(r *rule, wallet string) *op {
	o := &op{id: m.name(), rule: r, wallet: wallet}
	p := m.w.model.persons[wallet]
	o.checksRequired = p != nil && p.house != nil && !r.first && r.name != "toll" && m.rng.IntN(2) == 0
	body := map[string]any{}
	switch {
	case r.kind == "text_input":
		body["verificationCode"] = "a text that is long enough"
		o.request.header = m.header(o.id)
	case r.kind == "external_rule" && m.rng.IntN(3) == 0:
		o.key = "key-" + o.id
		body["idempotencyKey"] = o.key
	default:
		o.request.header = m.header(o.id)
	}
	if id := m.w.ids[wallet]; id != "" && m.rng.IntN(2) == 0 {
		body["userId"] = id // before the wallet
	}
	return o.completes(body)
}

// completes is the call that completes the operation's rule; what it does not ask for itself is in the body.
func (o *op) completes(body map[string]any) *op {
	if body == nil {
		body = map[string]any{}
	}
	body["walletAddress"], body["contentUrl"], body["skipChainOrRequiredCheck"] = o.wallet, contentPrefix+o.id, !o.checksRequired
	return o.to("/api/loyalty/rules/"+o.rule.id+"/complete", body)
}

// newRedemption tries one of the round's codes, which others try too.
func (m *member) newRedemption() *op {
	o := &op{id: m.name(), rule: m.codes, wallet: m.wallet(), code: m.codes.codes[m.rng.IntN(codesEach)]}
	o.request.header = m.header(o.id)
	return o.completes(map[string]any{"verificationCode": o.code})
}

// newTransaction moves points of one to three wallets, up or down.
func (m *member) newTransaction() *op {
	o := &op{id: m.name()}
	if m.rng.IntN(2) == 0 {
		o.key = "key-" + o.id
	} else {
		o.request.header = m.header(o.id)
	}
	var entries []map[string]any
	for i, wallet := range m.rng.Perm(bankWallets)[:1+m.rng.IntN(3)] {
		amount := laurel.Amount(1+m.rng.IntN(40)) * 250_000
		entry := map[string]any{
			"walletAddress": walletOf(bank, wallet),
			"amount":        amount,
			"direction":     "credit",
			"metadata":      map[string]any{"op": o.id},
		}
		if m.rng.IntN(2) == 0 {
			entry["direction"], amount = "debit", -amount
		}
		if o.key != "" {
			entry["idempotencyKey"] = fmt.Sprintf("%s-%d", o.key, i)
		}
		entries = append(entries, entry)
		o.moves = append(o.moves, move{walletOf(bank, wallet), amount})
	}
	return o.to("/api/loyalty/transactions",
		map[string]any{"description": o.id, "loyaltyCurrencyId": m.w.made.LoyaltyCurrencyID, "entries": entries})
}

func (o *op) to(path string, body any) *op {
	o.request.method, o.request.path, o.request.body = "POST", path, body
	return o
}

// deliver sends an operation, some repeatable ones twice at once, and notes what is answered.
func (m *member) deliver(ctx context.Context, o *op) reading {
	m.w.model.add(o)
	var twin sync.WaitGroup
	if o.repeatable() && m.rng.IntN(12) == 0 {
		twin.Go(func() { m.w.ask(ctx, m.number+1, o) })
	}
	t := m.w.ask(ctx, m.number, o)
	twin.Wait()
	return t
}

// ask sends an operation once, by the node that is the client's.
func (w *world) ask(ctx context.Context, number int, o *op) reading {
	asked := time.Now()
	a, err := w.client.send(ctx, w.address(number), o.request)
	t := w.model.read(o.String(), a, err)
	t.asked = asked
	if t.outcome == unsent || t.outcome == unknown {
		time.Sleep(50 * time.Millisecond) // the service is away for the moment
	}
	w.model.note(o, t)
	return t
}

// raiseProgress brings a new wallet to 100 percent by five increments, two of them at once, and completes too early, in
// time and too late. Some wallets join a group with a mate half-way, who goes on from there.
func (m *member) raiseProgress(ctx context.Context) {
	wallet := m.newWallet()
	mate, group := wallet, ""
	if m.rng.IntN(2) == 0 {
		mate, group = m.newWallet(), "climb-"+wallet
	}
	complete := func(wallet string) reading {
		o := &op{id: m.name(), rule: m.w.climbing, wallet: wallet}
		return m.deliver(ctx, o.completes(nil))
	}
	if !m.writeProgressTwice(ctx, wallet) ||
		group != "" && (m.writeMetadata(ctx, mate, joins, group) != done || m.writeMetadata(ctx, wallet, joins, group) != done) ||
		!m.writeProgressTwice(ctx, mate) {
		return
	}
	if t := complete(wallet); t.outcome != refused {
		if t.outcome == done {
			m.w.model.finding("progress: %s was paid at 80 percent", wallet)
		}
		return
	}
	if !m.increment(ctx, wallet) {
		return
	}
	switch t := complete(mate); t.outcome {
	case refused:
		m.w.model.finding("progress: %s has 100 percent by five acknowledged increments and is refused: %s", mate, t.refusal)
	case done:
		if t := complete(wallet); t.outcome == done {
			m.w.model.finding("progress: %s was paid again after its progress was reset", wallet)
		}
	}
}

// newWallet returns one that nobody has used.
func (m *member) newWallet() string {
	m.count++
	return fmt.Sprintf("0x%08x%08x%024x", m.round, m.number, m.count)
}

// writeProgressTwice adds 20 percent two times at once and reports whether both are sure.
func (m *member) writeProgressTwice(ctx context.Context, wallet string) bool {
	var both sync.WaitGroup
	var sure [2]bool
	for i := range sure {
		both.Go(func() { sure[i] = m.increment(ctx, wallet) })
	}
	both.Wait()
	return sure[0] && sure[1]
}

// increment adds 20 percent and reports whether that is sure.
func (m *member) increment(ctx context.Context, wallet string) bool {
	a, err := m.w.client.send(ctx, m.w.address(m.number), request{method: "POST", path: "/api/loyalty/rule_statuses",
		body: map[string]any{"loyaltyRuleId": m.w.climbing.id, "walletAddress": wallet, "incProgress": 20}})
	t := m.w.model.read("progress of "+wallet, a, err)
	if t.outcome == refused {
		m.w.model.finding("answer: progress of %s was refused: %s", wallet, t.refusal)
	}
	return t.outcome == done
}

// editRule changes amount, cap and interval of one rule, or whether it comes before others, unless somebody else is at
// it.
func (m *member) editRule(ctx context.Context) {
	r, amount, more := m.plainRule(), 2+m.rng.IntN(7), 20+m.rng.IntN(40)
	interval, toggle := m.rng.IntN(3), m.rng.IntN(4) == 0
	m.w.edit(ctx, m.number, r, func(v version) version {
		v.amount = amount
		switch {
		case v.capped > 0:
			v.capped = more
		case r.name == "moving":
			v.interval = []string{"daily", "weekly", "monthly"}[interval]
		case r.name == "toll" && toggle:
			v.required = !v.required
		}
		return v
	})
}
