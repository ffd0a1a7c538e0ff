package tenancy

import (
	"context"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/store"
)

// Organization is the owner of websites (contract 3.1): a row of organizations.
type Organization struct {
	ID        laurel.ID            `db:"id" json:"id"`
	Name      string               `db:"name" json:"name"`
	CreatedAt laurel.Timestamp     `db:"created_at" json:"createdAt"`
	UpdatedAt laurel.Timestamp     `db:"updated_at" json:"updatedAt"`
	DeletedAt laurel.NullTimestamp `db:"deleted_at" json:"deletedAt"`
}

// CreateOrganization creates an organization. It takes no scope because none exists yet: only the command line calls
// it, never a request. Errors: Invalid name (1 to 1000 characters).
func (s *Service) CreateOrganization(
	ctx context.Context,
	key *laurel.RequestKey,
	name string,
) (Organization, error) {
	var f laurel.Faults
	f.Text("name", name, 1, maxName)
	if err := f.Err(); err != nil {
		return Organization{}, err
	}
	var org Organization
	err := s.db.Write(ctx, key, func(tx *store.Tx) error {
		now := laurel.Timestamp{Time: tx.Now()}
		org = Organization{ID: tx.NewID(), Name: name, CreatedAt: now, UpdatedAt: now}
		_, err := organizations.Insert(ctx, tx, &org, "")
		return err
	})
	return org, err
}

// RenameOrganization changes the name of the scope's organization. Errors: NotFound, Invalid name, Forbidden unless the
// caller acts for the whole organization.
func (s *Service) RenameOrganization(ctx context.Context, scope laurel.Scope, name string) error {
	if scope.Role != laurel.RoleOrganization {
		return errNotAllowed()
	}
	var f laurel.Faults
	f.Text("name", name, 1, maxName)
	if err := f.Err(); err != nil {
		return err
	}
	return s.db.InTx(ctx, func(tx *store.Tx) error { return renameOrganization(ctx, tx, scope.OrganizationID, name) })
}

// GetOrganization returns the scope's organization. Errors: NotFound.
func (s *Service) GetOrganization(ctx context.Context, scope laurel.Scope) (Organization, error) {
	return organizations.Get(ctx, s.db, whereOrganization(scope.OrganizationID), "")
}

// ListOrganizations returns a page of the organizations that are not deleted, newest first. It takes no scope: only the
// command line calls it, never a request. Errors: Invalid for a cursor that is no organization.
func (s *Service) ListOrganizations(ctx context.Context, page laurel.PageRequest) (laurel.Page[Organization], error) {
	return listOrganizations(ctx, s.db, page)
}

// OrganizationIDs returns the ids of all organizations, for the setup of the server.
func (s *Service) OrganizationIDs(ctx context.Context, q store.Queryer) ([]laurel.ID, error) {
	return organizationIDs(ctx, q)
}
