package external

import (
	"context"

	"laurel"
	"laurel/internal/points/ledger"
)

// Asked is what became of committing a post. Neither: there was nothing to ask for.
type Asked struct {
	Made bool      // it was committed
	Met  laurel.ID // an open post holds what it pays for
}

// meetings bounds how often a caller finds somebody else at the same thing.
const meetings = 3

// Pay has commit commit a post of the payer's kind, which has an id and the request already, has the outside asked, and
// returns the post that is done; the zero post where nothing was asked for. commit runs again where somebody else was
// at the same thing, and sees what became of that. It must pay nothing itself, and claim no Idempotency-Key. Errors:
// those of commit; Refused with the outside's message; Unavailable where it is down or does not tell.
func (s *Service) Pay(
	ctx context.Context,
	scope laurel.Scope,
	payer Payer,
	commit func(*Post) (Asked, error),
) (Post, error) {
	for range meetings {
		p := Post{ID: s.DB.NewID(), Kind: payer.Kind, Request: requestOf(scope.Request)}
		asked, err := commit(&p)
		if err != nil || !asked.Made && asked.Met.IsZero() {
			return Post{}, err
		}
		id := asked.Met
		if asked.Made {
			id = p.ID
		} else if err := s.same(ctx, scope, id, p.Request); err != nil {
			return Post{}, err
		}
		ended, err := s.Settle(ctx, scope, payer, id)
		if err != nil {
			return Post{}, err
		}
		again := ended.Request != nil && p.Request != nil && *ended.Request == *p.Request // the same request, sent again
		switch {
		case ended.Status == Done && (asked.Made || again):
			return ended, nil
		case !asked.Made:
			continue
		case ended.Status == Refused:
			return Post{}, laurel.Errorf(laurel.Refused, "%s", ended.Message)
		}
		return Post{}, unavailable()
	}
	return Post{}, unavailable()
}

// same refuses a request whose Idempotency-Key an open post has of another one (contract 1.8). A post that is held for
// another reason is waited for.
func (s *Service) same(ctx context.Context, scope laurel.Scope, met laurel.ID, r *Request) error {
	p, err := readPost(ctx, s.DB, met)
	if err != nil || r == nil || p.Request == nil || p.Request.id() != r.id() ||
		*p.Request == *r && p.WebsiteID == scope.WebsiteID {
		return err
	}
	return laurel.Errorf(laurel.Refused, "Idempotency-Key was already used with a different request")
}

// requestOf returns an Idempotency-Key as a post keeps it.
func requestOf(key *laurel.RequestKey) *Request {
	if key == nil {
		return nil
	}
	return &Request{key.APIKeyID, key.Key, key.Path, key.Hash}
}

// HoldsOf are the holds of a request's Idempotency-Key and of business keys.
func HoldsOf(r *Request, keys ...ledger.KeyID) []string {
	out := []string{}
	if r != nil {
		out = append(out, "request "+r.APIKeyID.String()+" "+r.Key)
	}
	for _, key := range keys {
		out = append(out, "key "+key.WebsiteID.String()+" "+key.Key)
	}
	return out
}
