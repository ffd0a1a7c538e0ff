package admins

import (
	"cmp"
	"context"
	"time"

	"laurel"
	"laurel/internal/store"
	"laurel/internal/tenancy"
)

// Kind is what a link is good for.
type Kind string

// The kinds of links. Each is good once.
const (
	Setup   Kind = "setup"   // makes the first admin, who sets everything up
	Invite  Kind = "invite"  // gives a role, and an account to who has none
	Recover Kind = "recover" // sets a new password and removes the second factor
	Enter   Kind = "enter"   // signs in
)

// linkLifetimes is how long a link is good.
var linkLifetimes = map[Kind]time.Duration{
	Setup: 24 * time.Hour, Invite: 7 * 24 * time.Hour, Recover: time.Hour, Enter: 24 * time.Hour,
}

// Link is a link that is good once.
type Link struct {
	ID             laurel.ID
	Kind           Kind
	OrganizationID laurel.ID   // of an invitation
	WebsiteID      laurel.ID   // zero: every website of the organization
	Role           laurel.Role // of an invitation
	Email          string      // whom an invitation is for
	AdminID        laurel.ID   // whom it lets in
	CreatedByID    laurel.ID   // zero: the command line
	CreatedAt      time.Time
	ExpiresAt      time.Time
	UsedAt         *time.Time

	Request *laurel.RequestKey // claimed by NewLink; nil: none
}

// NewLink makes a link and returns its token, which is kept nowhere. Of the input counts what the kind needs: the
// organization, website, role and e-mail address of an invitation, the admin of the others. Errors: Invalid; NotFound
// "Organization", "Website", "Admin".
func (s *Service) NewLink(ctx context.Context, in Link) (token string, made Link, err error) {
	in.Email = NormalizeEmail(in.Email)
	if err := in.validate(); err != nil {
		return "", Link{}, err
	}
	if in.Kind == Recover || in.Kind == Enter {
		if _, err := s.Admin(ctx, in.AdminID); err != nil {
			return "", Link{}, err
		}
	}
	if in.Kind == Invite {
		if err := s.checkTarget(ctx, in); err != nil {
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

// checkTarget checks that an invitation is to an organization and website that exist.
func (s *Service) checkTarget(ctx context.Context, in Link) error {
	scope := laurel.Scope{OrganizationID: in.OrganizationID, Role: laurel.RoleOrganization}
	if _, err := s.Tenancy.GetOrganization(ctx, scope); err != nil || in.WebsiteID.IsZero() {
		return err
	}
	_, err := s.Tenancy.Website(ctx, scope, in.WebsiteID)
	return err
}

func (in Link) validate() error {
	var f laurel.Faults
	if linkLifetimes[in.Kind] == 0 {
		f.Add("kind", "must be one of: %s, %s, %s, %s", Setup, Invite, Recover, Enter)
	}
	if in.Kind == Invite {
		if in.OrganizationID.IsZero() {
			f.Add("organizationId", "is required")
		}
		if !tenancy.IsRoleOfPeople(in.Role) {
			f.Add("roleType", "must be a role of people")
		}
		if in.Email == "" { // nobody proves an address that is not named here
			f.Add("email", "is required")
		} else {
			checkEmail(&f, in.Email)
		}
	}
	return f.Err()
}

// Invitations returns the invitations to an organization that nobody has used yet, newest first.
func (s *Service) Invitations(ctx context.Context, organization laurel.ID) ([]Link, error) {
	rows, err := openInvitations(ctx, s.DB, organization, store.Micros(s.DB.Now()))
	out := make([]Link, len(rows))
	for i, r := range rows {
		out[i] = r.link()
	}
	return out, err
}

// WithdrawInvitation makes an invitation to an organization good no longer. Errors: NotFound "Invitation", also once it
// was used.
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

// FindLink returns the link of a token without using it. Errors: Refused where it was used, is over, or never was.
func (s *Service) FindLink(ctx context.Context, token string) (Link, error) {
	row, err := findLink(ctx, s.DB, hashToken(token), "")
	if store.NoRows(err) || err == nil && (row.UsedAt != nil || row.ExpiresAt <= store.Micros(s.DB.Now())) {
		return Link{}, errLink()
	}
	return row.link(), err
}

// useLink marks a link used, in the transaction of what it is good for.
func useLink(ctx context.Context, tx *store.Tx, token string, kinds ...Kind) (Link, error) {
	row, err := findLink(ctx, tx, hashToken(token), tx.ForUpdate())
	if store.NoRows(err) {
		return Link{}, errLink()
	}
	if err != nil {
		return Link{}, err
	}
	l := row.link()
	fits := false
	for _, kind := range kinds {
		fits = fits || l.Kind == kind
	}
	if !fits || l.UsedAt != nil || !l.ExpiresAt.After(tx.Now()) {
		return Link{}, errLink()
	}
	return l, markUsed(ctx, tx, l.ID)
}

// JoinByLink makes an account by a setup link or an invitation. Who sets up owns every organization that is there
// already. A setup link is refused once there is an admin: of two people who have it, one sets up. Errors: Invalid;
// Refused, also where the address has an account already: its owner signs in and uses Accept.
func (s *Service) JoinByLink(ctx context.Context, token string, in Account) (Admin, error) {
	if err := in.normalize(); err != nil {
		return Admin{}, err
	}
	if _, err := s.FindLink(ctx, token); err != nil { // hashing is for who has a link
		return Admin{}, err
	}
	hash, err := s.hash(ctx, in.Password)
	if err != nil {
		return Admin{}, err
	}
	var created adminRow
	err = s.DB.InTx(ctx, func(tx *store.Tx) error {
		l, err := useLink(ctx, tx, token, Setup, Invite)
		if err != nil {
			return err
		}
		if err := s.checkJoin(ctx, tx, l, in); err != nil {
			return err
		}
		now := store.Micros(tx.Now())
		created = adminRow{
			ID: tx.NewID(), Email: in.Email, Name: in.Name, PasswordHash: hash, TimeZone: "UTC", Credentials: 1,
			CreatedAt: now, UpdatedAt: now,
		}
		if err := insertAdmin(ctx, tx, created); err != nil {
			return err
		}
		if l.Kind == Setup {
			return s.makeOwnerOfAll(ctx, tx, created.ID)
		}
		return s.grantByLink(ctx, tx, created.ID, l)
	})
	return created.admin(), err
}

// checkJoin checks what a link is for against who comes with it.
func (s *Service) checkJoin(ctx context.Context, tx *store.Tx, l Link, in Account) error {
	if l.Kind == Invite {
		if err := l.requireEmail(in.Email); err != nil {
			return err
		}
	}
	if l.Kind == Setup {
		if err := lockFirstAdmin(ctx, tx); err != nil {
			return err
		}
		if some, err := hasAdmins(ctx, tx); err != nil || some {
			return cmp.Or(err, errLink())
		}
	}
	if _, err := findAdminByEmail(ctx, tx, in.Email); !store.NoRows(err) {
		if err != nil {
			return err
		}
		return laurel.Errorf(laurel.Refused, "An account with this e-mail address already exists: sign in, then open the link again")
	}
	return nil
}

// requireEmail refuses every address but the one that an invitation names. Invitations of earlier versions may name
// none: who has such a link could take any address, so it opens nothing.
func (in Link) requireEmail(email string) error {
	switch in.Email {
	case email:
		return nil
	case "":
		return laurel.Errorf(laurel.Refused, "This invitation has no e-mail address. Ask for a new invitation")
	}
	return laurel.Errorf(laurel.Refused, "This invitation is for another e-mail address")
}

// Accept takes an invitation for an admin who is signed in. Errors: Refused.
func (s *Service) Accept(ctx context.Context, token string, admin Admin) error {
	return s.DB.InTx(ctx, func(tx *store.Tx) error {
		l, err := useLink(ctx, tx, token, Invite)
		if err != nil {
			return err
		}
		if err := l.requireEmail(admin.Email); err != nil {
			return err
		}
		return s.grantByLink(ctx, tx, admin.ID, l)
	})
}

// ResetPassword sets a new password by a link of kind Recover, removes the second factor and ends every session.
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
	hash, err := s.hash(ctx, password)
	if err != nil {
		return Admin{}, err
	}
	var row adminRow
	err = s.DB.InTx(ctx, func(tx *store.Tx) error {
		l, err := useLink(ctx, tx, token, Recover)
		if err != nil {
			return err
		}
		if row, err = lockAdmin(ctx, tx, l.AdminID); err != nil {
			return err
		}
		row.PasswordHash, row.TOTPSecret, row.UpdatedAt = hash, nil, store.Micros(tx.Now())
		if err := replaceCodes(ctx, tx, row.ID, nil); err != nil {
			return err
		}
		if err := endSessions(ctx, tx, &row, laurel.ID{}); err != nil {
			return err
		}
		return updateAdmin(ctx, tx, row)
	})
	return row.admin(), err
}

// SignInByLink returns whom a link of kind Enter signs in. Errors: Refused.
func (s *Service) SignInByLink(ctx context.Context, token string) (Admin, error) {
	var row adminRow
	err := s.DB.InTx(ctx, func(tx *store.Tx) error {
		l, err := useLink(ctx, tx, token, Enter)
		if err != nil {
			return err
		}
		row, err = findAdmin(ctx, tx, l.AdminID)
		return err
	})
	return row.admin(), err
}
