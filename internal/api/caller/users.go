package caller

import (
	"laurel"
	"laurel/internal/api/rest"
	"laurel/internal/identity"
	"laurel/internal/report"
)

// Users is the shorthand UF of contract 1.6. Embed it.
type Users struct {
	UserID                      rest.IDs       `query:"userId"`
	WalletAddress               rest.Addresses `query:"walletAddress"`
	UserGroupID                 rest.ID        `query:"userGroupId"`
	UserGroupExternalIdentifier string         `query:"userGroupExternalIdentifier"`
}

// Filter is the user filter of a list.
func (u Users) Filter() report.UserFilter {
	return report.UserFilter{
		IDs:                     u.UserID.Values,
		Wallets:                 u.WalletAddress.Values,
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

// Ref returns whom the body names; zero where it names nobody.
func (n Named) Ref() identity.Ref {
	ref := identity.Ref{UserID: n.UserID.Value, Wallet: identity.NormalizeWallet(n.WalletAddress.Value)}
	if n.UserID.Set && !n.UserID.Null && ref.UserID.IsZero() {
		ref.UserID = rest.UnmatchedID // the nil UUID is an id that nobody has
	}
	return ref
}

// ShortUser is a user as records of other things name it.
type ShortUser struct {
	ID            laurel.ID `json:"id"`
	WalletAddress *string   `json:"walletAddress"`
}

// ShortUserOf returns a user as the viewer sees it.
func ShortUserOf(v identity.Viewer, id laurel.ID, wallet *string) ShortUser {
	return ShortUser{ID: id, WalletAddress: v.Wallet(id, wallet)}
}
