package main

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"sync"
	"time"

	"laurel"
)

// reserve is a hold that somebody asked for.
type reserve struct {
	*deal
	house    string
	amount   laurel.Amount
	id       string    // "": the answer was lost
	expires  time.Time // as it was told
	captured laurel.Amount
	end      string // that was acknowledged; "": none
}

// expiry is the shortest that a hold may have.
const expiry = 60 * time.Second

// act carries out one thing of chance.
func (m *trader) act(ctx context.Context) {
	switch dice := m.rng.IntN(100); {
	case dice < 38:
		m.bid(ctx)
	case dice < 58:
		m.buy(ctx)
	case dice < 76:
		m.hold(ctx)
	case dice < 96:
		m.endHold(ctx)
	default:
		m.reportClaim(ctx)
	}
	if m.long { // so that many members make no flood
		time.Sleep(time.Duration(m.rng.IntN(2000)) * time.Millisecond)
	}
}

// buy asks for items of one of the last shelves, now and then of a former one.
func (m *trader) buy(ctx context.Context) {
	m.mu.Lock()
	at := len(m.shelves) - 1 - m.rng.IntN(min(4, len(m.shelves)))
	if m.rng.IntN(8) == 0 {
		at = m.rng.IntN(len(m.shelves))
	}
	p := &purchase{house: m.house, wallet: m.wallet, shelf: m.shelves[at], n: 1 + m.rng.IntN(3)}
	m.mu.Unlock()
	op := m.name("buy")
	p.deal = m.repeatUntilKnown(ctx, m.number, &deal{op: op, request: post("/api/minting/contracts/mint", map[string]any{
		"assetId": p.shelf.id, "contractId": p.shelf.contract, "walletAddress": m.wallet, "quantity": p.n, "customInputValue": op,
	})})
	m.mu.Lock()
	defer m.mu.Unlock()
	m.purchases = append(m.purchases, p)
}

// hold reserves points.
func (m *trader) hold(ctx context.Context) {
	op := m.name("hold")
	h := &reserve{house: m.house, amount: laurel.Amount(1+m.rng.IntN(100)) * 500_000}
	seconds := int64(expiry / time.Second)
	if m.rng.IntN(4) == 0 {
		seconds = 3600
	}
	body := map[string]any{
		"walletAddress": m.wallet, "loyaltyCurrencyId": m.made.LoyaltyCurrencyID, "amount": h.amount,
		"expiresInSeconds": seconds, "metadata": map[string]any{"op": op},
	}
	if m.rng.IntN(2) == 0 {
		body["idempotencyKey"] = op
	}
	h.deal = m.repeatUntilKnown(ctx, m.number, &deal{op: op, request: post("/api/loyalty/holds", body)})
	var response struct {
		ID        string
		ExpiresAt time.Time
	}
	if h.outcome == done && json.Unmarshal(h.body, &response) == nil {
		h.id, h.expires = response.ID, response.ExpiresAt
	}
	m.mu.Lock()
	m.holds = append(m.holds, h)
	m.mu.Unlock()
	if h.id != "" {
		m.open = append(m.open, h)
	}
}

// endHold ends one of the member's holds, by two requests at once now and then: one of them counts.
func (m *trader) endHold(ctx context.Context) {
	if len(m.open) == 0 {
		m.hold(ctx)
		return
	}
	at := m.rng.IntN(len(m.open))
	h := m.open[at]
	m.open = slices.Delete(m.open, at, at+1)
	if m.long && m.rng.IntN(3) == 0 {
		return // it is forgotten, and expires
	}
	part := h.amount
	capture, release := m.endDeal(h, "capture"), m.endDeal(h, "release")
	if m.rng.IntN(2) == 0 {
		part = max(1, h.amount/laurel.Amount(2+m.rng.IntN(3)))
		capture.request.body = map[string]any{"amount": part}
	}
	switch m.rng.IntN(3) {
	case 0:
		m.repeatUntilKnown(ctx, m.number, capture)
	case 1:
		m.repeatUntilKnown(ctx, m.number, release)
	default:
		var both sync.WaitGroup
		both.Go(func() { m.repeatUntilKnown(ctx, m.number+1, release) })
		m.repeatUntilKnown(ctx, m.number, capture)
		both.Wait()
	}
	m.recordEnd(h, capture, release, part)
}

func (m *trader) endDeal(h *reserve, how string) *deal {
	return &deal{op: m.name(how), request: post("/api/loyalty/holds/"+h.id+"/"+how, map[string]any{})}
}

// recordEnd notes which end was acknowledged. Before it expires exactly one is.
func (m *trader) recordEnd(h *reserve, capture, release *deal, part laurel.Amount) {
	m.mu.Lock()
	if capture.outcome == done {
		h.end, h.captured = "captured", part
	}
	if release.outcome == done {
		h.end = "released"
	}
	m.mu.Unlock()
	switch {
	case capture.outcome == done && release.outcome == done:
		m.addFinding("twice: %s was captured and released", h.op)
	case h.end == "" && capture.outcome != unknown && release.outcome != unknown && time.Now().Before(h.expires):
		m.addFinding("refused: %s was not ended and is told to be final: %s %s", h.op, capture.refusal, release.refusal)
	}
}

// reportClaim tells that the member has claimed, by two requests at once: one of them counts.
func (m *trader) reportClaim(ctx context.Context) {
	one, other := m.newClaim(), m.newClaim()
	var both sync.WaitGroup
	both.Go(func() { m.repeatUntilKnown(ctx, m.number+1, other) })
	m.repeatUntilKnown(ctx, m.number, one)
	both.Wait()
	got := 0
	for _, d := range []*deal{one, other} {
		if d.outcome == done {
			got++
		}
	}
	want := 1
	if m.hasClaimed {
		want = 0
	}
	if got != want && one.outcome != unknown && other.outcome != unknown {
		m.addFinding("claim: of two claims of %s %d were taken, want %d", m.wallet, got, want)
	}
	m.hasClaimed = m.hasClaimed || got > 0
	if got > 0 {
		m.mu.Lock()
		defer m.mu.Unlock()
		m.claimed[m.wallet] = true
	}
}

func (m *trader) newClaim() *deal {
	return &deal{op: m.name("claim"), request: post("/api/token_claims/"+m.claim+"/claim", map[string]any{
		"walletAddress": m.wallet, "txHash": fmt.Sprintf("0x%064x", m.number+1),
	})}
}
