package app

import (
	"context"

	"laurel"
	"laurel/internal/identity"
	"laurel/internal/points/ledger"
	"laurel/internal/points/transactions"
	"laurel/internal/rules/completion"
	"laurel/internal/rules/ruletypes"
	"laurel/internal/store"
)

// newPeople returns the function by which transactions find the users that they name.
func newPeople(db *store.DB, users *identity.Service, completions *completion.Service) transactions.People {
	return memberFinder{db, users, completions}.findMembers
}

// memberFinder finds users, and the side effects of their entries.
type memberFinder struct {
	db          *store.DB
	users       *identity.Service
	completions *completion.Service
}

// findMembers returns the users that a transaction names, in order. The side effects of entries come with the first
// entry of each user. isFresh reads users again instead of using cached ones.
func (f memberFinder) findMembers(
	ctx context.Context,
	scope laurel.Scope,
	refs []transactions.MemberRef,
	isFresh bool,
) ([]ledger.Member, error) {
	userRefs := make([]identity.Ref, len(refs))
	for i, r := range refs {
		userRefs[i] = identity.Ref{UserID: r.UserID, Wallet: r.Wallet}
	}
	persons, err := f.resolve(ctx, scope, userRefs, isFresh)
	if err != nil {
		return nil, err
	}
	members, byUser := make([]ledger.Member, len(persons)), map[laurel.ID]identity.Person{}
	for i, p := range persons {
		earlier, isKnown := byUser[p.UserID]
		if isKnown { // a new member is marked alike in all entries
			members[i] = ruletypes.LedgerMember(earlier, scope)
			continue
		}
		marked, followers, err := f.completions.AutoCheckInsOfEntry(ctx, scope, p)
		if err != nil {
			return nil, err
		}
		byUser[p.UserID], members[i] = marked, ruletypes.LedgerMember(marked, scope)
		members[i].SideEffects = followers
	}
	return members, nil
}

// resolve returns the persons of references. A single one, as most transactions have, is presumed from the cache. If
// that was wrong, it is read again together with those of other callers.
func (f memberFinder) resolve(
	ctx context.Context,
	scope laurel.Scope,
	refs []identity.Ref,
	isFresh bool,
) ([]identity.Person, error) {
	if len(refs) != 1 {
		return f.users.ResolveMany(ctx, f.db, scope, refs)
	}
	if isFresh {
		p, err := f.users.Find(ctx, scope, refs[0], true)
		return []identity.Person{p}, err
	}
	p, err := f.users.Presume(ctx, scope, refs[0])
	return []identity.Person{p}, err
}
