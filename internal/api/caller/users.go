package caller

import (
	"laurel.example/laurel"
	"laurel.example/laurel/internal/api/rest"
	"laurel.example/laurel/internal/identity"
	"laurel.example/laurel/internal/report"
)

// Users has the parameters UF of contract 1.6. Inputs embed it.
type Users struct {
	UserID                      rest.IDs       `query:"userId"`
	WalletAddress               rest.Addresses `query:"walletAddress"`
	UserGroupID                 rest.ID        `query:"userGroupId"`
	UserGroupExternalIdentifier string         `query:"userGroupExternalIdentifier"`
}

// Filter returns the filter of users that the query parameters ask for.
func (u Users) Filter() report.UserFilter {
	return report.UserFilter{
		IDs:                     u.UserID.Values,
		Wallets:                 u.WalletAddress.Values,
		GroupID:                 u.UserGroupID.ID,
		GroupExternalIdentifier: u.UserGroupExternalIdentifier,
	}
}

// NamedUser has the two properties by which a body names a user. Inputs embed it.
type NamedUser struct {
	UserID        laurel.Optional[laurel.ID] `json:"userId,omitzero"`
	WalletAddress laurel.Optional[string]    `json:"walletAddress,omitzero"`
}

// Bounds returns the limits of the properties, which the OpenAPI document shows.
func (NamedUser) Bounds() laurel.Bounds { return identity.Ref{}.Bounds() }

// Ref returns the user that the body names; zero if it names none.
func (n NamedUser) Ref() identity.Ref {
	ref := identity.Ref{UserID: n.UserID.Value, Wallet: identity.NormalizeWallet(n.WalletAddress.Value)}
	if n.UserID.Set && !n.UserID.Null && ref.UserID.IsZero() {
		ref.UserID = rest.UnmatchedID // the nil UUID matches no user
	}
	return ref
}

// ShortUser is a user in other records.
type ShortUser struct {
	ID            laurel.ID `json:"id"`
	WalletAddress *string   `json:"walletAddress"`
}

// ShortUserOf returns a user as the viewer sees it.
func ShortUserOf(v identity.Viewer, id laurel.ID, wallet *string) ShortUser {
	return ShortUser{ID: id, WalletAddress: v.Wallet(id, wallet)}
}
