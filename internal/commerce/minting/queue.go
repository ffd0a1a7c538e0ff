package minting

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/store"
	"laurel.example/laurel/internal/worker"
)

const (
	leaseTime        = 45 * time.Second // after it another node takes over a mint whose node died
	callTimeout      = 25 * time.Second // of one call of the driver with its second try; less than the lease
	driverPause      = 15 * time.Second
	noDriverInterval = time.Minute // how often a mint is due while no driver is configured
)

// The codes of failures (contract 3.26).
const (
	codeRefused  = 422
	codeTimedOut = 408
)

// retryDelays are the times until the driver is called again; the last one is repeated.
var retryDelays = [...]time.Duration{5 * time.Second, 15 * time.Second, time.Minute, 5 * time.Minute}

func retryDelay(calls int64) time.Duration {
	return retryDelays[min(int(max(calls, 1))-1, len(retryDelays)-1)]
}

// newQueue makes the queue of open mints, which sends those without a signature to the driver, and fails those that
// have timed out.
func (s *Service) newQueue() worker.Runner {
	return &worker.Queue[Mint]{
		Items: &worker.Items[Mint]{
			DB:        s.DB,
			Table:     leasedMints,
			LeaseTime: leaseTime,
			Save:      mintTable.Update,
		},
		Name:     "mints",
		Loop:     worker.Loop{Every: time.Second, Log: s.Logger, Fault: "mints met a fault; they are tried again"},
		Fault:    "a mint met a fault",
		Batch:    8,
		Fairness: worker.Fairness{MaxOwners: 16, MaxLooks: 256, TimeSlice: 5 * time.Second, Pause: driverPause},
		Backoff:  retryDelays[:],
		Do:       s.advance,
	}
}

// Metrics returns the metrics of the queue of mints.
func (s *Service) Metrics() []worker.Metrics { return []worker.Metrics{s.queue} }

// Run works on due mints until ctx ends. Any number of nodes may run it.
func (s *Service) Run(ctx context.Context) { s.queue.Run(ctx) }

// RunDue makes one round over the mints that are due now, with a bounded number per website.
func (s *Service) RunDue(ctx context.Context) error { return s.queue.RunRound(ctx) }

// dueAt returns the time, or the expiry of the mint if that is earlier.
func (m Mint) dueAt(at time.Time) time.Time {
	if !m.ExpiresAt.IsZero() && m.ExpiresAt.Before(at) {
		return m.ExpiresAt.Time
	}
	return at
}

// advance does the next step of a leased mint. A mint past its expiry fails. A mint with a signature (Minting) waits
// until it expires, or until a caller reports its outcome. Without a driver the mint is tried again later. Any other
// mint is sent to the driver, whose result ends or reschedules it.
func (s *Service) advance(ctx context.Context, h *worker.Item[Mint]) error {
	ctx = context.WithoutCancel(ctx) // even while the server stops, the result of a call is recorded
	now := s.DB.Now()
	expiresAt := h.Row.ExpiresAt.Time // zero: never
	switch {
	case !expiresAt.IsZero() && !now.Before(expiresAt):
		return s.endByDriver(ctx, h.Row, outcome{status: Failed, code: codeTimedOut, message: "Mint timed out"})
	case h.Row.Status == Minting:
		// The zero time means never: the member who has the signature reports the outcome.
		return h.Reschedule(ctx, expiresAt, nil)
	case s.Driver == nil:
		return h.Reschedule(ctx, h.Row.dueAt(now.Add(noDriverInterval)), nil)
	}
	job, err := s.newJob(ctx, h.Row)
	if err != nil {
		return err
	}
	callCtx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	result, outage := s.Driver(callCtx, job)
	if outage != nil {
		return s.rescheduleAfterOutage(ctx, h, outage)
	}
	switch result.Status {
	case Minted:
		return s.endByDriver(ctx, h.Row, outcome{
			status: Minted, txHash: result.TxHash, relayerTxID: result.RelayerTxID, mayCorrect: true,
		})
	case Failed:
		return s.endByDriver(ctx, h.Row, outcome{status: Failed, code: codeRefused, message: result.Message})
	}
	due := h.Row.dueAt(s.DB.Now().Add(retryDelay(h.Attempts)))
	if result.Status == Minting {
		due = expiresAt
	}
	return h.Reschedule(ctx, due, func(tx *store.Tx) error {
		h.Row.applyResult(result, tx.Now())
		return nil
	})
}

// applyResult writes the driver's result, pending or signed, into a mint that stays open.
func (m *Mint) applyResult(result DriverResult, now time.Time) {
	m.TxHash, m.RelayerTxID = textOr(result.TxHash, m.TxHash), textOr(result.RelayerTxID, m.RelayerTxID)
	if result.Status == Minting {
		m.Status, m.Signature, m.UpdatedAt.Time = Minting, laurel.RawJSON(result.Signature), now
	}
}

// rescheduleAfterOutage makes a mint due again later, because its driver could not be called. It returns
// worker.ErrPause if the driver is paused, so that the website's other mints wait too.
func (s *Service) rescheduleAfterOutage(ctx context.Context, h *worker.Item[Mint], cause error) error {
	if errors.Is(cause, ErrPaused) {
		if err := h.Reschedule(ctx, h.Row.dueAt(s.DB.Now().Add(driverPause)), nil); err != nil {
			return err
		}
		return worker.ErrPause
	}
	h.CountFault(false) // false: the mint is tried again
	s.Logger.Warn(
		"the minting driver could not be called",
		slog.String("mint", h.Key.String()), slog.Int64("attempt", h.Attempts), slog.Any("cause", cause),
	)
	return h.Reschedule(ctx, h.Row.dueAt(s.DB.Now().Add(retryDelay(h.Attempts))), nil)
}

// endByDriver ends a mint with the driver's outcome or a timeout. It does nothing if the mint has ended already; but
// one that failed meanwhile is corrected if the driver has minted it.
func (s *Service) endByDriver(ctx context.Context, r Mint, o outcome) error {
	err := s.finish(ctx, laurel.Scope{OrganizationID: r.OrganizationID, WebsiteID: r.WebsiteID}, r.ID, o)
	if laurel.CodeOf(err) == laurel.Refused {
		return nil
	}
	return err
}

// newJob reads the asset and the contract of a mint, even deleted ones, and returns the driver's job.
func (s *Service) newJob(ctx context.Context, m Mint) (Job, error) {
	asset, _, err := s.assets.Get(ctx, m.AssetID)
	if err != nil {
		return Job{}, err
	}
	contract, _, err := s.contracts.Get(ctx, m.ContractID)
	if err != nil {
		return Job{}, err
	}
	return Job{Mint: m, Contract: *contract, Asset: *asset}, nil
}
