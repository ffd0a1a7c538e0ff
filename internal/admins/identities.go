package admins

import (
	"cmp"
	"context"
	"strings"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/store"
)

// Identity is an account at the identity provider, as the provider has proven that it is the caller's.
type Identity struct {
	Issuer  string `json:"issuer"`
	Subject string `json:"subject"` // the id of the account at the issuer (sub)
	Email   string `json:"email"`   // empty unless the provider has verified it
	Name    string `json:"name"`
}

// LinkedIdentity is an account at an identity provider by which an admin signs in.
type LinkedIdentity struct {
	ID         laurel.ID
	Issuer     string
	Email      string // as the provider named it last; empty: it named none
	CreatedAt  time.Time
	LastUsedAt time.Time
}

// emailOf returns the form in which the address of an identity is compared. Only letters of ASCII are lowered: Unicode
// has others, such as the Kelvin sign, whose lower case is a letter of ASCII, and at the provider those are of somebody
// else.
func emailOf(in Identity) string {
	return strings.Map(func(r rune) rune {
		if 'A' <= r && r <= 'Z' {
			r += 'a' - 'A'
		}
		return r
	}, strings.TrimSpace(in.Email))
}

// SignInByIdentity returns the admin whose identity it is. An identity that is new here becomes that of the admin with
// its e-mail address, unless that admin has another one of the same issuer: addresses can change hands at a provider.
// If the admin has a second factor, CompleteSignIn must follow. It links a new identity, which is returned as unlinked
// until then: nobody without the second factor can take the place of the admin's own identity. Errors: NotFound if
// there is no such admin; Refused.
func (s *Service) SignInByIdentity(ctx context.Context, in Identity) (admin Admin, unlinked *Identity, err error) {
	in.Email = emailOf(in)
	var row adminRow
	err = s.DB.InTx(ctx, func(tx *store.Tx) error {
		unlinked = nil
		linked, err := lockIdentity(ctx, tx, in.Issuer, in.Subject)
		if store.IsNoRows(err) {
			row, err = s.linkByEmail(ctx, tx, in)
			if row.TOTPSecret != nil {
				unlinked = &in
			}
			return err
		}
		if err != nil {
			return err
		}
		linked.UsedAt = store.Micros(tx.Now())
		if in.Email != "" {
			linked.Email = in.Email
		}
		if err := identityTable.Update(ctx, tx, &linked); err != nil {
			return err
		}
		row, err = findAdmin(ctx, tx, linked.AdminID)
		return err
	})
	return row.admin(), unlinked, err
}

// LinkIdentity makes an identity that SignInByIdentity has not linked that of its admin, who has given the second
// factor. Errors: NotFound "Admin"; Refused if the admin or the identity was linked meanwhile.
func (s *Service) LinkIdentity(ctx context.Context, admin laurel.ID, in Identity) error {
	_, err := s.change(ctx, admin, func(tx *store.Tx, row *adminRow) error { return linkLate(ctx, tx, row, in) })
	return err
}

// linkLate inserts an identity of an admin whose row is locked, unless the admin has it already.
func linkLate(ctx context.Context, tx *store.Tx, row *adminRow, in Identity) error {
	linked, err := lockIdentity(ctx, tx, in.Issuer, in.Subject)
	if err == nil && linked.AdminID == row.ID {
		return nil
	}
	if err == nil {
		return errOtherIdentity(row.Email)
	}
	if !store.IsNoRows(err) {
		return err
	}
	if other, err := hasIdentity(ctx, tx, row.ID, in.Issuer); err != nil || other {
		return cmp.Or(err, errOtherIdentity(row.Email))
	}
	return insertIdentity(ctx, tx, row.ID, in)
}

// linkByEmail finds the admin with the e-mail address of a new identity and returns the admin. Unless the admin has a
// second factor, the identity becomes that of the admin. It returns store.ErrRerun if the identity was linked
// meanwhile.
func (s *Service) linkByEmail(ctx context.Context, tx *store.Tx, in Identity) (adminRow, error) {
	if in.Email == "" {
		return adminRow{}, errUnverified()
	}
	row, err := findAdminByEmail(ctx, tx, in.Email)
	if store.IsNoRows(err) {
		return adminRow{}, laurel.Errorf(laurel.NotFound,
			"Nobody with the e-mail address %s has an account here. Ask an owner for an invitation", in.Email)
	}
	if err != nil {
		return adminRow{}, err
	}
	if row, err = lockAdmin(ctx, tx, row.ID); err != nil { // two identities at once are linked one by one
		return adminRow{}, err
	}
	if _, err := lockIdentity(ctx, tx, in.Issuer, in.Subject); err == nil { // linked in another tab
		return adminRow{}, store.ErrRerun
	} else if !store.IsNoRows(err) {
		return adminRow{}, err
	}
	if other, err := hasIdentity(ctx, tx, row.ID, in.Issuer); err != nil || other {
		return adminRow{}, cmp.Or(err, errOtherIdentity(in.Email))
	}
	if row.TOTPSecret != nil {
		return row, nil
	}
	return row, insertIdentity(ctx, tx, row.ID, in)
}

func errOtherIdentity(email string) error {
	return laurel.Errorf(laurel.Refused, "The account of %s is linked to another account at the identity provider. "+
		"Its owner can unlink it under “Your account”", email)
}

func errUnverified() error {
	return laurel.Errorf(laurel.Refused, "The identity provider has not verified your e-mail address. Verify it there, then sign in again")
}

func insertIdentity(ctx context.Context, tx *store.Tx, admin laurel.ID, in Identity) error {
	now := store.Micros(tx.Now())
	_, err := identityTable.Insert(ctx, tx, &identityRow{
		ID: tx.NewID(), AdminID: admin, Issuer: in.Issuer, Subject: in.Subject, Email: in.Email, CreatedAt: now, UsedAt: now,
	}, "")
	return err
}

// JoinByIdentity creates an account without password for an identity, by a setup link or an invitation. Errors: those
// of JoinByLink.
func (s *Service) JoinByIdentity(ctx context.Context, token string, in Identity) (Admin, error) {
	in.Email = emailOf(in)
	if in.Email == "" {
		return Admin{}, errUnverified()
	}
	var f laurel.Faults
	checkEmail(&f, in.Email)
	if in.Email != NormalizeEmail(in.Email) { // people could not type the address of their account
		f.Add("email", "must be in lower case")
	}
	if err := f.Err(); err != nil {
		return Admin{}, err
	}
	name := []rune(in.Name)
	created := adminRow{Email: in.Email, Name: string(name[:min(len(name), maxName)])}
	if created.Name == "" {
		created.Name = in.Email
	}
	err := s.DB.InTx(ctx, func(tx *store.Tx) error {
		if err := s.join(ctx, tx, token, &created); err != nil {
			return err
		}
		return insertIdentity(ctx, tx, created.ID, in)
	})
	return created.admin(), err
}

// Identities returns the identities of an admin, oldest first.
func (s *Service) Identities(ctx context.Context, admin laurel.ID) ([]LinkedIdentity, error) {
	rows, err := selectIdentities(ctx, s.DB, admin)
	out := make([]LinkedIdentity, len(rows))
	for i, r := range rows {
		out[i] = LinkedIdentity{r.ID, r.Issuer, r.Email, store.Time(r.CreatedAt), store.Time(r.UsedAt)}
	}
	return out, err
}

// UnlinkIdentity removes an identity of an admin and ends every session of the admin except one, that of the caller.
// The caller must store the Credentials of the returned admin in that session, or it ends too. Errors: NotFound
// "Identity".
func (s *Service) UnlinkIdentity(ctx context.Context, admin, id, session laurel.ID) (Admin, error) {
	return s.change(ctx, admin, func(tx *store.Tx, row *adminRow) error {
		existed, err := deleteIdentity(ctx, tx, admin, id)
		if err == nil && !existed {
			err = laurel.Missing("Identity")
		}
		if err != nil {
			return err
		}
		return endSessions(ctx, tx, row, session)
	})
}

// UseState marks the state of a sign-in at the identity provider as used. It returns false if it was used before. After
// expires the state must be refused by its age.
func (s *Service) UseState(ctx context.Context, state string, expires time.Time) (isFirst bool, err error) {
	err = s.DB.InTx(ctx, func(tx *store.Tx) (err error) {
		isFirst, err = insertUsedState(ctx, tx, hashToken(state), expires)
		return err
	})
	return isFirst, err
}

// LimitIdentities runs a check of a sign-in at the identity provider, unless too many failed in the caller's network.
// They are counted apart from passwords. Errors: RateLimited; those of the check, of which Refused counts as a failure.
func (s *Service) LimitIdentities(ctx context.Context, from Caller, check func() error) error {
	return s.limitTries(ctx, []tryLimit{{"sign in at the provider from " + from.Network, failuresPerNetwork}}, check)
}
