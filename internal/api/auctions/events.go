package auctions

import (
	"context"
	"encoding/json"

	"laurel"
	"laurel/internal/api/rest"
	"laurel/internal/commerce/auctions"
	"laurel/internal/feed"
	"laurel/internal/identity"
)

// Events tells what changes of auctions say in events (contract 7.1).
type Events struct{ h handlers }

// NewEvents makes them; of the configuration it needs what reads.
func NewEvents(cfg Config) Events { return Events{handlers{cfg}} }

// toldBid is a bid as events tell it: of its currency they say nothing of where balances are kept.
type toldBid struct {
	auctionBid
	LoyaltyCurrency *auctionCurrency `json:"loyaltyCurrency"`
}

// Bids returns the records of bids as the changes left them, aligned with the changes.
func (e Events) Bids(ctx context.Context, scope laurel.Scope, changes []feed.Change) ([]json.RawMessage, error) {
	ids := make([]laurel.ID, len(changes))
	for i, c := range changes {
		ids[i] = c.EntityID
	}
	found, err := e.h.Report.BidsByID(ctx, scope, ids)
	if err != nil {
		return nil, err
	}
	scope.Role = laurel.RoleReadOnly
	shape, err := e.h.shapeBids(ctx, scope, identity.Viewer{}, found)
	if err != nil {
		return nil, err
	}
	shaped := map[laurel.ID]toldBid{}
	for _, b := range found {
		told := shape(b)
		shaped[b.ID] = toldBid{told, &told.LoyaltyCurrency.auctionCurrency}
	}
	out := make([]json.RawMessage, len(changes))
	for i, c := range changes {
		told, known := shaped[c.EntityID]
		if !known {
			continue
		}
		var moved auctions.BidChange
		if err := json.Unmarshal(c.Data, &moved); err != nil {
			return nil, err
		}
		told.Status, told.UpdatedAt = moved.Status, laurel.Timestamp{Time: c.At}
		out[i] = rest.Raw(told)
	}
	return out, nil
}
