package identity

import (
	"context"
	"errors"
	"slices"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/store"
)

// DefaultAccountLinkLife is how long an account link is valid unless the operator says otherwise (contract 8.6).
const DefaultAccountLinkLife = 15 * time.Minute

// accountLink are the claims of an account link: a user has proved an account that another one holds.
type accountLink struct {
	UserID   laurel.ID `json:"sub"`
	HolderID laurel.ID `json:"from"`
	VerifiedAccount
}

// newAccountLink returns the signed account link.
func (s *Service) newAccountLink(ctx context.Context, scope laurel.Scope, l accountLink) (string, error) {
	return s.SignClaims(ctx, scope, ForAccountLink, s.options.AccountLinkLife, l)
}

// MoveAccount moves an account to the user who has proved it, by the account link that the refusal gave (contract 8.6):
// the holder loses the account and what was granted for being connected, the user gets it. Points that were earned
// stay, and what the account was paid for stays paid. A link moves an account once. user may be empty; else it must be
// the link's user. Errors: Refused "Account link has expired", "Invalid account link" and "Account link belongs to
// another user"; NotFound "User"; Invalid for a malformed wallet.
func (s *Service) MoveAccount(ctx context.Context, scope laurel.Scope, link string, user Ref) error {
	if user != (Ref{}) {
		var f laurel.Faults
		user.Validate(&f)
		if err := f.Err(); err != nil {
			return err
		}
	}
	var l accountLink
	id, err := s.ReadClaims(ctx, scope, ForAccountLink, link, &l)
	switch {
	case errors.Is(err, ErrClaimsExpired):
		return laurel.Errorf(laurel.Refused, "Account link has expired")
	case errors.Is(err, ErrClaimsInvalid):
		return errInvalidLink()
	case err != nil:
		return err
	}
	return s.db.Write(ctx, scope.Request, func(tx *store.Tx) error {
		if user != (Ref{}) {
			named, err := s.Resolve(ctx, tx, scope, user)
			if err != nil {
				return err
			}
			if named.UserID != l.UserID {
				return laurel.Errorf(laurel.Refused, "Account link belongs to another user")
			}
		}
		isFirst, err := useAccountLink(ctx, tx, scope, id)
		if err != nil {
			return err
		}
		if !isFirst {
			return errInvalidLink()
		}
		return s.moveAccount(ctx, tx, scope, l)
	})
}

func errInvalidLink() error { return laurel.Errorf(laurel.Refused, "Invalid account link") }

// moveAccount makes the change of MoveAccount. It refuses the link if the holder no longer has the account.
func (s *Service) moveAccount(ctx context.Context, tx *store.Tx, scope laurel.Scope, l accountLink) error {
	holder, err := s.Resolve(ctx, tx, scope, Ref{UserID: l.HolderID})
	if err != nil {
		return err
	}
	to, err := s.Resolve(ctx, tx, scope, Ref{UserID: l.UserID})
	if err != nil {
		return err
	}
	if err := insertPerson(ctx, tx, scope, to, false); err != nil {
		return err
	}
	holds := false
	err = s.editProfiles(ctx, tx, scope, profileEdit{holder, func(profile Profile) Profile {
		if holds = profile.holds(l.VerifiedAccount); holds {
			return profile.without(l.Platform)
		}
		return profile
	}}, profileEdit{to, func(profile Profile) Profile {
		return profile.with(l.VerifiedAccount, laurel.Timestamp{Time: tx.Now()})
	}})
	switch held := (*accountHeldError)(nil); {
	case errors.As(err, &held), err == nil && !holds: // somebody else has the account by now
		return errInvalidLink()
	case err != nil:
		return err
	}
	if follower := s.options.Follower; follower != nil {
		if err := follower.Moved(ctx, tx, scope, holder.UserID, l.Platform); err != nil {
			return err
		}
	}
	return confirmUser(ctx, tx, scope, to.UserID)
}

// holds reports whether the profile has the account, by its id. An account without an id is known by its name, as far
// as names identify accounts: another account may have the same name.
func (p Profile) holds(a VerifiedAccount) bool {
	if fields, ok := p.accountFields(a.Platform); ok && *fields.id != nil && a.ID != "" {
		isHeld := *fields.verified != nil || a.Platform != Email && a.Platform != Phone
		return isHeld && foldCase(**fields.id) == foldCase(a.ID)
	}
	wanted := Profile{}.with(a, laurel.Timestamp{}).identifiers()
	return slices.ContainsFunc(p.identifiers(), func(id identifier) bool {
		return id.platform == a.Platform && slices.Contains(wanted, id)
	})
}
