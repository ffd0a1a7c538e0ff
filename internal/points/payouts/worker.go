package payouts

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/outbound"
	"laurel.example/laurel/internal/store"
	"laurel.example/laurel/internal/worker"
)

// ErrPaused is the error of a driver that was not called: the attempt does not count.
var ErrPaused = errors.New("the payout driver failed several times in a row and is left alone for a while")

const (
	lease       = 45 * time.Second // after it another node takes over a payout whose node died
	callLimit   = 25 * time.Second // of one call, with its second try: less than the lease
	maxFaults   = 8                // in a row, about two hours; then a person must look
	driverPause = 15 * time.Second
)

// retryDelays are the times until the driver is called again; the last one is repeated while a payout is pending.
var retryDelays = [...]time.Duration{
	5 * time.Second,
	15 * time.Second,
	time.Minute,
	5 * time.Minute,
	15 * time.Minute,
	30 * time.Minute,
	time.Hour,
}

// retryDelay returns how long to wait after so many calls of the driver, or so many outages in a row.
func retryDelay(calls int64) time.Duration {
	return retryDelays[min(int(max(calls, 1))-1, len(retryDelays)-1)]
}

// newQueue makes the queue of open payouts. It serves up to 16 websites at once, so that a slow or failing payout
// delays only its own website. callDriver reschedules every payout itself.
func (s *Service) newQueue() worker.Runner {
	return &worker.Queue[Payout]{
		Items: &worker.Items[Payout]{
			DB:        s.DB,
			Table:     payoutQueueTable,
			LeaseTime: lease,
			Save:      table.Update,
		},
		Name:     "payouts",
		Loop:     worker.Loop{Every: time.Second, Log: s.Logger, Fault: "payouts met a fault; they are tried again"},
		Fault:    "a payout met a fault",
		Batch:    8,
		Fairness: worker.Fairness{MaxOwners: 16, MaxLooks: 256, TimeSlice: 5 * time.Second, Pause: driverPause},
		Backoff:  []time.Duration{lease},
		Do:       s.callDriver,
	}
}

// Metrics returns the metrics of the queue of payouts.
func (s *Service) Metrics() []worker.Metrics { return []worker.Metrics{s.queue} }

// Run makes due payouts until ctx ends. Any number of nodes may run it. Without a driver it does nothing, and payouts
// wait.
func (s *Service) Run(ctx context.Context) {
	if s.Driver != nil {
		s.queue.Run(ctx)
	}
}

// RunDue makes one round over the payouts that are due now, with a bounded number per website. A driver that is down is
// no error.
func (s *Service) RunDue(ctx context.Context) error {
	if s.Driver == nil {
		return nil
	}
	return s.queue.RunRound(ctx)
}

// callDriver calls the driver for a leased payout, stores the result, and sets when the driver is called next. A server
// that stops does not cancel the call, because its outcome must be learnt. If the node dies meanwhile, another one
// calls again under the same id. It returns worker.ErrPause if the driver is paused.
func (s *Service) callDriver(ctx context.Context, item *worker.Item[Payout]) error {
	ctx = context.WithoutCancel(ctx)
	callCtx, cancel := context.WithTimeout(ctx, callLimit)
	defer cancel()
	p := item.Row
	p.Attempts = item.Attempts
	result, outage := s.Driver(callCtx, p)
	after := afterCall(p, result, outage, s.DB.Now())
	isPaused := errors.Is(outage, ErrPaused)
	if outage != nil && !isPaused {
		item.CountFault(after.Status == Failed)
	}
	if after.Message != "" && !isPaused {
		s.Logger.Warn(
			"a payout was not made",
			slog.String("payout", p.ID.String()),
			slog.String("status", after.Status),
			slog.Int64("attempt", p.Attempts),
			slog.String("reason", after.Message),
			slog.Any("cause", outage),
		)
	}
	err := item.Reschedule(ctx, after.DueAt.Time, func(*store.Tx) error {
		item.Row = after
		return nil
	})
	if err == nil && isPaused {
		return worker.ErrPause
	}
	return err
}

// publicReason returns the reason of an outage for tenants. Details of the driver are only for the operator.
func publicReason(outage error) string {
	var f *outbound.Fault
	if errors.As(outage, &f) {
		return f.TenantMessage()
	}
	return "the answer is not valid"
}

// afterCall returns the payout as it is after a call of the driver at now, and changes nothing itself. Without an
// outage the payout has the status of the result. After an outage it keeps its status and is due again later; after
// maxFaults outages in a row it has failed. A call that was not made (ErrPaused) does not count.
func afterCall(p Payout, result DriverResult, outage error, now time.Time) Payout {
	after := p
	after.Message, after.Faults = "", 0
	switch {
	case errors.Is(outage, ErrPaused):
		after.Message, after.Faults = ErrPaused.Error(), p.Faults
		after.Attempts, after.DueAt.Time = p.Attempts-1, now.Add(driverPause)
	case outage != nil:
		after.Message, after.Faults, after.DueAt.Time = publicReason(outage), p.Faults+1, now.Add(retryDelay(p.Faults+1))
		if after.Faults >= maxFaults {
			after.Status = Failed
		}
	case result.Status == Failed:
		after.Status, after.Message = Failed, result.Message
	case result.Status == Sent:
		after.Status, after.DueAt.Time = Sent, now.Add(retryDelay(p.Attempts))
	default:
		after.Status = Done
	}
	if result.TxHash != "" {
		after.TxHash = laurel.NullText(result.TxHash)
	}
	if after.Status != p.Status || after.TxHash != p.TxHash {
		after.UpdatedAt.Time = now
	}
	return after
}
