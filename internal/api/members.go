package api

import (
	"context"
	"strings"

	"laurel"
	"laurel/internal/identity"
	"laurel/internal/report"
)

var errNameUser = laurel.Errorf(laurel.Invalid, "userId or walletAddress is required")

// speaks checks that a publishable key may act for the named user: it shows the user's member token (contract 1.2).
// Other keys speak for everyone.
func (a *API) speaks(ctx context.Context, scope laurel.Scope, ref identity.Ref) error {
	if scope.Role != laurel.RoleClient || Trusting(ctx) {
		return nil
	}
	member, err := MemberOf(ctx)
	if err != nil {
		return err
	}
	return a.cfg.Identity.Speaks(ctx, scope, member, ref)
}

// privateTo checks a read of private data: a publishable key names exactly one user and speaks for it.
func (a *API) privateTo(ctx context.Context, scope laurel.Scope, u Users) error {
	if scope.Role != laurel.RoleClient {
		return nil
	}
	var ref identity.Ref
	switch {
	case len(u.UserID.Values) == 1 && len(u.WalletAddress.Values) == 0:
		ref.UserID = u.UserID.Values[0]
	case len(u.WalletAddress.Values) == 1 && len(u.UserID.Values) == 0:
		ref.Wallet = identity.NormalizeWallet(u.WalletAddress.Values[0])
	default:
		return errNameUser
	}
	return a.speaks(ctx, scope, ref)
}

// mayAsk checks the filter of a list that everybody may read: through a publishable key it must not tell whose an
// identifier is that the list does not show. Wallets that are no addresses are named by their own member; with the
// other identifiers the read is a private one.
func (a *API) mayAsk(ctx context.Context, scope laurel.Scope, u Users, identifiers ...string) error {
	if scope.Role != laurel.RoleClient {
		return nil
	}
	if strings.Join(append(identifiers, u.UserGroupExternalIdentifier), "") != "" {
		return a.privateTo(ctx, scope, u)
	}
	for _, wallet := range u.WalletAddress.Values {
		if identity.IsAddress(wallet) {
			continue
		}
		if err := a.speaks(ctx, scope, identity.Ref{Wallet: wallet}); err != nil {
			return err
		}
	}
	return nil
}

// viewer returns who reads: what the answer shows of members' identifiers goes by it.
func (a *API) viewer(ctx context.Context, scope laurel.Scope) (identity.Viewer, error) {
	return a.cfg.Identity.Viewer(ctx, scope, TokenOf(ctx))
}

// filter is the user filter of a list.
func (u Users) filter() report.UserFilter {
	wallets := make([]string, len(u.WalletAddress.Values))
	for i, w := range u.WalletAddress.Values {
		wallets[i] = identity.NormalizeWallet(w)
	}
	return report.UserFilter{
		IDs:                     u.UserID.Values,
		Wallets:                 wallets,
		GroupID:                 u.UserGroupID.ID,
		GroupExternalIdentifier: u.UserGroupExternalIdentifier,
	}
}

// Named are the two ways in which a body names a user. Embed it.
type Named struct {
	UserID        laurel.Optional[laurel.ID] `json:"userId,omitzero"`
	WalletAddress laurel.Optional[string]    `json:"walletAddress,omitzero"`
}

// Bounds returns what the properties accept.
func (Named) Bounds() laurel.Bounds { return identity.Ref{}.Bounds() }

func (n Named) ref() identity.Ref {
	ref := identity.Ref{UserID: n.UserID.Value, Wallet: identity.NormalizeWallet(n.WalletAddress.Value)}
	if n.UserID.Set && !n.UserID.Null && ref.UserID.IsZero() {
		ref.UserID = nowhere // the nil UUID is an id that nobody has
	}
	return ref
}

// shortUser is a user as records of other things name it.
type shortUser struct {
	ID            laurel.ID `json:"id"`
	WalletAddress *string   `json:"walletAddress"`
}

func shapeName(v identity.Viewer, id laurel.ID, wallet *string) shortUser {
	return shortUser{ID: id, WalletAddress: v.Wallet(id, wallet)}
}

// acting narrows the key for a write in the name of users: a publishable key shows the member token of each.
func (a *API) acting(ctx context.Context, t Tenant, users ...identity.Ref) (laurel.Scope, error) {
	scope, err := a.narrow(ctx, t)
	if err != nil || scope.Role != laurel.RoleClient {
		return scope, err
	}
	for _, ref := range users {
		if ref.UserID.IsZero() && ref.Wallet == "" {
			return scope, errNameUser
		}
		if err := a.speaks(ctx, scope, ref); err != nil {
			return scope, err
		}
	}
	return scope, nil
}

// Users is the shorthand UF of contract 1.6. Embed it.
type Users struct {
	UserID                      IDs     `query:"userId"`
	WalletAddress               Strings `query:"walletAddress"`
	UserGroupID                 ID      `query:"userGroupId"`
	UserGroupExternalIdentifier string  `query:"userGroupExternalIdentifier"`
}
