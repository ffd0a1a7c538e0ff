package payouts

import (
	"context"
	"errors"
	"log/slog"
	"sync/atomic"
	"time"

	"laurel"
	"laurel/internal/outbound"
	"laurel/internal/store"
	"laurel/internal/worker"
)

// ErrResting is a driver's error where it was not called: the attempt does not count.
var ErrResting = errors.New("the payout driver failed several times in a row and is left alone for a while")

const (
	lease     = 45 * time.Second // a payout whose node died is carried on by another afterwards
	callLimit = 25 * time.Second // of one call, with its second try: less than the lease
	maxFaults = 8                // in a row, about two hours; then a person must look
	rest      = 15 * time.Second
)

// pauses follow calls after which the driver is asked again; the last one is repeated while it says that a payout is
// pending.
var pauses = [...]time.Duration{
	5 * time.Second,
	15 * time.Second,
	time.Minute,
	5 * time.Minute,
	15 * time.Minute,
	30 * time.Minute,
	time.Hour,
}

func pauseAfter(calls int64) time.Duration {
	return pauses[min(int(max(calls, 1))-1, len(pauses)-1)]
}

// runShare hands over payouts of a website that are due, and reports whether others may be. A driver that is left alone
// is not asked for the rest of them either, and nothing of the website is leased until that is over.
func (s *Service) runShare(ctx context.Context, website laurel.ID) (more bool, err error) {
	size := s.resting.size(website, s.DB.Now())
	if size == 0 {
		return false, nil
	}
	ids, err := due(ctx, s.DB, website, size)
	if err != nil || len(ids) == 0 {
		return false, err
	}
	var mine []Payout
	err = s.DB.InTx(ctx, func(tx *store.Tx) (err error) {
		mine, err = take(ctx, tx, ids)
		return err
	})
	if err != nil || len(mine) == 0 {
		return false, err
	}
	var alone atomic.Bool
	err = worker.Together(mine, share, func(p Payout) error {
		resting, err := s.handOver(ctx, p)
		if resting {
			alone.Store(true)
		}
		return err
	})
	switch {
	case err != nil:
		return false, err
	case !alone.Load():
		s.resting.end(website)
		return len(ids) == size, nil
	case s.resting.begin(website, s.DB.Now().Add(rest)):
		s.Logger.Warn(
			"the payout driver is left alone for a website until it answers again",
			slog.String("website", website.String()),
		)
	}
	return false, nil
}

// handOver asks the driver and writes down what it says. A server that stops does not end the call: its outcome must be
// learnt. Where the node dies in between, another one asks again under the same id. resting: the driver was not asked.
func (s *Service) handOver(ctx context.Context, p Payout) (resting bool, err error) {
	ctx = context.WithoutCancel(ctx)
	calling, cancel := context.WithTimeout(ctx, callLimit)
	defer cancel()
	answer, err := s.Driver(calling, p)
	after := judge(p, answer, err, s.DB.Now())
	resting = errors.Is(err, ErrResting)
	if after.Message != "" && !resting {
		s.Logger.Warn(
			"a payout was not made",
			slog.String("payout", p.ID.String()),
			slog.String("status", after.Status),
			slog.Int64("attempt", p.Attempts),
			slog.String("reason", after.Message),
			slog.Any("cause", err),
		)
	}
	return resting, s.DB.InTx(ctx, func(tx *store.Tx) error { return save(ctx, tx, p, after) })
}

// told is what a tenant is told of an outage. Where the driver is, and what it says while it fails, is the operator's
// own affair.
func told(outage error) string {
	var f *outbound.Fault
	if errors.As(outage, &f) {
		return f.Told()
	}
	return "the answer is not valid"
}

// judge returns the payout as it is after a call at a moment: what the driver says counts; where it says nothing, the
// payout stays as it is until there were too many faults in a row. It is pure.
func judge(p Payout, a Answer, fault error, now time.Time) Payout {
	after := p
	after.Message, after.Faults = "", 0
	switch {
	case errors.Is(fault, ErrResting):
		after.Message, after.Faults, after.Attempts, after.DueAt = ErrResting.Error(), p.Faults, p.Attempts-1, now.Add(rest)
	case fault != nil:
		after.Message, after.Faults, after.DueAt = told(fault), p.Faults+1, now.Add(pauseAfter(p.Faults+1))
		if after.Faults >= maxFaults {
			after.Status = Failed
		}
	case a.Status == Failed:
		after.Status, after.Message = Failed, a.Message
	case a.Status == Sent:
		after.Status, after.DueAt = Sent, now.Add(pauseAfter(p.Attempts))
	default:
		after.Status = Done
	}
	if a.TxHash != "" {
		after.TxHash = a.TxHash
	}
	if after.Status != p.Status || after.TxHash != p.TxHash {
		after.UpdatedAt = now
	}
	return after
}
