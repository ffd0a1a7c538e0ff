package bench

import (
	"bytes"
	"context"
	"fmt"
	"sync/atomic"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/dev/bulk"
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

// requestStock is a stock of requests. Each is for another pair of rule and member, so that every completion pays.
type requestStock struct {
	completionPlan
	templates []template // by rule
	firstKey  int64      // of the first call: the nanosecond of the stock's creation, so no two stocks share keys
	next      atomic.Int64
}

// template is the request of one rule. Members and keys have one length each, so the next request is made by copying
// them over the last ones.
type template struct {
	rule            laurel.ID
	bytes           []byte
	memberAt, keyAt int // where the member's name and the key begin
}

const keyLength = 16

// maxCallsPerSecond is more than any server completes, so that the stock never runs out.
const maxCallsPerSecond = 40_000

// createStock creates rules over HTTP for this run only, so that no earlier run has completed them, and returns the
// requests that complete them. A member completes a rule once, unless calls have keys. Without keys it therefore
// creates so many rules that there is a new pair of rule and member for each call of the run.
func (p completionPlan) createStock(a *api, seconds time.Duration) (*requestStock, error) {
	calls := int(maxCallsPerSecond * (seconds + warmUp(seconds)).Seconds())
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
		c.templates = append(c.templates, c.newTemplate(a, id))
	}
	return c, nil
}

// ruleCount returns the smallest number of rules, from least on, with which pick returns each pair of rule and member
// once.
func ruleCount(least, members int) int {
	for greatestCommonDivisor(least, members+1) > 1 {
		least++
	}
	return least
}

// greatestCommonDivisor returns the greatest number that divides both.
func greatestCommonDivisor(a, b int) int {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// newTemplate returns the request that completes a rule, with the places of the member's name and the key.
func (c *requestStock) newTemplate(a *api, rule laurel.ID) template {
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
		rule:     rule,
		bytes:    text,
		memberAt: bytes.Index(text, []byte(member)),
		keyAt:    bytes.LastIndex(text, []byte(key)),
	}
}

// memberName returns the name of the n-th member in requests: the wallet or the id.
func (p completionPlan) memberName(n int) string {
	if p.wallets {
		return bulk.WalletOf(n)
	}
	return bulk.IDOf(bulk.KindUser, n)
}

// stride is a prime above every number of members: walking in its steps meets all members, neighbours far apart.
const stride = 1_000_000_007

// pick returns the rule and member of the k-th call. Pairs are repeated only after rules × members calls: the rule
// moves on by one with every round over the members, and the number of members plus one has no factor in common with
// the number of rules. In a hot plan, every other call is for the first rule and member.
func (c *requestStock) pick(k int) (rule, member int) {
	members := c.site.members
	rule, member = (k+k/members)%len(c.templates), k%members*(stride%members)%members
	if c.hot && k%2 == 0 {
		return 0, 0
	}
	return rule, member
}

// nextCall returns the number of the next call. It fails if the stock has run out.
func (c *requestStock) nextCall() (int, error) {
	k := int(c.next.Add(1)) - 1
	if !c.keyed && k >= len(c.templates)*c.site.members {
		return 0, fmt.Errorf("all %d completions of the run are used", k)
	}
	return k, nil
}

// worker returns a function that starts workers: each of their steps sends the next completion of the stock.
func (c *requestStock) worker(host string) startWorker {
	return func(ctx context.Context) (func() error, func(), error) {
		w, err := dial(ctx, host)
		if err != nil {
			return nil, nil, err
		}
		stopClosing := context.AfterFunc(ctx, w.close) // ends a worker that waits for its response
		requests := make([][]byte, len(c.templates))   // of this worker, by rule
		step := func() error {
			k, err := c.nextCall()
			if err != nil {
				return err
			}
			rule, member := c.pick(k)
			t := &c.templates[rule]
			if requests[rule] == nil {
				requests[rule] = bytes.Clone(t.bytes)
			}
			copy(requests[rule][t.memberAt:], c.memberName(member))
			if c.keyed {
				copy(requests[rule][t.keyAt:], fmt.Sprintf("%0*x", keyLength, c.firstKey+int64(k)))
			}
			return w.sendOK(requests[rule])
		}
		return step, func() { stopClosing(); w.close() }, nil
	}
}

// completeOnServer measures the completions of a plan over HTTP on a running server, with new rules.
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
	return load{workers: p.workers, duration: b.Time, worker: stock.worker(s.host)}.run(ctx)
}
