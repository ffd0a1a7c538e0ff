package tenancy

import (
	"context"
	"fmt"
	"slices"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/store"
)

// The roles that people have on a website (contract 2). What each may do is decided where people sign in.
const (
	RoleSuperAdmin laurel.Role = "WEBSITE_SUPER_ADMIN"
	RoleAdmin      laurel.Role = "WEBSITE_ADMIN"
	RoleModerator  laurel.Role = "WEBSITE_MODERATOR"
	RoleDeveloper  laurel.Role = "WEBSITE_DEVELOPER"
	RoleViewer     laurel.Role = "WEBSITE_VIEWER"
)

// userRoles are the roles that a user may have: those of people, and those of keys, which mark people who may hold
// such keys.
var userRoles = append([]laurel.Role{RoleSuperAdmin, RoleAdmin, RoleModerator, RoleDeveloper, RoleViewer}, roles...)

// UserRole is a role of a user on a website (contract 3.36): a row of website_user_roles.
type UserRole struct {
	ID             laurel.ID            `db:"id" json:"id"`
	OrganizationID laurel.ID            `db:"organization_id" json:"organizationId"`
	WebsiteID      laurel.ID            `db:"website_id" json:"websiteId"`
	UserID         laurel.ID            `db:"user_id" json:"userId"`
	Role           laurel.Role          `db:"role_type" json:"roleType"`
	CreatedAt      laurel.Timestamp     `db:"created_at" json:"createdAt"`
	UpdatedAt      laurel.Timestamp     `db:"updated_at" json:"updatedAt"`
	DeletedAt      laurel.NullTimestamp `db:"deleted_at" json:"deletedAt"`
}

// RoleChange grants a role to the user of a wallet, or revokes it.
type RoleChange struct {
	Role   laurel.Role
	Wallet string // in its normal form
	Revoke bool
}

// MaxRoleChanges bounds the changes of one call.
const MaxRoleChanges = 100

// validateRoles returns nil or an Invalid error that names every fault of the changes.
func validateRoles(changes []RoleChange) error {
	var f laurel.Faults
	if n := len(changes); n < 1 || n > MaxRoleChanges {
		f.Add("websiteUserRoles", "must have between 1 and %d items", MaxRoleChanges)
	}
	for i, c := range changes[:min(len(changes), MaxRoleChanges)] {
		path := fmt.Sprintf("websiteUserRoles.%d", i)
		switch {
		case c.Role == "":
			f.Add(path+".roleType", "is required")
		case !slices.Contains(userRoles, c.Role):
			f.Add(path+".roleType", "%s", mustBeOneOf(userRoles))
		}
		f.Identifier(path+".walletAddress", c.Wallet)
	}
	return f.Err()
}

// ChangeRoles grants and revokes roles on the scope's website, all or none, and returns the resulting roles in the
// order of the changes. A role that a user already has stays as it is; a wallet without a user gets one. Errors:
// Invalid; Forbidden if anything but an organization key changes ORGANIZATION_API_KEY; NotFound "Role" if a role is
// revoked that the user never had.
func (s *Service) ChangeRoles(ctx context.Context, scope laurel.Scope, changes []RoleChange) ([]UserRole, error) {
	if !scope.HasSecretKey() {
		return nil, errNotAllowed()
	}
	if err := validateRoles(changes); err != nil {
		return nil, err
	}
	for _, c := range changes {
		if c.Role == laurel.RoleOrganization && scope.Role != laurel.RoleOrganization {
			return nil, errNotAllowed()
		}
	}
	changed := make([]UserRole, len(changes))
	err := s.db.Write(ctx, scope.Request, func(tx *store.Tx) error {
		for i, c := range changes {
			var err error
			if changed[i], err = s.changeRole(ctx, tx, scope, c); err != nil {
				return err
			}
		}
		return nil
	})
	return changed, err
}

// changeRole grants or revokes one role and returns it as it is then. A wallet without a user gets one. Errors:
// NotFound "Role" if a role is revoked that the user never had.
func (s *Service) changeRole(ctx context.Context, tx *store.Tx, scope laurel.Scope, c RoleChange) (UserRole, error) {
	user, err := s.users.FindOrCreateWallet(ctx, tx, scope, c.Wallet)
	if err != nil {
		return UserRole{}, err
	}
	if c.Revoke {
		err = deleteRole(ctx, tx, scope, user, c.Role)
	} else {
		err = insertRole(ctx, tx, scope, user, c.Role)
	}
	if err != nil {
		return UserRole{}, err
	}
	changed, err := newestRole(ctx, tx, scope, user, c.Role)
	if store.IsNoRows(err) {
		return UserRole{}, laurel.Missing("Role")
	}
	return changed, err
}

// RoleFilter narrows a list of roles.
type RoleFilter struct {
	UserID laurel.ID // zero: of every user
}

// ListRoles returns a page of the roles on the scope's websites, newest first, without those that were revoked. Errors:
// Invalid for a cursor that is no role of the scope.
func (s *Service) ListRoles(
	ctx context.Context,
	scope laurel.Scope,
	filter RoleFilter,
	page laurel.PageRequest,
) (laurel.Page[UserRole], error) {
	return userRoleTable.Page(ctx, s.db, newest(liveRoles(scope, filter), store.OfTenant(scope)), page)
}

// IsAdminRole reports whether a role is one of people who administer a website, and not of API keys.
func IsAdminRole(role laurel.Role) bool {
	return slices.Contains(userRoles, role) && !slices.Contains(roles, role)
}

// RolesOfUser returns the roles of a user on the websites of the scope's organization, without revoked ones.
func (s *Service) RolesOfUser(ctx context.Context, scope laurel.Scope, user laurel.ID) ([]UserRole, error) {
	live := liveRoles(scope.At(laurel.ID{}), RoleFilter{UserID: user})
	return userRoleTable.Select(ctx, s.db, live, "created_at, id")
}

// GrantRole grants a user a role on the scope's website, in the caller's transaction. A role that the user has already
// stays as it is.
func (s *Service) GrantRole(
	ctx context.Context,
	tx *store.Tx,
	scope laurel.Scope,
	user laurel.ID,
	role laurel.Role,
) error {
	return insertRole(ctx, tx, scope, user, role)
}

// RevokeRoles revokes all roles of a user on the scope's website, or in the whole organization if the website is zero,
// in the caller's transaction.
func (s *Service) RevokeRoles(ctx context.Context, tx *store.Tx, scope laurel.Scope, user laurel.ID) error {
	return deleteRolesOfUser(ctx, tx, scope, user)
}
