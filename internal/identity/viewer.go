package identity

import (
	"context"

	"laurel"
	"laurel/internal/evm"
)

// IsAddress reports whether a wallet is an address of a blockchain by its form, which everybody may see, and no other
// identifier such as a customer number or a mail address (contract 1.2).
func IsAddress(wallet string) bool { return evm.IsAddress(wallet) }

// Viewer is who reads records of members: it tells which of their identifiers the answer shows.
type Viewer struct {
	isClientKey bool      // a client key reads
	user        laurel.ID // the user of its member token; zero without one
}

// Viewer returns the reader that a key and its member token make. A token that is not good counts as not presented, as
// with CheckToken.
func (s *Service) Viewer(ctx context.Context, scope laurel.Scope, bearer string) (Viewer, error) {
	v := Viewer{isClientKey: scope.Role == laurel.RoleClient}
	if !v.isClientKey || bearer == "" {
		return v, nil
	}
	user, err := s.CheckToken(ctx, scope, bearer)
	if laurel.CodeOf(err) == laurel.Forbidden {
		return v, nil
	}
	v.user = user
	return v, err
}

// User returns the user whose token the reader sent; zero without a token.
func (v Viewer) User() laurel.ID { return v.user }

// Wallet returns the wallet of a user as the reader may see it: nil for identifiers of others that are no addresses.
func (v Viewer) Wallet(user laurel.ID, wallet *string) *string {
	if wallet == nil || !v.isClientKey || user == v.user || IsAddress(*wallet) {
		return wallet
	}
	return nil
}
