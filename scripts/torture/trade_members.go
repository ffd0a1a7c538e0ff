package main

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"sync"
	"time"

	"laurel.example/laurel"
)

// placedHold is a hold that a member requested.
type placedHold struct {
	*keyedRequest
	house    string
	amount   laurel.Amount
	id       string    // "": the response was lost
	expires  time.Time // as the response said
	captured laurel.Amount
	end      string // captured or released, if that was acknowledged; else ""
}

// shortestHold is the shortest time that a hold may last.
const shortestHold = 60 * time.Second

// act does one randomly chosen thing.
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
	if m.isLong { // so that many members do not overload the server
		time.Sleep(time.Duration(m.rng.IntN(2000)) * time.Millisecond)
	}
}

// buy requests one to three items of one of the newest assets, now and then of any.
func (m *trader) buy(ctx context.Context) {
	m.mu.Lock()
	at := len(m.assetsForSale) - 1 - m.rng.IntN(min(4, len(m.assetsForSale)))
	if m.rng.IntN(8) == 0 {
		at = m.rng.IntN(len(m.assetsForSale))
	}
	p := &purchase{house: m.house, wallet: m.wallet, asset: m.assetsForSale[at], quantity: 1 + m.rng.IntN(3)}
	m.mu.Unlock()
	op := m.newID("buy")
	p.keyedRequest = m.repeatUntilKnown(ctx, m.number, &keyedRequest{op: op, request: post("/api/minting/contracts/mint", map[string]any{
		"assetId": p.asset.id, "contractId": p.asset.contract, "walletAddress": m.wallet, "quantity": p.quantity, "customInputValue": op,
	})})
	m.mu.Lock()
	defer m.mu.Unlock()
	m.purchases = append(m.purchases, p)
}

// hold places a hold on some of the member's points, for shortestHold or, one time in four, an hour.
func (m *trader) hold(ctx context.Context) {
	op := m.newID("hold")
	h := &placedHold{house: m.house, amount: laurel.Amount(1+m.rng.IntN(100)) * 500_000} // in halves of a point
	seconds := int64(shortestHold / time.Second)
	if m.rng.IntN(4) == 0 {
		seconds = 3600
	}
	body := map[string]any{
		"walletAddress": m.wallet, "loyaltyCurrencyId": m.created.LoyaltyCurrencyID, "amount": h.amount,
		"expiresInSeconds": seconds, "metadata": map[string]any{"op": op},
	}
	if m.rng.IntN(2) == 0 {
		body["idempotencyKey"] = op
	}
	h.keyedRequest = m.repeatUntilKnown(ctx, m.number, &keyedRequest{op: op, request: post("/api/loyalty/holds", body)})
	var response struct {
		ID        string
		ExpiresAt time.Time
	}
	if h.outcome == done && json.Unmarshal(h.body, &response) == nil {
		h.id, h.expires = response.ID, response.ExpiresAt
	}
	m.mu.Lock()
	m.placedHolds = append(m.placedHolds, h)
	m.mu.Unlock()
	if h.id != "" {
		m.openHolds = append(m.openHolds, h)
	}
}

// endHold captures or releases one of the member's holds, or requests both at once: then one of them counts. Without a
// hold it places one.
func (m *trader) endHold(ctx context.Context) {
	if len(m.openHolds) == 0 {
		m.hold(ctx)
		return
	}
	at := m.rng.IntN(len(m.openHolds))
	h := m.openHolds[at]
	m.openHolds = slices.Delete(m.openHolds, at, at+1)
	if m.isLong && m.rng.IntN(3) == 0 {
		return // no one ends it, so it expires
	}
	part := h.amount
	capture, release := m.newHoldEnd(h, "capture"), m.newHoldEnd(h, "release")
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
	m.recordHoldEnd(h, capture, release, part)
}

// newHoldEnd returns a request that ends a hold: how is capture or release.
func (m *trader) newHoldEnd(h *placedHold, how string) *keyedRequest {
	return &keyedRequest{op: m.newID(how), request: post("/api/loyalty/holds/"+h.id+"/"+how, map[string]any{})}
}

// recordHoldEnd records which end of a hold, its capture or its release, was acknowledged. It is a finding if both were
// or, unless the hold may have expired, none. captured is the amount of the capture.
func (m *trader) recordHoldEnd(h *placedHold, capture, release *keyedRequest, captured laurel.Amount) {
	m.mu.Lock()
	if capture.outcome == done {
		h.end, h.captured = "captured", captured
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

// reportClaim reports that the member has claimed tokens, by two requests at once. Only the first report that a member
// ever makes may be accepted.
func (m *trader) reportClaim(ctx context.Context) {
	one, other := m.newClaim(), m.newClaim()
	var both sync.WaitGroup
	both.Go(func() { m.repeatUntilKnown(ctx, m.number+1, other) })
	m.repeatUntilKnown(ctx, m.number, one)
	both.Wait()
	accepted := 0
	for _, d := range []*keyedRequest{one, other} {
		if d.outcome == done {
			accepted++
		}
	}
	want := 1
	if m.hasClaimed {
		want = 0
	}
	if accepted != want && one.outcome != unknown && other.outcome != unknown {
		m.addFinding("claim: of two claims of %s %d were taken, want %d", m.wallet, accepted, want)
	}
	m.hasClaimed = m.hasClaimed || accepted > 0
	if accepted > 0 {
		m.mu.Lock()
		defer m.mu.Unlock()
		m.claimed[m.wallet] = true
	}
}

// newClaim returns a request that reports a claim of the member.
func (m *trader) newClaim() *keyedRequest {
	return &keyedRequest{op: m.newID("claim"), request: post("/api/token_claims/"+m.tokenClaim+"/claim", map[string]any{
		"walletAddress": m.wallet, "txHash": fmt.Sprintf("0x%064x", m.number+1),
	})}
}
