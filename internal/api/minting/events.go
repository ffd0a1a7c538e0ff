package minting

import (
	"context"
	"encoding/json"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/api/rest"
	"laurel.example/laurel/internal/feed"
)

// Events loads the records of minting for events (contract 7.1).
type Events struct{ h handlers }

// NewEvents returns the Events. It needs only the services that read.
func NewEvents(cfg Config) Events { return Events{handlers{cfg}} }

// Assets returns one record for each change, in their order: the asset as it is now. It is nil if the asset is not
// found.
func (e Events) Assets(ctx context.Context, scope laurel.Scope, changes []feed.Change) ([]json.RawMessage, error) {
	ids := feed.EntityIDs(changes)
	list, err := e.h.Minting.AssetsByID(ctx, scope, ids)
	if err != nil {
		return nil, err
	}
	auctions, err := e.h.auctionItems(ctx, scope, ids)
	if err != nil {
		return nil, err
	}
	records := map[laurel.ID]json.RawMessage{}
	for _, a := range list {
		records[a.ID] = rest.Raw(assetContext{auctions: auctions}.asset(a))
	}
	return feed.RecordsOf(changes, records), nil
}
