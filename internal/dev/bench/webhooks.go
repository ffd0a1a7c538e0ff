package bench

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"laurel.example/laurel/internal/app"
	"laurel.example/laurel/internal/dev/bulk"
)

// The sizes of the measurement of callbacks.
const (
	deliverySubscriptions = 8   // subscriptions, each with four lanes
	deliveryPosts         = 100 // transactions of 100 entries each
	manySubscriptions     = 100 // subscriptions, of which one is dead
	fewPosts              = 8   // transactions of 100 entries each that they get

	entriesPerPost      = 100
	fanOutSubscriptions = 10_000 // subscriptions on one table
)

var (
	deliverLimit = limit{floor: 0.3, goal: 0.45}
	deadLimit    = limit{floor: 0.9, goal: 0.95}
	fanOutLimit  = limit{floor: 0.9, goal: 0.95}
)

// receiver is an HTTP server that takes every call at once, or at its dead address never responds.
type receiver struct {
	address, deadAddress string
	received             atomic.Int64
	firstAt, lastAt      atomic.Int64 // when, in nanoseconds
	close                func() error
}

// startReceiver starts a receiver on a free port.
func startReceiver(ctx context.Context) (*receiver, error) {
	l, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	r := &receiver{address: "http://" + l.Addr().String() + "/hook", deadAddress: "http://" + l.Addr().String() + "/dead"}
	server := &http.Server{ReadHeaderTimeout: time.Minute, Handler: r}
	go func() { _ = server.Serve(l) }()
	r.close = server.Close
	return r, nil
}

// ServeHTTP counts a call and responds, or lets a call of the dead address hang.
func (r *receiver) ServeHTTP(w http.ResponseWriter, q *http.Request) {
	_, _ = io.Copy(io.Discard, q.Body)
	if q.URL.Path == "/dead" {
		<-q.Context().Done()
		return
	}
	now := time.Now().UnixNano()
	r.firstAt.CompareAndSwap(0, now)
	r.lastAt.Store(now)
	r.received.Add(1)
	w.WriteHeader(http.StatusNoContent)
}

// reset sets the count and the times back.
func (r *receiver) reset() {
	r.received.Store(0)
	r.firstAt.Store(0)
	r.lastAt.Store(0)
}

// waitForCalls waits until n calls have come since reset, and returns the calls per second between the first and the
// last.
func (r *receiver) waitForCalls(ctx context.Context, n int64) (float64, error) {
	for r.received.Load() < n {
		select {
		case <-ctx.Done():
			return 0, ctx.Err()
		case <-time.After(10 * time.Millisecond):
		}
	}
	return float64(n) / time.Duration(r.lastAt.Load()-r.firstAt.Load()).Seconds(), nil
}

// measurePlainCalls calls the receiver with signed bodies of a common size and stores nothing. It makes as many calls
// at once as the deliveries with which it is compared: four for each subscription. It returns the calls per second.
func (b *bench) measurePlainCalls(ctx context.Context, r *receiver) (float64, error) {
	r.reset()
	ctx, cancel := context.WithTimeout(ctx, b.Time)
	defer cancel()
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 64}}
	defer client.CloseIdleConnections()
	body, key := bytes.Repeat([]byte("x"), 900), bytes.Repeat([]byte("k"), 24)
	var calling sync.WaitGroup
	for range 4 * deliverySubscriptions {
		calling.Go(func() {
			for ctx.Err() == nil {
				mac := hmac.New(sha256.New, key)
				mac.Write(body)
				q, err := http.NewRequestWithContext(ctx, http.MethodPost, r.address, bytes.NewReader(body))
				if err != nil {
					return
				}
				q.Header.Set("webhook-signature", "v1,"+base64.StdEncoding.EncodeToString(mac.Sum(nil)))
				if res, err := client.Do(q); err == nil {
					_, _ = io.Copy(io.Discard, res.Body)
					_ = res.Body.Close()
				}
			}
		})
	}
	calling.Wait()
	return float64(r.received.Load()) / b.Time.Seconds(), nil
}

// deliveryRun describes a run that measures deliveries.
type deliveryRun struct {
	name          string
	subscriptions int
	dead          bool // the callback of the first one never responds
	posts         int  // transactions of 100 entries each
}

// measureDeliveries starts a server on a new database for a run, and returns the deliveries per second that the
// receiver got.
func (b *bench) measureDeliveries(ctx context.Context, r *receiver, t deliveryRun) (float64, error) {
	database, p, err := b.createDatabase(ctx, t.name)
	if err != nil {
		return 0, err
	}
	s, err := b.serve(ctx, database, b.profile(), "--dev")
	if err != nil {
		return 0, err
	}
	rate, err := t.run(ctx, s, p, r)
	return rate, errors.Join(err, s.stop())
}

// run creates the subscriptions, posts the transactions, and waits until the receiver has all events but those of the
// dead subscription. It returns the deliveries per second.
func (t deliveryRun) run(ctx context.Context, s *server, p site, r *receiver) (float64, error) {
	a, err := s.api(ctx, p.WebsiteAPIKey)
	if err != nil {
		return 0, err
	}
	defer a.wire.close()
	for i := range t.subscriptions {
		callback := r.address
		if t.dead && i == 0 {
			callback = r.deadAddress
		}
		if err := a.createSubscription(p.Program, callback, i); err != nil {
			return 0, err
		}
	}
	r.reset()
	for i := range t.posts {
		entries := make([]object, entriesPerPost)
		for j := range entries {
			entries[j] = object{
				"loyaltyCurrencyId": p.LoyaltyCurrencyID, "userId": bulk.IDOf(bulk.KindUser, (i*entriesPerPost+j)%p.members),
				"amount": 1, "direction": "credit",
			}
		}
		body := object{
			"organizationId": p.OrganizationID, "websiteId": p.WebsiteID, "description": "Bench", "entries": entries,
		}
		if err := a.post("/api/loyalty/transactions", body, nil); err != nil {
			return 0, err
		}
	}
	receivers := t.subscriptions
	if t.dead {
		receivers--
	}
	return r.waitForCalls(ctx, int64(receivers*t.posts*entriesPerPost))
}

// subscribeToEntries starts a receiver that is subscribed to every entry of a site, until end is called.
func (b *bench) subscribeToEntries(ctx context.Context, s *server, p site) (end func(), err error) {
	r, err := startReceiver(ctx)
	if err != nil {
		return nil, err
	}
	a, err := s.api(ctx, p.WebsiteAPIKey)
	if err != nil {
		return nil, errors.Join(err, r.close())
	}
	defer a.wire.close()
	if err := a.createSubscription(p.Program, r.address, 0); err != nil {
		return nil, errors.Join(err, r.close())
	}
	return func() { _ = r.close() }, nil
}

// createSubscription creates the n-th subscription to entries. It has no address if callback is "".
func (a *api) createSubscription(p app.Program, callback string, n int) error {
	return a.post("/api/stratus/subscriptions", object{
		"name": fmt.Sprint("Bench ", n), "websiteId": p.WebsiteID, "organizationId": p.OrganizationID,
		"callbackUrl":           callback,
		"platformSubscriptions": []object{{"tableNames": []string{"LoyaltyTransactionEntry"}}},
	}, nil)
}

// measureWebhooks compares deliveries, which keep the order, are retried and have a history, with plain calls. It also
// measures by how much one dead callback among many slows down the others.
func (b *bench) measureWebhooks(ctx context.Context) ([]Result, error) {
	r, err := startReceiver(ctx)
	if err != nil {
		return nil, err
	}
	defer func() { _ = r.close() }()
	before, err := b.measurePlainCalls(ctx, r)
	if err != nil {
		return nil, err
	}
	rate, err := b.measureDeliveries(ctx, r, deliveryRun{name: "row9", subscriptions: deliverySubscriptions, posts: deliveryPosts})
	if err != nil {
		return nil, err
	}
	after, err := b.measurePlainCalls(ctx, r)
	if err != nil {
		return nil, err
	}
	plainRate := (before + after) / 2
	against := fmt.Sprintf("calls alone %.0f/s (%.0f, %.0f)", plainRate, before, after)
	b.logf("delivered %.0f/s; %s", rate, against)
	m := measured{done: deliverySubscriptions * deliveryPosts * entriesPerPost, perSecond: rate}
	lines := []Result{b.result(deliverLimit.newResult("deliver callbacks in order, with retries and history", rate/plainRate, m), against)}
	healthy, err := b.measureDeliveries(ctx, r, deliveryRun{name: "row9all", subscriptions: manySubscriptions, posts: fewPosts})
	if err != nil {
		return lines, err
	}
	dead, err := b.measureDeliveries(ctx, r, deliveryRun{name: "row9dead", subscriptions: manySubscriptions, posts: fewPosts, dead: true})
	if err != nil {
		return lines, err
	}
	m = measured{done: (manySubscriptions - 1) * fewPosts * entriesPerPost, perSecond: dead}
	name := fmt.Sprintf("the same with one dead receiver among %d", manySubscriptions)
	return append(lines, b.result(deadLimit.newResult(name, dead/healthy, m), fmt.Sprintf("all alive %.0f/s", healthy))), nil
}

// measureFanOut measures by how much many subscriptions to one table slow down the completions that change it.
func (b *bench) measureFanOut(ctx context.Context) ([]Result, error) {
	c := costComparison{prepare: func(a *api, p site) error {
		for i := range fanOutSubscriptions {
			if err := a.createSubscription(p.Program, "", i); err != nil { // without an address: nothing is delivered
				return err
			}
		}
		return nil
	}}
	if err := c.run(ctx, b); err != nil {
		return nil, err
	}
	name := fmt.Sprintf("complete an external rule, c64, with %d subscriptions on its table", fanOutSubscriptions)
	return []Result{b.result(fanOutLimit.newResult(name, c.ratio(), c.last), c.describeBaseline())}, nil
}
