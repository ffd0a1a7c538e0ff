package claims

import (
	"context"
	"encoding/json"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/api/rest"
	"laurel.example/laurel/internal/commerce/claims"
	"laurel.example/laurel/internal/feed"
)

// Events loads the records of token claims for events (contract 7.1).
type Events struct{ h handlers }

// NewEvents returns the Events. It needs only the services that read.
func NewEvents(cfg Config) Events { return Events{handlers{cfg}} }

// eventClaim is a token claim as events have it, with the claim of a wallet.
type eventClaim struct {
	TokenClaim
	claims.ClaimChange
}

// Claims returns one record for each change, in their order: the token claim as it is now, and the claim of a wallet
// that the change reports, if any. It is nil if the token claim is not found.
func (e Events) Claims(ctx context.Context, scope laurel.Scope, changes []feed.Change) ([]json.RawMessage, error) {
	ids := feed.EntityIDs(changes)
	found, err := e.h.Claims.ByID(ctx, scope, ids)
	if err != nil {
		return nil, err
	}
	list := make([]claims.TokenClaim, 0, len(found))
	for _, c := range found {
		list = append(list, c)
	}
	shape, err := e.h.shaper(ctx, scope, list)
	if err != nil {
		return nil, err
	}
	out := make([]json.RawMessage, len(changes))
	for i, c := range changes {
		record, ok := found[c.EntityID]
		if !ok {
			continue
		}
		event := eventClaim{TokenClaim: shape(record)}
		if err := json.Unmarshal(c.Data, &event.ClaimChange); err != nil {
			return nil, err
		}
		out[i] = rest.Raw(event)
	}
	return out, nil
}
