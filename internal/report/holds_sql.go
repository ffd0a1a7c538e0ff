package report

import (
	"context"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/commerce/holds"
	"laurel.example/laurel/internal/store"
)

// HoldFilter limits a list of holds.
type HoldFilter struct {
	Users      UserFilter
	Statuses   []string
	CurrencyID laurel.ID // zero: any
}

// Holds returns one page of holds, newest first (contract 5.22). Errors: Invalid for an unknown cursor.
func (s *Service) Holds(
	ctx context.Context,
	scope laurel.Scope,
	f HoldFilter,
	page laurel.PageRequest,
) (laurel.Page[holds.Hold], error) {
	if err := s.resolveGroups(ctx, scope, &f.Users); err != nil {
		return laurel.Page[holds.Hold]{}, err
	}
	var w store.Where
	s.whereTenantOf(&w, "t.", scope, f.Users)
	whereUsers(&w, "t.user_id", "t.website_id", scope, f.Users)
	store.In(&w, "t.status", f.Statuses)
	if !f.CurrencyID.IsZero() {
		w.Add("t.loyalty_currency_id = ?", f.CurrencyID)
	}
	return holds.Table.Page(ctx, s.db, newestRows(scope, "t.", &w), page)
}

// HoldsByID returns the holds of the scope with these ids, in any order. Others are left out.
func (s *Service) HoldsByID(ctx context.Context, scope laurel.Scope, ids []laurel.ID) ([]holds.Hold, error) {
	w := s.whereIDs("t.", scope, ids)
	if w == nil {
		return nil, nil
	}
	return holds.Table.Select(ctx, s.db, w, "")
}
