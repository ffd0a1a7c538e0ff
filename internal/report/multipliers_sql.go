package report

import (
	"context"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/engagement"
	"laurel.example/laurel/internal/store"
)

// Multiplier is an item of the multipliers list (contract 3.20): a multiplier with the member's wallet.
type Multiplier struct {
	engagement.Multiplier
	Wallet *string `db:"wallet_address"`
}

// MultiplierFilter limits a list of multipliers.
type MultiplierFilter struct {
	Users              UserFilter
	ExternalIdentifier string // of the multiplier
	WithDeleted        bool
}

var selectMultiplier = "SELECT " + engagement.Multipliers.As("m").Columns() + `, u.wallet_address
	FROM loyalty_multipliers m JOIN users u ON u.id = m.user_id`

// Multipliers returns one page of multipliers, newest first. Errors: Invalid for an unknown cursor.
func (s *Service) Multipliers(
	ctx context.Context,
	scope laurel.Scope,
	f MultiplierFilter,
	page laurel.PageRequest,
) (laurel.Page[Multiplier], error) {
	none := laurel.PageOf[Multiplier](nil, page.Limit)
	if err := s.resolveGroups(ctx, scope, &f.Users); err != nil {
		return none, err
	}
	var w store.Where
	s.whereTenantOf(&w, "m.", scope, f.Users)
	whereUsers(&w, "m.user_id", "m.website_id", scope, f.Users)
	if f.ExternalIdentifier != "" {
		w.Add("m.external_identifier = ?", f.ExternalIdentifier)
	}
	if !f.WithDeleted {
		w.Add("m.deleted_at IS NULL")
	}
	if err := s.whereAfter(ctx, scope, &w, "loyalty_multipliers m", page.StartingAfter); err != nil {
		return none, err
	}
	return store.SelectPage[Multiplier](
		ctx,
		s.db,
		page.Limit,
		selectMultiplier+w.String()+" ORDER BY m.created_at DESC, m.id DESC",
		w.Args...)
}
