package commerce

import (
	"context"
	"encoding/json"

	"laurel"
	"laurel/internal/api/rest"
	"laurel/internal/commerce/holds"
	"laurel/internal/feed"
)

// Events tells what changes of commerce say in events (contract 7.1).
type Events struct{ h handlers }

// NewEvents makes them; of the configuration it needs what reads.
func NewEvents(cfg Config) Events { return Events{handlers{cfg}} }

// Holds returns the records of holds as the changes left them, aligned with the changes.
func (e Events) Holds(ctx context.Context, scope laurel.Scope, changes []feed.Change) ([]json.RawMessage, error) {
	found, err := e.h.Report.HoldsByID(ctx, scope, entities(changes))
	if err != nil {
		return nil, err
	}
	shaped := map[laurel.ID]hold{}
	for _, one := range found {
		shaped[one.ID] = shapeHold(one)
	}
	out := make([]json.RawMessage, len(changes))
	for i, c := range changes {
		told, known := shaped[c.EntityID]
		if !known {
			continue
		}
		var moved holds.HoldChange
		if err := json.Unmarshal(c.Data, &moved); err != nil {
			return nil, err
		}
		told.Status, told.CapturedAmount, told.UpdatedAt = moved.Status, moved.CapturedAmount, laurel.Timestamp{Time: c.At}
		out[i] = rest.Raw(told)
	}
	return out, nil
}

func entities(changes []feed.Change) []laurel.ID {
	ids := make([]laurel.ID, len(changes))
	for i, c := range changes {
		ids[i] = c.EntityID
	}
	return ids
}
