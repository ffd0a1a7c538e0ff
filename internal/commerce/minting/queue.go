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
	lease     = 45 * time.Second // a mint whose node died is carried on by another afterwards
	callLimit = 25 * time.Second // of one call of the driver, with its second try: less than the lease
	rest      = 15 * time.Second
	undriven  = time.Minute // how often a mint is looked at while there is no driver
)

// The codes of failures (contract 3.26).
const (
	codeRefused  = 422
	codeTimedOut = 408
)

// pauses follow calls after which the driver is asked again; the last one is repeated.
var pauses = [...]time.Duration{5 * time.Second, 15 * time.Second, time.Minute, 5 * time.Minute}

func pauseAfter(calls int64) time.Duration { return pauses[min(int(max(calls, 1))-1, len(pauses)-1)] }

// open makes the queue of mints that are under way: the driver is asked for those without a signature, and those whose
// time is over fail.
func (s *Service) open() worker.Runner {
	return &worker.Queue[MintRow]{
		Items: &worker.Items[MintRow]{
			DB:    s.DB,
			Table: leased,
			Lease: lease,
			Save: func(ctx context.Context, tx *store.Tx, r *MintRow) error {
				return saveMints(ctx, tx, []*MintRow{r})
			},
		},
		Name:    "mints",
		Loop:    worker.Loop{Every: time.Second, Log: s.Logger, Fault: "mints met a fault; they are tried again"},
		Fault:   "a mint met a fault",
		Batch:   8,
		Crowd:   worker.Crowd{Owners: 16, Looks: 256, Turn: 5 * time.Second, Rest: rest},
		Backoff: pauses[:],
		Do:      s.carryOn,
	}
}

// Metrics are those of the queue of mints.
func (s *Service) Metrics() []worker.Metrics { return []worker.Metrics{s.queue} }

// Run carries mints on until ctx ends. Any number of nodes may run it.
func (s *Service) Run(ctx context.Context) { s.queue.Run(ctx) }

// RunDue carries on the mints that are due now, at most a share of each website.
func (s *Service) RunDue(ctx context.Context) error { return s.queue.Round(ctx) }

// expires is when a mint fails by itself; false: never.
func (r MintRow) expires() (time.Time, bool) {
	if r.ExpiresAt == nil {
		return time.Time{}, false
	}
	return store.Time(*r.ExpiresAt), true
}

// next is a moment, or when the mint fails by itself where that is earlier.
func (r MintRow) next(at time.Time) time.Time {
	if end, ends := r.expires(); ends && end.Before(at) {
		return end
	}
	return at
}

func (s *Service) carryOn(ctx context.Context, h *worker.Item[MintRow]) error {
	ctx = context.WithoutCancel(ctx) // what a call came to must be learnt
	now := s.DB.Now()
	end, ends := h.Row.expires()
	switch {
	case ends && !now.Before(end):
		return s.end(ctx, h.Row, outcome{status: Failed, code: codeTimedOut, message: "Mint timed out"})
	case h.Row.Status == Minting:
		return h.PutOff(ctx, end, nil) // the zero time where it never ends: whoever has the signature reports it
	case s.Driver == nil:
		return h.PutOff(ctx, h.Row.next(now.Add(undriven)), nil)
	}
	job, err := s.job(ctx, h.Row)
	if err != nil {
		return err
	}
	calling, cancel := context.WithTimeout(ctx, callLimit)
	defer cancel()
	answer, fault := s.Driver(calling, job)
	if fault != nil {
		return s.outage(ctx, h, fault)
	}
	switch answer.Status {
	case Minted:
		return s.end(ctx, h.Row, outcome{
			status: Minted, txHash: answer.TxHash, relayerTxID: answer.RelayerTxID, corrects: true,
		})
	case Failed:
		return s.end(ctx, h.Row, outcome{status: Failed, code: codeRefused, message: answer.Message})
	}
	due := h.Row.next(s.DB.Now().Add(pauseAfter(h.Attempts)))
	if answer.Status == Minting {
		due = end
	}
	return h.PutOff(ctx, due, func(tx *store.Tx) error {
		h.Row.keep(answer, tx.Now())
		return nil
	})
}

// keep takes over what the driver says of a mint that is not over.
func (r *MintRow) keep(a Answer, now time.Time) {
	o := outcome{}
	r.TxHash, r.RelayerTxID = o.take(a.TxHash, r.TxHash), o.take(a.RelayerTxID, r.RelayerTxID)
	if a.Status == Minting {
		signature := string(a.Signature)
		r.Status, r.Signature, r.UpdatedAt = Minting, &signature, store.Micros(now)
	}
}

// outage puts a mint off whose driver cannot be asked.
func (s *Service) outage(ctx context.Context, h *worker.Item[MintRow], fault error) error {
	if errors.Is(fault, ErrResting) {
		if err := h.PutOff(ctx, h.Row.next(s.DB.Now().Add(rest)), nil); err != nil {
			return err
		}
		return worker.ErrPause
	}
	h.Faulted(false)
	s.Logger.Warn(
		"the minting driver could not be asked",
		slog.String("mint", h.Key.String()), slog.Int64("attempt", h.Attempts), slog.Any("cause", fault),
	)
	return h.PutOff(ctx, h.Row.next(s.DB.Now().Add(pauseAfter(h.Attempts))), nil)
}

// end ends a mint, unless it has ended meanwhile. What the driver has minted corrects what has failed meanwhile.
func (s *Service) end(ctx context.Context, r MintRow, o outcome) error {
	err := s.finish(ctx, laurel.Scope{OrganizationID: r.OrganizationID, WebsiteID: r.WebsiteID}, r.ID, o)
	if laurel.CodeOf(err) == laurel.Refused {
		return nil
	}
	return err
}

// job reads what the driver is told, also of what was deleted meanwhile.
func (s *Service) job(ctx context.Context, r MintRow) (j Job, err error) {
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
	if end, ends := r.expires(); ends {
		j.ExpiresAt = laurel.Stamp(end)
	}
	j.Contract, err = contract.contract()
	return j, err
}
