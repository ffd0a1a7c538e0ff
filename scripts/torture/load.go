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
	crowd       = 64  // clients at once
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
	for i := range crowd {
		m := &member{crew: c, number: i, rng: rand.New(rand.NewPCG(w.seed, uint64(c.round)<<16|uint64(i)))} //nolint:gosec // chance that can be replayed
		c.wg.Go(func() {
			for !c.stopped.Load() && ctx.Err() == nil {
				m.act(ctx)
			}
		})
	}
	return c, nil
}

// end waits until every client has its last answer.
func (c *crew) end() {
	c.stopped.Store(true)
	c.wg.Wait()
}

// reach waits until so many more operations are acknowledged.
func (c *crew) reach(ctx context.Context, more int) error {
	goal := c.w.model.acknowledged() + more
	return eventually(ctx, fmt.Sprintf("%d more operations are acknowledged", more), func() bool { return c.w.model.acknowledged() >= goal })
}

// act carries out one operation of chance.
func (m *member) act(ctx context.Context) {
	m.count++
	switch dice := m.rng.IntN(100); {
	case dice < 40:
		m.deliver(ctx, m.completion(m.plainRule(), m.wallet()))
	case dice < 52:
		m.rival(ctx)
	case dice < 82:
		m.deliver(ctx, m.transaction())
	case dice < 92:
		m.deliver(ctx, m.redemption())
	case dice < 96:
		m.climb(ctx)
	default:
		m.edit(ctx)
	}
}

func (m *member) name() string {
	m.count++
	return fmt.Sprintf("op-%d-%d-%d", m.round, m.number, m.count)
}

// wallet answers one of this round's new wallets mostly, else one of a former round.
func (m *member) wallet() string {
	round := m.round
	if m.rng.IntN(5) == 0 {
		round = 1 + m.rng.IntN(m.round)
	}
	return walletOf(round, m.rng.IntN(newWallets))
}

func walletOf(kind, number int) string { return fmt.Sprintf("0x%032x%08x", kind, number) }

const bank = 0xbabe

// header answers an Idempotency-Key for some operations.
func (m *member) header(id string) string {
	if m.rng.IntN(3) == 0 {
		return "header-" + id
	}
	return ""
}

func (m *member) plainRule() *rule { return m.w.plain[m.rng.IntN(len(m.w.plain))] }

// rival lets two operations compete for one window.
func (m *member) rival(ctx context.Context) {
	r, wallet := m.plainRule(), m.wallet()
	one, other := m.completion(r, wallet), m.completion(r, wallet)
	m.w.model.add(other)
	var both sync.WaitGroup
	both.Go(func() { m.w.ask(ctx, m.number+1, other) })
	m.deliver(ctx, one)
	both.Wait()
}

// completion is one of a rule without codes and progress.
func (m *member) completion(r *rule, wallet string) *op {
	o := &op{id: m.name(), rule: r, wallet: wallet}
	body := map[string]any{"walletAddress": o.wallet, "contentUrl": contentPrefix + o.id}
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
	return o.to("/api/loyalty/rules/"+r.id+"/complete", body)
}

// redemption tries one of the round's codes, which others try too.
func (m *member) redemption() *op {
	o := &op{id: m.name(), rule: m.codes, wallet: m.wallet(), code: m.codes.codes[m.rng.IntN(codesEach)]}
	o.request.header = m.header(o.id)
	return o.to("/api/loyalty/rules/"+m.codes.id+"/complete",
		map[string]any{"walletAddress": o.wallet, "contentUrl": contentPrefix + o.id, "verificationCode": o.code})
}

// transaction moves points of one to three wallets, up or down.
func (m *member) transaction() *op {
	o := &op{id: m.name()}
	if m.rng.IntN(2) == 0 {
		o.key = "key-" + o.id
	} else {
		o.request.header = m.header(o.id)
	}
	var entries []map[string]any
	for i, wallet := range m.rng.Perm(bankWallets)[:1+m.rng.IntN(3)] {
		amount := laurel.Amount(1+m.rng.IntN(40)) * 250_000
		entry := map[string]any{"walletAddress": walletOf(bank, wallet), "amount": amount, "direction": "credit", "metadata": map[string]any{"op": o.id}}
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
func (m *member) deliver(ctx context.Context, o *op) told {
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
func (w *world) ask(ctx context.Context, number int, o *op) told {
	a, err := w.client.send(ctx, w.address(number), o.request)
	t := w.model.read(o.String(), a, err)
	if t.outcome == unsent || t.outcome == unknown {
		time.Sleep(50 * time.Millisecond) // the service is away for the moment
	}
	w.model.note(o, t)
	return t
}

// climb brings a new wallet to 100 percent by five increments, four of them at once, and completes too early, in time and too late.
func (m *member) climb(ctx context.Context) {
	wallet := "0x" + fmt.Sprintf("%08x%08x%024x", m.round, m.number, m.count)
	complete := func() told {
		o := &op{id: m.name(), rule: m.w.climbing, wallet: wallet}
		return m.deliver(ctx, o.to("/api/loyalty/rules/"+o.rule.id+"/complete", map[string]any{"walletAddress": wallet, "contentUrl": contentPrefix + o.id}))
	}
	var four sync.WaitGroup
	var sure atomic.Int64
	for range 4 {
		four.Go(func() {
			if m.increment(ctx, wallet) {
				sure.Add(1)
			}
		})
	}
	four.Wait()
	if t := complete(); sure.Load() != 4 || t.outcome != refused {
		if t.outcome == done {
			m.w.model.finding("progress: %s was paid at 80 percent", wallet)
		}
		return
	}
	if !m.increment(ctx, wallet) {
		return
	}
	switch t := complete(); t.outcome {
	case refused:
		m.w.model.finding("progress: %s has 100 percent by five acknowledged increments and is refused: %s", wallet, t.refusal)
	case done:
		if t := complete(); t.outcome == done {
			m.w.model.finding("progress: %s was paid again after its progress was reset", wallet)
		}
	}
}

// increment adds 20 percent and answers whether that is sure.
func (m *member) increment(ctx context.Context, wallet string) bool {
	a, err := m.w.client.send(ctx, m.w.address(m.number), request{method: "POST", path: "/api/loyalty/rule_statuses",
		body: map[string]any{"loyaltyRuleId": m.w.climbing.id, "walletAddress": wallet, "incProgress": 20}})
	t := m.w.model.read("progress of "+wallet, a, err)
	if t.outcome == refused {
		m.w.model.finding("answer: progress of %s was refused: %s", wallet, t.refusal)
	}
	return t.outcome == done
}

// edit changes amount, cap and interval of one rule, unless somebody else is at it.
func (m *member) edit(ctx context.Context) {
	r := m.plainRule()
	if !r.editing.TryLock() {
		return
	}
	defer r.editing.Unlock()
	next := r.latest()
	next.amount = 2 + m.rng.IntN(7)
	if next.capped > 0 {
		next.capped = 20 + m.rng.IntN(40)
	}
	if r.name == "moving" {
		next.interval = []string{"daily", "weekly", "monthly"}[m.rng.IntN(3)]
	}
	m.w.edit(ctx, m.number, r, next)
}
