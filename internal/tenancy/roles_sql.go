package tenancy

import (
	"context"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/store"
)

var userRoleTable = store.NewRecords[UserRole]("website_user_roles", "Role")

// insertRole grants a user a role on the scope's website, unless the user has it already.
func insertRole(ctx context.Context, tx *store.Tx, scope laurel.Scope, user laurel.ID, role laurel.Role) error {
	now := laurel.Timestamp{Time: tx.Now()}
	_, err := userRoleTable.Insert(ctx, tx, &UserRole{
		ID: tx.NewID(), OrganizationID: scope.OrganizationID, WebsiteID: scope.WebsiteID, UserID: user, Role: role,
		CreatedAt: now, UpdatedAt: now,
	}, store.IgnoreConflicts)
	return err
}

// deleteRole revokes a role, if the user has it.
func deleteRole(ctx context.Context, tx *store.Tx, scope laurel.Scope, user laurel.ID, role laurel.Role) error {
	now := store.Micros(tx.Now())
	_, err := tx.Exec(
		ctx,
		`UPDATE website_user_roles SET deleted_at = ?, updated_at = ?
		WHERE website_id = ? AND user_id = ? AND role_type = ? AND deleted_at IS NULL`,
		now,
		now,
		scope.WebsiteID,
		user,
		string(role),
	)
	return err
}

// liveRoles returns the condition for the live roles of the scope that the filter selects.
func liveRoles(scope laurel.Scope, filter RoleFilter) *store.Where {
	w := store.Live(scope)
	if !filter.UserID.IsZero() {
		w.Add("user_id = ?", filter.UserID)
	}
	return w
}

// newestRole reads the role of a user with the time at which it was revoked, if it was: the live one, or else the one
// that was revoked last. It returns sql.ErrNoRows if the user never had the role.
func newestRole(
	ctx context.Context,
	tx *store.Tx,
	scope laurel.Scope,
	user laurel.ID,
	role laurel.Role,
) (r UserRole, err error) {
	err = tx.Get(
		ctx,
		&r,
		userRoleTable.Query()+` WHERE website_id = ? AND user_id = ? AND role_type = ?
		ORDER BY CASE WHEN deleted_at IS NULL THEN 0 ELSE 1 END, deleted_at DESC, id DESC LIMIT 1`,
		scope.WebsiteID,
		user,
		string(role),
	)
	return r, err
}

// deleteRolesOfUser revokes all roles of a user on the scope's website or, if the scope has no website, in the whole
// organization.
func deleteRolesOfUser(ctx context.Context, tx *store.Tx, scope laurel.Scope, user laurel.ID) error {
	var w store.Where
	w.Add("organization_id = ?", scope.OrganizationID)
	w.Add("user_id = ?", user)
	if !scope.WebsiteID.IsZero() {
		w.Add("website_id = ?", scope.WebsiteID)
	}
	now := store.Micros(tx.Now())
	_, err := tx.Exec(
		ctx,
		"UPDATE website_user_roles SET deleted_at = ?, updated_at = ?"+w.String()+" AND deleted_at IS NULL",
		append([]any{now, now}, w.Args...)...,
	)
	return err
}
