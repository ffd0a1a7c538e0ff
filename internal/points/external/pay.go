package external

import (
	"context"

	"laurel"
	"laurel/internal/points/ledger"
)

// CommitResult is what became of committing a post. Neither: there was nothing to ask for.
type CommitResult struct {
	Committed bool      // it was committed
	BlockedBy laurel.ID // an open post holds what it pays for
}

// maxConflicts bounds how often a caller finds somebody else at the same thing.
const maxConflicts = 3

// Pay has commit commit a post of the payer's kind, which has an id and the request already, has the outside asked, and
// returns the post that is done; the zero post where nothing was asked for. commit runs again where somebody else was
// at the same thing, and sees what became of that. It must pay nothing itself, and claim no Idempotency-Key. Errors:
// those of commit; Refused with the outside's message; Unavailable where it is down or does not tell.
func (s *Service) Pay(
	ctx context.Context,
	scope laurel.Scope,
	applier Applier,
	commit func(*Post) (CommitResult, error),
) (Post, error) {
	for range maxConflicts {
		p := Post{ID: s.DB.NewID(), Kind: applier.Kind, Request: requestOf(scope.Request)}
		result, err := commit(&p)
		if err != nil || !result.Committed && result.BlockedBy.IsZero() {
			return Post{}, err
		}
		id := result.BlockedBy
		if result.Committed {
			id = p.ID
		} else if err := s.checkRequestKey(ctx, scope, id, p.Request); err != nil {
			return Post{}, err
		}
		resolved, err := s.Resolve(ctx, scope, applier, id)
		if err != nil {
			return Post{}, err
		}
		isSameRequest := resolved.Request != nil && p.Request != nil && *resolved.Request == *p.Request // the same request, sent again
		switch {
		case resolved.Status == Done && (result.Committed || isSameRequest):
			return resolved, nil
		case !result.Committed:
			continue
		case resolved.Status == Refused:
			return Post{}, laurel.Errorf(laurel.Refused, "%s", resolved.Message)
		}
		return Post{}, unavailable()
	}
	return Post{}, unavailable()
}

// checkRequestKey refuses a request whose Idempotency-Key an open post has of another one (contract 1.8). A post that is held for
// another reason is waited for.
func (s *Service) checkRequestKey(ctx context.Context, scope laurel.Scope, postID laurel.ID, request *Request) error {
	p, err := readPost(ctx, s.DB, postID)
	if err != nil || request == nil || p.Request == nil || p.Request.keyID() != request.keyID() ||
		*p.Request == *request && p.WebsiteID == scope.WebsiteID {
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

// GuardsOf are the holds of a request's Idempotency-Key and of business keys.
func GuardsOf(r *Request, keys ...ledger.KeyID) []string {
	out := []string{}
	if r != nil {
		out = append(out, "request "+r.APIKeyID.String()+" "+r.Key)
	}
	for _, key := range keys {
		out = append(out, "key "+key.WebsiteID.String()+" "+key.Key)
	}
	return out
}
