package providers

import (
	"context"
	"slices"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/evm"
)

// Delegations are what wallets have delegated.
type Delegations struct {
	// DelegatorsOf returns the cold wallets that have delegated to users, by user.
	DelegatorsOf func(ctx context.Context, scope laurel.Scope, users []laurel.ID) (map[laurel.ID][]string, error)
	// DelegatesOf returns the users to whom cold wallets have delegated, by wallet.
	DelegatesOf func(ctx context.Context, scope laurel.Scope, wallets []string) (map[string]laurel.ID, error)
}

// delegated is which wallets of members have delegated, and which have to members.
type delegated struct {
	delegates map[string]laurel.ID   // by wallet of a member: the user to whom it has delegated
	cold      map[laurel.ID][]string // by member: the wallets that have delegated to it
}

// delegationsOf returns the delegations from and to members.
func (p Delegations) delegationsOf(ctx context.Context, scope laurel.Scope, members []Member) (d delegated, err error) {
	var users []laurel.ID
	for _, m := range members {
		if !m.UserID.IsZero() {
			users = append(users, m.UserID)
		}
	}
	if d.delegates, err = p.DelegatesOf(ctx, scope, accountsOf(members)); err != nil {
		return d, err
	}
	d.cold, err = p.DelegatorsOf(ctx, scope, users)
	return d, err
}

// accountsOf returns the wallets of members that networks can have.
func accountsOf(members []Member) []string {
	var list []string
	for _, m := range members {
		if evm.IsAccount(m.Wallet) {
			list = append(list, m.Wallet)
		}
	}
	return list
}

// walletsOfAll returns the wallets whose tokens count for the members of requests.
func (p Delegations) walletsOfAll(
	ctx context.Context, scope laurel.Scope, requests []VerificationRequest,
) ([]string, error) {
	var members []Member
	for _, q := range requests {
		members = append(members, q.Members...)
	}
	d, err := p.delegationsOf(ctx, scope, members)
	return d.walletsOf(members), err
}

// walletsOf returns the wallets whose tokens count for members: their own, and the cold wallets that have delegated to
// them. A wallet that has delegated to somebody else counts there alone, so that no token counts for two.
func (d delegated) walletsOf(members []Member) []string {
	wallets := slices.DeleteFunc(accountsOf(members), func(wallet string) bool {
		user, hasDelegated := d.delegates[wallet]
		return hasDelegated && !slices.ContainsFunc(members, func(m Member) bool { return m.UserID == user })
	})
	for _, m := range members {
		for _, wallet := range d.cold[m.UserID] {
			if evm.IsAccount(wallet) {
				wallets = append(wallets, wallet)
			}
		}
	}
	slices.Sort(wallets)
	return slices.Compact(wallets)
}
