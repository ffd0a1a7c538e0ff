package badges

import (
	"context"
	"encoding/json"

	"laurel"
	"laurel/internal/api/rest"
	"laurel/internal/feed"
	"laurel/internal/identity"
)

// Events tells what changes of badges say in events (contract 7.1).
type Events struct{ h handlers }

// NewEvents makes them; of the configuration it needs what reads.
func NewEvents(cfg Config) Events { return Events{handlers{cfg}} }

// Badges returns the records of badges as they are now, without their members, aligned with the changes.
func (e Events) Badges(ctx context.Context, scope laurel.Scope, changes []feed.Change) ([]json.RawMessage, error) {
	list, err := e.h.Report.BadgesByID(ctx, scope, entities(changes))
	if err != nil {
		return nil, err
	}
	with, err := e.h.around(ctx, scope, list)
	if err != nil {
		return nil, err
	}
	told := map[laurel.ID]json.RawMessage{}
	for _, b := range list {
		told[b.ID] = rest.Raw(with.badge(b))
	}
	return aligned(changes, told), nil
}

// Users returns the records of badges of members as they are now, aligned with the changes.
func (e Events) Users(ctx context.Context, scope laurel.Scope, changes []feed.Change) ([]json.RawMessage, error) {
	rows, err := e.h.Report.BadgeUsersByID(ctx, scope, entities(changes))
	if err != nil {
		return nil, err
	}
	told := map[laurel.ID]json.RawMessage{}
	for _, r := range rows {
		states, err := r.Progress()
		if err != nil {
			return nil, err
		}
		told[r.ID] = rest.Raw(shapeUser(identity.Viewer{}, r, states))
	}
	return aligned(changes, told), nil
}

func entities(changes []feed.Change) []laurel.ID {
	ids := make([]laurel.ID, len(changes))
	for i, c := range changes {
		ids[i] = c.EntityID
	}
	return ids
}

func aligned(changes []feed.Change, told map[laurel.ID]json.RawMessage) []json.RawMessage {
	out := make([]json.RawMessage, len(changes))
	for i, c := range changes {
		out[i] = told[c.EntityID]
	}
	return out
}
