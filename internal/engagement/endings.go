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
	endingsEvery = time.Second
	// endAtOnce is how many multipliers one transaction ends, also the one that deletes their rule. Fewer where that takes
	// too long.
	endAtOnce = 256
)

// ending ends multipliers that a rule gave to some members. It is a store.Work. The heads are locked, so each
// multiplier ends once, and payments take turns with that.
type ending struct {
	scope laurel.Scope // of one website
	users []laurel.ID
	ends  func(multiplier.Live) bool
	ended int
}

// Locks are the heads of the members.
func (e *ending) Locks() []store.Lock { return MultiplierLocks(e.scope.WebsiteID, e.users) }

// Judge ends what is live still.
func (e *ending) Judge(b *store.Batch) error {
	e.ended = 0
	for _, m := range HeldMultipliers(b, e.scope.WebsiteID, e.users) {
		if e.ends(m) {
			endHeld(b, e.scope, m)
			e.ended++
		}
	}
	return nil
}

// RuleSaved ends, in the transaction that deletes a rule, what it gave to members (contract 5.17). What is more than
// one transaction should do is ended by Run. The rule's gate is shut, so nobody is given more.
func RuleSaved(ctx context.Context, tx *store.Tx, scope laurel.Scope, rule Rule) error {
	if !rule.Deleted {
		return nil
	}
	all, err := endGiven(ctx, tx, endingRow{rule.ID, rule.OrganizationID, rule.WebsiteID}, endAtOnce)
	if err != nil || all {
		return err
	}
	return insertEnding(ctx, tx, endingRow{rule.ID, rule.OrganizationID, rule.WebsiteID})
}

// endGiven ends some of what a rule gave, and reports whether that was all.
func endGiven(ctx context.Context, tx *store.Tx, of endingRow, limit int) (all bool, err error) {
	list, err := givenAfter(ctx, tx, givenPage{website: of.WebsiteID, rule: of.RuleID, limit: limit})
	if err != nil {
		return false, err
	}
	_, err = End(ctx, tx, of.scope(), list)
	return len(list) < limit, err
}

// Holding is a live multiplier that a rule gave to a member.
type Holding struct {
	ID     laurel.ID `db:"id"`
	UserID laurel.ID `db:"user_id"`
}

// Holdings returns what a rule of one website gave and is live, up to limit, in the order of the members, behind one of
// them (a zero id: from the start).
func (s *Service) Holdings(
	ctx context.Context,
	scope laurel.Scope,
	rule, after laurel.ID,
	limit int,
) ([]Holding, error) {
	return givenAfter(ctx, s.db, givenPage{scope.WebsiteID, rule, after, limit})
}

// End ends multipliers that Holdings answered, where they are live still, and returns how many were.
func End(ctx context.Context, tx *store.Tx, scope laurel.Scope, list []Holding) (int, error) {
	if len(list) == 0 {
		return 0, nil
	}
	named, users := make(map[laurel.ID]bool, len(list)), make([]laurel.ID, len(list))
	for i, g := range list {
		named[g.ID], users[i] = true, g.UserID
	}
	work := &ending{scope: scope, users: users, ends: func(m multiplier.Live) bool { return named[m.ID] }}
	err := store.Run(ctx, tx, work)
	return work.ended, err
}

// Returning refuses to let a rule come back while what it gave is still being ended: what it would give then would end
// too.
func Returning(ctx context.Context, tx *store.Tx, rule laurel.ID) error {
	waits, err := endingOf(ctx, tx, rule)
	if err == nil && waits {
		return laurel.Errorf(laurel.Refused, "Loyalty rule is still being cleared")
	}
	return err
}

// Run ends what deleted rules gave, until ctx ends. Any number of nodes may run it.
func (s *Service) Run(ctx context.Context) {
	worker.Loop{
		Every: endingsEvery,
		Log:   s.log,
		Fault: "multipliers of deleted rules could not be ended; they are tried again",
	}.Each(
		ctx,
		s.RunDue,
	)
}

// RunDue ends all that deleted rules gave, rules in turns. Where nothing is left it writes nothing.
func (s *Service) RunDue(ctx context.Context) error {
	for {
		due, err := dueEndings(ctx, s.db)
		if err != nil || len(due) == 0 {
			return err
		}
		moved := false
		for _, of := range due {
			held, failed := panics.Try(func() (bool, error) { return s.endStep(ctx, of) })
			moved, err = moved || held, errors.Join(err, failed)
		}
		if err != nil || !moved || ctx.Err() != nil {
			return errors.Join(err, ctx.Err()) // or other nodes are at all of them
		}
	}
}

// endStep ends some of what a rule gave in one transaction, a smaller one where it takes too long. It returns false
// where another node is at it.
func (s *Service) endStep(ctx context.Context, of endingRow) (held bool, err error) {
	for size := endAtOnce; ; size /= 4 {
		err = s.db.InTx(ctx, func(tx *store.Tx) error {
			var failed error
			if held, failed = lockEnding(ctx, tx, of.RuleID); failed != nil || !held {
				return failed
			}
			all, failed := endGiven(ctx, tx, of, size)
			if failed != nil || !all {
				return failed
			}
			return deleteEnding(ctx, tx, of.RuleID)
		})
		if !store.TookTooLong(err) || size < 4 {
			return held, err
		}
	}
}
