package engagement

import (
	"context"
	"strconv"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/feed"
	"laurel.example/laurel/internal/identity"
	"laurel.example/laurel/internal/record"
	"laurel.example/laurel/internal/store"
)

// Multiplier raises what rules pay to a member (contract 3.20, 5.4). It is a row of loyalty_multipliers. A caller, a
// rule or a badge has granted it.
type Multiplier struct {
	ID                 laurel.ID              `db:"id" json:"id"`
	OrganizationID     laurel.ID              `db:"organization_id" json:"organizationId"`
	WebsiteID          laurel.ID              `db:"website_id" json:"websiteId"`
	UserID             laurel.ID              `db:"user_id" json:"userId" update:"no"`
	Value              laurel.Amount          `db:"multiplier" json:"multiplier" in:"required multiplier"`
	Title              *string                `db:"title" json:"title" in:"max=1000"`
	Description        *string                `db:"description" json:"description" in:"max=10000"`
	ExternalIdentifier *string                `db:"external_identifier" json:"externalIdentifier" update:"no"`
	CurrencyIDs        laurel.List[laurel.ID] `db:"loyalty_currency_ids" json:"loyaltyCurrencyIds" doc:"Empty: all currencies" in:"max=100" hint:"Empty or absent: all currencies"`
	RuleID             laurel.NullID          `db:"loyalty_rule_id" json:"loyaltyRuleId,omitzero" doc:"The rule that granted it" update:"no"`
	BadgeID            laurel.NullID          `db:"loyalty_badge_id" json:"loyaltyBadgeId,omitzero" doc:"The badge that granted it" update:"no"`
	CreatedAt          laurel.Timestamp       `db:"created_at" json:"createdAt"`
	UpdatedAt          laurel.Timestamp       `db:"updated_at" json:"updatedAt"`
	DeletedAt          laurel.NullTimestamp   `db:"deleted_at" json:"deletedAt"`
}

// MultiplierPatch is what a caller writes of a multiplier. Package multiplier owns the bounds of its value.
type MultiplierPatch = record.Patch[Multiplier]

const maxExternalIdentifier = 255

// GrantMultiplierInput is a multiplier that a caller grants to a user.
type GrantMultiplierInput struct {
	MultiplierPatch
	User               identity.Ref
	ExternalIdentifier *string
}

// GrantMultiplier grants a multiplier to a user. A new wallet becomes a user. Errors: Invalid, also for a currency that
// does not exist; NotFound "User"; Refused if a live multiplier of the website has the externalIdentifier, or if the
// user has multiplier.MaxPerUser already.
func (s *Service) GrantMultiplier(
	ctx context.Context, scope laurel.Scope, in GrantMultiplierInput,
) (Multiplier, error) {
	m := Multiplier{
		OrganizationID:     scope.OrganizationID,
		WebsiteID:          scope.WebsiteID,
		ExternalIdentifier: in.ExternalIdentifier,
	}
	var f laurel.Faults
	in.User.Validate(&f)
	if in.ExternalIdentifier != nil {
		f.Text("externalIdentifier", *in.ExternalIdentifier, 1, maxExternalIdentifier)
	}
	f = append(f, in.Create(&m)...)
	if err := f.Err(); err != nil {
		return Multiplier{}, err
	}
	err := s.db.Write(ctx, scope.Request, func(tx *store.Tx) error {
		p, err := s.people.MarkHasMultipliers(ctx, tx, scope, in.User)
		if err != nil {
			return err
		}
		if err := s.checkCurrencies(ctx, tx, scope, m.CurrencyIDs); err != nil {
			return err
		}
		m.ID, m.UserID, m.CreatedAt.Time, m.UpdatedAt.Time = tx.NewID(), p.UserID, tx.Now(), tx.Now()
		if err := withLockedMultipliers(ctx, tx, m, func() error { return insertMultiplier(ctx, tx, m) }); err != nil {
			return err
		}
		return feed.Record(ctx, tx, m.feedChange(feed.Created))
	})
	return m, err
}

// checkCurrencies returns a fault for the first currency that does not exist. It locks the currencies, so that none is
// deleted until tx ends.
func (s *Service) checkCurrencies(ctx context.Context, tx *store.Tx, scope laurel.Scope, ids []laurel.ID) error {
	for i, id := range ids {
		if isLive, err := s.ledger.IsLiveCurrencyIn(ctx, tx, scope, id); err != nil || !isLive {
			if err == nil {
				var f laurel.Faults
				f.AddText("loyaltyCurrencyIds."+strconv.Itoa(i), "Loyalty currency not found")
				err = f.Err()
			}
			return err
		}
	}
	return nil
}

// Multiplier returns a live multiplier. Errors: NotFound "Multiplier".
func (s *Service) Multiplier(ctx context.Context, scope laurel.Scope, id laurel.ID) (Multiplier, error) {
	return Multipliers.Get(ctx, s.db, store.LiveByID(scope, id), "")
}

// UpdateMultiplier changes the properties that the input sets. Errors: Invalid; NotFound "Multiplier" for one that is
// deleted or outside the scope.
func (s *Service) UpdateMultiplier(
	ctx context.Context,
	scope laurel.Scope,
	id laurel.ID,
	in MultiplierPatch,
) (Multiplier, error) {
	return s.changeMultiplier(ctx, scope, multiplierRef{id: id}, func(tx *store.Tx, m *Multiplier) error {
		if err := in.Update(m).Err(); err != nil || !in.Has("loyaltyCurrencyIds") {
			return err
		}
		return s.checkCurrencies(ctx, tx, scope.At(m.WebsiteID), m.CurrencyIDs)
	})
}

// DeleteMultiplier ends a multiplier at once (contract 5.17). It returns NotFound "Multiplier" if it is deleted
// already.
func (s *Service) DeleteMultiplier(ctx context.Context, scope laurel.Scope, id laurel.ID) (Multiplier, error) {
	return s.changeMultiplier(ctx, scope, multiplierRef{id: id}, markDeleted)
}

// DeleteMultiplierByExternalID ends the live multiplier with the externalIdentifier in the scope's website, which the
// scope must have. Errors: Invalid, NotFound "Multiplier".
func (s *Service) DeleteMultiplierByExternalID(
	ctx context.Context, scope laurel.Scope, external string,
) (Multiplier, error) {
	var f laurel.Faults
	f.Text("externalIdentifier", external, 1, maxExternalIdentifier)
	if err := f.Err(); err != nil {
		return Multiplier{}, err
	}
	return s.changeMultiplier(ctx, scope, multiplierRef{external: external}, markDeleted)
}

// markDeleted sets the time of deletion.
func markDeleted(tx *store.Tx, m *Multiplier) error {
	m.DeletedAt.Time = tx.Now()
	return nil
}

// multiplierRef identifies a live multiplier.
type multiplierRef struct {
	id       laurel.ID
	external string // the externalIdentifier, if the id is zero
}

// changeMultiplier reads a live multiplier, applies edit to it under the lock of the member's multipliers, saves it,
// and records the change: as a deletion if edit sets DeletedAt. Errors: NotFound "Multiplier"; those of edit.
func (s *Service) changeMultiplier(
	ctx context.Context,
	scope laurel.Scope,
	ref multiplierRef,
	edit func(*store.Tx, *Multiplier) error,
) (Multiplier, error) {
	var m Multiplier
	err := s.db.Write(ctx, scope.Request, func(tx *store.Tx) error {
		found, err := Multipliers.Get(ctx, tx, ref.where(scope), "")
		if err != nil {
			return err
		}
		if err := withLockedMultipliers(ctx, tx, found, func() error {
			// read again: it may have changed before the lock
			if m, err = Multipliers.Get(ctx, tx, store.LiveByID(scope, found.ID), ""); err != nil {
				return err
			}
			return Multipliers.Edit(ctx, tx, scope, &m, edit)
		}); err != nil {
			return err
		}
		if !m.DeletedAt.IsZero() {
			return feed.Record(ctx, tx, m.feedChange(feed.Deleted))
		}
		return feed.Record(ctx, tx, m.feedChange(feed.Updated))
	})
	return m, err
}

// feedChange returns the change for the change feed. The caller holds the lock of the member's multipliers.
func (m Multiplier) feedChange(action feed.Action) feed.Change {
	data := store.JSON(struct {
		UserID laurel.ID `json:"userId"`
		RuleID laurel.ID `json:"loyaltyRuleId,omitzero"`
	}{m.UserID, m.RuleID.ID})
	return feed.Change{
		OrganizationID: m.OrganizationID,
		WebsiteID:      m.WebsiteID,
		EntityID:       m.ID,
		Table:          feed.TableMultiplier,
		Action:         action,
		Data:           data,
	}
}
