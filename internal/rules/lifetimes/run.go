package lifetimes

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"laurel"
	"laurel/internal/engagement"
	"laurel/internal/panics"
	"laurel/internal/rules/catalog"
	"laurel/internal/rules/lists"
	"laurel/internal/store"
	"laurel/internal/worker"
)

const (
	tickEvery = time.Second
	lease     = 30 * time.Second // a check of a node that died is carried on afterwards
	pageSize  = 500              // holders that are judged at once
	endAtOnce = 256              // multipliers that one transaction ends; fewer where that takes too long
	turn      = 16               // pages, after which other checks come first
	unread    = time.Minute      // until a rule is looked at again whose list is not read yet
)

// Run carries checks out until ctx ends. Any number of nodes may run it.
func (s *Service) Run(ctx context.Context) {
	worker.Loop{
		Every: tickEvery,
		Log:   s.Logger,
		Fault: "what rules gave could not be checked; it is tried again",
	}.Each(
		ctx,
		s.RunDue,
	)
}

// RunDue carries out the checks that are due, in turns, until none is. Where none is it writes nothing.
func (s *Service) RunDue(ctx context.Context) error {
	for {
		due, err := dueChecks(ctx, s.DB, s.DB.Now())
		if err != nil || len(due) == 0 {
			return errors.Join(err, ctx.Err())
		}
		moved := false
		for _, rule := range due {
			taken, failed := panics.Try(func() (bool, error) { return s.turn(ctx, rule) })
			moved, err = moved || taken, errors.Join(err, failed) // a lease that a fault leaves behind ends by itself
		}
		if err != nil || !moved {
			return err // or other nodes are at all of them
		}
	}
}

var (
	// errLost tells that another node carries the check on, or that there is none any more.
	errLost = errors.New("lifetimes: the check has another owner")
	// errSaved tells that the rule was saved meanwhile: what was read by what it asked for before is read again.
	errSaved = errors.New("lifetimes: the rule has changed")
)

// turn leases a check and carries it on for some pages. It returns false where another node is at it.
func (s *Service) turn(ctx context.Context, rule laurel.ID) (taken bool, err error) {
	var c checkRow
	if err := s.DB.InTx(ctx, func(tx *store.Tx) (err error) {
		c, taken, err = takeCheck(ctx, tx, rule)
		return err
	}); err != nil || !taken {
		return false, err
	}
	over := false
	for range turn {
		if over, err = s.page(ctx, &c); err == nil && over || err != nil && !errors.Is(err, errSaved) {
			break
		}
	}
	if err == nil && !over {
		err = s.change(ctx, &c, func(tx *store.Tx) error {
			c.DueAt = store.Micros(tx.Now())
			return nil
		})
	}
	if errors.Is(err, errLost) || errors.Is(err, errSaved) {
		return true, nil
	}
	return true, err
}

// page looks at the next holders and ends what those have whom the rule asks in vain. It reports whether the check is
// over.
func (s *Service) page(ctx context.Context, c *checkRow) (over bool, err error) {
	rule, err := s.Rules.Current(ctx, c.scope(), c.RuleID, true)
	if err != nil {
		return false, err
	}
	given, err := s.Engagement.Holdings(ctx, c.scope(), c.RuleID, c.LastUserID, pageSize)
	if err != nil {
		return false, err
	}
	holds, err := s.holds(ctx, c, rule, given)
	if errors.Is(err, lists.ErrUnread) {
		return true, s.change(ctx, c, func(tx *store.Tx) error {
			c.DueAt = store.Micros(tx.Now().Add(unread))
			return nil
		})
	}
	if err != nil {
		return false, err
	}
	for most := endAtOnce; ; most /= 4 {
		part, ends := cut(given, holds, most)
		over = len(part) == len(given) && len(given) < pageSize
		if err = s.end(ctx, c, looked{rule.Rule.Version, part, ends}, over); !store.TookTooLong(err) || most < 4 {
			return over, err
		}
	}
}

// looked are holders that were judged by a version of their rule, and those of them who have what ends.
type looked struct {
	version int64
	all     []engagement.Holding
	ends    []engagement.Holding
}

// holds returns for each of what was given whether it may stay; lists.ErrUnread where a list is not read yet. A chain
// that comes, with such a list, while it is judged raises the rule's version: then nothing of what was judged ends.
func (s *Service) holds(
	ctx context.Context,
	c *checkRow,
	rule catalog.Current,
	given []engagement.Holding,
) ([]bool, error) {
	if err := s.Lists.Counts(ctx, c.scope(), c.RuleID); err != nil {
		return nil, err
	}
	users := make([]laurel.ID, len(given))
	for i, g := range given {
		users[i] = g.UserID
	}
	return s.Completions.Holding(ctx, c.scope(), rule, users)
}

// cut returns as many of what was given as one transaction deals with, and what of it ends.
func cut(given []engagement.Holding, holds []bool, most int) (part, ends []engagement.Holding) {
	for i, g := range given {
		if holds[i] {
			continue
		}
		if len(ends) == most {
			return given[:i], ends
		}
		ends = append(ends, g)
	}
	return given, ends
}

// end ends multipliers and moves the check behind what was looked at, in one transaction. A chain that came or went
// since is no saving of the rule, but raises its version.
func (s *Service) end(ctx context.Context, c *checkRow, l looked, over bool) error {
	ended := 0
	err := s.change(ctx, c, func(tx *store.Tx) (err error) {
		rule, err := s.Rules.RuleIn(ctx, tx, c.scope(), c.RuleID)
		if err != nil {
			return err
		}
		if rule.Version != l.version {
			return errSaved
		}
		if ended, err = s.Engagement.End(ctx, tx, c.scope(), l.ends); err != nil {
			return err
		}
		if over {
			c.finish()
			return nil
		}
		c.LastUserID, c.DueAt = l.all[len(l.all)-1].UserID, store.Micros(tx.Now().Add(lease))
		return nil
	})
	if err == nil && ended > 0 {
		s.Logger.Info(
			"multipliers ended because what their rule asks for no longer holds",
			slog.String("rule", c.RuleID.String()),
			slog.Int("multipliers", ended),
		)
	}
	return err
}

// change changes a check that is still this node's, in one transaction with what the change writes. After errSaved it
// is as it is now.
func (s *Service) change(ctx context.Context, c *checkRow, change func(tx *store.Tx) error) error {
	before, committed := *c, false
	var now checkRow
	defer func() {
		if !committed { // also where it panicked
			*c = before
		}
	}()
	err := s.DB.InTx(ctx, func(tx *store.Tx) error {
		*c = before // of an attempt that failed
		var known bool
		var err error
		now, known, err = lockCheck(ctx, tx, c.RuleID)
		switch {
		case err != nil:
			return err
		case !known || now.place() != before.place():
			return errLost
		case now.Revision != before.Revision:
			return errSaved
		}
		if err := change(tx); err != nil {
			return err
		}
		return saveCheck(ctx, tx, *c)
	})
	if errors.Is(err, errSaved) {
		before = now
	}
	committed = err == nil
	return err
}
