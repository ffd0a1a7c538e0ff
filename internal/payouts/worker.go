package payouts

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"laurel/internal/outbound"
	"laurel/internal/store"
)

// ErrResting is a driver's error where it was not called: the attempt does not count.
var ErrResting = errors.New("the payout driver failed several times in a row and is left alone for a while")

const (
	lease     = 45 * time.Second // a payout whose node died is carried on by another afterwards
	callLimit = 25 * time.Second // of one call, with its second try: less than the lease
	tickEvery = time.Second
	batch     = 16
	maxFaults = 8 // in a row, about two hours; then a person must look
	rest      = 15 * time.Second
)

// pauses follow calls after which the driver is asked again; the last one is repeated while it says that a payout is pending.
var pauses = [...]time.Duration{5 * time.Second, 15 * time.Second, time.Minute, 5 * time.Minute, 15 * time.Minute, 30 * time.Minute, time.Hour}

func pauseAfter(calls int64) time.Duration {
	return pauses[min(int(max(calls, 1))-1, len(pauses)-1)]
}

// Run hands payouts over until ctx ends. Any number of nodes may run it. Without a driver nothing is asked, and what is owed waits.
func (s *Service) Run(ctx context.Context) {
	if s.Driver == nil {
		return
	}
	tick := time.NewTicker(tickEvery)
	defer tick.Stop()
	for {
		n, err := s.RunDue(ctx)
		if err != nil && ctx.Err() == nil {
			s.Logger.Warn("payouts met a fault; they are tried again", slog.Any("error", err))
		}
		if n == batch && err == nil {
			continue
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

// RunDue hands over the payouts that are due now, at most one batch, and answers how many there were. That the driver is down is no error.
func (s *Service) RunDue(ctx context.Context) (int, error) {
	if s.Driver == nil {
		return 0, nil
	}
	ids, err := due(ctx, s.DB, s.DB.Now())
	if err != nil || len(ids) == 0 {
		return 0, err
	}
	var mine []Payout
	err = s.DB.InTx(ctx, func(tx *store.Tx) (err error) {
		mine, err = take(ctx, tx, ids)
		return err
	})
	if err != nil {
		return 0, err
	}
	errs := make([]error, len(mine))
	var all sync.WaitGroup
	for i, p := range mine {
		all.Go(func() { errs[i] = s.handOver(ctx, p) })
	}
	all.Wait()
	return len(ids), errors.Join(errs...)
}

// handOver asks the driver and writes down what it says. A server that stops does not end the call: its outcome must be learnt. Where the node dies in
// between, another one asks again under the same id.
func (s *Service) handOver(ctx context.Context, p Payout) error {
	ctx = context.WithoutCancel(ctx)
	calling, cancel := context.WithTimeout(ctx, callLimit)
	defer cancel()
	answer, err := s.Driver(calling, p)
	after := judge(p, answer, err, s.DB.Now())
	if after.Message != "" {
		s.Logger.Warn("a payout was not made", slog.String("payout", p.ID.String()), slog.String("status", after.Status), slog.Int64("attempt", p.Attempts),
			slog.String("reason", after.Message), slog.Any("cause", err))
	}
	return s.DB.InTx(ctx, func(tx *store.Tx) error { return save(ctx, tx, p, after) })
}

// told is what a tenant is told of an outage. Where the driver is, and what it says while it fails, is the operator's own affair.
func told(outage error) string {
	var f *outbound.Fault
	if errors.As(outage, &f) {
		return f.Kind()
	}
	return "the answer is not valid"
}

// judge answers the payout as it is after a call at a moment: what the driver says counts; where it says nothing, the payout stays as it is until there
// were too many faults in a row. It is pure.
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
