package engagement

import (
	"context"
	"errors"
	"time"

	"laurel/internal/engagement/multiplier"

	"laurel"
	"laurel/internal/panics"
	"laurel/internal/store"
	"laurel/internal/worker"
)

const (
	endingsInterval = time.Second
	// endChunkSize bounds the multipliers that one transaction ends, also the transaction that deletes their rule. The
	// chunk gets smaller if that takes too long.
	endChunkSize = 256
)

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

// EndMultipliersOfDeletedRule ends up to endChunkSize multipliers that a rule has granted, in the transaction that
// deletes the rule (contract 5.17); Run ends the others. The rule is locked, so that it grants no more. For a rule that
// is not deleted it does nothing.
func EndMultipliersOfDeletedRule(ctx context.Context, tx *store.Tx, scope laurel.Scope, rule Rule) error {
	if !rule.Deleted {
		return nil
	}
	isDone, err := endMultipliersOfRule(ctx, tx, pendingEnding{rule.ID, rule.OrganizationID, rule.WebsiteID}, endChunkSize)
	if err != nil || isDone {
		return err
	}
	return insertEnding(ctx, tx, pendingEnding{rule.ID, rule.OrganizationID, rule.WebsiteID})
}

// endMultipliersOfRule ends up to limit multipliers that a rule has granted. isDone is true if none is left.
func endMultipliersOfRule(ctx context.Context, tx *store.Tx, rule pendingEnding, limit int) (isDone bool, err error) {
	list, err := selectGrantedMultipliers(ctx, tx, grantedPage{website: rule.WebsiteID, rule: rule.RuleID, limit: limit})
	if err != nil {
		return false, err
	}
	_, err = EndMultipliers(ctx, tx, rule.scope(), list)
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
	isPending, err := hasPendingEnding(ctx, tx, rule)
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

// RunDue ends all multipliers of deleted rules, one chunk per rule in turn, until none is left or other nodes are
// working on the rest. If there is none, it writes nothing.
func (s *Service) RunDue(ctx context.Context) error {
	for {
		due, err := selectPendingEndings(ctx, s.db)
		if err != nil || len(due) == 0 {
			return err
		}
		progressed := false
		for _, rule := range due {
			isLocked, fault := panics.Try(func() (bool, error) { return s.endNextChunk(ctx, rule) })
			progressed, err = progressed || isLocked, errors.Join(err, fault)
		}
		if err != nil || !progressed || ctx.Err() != nil {
			return errors.Join(err, ctx.Err()) // if nothing progressed, other nodes hold all locks
		}
	}
}

// endNextChunk ends a chunk of a rule's multipliers in one transaction, with smaller chunks if that takes too long.
// isLocked is false if another node is working on the rule.
func (s *Service) endNextChunk(ctx context.Context, rule pendingEnding) (isLocked bool, err error) {
	for size := endChunkSize; ; size /= 4 {
		err = s.db.InTx(ctx, func(tx *store.Tx) error {
			var fault error
			if isLocked, fault = lockEnding(ctx, tx, rule.RuleID); fault != nil || !isLocked {
				return fault
			}
			isDone, fault := endMultipliersOfRule(ctx, tx, rule, size)
			if fault != nil || !isDone {
				return fault
			}
			return deleteEnding(ctx, tx, rule.RuleID)
		})
		if !store.TookTooLong(err) || size < 4 {
			return isLocked, err
		}
	}
}
