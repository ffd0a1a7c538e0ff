package report

import (
	"context"

	"laurel"
	"laurel/internal/commerce/holds"
	"laurel/internal/store"
)

// HoldFilter limits a list of holds.
type HoldFilter struct {
	Users      UserFilter
	Statuses   []string
	CurrencyID laurel.ID // zero: any
}

const selectHold = "SELECT " + holds.Columns + " FROM loyalty_holds t"

// Holds returns one page of holds, newest first (contract 5.22). Errors: Invalid for an unknown cursor.
func (s *Service) Holds(
	ctx context.Context,
	scope laurel.Scope,
	f HoldFilter,
	page laurel.PageRequest,
) (laurel.Page[holds.Hold], error) {
	none := laurel.PageOf[holds.Hold](nil, page.Limit)
	if err := s.resolveGroups(ctx, scope, &f.Users); err != nil {
		return none, err
	}
	var w store.Where
	s.whereTenantOf(&w, "t.", scope, f.Users)
	whereUsers(&w, "t.user_id", "t.website_id", scope, f.Users)
	store.In(&w, "t.status", f.Statuses)
	if !f.CurrencyID.IsZero() {
		w.Add("t.loyalty_currency_id = ?", f.CurrencyID)
	}
	if err := s.whereAfter(ctx, scope, &w, "loyalty_holds t", page.StartingAfter); err != nil {
		return none, err
	}
	rows, err := store.SelectPage[holds.Row](
		ctx, s.db, page.Limit, selectHold+w.String()+" ORDER BY t.created_at DESC, t.id DESC", w.Args...)
	if err != nil {
		return none, err
	}
	list, err := decodeHolds(rows.Data)
	return laurel.Page[holds.Hold]{Data: list, HasNextPage: rows.HasNextPage}, err
}

// HoldsByID returns the holds of the scope with these ids, in any order. Others are left out.
func (s *Service) HoldsByID(ctx context.Context, scope laurel.Scope, ids []laurel.ID) ([]holds.Hold, error) {
	w := s.whereIDs("t.", scope, ids)
	if w == nil {
		return nil, nil
	}
	var rows []holds.Row
	if err := s.db.Select(ctx, &rows, selectHold+w.String(), w.Args...); err != nil {
		return nil, err
	}
	return decodeHolds(rows)
}

// decodeHolds returns the holds of rows, in their order.
func decodeHolds(rows []holds.Row) ([]holds.Hold, error) {
	list := make([]holds.Hold, len(rows))
	for i, r := range rows {
		var err error
		if list[i], err = r.Hold(); err != nil {
			return nil, err
		}
	}
	return list, nil
}
