package app

import (
	"context"
	"errors"

	"laurel"
	"laurel/internal/identity"
	"laurel/internal/rules/completion"
	"laurel/internal/rules/decision"
	"laurel/internal/rules/lists"
	"laurel/internal/rules/schedule"
	"laurel/internal/rules/schema"
)

// walks are the members that runs of scheduled types look at.
func (a *App) walks() map[schema.Type]schedule.Walk {
	return map[schema.Type]schedule.Walk{schema.TypeAirdrop: a.allotted, schema.TypeUpload: a.allotted}
}

// allotted walks the list of a rule by wallet (contract 5.13).
func (a *App) allotted(ctx context.Context, scope laurel.Scope, p schedule.Page) ([]schedule.Step, error) {
	members, err := a.Lists.Members(ctx, scope, lists.Key{Rule: p.Rule.ID, Wallet: p.After}, p.Limit)
	if errors.Is(err, lists.ErrUnread) {
		return nil, schedule.NotYet(lists.ErrUnread.Message)
	}
	steps := make([]schedule.Step, len(members))
	for i, m := range members {
		steps[i] = schedule.Step{Position: m.Wallet, Candidate: completion.Candidate{User: identity.Ref{Wallet: m.Wallet},
			Known: decision.Facts{Listed: true, Allotted: m.Amount}}}
	}
	return steps, err
}

// listsRead returns schedule.NotYet while a list by which members are judged is not read yet. One of a condition that
// cannot be read holds no run up.
func (a *App) listsRead(ctx context.Context, scope laurel.Scope, rule laurel.ID) error {
	err := a.Lists.Tried(ctx, scope, rule)
	if errors.Is(err, lists.ErrUnread) {
		return schedule.NotYet(lists.ErrUnread.Message)
	}
	return err
}
