package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"time"
)

// How long the step goes on: in the long form, and in the short one.
const (
	tradeTime      = 30 * time.Second
	shortTradeTime = 3 * time.Second
)

// playTrade lets members trade while servers are killed, again and again, and then compares the records with the model.
// Every minute, and at the end, it runs laurel verify.
func playTrade(ctx context.Context, o options, s *stepRun, t *reporter) {
	began := time.Now()
	database, err := s.newDatabase(ctx)
	if err != nil {
		t.addRound(s.title("trade", 0, 1), "there is no database", 0, []string{"stuck: " + err.Error()})
		return
	}
	w, err := openWorld(ctx, o, stepDatabase{stepRun: s, database: database, serverDatabase: database})
	defer w.close()
	tr := newTrade(w, o)
	if err == nil && tr.isLong && s.postgres != nil {
		err = w.startNode(ctx, w.database)
	}
	if err == nil {
		err = tr.createTradeProgram(ctx)
	}
	if err != nil {
		t.addRound(s.title("trade", 0, 1), "the server did not come up", 0, []string{"stuck: " + err.Error()})
		return
	}
	lasts := tradeTime
	switch {
	case o.tradeDuration > 0:
		lasts = o.tradeDuration
	case o.short:
		lasts = shortTradeTime
	}
	kills, err := tr.run(ctx, lasts)
	findings := tr.findings
	if err != nil {
		findings = append(findings, "stuck: "+err.Error())
	} else {
		findings = append(findings, tr.checkTrade(ctx)...)
	}
	t.addRound(s.title(fmt.Sprintf("trade of %d under kill -9", len(tr.members)), 0, 1), fmt.Sprintf(
		"%d acknowledged, %d refused, %d repeated, %d kills", tr.acknowledgements.Load(), tr.countRefused(), tr.repeats.Load(), kills),
		time.Since(began), findings)
}

// run lets all members and the shopkeeper trade for the duration lasts, and kills servers meanwhile. It returns how
// many it killed.
func (t *trade) run(ctx context.Context, lasts time.Duration) (kills int, err error) {
	k := &shopkeeper{trade: t, rng: rand.New(rand.NewPCG(t.seed, 2<<32))} //nolint:gosec // chance that can be replayed
	k.createAssetForSale(ctx)
	k.createAuction(ctx)
	t.wg.Go(func() { k.run(ctx) })
	for _, m := range t.members {
		t.wg.Go(func() {
			for !t.stopped.Load() && ctx.Err() == nil {
				m.act(ctx)
			}
		})
	}
	verified, end := time.Now(), time.Now().Add(lasts)
	for err == nil && time.Now().Before(end) && ctx.Err() == nil {
		rest := min(time.Until(end), t.nextKillDelay())
		time.Sleep(rest)
		if err = t.killServer(ctx); err == nil {
			kills++
		}
		if err == nil && time.Since(verified) > time.Minute {
			t.verify(ctx, "beside the members")
			verified = time.Now()
		}
	}
	t.stopped.Store(true)
	t.wg.Wait()
	return kills, err
}

// nextKillDelay returns how long to wait, at random, until the next server is killed.
func (t *trade) nextKillDelay() time.Duration {
	if t.isLong {
		return time.Duration(2000+t.rng.IntN(8000)) * time.Millisecond
	}
	return time.Duration(800+t.rng.IntN(600)) * time.Millisecond
}

// killServer kills one of the servers and starts another.
func (t *trade) killServer(ctx context.Context) error {
	t.killNode(t.rng.IntN(len(t.nodes)))
	return t.startNode(ctx, t.database)
}

// verify runs laurel verify on the database, however long it takes. A difference is a finding; when names the moment in
// it.
func (t *trade) verify(ctx context.Context, when string) {
	ctx, cancel := context.WithTimeout(ctx, 10*patience)
	defer cancel()
	if out, err := t.command(ctx, "verify", "--database", t.database).CombinedOutput(); err != nil {
		t.addFinding("verify: %s: %s: %s", when, err, out)
	}
}

// countRefused returns how many requests were refused.
func (t *trade) countRefused() (n int) {
	for _, d := range t.keyedRequests() {
		if d.outcome == refused {
			n++
		}
	}
	return n
}

// keyedRequests returns the purchases, holds and bids of the model as requests.
func (t *trade) keyedRequests() (out []*keyedRequest) {
	for _, p := range t.purchases {
		out = append(out, p.keyedRequest)
	}
	for _, h := range t.placedHolds {
		out = append(out, h.keyedRequest)
	}
	for _, b := range t.placedBids {
		out = append(out, b.keyedRequest)
	}
	return out
}

// checkTrade compares the records of the service with the model and returns what is wrong. In the long form it first
// waits until holds, auctions and bids are settled.
func (t *trade) checkTrade(ctx context.Context) []string {
	before := len(t.findings) // those are reported by the caller
	b, err := t.readStableTradeBooks(ctx)
	if t.isLong {
		for range 3 { // a server that died while it ended an auction leaves a lease of a minute
			if err = waitUntil(ctx, "nothing is due any more", func() bool {
				var fault error
				b, fault = t.readStableTradeBooks(ctx)
				return fault == nil && b.isSettled(time.Now())
			}); err == nil {
				break
			}
		}
	}
	if err != nil {
		return []string{"stuck: the books: " + err.Error()}
	}
	found := t.check(b)
	t.verify(ctx, "at the end")
	return append(found, t.findings[before:]...)
}
