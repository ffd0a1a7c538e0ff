package httpapi

import (
	"context"
	"net/http"
	"net/netip"

	"laurel"
)

// request is what the frame knows of one request. It travels in the context.
type request struct {
	id     string       // X-Request-Id
	route  string       // method and pattern, for the log
	remote netip.Addr   // who asks, seen through trusted proxies
	base   string       // the address of the service as the caller sees it, without prefix
	scope  laurel.Scope // set once the key is known
	bearer string       // of the Authorization header: a member token
	// trusting: the website lets publishable keys name users without a member token (contract 1.2).
	trusting bool
	header   http.Header // of the answer
	tightest *limited    // what the answer's headers tell of limits; nil: nothing
	invalid  string      // the message of every invalid input of the operation; empty: the first problem
	faults   laurel.Faults
	misread  laurel.Faults // those of the faults that are numbers which cannot be read
	err      error         // what the handler ended with
	sent     []byte        // the body as sent
	body     []byte        // tidied; kept until the answer so that problems can be found by path
}

type requestKey struct{}

func requestOf(ctx context.Context) *request {
	if r, ok := ctx.Value(requestKey{}).(*request); ok {
		return r
	}
	return &request{}
}

// scopeOf answers for whom the request acts, as its API key says.
func scopeOf(ctx context.Context) laurel.Scope { return requestOf(ctx).scope }
