package dynamicrewards

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"laurel"
	"laurel/internal/rules/catalog"
	"laurel/internal/rules/lists"
	"laurel/internal/store"
	"laurel/internal/worker"
)

const (
	tickEvery = time.Second
	lease     = 30 * time.Second // a check of a node that died is carried on afterwards
	pageSize  = 500              // holders that are judged at once
	endAtOnce = 256              // rewards that one transaction ends; fewer where that takes too long
	turn      = 16               // pages, after which other checks come first
	unread    = time.Minute      // until a rule is looked at again whose list is not read yet
)

// open carries out checks, some pages each in turns. A lease that a fault leaves behind ends by itself.
func (s *Service) open() worker.Runner {
	return &worker.Queue[checkRow]{
		Items: &worker.Items[checkRow]{
			DB:        s.DB,
			Table:     leased,
			LeaseTime: lease,
			OnLease: func(ctx context.Context, tx *store.Tx, h *worker.Item[checkRow]) error {
				h.Row.begin(tx.Now())
				return saveCheck(ctx, tx, &h.Row)
			},
			Save: saveCheck,
		},
		Name: "dynamic_rewards",
		Loop: worker.Loop{
			Every: tickEvery,
			Log:   s.Logger,
			Fault: "what rules gave could not be checked; it is tried again",
		},
		Fault:    "what a rule gave could not be checked; it is tried again",
		Batch:    1,
		Fairness: worker.Fairness{MaxOwners: 4, MaxLooks: 256, TimeSlice: 5 * time.Second},
		Backoff:  []time.Duration{lease},
		Do:       s.turn,
	}
}

// Metrics are those of the queue of checks.
func (s *Service) Metrics() []worker.Metrics { return []worker.Metrics{s.queue} }

// Run carries checks out until ctx ends. Any number of nodes may run it.
func (s *Service) Run(ctx context.Context) { s.queue.Run(ctx) }

// RunDue carries out the checks that are due, in turns, until none is. Where none is it writes nothing.
func (s *Service) RunDue(ctx context.Context) error {
	for {
		if n, err := s.queue.RunOnce(ctx); err != nil || n == 0 {
			return errors.Join(err, ctx.Err())
		}
	}
}

// errSaved tells that the rule was saved meanwhile: what was read by what it asked for before is read again.
var errSaved = errors.New("dynamicrewards: the rule has changed")

// held is a check that this node carries on.
type held = worker.Item[checkRow]

// turn carries a check on for some pages.
func (s *Service) turn(ctx context.Context, h *held) error {
	for range turn {
		if over, err := s.page(ctx, h); over || err != nil && !errors.Is(err, errSaved) {
			return err
		}
	}
	return h.Reschedule(ctx, s.DB.Now(), nil)
}

// page looks at the next holders and ends what those have whom the rule asks in vain. It reports whether the check is
// over.
func (s *Service) page(ctx context.Context, h *held) (over bool, err error) {
	c := &h.Row
	rule, err := s.Rules.GetCached(ctx, c.scope(), c.RuleID, true)
	if err != nil {
		return false, err
	}
	given, last, err := s.given(ctx, c, rule.Rule)
	if err != nil {
		return false, err
	}
	holds, err := s.holds(ctx, c, rule, given)
	if errors.Is(err, lists.ErrUnread) {
		return true, s.change(ctx, h, s.DB.Now().Add(unread), func(*store.Tx) error { return nil })
	}
	if err != nil {
		return false, err
	}
	if err := s.giveBack(ctx, c, given, holds); err != nil {
		return false, err
	}
	for most := endAtOnce; ; most /= 4 {
		part, ends := cut(given, holds, most)
		over = len(part) == len(given) && last
		if err = s.end(ctx, h, looked{rule.Rule.Version, part, ends}, over); !store.TookTooLong(err) || most < 4 {
			return over, err
		}
	}
}

// looked are holders that were judged by a version of their rule, and those of them who have what ends.
type looked struct {
	version int64
	all     []lent
	ends    []lent
}

// holds returns for each of what was given whether it may stay; lists.ErrUnread where a list is not read yet. A chain
// that comes, with such a list, while it is judged raises the rule's version: then nothing of what was judged ends.
func (s *Service) holds(
	ctx context.Context,
	c *checkRow,
	rule catalog.CachedRule,
	given []lent,
) ([]bool, error) {
	if err := s.Lists.CheckRead(ctx, c.scope(), c.RuleID); err != nil {
		return nil, err
	}
	users := make([]laurel.ID, len(given))
	for i, g := range given {
		users[i] = g.user
	}
	return s.Completions.StillQualify(ctx, c.scope(), rule, users)
}

// cut returns as many of what was given as one transaction deals with, and what of it ends.
func cut(given []lent, holds []bool, most int) (part, ends []lent) {
	for i, g := range given {
		if holds[i] || g.lapsed() {
			continue
		}
		if len(ends) == most {
			return given[:i], ends
		}
		ends = append(ends, g)
	}
	return given, ends
}

// end takes rewards back and moves the check behind what was looked at, in one transaction. A chain that came or went
// since is no saving of the rule, but raises its version.
func (s *Service) end(ctx context.Context, h *held, l looked, over bool) error {
	c, ended := &h.Row, 0
	var until time.Time
	if over { // the next one comes a day after this one began, or with the rule's next run
		until = store.Time(*c.BeganAt).Add(every)
	}
	err := s.change(ctx, h, until, func(tx *store.Tx) (err error) {
		rule, err := catalog.ReadRule(ctx, tx, c.scope(), c.RuleID)
		if err != nil {
			return err
		}
		if rule.Version != l.version {
			return errSaved
		}
		if ended, err = s.takeBack(ctx, tx, c, l.ends); err != nil {
			return err
		}
		if over {
			c.BeganAt, c.LastUserID = nil, laurel.ID{}
		} else {
			c.LastUserID = l.all[len(l.all)-1].user
		}
		return nil
	})
	if err == nil && ended > 0 {
		s.Logger.Info(
			"rewards ended because what their rule asks for no longer holds",
			slog.String("rule", c.RuleID.String()),
			slog.Int("rewards", ended),
		)
	}
	return err
}

// change changes a check in one transaction with what the change writes. The check goes on, or is put off until a
// moment. After errSaved it has the rule's revision of now.
func (s *Service) change(ctx context.Context, h *held, until time.Time, change func(tx *store.Tx) error) error {
	revision := h.Row.Revision
	unsaved := func(tx *store.Tx) (err error) {
		if revision, err = revisionOf(ctx, tx, h.Key); err != nil {
			return err
		}
		if revision != h.Row.Revision {
			return errSaved
		}
		return change(tx)
	}
	var err error
	if until.IsZero() {
		err = h.Extend(ctx, unsaved)
	} else {
		err = h.Reschedule(ctx, until, unsaved)
	}
	if errors.Is(err, errSaved) {
		h.Row.Revision = revision
	}
	return err
}
