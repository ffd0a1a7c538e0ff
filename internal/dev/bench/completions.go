package bench

import (
	"bytes"
	"context"
	"fmt"
	"sync/atomic"
	"time"

	"laurel"
	"laurel/internal/dev/bulk"
)

// completionPlan says which completions a run sends.
type completionPlan struct {
	site       site
	workers    int
	currencies []string // the rules' currencies, in turn
	keyed      bool     // every call has an idempotencyKey of its own, and the rules are unlimited
	hot        bool     // every other call is for the first member and rule; needs keyed
	wallets    bool     // members are named by their wallets, not by their ids
}

// requestStock is a stock of requests, each for another pair of rule and member, so that every completion pays.
type requestStock struct {
	completionPlan
	templates []template // by rule
	firstKey  int64      // keys count up from the nanosecond that the stock was made in: no other stock has them
	next      atomic.Int64
}

// template is the request of one rule. The places that differ have one length, so a request is made by copying over
// them.
type template struct {
	rule        laurel.ID
	bytes       []byte
	member, key int // where they begin
}

const keyLength = 16

// perSecond is more than any server will complete, so that the stock never ends.
const perSecond = 40_000

// createStock creates rules over HTTP for this run alone, so that no earlier run has completed them.
func (p completionPlan) createStock(a *api, seconds time.Duration) (*requestStock, error) {
	calls := int(perSecond * (seconds + warmUp(seconds)).Seconds())
	n := ruleCount(max(calls/p.site.members+1, len(p.currencies)), p.site.members)
	c := &requestStock{completionPlan: p, firstKey: time.Now().UnixNano()}
	interval := "daily"
	if p.keyed {
		interval, n = "unlimited", len(p.currencies)
	}
	for i := range n {
		id, err := a.createRule(p.site.Program, p.currencies[i%len(p.currencies)], interval)
		if err != nil {
			return nil, err
		}
		c.templates = append(c.templates, c.template(a, id))
	}
	return c, nil
}

// ruleCount is the first number from least on with which pick meets every pair once.
func ruleCount(least, members int) int {
	for divisor(least, members+1) > 1 {
		least++
	}
	return least
}

// divisor is the greatest one that both have.
func divisor(a, b int) int {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

func (c *requestStock) template(a *api, rule laurel.ID) template {
	field, member, key := "userId", c.memberName(0), string(bytes.Repeat([]byte{'k'}, keyLength))
	if c.wallets {
		field = "walletAddress"
	}
	body := fmt.Sprintf(`{%q:%q}`, field, member)
	if c.keyed {
		body = fmt.Sprintf(`{%q:%q,"idempotencyKey":%q}`, field, member, key)
	}
	text := request{
		method: "POST",
		host:   a.host,
		path:   "/api/loyalty/rules/" + rule.String() + "/complete",
		key:    c.site.WebsiteAPIKey,
		body:   []byte(body),
	}.bytes()
	return template{
		rule:   rule,
		bytes:  text,
		member: bytes.Index(text, []byte(member)),
		key:    bytes.LastIndex(text, []byte(key)),
	}
}

// memberName returns the name by which calls name the n-th member.
func (p completionPlan) memberName(n int) string {
	if p.wallets {
		return bulk.WalletOf(n)
	}
	return bulk.IDOf(bulk.KindUser, n)
}

// stride is a prime above every number of members: walking in its steps meets all members, neighbours far apart.
const stride = 1_000_000_007

// pick returns rule and member of the k-th call. Pairs come back only after rules × members calls, since the rule moves
// on by one with every round over the members and their number plus one has no factor in common with the number of
// rules.
func (c *requestStock) pick(k int) (rule, member int) {
	members := c.site.members
	rule, member = (k+k/members)%len(c.templates), k%members*(stride%members)%members
	if c.hot && k%2 == 0 {
		return 0, 0
	}
	return rule, member
}

// take returns the number of the next call.
func (c *requestStock) take() (int, error) {
	k := int(c.next.Add(1)) - 1
	if !c.keyed && k >= len(c.templates)*c.site.members {
		return 0, fmt.Errorf("all %d completions of the run are used", k)
	}
	return k, nil
}

// worker sends the next completion of the stock with every step.
func (c *requestStock) worker(host string) func(context.Context) (func() error, func(), error) {
	return func(ctx context.Context) (func() error, func(), error) {
		w, err := dial(ctx, host)
		if err != nil {
			return nil, nil, err
		}
		stopClosing := context.AfterFunc(ctx, w.close) // ends a worker that waits for its answer
		own := make([][]byte, len(c.templates))
		step := func() error {
			k, err := c.take()
			if err != nil {
				return err
			}
			rule, member := c.pick(k)
			t := &c.templates[rule]
			if own[rule] == nil {
				own[rule] = bytes.Clone(t.bytes)
			}
			copy(own[rule][t.member:], c.memberName(member))
			if c.keyed {
				copy(own[rule][t.key:], fmt.Sprintf("%0*x", keyLength, c.firstKey+int64(k)))
			}
			return w.ok(own[rule])
		}
		return step, func() { stopClosing(); w.close() }, nil
	}
}

// completeOnServer measures completions over HTTP on a running server.
func (b *bench) completeOnServer(ctx context.Context, s *server, p completionPlan) (measured, error) {
	p.wallets = b.Wallets
	a, err := s.api(ctx, p.site.WebsiteAPIKey)
	if err != nil {
		return measured{}, err
	}
	stock, err := p.createStock(a, b.Time)
	a.wire.close()
	if err != nil {
		return measured{}, err
	}
	return load{workers: p.workers, seconds: b.Time, worker: stock.worker(s.host)}.run(ctx)
}
