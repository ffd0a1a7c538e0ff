package app

import (
	"context"
	"errors"

	"laurel"
	"laurel/internal/cadence"
	"laurel/internal/completions"
	"laurel/internal/decision"
	"laurel/internal/identity"
	"laurel/internal/lists"
	"laurel/internal/rulebook"
)

// walks are the members that runs of scheduled types look at.
func (a *App) walks() map[rulebook.Type]cadence.Walk {
	return map[rulebook.Type]cadence.Walk{rulebook.TypeAirdrop: a.allotted, rulebook.TypeUpload: a.allotted}
}

// allotted walks the list of a rule by wallet (contract 5.13).
func (a *App) allotted(ctx context.Context, scope laurel.Scope, p cadence.Page) ([]cadence.Step, error) {
	members, err := a.Lists.Members(ctx, scope, lists.Key{Rule: p.Rule.ID, Wallet: p.After}, p.Limit)
	if errors.Is(err, lists.ErrUnread) {
		return nil, cadence.NotYet(lists.ErrUnread.Message)
	}
	steps := make([]cadence.Step, len(members))
	for i, m := range members {
		steps[i] = cadence.Step{Position: m.Wallet, Candidate: completions.Candidate{User: identity.Ref{Wallet: m.Wallet},
			Known: decision.Facts{Listed: true, Allotted: m.Amount}}}
	}
	return steps, err
}

// listsRead answers cadence.NotYet while a list by which members are judged is not read yet. One of a condition that cannot be read holds no run up.
func (a *App) listsRead(ctx context.Context, scope laurel.Scope, rule laurel.ID) error {
	err := a.Lists.Tried(ctx, scope, rule)
	if errors.Is(err, lists.ErrUnread) {
		return cadence.NotYet(lists.ErrUnread.Message)
	}
	return err
}
