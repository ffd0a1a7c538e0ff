package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"time"

	"laurel.example/laurel"
)

const (
	clientCount = 64  // clients of a round
	newWallets  = 80  // new wallets per round
	bankWallets = 48  // wallets whose balances are spent
	codesEach   = 150 // codes per round
)

// roundClients are the clients that send operations during one round.
type roundClients struct {
	world   *world
	round   int
	codes   *rule
	stopped atomic.Bool
	wg      sync.WaitGroup
}

// loadClient is one client with random numbers of its own, so that a seed always sends the same operations in the same
// order.
type loadClient struct {
	*roundClients
	number  int
	idCount int
	rng     *rand.Rand
}

// startRound creates the codes and people of a round, and starts its clients.
func (w *world) startRound(ctx context.Context) (*roundClients, error) {
	w.rounds++
	c := &roundClients{world: w, round: w.rounds}
	codes, err := w.createCodeRule(ctx, fmt.Sprintf("codes-%d", c.round))
	if err != nil {
		return nil, err
	}
	c.codes = codes
	if err := c.createSettlement(ctx); err != nil {
		return nil, err
	}
	for i := range clientCount {
		m := &loadClient{
			roundClients: c,
			number:       i,
			rng:          rand.New(rand.NewPCG(w.seed, uint64(c.round)<<16|uint64(i))),
		} //nolint:gosec // chance that can be replayed
		c.wg.Go(func() {
			for !c.stopped.Load() && ctx.Err() == nil {
				m.act(ctx)
			}
		})
	}
	return c, nil
}

// stop waits until every client has its last response.
func (c *roundClients) stop() {
	c.stopped.Store(true)
	c.wg.Wait()
}

// waitForMore waits until the given number of further operations is acknowledged.
func (c *roundClients) waitForMore(ctx context.Context, more int) error {
	goal := c.world.model.acknowledged() + more
	return waitUntil(
		ctx,
		fmt.Sprintf("%d more operations are acknowledged", more),
		func() bool { return c.world.model.acknowledged() >= goal },
	)
}

// act does one randomly chosen thing.
func (m *loadClient) act(ctx context.Context) {
	m.idCount++
	switch dice := m.rng.IntN(100); {
	case dice < 26:
		m.perform(ctx, m.newCompletion(m.choosePlainRule(), m.chooseWallet()))
	case dice < 34:
		m.completeWithRival(ctx)
	case dice < 50:
		m.completeForHouse(ctx)
	case dice < 72:
		m.perform(ctx, m.newTransaction())
	case dice < 80:
		m.perform(ctx, m.newRedemption())
	case dice < 82:
		m.climbToFullProgress(ctx)
	case dice < 84:
		m.joinMateWhilePaid(ctx)
	case dice < 88:
		m.click(ctx)
	case dice < 91:
		m.perform(ctx, m.newProgress())
	case dice < 94:
		m.moveGuest(ctx)
	case dice < 95:
		m.toggleBlock(ctx)
	default:
		m.editRule(ctx)
	}
}

// newID returns the id of the client's next operation.
func (m *loadClient) newID() string {
	m.idCount++
	return fmt.Sprintf("op-%d-%d-%d", m.round, m.number, m.idCount)
}

// chooseWallet returns one of this round's new wallets, or in one of five cases one of any round so far.
func (m *loadClient) chooseWallet() string {
	round := m.round
	if m.rng.IntN(5) == 0 {
		round = 1 + m.rng.IntN(m.round)
	}
	return walletOf(round, m.rng.IntN(newWallets))
}

func walletOf(kind, number int) string { return fmt.Sprintf("0x%032x%08x", kind, number) }

const bank = 0xbabe

// chooseIdempotencyKey returns the value of Idempotency-Key for an operation: one of three has a key, the others "".
func (m *loadClient) chooseIdempotencyKey(id string) string {
	if m.rng.IntN(3) == 0 {
		return "header-" + id
	}
	return ""
}

func (m *loadClient) choosePlainRule() *rule {
	return m.world.plainRules[m.rng.IntN(len(m.world.plainRules))]
}

// completeWithRival sends two completions that compete for one window.
func (m *loadClient) completeWithRival(ctx context.Context) {
	r, wallet := m.choosePlainRule(), m.chooseWallet()
	m.sendAtOnce(ctx, m.newCompletion(r, wallet), m.newCompletion(r, wallet))
}

// sendAtOnce performs two operations at the same time, each on a server of its own, if there are two.
func (m *loadClient) sendAtOnce(ctx context.Context, one, other *operation) {
	m.world.model.addOperation(other)
	var both sync.WaitGroup
	both.Go(func() { m.world.sendOnce(ctx, m.number+1, other) })
	m.perform(ctx, one)
	both.Wait()
}

// newCompletion returns a completion of a plain rule by a wallet. Some of those by members of houses, whose groups
// never change, check whether required rules are completed.
func (m *loadClient) newCompletion(r *rule, wallet string) *operation {
	o := &operation{id: m.newID(), rule: r, wallet: wallet}
	p := m.world.model.persons[wallet]
	o.checksRequired = p != nil && p.house != nil && !r.alwaysRequired && r.name != tollRuleName && m.rng.IntN(2) == 0
	body := map[string]any{}
	switch {
	case r.kind == "text_input":
		body["verificationCode"] = "a text that is long enough"
		o.request.idempotencyKey = m.chooseIdempotencyKey(o.id)
	case r.kind == "external_rule" && m.rng.IntN(3) == 0:
		o.businessKey = "key-" + o.id
		body["idempotencyKey"] = o.businessKey
	default:
		o.request.idempotencyKey = m.chooseIdempotencyKey(o.id)
	}
	if id := m.world.userIDs[wallet]; id != "" && m.rng.IntN(2) == 0 {
		body["userId"] = id // which counts before the wallet
	}
	return o.withCompletion(body)
}

// withCompletion sets the request of the operation to a completion of its rule by its wallet, with the other properties
// of the body, and returns the operation. body may be nil.
func (o *operation) withCompletion(body map[string]any) *operation {
	if body == nil {
		body = map[string]any{}
	}
	body["walletAddress"], body["contentUrl"] = o.wallet, contentPrefix+o.id
	body["skipChainOrRequiredCheck"] = !o.checksRequired
	return o.withPost("/api/loyalty/rules/"+o.rule.id+"/complete", body)
}

// newRedemption returns a completion with one of the round's codes, which other clients try too.
func (m *loadClient) newRedemption() *operation {
	o := &operation{
		id: m.newID(), rule: m.codes, wallet: m.chooseWallet(), promoCode: m.codes.codes[m.rng.IntN(codesEach)],
	}
	o.request.idempotencyKey = m.chooseIdempotencyKey(o.id)
	return o.withCompletion(map[string]any{"verificationCode": o.promoCode})
}

// newTransaction returns a transaction with a random credit or debit of one to three bank wallets.
func (m *loadClient) newTransaction() *operation {
	o := &operation{id: m.newID()}
	if m.rng.IntN(2) == 0 {
		o.businessKey = "key-" + o.id
	} else {
		o.request.idempotencyKey = m.chooseIdempotencyKey(o.id)
	}
	var entries []map[string]any
	for i, wallet := range m.rng.Perm(bankWallets)[:1+m.rng.IntN(3)] {
		amount := laurel.Amount(1+m.rng.IntN(40)) * 250_000 // in quarters of a point
		entry := map[string]any{
			"walletAddress": walletOf(bank, wallet),
			"amount":        amount,
			"direction":     "credit",
			"metadata":      map[string]any{"op": o.id},
		}
		if m.rng.IntN(2) == 0 {
			entry["direction"], amount = "debit", -amount
		}
		if o.businessKey != "" {
			entry["idempotencyKey"] = fmt.Sprintf("%s-%d", o.businessKey, i)
		}
		entries = append(entries, entry)
		o.moves = append(o.moves, move{walletOf(bank, wallet), amount})
	}
	return o.withPost("/api/loyalty/transactions",
		map[string]any{"description": o.id, "loyaltyCurrencyId": m.world.created.LoyaltyCurrencyID, "entries": entries})
}

// withPost sets the request of the operation to a POST and returns the operation.
func (o *operation) withPost(path string, body any) *operation {
	o.request.method, o.request.path, o.request.body = "POST", path, body
	return o
}

// perform records an operation in the model and sends it. Some operations that may be sent again it sends twice at the
// same time, to two servers if there are two. It returns the result of the first request.
func (m *loadClient) perform(ctx context.Context, o *operation) result {
	m.world.model.addOperation(o)
	var twin sync.WaitGroup
	if o.isRepeatable() && m.rng.IntN(12) == 0 {
		twin.Go(func() { m.world.sendOnce(ctx, m.number+1, o) })
	}
	t := m.world.sendOnce(ctx, m.number, o)
	twin.Wait()
	return t
}

// sendOnce sends an operation once, and records its result in the model. number is that of a client and selects the
// server. If the service gave no answer, sendOnce waits a moment before it returns.
func (w *world) sendOnce(ctx context.Context, number int, o *operation) result {
	begun := time.Now()
	resp, err := w.client.send(ctx, w.address(number), o.request)
	latest := w.model.parseResponse(o.String(), resp, err)
	latest.sent = begun
	if latest.outcome == unsent || latest.outcome == unknown {
		time.Sleep(50 * time.Millisecond) // the service is away for the moment
	}
	w.model.recordResult(o, latest)
	return latest
}

// climbToFullProgress brings a new wallet to 100 percent in the percent rule by five increments of 20: two at once, two
// at once again, and the last. It completes the rule at 80 percent, where that must be refused, at 100, and once more
// when the progress is reset. Half of the wallets join a group with a mate after two increments, and the mate goes on
// from there. It stops without a finding once an outcome is unknown.
func (m *loadClient) climbToFullProgress(ctx context.Context) {
	wallet := m.newWallet()
	mate, group := wallet, ""
	if m.rng.IntN(2) == 0 {
		mate, group = m.newWallet(), "climb-"+wallet
	}
	complete := func(wallet string) result {
		o := &operation{id: m.newID(), rule: m.world.percentRule, wallet: wallet}
		return m.perform(ctx, o.withCompletion(nil))
	}
	if !m.incrementTwice(ctx, wallet) ||
		group != "" && (m.writeMetadata(ctx, mate, groupField, group) != done ||
			m.writeMetadata(ctx, wallet, groupField, group) != done) ||
		!m.incrementTwice(ctx, mate) {
		return
	}
	if t := complete(wallet); t.outcome != refused {
		if t.outcome == done {
			m.world.model.addFinding("progress: %s was paid at 80 percent", wallet)
		}
		return
	}
	if !m.increment(ctx, wallet) {
		return
	}
	switch t := complete(mate); t.outcome {
	case refused:
		m.world.model.addFinding("progress: %s has 100 percent by five acknowledged increments and is refused: %s", mate, t.refusal)
	case done:
		if t := complete(wallet); t.outcome == done {
			m.world.model.addFinding("progress: %s was paid again after its progress was reset", wallet)
		}
	}
}

// newWallet returns a wallet that no one has used.
func (m *loadClient) newWallet() string {
	m.idCount++
	return fmt.Sprintf("0x%08x%08x%024x", m.round, m.number, m.idCount)
}

// incrementTwice adds 20 percent two times at once and reports whether both were acknowledged.
func (m *loadClient) incrementTwice(ctx context.Context, wallet string) bool {
	var both sync.WaitGroup
	var acknowledged [2]bool
	for i := range acknowledged {
		both.Go(func() { acknowledged[i] = m.increment(ctx, wallet) })
	}
	both.Wait()
	return acknowledged[0] && acknowledged[1]
}

// increment adds 20 percent of progress to a wallet and reports whether that was acknowledged.
func (m *loadClient) increment(ctx context.Context, wallet string) bool {
	a, err := m.world.client.send(ctx, m.world.address(m.number), request{method: "POST", path: "/api/loyalty/rule_statuses",
		body: map[string]any{"loyaltyRuleId": m.world.percentRule.id, "walletAddress": wallet, "incProgress": 20}})
	t := m.world.model.parseResponse("progress of "+wallet, a, err)
	if t.outcome == refused {
		m.world.model.addFinding("answer: progress of %s was refused: %s", wallet, t.refusal)
	}
	return t.outcome == done
}

// editRule changes the amount of one plain rule, and of some rules the cap, the interval or whether others require it.
// It does nothing while another client edits the rule.
func (m *loadClient) editRule(ctx context.Context) {
	r, amount, newCap := m.choosePlainRule(), 2+m.rng.IntN(7), 20+m.rng.IntN(40)
	interval, toggle := m.rng.IntN(3), m.rng.IntN(4) == 0
	m.world.editRule(ctx, m.number, r, func(v version) version {
		v.amount = amount
		switch {
		case v.dailyCap > 0:
			v.dailyCap = newCap
		case r.name == movingRuleName:
			v.interval = []string{"daily", "weekly", "monthly"}[interval]
		case r.name == tollRuleName && toggle:
			v.required = !v.required
		}
		return v
	})
}
