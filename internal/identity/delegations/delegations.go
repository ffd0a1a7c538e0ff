// Package delegations owns the delegations of cold wallets to users (contract 8.5): what a cold wallet holds counts for
// the user to whom it has delegated. Its table is wallet_delegations. It reads no blockchain and checks no signatures.
package delegations

import (
	"cmp"
	"context"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/evm"
	"laurel.example/laurel/internal/identity"
	"laurel.example/laurel/internal/store"
)

// Delegation is a cold wallet that has delegated to a user of a website: a row of wallet_delegations.
type Delegation struct {
	ID             laurel.ID        `db:"id" json:"id"`
	OrganizationID laurel.ID        `db:"organization_id" json:"organizationId"`
	WebsiteID      laurel.ID        `db:"website_id" json:"websiteId"`
	Delegator      string           `db:"delegator_wallet_address" json:"delegatorWalletAddress"`
	Key            string           `db:"delegator_key" json:"-"` // what all spellings of its address have in common
	UserID         laurel.ID        `db:"user_id" json:"userId"`
	CreatedAt      laurel.Timestamp `db:"created_at" json:"createdAt"`
}

// MaxPerUser is how many cold wallets may delegate to one user of a website.
const MaxPerUser = 100

// Service creates, reads and deletes delegations.
type Service struct {
	db    *store.DB
	users *identity.Service
}

// New returns a service on the database.
func New(db *store.DB, users *identity.Service) *Service { return &Service{db: db, users: users} }

// Input is a delegation as a caller sends it.
type Input struct {
	Delegator string // in stored form
	User      identity.Ref
	Nonce     identity.Nonce // of the cold wallet's signature; nil: it has not signed
}

// Delegate stores that a cold wallet has delegated to a user, in place of the user to whom it had before. The caller
// has checked the signature. A delegation that is stored already is returned as it is. Errors: NotFound "User";
// Refused "Wallets cannot delegate to themselves" or if the user has MaxPerUser already, and those of the nonce.
func (s *Service) Delegate(ctx context.Context, scope laurel.Scope, in Input) (d Delegation, err error) {
	err = s.db.Write(ctx, scope.Request, func(tx *store.Tx) error {
		if in.Nonce != nil {
			if err := in.Nonce.Use(ctx, tx, scope); err != nil {
				return err
			}
		}
		users, err := s.users.Enroll(ctx, tx, scope, []identity.Ref{in.User})
		if err != nil {
			return err
		}
		wallets, err := s.users.Wallets(ctx, tx, scope, users)
		if err != nil {
			return err
		}
		key := keyOf(in.Delegator)
		if keyOf(wallets[users[0]]) == key {
			return laurel.Errorf(laurel.Refused, "Wallets cannot delegate to themselves")
		}
		d = Delegation{
			ID: tx.NewID(), OrganizationID: scope.OrganizationID, WebsiteID: scope.WebsiteID, Delegator: in.Delegator,
			Key: key, UserID: users[0], CreatedAt: laurel.Timestamp{Time: tx.Now()},
		}
		if err := replace(ctx, tx, &d); err != nil {
			return err
		}
		n, err := countOf(ctx, tx, scope, d.UserID)
		if err == nil && n > MaxPerUser {
			err = laurel.Errorf(laurel.Refused, "User has %d delegations already", MaxPerUser)
		}
		return err
	})
	return d, err
}

// keyOf returns what all spellings of an address have in common; the address itself if it has only one.
func keyOf(address string) string { return cmp.Or(evm.KeyOf(address), address) }

// Delete removes a delegation. Errors: NotFound "Delegation".
func (s *Service) Delete(ctx context.Context, scope laurel.Scope, id laurel.ID) (d Delegation, err error) {
	err = s.db.Write(ctx, scope.Request, func(tx *store.Tx) error {
		if d, err = table.Get(ctx, tx, byID(scope, id), tx.ForUpdate()); err != nil {
			return err
		}
		return remove(ctx, tx, d.ID)
	})
	return d, err
}

// Get returns a delegation. Errors: NotFound "Delegation".
func (s *Service) Get(ctx context.Context, scope laurel.Scope, id laurel.ID) (Delegation, error) {
	return table.Get(ctx, s.db, byID(scope, id), "")
}

// Filter limits a list of delegations. All conditions that are set must hold.
type Filter struct {
	Users      []laurel.ID
	Delegators []string // in stored form
}

// List returns delegations, newest first. Errors: Invalid for an unknown cursor.
func (s *Service) List(
	ctx context.Context, scope laurel.Scope, f Filter, page laurel.PageRequest,
) (laurel.Page[Delegation], error) {
	w := store.OfTenant(scope)
	store.In(w, "user_id", f.Users)
	store.In(w, "delegator_wallet_address", f.Delegators)
	return table.Page(ctx, s.db, store.List{
		Where: w, Cursors: store.OfTenant(scope), Order: []string{"created_at", "id"}, Newest: true,
	}, page)
}

// DelegatorsOf returns the cold wallets that have delegated to users in the scope, by user, oldest first. Users without
// any are left out.
func (s *Service) DelegatorsOf(
	ctx context.Context, scope laurel.Scope, users []laurel.ID,
) (map[laurel.ID][]string, error) {
	out := map[laurel.ID][]string{}
	err := eachDelegation(ctx, s.db, scope, users, func(d Delegation) {
		out[d.UserID] = append(out[d.UserID], d.Delegator)
	})
	return out, err
}

// DelegatesOf returns the user to whom each wallet has delegated in the scope. Its keys are the wallets as the caller
// spelled them; wallets that have not delegated are left out.
func (s *Service) DelegatesOf(
	ctx context.Context, scope laurel.Scope, wallets []string,
) (map[string]laurel.ID, error) {
	keys := make([]string, len(wallets))
	for i, w := range wallets {
		keys[i] = keyOf(w)
	}
	users := map[string]laurel.ID{}
	if err := eachByKey(ctx, s.db, scope, keys, func(d Delegation) { users[d.Key] = d.UserID }); err != nil {
		return nil, err
	}
	out := map[string]laurel.ID{}
	for i, w := range wallets {
		if user, ok := users[keys[i]]; ok {
			out[w] = user
		}
	}
	return out, nil
}
