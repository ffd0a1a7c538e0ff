package app

import (
	"context"

	"laurel"
	"laurel/internal/identity"
	"laurel/internal/points/ledger"
	"laurel/internal/rules/kinds"
)

// named finds who is named. A single one, as most transactions have, is presumed; where that was wrong it is read
// together with those of other callers, and remembered.
func (a *App) named(ctx context.Context, scope laurel.Scope, refs []identity.Ref, now bool) ([]identity.Person, error) {
	if len(refs) != 1 {
		return a.Identity.ResolveMany(ctx, a.db, scope, refs)
	}
	if now {
		p, err := a.Identity.Find(ctx, scope, refs[0], true)
		return []identity.Person{p}, err
	}
	p, err := a.Identity.Presume(ctx, scope, refs[0])
	return []identity.Person{p}, err
}

// people is how the ledger finds the users that a transaction names. What their entries set off is told with the first
// of each.
func (a *App) people(
	ctx context.Context,
	scope laurel.Scope,
	refs []ledger.PartyRef,
	now bool,
) ([]ledger.Party, error) {
	named := make([]identity.Ref, len(refs))
	for i, r := range refs {
		named[i] = identity.Ref{UserID: r.UserID, Wallet: r.Wallet}
	}
	persons, err := a.named(ctx, scope, named, now)
	if err != nil {
		return nil, err
	}
	parties, seen := make([]ledger.Party, len(persons)), map[laurel.ID]identity.Person{}
	for i, p := range persons {
		again, met := seen[p.UserID]
		if met { // a new member is marked alike in all entries
			parties[i] = kinds.Party(again, scope)
			continue
		}
		marked, followers, err := a.Completions.CheckedIn(ctx, scope, p)
		if err != nil {
			return nil, err
		}
		seen[p.UserID], parties[i] = marked, kinds.Party(marked, scope)
		parties[i].Followers = followers
	}
	return parties, nil
}
