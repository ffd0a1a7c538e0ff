package identity

import (
	"context"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/evm"
)

// IsAddress reports whether a wallet has the form of a blockchain address, which is public, and is no other identifier
// such as a customer number or a mail address (contract 1.2).
func IsAddress(wallet string) bool { return evm.IsAddress(wallet) }

// Viewer is the reader of members' records; it decides which identifiers a response shows.
type Viewer struct {
	isClientKey bool
	user        laurel.ID // the user of its member token; zero without one
}

// Viewer returns the viewer for the scope's key and a member token, which is "" for none. Only with a client key is the
// token read. An invalid token is treated like none, as in CheckToken.
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

// User returns the user of the viewer's token, or zero without a token.
func (v Viewer) User() laurel.ID { return v.user }

// Wallet returns the wallet of a user as the viewer may see it: client keys get nil for other users' wallets that are
// no blockchain addresses, such as customer numbers.
func (v Viewer) Wallet(user laurel.ID, wallet *string) *string {
	if wallet == nil || !v.isClientKey || user == v.user || IsAddress(*wallet) {
		return wallet
	}
	return nil
}
