package minting

import (
	"context"
	"encoding/json"

	"laurel"
	"laurel/internal/api/rest"
	"laurel/internal/feed"
)

// Events tells what changes of minting say in events (contract 7.1).
type Events struct{ h handlers }

// NewEvents makes them; of the configuration it needs what reads.
func NewEvents(cfg Config) Events { return Events{handlers{cfg}} }

// Assets returns the records of assets as they are now, aligned with the changes.
func (e Events) Assets(ctx context.Context, scope laurel.Scope, changes []feed.Change) ([]json.RawMessage, error) {
	ids := make([]laurel.ID, len(changes))
	for i, c := range changes {
		ids[i] = c.EntityID
	}
	list, err := e.h.Minting.AssetsOf(ctx, scope, ids)
	if err != nil {
		return nil, err
	}
	auctions, err := e.h.auctions(ctx, scope, ids)
	if err != nil {
		return nil, err
	}
	told := map[laurel.ID]json.RawMessage{}
	for _, a := range list {
		told[a.ID] = rest.Raw(around{auctions: auctions}.asset(a))
	}
	out := make([]json.RawMessage, len(changes))
	for i, c := range changes {
		out[i] = told[c.EntityID]
	}
	return out, nil
}
