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

// playTrade has members trade while servers are killed, again and again, and verifies the books beside them in between.
func playTrade(ctx context.Context, o options, s *stage, t *tally) {
	began := time.Now()
	database, err := s.newDatabase(ctx)
	if err != nil {
		t.round(s.title("trade", 0, 1), "there is no database", 0, []string{"stuck: " + err.Error()})
		return
	}
	w, err := openWorld(ctx, o, position{s, database, database})
	defer w.close()
	tr := newTrade(w, o)
	if err == nil && tr.long && s.pg != nil {
		err = w.startNode(ctx, w.database)
	}
	if err == nil {
		err = tr.prepare(ctx)
	}
	if err != nil {
		t.round(s.title("trade", 0, 1), "the server did not come up", 0, []string{"stuck: " + err.Error()})
		return
	}
	lasts := tradeTime
	switch {
	case o.trade > 0:
		lasts = o.trade
	case o.short:
		lasts = shortTradeTime
	}
	kills, err := tr.run(ctx, lasts)
	findings := tr.wrong
	if err != nil {
		findings = append(findings, "stuck: "+err.Error())
	} else {
		findings = append(findings, tr.findFindings(ctx)...)
	}
	t.round(s.title(fmt.Sprintf("trade of %d under kill -9", len(tr.members)), 0, 1), fmt.Sprintf(
		"%d acknowledged, %d refused, %d repeated, %d kills", tr.acks.Load(), tr.refused(), tr.repeats.Load(), kills),
		time.Since(began), findings)
}

// run lets everybody trade for a while and kills servers meanwhile.
func (t *trade) run(ctx context.Context, lasts time.Duration) (kills int, err error) {
	k := &shopkeeper{trade: t, rng: rand.New(rand.NewPCG(t.seed, 2<<32))} //nolint:gosec // chance that can be replayed
	k.replenish(ctx)
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
		rest := min(time.Until(end), t.interval())
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

// interval is how long servers live.
func (t *trade) interval() time.Duration {
	if t.long {
		return time.Duration(2000+t.rng.IntN(8000)) * time.Millisecond
	}
	return time.Duration(800+t.rng.IntN(600)) * time.Millisecond
}

// killServer kills one of the servers and starts another.
func (t *trade) killServer(ctx context.Context) error {
	t.killNode(t.rng.IntN(len(t.nodes)))
	return t.startNode(ctx, t.database)
}

// verify has the program verify the database, however long it takes.
func (t *trade) verify(ctx context.Context, when string) {
	ctx, cancel := context.WithTimeout(ctx, 10*patience)
	defer cancel()
	if out, err := t.command(ctx, "verify", "--database", t.database).CombinedOutput(); err != nil {
		t.addFinding("verify: %s: %s: %s", when, err, out)
	}
}

func (t *trade) refused() (n int) {
	for _, d := range t.deals() {
		if d.outcome == refused {
			n++
		}
	}
	return n
}

// deals are those that the model keeps, but the ends of holds.
func (t *trade) deals() (out []*deal) {
	for _, p := range t.purchases {
		out = append(out, p.deal)
	}
	for _, h := range t.holds {
		out = append(out, h.deal)
	}
	for _, b := range t.bids {
		out = append(out, b.deal)
	}
	return out
}

// findFindings waits for what is due, and compares everything with the model.
func (t *trade) findFindings(ctx context.Context) []string {
	before := len(t.wrong)
	b, err := t.tradeBooks(ctx)
	if t.long {
		for range 3 { // a server that died over an auction leaves a lease of a minute
			if err = eventually(ctx, "nothing is due any more", func() bool {
				var fault error
				b, fault = t.tradeBooks(ctx)
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
	return append(found, t.wrong[before:]...)
}
