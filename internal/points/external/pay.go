package external

import (
	"context"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/points/ledger"
)

// CommitResult is the result of committing a post. It is zero if there was nothing to post.
type CommitResult struct {
	Committed bool      // the post was committed
	BlockedBy laurel.ID // the open post that has one of its guards
}

// maxConflicts bounds how often Pay waits for another post with the same guard.
const maxConflicts = 3

// Pay pays by a post, which an external ledger must accept. First Pay calls commit with a post that has an id, a kind
// and a request. commit completes the post and writes it into the database. Then Pay sends it, waits until the external
// ledger has accepted it and the applier has written it here, and returns it. Pay returns the zero Post if commit found
// nothing to post.
// If another open post has one of the new post's guards, commit writes nothing. Pay then waits until the other post has
// ended, and calls commit again, which now reads its effects. commit must pay nothing itself, and claim no
// Idempotency-Key. Errors: those of commit; Refused with the message of the external ledger; Unavailable if the
// external ledger is down or the outcome is not known yet.
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
		isSameRequest := resolved.Request != nil && p.Request != nil && *resolved.Request == *p.Request
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

// checkRequestKey refuses a request if the given open post came from a different request with the same Idempotency-Key
// (contract 1.8). It returns nil if the post shares another guard with the request; the caller then waits for the post.
func (s *Service) checkRequestKey(ctx context.Context, scope laurel.Scope, postID laurel.ID, request *Request) error {
	p, err := readPost(ctx, s.DB, postID)
	if err != nil || request == nil || p.Request == nil || p.Request.keyID() != request.keyID() ||
		*p.Request == *request && p.WebsiteID == scope.WebsiteID { // the same request
		return err
	}
	return laurel.Errorf(laurel.Refused, "Idempotency-Key was already used with a different request")
}

// requestOf returns an Idempotency-Key as it is stored with a post.
func requestOf(key *laurel.RequestKey) *Request {
	if key == nil {
		return nil
	}
	return &Request{key.APIKeyID, key.Key, key.Path, key.Hash}
}

// GuardsOf returns the names of the guards of a post: one for the Idempotency-Key of its request, if that is not nil,
// and one for each business key. Only one open post at a time can have a guard.
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
