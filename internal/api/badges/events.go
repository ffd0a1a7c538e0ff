package badges

import (
	"context"
	"encoding/json"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/api/rest"
	"laurel.example/laurel/internal/feed"
	"laurel.example/laurel/internal/identity"
)

// Events loads the records of badges for events (contract 7.1).
type Events struct{ h handlers }

// NewEvents returns the Events. It needs only the services that read.
func NewEvents(cfg Config) Events { return Events{handlers{cfg}} }

// Badges returns one record for each change, in their order: the badge as it is now, without its holders. It is nil if
// the badge is not found.
func (e Events) Badges(ctx context.Context, scope laurel.Scope, changes []feed.Change) ([]json.RawMessage, error) {
	list, err := e.h.Report.BadgesByID(ctx, scope, feed.EntityIDs(changes))
	if err != nil {
		return nil, err
	}
	related, err := e.h.loadContext(ctx, scope, list)
	if err != nil {
		return nil, err
	}
	records := map[laurel.ID]json.RawMessage{}
	for _, b := range list {
		records[b.ID] = rest.Raw(related.badge(b))
	}
	return feed.RecordsOf(changes, records), nil
}

// Users returns one record for each change, in their order: the badge of a member as it is now, with the progress. It
// is nil if it is not found.
func (e Events) Users(ctx context.Context, scope laurel.Scope, changes []feed.Change) ([]json.RawMessage, error) {
	rows, err := e.h.Report.BadgeUsersByID(ctx, scope, feed.EntityIDs(changes))
	if err != nil {
		return nil, err
	}
	records := map[laurel.ID]json.RawMessage{}
	for _, r := range rows {
		records[r.ID] = rest.Raw(shapeUser(identity.Viewer{}, r, r.Progress))
	}
	return feed.RecordsOf(changes, records), nil
}
