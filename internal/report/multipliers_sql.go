package report

import (
	"context"
	"encoding/json"
	"time"

	"laurel"
	"laurel/internal/store"
)

// Multiplier is an item of the multipliers list (contract 3.20).
type Multiplier struct {
	ID                 laurel.ID     `db:"id"`
	OrganizationID     laurel.ID     `db:"organization_id"`
	WebsiteID          laurel.ID     `db:"website_id"`
	UserID             laurel.ID     `db:"user_id"`
	Wallet             *string       `db:"wallet_address"`
	Value              laurel.Amount `db:"multiplier"`
	Title              *string       `db:"title"`
	Description        *string       `db:"description"`
	ExternalIdentifier *string       `db:"external_identifier"`
	Currencies         string        `db:"loyalty_currency_ids"`
	RuleID             laurel.ID     `db:"loyalty_rule_id"`
	BadgeID            laurel.ID     `db:"loyalty_badge_id"`
	CreatedMicros      int64         `db:"created_at"`
	UpdatedMicros      int64         `db:"updated_at"`
	DeletedMicros      *int64        `db:"deleted_at"`
}

// CreatedAt is when it was granted.
func (m Multiplier) CreatedAt() time.Time { return store.Time(m.CreatedMicros) }

// UpdatedAt is when it last changed.
func (m Multiplier) UpdatedAt() time.Time { return store.Time(m.UpdatedMicros) }

// DeletedAt is when it ended; zero while live.
func (m Multiplier) DeletedAt() time.Time {
	if m.DeletedMicros == nil {
		return time.Time{}
	}
	return store.Time(*m.DeletedMicros)
}

// CurrencyIDs returns the currencies that it applies to; none means all.
func (m Multiplier) CurrencyIDs() []laurel.ID {
	ids := []laurel.ID{}
	if err := json.Unmarshal([]byte(m.Currencies), &ids); err != nil {
		return []laurel.ID{} // written by the service itself as an array of ids
	}
	return ids
}

// MultiplierFilter limits a list of multipliers.
type MultiplierFilter struct {
	Users              UserFilter
	ExternalIdentifier string // of the multiplier
	WithDeleted        bool
}

const selectMultiplier = `SELECT m.id, m.organization_id, m.website_id, m.user_id, u.wallet_address, m.multiplier, m.title, m.description, m.external_identifier,
	m.loyalty_currency_ids, m.loyalty_rule_id, m.loyalty_badge_id, m.created_at, m.updated_at, m.deleted_at
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
	if !page.StartingAfter.IsZero() {
		var at store.Where
		at.Add("m.id = ?", page.StartingAfter)
		whereTenant(&at, "m.", scope)
		var after Multiplier
		err := s.db.Get(ctx, &after, selectMultiplier+at.String(), at.Args...)
		if store.IsNoRows(err) {
			return none, laurel.ErrCursor()
		}
		if err != nil {
			return none, err
		}
		w.After("m.created_at", "m.id", true, after.CreatedMicros, after.ID)
	}
	return store.SelectPage[Multiplier](
		ctx,
		s.db,
		page.Limit,
		selectMultiplier+w.String()+" ORDER BY m.created_at DESC, m.id DESC",
		w.Args...)
}
