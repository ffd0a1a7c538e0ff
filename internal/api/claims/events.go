package claims

import (
	"context"
	"encoding/json"

	"laurel"
	"laurel/internal/api/rest"
	"laurel/internal/commerce/claims"
	"laurel/internal/feed"
)

// Events tells what changes of token claims say in events (contract 7.1).
type Events struct{ h handlers }

// NewEvents makes them; of the configuration it needs what reads.
func NewEvents(cfg Config) Events { return Events{handlers{cfg}} }

// toldClaim is a token claim with the claim of a wallet.
type toldClaim struct {
	TokenClaim
	claims.ClaimChange
}

// Claims returns the records of token claims as they are now, each with the claim that the change tells of, aligned
// with the changes.
func (e Events) Claims(ctx context.Context, scope laurel.Scope, changes []feed.Change) ([]json.RawMessage, error) {
	ids := make([]laurel.ID, len(changes))
	for i, c := range changes {
		ids[i] = c.EntityID
	}
	found, err := e.h.Claims.Among(ctx, scope, ids)
	if err != nil {
		return nil, err
	}
	list := make([]claims.TokenClaim, 0, len(found))
	for _, c := range found {
		list = append(list, c)
	}
	shaped, err := e.h.shaper(ctx, scope, list)
	if err != nil {
		return nil, err
	}
	out := make([]json.RawMessage, len(changes))
	for i, c := range changes {
		record, known := found[c.EntityID]
		if !known {
			continue
		}
		told := toldClaim{TokenClaim: shaped(record)}
		if err := json.Unmarshal(c.Data, &told.ClaimChange); err != nil {
			return nil, err
		}
		out[i] = rest.Raw(told)
	}
	return out, nil
}
