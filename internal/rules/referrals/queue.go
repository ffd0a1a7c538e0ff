package referrals

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/identity"
	"laurel.example/laurel/internal/rules/catalog"
	"laurel.example/laurel/internal/rules/decision"
	"laurel.example/laurel/internal/store"
	"laurel.example/laurel/internal/worker"
)

const (
	tickEvery  = 500 * time.Millisecond
	leaseTime  = time.Minute // after this time another node takes a referral whose node has died
	sweepChunk = 500
)

// initQueue sets up the queue of due referrals, and processNow, which processes new referrals of this node at once,
// under the lease with which they were inserted. The referrals of a batch go through the committer together, so that
// one commit pays several.
func (s *Service) initQueue() {
	q := &worker.Queue[Referral]{
		Items: &worker.Items[Referral]{
			DB:        s.DB,
			Table:     queueTable,
			LeaseTime: leaseTime,
		},
		Name:        "referrals",
		Loop:        s.loop(),
		Fault:       "a referral failed with a fault",
		Batch:       64,
		Concurrency: 16,
		Fairness:    worker.Fairness{MaxOwners: 4, MaxLooks: 256, TimeSlice: 5 * time.Second},
		Backoff:     []time.Duration{30 * time.Second},
		Do:          s.processReferral,
	}
	s.queue, s.processNow = q, func(ctx context.Context, referrals []Referral) error {
		var items []*worker.Item[Referral]
		for _, r := range referrals {
			if r.SettledAt == nil && r.CheckAt != nil { // it was inserted with a lease until CheckAt
				items = append(items, q.Adopt(r.ID, store.Time(*r.CheckAt), r))
			}
		}
		return q.Process(ctx, items)
	}
}

// loop returns the settings of a polling loop.
func (s *Service) loop() worker.Loop {
	return worker.Loop{Every: tickEvery, Log: s.Logger, Fault: "due referrals could not be processed; trying again"}
}

// Metrics returns the metrics of the queue.
func (s *Service) Metrics() []worker.Metrics { return []worker.Metrics{s.queue} }

// Run processes due referrals, and sweeps of changed rules, until ctx ends. Any number of nodes may run it.
func (s *Service) Run(ctx context.Context) {
	var sweeping sync.WaitGroup
	defer sweeping.Wait()
	sweeping.Go(func() {
		loop := s.loop()
		loop.Run(ctx, s.sweepNextRule)
	})
	s.queue.Run(ctx)
}

// sweepNextRule does one step of an enqueued sweep, which marks up to sweepChunk open referrals of a changed rule as
// due. It returns false if no sweep is enqueued. It needs no lease, as each step is one transaction.
func (s *Service) sweepNextRule(ctx context.Context) (bool, error) {
	hasSweep, err := hasSweep(ctx, s.DB)
	if err != nil || !hasSweep {
		return false, err
	}
	return true, s.DB.InTx(ctx, func(tx *store.Tx) error { return advanceSweep(ctx, tx) })
}

// RunDue does one step of a sweep and processes one batch of due referrals. It returns how many steps and referrals
// these were; 0 means that nothing is due.
func (s *Service) RunDue(ctx context.Context) (int, error) {
	swept, err := s.sweepNextRule(ctx)
	if err != nil {
		return 0, err
	}
	n, err := s.queue.RunOnce(ctx)
	if swept {
		n++
	}
	return n, err
}

// payNewReferrals pays new referrals whose requirements are met already. Referrals that it cannot process are left to
// the queue.
func (s *Service) payNewReferrals(ctx context.Context, rule catalog.Rule, users []laurel.ID) {
	referrals, err := selectReferrals(ctx, s.DB, rule.ID, users)
	if err == nil {
		err = s.processNow(ctx, referrals)
	}
	if err != nil {
		s.Logger.LogAttrs(ctx, worker.LogLevel(err, slog.LevelWarn), "new referrals are left to the queue", slog.Any("error", err))
	}
}

// processReferral pays a due referral if its requirements are met. A referral that must wait is rescheduled to the
// start of its rule, or has no due time until a change marks it as due.
func (s *Service) processReferral(ctx context.Context, item *worker.Item[Referral]) error {
	r := item.Row
	scope := laurel.Scope{OrganizationID: r.OrganizationID, WebsiteID: r.WebsiteID, Role: laurel.RoleWebsite}
	until, err := s.payIfEligible(ctx, scope, r)
	switch {
	case errors.Is(err, errSettled):
		return item.Finish(ctx, func(tx *store.Tx) error { return r.saveSettled(ctx, tx) })
	case err != nil:
		return err
	}
	return item.Reschedule(ctx, until, nil)
}

// errSettled is returned if neither welcome reward nor referrer bonus is to be paid any more.
var errSettled = errors.New("referrals: settled")

// payIfEligible pays the welcome reward and referrer bonus of a referral if the rule's requirements are met. It returns
// when to try again; the zero time means that a change of the member or the rule must come first. It returns errSettled
// if nothing is left to pay.
func (s *Service) payIfEligible(ctx context.Context, scope laurel.Scope, r Referral) (time.Time, error) {
	rule, err := s.rule(ctx, scope, r.RuleID)
	if laurel.CodeOf(err) == laurel.NotFound {
		return time.Time{}, nil // wait until the rule is undeleted
	}
	if err != nil {
		return time.Time{}, err
	}
	if r.EligibleAt == nil {
		referee, err := s.People.Person(ctx, scope, identity.Ref{UserID: r.RefereeID})
		if err != nil {
			return time.Time{}, err
		}
		facts, err := s.readRefereeFacts(ctx, scope, rule, referee)
		if err != nil || !meetsRequirements(rule.Referral().Requirements, facts) {
			return time.Time{}, err
		}
		if err := s.DB.InTx(ctx, func(tx *store.Tx) error { return r.markEligible(ctx, tx) }); err != nil {
			return time.Time{}, err
		}
	}
	err = s.PayBonuses(ctx, scope, r.RuleID, r.RefereeID)
	if err == nil {
		return time.Time{}, nil // the payment has settled it
	}
	var refusal *laurel.Error
	if !errors.As(err, &refusal) || refusal.Code != laurel.Refused && refusal.Code != laurel.NotFound {
		return time.Time{}, err
	}
	if refusal.Message == decision.MsgRewarded { // another wallet of the same person was paid before
		return time.Time{}, errSettled
	}
	if rule.StartTime != nil && s.DB.Now().Before(rule.StartTime.Time) {
		return rule.StartTime.Time, nil
	}
	return time.Time{}, nil
}
