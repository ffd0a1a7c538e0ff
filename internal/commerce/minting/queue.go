package minting

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"laurel"
	"laurel/internal/store"
	"laurel/internal/worker"
)

const (
	lease            = 45 * time.Second // a mint whose node died is carried on by another afterwards
	callLimit        = 25 * time.Second // of one call of the driver, with its second try: less than the lease
	driverPause      = 15 * time.Second
	noDriverInterval = time.Minute // how often a mint is looked at while there is no driver
)

// The codes of failures (contract 3.26).
const (
	codeRefused  = 422
	codeTimedOut = 408
)

// retryDelays follow calls after which the driver is asked again; the last one is repeated.
var retryDelays = [...]time.Duration{5 * time.Second, 15 * time.Second, time.Minute, 5 * time.Minute}

func retryDelay(calls int64) time.Duration {
	return retryDelays[min(int(max(calls, 1))-1, len(retryDelays)-1)]
}

// newQueue makes the queue of mints that are under way: the driver is asked for those without a signature, and those whose
// time is over fail.
func (s *Service) newQueue() worker.Runner {
	return &worker.Queue[MintRow]{
		Items: &worker.Items[MintRow]{
			DB:    s.DB,
			Table: leasedMints,
			Lease: lease,
			Save: func(ctx context.Context, tx *store.Tx, r *MintRow) error {
				return saveMints(ctx, tx, []*MintRow{r})
			},
		},
		Name:    "mints",
		Loop:    worker.Loop{Every: time.Second, Log: s.Logger, Fault: "mints met a fault; they are tried again"},
		Fault:   "a mint met a fault",
		Batch:   8,
		Crowd:   worker.Crowd{Owners: 16, Looks: 256, Turn: 5 * time.Second, Rest: driverPause},
		Backoff: retryDelays[:],
		Do:      s.advance,
	}
}

// Metrics are those of the queue of mints.
func (s *Service) Metrics() []worker.Metrics { return []worker.Metrics{s.queue} }

// Run carries mints on until ctx ends. Any number of nodes may run it.
func (s *Service) Run(ctx context.Context) { s.queue.Run(ctx) }

// RunDue carries on the mints that are due now, at most a share of each website.
func (s *Service) RunDue(ctx context.Context) error { return s.queue.Round(ctx) }

// expiry is when a mint fails by itself; false: never.
func (r MintRow) expiry() (time.Time, bool) {
	if r.ExpiresAt == nil {
		return time.Time{}, false
	}
	return store.Time(*r.ExpiresAt), true
}

// dueAt is a moment, or when the mint fails by itself where that is earlier.
func (r MintRow) dueAt(at time.Time) time.Time {
	if end, canExpire := r.expiry(); canExpire && end.Before(at) {
		return end
	}
	return at
}

func (s *Service) advance(ctx context.Context, h *worker.Item[MintRow]) error {
	ctx = context.WithoutCancel(ctx) // what a call came to must be learnt
	now := s.DB.Now()
	expiresAt, canExpire := h.Row.expiry()
	switch {
	case canExpire && !now.Before(expiresAt):
		return s.endByDriver(ctx, h.Row, outcome{status: Failed, code: codeTimedOut, message: "Mint timed out"})
	case h.Row.Status == Minting:
		return h.PutOff(ctx, expiresAt, nil) // the zero time where it never ends: whoever has the signature reports it
	case s.Driver == nil:
		return h.PutOff(ctx, h.Row.dueAt(now.Add(noDriverInterval)), nil)
	}
	job, err := s.newJob(ctx, h.Row)
	if err != nil {
		return err
	}
	callCtx, cancel := context.WithTimeout(ctx, callLimit)
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
	return h.PutOff(ctx, due, func(tx *store.Tx) error {
		h.Row.applyResult(result, tx.Now())
		return nil
	})
}

// applyResult takes over what the driver says of a mint that is not over.
func (r *MintRow) applyResult(a DriverResult, now time.Time) {
	o := outcome{}
	r.TxHash, r.RelayerTxID = o.textOr(a.TxHash, r.TxHash), o.textOr(a.RelayerTxID, r.RelayerTxID)
	if a.Status == Minting {
		signature := string(a.Signature)
		r.Status, r.Signature, r.UpdatedAt = Minting, &signature, store.Micros(now)
	}
}

// rescheduleAfterOutage puts a mint off whose driver cannot be asked.
func (s *Service) rescheduleAfterOutage(ctx context.Context, h *worker.Item[MintRow], cause error) error {
	if errors.Is(cause, ErrPaused) {
		if err := h.PutOff(ctx, h.Row.dueAt(s.DB.Now().Add(driverPause)), nil); err != nil {
			return err
		}
		return worker.ErrPause
	}
	h.Faulted(false)
	s.Logger.Warn(
		"the minting driver could not be asked",
		slog.String("mint", h.Key.String()), slog.Int64("attempt", h.Attempts), slog.Any("cause", cause),
	)
	return h.PutOff(ctx, h.Row.dueAt(s.DB.Now().Add(retryDelay(h.Attempts))), nil)
}

// endByDriver ends a mint, unless it has ended meanwhile. What the driver has minted corrects what has failed meanwhile.
func (s *Service) endByDriver(ctx context.Context, r MintRow, o outcome) error {
	err := s.finish(ctx, laurel.Scope{OrganizationID: r.OrganizationID, WebsiteID: r.WebsiteID}, r.ID, o)
	if laurel.CodeOf(err) == laurel.Refused {
		return nil
	}
	return err
}

// newJob reads what the driver is told, also of what was deleted meanwhile.
func (s *Service) newJob(ctx context.Context, r MintRow) (j Job, err error) {
	if j.Mint, err = r.Mint(); err != nil {
		return j, err
	}
	asset, _, err := s.assets.Get(ctx, r.AssetID)
	if err != nil {
		return j, err
	}
	contract, _, err := s.contracts.Get(ctx, r.ContractID)
	if err != nil {
		return j, err
	}
	j.Asset = asset.asset()
	if end, canExpire := r.expiry(); canExpire {
		j.ExpiresAt = laurel.Stamp(end)
	}
	j.Contract, err = contract.contract()
	return j, err
}
