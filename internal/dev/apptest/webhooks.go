package apptest

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"

	"laurel.example/laurel/internal/webhooks"
)

// Receiver is a callback address of a subscription.
type Receiver struct {
	*httptest.Server
	Mu sync.Mutex
	// Say returns the response to a call; nil: 204.
	Say   func(call Received) (status int, header map[string]string, body string)
	calls []Received
}

// Received is one call of a receiver.
type Received struct {
	Header http.Header
	Body   string
}

// ID returns the id of the event.
func (r Received) ID() string { return r.Header.Get("Webhook-Id") }

// NewReceiver starts a receiver that ends with the test. It records each call, and responds as Say says, or with 204 if
// Say is nil.
func NewReceiver(t testing.TB) *Receiver {
	t.Helper()
	r := &Receiver{}
	r.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		body, err := io.ReadAll(req.Body)
		if err != nil {
			return
		}
		call := Received{req.Header.Clone(), string(body)}
		r.Mu.Lock()
		r.calls = append(r.calls, call)
		say := r.Say
		r.Mu.Unlock()
		if say == nil {
			w.WriteHeader(http.StatusNoContent)
			return
		}
		status, header, text := say(call)
		for name, value := range header {
			w.Header().Set(name, value)
		}
		w.WriteHeader(status)
		_, _ = io.WriteString(w, text)
	}))
	t.Cleanup(r.Close)
	return r
}

// RespondWith makes the receiver respond to every call with a status from now on.
func (r *Receiver) RespondWith(status int) {
	r.Mu.Lock()
	defer r.Mu.Unlock()
	r.Say = func(Received) (int, map[string]string, string) { return status, nil, "" }
}

// CountCalls returns how many calls have come that TakeCalls has not returned, whether they have their response or not.
func (r *Receiver) CountCalls() int {
	r.Mu.Lock()
	defer r.Mu.Unlock()
	return len(r.calls)
}

// TakeCalls returns the calls since it was called last.
func (r *Receiver) TakeCalls() []Received {
	r.Mu.Lock()
	defer r.Mu.Unlock()
	out := r.calls
	r.calls = nil
	return out
}

// Subscribe creates a subscription to platform tables, with other or further properties, and returns it.
func (s *Server) Subscribe(callback string, properties Object, tables ...any) Object {
	s.T.Helper()
	body := Object{
		"name": "CRM", "organizationId": s.OrganizationID, "websiteId": s.WebsiteID, "callbackUrl": callback,
		"platformSubscriptions": []any{Object{"tableNames": tables}},
	}
	for name, value := range properties {
		body[name] = value
	}
	return s.Post("/api/stratus/subscriptions", body).OK()
}

// FanOut creates the events of all changes so far and wakes all subscriptions that get them, also those that the
// fan-out queue wakes because an event has many subscriptions.
func (s *Server) FanOut() {
	s.T.Helper()
	s.ReadFeed()
	for more := true; more; {
		var err error
		if more, err = s.App.Webhooks.FanOutDue(context.Background()); err != nil {
			s.T.Fatal(err)
		}
	}
}

// ReadFeed creates the events of all changes so far, and wakes the subscriptions of events with few.
func (s *Server) ReadFeed() {
	s.T.Helper()
	ctx := context.Background()
	defer RunWorkers(func(ctx context.Context) { _ = s.App.Feed.Run(ctx, s.App.Webhooks.Consumer()) })()
	s.WaitUntil(func() bool {
		lag, err := s.App.Feed.Lag(ctx)
		if err != nil {
			s.T.Fatal(err)
		}
		behind, known := lag[webhooks.ConsumerName]
		return known && behind == 0
	})
}

// DeliverEvents creates the events of everything that happened so far, and sends all deliveries that are due.
func (s *Server) DeliverEvents() {
	s.T.Helper()
	s.FanOut()
	if err := s.App.Webhooks.SendDue(context.Background()); err != nil {
		s.T.Fatal(err)
	}
}
