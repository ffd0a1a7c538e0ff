// Package caller says for whom a request acts: the tenant and the users that it names, what its API key and its member
// token allow, and what it may see of users. It holds the parameters and properties by which requests name them.
package caller

import (
	"context"
	"strings"

	"laurel"
	"laurel/internal/api/rest"
	"laurel/internal/identity"
	"laurel/internal/tenancy"
)

// ErrNameUser refuses a request through a client key that names no user, or several.
var ErrNameUser = laurel.Faults{{Path: "userId", Message: "userId or walletAddress is required"}}.Err()

// Resolver finds out for whom requests act.
type Resolver struct {
	Tenancy  *tenancy.Service
	Identity *identity.Service
}

// Narrow limits the key's scope to the organization and website that the request names; the website stays open where
// the key and the request leave it open, as lists allow (contract 1.3).
func (r *Resolver) Narrow(ctx context.Context, t rest.Tenant) (laurel.Scope, error) {
	return r.Tenancy.Narrow(ctx, rest.ScopeOf(ctx), t.OrganizationID.ID, t.WebsiteID.ID, tenancy.AnyWebsite)
}

// NarrowToWebsite does the same for an operation on one website. Errors: Invalid "websiteId is required".
func (r *Resolver) NarrowToWebsite(ctx context.Context, organizationID, websiteID laurel.ID) (laurel.Scope, error) {
	return r.Tenancy.Narrow(ctx, rest.ScopeOf(ctx), organizationID, websiteID, tenancy.OneWebsite)
}

// Speaks checks that a client key may act for the named user: it shows the user's member token (contract 1.2).
// Other keys speak for everyone.
func (r *Resolver) Speaks(ctx context.Context, scope laurel.Scope, ref identity.Ref) error {
	if scope.Role != laurel.RoleClient || rest.TrustsClientUsers(ctx) {
		return nil
	}
	member, err := rest.MemberOf(ctx)
	if err != nil {
		return err
	}
	return r.Identity.CheckTokenUser(ctx, scope, member, ref)
}

// Proves checks that a client key names a user and shows its member token, also where the website lets it name users
// without: for bids, mints (contract 1.2) and token claims, which nobody can undo.
func (r *Resolver) Proves(ctx context.Context, scope laurel.Scope, ref identity.Ref) error {
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

// PrivateTo checks a read of private data: a client key names exactly one user and speaks for it. Where it names none,
// the user is the one of its member token, and u names that.
func (r *Resolver) PrivateTo(ctx context.Context, scope laurel.Scope, u *Users) error {
	if scope.Role != laurel.RoleClient {
		return nil
	}
	if len(u.UserID.Values) == 0 && len(u.WalletAddress.Values) == 0 && rest.TokenOf(ctx) != "" {
		member, err := rest.MemberOf(ctx)
		if err != nil {
			return err
		}
		u.UserID.Values, u.UserID.Null = []laurel.ID{member}, false // an empty userId names nobody
		return nil
	}
	return r.namesOwn(ctx, scope, *u)
}

// namesOwn checks that a client key names exactly one user and speaks for it.
func (r *Resolver) namesOwn(ctx context.Context, scope laurel.Scope, u Users) error {
	var ref identity.Ref
	switch {
	case len(u.UserID.Values) == 1 && len(u.WalletAddress.Values) == 0:
		ref.UserID = u.UserID.Values[0]
	case len(u.WalletAddress.Values) == 1 && len(u.UserID.Values) == 0:
		ref.Wallet = u.WalletAddress.Values[0]
	default:
		return ErrNameUser
	}
	return r.Speaks(ctx, scope, ref)
}

// MayAsk checks the filter of a list that everybody may read: through a client key it must not tell whose an
// identifier is that the list does not show. Wallets that are no addresses are named by their own member; with the
// other identifiers the read is a private one.
func (r *Resolver) MayAsk(ctx context.Context, scope laurel.Scope, u Users, identifiers ...string) error {
	if scope.Role != laurel.RoleClient {
		return nil
	}
	if strings.Join(append(identifiers, u.UserGroupExternalIdentifier), "") != "" {
		return r.namesOwn(ctx, scope, u)
	}
	for _, wallet := range u.WalletAddress.Values {
		if identity.IsAddress(wallet) {
			continue
		}
		if err := r.Speaks(ctx, scope, identity.Ref{Wallet: wallet}); err != nil {
			return err
		}
	}
	return nil
}

// Viewer returns who reads: what the answer shows of members' identifiers goes by it.
func (r *Resolver) Viewer(ctx context.Context, scope laurel.Scope) (identity.Viewer, error) {
	return r.Identity.Viewer(ctx, scope, rest.TokenOf(ctx))
}

// Visibility returns what the caller sees of points that hidden bids hold: a secret key all, a client key those of the
// member whose token it shows. A token that is not good counts as not presented.
func (r *Resolver) Visibility(ctx context.Context, scope laurel.Scope) (laurel.Visibility, error) {
	if scope.HasSecretKey() {
		return laurel.Visibility{All: true}, nil
	}
	v, err := r.Viewer(ctx, scope)
	return laurel.Visibility{User: v.User()}, err
}

// Acting narrows the key for a write in the name of users: a client key shows the member token of each.
func (r *Resolver) Acting(ctx context.Context, t rest.Tenant, users ...identity.Ref) (laurel.Scope, error) {
	scope, err := r.Narrow(ctx, t)
	if err != nil || scope.Role != laurel.RoleClient {
		return scope, err
	}
	for _, ref := range users {
		if ref.UserID.IsZero() && ref.Wallet == "" {
			return scope, ErrNameUser
		}
		if err := r.Speaks(ctx, scope, ref); err != nil {
			return scope, err
		}
	}
	return scope, nil
}
