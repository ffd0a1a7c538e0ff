package engagement

import (
	"context"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/engagement/multiplier"
	"laurel.example/laurel/internal/store"
	"laurel.example/laurel/internal/worker"
)

const endingsInterval = time.Second

// deletedRules ends the multipliers that deleted rules have granted.
var deletedRules = worker.Deletions{
	Table: "multiplier_endings", Column: "loyalty_rule_id", RemoveChunk: endMultipliersOfRule,
}

// endMultipliersWork ends multipliers that a rule has granted to some members. It is a store.Work. It locks the
// members' multipliers, so that each ends once and no payment uses it meanwhile.
type endMultipliersWork struct {
	scope     laurel.Scope // of one website
	users     []laurel.ID
	shouldEnd func(multiplier.Live) bool
	count     int
}

// Locks returns the locks of the members' multipliers.
func (e *endMultipliersWork) Locks() []store.Lock { return MultiplierLocks(e.scope.WebsiteID, e.users) }

// Judge ends those of the users' live multipliers for which shouldEnd is true, and counts them.
func (e *endMultipliersWork) Judge(b *store.Batch) error {
	e.count = 0
	for _, m := range LiveMultipliers(b, e.scope.WebsiteID, e.users) {
		if e.shouldEnd(m) {
			endMultiplier(b, e.scope, m)
			e.count++
		}
	}
	return nil
}

// EndMultipliersOfDeletedRule ends the first multipliers that a rule has granted, in the transaction that deletes the
// rule (contract 5.17); Run ends the others. The rule is locked, so that it grants no more. For a rule that is not
// deleted it does nothing.
func EndMultipliersOfDeletedRule(ctx context.Context, tx *store.Tx, rule Rule) error {
	if !rule.Deleted {
		return nil
	}
	return deletedRules.Begin(ctx, tx, worker.Deletion{
		ID: rule.ID, OrganizationID: rule.OrganizationID, WebsiteID: rule.WebsiteID,
	})
}

// endMultipliersOfRule ends up to limit multipliers that a rule has granted. isDone is true if none is left.
func endMultipliersOfRule(ctx context.Context, tx *store.Tx, rule worker.Deletion, limit int) (isDone bool, err error) {
	list, err := selectGrantedMultipliers(ctx, tx, grantedPage{website: rule.WebsiteID, rule: rule.ID, limit: limit})
	if err != nil {
		return false, err
	}
	_, err = EndMultipliers(ctx, tx, rule.Scope(), list)
	return len(list) < limit, err
}

// GrantedMultiplier is a live multiplier that a rule has granted to a member.
type GrantedMultiplier struct {
	ID     laurel.ID `db:"id"`
	UserID laurel.ID `db:"user_id"`
}

// ListGrantedMultipliers returns up to limit live multipliers that a rule has granted, in the order of their users'
// ids; only those of users whose id is greater than after, or all if after is zero.
func (s *Service) ListGrantedMultipliers(
	ctx context.Context,
	scope laurel.Scope,
	rule, after laurel.ID,
	limit int,
) ([]GrantedMultiplier, error) {
	return selectGrantedMultipliers(ctx, s.db, grantedPage{scope.WebsiteID, rule, after, limit})
}

// EndMultipliers ends those multipliers of the list that are still live, and returns how many these were.
func EndMultipliers(ctx context.Context, tx *store.Tx, scope laurel.Scope, list []GrantedMultiplier) (int, error) {
	if len(list) == 0 {
		return 0, nil
	}
	ids, users := make(map[laurel.ID]bool, len(list)), make([]laurel.ID, len(list))
	for i, g := range list {
		ids[g.ID], users[i] = true, g.UserID
	}
	work := &endMultipliersWork{scope: scope, users: users, shouldEnd: func(m multiplier.Live) bool { return ids[m.ID] }}
	err := store.Run(ctx, tx, work)
	return work.count, err
}

// CheckUndelete returns Refused while multipliers of a deleted rule are still being ended: if it were undeleted now,
// new grants of it would end too.
func CheckUndelete(ctx context.Context, tx *store.Tx, rule laurel.ID) error {
	isPending, err := deletedRules.IsPending(ctx, tx, rule)
	if err == nil && isPending {
		return laurel.Errorf(laurel.Refused, "Loyalty rule is still being cleared")
	}
	return err
}

// Run ends the multipliers of deleted rules until ctx ends. Any number of nodes may run it.
func (s *Service) Run(ctx context.Context) {
	worker.Loop{
		Every: endingsInterval,
		Log:   s.log,
		Fault: "multipliers of deleted rules could not be ended; trying again",
	}.RunEach(
		ctx,
		s.RunDue,
	)
}

// RunDue ends all multipliers of deleted rules, a chunk per rule in turn.
func (s *Service) RunDue(ctx context.Context) error { return deletedRules.RunDue(ctx, s.db) }
