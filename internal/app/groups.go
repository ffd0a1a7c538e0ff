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

// people returns how transactions find the users that they name.
func people(db *store.DB, users *identity.Service, completions *completion.Service) transactions.People {
	return finder{db, users, completions}.members
}

// finder finds users, and what entries of theirs set off.
type finder struct {
	db          *store.DB
	users       *identity.Service
	completions *completion.Service
}

// members returns the users that a transaction names. What their entries set off is told with the first of each.
func (f finder) members(
	ctx context.Context,
	scope laurel.Scope,
	refs []transactions.MemberRef,
	now bool,
) ([]ledger.Member, error) {
	named := make([]identity.Ref, len(refs))
	for i, r := range refs {
		named[i] = identity.Ref{UserID: r.UserID, Wallet: r.Wallet}
	}
	persons, err := f.named(ctx, scope, named, now)
	if err != nil {
		return nil, err
	}
	members, seen := make([]ledger.Member, len(persons)), map[laurel.ID]identity.Person{}
	for i, p := range persons {
		again, met := seen[p.UserID]
		if met { // a new member is marked alike in all entries
			members[i] = ruletypes.LedgerMember(again, scope)
			continue
		}
		marked, followers, err := f.completions.AutoCheckInsOfEntry(ctx, scope, p)
		if err != nil {
			return nil, err
		}
		seen[p.UserID], members[i] = marked, ruletypes.LedgerMember(marked, scope)
		members[i].SideEffects = followers
	}
	return members, nil
}

// named finds who is named. A single one, as most transactions have, is presumed; where that was wrong it is read
// together with those of other callers, and remembered.
func (f finder) named(
	ctx context.Context,
	scope laurel.Scope,
	refs []identity.Ref,
	now bool,
) ([]identity.Person, error) {
	if len(refs) != 1 {
		return f.users.ResolveMany(ctx, f.db, scope, refs)
	}
	if now {
		p, err := f.users.Find(ctx, scope, refs[0], true)
		return []identity.Person{p}, err
	}
	p, err := f.users.Presume(ctx, scope, refs[0])
	return []identity.Person{p}, err
}
