// Package contracts owns the blockchain contracts that websites have registered (contract 3.23). It calls no
// blockchain. It does not know which records use a contract: it asks their packages before one is deleted.
package contracts

import (
	"context"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/store"
)

// Contract is a registered contract: a row of contracts, and what the API returns.
type Contract struct {
	ID             laurel.ID            `db:"id" json:"id"`
	OrganizationID laurel.ID            `db:"organization_id" json:"organizationId"`
	WebsiteID      laurel.ID            `db:"website_id" json:"websiteId"`
	Name           *string              `db:"name" json:"name" in:"required min=1 max=40"`
	Address        string               `db:"address" json:"address" update:"no" in:"create required notblank account"`
	ChainID        *int64               `db:"chain_id" json:"chainId" update:"no" in:"create required nullable min=1 max=9007199254740991"`
	Type           string               `db:"type" json:"type" in:"required contracttype"`
	ABI            laurel.RawJSON       `db:"abi" json:"abi" in:"abi" hint:"A JSON array, or the text of one"` // nil: none, or not read
	IconURL        *string              `db:"icon_url" json:"iconUrl,omitempty" in:"fileurl"`
	CreatedAt      laurel.Timestamp     `db:"created_at" json:"createdAt"`
	UpdatedAt      laurel.Timestamp     `db:"updated_at" json:"updatedAt"`
	DeletedAt      laurel.NullTimestamp `db:"deleted_at" json:"deletedAt,omitzero"`
}

// IsUsed reports whether a live record uses a contract, which then cannot be deleted.
type IsUsed func(ctx context.Context, q store.Queryer, scope laurel.Scope, contract laurel.ID) (bool, error)

// Service implements the operations on contracts.
type Service struct {
	db     *store.DB
	checks []IsUsed
}

// New makes the service. A contract cannot be deleted while one of the checks reports that it is used.
func New(db *store.DB, checks ...IsUsed) *Service { return &Service{db: db, checks: checks} }

// Create registers a contract in the scope's website. Errors: Invalid; Refused "Contract already exists".
func (s *Service) Create(ctx context.Context, scope laurel.Scope, in Patch) (Contract, error) {
	c := Contract{OrganizationID: scope.OrganizationID, WebsiteID: scope.WebsiteID}
	if err := in.Create(&c).Err(); err != nil {
		return Contract{}, err
	}
	err := s.db.Write(ctx, scope.Request, func(tx *store.Tx) error {
		c.ID, c.CreatedAt.Time, c.UpdatedAt.Time = tx.NewID(), tx.Now(), tx.Now()
		inserted, err := table.Insert(ctx, tx, &c, onConflict)
		if err == nil && !inserted {
			err = laurel.Errorf(laurel.Refused, "Contract already exists")
		}
		return err
	})
	return c, err
}

// Update changes the properties that are in the input, except address and chain. Errors: NotFound "Contract", Invalid.
func (s *Service) Update(ctx context.Context, scope laurel.Scope, id laurel.ID, in Patch) (Contract, error) {
	return table.EditLive(ctx, s.db, scope, id, func(_ *store.Tx, c *Contract) error { return in.Update(c).Err() })
}

// Delete deletes a contract. Errors: NotFound "Contract"; Refused "Contract is used by a rule" while a live record uses
// it.
func (s *Service) Delete(ctx context.Context, scope laurel.Scope, id laurel.ID) (Contract, error) {
	return table.EditLive(ctx, s.db, scope, id, func(tx *store.Tx, c *Contract) error {
		for _, isUsed := range s.checks {
			if used, err := isUsed(ctx, tx, scope.At(c.WebsiteID), c.ID); err != nil || used {
				return errOrRefused(err, "Contract is used by a rule")
			}
		}
		c.DeletedAt.Time = tx.Now()
		return nil
	})
}

// errOrRefused returns err, or else a Refused error with the message.
func errOrRefused(err error, message string) error {
	if err != nil {
		return err
	}
	return laurel.Errorf(laurel.Refused, "%s", message)
}

// Get returns a live contract. Errors: NotFound "Contract".
func (s *Service) Get(ctx context.Context, scope laurel.Scope, id laurel.ID) (Contract, error) {
	return table.Get(ctx, s.db, store.LiveByID(scope, id), "")
}

// Filter narrows a list of contracts.
type Filter struct {
	ID         laurel.ID // zero: any
	Search     string    // a part of name or address, in any case; empty: any
	WithoutABI bool
}

// List returns a page of live contracts, newest first. Errors: Invalid for an unknown cursor or a search text that is
// too long.
func (s *Service) List(
	ctx context.Context, scope laurel.Scope, filter Filter, page laurel.PageRequest,
) (laurel.Page[Contract], error) {
	var f laurel.Faults
	f.Text("search", filter.Search, 0, maxSearch)
	if err := f.Err(); err != nil {
		return laurel.Page[Contract]{}, err
	}
	return list(ctx, s.db, scope, filter, page)
}
