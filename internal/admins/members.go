package admins

import (
	"context"
	"slices"

	"laurel"
	"laurel/internal/store"
	"laurel/internal/tenancy"
)

// Membership is what an admin may do in an organization.
type Membership struct {
	AdminID        laurel.ID
	OrganizationID laurel.ID
	UserID         laurel.ID   // the user that the admin acts as there
	Role           laurel.Role // on every website; empty: only on some
	Websites       map[laurel.ID][]laurel.Role
}

// At returns the admin's role on a website, the one that may do most; empty where the admin has none.
func (m Membership) At(website laurel.ID) laurel.Role {
	held := append(slices.Clone(m.Websites[website]), m.Role)
	for _, role := range ranked {
		if slices.Contains(held, role) {
			return role
		}
	}
	return ""
}

// ranked are the roles of people, the one that may do most first.
var ranked = []laurel.Role{
	tenancy.RoleSuperAdmin, tenancy.RoleAdmin, tenancy.RoleDeveloper, tenancy.RoleModerator, tenancy.RoleViewer,
}

// Scope returns for whom an admin acts on a website: as the admin's user, with the reach of a secret key. What the role
// does not allow must be refused before.
func (m Membership) Scope(website laurel.ID) laurel.Scope {
	role := laurel.RoleWebsite
	if m.Role == tenancy.RoleSuperAdmin {
		role = laurel.RoleOrganization
	}
	return laurel.Scope{OrganizationID: m.OrganizationID, WebsiteID: website, ActorID: m.UserID, Role: role}
}

// Memberships returns the organizations in which an admin has a role, oldest first.
func (s *Service) Memberships(ctx context.Context, admin laurel.ID) ([]Membership, error) {
	rows, err := membersOf(ctx, s.DB, admin, laurel.ID{})
	if err != nil {
		return nil, err
	}
	return s.memberships(ctx, rows)
}

// Members returns who has a role in an organization, oldest first.
func (s *Service) Members(ctx context.Context, organization laurel.ID) ([]Membership, error) {
	rows, err := membersOf(ctx, s.DB, laurel.ID{}, organization)
	if err != nil {
		return nil, err
	}
	return s.memberships(ctx, rows)
}

func (s *Service) memberships(ctx context.Context, rows []memberRow) ([]Membership, error) {
	out := make([]Membership, 0, len(rows))
	for _, r := range rows {
		m := Membership{
			AdminID: r.AdminID, OrganizationID: r.OrganizationID, UserID: r.UserID, Websites: map[laurel.ID][]laurel.Role{},
		}
		if r.Role != nil {
			m.Role = laurel.Role(*r.Role)
		}
		roles, err := s.Tenancy.RolesOf(ctx, laurel.Scope{OrganizationID: r.OrganizationID}, r.UserID)
		if err != nil {
			return nil, err
		}
		for _, role := range roles {
			m.Websites[role.WebsiteID] = append(m.Websites[role.WebsiteID], role.Role)
		}
		if m.Role != "" || len(m.Websites) > 0 {
			out = append(out, m)
		}
	}
	return out, nil
}

// grant gives an admin the role that a link is of.
func (s *Service) grant(ctx context.Context, tx *store.Tx, admin laurel.ID, l Link) error {
	user, err := s.member(ctx, tx, admin, l.OrganizationID)
	if err != nil {
		return err
	}
	if l.WebsiteID.IsZero() {
		return setRole(ctx, tx, admin, l.OrganizationID, orNull(string(l.Role)))
	}
	scope := laurel.Scope{OrganizationID: l.OrganizationID, WebsiteID: l.WebsiteID}
	return s.Tenancy.GrantRole(ctx, tx, scope, user, l.Role)
}

// member returns the user that an admin acts as in an organization, and makes it with the first role there.
func (s *Service) member(ctx context.Context, tx *store.Tx, admin, organization laurel.ID) (laurel.ID, error) {
	rows, err := membersOf(ctx, tx, admin, organization)
	if err != nil || len(rows) > 0 {
		return firstUser(rows), err
	}
	user, err := s.Users.ServiceUser(ctx, tx, organization)
	if err != nil {
		return user, err
	}
	return user, insertMember(ctx, tx, memberRow{
		AdminID: admin, OrganizationID: organization, UserID: user, CreatedAt: store.Micros(tx.Now()),
	})
}

func firstUser(rows []memberRow) laurel.ID {
	if len(rows) == 0 {
		return laurel.ID{}
	}
	return rows[0].UserID
}

// errLastOwner keeps an organization from being locked out of its own settings.
func errLastOwner() error {
	return laurel.Errorf(laurel.Refused, "An organization needs an owner: give somebody else that role first")
}

// Own makes an admin the owner of an organization, such as one that the admin has just made.
func (s *Service) Own(ctx context.Context, admin, organization laurel.ID) error {
	return s.SetRole(ctx, admin, organization, tenancy.RoleSuperAdmin)
}

// ownAll makes the first admin the owner of the organizations that the command line has made.
func (s *Service) ownAll(ctx context.Context, tx *store.Tx, admin laurel.ID) error {
	organizations, err := s.Tenancy.Organizations(ctx, tx)
	if err != nil {
		return err
	}
	role := string(tenancy.RoleSuperAdmin)
	for _, organization := range organizations {
		if _, err := s.member(ctx, tx, admin, organization); err != nil {
			return err
		}
		if err := setRole(ctx, tx, admin, organization, &role); err != nil {
			return err
		}
	}
	return nil
}

// SetRole gives an admin a role on every website of an organization, or with an empty role takes it. Errors: Invalid;
// Refused where that would leave the organization without an owner.
func (s *Service) SetRole(ctx context.Context, admin, organization laurel.ID, role laurel.Role) error {
	if role != "" && !tenancy.IsRoleOfPeople(role) {
		var f laurel.Faults
		f.Add("roleType", "must be a role of people")
		return f.Err()
	}
	return s.DB.InTx(ctx, func(tx *store.Tx) error {
		if _, err := s.member(ctx, tx, admin, organization); err != nil {
			return err
		}
		return keepingOwner(ctx, tx, organization, func() error {
			return setRole(ctx, tx, admin, organization, orNull(string(role)))
		})
	})
}

// Leave takes every role of an admin in an organization. Errors: as SetRole.
func (s *Service) Leave(ctx context.Context, admin, organization laurel.ID) error {
	return s.DB.InTx(ctx, func(tx *store.Tx) error {
		rows, err := membersOf(ctx, tx, admin, organization)
		if err != nil || len(rows) == 0 {
			return err
		}
		return keepingOwner(ctx, tx, organization, func() error {
			if err := setRole(ctx, tx, admin, organization, nil); err != nil {
				return err
			}
			return s.Tenancy.RevokeRoles(ctx, tx, laurel.Scope{OrganizationID: organization}, rows[0].UserID)
		})
	})
}

// keepingOwner makes a change, and refuses it where an organization that had an owner has none afterwards.
func keepingOwner(ctx context.Context, tx *store.Tx, organization laurel.ID, change func() error) error {
	before, err := countOwners(ctx, tx, organization)
	if err != nil {
		return err
	}
	if err := change(); err != nil {
		return err
	}
	after, err := countOwners(ctx, tx, organization)
	if err == nil && before > 0 && after == 0 {
		err = errLastOwner()
	}
	return err
}
