package admins

import (
	"context"
	"slices"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/store"
	"laurel.example/laurel/internal/tenancy"
)

// Membership is the roles of an admin in an organization.
type Membership struct {
	AdminID        laurel.ID
	OrganizationID laurel.ID
	UserID         laurel.ID   // the user that the admin acts as there
	Role           laurel.Role // on every website; empty: see Websites
	Websites       map[laurel.ID][]laurel.Role
}

// RoleOn returns the admin's strongest role on a website; empty if there is none.
func (m Membership) RoleOn(website laurel.ID) laurel.Role {
	return strongestRole(append(slices.Clone(m.Websites[website]), m.Role)...)
}

// strongestRole returns the role with the most rights; empty for none.
func strongestRole(roles ...laurel.Role) laurel.Role {
	for _, role := range rolesByStrength {
		if slices.Contains(roles, role) {
			return role
		}
	}
	return ""
}

// rolesByStrength are the roles of people, the one with the most rights first.
var rolesByStrength = []laurel.Role{
	tenancy.RoleSuperAdmin, tenancy.RoleAdmin, tenancy.RoleDeveloper, tenancy.RoleModerator, tenancy.RoleViewer,
}

// Scope returns the scope in which an admin acts on a website: as the admin's user, with the reach of a secret key.
// The caller must refuse what the role does not allow.
func (m Membership) Scope(website laurel.ID) laurel.Scope {
	role := laurel.RoleWebsite
	if m.Role == tenancy.RoleSuperAdmin {
		role = laurel.RoleOrganization
	}
	return laurel.Scope{OrganizationID: m.OrganizationID, WebsiteID: website, ActorID: m.UserID, Role: role}
}

// Memberships returns the organizations in which an admin has a role, oldest first.
func (s *Service) Memberships(ctx context.Context, admin laurel.ID) ([]Membership, error) {
	rows, err := selectMembers(ctx, s.DB, admin, laurel.ID{})
	if err != nil {
		return nil, err
	}
	return s.memberships(ctx, rows)
}

// Members returns the memberships in an organization, oldest first.
func (s *Service) Members(ctx context.Context, organization laurel.ID) ([]Membership, error) {
	rows, err := selectMembers(ctx, s.DB, laurel.ID{}, organization)
	if err != nil {
		return nil, err
	}
	return s.memberships(ctx, rows)
}

// memberships returns the memberships of the rows with their roles on single websites. Rows without any role are left
// out.
func (s *Service) memberships(ctx context.Context, rows []memberRow) ([]Membership, error) {
	out := make([]Membership, 0, len(rows))
	for _, r := range rows {
		m := Membership{
			AdminID: r.AdminID, OrganizationID: r.OrganizationID, UserID: r.UserID, Websites: map[laurel.ID][]laurel.Role{},
		}
		if r.Role != nil {
			m.Role = laurel.Role(*r.Role)
		}
		roles, err := s.Tenancy.RolesOfUser(ctx, laurel.Scope{OrganizationID: r.OrganizationID}, r.UserID)
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

// grantByLink grants an admin the role of an invitation: on its website, or on every website of the organization. An
// admin who has a stronger role on every website keeps that. Errors: Refused if the creator of the link no longer owns
// the organization.
func (s *Service) grantByLink(ctx context.Context, tx *store.Tx, admin laurel.ID, l Link) error {
	if err := checkCreatorOwns(ctx, tx, l); err != nil {
		return err
	}
	user, err := s.findOrCreateMember(ctx, tx, admin, l.OrganizationID)
	if err != nil {
		return err
	}
	if !l.WebsiteID.IsZero() {
		scope := laurel.Scope{OrganizationID: l.OrganizationID, WebsiteID: l.WebsiteID}
		return s.Tenancy.GrantRole(ctx, tx, scope, user, l.Role)
	}
	rows, err := selectMembers(ctx, tx, admin, l.OrganizationID)
	if err != nil || len(rows) == 0 {
		return err
	}
	role := l.Role
	if current := rows[0].Role; current != nil {
		role = strongestRole(role, laurel.Role(*current))
	}
	return setRole(ctx, tx, admin, l.OrganizationID, nullIfEmpty(string(role)))
}

// checkCreatorOwns returns Refused if the link was created by an admin who is no longer an owner of the organization.
// Links of the command line have no creator.
func checkCreatorOwns(ctx context.Context, tx *store.Tx, l Link) error {
	if l.CreatedByID.IsZero() {
		return nil
	}
	rows, err := selectMembers(ctx, tx, l.CreatedByID, l.OrganizationID)
	if err != nil {
		return err
	}
	if len(rows) == 0 || rows[0].Role == nil || laurel.Role(*rows[0].Role) != tenancy.RoleSuperAdmin {
		return errLink()
	}
	return nil
}

// findOrCreateMember returns the user that an admin acts as in an organization, and creates the membership if there is
// none.
func (s *Service) findOrCreateMember(
	ctx context.Context, tx *store.Tx, admin, organization laurel.ID,
) (laurel.ID, error) {
	rows, err := selectMembers(ctx, tx, admin, organization)
	if err != nil || len(rows) > 0 {
		return firstUser(rows), err
	}
	user, err := s.Users.CreateServiceUser(ctx, tx, organization)
	if err != nil {
		return user, err
	}
	_, err = memberTable.Insert(ctx, tx, &memberRow{
		AdminID: admin, OrganizationID: organization, UserID: user, CreatedAt: store.Micros(tx.Now()),
	}, "")
	return user, err
}

func firstUser(rows []memberRow) laurel.ID {
	if len(rows) == 0 {
		return laurel.ID{}
	}
	return rows[0].UserID
}

// errLastOwner refuses a change that would leave an organization without an owner.
func errLastOwner() error {
	return laurel.Errorf(laurel.Refused, "An organization needs an owner: make another person an owner first")
}

// MakeOwner makes an admin an owner of an organization, such as one that the admin has just created.
func (s *Service) MakeOwner(ctx context.Context, admin, organization laurel.ID) error {
	return s.SetRole(ctx, admin, laurel.Scope{OrganizationID: organization}, tenancy.RoleSuperAdmin)
}

// makeOwnerOfAll makes the first admin an owner of all organizations that exist, which the command line has created.
func (s *Service) makeOwnerOfAll(ctx context.Context, tx *store.Tx, admin laurel.ID) error {
	organizations, err := s.Tenancy.OrganizationIDs(ctx, tx)
	if err != nil {
		return err
	}
	role := string(tenancy.RoleSuperAdmin)
	for _, organization := range organizations {
		if _, err := s.findOrCreateMember(ctx, tx, admin, organization); err != nil {
			return err
		}
		if err := setRole(ctx, tx, admin, organization, &role); err != nil {
			return err
		}
	}
	return nil
}

// SetRole makes role an admin's only role on the scope's website; the admin loses a role that holds on all websites of
// the organization. If the scope has no website, role holds on all of them and replaces the roles on single websites.
// Unless the admin is then an owner, the unused invitations that the admin created are deleted. Errors: Invalid;
// Refused if the organization would be left without an owner.
func (s *Service) SetRole(ctx context.Context, admin laurel.ID, scope laurel.Scope, role laurel.Role) error {
	if !tenancy.IsAdminRole(role) {
		var f laurel.Faults
		f.Add("roleType", "must be a role of people")
		return f.Err()
	}
	return s.DB.InTx(ctx, func(tx *store.Tx) error {
		user, err := s.findOrCreateMember(ctx, tx, admin, scope.OrganizationID)
		if err != nil {
			return err
		}
		return s.replaceRoles(ctx, tx, memberRow{AdminID: admin, UserID: user}, scope, role)
	})
}

// RemoveMember revokes every role of an admin in an organization; it does nothing if the admin has none. Errors: those
// of SetRole.
func (s *Service) RemoveMember(ctx context.Context, admin, organization laurel.ID) error {
	return s.DB.InTx(ctx, func(tx *store.Tx) error {
		rows, err := selectMembers(ctx, tx, admin, organization)
		if err != nil || len(rows) == 0 {
			return err
		}
		return s.replaceRoles(ctx, tx, rows[0], laurel.Scope{OrganizationID: organization}, "")
	})
}

// replaceRoles sets the role of an existing member as SetRole does. With an empty role it only revokes the roles that
// SetRole would replace.
func (s *Service) replaceRoles(
	ctx context.Context,
	tx *store.Tx,
	m memberRow,
	scope laurel.Scope,
	role laurel.Role,
) error {
	organizationRole, websiteRole := role, laurel.Role("")
	if !scope.WebsiteID.IsZero() {
		organizationRole, websiteRole = "", role
	}
	err := requireOwnerAfter(ctx, tx, scope.OrganizationID, func() error {
		return setRole(ctx, tx, m.AdminID, scope.OrganizationID, nullIfEmpty(string(organizationRole)))
	})
	if err != nil {
		return err
	}
	if err := s.Tenancy.RevokeRoles(ctx, tx, scope, m.UserID); err != nil {
		return err
	}
	if websiteRole != "" {
		if err := s.Tenancy.GrantRole(ctx, tx, scope, m.UserID, websiteRole); err != nil {
			return err
		}
	}
	if organizationRole == tenancy.RoleSuperAdmin {
		return nil
	}
	return deleteInvitations(ctx, tx, scope.OrganizationID, m.AdminID)
}

// requireOwnerAfter makes a change and then refuses it, with an error that rolls it back, if an organization that had
// an owner has none any more.
func requireOwnerAfter(ctx context.Context, tx *store.Tx, organization laurel.ID, change func() error) error {
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
