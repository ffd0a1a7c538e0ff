package rest

import (
	"context"
	"net/http"
	"net/netip"
	"slices"

	"laurel/internal/identity"

	"laurel"
)

// request is what the frame knows of one request. It travels in the context.
type request struct {
	id     string     // X-Request-Id
	route  string     // method and pattern, for the log
	remote netip.Addr // who asks, seen through trusted proxies
	// country is where the request comes from, as a trusted proxy says; empty: not known.
	country string
	scope   laurel.Scope // set once the key is known
	bearer  string       // of the Authorization header: a member token
	// trusting: the website lets client keys name users without a member token (contract 1.2).
	trusting bool
	header   http.Header // of the answer
	tightest *limited    // what the answer's headers tell of limits; nil: nothing
	strict   bool        // unknown properties and parameters are problems
	invalid  string      // the message of every invalid input of the operation; empty: the first problem
	faults   laurel.Faults
	form     laurel.Faults     // of the body; an answer lists them after all others
	err      error             // what the handler ended with
	sent     []byte            // the body as sent
	body     []byte            // tidied
	bodySize int               // bytes of room that it takes, bodyRoom included; 0: no more than that
	identity *identity.Service // proves member tokens
	member   proof
}

// problems returns the problems of the input as an error: those found and then those of the form of the body.
func (r *request) problems(found laurel.Faults) error {
	for _, f := range r.form {
		if !slices.Contains(found, f) {
			found.AddText(f.Path, f.Message)
		}
	}
	return found.Err()
}

type requestKey struct{}

func requestOf(ctx context.Context) *request {
	if r, ok := ctx.Value(requestKey{}).(*request); ok {
		return r
	}
	return &request{}
}

// ScopeOf returns for whom the request acts, as its API key says.
func ScopeOf(ctx context.Context) laurel.Scope { return requestOf(ctx).scope }

// proof is what the member token of a request proves. It is judged once, when it is first asked for.
type proof struct {
	judged bool
	user   laurel.ID
	err    error
}

// MemberOf returns whose member token the request carries. Errors: Forbidden.
func MemberOf(ctx context.Context) (laurel.ID, error) {
	r := requestOf(ctx)
	if p := &r.member; !p.judged {
		p.judged = true
		p.user, p.err = r.identity.CheckToken(ctx, r.scope, r.bearer)
	}
	return r.member.user, r.member.err
}

// TokenOf returns the member token that the request carries, unproved; empty where it carries none.
func TokenOf(ctx context.Context) string { return requestOf(ctx).bearer }

// Trusting reports whether the website lets the request's client key name users without a member token (contract 1.2).
func Trusting(ctx context.Context) bool { return requestOf(ctx).trusting }
