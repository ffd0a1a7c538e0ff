package referrals

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"laurel"
	"laurel/internal/identity"
	"laurel/internal/rules/catalog"
	"laurel/internal/rules/decision"
	"laurel/internal/store"
	"laurel/internal/worker"
)

const (
	tickEvery  = 500 * time.Millisecond
	lease      = time.Minute // a referral taken by a node that died is taken again afterwards
	batch      = 64
	atOnce     = 16 // referrals that meet in the committer, so that one commit pays several
	sweepChunk = 500
	afterFault = 30 * time.Second
)

// Run looks at referrals when something they depend on has changed, until ctx ends. Any number of nodes may run it.
func (s *Service) Run(ctx context.Context) {
	loop := worker.Loop{Every: tickEvery, Log: s.Logger, Fault: "referrals could not be looked at; they are tried again"}
	loop.Run(ctx, func(ctx context.Context) (more bool, err error) {
		n, err := s.RunDue(ctx)
		return n > 0 && err == nil, err
	})
}

// RunDue looks at the referrals that are due now, at most one batch, and returns how many steps it took; 0: there is
// nothing to do.
func (s *Service) RunDue(ctx context.Context) (int, error) {
	sweep, look, err := waits(ctx, s.DB, s.DB.Now())
	if err != nil {
		return 0, err
	}
	swept := false
	if sweep {
		if err := s.DB.InTx(ctx, func(tx *store.Tx) (err error) {
			swept, err = sweepOn(ctx, tx)
			return err
		}); err != nil {
			return 0, err
		}
	}
	var due []Referral
	if look || swept {
		if err := s.DB.InTx(ctx, func(tx *store.Tx) (err error) {
			due, err = take(ctx, tx)
			return err
		}); err != nil {
			return 0, err
		}
	}
	n := len(due)
	if swept {
		n++
	}
	return n, s.lookAll(ctx, due)
}

// settleNew pays what new referrals pay at once. What it does not come to is left to the worker.
func (s *Service) settleNew(ctx context.Context, rule catalog.Rule, users []laurel.ID) {
	made, err := selectReferrals(ctx, s.DB, rule.ID, users)
	if err == nil {
		err = s.lookAll(ctx, made)
	}
	if err != nil {
		s.Logger.LogAttrs(ctx, worker.Level(err, slog.LevelWarn), "new referrals wait for the worker", slog.Any("error", err))
	}
}

func (s *Service) lookAll(ctx context.Context, due []Referral) error {
	return worker.Together(due, atOnce, func(r Referral) error { return s.look(ctx, r) })
}

// look settles a referral that can be, and says of any other what it waits for.
func (s *Service) look(ctx context.Context, r Referral) error {
	if r.SettledAt != nil || r.LookAt == nil {
		return nil
	}
	scope := laurel.Scope{OrganizationID: r.OrganizationID, WebsiteID: r.WebsiteID, Role: laurel.RoleWebsite}
	until, err := s.settle(ctx, scope, r)
	if errors.Is(err, errSettled) {
		return s.DB.InTx(ctx, func(tx *store.Tx) error { return r.close(ctx, tx) })
	}
	if err != nil && ctx.Err() == nil {
		s.Logger.LogAttrs(
			ctx,
			worker.Level(err, slog.LevelWarn),
			"a referral met a fault",
			slog.String("referral", r.ID.String()),
			slog.Any("error", err),
		)
		until, err = s.DB.Now().Add(afterFault), nil
	}
	if err != nil {
		return err
	}
	return s.DB.InTx(ctx, func(tx *store.Tx) error { return r.wait(ctx, tx, store.Micros(until)) })
}

// errSettled tells that nothing is left to be paid but shares.
var errSettled = errors.New("referrals: settled")

// settle returns until when the referral waits by itself: zero where something has to change first.
func (s *Service) settle(ctx context.Context, scope laurel.Scope, r Referral) (time.Time, error) {
	rule, err := s.rule(ctx, scope, r.RuleID)
	if laurel.CodeOf(err) == laurel.NotFound {
		return time.Time{}, nil // until the rule comes back
	}
	if err != nil {
		return time.Time{}, err
	}
	if r.EligibleAt == nil {
		referee, err := s.People.Person(ctx, scope, identity.Ref{UserID: r.RefereeID})
		if err != nil {
			return time.Time{}, err
		}
		has, err := s.standing(ctx, scope, rule, referee)
		if err != nil || !met(rule.Referral().Requirements, has) {
			return time.Time{}, err
		}
		if err := s.DB.InTx(ctx, func(tx *store.Tx) error { return r.markEligible(ctx, tx) }); err != nil {
			return time.Time{}, err
		}
	}
	err = s.Settle(ctx, scope, r.RuleID, r.RefereeID)
	if err == nil {
		return time.Time{}, nil // the payment has settled it
	}
	var refusal *laurel.Error
	if !errors.As(err, &refusal) || refusal.Code != laurel.Refused && refusal.Code != laurel.NotFound {
		return time.Time{}, err
	}
	if refusal.Message == decision.MsgRewarded { // a wallet of the same person was welcomed before
		return time.Time{}, errSettled
	}
	if rule.StartTime != nil && s.DB.Now().Before(rule.StartTime.Time) {
		return rule.StartTime.Time, nil
	}
	return time.Time{}, nil
}
