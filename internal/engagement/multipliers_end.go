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
	// endChunk is how many multipliers one transaction ends, also the one that deletes their rule. Fewer where that takes
	// too long.
	endChunk = 256
)

// endMultipliers ends multipliers that a rule gave to some members. It is a store.Work. The heads are locked, so each
// multiplier ends once, and payments take turns with that.
type endMultipliers struct {
	scope     laurel.Scope // of one website
	users     []laurel.ID
	shouldEnd func(multiplier.Live) bool
	count     int
}

// Locks are the heads of the members.
func (e *endMultipliers) Locks() []store.Lock { return MultiplierLocks(e.scope.WebsiteID, e.users) }

// Judge ends what is live still.
func (e *endMultipliers) Judge(b *store.Batch) error {
	e.count = 0
	for _, m := range LiveMultipliers(b, e.scope.WebsiteID, e.users) {
		if e.shouldEnd(m) {
			endLive(b, e.scope, m)
			e.count++
		}
	}
	return nil
}

// EndMultipliersOfDeletedRule ends, in the transaction that deletes a rule, what it gave to members (contract 5.17).
// What is more than one transaction should do is ended by Run. The rule's gate is shut, so nobody is given more.
func EndMultipliersOfDeletedRule(ctx context.Context, tx *store.Tx, scope laurel.Scope, rule Rule) error {
	if !rule.Deleted {
		return nil
	}
	isDone, err := endChunkOfRule(ctx, tx, pendingEnding{rule.ID, rule.OrganizationID, rule.WebsiteID}, endChunk)
	if err != nil || isDone {
		return err
	}
	return insertEnding(ctx, tx, pendingEnding{rule.ID, rule.OrganizationID, rule.WebsiteID})
}

// endChunkOfRule ends some of what a rule gave, and reports whether that was all.
func endChunkOfRule(ctx context.Context, tx *store.Tx, rule pendingEnding, limit int) (isDone bool, err error) {
	list, err := selectGranted(ctx, tx, grantedPage{website: rule.WebsiteID, rule: rule.RuleID, limit: limit})
	if err != nil {
		return false, err
	}
	_, err = EndMultipliers(ctx, tx, rule.scope(), list)
	return len(list) < limit, err
}

// GrantedMultiplier is a live multiplier that a rule gave to a member.
type GrantedMultiplier struct {
	ID     laurel.ID `db:"id"`
	UserID laurel.ID `db:"user_id"`
}

// ListGranted returns what a rule of one website gave and is live, up to limit, in the order of the members, behind one
// of them (a zero id: from the start).
func (s *Service) ListGranted(
	ctx context.Context,
	scope laurel.Scope,
	rule, after laurel.ID,
	limit int,
) ([]GrantedMultiplier, error) {
	return selectGranted(ctx, s.db, grantedPage{scope.WebsiteID, rule, after, limit})
}

// EndMultipliers ends multipliers that Holdings answered, where they are live still, and returns how many were.
func EndMultipliers(ctx context.Context, tx *store.Tx, scope laurel.Scope, list []GrantedMultiplier) (int, error) {
	if len(list) == 0 {
		return 0, nil
	}
	ids, users := make(map[laurel.ID]bool, len(list)), make([]laurel.ID, len(list))
	for i, g := range list {
		ids[g.ID], users[i] = true, g.UserID
	}
	work := &endMultipliers{scope: scope, users: users, shouldEnd: func(m multiplier.Live) bool { return ids[m.ID] }}
	err := store.Run(ctx, tx, work)
	return work.count, err
}

// CheckUndelete refuses to let a rule come back while what it gave is still being ended: what it would give then would
// end too.
func CheckUndelete(ctx context.Context, tx *store.Tx, rule laurel.ID) error {
	waits, err := hasPendingEnding(ctx, tx, rule)
	if err == nil && waits {
		return laurel.Errorf(laurel.Refused, "Loyalty rule is still being cleared")
	}
	return err
}

// Run ends what deleted rules gave, until ctx ends. Any number of nodes may run it.
func (s *Service) Run(ctx context.Context) {
	worker.Loop{
		Every: endingsInterval,
		Log:   s.log,
		Fault: "multipliers of deleted rules could not be ended; they are tried again",
	}.RunEach(
		ctx,
		s.RunDue,
	)
}

// RunDue ends all that deleted rules gave, rules in turns. Where nothing is left it writes nothing.
func (s *Service) RunDue(ctx context.Context) error {
	for {
		due, err := selectPendingEndings(ctx, s.db)
		if err != nil || len(due) == 0 {
			return err
		}
		progressed := false
		for _, rule := range due {
			isLocked, failed := panics.Try(func() (bool, error) { return s.endNextChunk(ctx, rule) })
			progressed, err = progressed || isLocked, errors.Join(err, failed)
		}
		if err != nil || !progressed || ctx.Err() != nil {
			return errors.Join(err, ctx.Err()) // or other nodes are at all of them
		}
	}
}

// endNextChunk ends some of what a rule gave in one transaction, a smaller one where it takes too long. It returns
// false where another node is at it.
func (s *Service) endNextChunk(ctx context.Context, rule pendingEnding) (isLocked bool, err error) {
	for size := endChunk; ; size /= 4 {
		err = s.db.InTx(ctx, func(tx *store.Tx) error {
			var failed error
			if isLocked, failed = lockEnding(ctx, tx, rule.RuleID); failed != nil || !isLocked {
				return failed
			}
			isDone, failed := endChunkOfRule(ctx, tx, rule, size)
			if failed != nil || !isDone {
				return failed
			}
			return deleteEnding(ctx, tx, rule.RuleID)
		})
		if !store.TookTooLong(err) || size < 4 {
			return isLocked, err
		}
	}
}
