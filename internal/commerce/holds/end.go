package holds

import (
	"context"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/feed"
	"laurel.example/laurel/internal/points/ledger"
	"laurel.example/laurel/internal/store"
	"laurel.example/laurel/internal/worker"
)

// errFinal refuses to change a hold that is captured, released or expired.
func errFinal() error { return laurel.Errorf(laurel.Refused, "Hold is already final") }

// Capture keeps the given amount of a hold's points, or all of them if amount is nil, and refunds the rest in the same
// transaction. Errors: Invalid; NotFound "Hold"; Refused "Hold is already final".
func (s *Service) Capture(
	ctx context.Context, scope laurel.Scope, id laurel.ID, amount *laurel.Amount,
) (Hold, error) {
	if amount != nil && *amount <= 0 {
		var f laurel.Faults
		f.Add("amount", "must be greater than 0")
		return Hold{}, f.Err()
	}
	return s.end(ctx, scope, id, endWork{status: Captured, amount: amount})
}

// Release refunds the whole hold. Errors: NotFound "Hold"; Refused "Hold is already final".
func (s *Service) Release(ctx context.Context, scope laurel.Scope, id laurel.ID) (Hold, error) {
	return s.end(ctx, scope, id, endWork{status: Released})
}

// Kept returns what each account has paid for an ended hold, without what it got back. Errors: NotFound "Hold"; Refused
// while the hold may still give points back.
func Kept(
	ctx context.Context, q store.Queryer, scope laurel.Scope, id laurel.ID,
) (map[laurel.ID]laurel.Amount, error) {
	h, err := findHold(ctx, q, scope, id)
	switch {
	case err != nil:
	case h.Status == Held:
		err = laurel.Errorf(laurel.Refused, "Transaction cannot be reversed: capture or release its hold first")
	case h.Status != Captured:
		err = laurel.Errorf(laurel.Refused, "Transaction cannot be reversed: its hold has given the points back")
	}
	kept := map[laurel.ID]laurel.Amount{}
	_, remaining := h.Parts.split(h.Amount - h.CapturedAmount)
	for _, p := range remaining {
		kept[p.UserID] += p.Amount
	}
	return kept, err
}

// end ends a hold of the scope and returns it with its new status. w has the status and, for a capture, the amount; end
// adds the hold and the actor.
func (s *Service) end(ctx context.Context, scope laurel.Scope, id laurel.ID, w endWork) (Hold, error) {
	err := s.Committer.Submit(ctx, scope.Request, func() (_ store.Work, err error) {
		w.hold, err = findHold(ctx, s.DB, scope, id)
		w.actor = scope.ActorID
		return &w, err
	})
	return w.hold, err
}

// endWork is the Work that captures, releases or expires a hold. Judge checks that the hold has not ended since it was
// read.
type endWork struct {
	hold   Hold
	actor  laurel.ID
	status string
	amount *laurel.Amount // to capture; nil: all
}

func (w *endWork) String() string { return "hold " + w.hold.ID.String() }

// newRefund returns the refund of the whole hold. After a capture the caller lowers its Amount.
func (w *endWork) newRefund() Refund {
	scope := w.hold.Scope()
	scope.ActorID = w.actor
	return Refund{
		Scope: scope, CurrencyID: w.hold.CurrencyID, Parts: w.hold.Parts, Amount: w.hold.Amount,
		Type: ledger.TypeOrder, Description: descriptionOrDefault(w.hold.Description), Metadata: entryMetadata(w.hold.ID),
	}
}

func (w *endWork) Locks() []store.Lock { return append(w.newRefund().Locks(), rows.Lock(w.hold.ID)) }

// Judge refuses to end a hold that has ended. After its expiry a hold can only become expired, and before, it cannot.
// Otherwise Judge refunds what is not captured, and stages the new status.
func (w *endWork) Judge(b *store.Batch) error {
	row := rows.Row(b, w.hold.ID)
	isExpired := !b.Now().Before(w.hold.ExpiresAt.Time)
	if row.Status != Held || isExpired != (w.status == Expired) {
		return errFinal()
	}
	captured := laurel.Amount(0)
	if w.status == Captured {
		captured = w.hold.Amount
		if w.amount != nil {
			captured = *w.amount
		}
	}
	if captured > w.hold.Amount {
		var f laurel.Faults
		f.Add("amount", "must be at most %s", w.hold.Amount)
		return f.Err()
	}
	refund := w.newRefund()
	refund.Amount -= captured
	if _, err := refund.Apply(b); err != nil {
		return err
	}
	row = rows.Changed(b, w.hold.ID)
	row.Status, row.CapturedAmount, row.UpdatedAt.Time = w.status, captured, b.Now()
	w.hold = *row
	feed.Changes.Add(b, w.hold.change(feed.Updated))
	return nil
}

// newQueue makes the queue that expires holds. A hold is due when it expires, so idle nodes write nothing. Two nodes
// cannot both expire one hold, because Judge checks its locked row.
func (s *Service) newQueue() worker.Runner {
	return &worker.Queue[Hold]{
		Items:       &worker.Items[Hold]{DB: s.DB, Table: leasedHolds, LeaseTime: time.Minute},
		Name:        "holds",
		Loop:        worker.Loop{Every: time.Second, Log: s.Logger, Fault: "holds could not expire; they are tried again"},
		Fault:       "a hold could not expire",
		Batch:       128,
		Concurrency: 64, // they share commits
		Fairness:    worker.Fairness{MaxOwners: 4, MaxLooks: 256, TimeSlice: 5 * time.Second},
		Backoff:     []time.Duration{5 * time.Second, 30 * time.Second, time.Minute},
		Do: func(ctx context.Context, h *worker.Item[Hold]) error {
			err := s.Committer.Do(ctx, nil, &endWork{hold: h.Row, status: Expired})
			if laurel.CodeOf(err) == laurel.Refused {
				return nil // it ended meanwhile
			}
			return err
		},
	}
}

// Run expires due holds until ctx ends. Any number of nodes may run it.
func (s *Service) Run(ctx context.Context) { s.queue.Run(ctx) }

// RunDue expires a batch of the holds that are due now.
func (s *Service) RunDue(ctx context.Context) error {
	_, err := s.queue.RunOnce(ctx)
	return err
}

// Metrics returns the metrics of the queue of holds that expire.
func (s *Service) Metrics() []worker.Metrics { return []worker.Metrics{s.queue} }
