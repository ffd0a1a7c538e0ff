package points

import (
	"context"
	"encoding/json"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/api/rest"
	"laurel.example/laurel/internal/feed"
	"laurel.example/laurel/internal/identity"
)

// Events loads the records of points for events (contract 7.1), by the id of the record that changed.
type Events struct{ h handlers }

// NewEvents returns the Events. It needs only the services that read.
func NewEvents(cfg Config) Events { return Events{handlers{cfg}} }

// Entries returns one record for each change, in their order: the new entry (contract 3.11). It is nil if the entry is
// not found.
func (e Events) Entries(ctx context.Context, scope laurel.Scope, changes []feed.Change) ([]json.RawMessage, error) {
	found, err := e.h.Report.EntriesByID(ctx, scope, feed.EntityIDs(changes))
	if err != nil {
		return nil, err
	}
	shape := e.h.entryShaper(identity.Viewer{}, eventScope(scope))
	byID := map[laurel.ID]json.RawMessage{}
	for _, entry := range found {
		byID[entry.ID] = rest.Raw(shape(entry))
	}
	return feed.RecordsOf(changes, byID), nil
}

// Accounts returns one record for each change, in their order: the account (contract 3.9), with the balance that the
// change gave it or, if the change states none, the present one. It is nil if the account is not found.
func (e Events) Accounts(ctx context.Context, scope laurel.Scope, changes []feed.Change) ([]json.RawMessage, error) {
	found, err := e.h.Report.AccountsByID(ctx, scope, feed.EntityIDs(changes))
	if err != nil {
		return nil, err
	}
	var users []laurel.ID
	shaped := map[laurel.ID]account{}
	for _, a := range found {
		users = append(users, a.UserID)
	}
	profiles, err := e.h.Identity.Cards(ctx, scope, users)
	if err != nil {
		return nil, err
	}
	for _, a := range found {
		shaped[a.ID] = shapeAccount(identity.Viewer{}, a, profiles[a.UserID])
	}
	out := make([]json.RawMessage, len(changes))
	for i, c := range changes {
		record, ok := shaped[c.EntityID]
		if !ok {
			continue
		}
		var change struct {
			Amount      *laurel.Amount `json:"amount"`
			LockVersion *int64         `json:"lockVersion"`
		}
		if err := json.Unmarshal(c.Data, &change); err != nil {
			return nil, err
		}
		if change.Amount != nil && change.LockVersion != nil {
			record.Amount, record.LockVersion = *change.Amount, *change.LockVersion
			record.UpdatedAt = laurel.Timestamp{Time: c.At}
		}
		out[i] = rest.Raw(record)
	}
	return out, nil
}

// eventScope returns the scope as a read-only key's: events contain no codes and no secrets of rules.
func eventScope(scope laurel.Scope) laurel.Scope {
	scope.Role = laurel.RoleReadOnly
	return scope
}
