package messages

import (
	"context"
	"errors"
	"fmt"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/outbound"
)

// Gateway is the HTTP gateway through which SMS are sent: one request for each message, made of templates with the
// variables {phoneNumber} and {message} (contract 8.8).
type Gateway struct {
	url, method string
	headers     map[string]string
	body        body
}

const (
	gatewayTimeout  = 10 * time.Second
	gatewayMaxBytes = 64 << 10
	unsentRetryWait = 250 * time.Millisecond
)

// call returns the request that sends a message.
func (g *Gateway) call(scope laurel.Scope, m Message) (outbound.Call, error) {
	content, contentType, err := g.body.encode(m)
	if err != nil {
		return outbound.Call{}, err
	}
	headers := map[string]string{}
	if contentType != "" {
		headers["Content-Type"] = contentType
	}
	for name, value := range g.headers {
		headers[name] = fillHeader(value, m)
	}
	return outbound.Call{
		Method: g.method, URL: fillURL(g.url, m), Header: headers, Body: content, Timeout: gatewayTimeout,
		MaxBytes: gatewayMaxBytes, Tenant: scope.WebsiteID.String(),
	}, nil
}

// smsSender sends messages through a gateway.
type smsSender struct {
	gateway *Gateway
	client  *outbound.Client
}

// send makes the request, and once more if the first one certainly did not reach the gateway: a second SMS would cost
// money and confuse its reader. Statuses from 200 to 299 accept the message.
func (s smsSender) send(ctx context.Context, scope laurel.Scope, m Message) error {
	call, err := s.gateway.call(scope, m)
	if err != nil {
		return err
	}
	response, err := s.client.Do(ctx, call)
	if mayRetry(err) {
		select {
		case <-ctx.Done():
		case <-time.After(unsentRetryWait):
			response, err = s.client.Do(ctx, call)
		}
	}
	switch {
	case err != nil:
		return gatewayFailure("sms gateway", err)
	case response.Status < 200 || response.Status > 299:
		return &failure{message: msgRefused, cause: fmt.Errorf("sms gateway: answered with status %d", response.Status)}
	}
	return nil
}

// mayRetry reports whether a request can be repeated because nothing of it was sent.
func mayRetry(err error) bool {
	var fault *outbound.Fault
	return errors.As(err, &fault) && !fault.Sent && fault.Kind() == outbound.KindNoConnection
}

// gatewayFailure returns the failure of a request without a usable response. The texts of its cause hold no address:
// that may contain the message.
func gatewayFailure(gateway string, err error) error {
	var fault *outbound.Fault
	if !errors.As(err, &fault) {
		return err
	}
	return &failure{
		message:  outbound.ProviderMessage(fault),
		cause:    errors.New(gateway + ": " + fault.TenantMessage()),
		isUnsent: !fault.Sent, pausedFor: fault.PausedFor,
	}
}
