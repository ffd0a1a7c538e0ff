package points

import (
	"context"
	"encoding/json"

	"laurel"
	"laurel/internal/api/rest"
	"laurel/internal/feed"
	"laurel/internal/identity"
)

// Events tells what changes of points say in events (contract 7.1), by the id of the record that changed.
type Events struct{ h handlers }

// NewEvents makes them; of the configuration it needs what reads.
func NewEvents(cfg Config) Events { return Events{handlers{cfg}} }

// Entries returns the records of contract 3.11 of new entries, aligned with the changes.
func (e Events) Entries(ctx context.Context, scope laurel.Scope, changes []feed.Change) ([]json.RawMessage, error) {
	found, err := e.h.Report.EntriesByID(ctx, scope, entities(changes))
	if err != nil {
		return nil, err
	}
	shape := e.h.shapeEntry(identity.Viewer{}, eventScope(scope))
	byID := map[laurel.ID]json.RawMessage{}
	for _, entry := range found {
		byID[entry.ID] = rest.Raw(shape(entry))
	}
	return aligned(changes, byID), nil
}

// Accounts returns the records of contract 3.9 with the balances that the changes have left, aligned with the changes.
func (e Events) Accounts(ctx context.Context, scope laurel.Scope, changes []feed.Change) ([]json.RawMessage, error) {
	found, err := e.h.Report.AccountsByID(ctx, scope, entities(changes))
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
		told, known := shaped[c.EntityID]
		if !known {
			continue
		}
		var moved struct {
			Amount      *laurel.Amount `json:"amount"`
			LockVersion *int64         `json:"lockVersion"`
		}
		if err := json.Unmarshal(c.Data, &moved); err != nil {
			return nil, err
		}
		if moved.Amount != nil && moved.LockVersion != nil {
			told.Amount, told.LockVersion, told.UpdatedAt = *moved.Amount, *moved.LockVersion, laurel.Timestamp{Time: c.At}
		}
		out[i] = rest.Raw(told)
	}
	return out, nil
}

// eventScope is whose view of rules events tell: no codes, and no secrets.
func eventScope(scope laurel.Scope) laurel.Scope {
	scope.Role = laurel.RoleReadOnly
	return scope
}

func entities(changes []feed.Change) []laurel.ID {
	ids := make([]laurel.ID, len(changes))
	for i, c := range changes {
		ids[i] = c.EntityID
	}
	return ids
}

func aligned(changes []feed.Change, byID map[laurel.ID]json.RawMessage) []json.RawMessage {
	out := make([]json.RawMessage, len(changes))
	for i, c := range changes {
		out[i] = byID[c.EntityID]
	}
	return out
}
