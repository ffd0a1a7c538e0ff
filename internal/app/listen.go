package app

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"time"

	"laurel.example/laurel/internal/outbound"
	"laurel.example/laurel/internal/webhooks"
)

// PlatformTables returns the names of the tables that a listener can watch.
func PlatformTables() []string { return webhooks.TableNames() }

// EventListener prints the events of a website during development, and can forward them to an address. It has a
// subscription for as long as it runs. A server that can reach this machine calls the listener; from any other server
// the listener reads the events itself.
type EventListener struct {
	Client  Client
	Forward string // the address to forward to; "": none
	Tables  []string
	// Ready is called once, with the signing key of the events. isCallable says that the server calls this machine.
	Ready func(signingKey string, isCallable bool)
	// OnEvent is called with each event.
	OnEvent func(ListenedEvent)
}

// ListenedEvent is a received event, and the result of forwarding it.
type ListenedEvent struct {
	ReceivedAt     time.Time
	ID, Type       string
	Body           []byte
	SignatureValid bool
	Status         int   // of the response to forwarding; 0: none
	Forwarded      bool  // an address to forward to is set
	Err            error // why there is no response
}

const (
	subscriptionsPath = "/api/stratus/subscriptions"
	pollEvery         = 500 * time.Millisecond
	maxEventBody      = 1 << 20 // bytes of a body
	shutdownTimeout   = 5 * time.Second
)

// listenSubscription is the subscription of a Listener, as the API returns it.
type listenSubscription struct {
	ID         string `json:"id"`
	SigningKey string `json:"signingKey"`
}

// Listen receives events until ctx ends, and then deletes its subscription. If the server refuses to call addresses of
// this machine, Listen polls the server for events instead. Errors: refusals of the server.
func (l EventListener) Listen(ctx context.Context) error {
	socket, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	defer func() { _ = socket.Close() }()
	website, err := l.onlyWebsite(ctx)
	if err != nil {
		return err
	}
	sub, err := l.subscribe(ctx, website, "http://"+socket.Addr().String()+"/")
	isCallable := err == nil
	if err != nil && strings.Contains(err.Error(), "callbackUrl") { // the server refuses this address
		sub, err = l.subscribe(ctx, website, "")
	}
	if err != nil {
		return err
	}
	defer l.unsubscribe(ctx, sub)
	l.Ready(sub.SigningKey, isCallable)
	if isCallable {
		return l.serve(ctx, socket, sub)
	}
	return l.poll(ctx, sub)
}

// listenedWebsite is the website whose events are listened to.
type listenedWebsite struct{ ID, OrganizationID string }

// onlyWebsite returns the website of the key. It fails if the key can see no website or several.
func (l EventListener) onlyWebsite(ctx context.Context) (listenedWebsite, error) {
	var websites struct{ Data []listenedWebsite }
	if err := l.Client.call(ctx, "GET", "/api/websites?limit=2", nil, &websites); err != nil {
		return listenedWebsite{}, err
	}
	if len(websites.Data) != 1 {
		return listenedWebsite{}, errors.New("the key must be of one website")
	}
	return websites.Data[0], nil
}

// subscribe creates a subscription to the events of the tables. The callback is the address that the server is to call,
// or "".
func (l EventListener) subscribe(
	ctx context.Context, website listenedWebsite, callback string,
) (listenSubscription, error) {
	var sub listenSubscription
	err := l.Client.call(ctx, "POST", subscriptionsPath, map[string]any{
		"name": "laurel listen", "callbackUrl": callback,
		"organizationId": website.OrganizationID, "websiteId": website.ID,
		"platformSubscriptions": []any{map[string]any{"tableNames": l.Tables}},
	}, &sub)
	return sub, err
}

// unsubscribe deletes the subscription, also after ctx has ended.
func (l EventListener) unsubscribe(ctx context.Context, sub listenSubscription) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), shutdownTimeout)
	defer cancel()
	_ = l.Client.call(ctx, "DELETE", subscriptionsPath+"/"+sub.ID, nil, &struct{}{}) // a failure only leaves an unused subscription
}

// serve receives the calls of the server, one after the other, until ctx ends.
func (l EventListener) serve(ctx context.Context, socket net.Listener, sub listenSubscription) error {
	busy := make(chan struct{}, 1)
	server := &http.Server{ReadHeaderTimeout: shutdownTimeout, Handler: http.HandlerFunc(
		func(w http.ResponseWriter, r *http.Request) {
			body, err := io.ReadAll(io.LimitReader(r.Body, maxEventBody))
			if err != nil {
				return
			}
			busy <- struct{}{} // events are handled one after the other
			defer func() { <-busy }()
			l.receive(ctx, w, r, body, sub.SigningKey)
		},
	)}
	stop := context.AfterFunc(ctx, func() { _ = server.Close() })
	defer stop()
	if err := server.Serve(socket); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// receive handles an event that the server delivers: it checks the signature and forwards the event. It passes the
// status of the response to forwarding back to the server. The status is 204 if there is no address to forward to, and
// 502 if that does not respond. An event with a wrong signature is reported, not forwarded, and gets 401.
func (l EventListener) receive(
	ctx context.Context, w http.ResponseWriter, r *http.Request, body []byte, signingKey string,
) {
	if err := webhooks.Verify(signingKey, r.Header.Get, body, time.Now()); err != nil {
		l.OnEvent(ListenedEvent{ReceivedAt: time.Now(), ID: r.Header.Get("webhook-id"), Body: body, Err: err})
		w.WriteHeader(http.StatusUnauthorized)
		return
	}
	headers := map[string]string{}
	for name := range r.Header {
		if low := strings.ToLower(name); strings.HasPrefix(low, "webhook-") || strings.HasPrefix(low, "laurel-") {
			headers[low] = r.Header.Get(name)
		}
	}
	event := l.forward(ctx, r.Header.Get("webhook-id"), body, headers)
	l.OnEvent(event)
	switch {
	case !l.isForwarding():
		w.WriteHeader(http.StatusNoContent)
	case event.Status == 0:
		w.WriteHeader(http.StatusBadGateway)
	default:
		w.WriteHeader(event.Status)
	}
}

func (l EventListener) isForwarding() bool { return l.Forward != "" }

// forward posts an event to the address to forward to, if there is one, and returns the event with the result. It adds
// the content type to headers.
func (l EventListener) forward(ctx context.Context, id string, body []byte, headers map[string]string) ListenedEvent {
	var decoded struct{ Type string }
	_ = json.Unmarshal(body, &decoded) // signed by the server
	event := ListenedEvent{
		ReceivedAt: time.Now(), ID: id, Type: decoded.Type, Body: body, SignatureValid: true, Forwarded: l.isForwarding(),
	}
	if !l.isForwarding() {
		return event
	}
	headers["Content-Type"] = "application/json"
	got, err := outbound.New(outbound.Options{Trusted: true}).Exchange(ctx, outbound.Call{
		Method: "POST", URL: l.Forward, Header: headers, Body: body, Timeout: 15 * time.Second,
	})
	event.Status, event.Err = got.Status, err
	return event
}

// poll reads the events of a server that cannot call this machine until ctx ends. It signs them as the server would,
// and forwards them.
func (l EventListener) poll(ctx context.Context, sub listenSubscription) error {
	handled := map[string]bool{}
	for {
		events, err := l.unseenEvents(ctx, sub, handled)
		if err != nil {
			return ignoreAfterEnd(ctx, err)
		}
		for _, e := range events {
			handled[e.ID] = true
			body := bytes.TrimSpace(e.Payload)
			headers, err := webhooks.Sign(sub.SigningKey, e.ID, time.Now(), body)
			if err != nil {
				return err
			}
			headers["laurel-subscription-id"] = sub.ID
			l.OnEvent(l.forward(ctx, e.ID, body, headers))
		}
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(pollEvery):
		}
	}
}

// listedEvent is an event in the list of a subscription's events.
type listedEvent struct {
	ID      string          `json:"id"`
	Payload json.RawMessage `json:"payload"`
}

// unseenEvents returns the events that were not handled yet, the oldest first. The list has the newest first, so it
// reads pages until one has a handled event.
func (l EventListener) unseenEvents(
	ctx context.Context, sub listenSubscription, handled map[string]bool,
) ([]listedEvent, error) {
	var out []listedEvent
	for after, reachedHandled := "", false; ; {
		var page struct {
			Data        []listedEvent `json:"data"`
			HasNextPage bool          `json:"hasNextPage"`
		}
		path := fmt.Sprintf("%s/%s/events?limit=100%s", subscriptionsPath, sub.ID, after)
		if err := l.Client.call(ctx, "GET", path, nil, &page); err != nil {
			return nil, err
		}
		for _, e := range page.Data {
			if handled[e.ID] {
				reachedHandled = true
				continue
			}
			out = append(out, e)
		}
		if reachedHandled || !page.HasNextPage {
			slices.Reverse(out)
			return out, nil
		}
		after = "&startingAfter=" + page.Data[len(page.Data)-1].ID
	}
}

// ignoreAfterEnd returns nil if ctx has ended, which ends listening without an error, else err.
func ignoreAfterEnd(ctx context.Context, err error) error {
	if ctx.Err() == nil {
		return err
	}
	return nil
}
