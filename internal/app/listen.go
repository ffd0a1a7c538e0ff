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

	"laurel/internal/outbound"
	"laurel/internal/webhooks"
)

// PlatformTables returns the names of the tables that a listener can watch.
func PlatformTables() []string { return webhooks.TableNames() }

// Listener prints the events of a website during development, and can forward them to an address. It has a subscription
// for as long as it runs. A server on this machine in development mode calls it; from any other server it reads the
// events.
type Listener struct {
	Client  Client
	Forward string // the address to forward to; "": none
	Tables  []string
	// Ready is called once, with the signing key of the events; OnEvent is called with each event.
	Ready   func(signingKey string, called bool)
	OnEvent func(ListenedEvent)
}

// ListenedEvent is a received event, and the result of forwarding it.
type ListenedEvent struct {
	At        time.Time
	ID, Type  string
	Body      []byte
	Signed    bool  // its signature is valid
	Status    int   // of the response to forwarding; 0: none
	Forwarded bool  // an address to forward to is set
	Err       error // why there is no response
}

const (
	subscriptionsPath = "/api/stratus/subscriptions"
	pollEvery         = 500 * time.Millisecond
	maxEventBody      = 1 << 20 // bytes of a body
	shutdownTimeout   = 5 * time.Second
)

type listenSubscription struct {
	ID         string `json:"id"`
	SigningKey string `json:"signingKey"`
}

// Listen receives events until ctx ends, and then deletes its subscription. Errors: refusals of the server.
func (l Listener) Listen(ctx context.Context) error {
	socket, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	defer func() { _ = socket.Close() }()
	site, err := l.website(ctx)
	if err != nil {
		return err
	}
	sub, err := l.subscribe(ctx, site, "http://"+socket.Addr().String()+"/")
	isCallable := err == nil
	if err != nil && strings.Contains(err.Error(), "callbackUrl") {
		sub, err = l.subscribe(ctx, site, "")
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

// website returns the only website of the key.
func (l Listener) website(ctx context.Context) (listenedWebsite, error) {
	var sites struct{ Data []listenedWebsite }
	if err := l.Client.call(ctx, "GET", "/api/websites?limit=2", nil, &sites); err != nil {
		return listenedWebsite{}, err
	}
	if len(sites.Data) != 1 {
		return listenedWebsite{}, errors.New("the key must be of one website")
	}
	return sites.Data[0], nil
}

func (l Listener) subscribe(ctx context.Context, site listenedWebsite, callback string) (listenSubscription, error) {
	var sub listenSubscription
	err := l.Client.call(ctx, "POST", subscriptionsPath, map[string]any{
		"name": "laurel listen", "callbackUrl": callback,
		"organizationId": site.OrganizationID, "websiteId": site.ID,
		"platformSubscriptions": []any{map[string]any{"tableNames": l.Tables}},
	}, &sub)
	return sub, err
}

func (l Listener) unsubscribe(ctx context.Context, sub listenSubscription) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), shutdownTimeout)
	defer cancel()
	_ = l.Client.call(ctx, "DELETE", subscriptionsPath+"/"+sub.ID, nil, &struct{}{}) // a failure only leaves an unused subscription
}

// serve receives the calls of the server. The response of the address that it forwards to is passed back.
func (l Listener) serve(ctx context.Context, socket net.Listener, sub listenSubscription) error {
	busy := make(chan struct{}, 1)
	server := &http.Server{ReadHeaderTimeout: shutdownTimeout, Handler: http.HandlerFunc(
		func(w http.ResponseWriter, r *http.Request) {
			body, err := io.ReadAll(io.LimitReader(r.Body, maxEventBody))
			if err != nil {
				return
			}
			busy <- struct{}{} // events are printed one after the other
			defer func() { <-busy }()
			if err := webhooks.Verify(sub.SigningKey, r.Header.Get, body, time.Now()); err != nil {
				l.OnEvent(ListenedEvent{At: time.Now(), ID: r.Header.Get("webhook-id"), Body: body, Err: err})
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
		},
	)}
	stop := context.AfterFunc(ctx, func() { _ = server.Close() })
	defer stop()
	if err := server.Serve(socket); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

func (l Listener) isForwarding() bool { return l.Forward != "" }

// forward posts an event to the address, if there is one.
func (l Listener) forward(ctx context.Context, id string, body []byte, headers map[string]string) ListenedEvent {
	var decoded struct{ Type string }
	_ = json.Unmarshal(body, &decoded) // signed by the server
	event := ListenedEvent{
		At: time.Now(), ID: id, Type: decoded.Type, Body: body, Signed: true, Forwarded: l.isForwarding(),
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

// poll reads events of a server that cannot call this machine, and signs them as the server would.
func (l Listener) poll(ctx context.Context, sub listenSubscription) error {
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

type listedEvent struct {
	ID      string          `json:"id"`
	Payload json.RawMessage `json:"payload"`
}

// unseenEvents returns the events that were not handled yet, the oldest first. It reads pages of the list up to a
// handled event.
func (l Listener) unseenEvents(
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

// ignoreAfterEnd returns nil for an error after the end of ctx, which ends listening.
func ignoreAfterEnd(ctx context.Context, err error) error {
	if ctx.Err() == nil {
		return err
	}
	return nil
}
