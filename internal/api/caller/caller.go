// Package caller resolves who acts in a request: the tenant and the users that it names, what its API key and its
// member token allow, and which data of users it may see. It has the parameters and properties that name them.
package caller

import (
	"context"
	"strings"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/api/rest"
	"laurel.example/laurel/internal/identity"
	"laurel.example/laurel/internal/tenancy"
)

// ErrNameUser refuses a request through a client key that names no user, or several.
var ErrNameUser = laurel.Faults{{Path: "userId", Message: "userId or walletAddress is required"}}.Err()

// Resolver checks and resolves the scope and the users of requests.
type Resolver struct {
	Tenancy  *tenancy.Service
	Identity *identity.Service
}

// Narrow restricts the key's scope to the organization and website in the request. Without a website in either the
// scope spans all websites, which lists allow (contract 1.3).
func (r *Resolver) Narrow(ctx context.Context, t rest.Tenant) (laurel.Scope, error) {
	return r.Tenancy.Narrow(ctx, rest.ScopeOf(ctx), t.OrganizationID.ID, t.WebsiteID.ID, tenancy.WebsiteOptional)
}

// NarrowToWebsite is Narrow for operations on one website. Errors: Invalid "websiteId is required".
func (r *Resolver) NarrowToWebsite(ctx context.Context, organizationID, websiteID laurel.ID) (laurel.Scope, error) {
	return r.Tenancy.Narrow(ctx, rest.ScopeOf(ctx), organizationID, websiteID, tenancy.WebsiteRequired)
}

// CheckActsFor checks that the request may act for a user: a client key needs the user's member token (contract 1.2),
// unless the website trusts client keys. Other keys act for all users.
func (r *Resolver) CheckActsFor(ctx context.Context, scope laurel.Scope, ref identity.Ref) error {
	if scope.Role != laurel.RoleClient || rest.TrustsClientUsers(ctx) {
		return nil
	}
	member, err := rest.MemberOf(ctx)
	if err != nil {
		return err
	}
	return r.Identity.CheckTokenUser(ctx, scope, member, ref)
}

// CheckProvesMember checks that a client key names a user and has the user's member token, even if the website trusts
// client keys. Bids, mints (contract 1.2) and token claims need it, since they cannot be undone.
func (r *Resolver) CheckProvesMember(ctx context.Context, scope laurel.Scope, ref identity.Ref) error {
	if scope.Role != laurel.RoleClient {
		return nil
	}
	if ref.UserID.IsZero() && ref.Wallet == "" {
		return ErrNameUser
	}
	member, err := rest.MemberOf(ctx)
	if err != nil {
		return err
	}
	return r.Identity.CheckTokenUser(ctx, scope, member, ref)
}

// RestrictToOwn checks a read of private data. With a client key the request must name exactly one user, and must be
// allowed to act for that user; if it names none, u is set to the member of its token. Other keys may read the data of
// all users.
func (r *Resolver) RestrictToOwn(ctx context.Context, scope laurel.Scope, u *Users) error {
	if scope.Role != laurel.RoleClient {
		return nil
	}
	if len(u.UserID.Values) == 0 && len(u.WalletAddress.Values) == 0 && rest.TokenOf(ctx) != "" {
		member, err := rest.MemberOf(ctx)
		if err != nil {
			return err
		}
		u.UserID.Values, u.UserID.Null = []laurel.ID{member}, false // an empty userId names no user
		return nil
	}
	return r.checkNamesOwn(ctx, scope, *u)
}

// checkNamesOwn checks that a client key names exactly one user and may act for it.
func (r *Resolver) checkNamesOwn(ctx context.Context, scope laurel.Scope, u Users) error {
	var ref identity.Ref
	switch {
	case len(u.UserID.Values) == 1 && len(u.WalletAddress.Values) == 0:
		ref.UserID = u.UserID.Values[0]
	case len(u.WalletAddress.Values) == 1 && len(u.UserID.Values) == 0:
		ref.Wallet = u.WalletAddress.Values[0]
	default:
		return ErrNameUser
	}
	return r.CheckActsFor(ctx, scope, ref)
}

// CheckUserFilter checks the user filter of a public list. identifiers are the other texts by which the request looks
// for users. A client key must not find out which user has an identifier that the list hides. So it may filter by
// identifiers only if it names exactly one user and may act for that user, and by a wallet that is no address only if
// it may act for its user.
func (r *Resolver) CheckUserFilter(ctx context.Context, scope laurel.Scope, u Users, identifiers ...string) error {
	if scope.Role != laurel.RoleClient {
		return nil
	}
	if strings.Join(append(identifiers, u.UserGroupExternalIdentifier), "") != "" {
		return r.checkNamesOwn(ctx, scope, u)
	}
	for _, wallet := range u.WalletAddress.Values {
		if identity.IsAddress(wallet) {
			continue
		}
		if err := r.CheckActsFor(ctx, scope, identity.Ref{Wallet: wallet}); err != nil {
			return err
		}
	}
	return nil
}

// Viewer returns the viewer of a response, who decides which identifiers of members it shows.
func (r *Resolver) Viewer(ctx context.Context, scope laurel.Scope) (identity.Viewer, error) {
	return r.Identity.Viewer(ctx, scope, rest.TokenOf(ctx))
}

// Visibility returns which points held by hidden bids the caller sees: all with a secret key, those of its token's
// member with a client key. An invalid token counts as none.
func (r *Resolver) Visibility(ctx context.Context, scope laurel.Scope) (laurel.Visibility, error) {
	if scope.HasSecretKey() {
		return laurel.Visibility{All: true}, nil
	}
	v, err := r.Viewer(ctx, scope)
	return laurel.Visibility{User: v.User()}, err
}

// ActingUser returns the user for whom a request acts, and checks that the key may act for that user. A request with a
// client key must name a user or carry a member token; the token alone stands for its member (contract 1.11). With
// other keys the named user is returned, or none.
func (r *Resolver) ActingUser(ctx context.Context, scope laurel.Scope, ref identity.Ref) (identity.Ref, error) {
	switch {
	case scope.Role != laurel.RoleClient:
		return ref, nil
	case ref != identity.Ref{}:
		return ref, r.CheckActsFor(ctx, scope, ref)
	case rest.TokenOf(ctx) == "":
		return ref, ErrNameUser
	}
	member, err := rest.MemberOf(ctx)
	return identity.Ref{UserID: member}, err
}

// NarrowForUsers returns the scope of a write that acts for users, as Narrow does, and checks that the key may act for
// each: a client key must name every user and, unless the website trusts client keys, have the user's member token.
func (r *Resolver) NarrowForUsers(ctx context.Context, t rest.Tenant, users ...identity.Ref) (laurel.Scope, error) {
	scope, err := r.Narrow(ctx, t)
	if err != nil || scope.Role != laurel.RoleClient {
		return scope, err
	}
	for _, ref := range users {
		if ref.UserID.IsZero() && ref.Wallet == "" {
			return scope, ErrNameUser
		}
		if err := r.CheckActsFor(ctx, scope, ref); err != nil {
			return scope, err
		}
	}
	return scope, nil
}
