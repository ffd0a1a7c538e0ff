package admins

import (
	"context"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/store"
	"laurel.example/laurel/internal/tenancy"
)

var memberTable = store.NewRecords[memberRow]("admin_members", "Member")

type memberRow struct {
	AdminID        laurel.ID `db:"admin_id"`
	OrganizationID laurel.ID `db:"organization_id"`
	UserID         laurel.ID `db:"user_id"`
	Role           *string   `db:"role_type"`
	CreatedAt      int64     `db:"created_at"`
}

// selectMembers reads memberships, oldest first. A zero admin stands for all admins, and a zero organization for all
// organizations.
func selectMembers(ctx context.Context, q store.Queryer, admin, organization laurel.ID) ([]memberRow, error) {
	var w store.Where
	if !admin.IsZero() {
		w.Add("admin_id = ?", admin)
	}
	if !organization.IsZero() {
		w.Add("organization_id = ?", organization)
	}
	return memberTable.Select(ctx, q, &w, "created_at, organization_id, admin_id")
}

// setRole writes the role that a member has on every website of the organization; nil for none.
func setRole(ctx context.Context, tx *store.Tx, admin, organization laurel.ID, role *string) error {
	_, err := tx.Exec(
		ctx,
		"UPDATE admin_members SET role_type = ? WHERE admin_id = ? AND organization_id = ?",
		role,
		admin,
		organization,
	)
	return err
}

// countOwners counts the owners of an organization and locks their rows, so that two owners cannot leave at once.
func countOwners(ctx context.Context, tx *store.Tx, organization laurel.ID) (int, error) {
	var owners []laurel.ID
	err := tx.Select(
		ctx,
		&owners,
		"SELECT admin_id FROM admin_members WHERE organization_id = ? AND role_type = ? ORDER BY admin_id"+tx.ForUpdate(),
		organization,
		string(tenancy.RoleSuperAdmin),
	)
	return len(owners), err
}
