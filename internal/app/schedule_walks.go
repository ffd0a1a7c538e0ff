package app

import (
	"context"
	"errors"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/identity"
	"laurel.example/laurel/internal/rules/completion"
	"laurel.example/laurel/internal/rules/decision"
	"laurel.example/laurel/internal/rules/dynamicrewards"
	"laurel.example/laurel/internal/rules/lists"
	"laurel.example/laurel/internal/rules/providers"
	"laurel.example/laurel/internal/rules/schedule"
	"laurel.example/laurel/internal/rules/schema"
	"laurel.example/laurel/internal/store"
)

// scheduleWalks returns how runs of scheduled rule types list their members.
func scheduleWalks(read *lists.Service, dapps *providers.Dapps) map[schema.Type]schedule.Walk {
	listed, ranked := walkList(read), walkDeployers(dapps)
	return map[schema.Type]schedule.Walk{
		schema.TypeAirdrop: listed, schema.TypeUpload: listed,
		schema.TypeGasSpent: ranked, schema.TypeTransactionCount: ranked, schema.TypeActiveUsers: ranked,
		schema.TypeNewUsers: ranked, schema.TypeUserRetention: ranked,
	}
}

// walkDeployers returns a walk over those who have deployed contracts whose ranks are paid, in the order of their
// wallets (contract 5.21). A wallet without a user becomes a member with its payment.
func walkDeployers(dapps *providers.Dapps) schedule.Walk {
	return func(ctx context.Context, scope laurel.Scope, p schedule.Page) ([]schedule.WalkMember, error) {
		page := providers.DeployersPage{At: p.At, After: p.After, Limit: p.Limit}
		deployers, err := dapps.Deployers(ctx, scope, &p.Rule.Properties, page)
		if waits := providers.NotReady(""); errors.As(err, &waits) {
			return nil, schedule.NotReady(waits)
		}
		out := make([]schedule.WalkMember, len(deployers))
		for i, d := range deployers {
			user := identity.Ref{Wallet: d.Wallet}
			out[i] = schedule.WalkMember{Position: d.Wallet, Candidate: completion.Candidate{User: user}}
		}
		return out, err
	}
}

// walkList returns a walk over the members in a rule's list, in the order of their wallets (contract 5.13). It fails
// with NotReady until the list is imported.
func walkList(read *lists.Service) schedule.Walk {
	return func(ctx context.Context, scope laurel.Scope, p schedule.Page) ([]schedule.WalkMember, error) {
		members, err := read.ListMembers(ctx, scope, lists.Key{Owner: p.Rule.ID, Wallet: p.After}, p.Limit)
		if errors.Is(err, lists.ErrNotImported) {
			return nil, schedule.NotReady(lists.ErrNotImported.Message)
		}
		steps := make([]schedule.WalkMember, len(members))
		for i, m := range members {
			steps[i] = schedule.WalkMember{Position: m.Wallet, Candidate: completion.Candidate{
				User:  identity.Ref{Wallet: m.Wallet},
				Facts: decision.Facts{Listed: true, Allotted: m.Amount},
			}}
		}
		return steps, err
	}
}

// runFollower is what runs of scheduled rules need of the lists of conditions and of dynamic rewards.
type runFollower struct{ lists *lists.Service }

// CheckReady fails with schedule.NotReady while a list that decisions need is not imported yet. A list of a condition
// that cannot be imported does not delay a run.
func (f runFollower) CheckReady(ctx context.Context, scope laurel.Scope, rule laurel.ID) error {
	err := f.lists.CheckImportAttempted(ctx, scope, rule)
	if errors.Is(err, lists.ErrNotImported) {
		return schedule.NotReady(lists.ErrNotImported.Message)
	}
	return err
}

// RunCompleted makes the check of the rule's dynamic rewards due at once.
func (f runFollower) RunCompleted(ctx context.Context, tx *store.Tx, _ laurel.Scope, rule laurel.ID) error {
	return dynamicrewards.OnRunComplete(ctx, tx, rule)
}
