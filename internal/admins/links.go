package admins

import (
	"cmp"
	"context"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/store"
	"laurel.example/laurel/internal/tenancy"
)

// LinkKind is the purpose of a link.
type LinkKind string

// The kinds of links. Each link works once.
const (
	SetupLink   LinkKind = "setup"   // creates the first admin
	InviteLink  LinkKind = "invite"  // grants a role, and creates an account if the person has none
	RecoverLink LinkKind = "recover" // sets a new password, removes the second factor and the identities
	SignInLink  LinkKind = "enter"   // signs in
)

// linkLifetimes is how long links of each kind work.
var linkLifetimes = map[LinkKind]time.Duration{
	SetupLink: 24 * time.Hour, InviteLink: 7 * 24 * time.Hour, RecoverLink: time.Hour, SignInLink: 24 * time.Hour,
}

// Link is a link that works once.
type Link struct {
	ID             laurel.ID
	Kind           LinkKind
	OrganizationID laurel.ID   // of an invitation
	WebsiteID      laurel.ID   // of an invitation; zero: every website of the organization
	Role           laurel.Role // of an invitation
	Email          string      // of an invited person
	AdminID        laurel.ID   // the admin that a Recover or Enter link is for
	CreatedByID    laurel.ID   // zero: the command line
	CreatedAt      time.Time
	ExpiresAt      time.Time
	UsedAt         *time.Time

	Request *laurel.RequestKey // claimed by NewLink; nil: none
}

// NewLink creates a link and returns its token, which is not stored. Of the input, an invitation uses organization,
// website, role and e-mail address, and the links of kind RecoverLink and SignInLink use the admin. Errors: Invalid;
// NotFound "Organization", "Website", "Admin".
func (s *Service) NewLink(ctx context.Context, in Link) (token string, made Link, err error) {
	in.Email = NormalizeEmail(in.Email)
	if err := in.validate(); err != nil {
		return "", Link{}, err
	}
	if in.Kind == RecoverLink || in.Kind == SignInLink {
		if _, err := s.Admin(ctx, in.AdminID); err != nil {
			return "", Link{}, err
		}
	}
	if in.Kind == InviteLink {
		if err := s.checkInvitationTarget(ctx, in); err != nil {
			return "", Link{}, err
		}
	}
	err = s.DB.Write(ctx, in.Request, func(tx *store.Tx) error {
		in.ID, in.CreatedAt, in.ExpiresAt, in.UsedAt = tx.NewID(), tx.Now(), tx.Now().Add(linkLifetimes[in.Kind]), nil
		token = newToken(tx)
		return insertLink(ctx, tx, hashToken(token), in)
	})
	return token, in, err
}

// checkInvitationTarget returns NotFound unless the organization and the website of an invitation exist. A zero website
// stands for all.
func (s *Service) checkInvitationTarget(ctx context.Context, in Link) error {
	scope := laurel.Scope{OrganizationID: in.OrganizationID, Role: laurel.RoleOrganization}
	if _, err := s.Tenancy.GetOrganization(ctx, scope); err != nil || in.WebsiteID.IsZero() {
		return err
	}
	_, err := s.Tenancy.Website(ctx, scope, in.WebsiteID)
	return err
}

// validate returns nil or an Invalid error that names every fault of a new link.
func (in Link) validate() error {
	var f laurel.Faults
	if linkLifetimes[in.Kind] == 0 {
		f.Add("kind", "must be one of: %s, %s, %s, %s", SetupLink, InviteLink, RecoverLink, SignInLink)
	}
	if in.Kind == InviteLink {
		if in.OrganizationID.IsZero() {
			f.Add("organizationId", "is required")
		}
		if !tenancy.IsAdminRole(in.Role) {
			f.Add("roleType", "must be a role of people")
		}
		if in.Email == "" { // required, since addresses are not verified otherwise
			f.Add("email", "is required")
		} else {
			checkEmail(&f, in.Email)
		}
	}
	return f.Err()
}

// Invitations returns the invitations to an organization that are unused and have not expired, newest first.
func (s *Service) Invitations(ctx context.Context, organization laurel.ID) ([]Link, error) {
	rows, err := selectOpenInvitations(ctx, s.DB, organization, store.Micros(s.DB.Now()))
	out := make([]Link, len(rows))
	for i, r := range rows {
		out[i] = r.link()
	}
	return out, err
}

// WithdrawInvitation deletes an unused invitation to an organization. Errors: NotFound "Invitation", also if it was
// used.
func (s *Service) WithdrawInvitation(ctx context.Context, organization, id laurel.ID) error {
	return s.DB.InTx(ctx, func(tx *store.Tx) error {
		existed, err := deleteInvitation(ctx, tx, organization, id)
		if err == nil && !existed {
			err = laurel.Missing("Invitation")
		}
		return err
	})
}

func errLink() error {
	return laurel.Errorf(laurel.Refused, "This link was already used or has expired. Ask for a new one")
}

// FindLink returns the link with a token, without using it. Errors: Refused if it was used, has expired or does not
// exist.
func (s *Service) FindLink(ctx context.Context, token string) (Link, error) {
	row, err := findLink(ctx, s.DB, hashToken(token), "")
	if store.IsNoRows(err) || err == nil && (row.UsedAt != nil || row.ExpiresAt <= store.Micros(s.DB.Now())) {
		return Link{}, errLink()
	}
	return row.link(), err
}

// useLink marks a link as used, in the transaction of its effect, and returns it. Errors: Refused if it is of none of
// the kinds, was used, has expired or does not exist.
func useLink(ctx context.Context, tx *store.Tx, token string, kinds ...LinkKind) (Link, error) {
	row, err := findLink(ctx, tx, hashToken(token), tx.ForUpdate())
	if store.IsNoRows(err) {
		return Link{}, errLink()
	}
	if err != nil {
		return Link{}, err
	}
	l := row.link()
	isExpectedKind := false
	for _, kind := range kinds {
		isExpectedKind = isExpectedKind || l.Kind == kind
	}
	if !isExpectedKind || l.UsedAt != nil || !l.ExpiresAt.After(tx.Now()) {
		return Link{}, errLink()
	}
	return l, markUsed(ctx, tx, l.ID)
}

// JoinByLink creates an account by a setup link or an invitation. The first admin becomes the owner of all existing
// organizations. A setup link is refused once there is an admin, so that only one of two people can use it. Errors:
// Invalid; Refused, also if the address has an account already, whose owner signs in and uses Accept.
func (s *Service) JoinByLink(ctx context.Context, token string, in Account) (Admin, error) {
	if err := in.normalize(); err != nil {
		return Admin{}, err
	}
	if _, err := s.FindLink(ctx, token); err != nil { // hash passwords only for valid links
		return Admin{}, err
	}
	hash, err := s.hashPassword(ctx, in.Password)
	if err != nil {
		return Admin{}, err
	}
	created := adminRow{Email: in.Email, Name: in.Name, PasswordHash: hash}
	err = s.DB.InTx(ctx, func(tx *store.Tx) error { return s.join(ctx, tx, token, &created) })
	return created.admin(), err
}

// join creates an admin by a setup link or an invitation, and grants what the link says. It sets the id, the times and
// the defaults in row.
func (s *Service) join(ctx context.Context, tx *store.Tx, token string, row *adminRow) error {
	l, err := useLink(ctx, tx, token, SetupLink, InviteLink)
	if err != nil {
		return err
	}
	if err := s.checkJoin(ctx, tx, l, row.Email); err != nil {
		return err
	}
	now := store.Micros(tx.Now())
	row.ID, row.TimeZone, row.Credentials, row.CreatedAt, row.UpdatedAt = tx.NewID(), "UTC", 1, now, now
	if _, err := adminTable.Insert(ctx, tx, row, ""); err != nil {
		return err
	}
	if l.Kind == SetupLink {
		return s.makeOwnerOfAll(ctx, tx, row.ID)
	}
	return s.grantByLink(ctx, tx, row.ID, l)
}

// checkJoin returns Refused if the link cannot create the account: the invitation is for another address, there is an
// admin already and the link is a setup link, or the address has an account.
func (s *Service) checkJoin(ctx context.Context, tx *store.Tx, l Link, email string) error {
	if l.Kind == InviteLink {
		if err := l.checkInvitedEmail(email); err != nil {
			return err
		}
	}
	if l.Kind == SetupLink {
		if err := lockFirstAdmin(ctx, tx); err != nil {
			return err
		}
		if exists, err := hasAdmins(ctx, tx); err != nil || exists {
			return cmp.Or(err, errLink())
		}
	}
	if _, err := findAdminByEmail(ctx, tx, email); !store.IsNoRows(err) {
		if err != nil {
			return err
		}
		return laurel.Errorf(laurel.Refused, "An account with this e-mail address already exists: sign in, then open the link again")
	}
	return nil
}

// checkInvitedEmail returns Refused unless the invitation is for the address. Invitations of earlier versions may have
// no address: their links could be used with any address, so they no longer work.
func (in Link) checkInvitedEmail(email string) error {
	switch in.Email {
	case email:
		return nil
	case "":
		return laurel.Errorf(laurel.Refused, "This invitation has no e-mail address. Ask for a new invitation")
	}
	return laurel.Errorf(laurel.Refused, "This invitation is for another e-mail address")
}

// Accept uses an invitation for an admin who is signed in, and grants its role. Errors: Refused.
func (s *Service) Accept(ctx context.Context, token string, admin Admin) error {
	return s.DB.InTx(ctx, func(tx *store.Tx) error {
		l, err := useLink(ctx, tx, token, InviteLink)
		if err != nil {
			return err
		}
		if err := l.checkInvitedEmail(admin.Email); err != nil {
			return err
		}
		return s.grantByLink(ctx, tx, admin.ID, l)
	})
}

// ResetPassword sets a new password by a link of kind RecoverLink, removes the second factor and the identities, and
// ends every session.
// Errors: Invalid; Refused.
func (s *Service) ResetPassword(ctx context.Context, token, password string) (Admin, error) {
	var f laurel.Faults
	checkPassword(&f, password)
	if err := f.Err(); err != nil {
		return Admin{}, err
	}
	if _, err := s.FindLink(ctx, token); err != nil {
		return Admin{}, err
	}
	hash, err := s.hashPassword(ctx, password)
	if err != nil {
		return Admin{}, err
	}
	return s.recover(ctx, token, hash)
}

// Recover removes the second factor and the identities by a link of kind RecoverLink and ends every session. The
// password stays as it is: Recover is for servers on which admins do not sign in by password. Errors: Refused.
func (s *Service) Recover(ctx context.Context, token string) (Admin, error) {
	return s.recover(ctx, token, "")
}

// recover uses a link of kind RecoverLink. An empty hash leaves the password as it is. Identities are removed, as one
// of them may be of somebody who had the address before.
func (s *Service) recover(ctx context.Context, token, hash string) (Admin, error) {
	var row adminRow
	err := s.DB.InTx(ctx, func(tx *store.Tx) error {
		l, err := useLink(ctx, tx, token, RecoverLink)
		if err != nil {
			return err
		}
		if row, err = lockAdmin(ctx, tx, l.AdminID); err != nil {
			return err
		}
		row.PasswordHash = cmp.Or(hash, row.PasswordHash)
		row.TOTPSecret, row.UpdatedAt = nil, store.Micros(tx.Now())
		if err := replaceCodes(ctx, tx, row.ID, nil); err != nil {
			return err
		}
		if err := deleteIdentities(ctx, tx, row.ID); err != nil {
			return err
		}
		if err := endSessions(ctx, tx, &row, laurel.ID{}); err != nil {
			return err
		}
		return adminTable.Update(ctx, tx, &row)
	})
	return row.admin(), err
}

// SignInByLink uses a link of kind SignInLink and returns the admin that it signs in. Errors: Refused.
func (s *Service) SignInByLink(ctx context.Context, token string) (Admin, error) {
	var row adminRow
	err := s.DB.InTx(ctx, func(tx *store.Tx) error {
		l, err := useLink(ctx, tx, token, SignInLink)
		if err != nil {
			return err
		}
		row, err = findAdmin(ctx, tx, l.AdminID)
		return err
	})
	return row.admin(), err
}
