package tenancy

import (
	"context"

	"laurel"
	"laurel/internal/store"
)

const selectRole = `SELECT r.id, r.organization_id, r.website_id, r.user_id, r.role_type, r.created_at, r.updated_at,
	r.deleted_at FROM website_user_roles r`

type roleRow struct {
	ID             laurel.ID   `db:"id"`
	OrganizationID laurel.ID   `db:"organization_id"`
	WebsiteID      laurel.ID   `db:"website_id"`
	UserID         laurel.ID   `db:"user_id"`
	Role           laurel.Role `db:"role_type"`
	CreatedAt      int64       `db:"created_at"`
	UpdatedAt      int64       `db:"updated_at"`
	DeletedAt      *int64      `db:"deleted_at"`
}

func (r roleRow) role() UserRole {
	return UserRole{
		ID: r.ID, OrganizationID: r.OrganizationID, WebsiteID: r.WebsiteID, UserID: r.UserID, Role: r.Role,
		CreatedAt: store.Time(r.CreatedAt), UpdatedAt: store.Time(r.UpdatedAt), DeletedAt: nullTime(r.DeletedAt),
	}
}

// insertRole grants a user a role on the scope's website, unless the user has it already.
func insertRole(ctx context.Context, tx *store.Tx, scope laurel.Scope, user laurel.ID, role laurel.Role) error {
	now := store.Micros(tx.Now())
	_, err := tx.Exec(
		ctx,
		`INSERT INTO website_user_roles (id, organization_id, website_id, user_id, role_type, created_at, updated_at)
		VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
		tx.NewID(),
		scope.OrganizationID,
		scope.WebsiteID,
		user,
		string(role),
		now,
		now,
	)
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

// newestRole reads the role of a user with the time at which it was revoked, if it was: the live one, or else the one
// that was revoked last. It returns sql.ErrNoRows if the user never had the role.
func newestRole(
	ctx context.Context,
	tx *store.Tx,
	scope laurel.Scope,
	user laurel.ID,
	role laurel.Role,
) (roleRow, error) {
	var row roleRow
	err := tx.Get(
		ctx,
		&row,
		selectRole+` WHERE r.website_id = ? AND r.user_id = ? AND r.role_type = ?
		ORDER BY CASE WHEN r.deleted_at IS NULL THEN 0 ELSE 1 END, r.deleted_at DESC, r.id DESC LIMIT 1`,
		scope.WebsiteID,
		user,
		string(role),
	)
	return row, err
}

// selectRoles reads a page of the live roles on the scope's websites, newest first. Errors: Invalid for an unknown
// cursor.
func selectRoles(
	ctx context.Context,
	q store.Queryer,
	scope laurel.Scope,
	filter RoleFilter,
	page laurel.PageRequest,
) (laurel.Page[roleRow], error) {
	w := &store.Where{}
	w.Tenant("r.", scope)
	w.Add("r.deleted_at IS NULL")
	if !filter.UserID.IsZero() {
		w.Add("r.user_id = ?", filter.UserID)
	}
	if !page.StartingAfter.IsZero() {
		var cursor roleRow
		where := &store.Where{}
		where.Tenant("r.", scope)
		where.Add("r.id = ?", page.StartingAfter)
		err := q.Get(ctx, &cursor, selectRole+where.String(), where.Args...)
		if store.IsNoRows(err) {
			return laurel.Page[roleRow]{}, laurel.ErrCursor()
		}
		if err != nil {
			return laurel.Page[roleRow]{}, err
		}
		w.After("r.created_at", "r.id", true /* descending */, cursor.CreatedAt, cursor.ID)
	}
	return store.SelectPage[roleRow](
		ctx,
		q,
		page.Limit,
		selectRole+w.String()+" ORDER BY r.created_at DESC, r.id DESC",
		w.Args...)
}

// selectRolesOfUser reads the live roles of a user on all websites of an organization, oldest first.
func selectRolesOfUser(ctx context.Context, q store.Queryer, organization, user laurel.ID) ([]roleRow, error) {
	var rows []roleRow
	err := q.Select(
		ctx,
		&rows,
		selectRole+" WHERE organization_id = ? AND user_id = ? AND deleted_at IS NULL ORDER BY created_at, id",
		organization,
		user,
	)
	return rows, err
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
