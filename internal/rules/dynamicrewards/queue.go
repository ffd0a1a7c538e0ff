package dynamicrewards

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/rules/catalog"
	"laurel.example/laurel/internal/rules/lists"
	"laurel.example/laurel/internal/store"
	"laurel.example/laurel/internal/worker"
)

const (
	tickEvery       = time.Second
	leaseTime       = 30 * time.Second // after which another node resumes the check of a node that died
	pageSize        = 500              // rewards that are checked at once
	maxRevokedPerTx = 256              // rewards that one transaction revokes; fewer if that takes too long
	pagesPerSlot    = 16               // pages, after which other checks come first
	listWait        = time.Minute      // wait for a list of the rule that is not imported yet
)

// newCheckQueue returns the worker that checks whether the members who were paid by a rule with dynamic rewards still
// qualify. It leases the check of one rule at a time, reads some pages of the rewards that the rule has granted, and
// then lets other rules come first. After a fault the lease expires, and the check is taken up again.
func (s *Service) newCheckQueue() worker.Runner {
	return &worker.Queue[checkRow]{
		Items: &worker.Items[checkRow]{
			DB:        s.DB,
			Table:     leasedChecks,
			LeaseTime: leaseTime,
			OnLease: func(ctx context.Context, tx *store.Tx, item *worker.Item[checkRow]) error {
				item.Row.start(tx.Now())
				return saveCheck(ctx, tx, &item.Row)
			},
			Save: saveCheck,
		},
		Name: "dynamic_rewards",
		Loop: worker.Loop{
			Every: tickEvery,
			Log:   s.Logger,
			Fault: "dynamic rewards could not be checked; they are tried again",
		},
		Fault:    "the dynamic rewards of a rule could not be checked; they are tried again",
		Batch:    1,
		Fairness: worker.Fairness{MaxOwners: 4, MaxLooks: 256, TimeSlice: 5 * time.Second},
		Backoff:  []time.Duration{leaseTime},
		Do:       s.checkPages,
	}
}

// Metrics returns the metrics of the queue.
func (s *Service) Metrics() []worker.Metrics { return []worker.Metrics{s.queue} }

// Run makes checks until ctx ends. Any number of nodes may run it.
func (s *Service) Run(ctx context.Context) { s.queue.Run(ctx) }

// RunDue makes all checks that are due. If none is due it writes nothing.
func (s *Service) RunDue(ctx context.Context) error {
	for {
		if n, err := s.queue.RunOnce(ctx); err != nil || n == 0 {
			return errors.Join(err, ctx.Err())
		}
	}
}

// errRuleSaved says that the rule was saved meanwhile, so the page must be checked again by its new requirements.
var errRuleSaved = errors.New("dynamicrewards: the rule has changed")

// checkItem is a check that this node has leased.
type checkItem = worker.Item[checkRow]

// checkPages checks at most pagesPerSlot pages of granted rewards. If more are left then, checkPages releases the
// check, so that the checks of other rules come first. A page that was checked by a former version of the rule is
// checked again.
func (s *Service) checkPages(ctx context.Context, item *checkItem) error {
	for range pagesPerSlot {
		isLast, err := s.checkPage(ctx, item)
		if isLast || err != nil && !errors.Is(err, errRuleSaved) {
			return err
		}
	}
	return item.Reschedule(ctx, s.DB.Now(), nil)
}

// checkPage checks the next page of granted rewards, revokes those whose requirements no longer hold, and restores
// badges whose requirements hold again. isLast is true if the check is done, or must wait for a list that was not
// imported yet. It returns errRuleSaved if the page must be checked again.
func (s *Service) checkPage(ctx context.Context, item *checkItem) (isLast bool, err error) {
	c := &item.Row
	rule, err := s.Rules.GetCached(ctx, c.scope(), c.RuleID, true)
	if err != nil {
		return false, err
	}
	rewards, last, err := s.listGranted(ctx, c, rule.Rule)
	if err != nil {
		return false, err
	}
	mayStay, err := s.mayStay(ctx, c, rule, rewards)
	if errors.Is(err, lists.ErrNotImported) {
		return true, s.updateCheck(ctx, item, s.DB.Now().Add(listWait), func(*store.Tx) error { return nil })
	}
	if err != nil {
		return false, err
	}
	if err := s.restore(ctx, c, rewards, mayStay); err != nil {
		return false, err
	}
	for maxRevoked := maxRevokedPerTx; ; maxRevoked /= 4 { // fewer if the transaction takes too long
		part, revoked := splitPage(rewards, mayStay, maxRevoked)
		isLast = len(part) == len(rewards) && last
		err = s.applyPage(ctx, item, checkedPage{rule.Rule.Version, part, revoked}, isLast)
		if !store.TookTooLong(err) || maxRevoked < 4 {
			return isLast, err
		}
	}
}

// checkedPage is a page of rewards that were checked by a version of their rule, and those that are revoked.
type checkedPage struct {
	version int64
	rewards []grantedReward
	revoked []grantedReward
}

// mayStay returns for each reward whether its member still meets the requirements. lists.ErrNotImported means that a
// list is not imported yet. If a chain with such a list is added meanwhile, it raises the rule's version, and the page
// is checked again.
func (s *Service) mayStay(
	ctx context.Context,
	c *checkRow,
	rule catalog.CachedRule,
	rewards []grantedReward,
) ([]bool, error) {
	if err := s.Lists.CheckImported(ctx, c.scope(), c.RuleID); err != nil {
		return nil, err
	}
	users := make([]laurel.ID, len(rewards))
	for i, g := range rewards {
		users[i] = g.user
	}
	return s.Completions.StillQualify(ctx, c.scope(), rule, users)
}

// splitPage returns the first rewards of a page that one transaction handles, and those of them that it revokes: at
// most maxRevoked, not revoked yet, and of members who no longer meet the requirements.
func splitPage(page []grantedReward, mayStay []bool, maxRevoked int) (part, revoked []grantedReward) {
	for i, g := range page {
		if mayStay[i] || g.isRevoked() {
			continue
		}
		if len(revoked) == maxRevoked {
			return page[:i], revoked
		}
		revoked = append(revoked, g)
	}
	return page, revoked
}

// applyPage revokes the rewards of the page that are to end and notes on the check that the page is done, in one
// transaction. It returns errRuleSaved if the rule's version has changed. It compares versions because a chain that is
// added or removed does not count as saving the rule.
func (s *Service) applyPage(ctx context.Context, item *checkItem, page checkedPage, isLast bool) error {
	c, revoked := &item.Row, 0
	var until time.Time
	if isLast { // the next check is due a day after this one began, or with the rule's next run
		until = store.Time(*c.BeganAt).Add(checkEvery)
	}
	err := s.updateCheck(ctx, item, until, func(tx *store.Tx) (err error) {
		rule, err := catalog.ReadRule(ctx, tx, c.scope(), c.RuleID)
		if err != nil {
			return err
		}
		if rule.Version != page.version {
			return errRuleSaved
		}
		if revoked, err = s.revoke(ctx, tx, c, page.revoked); err != nil {
			return err
		}
		if isLast {
			c.BeganAt, c.LastUserID = nil, laurel.ID{}
		} else {
			c.LastUserID = page.rewards[len(page.rewards)-1].user
		}
		return nil
	})
	if err == nil && revoked > 0 {
		s.Logger.Info(
			"rewards ended because what their rule asks for no longer holds",
			slog.String("rule", c.RuleID.String()),
			slog.Int("rewards", revoked),
		)
	}
	return err
}

// updateCheck calls change in a transaction that also saves the check. The check keeps its lease, or is rescheduled if
// until is set. If the rule was saved meanwhile, nothing is written: updateCheck returns errRuleSaved, and sets the new
// revision on the check, so that the next try passes.
func (s *Service) updateCheck(
	ctx context.Context,
	item *checkItem,
	until time.Time,
	change func(tx *store.Tx) error,
) error {
	revision := item.Row.Revision
	write := func(tx *store.Tx) (err error) {
		if revision, err = selectRevision(ctx, tx, item.Key); err != nil {
			return err
		}
		if revision != item.Row.Revision {
			return errRuleSaved
		}
		return change(tx)
	}
	var err error
	if until.IsZero() {
		err = item.Extend(ctx, write)
	} else {
		err = item.Reschedule(ctx, until, write)
	}
	if errors.Is(err, errRuleSaved) {
		item.Row.Revision = revision
	}
	return err
}
