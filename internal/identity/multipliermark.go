package identity

import (
	"context"
	"slices"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/store"
)

// MarkHasMultipliers marks the member that a reference names as having multipliers, and returns it with that mark:
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

// EnsureMultiplierMark returns the person with the mark of having multipliers. A new member gets the mark when Admit
// inserts its row. An existing one is marked now, in a transaction of its own: a payment only shares the lock of the
// member's row with others, so it cannot change the row. If the payment then fails, a mark without a multiplier does no
// harm.
func (s *Service) EnsureMultiplierMark(ctx context.Context, scope laurel.Scope, p Person) (Person, error) {
	switch {
	case slices.Contains(p.WithMultipliers, p.UserID):
		return p, nil
	case p.NewMember:
		p.MarkMultipliers, p.WithMultipliers = true, append(slices.Clone(p.WithMultipliers), p.UserID)
		return p, nil
	}
	if err := s.db.InTx(ctx, func(tx *store.Tx) error { // not Write: the idempotency key is for the payment
		_, err := s.MarkHasMultipliers(ctx, tx, scope, Ref{UserID: p.UserID})
		return err
	}); err != nil {
		return p, err
	}
	return s.Find(ctx, scope, Ref{UserID: p.UserID}, true)
}
