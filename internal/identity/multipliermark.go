package identity

import (
	"context"
	"slices"

	"laurel"
	"laurel/internal/store"
)

// MarkHasMultipliers resolves a user, marks its member row as having multipliers, and returns the user with that mark:
// payments look for multipliers of marked members only. It inserts the rows of a new person. The member and its group
// stay locked until the transaction ends. Errors: those of Resolve.
func (s *Service) MarkHasMultipliers(ctx context.Context, tx *store.Tx, scope laurel.Scope, ref Ref) (Person, error) {
	p, err := s.Resolve(ctx, tx, scope, ref)
	if err != nil {
		return Person{}, err
	}
	var groups []laurel.ID
	if !p.GroupID.IsZero() {
		groups = append(groups, p.GroupID)
	}
	if err := lockGroups(ctx, tx, groups); err != nil {
		return Person{}, err
	}
	if err := insertPerson(ctx, tx, scope, p, true); err != nil {
		return Person{}, err
	}
	rows, err := lockMembers(ctx, tx, p.member(), nil)
	if err != nil {
		return Person{}, err
	}
	if len(rows) != 1 || rows[0].GroupID != p.GroupID {
		return Person{}, store.ErrRerun // it moved between reading and locking
	}
	if !rows[0].HasMultipliers {
		if err := setHasMultipliers(ctx, tx, rows[0], groups); err != nil {
			return Person{}, err
		}
	}
	return s.Resolve(ctx, tx, scope, Ref{UserID: p.UserID})
}

// EnsureMultiplierMark marks the person as having multipliers and returns it with that mark. A new member is marked
// when its row is inserted; others are marked at once in a transaction of their own, since a decision only shares
// their row. A mark without a multiplier does no harm.
func (s *Service) EnsureMultiplierMark(ctx context.Context, scope laurel.Scope, p Person) (Person, error) {
	switch {
	case slices.Contains(p.WithMultipliers, p.UserID):
		return p, nil
	case p.NewMember:
		p.MarkMultipliers, p.WithMultipliers = true, append(slices.Clone(p.WithMultipliers), p.UserID)
		return p, nil
	}
	if err := s.db.InTx(ctx, func(tx *store.Tx) error { // not Write: the payment claims the request's key
		_, err := s.MarkHasMultipliers(ctx, tx, scope, Ref{UserID: p.UserID})
		return err
	}); err != nil {
		return p, err
	}
	return s.Find(ctx, scope, Ref{UserID: p.UserID}, true)
}
