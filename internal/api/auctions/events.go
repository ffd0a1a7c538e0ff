package auctions

import (
	"context"
	"encoding/json"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/api/rest"
	"laurel.example/laurel/internal/commerce/auctions"
	"laurel.example/laurel/internal/feed"
	"laurel.example/laurel/internal/identity"
)

// Events loads the records of auctions for events (contract 7.1).
type Events struct{ h handlers }

// NewEvents returns the Events. It needs only the services that read.
func NewEvents(cfg Config) Events { return Events{handlers{cfg}} }

// eventBid is a bid as events have it: without the external ledger of its currency.
type eventBid struct {
	auctionBid
	LoyaltyCurrency *auctionCurrency `json:"loyaltyCurrency"`
}

// Bids returns one record for each change, in their order: the bid, with the status that the change gave it. It is nil
// if the bid is not found.
func (e Events) Bids(ctx context.Context, scope laurel.Scope, changes []feed.Change) ([]json.RawMessage, error) {
	ids := feed.EntityIDs(changes)
	found, err := e.h.Report.BidsByID(ctx, scope, ids)
	if err != nil {
		return nil, err
	}
	scope.Role = laurel.RoleReadOnly // events do not contain the credentials of external ledgers
	shape, err := e.h.bidShaper(ctx, scope, identity.Viewer{}, found)
	if err != nil {
		return nil, err
	}
	shaped := map[laurel.ID]eventBid{}
	for _, b := range found {
		record := shape(b)
		shaped[b.ID] = eventBid{record, &record.LoyaltyCurrency.auctionCurrency}
	}
	out := make([]json.RawMessage, len(changes))
	for i, c := range changes {
		record, ok := shaped[c.EntityID]
		if !ok {
			continue
		}
		var change auctions.BidChange
		if err := json.Unmarshal(c.Data, &change); err != nil {
			return nil, err
		}
		record.Status, record.UpdatedAt = change.Status, laurel.Timestamp{Time: c.At}
		out[i] = rest.Raw(record)
	}
	return out, nil
}
