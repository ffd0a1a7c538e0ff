package app

import (
	"context"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/identity"
	"laurel.example/laurel/internal/points/ledger"
	"laurel.example/laurel/internal/points/transactions"
	"laurel.example/laurel/internal/rules/completion"
	"laurel.example/laurel/internal/rules/ruletypes"
	"laurel.example/laurel/internal/store"
)

// newPeople returns the function by which transactions find the users that they name (transactions.People).
func newPeople(db *store.DB, users *identity.Service, completions *completion.Service) transactions.People {
	return memberFinder{db, users, completions}.findMembers
}

// memberFinder finds users, and the check-ins that entries of them trigger.
type memberFinder struct {
	db          *store.DB
	users       *identity.Service
	completions *completion.Service
}

// findMembers returns the users that references name, one for each reference and in their order. An entry of a user may
// trigger check-ins: the first member of each user has them as SideEffects. With isFresh it does not use cached users.
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
		first, isKnown := byUser[p.UserID]
		if isKnown { // check-ins are with the first reference; they may have marked the user as one with multipliers
			members[i] = ruletypes.ToLedgerMember(first, scope)
			continue
		}
		marked, sideEffects, err := f.completions.AutoCheckInsOfEntry(ctx, scope, p)
		if err != nil {
			return nil, err
		}
		byUser[p.UserID], members[i] = marked, ruletypes.ToLedgerMember(marked, scope)
		members[i].SideEffects = sideEffects
	}
	return members, nil
}

// resolve returns the persons of references. Several are read from the database. A single one, as most transactions
// have, comes from the cache. If the cached one turns out to be wrong, the caller asks again with isFresh, and the
// person is read in one query with those of other callers.
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
		p, err := f.users.Find(ctx, scope, refs[0], true) // from the database
		return []identity.Person{p}, err
	}
	p, err := f.users.Presume(ctx, scope, refs[0])
	return []identity.Person{p}, err
}
