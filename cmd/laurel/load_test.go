package main_test

import (
	"fmt"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"

	"laurel.example/laurel/internal/dev/wait"
)

// clients is how many write at once.
const clients = 64

// effect is one write that a client asked for.
type effect struct {
	path        string
	body        object
	key         string // its business idempotency key; empty: none
	transaction string // as it was answered
}

// load is many clients that complete external rules and post transactions, half of both with idempotency keys, each for
// wallets of its own.
type load struct {
	t       testing.TB
	rule    string
	callers []caller
	stopped atomic.Bool
	wg      sync.WaitGroup

	mu         sync.Mutex
	done       []effect // answered 200
	unanswered []effect // no whole answer, or 503: it may have happened or not
	wrong      []string // any other answer
}

// begin starts the clients, spread over the callers. A client ends when its server is gone.
func begin(t testing.TB, callers ...caller) *load {
	t.Helper()
	l := &load{t: t, rule: callers[0].rule("unlimited"), callers: callers}
	for i := range clients {
		l.wg.Go(func() {
			for n := 0; !l.stopped.Load() && l.try(i, n); n++ {
			}
		})
	}
	t.Cleanup(l.end)
	return l
}

func (l *load) effect(client, n int) effect {
	wallet, key := walletOf(0xc000+client*8+n%8), ""
	if client%2 == 0 {
		key = fmt.Sprintf("client-%d-%d", client, n)
	}
	if client%4 < 2 {
		body := object{"walletAddress": wallet}
		if key != "" {
			body["idempotencyKey"] = key
		}
		return effect{path: completion(l.rule), body: body, key: key}
	}
	return effect{path: transactions, body: l.callers[0].transfer(key, move{wallet, 3}), key: key}
}

// try carries out one effect and reports whether the client goes on.
func (l *load) try(client, n int) bool {
	e := l.effect(client, n)
	r, err := l.callers[client%len(l.callers)].send(http.MethodPost, e.path, e.body)
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case err != nil || r.status == http.StatusServiceUnavailable:
		l.unanswered = append(l.unanswered, e)
	case r.status != http.StatusOK:
		l.wrong = append(l.wrong, fmt.Sprintf("%s %v: %d %s", e.path, e.body, r.status, r.body))
	default:
		e.transaction = transactionIn(l.t, r.body)
		l.done = append(l.done, e)
	}
	return err == nil
}

// transactionIn reads the transaction of a completion's or a transaction's answer.
func transactionIn(t testing.TB, body string) string {
	answer := decode[struct {
		ID   string
		Data struct{ LoyaltyTransactionID string }
	}](t, body)
	if answer.ID != "" {
		return answer.ID
	}
	return answer.Data.LoyaltyTransactionID
}

// reach waits until so many more effects are acknowledged.
func (l *load) reach(more int) {
	l.t.Helper()
	goal := l.acknowledged() + more
	wait.Until(l.t, fmt.Sprintf("%d effects are acknowledged", goal), func() bool { return l.acknowledged() >= goal })
}

func (l *load) acknowledged() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.done)
}

// end waits until every client has ended.
func (l *load) end() {
	l.stopped.Store(true)
	l.wg.Wait()
}

// check ends the load and demands of the database: every acknowledged effect once, no other one twice, nothing else,
// and no wrong answer.
func (l *load) check(database string) {
	l.t.Helper()
	l.end()
	if len(l.wrong) > 0 {
		l.t.Fatalf("%d wrong answers, the first: %s", len(l.wrong), l.wrong[0])
	}
	byTransaction, byKey := written(l.t, database)
	seen := map[string]bool{}
	for _, e := range l.done {
		if byTransaction[e.transaction] != 1 || seen[e.transaction] || e.key != "" && byKey[e.key] != 1 {
			l.t.Fatalf(
				"acknowledged %+v stands %d times by its transaction, %d times by its key",
				e,
				byTransaction[e.transaction],
				byKey[e.key],
			)
		}
		seen[e.transaction] = true
	}
	perhaps := 0
	for _, e := range l.unanswered {
		if e.key == "" {
			perhaps++
		} else if byKey[e.key] > 1 {
			l.t.Fatalf("unacknowledged %+v stands %d times", e, byKey[e.key])
		}
	}
	unkeyed := 0
	for transaction, n := range byTransaction {
		if n != 1 {
			l.t.Fatalf("transaction %s has %d user entries", transaction, n)
		}
		if !seen[transaction] {
			unkeyed++
		}
	}
	for _, e := range l.unanswered {
		unkeyed -= byKey[e.key]
	}
	if unkeyed > perhaps {
		l.t.Fatalf("%d transactions that nobody asked for", unkeyed-perhaps)
	}
	l.t.Logf("%d acknowledged, %d without an answer", len(l.done), len(l.unanswered))
	green(l.t, database)
}

// retry repeats the keyed effects that had no answer: each is paid now, or was paid and gets its response again.
func (l *load) retry(site caller, database string) {
	l.t.Helper()
	before, replayed := 0, 0
	_, keys := written(l.t, database)
	for _, e := range l.unanswered {
		if e.key == "" {
			continue
		}
		before += keys[e.key]
		r := site.post(e.path, e.body)
		r.ok(l.t)
		e.transaction = transactionIn(l.t, r.body)
		if r.header.Get("Idempotent-Replayed") == "true" || keys[e.key] == 1 {
			replayed++
		}
		byTransaction, after := written(l.t, database)
		if after[e.key] != 1 || byTransaction[e.transaction] != 1 {
			l.t.Fatalf("retried %+v stands %d times", e, after[e.key])
		}
	}
	if replayed != before {
		l.t.Fatalf("%d had been paid, %d responses were replayed", before, replayed)
	}
}
