package commerce

import (
	"context"
	"encoding/json"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/api/rest"
	"laurel.example/laurel/internal/commerce/holds"
	"laurel.example/laurel/internal/feed"
)

// Events loads the records of commerce for events (contract 7.1).
type Events struct{ h handlers }

// NewEvents returns the Events. It needs only the services that read.
func NewEvents(cfg Config) Events { return Events{handlers{cfg}} }

// Holds returns one record for each change, in their order: the hold, with the status and captured amount that the
// change gave it. It is nil if the hold is not found.
func (e Events) Holds(ctx context.Context, scope laurel.Scope, changes []feed.Change) ([]json.RawMessage, error) {
	found, err := e.h.Report.HoldsByID(ctx, scope, feed.EntityIDs(changes))
	if err != nil {
		return nil, err
	}
	shaped := map[laurel.ID]hold{}
	for _, one := range found {
		shaped[one.ID] = shapeHold(one)
	}
	out := make([]json.RawMessage, len(changes))
	for i, c := range changes {
		record, ok := shaped[c.EntityID]
		if !ok {
			continue
		}
		var change holds.HoldChange
		if err := json.Unmarshal(c.Data, &change); err != nil {
			return nil, err
		}
		record.Status, record.CapturedAmount = change.Status, change.CapturedAmount
		record.UpdatedAt = laurel.Timestamp{Time: c.At}
		out[i] = rest.Raw(record)
	}
	return out, nil
}
