package webhooks

import (
	"context"
	"slices"
	"sync"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/feed"
	"laurel.example/laurel/internal/store"
	"laurel.example/laurel/internal/worker"
)

// deliveryBatch is a batch of deliveries of one subscription that are sent together, with their results so far.
type deliveryBatch struct {
	sub            Subscription
	before         Subscription    // as sub was before the batch
	triggeredRules []TriggeredRule // by the events of this subscription
	deadline       time.Time
	keys           []string
	progress       progress            // before the batch; after it, with the position that it has reached
	coming         []deliveryWithEvent // those without a row, in the order of their positions
	scannedTo      int64               // no event up to this position waits but those in coming; 0: unknown
	nextDue        int64               // when the first of coming that is left is due; 0: none is left

	mu       sync.Mutex // guards the fields below: lanes run at the same time
	finished []deliveryRow
	attempts []deliveryAttempt
	counts   attemptCounts
	disabled bool
}

// attemptCounts counts attempts at deliveries. An attempt has succeeded if the callback and all functions that were due
// did.
type attemptCounts struct{ succeeded, failed int64 }

// deliveryAttempt is a call of a callback, with the delivery that it belongs to.
type deliveryAttempt struct {
	Attempt
	delivery *deliveryRow
}

// writeBatch writes the results of a batch of due deliveries, in one transaction.
func (s *Service) writeBatch(
	ctx context.Context, h *worker.Item[senderRow], batch *deliveryBatch, due []deliveryWithEvent,
) error {
	passed := batch.movePosition()
	return h.Extend(ctx, func(tx *store.Tx) error {
		finished, err := batch.applyRedeliveryRequests(ctx, tx, due)
		if err != nil {
			return err
		}
		rows, attempts, entries := batch.divide(finished)
		if err := saveDeliveries(ctx, tx, append(rows, passed...)); err != nil {
			return err
		}
		if err := addToHour(ctx, tx, batch.sub, batch.counts); err != nil {
			return err
		}
		if err := insertAttempts(ctx, tx, attempts); err != nil {
			return err
		}
		if err := insertBlock(ctx, tx, batch.sub, entries); err != nil {
			return err
		}
		if len(batch.coming) > 0 {
			if err := saveProgress(ctx, tx, batch.sub.ID, batch.progress); err != nil {
				return err
			}
		}
		if batch.sub.hasSameFailures(batch.before) {
			return nil
		}
		if err := saveFailures(ctx, tx, batch.sub); err != nil || !batch.disabled {
			return err
		}
		return feed.Record(ctx, tx, batch.sub.statusChange(feed.Disabled))
	})
}

// hasSameFailures reports whether two states of a subscription have the same failures.
func (s *Subscription) hasSameFailures(other Subscription) bool {
	return s.ConsecutiveFailures == other.ConsecutiveFailures && s.FailingSince == other.FailingSince &&
		s.DisabledAt == other.DisabledAt
}

// readBatch reads what the batch is to send: deliveries that were tried before and are due again, then those that were
// never tried together with the events behind the position, in the order of their positions.
func (s *Service) readBatch(ctx context.Context, batch *deliveryBatch) ([]deliveryWithEvent, error) {
	var err error
	if batch.progress, err = selectProgress(ctx, s.DB, batch.sub.ID); err != nil {
		return nil, err
	}
	retries, untried, err := selectDueDeliveries(ctx, s.DB, batch.sub.ID, s.DB.Now(), batchSize)
	if err != nil {
		return nil, err
	}
	coming, scannedTo, err := batch.sub.upcoming(batch.progress, batchSize).deliveries(ctx, s.DB)
	if err != nil {
		return nil, err
	}
	first := slices.Concat(untried, coming)
	slices.SortStableFunc(first, func(a, b deliveryWithEvent) int { return compareKeys(a.key(), b.key()) })
	if len(first) <= batchSize {
		batch.scannedTo = max(scannedTo, 0)
		if scannedTo < 0 { // there are no more
			batch.scannedTo = batch.progress.Woken
		}
	}
	first = first[:min(len(first), batchSize)]
	for _, d := range first {
		if d.isNew {
			batch.coming = append(batch.coming, d)
		}
	}
	return append(retries, first...), nil
}

// settleWithoutCalls finishes the batch's new deliveries that nobody is called for: those that are skipped, because a
// caller says so, for want of a target or because of the daily limit, and those of parked events, which are failed. It
// returns the others.
func (s *Service) settleWithoutCalls(batch *deliveryBatch, due []deliveryWithEvent) (rest []deliveryWithEvent) {
	isIdle := batch.sub.hasNoTarget() && len(batch.triggeredRules) == 0
	day := batch.progress.dayCount
	counted := map[laurel.ID]bool{}
	for _, d := range due {
		row := d.deliveryRow
		switch {
		case !d.isNew:
			rest = append(rest, d)
			continue
		case d.Parked != nil:
			var attempt deliveryAttempt
			row, attempt = failedDelivery(row, d.parkedReason(), store.Time(d.TriggeredAt))
			batch.attempts = append(batch.attempts, attempt)
		case d.Status == statusSkipped:
		default:
			isWithinLimit := day.countWithinLimit(&batch.sub, store.Time(d.TriggeredAt))
			counted[d.EventID] = isWithinLimit
			if isWithinLimit && !isIdle {
				rest = append(rest, d)
				continue
			}
			row.Status, row.DueAt = statusSkipped, nil
		}
		batch.finished = append(batch.finished, row)
	}
	for i := range batch.coming {
		batch.coming[i].isCounted = counted[batch.coming[i].EventID]
	}
	return rest
}

// movePosition moves the position of the batch's subscription to the last of its new deliveries that is finished, or
// behind all events if all are, and counts those up to there for the daily limit. It returns the deliveries before it
// that are not finished, as the time was over: they get rows of their own.
func (batch *deliveryBatch) movePosition() (passed []deliveryRow) {
	isFinished := make(map[laurel.ID]bool, len(batch.finished))
	for _, d := range batch.finished {
		isFinished[d.EventID] = true
	}
	last := -1 // the last finished one
	for i, d := range batch.coming {
		if isFinished[d.EventID] {
			last = i
		}
	}
	for _, d := range batch.coming[:last+1] {
		if d.isCounted {
			batch.progress.countWithinLimit(&batch.sub, store.Time(d.TriggeredAt))
		}
		if !isFinished[d.EventID] {
			passed = append(passed, d.deliveryRow)
		}
		batch.progress.Position = max(batch.progress.Position, d.Position)
	}
	if left := batch.coming[last+1:]; len(left) > 0 {
		batch.nextDue = *left[0].DueAt
	} else {
		batch.progress.Position = max(batch.progress.Position, batch.scannedTo)
	}
	return passed
}

// divide divides finished deliveries into those that get rows of their own, with their attempts, and those that go into
// a block: new ones that were delivered at once or skipped.
func (batch *deliveryBatch) divide(finished []deliveryRow) (
	rows []deliveryRow, attempts []deliveryAttempt, entries []blockEntry,
) {
	isNew := make(map[laurel.ID]bool, len(batch.coming))
	for _, d := range batch.coming {
		isNew[d.EventID] = true
	}
	calls := make(map[laurel.ID]*Attempt, len(batch.attempts))
	for i, a := range batch.attempts {
		calls[a.delivery.EventID] = &batch.attempts[i].Attempt
	}
	inBlock := map[laurel.ID]bool{}
	for _, d := range finished {
		isSimple := d.RedeliverFrom == "" && (d.Status == statusDelivered || d.Status == statusSkipped)
		if !isNew[d.EventID] || !isSimple {
			rows = append(rows, d)
			continue
		}
		inBlock[d.EventID] = true
		entries = append(entries, newBlockEntry(d, calls[d.EventID]))
	}
	for _, a := range batch.attempts {
		if !inBlock[a.delivery.EventID] {
			attempts = append(attempts, a)
		}
	}
	return rows, attempts, entries
}

// applyRedeliveryRequests returns the finished deliveries of the batch as they are to be written: a delivery that a
// caller requested again while its attempt was under way is pending and due at once.
func (batch *deliveryBatch) applyRedeliveryRequests(
	ctx context.Context, tx *store.Tx, due []deliveryWithEvent,
) ([]deliveryRow, error) {
	requested, err := selectRedeliveryRequests(ctx, tx, batch.sub.ID, batch.finished)
	if err != nil || len(requested) == 0 {
		return batch.finished, err
	}
	for _, d := range due {
		if d.RedeliverFrom != "" { // this attempt was the requested one
			delete(requested, d.EventID)
		}
	}
	finished := slices.Clone(batch.finished)
	for i := range finished {
		if d := &finished[i]; requested[d.EventID] {
			d.RedeliverFrom, d.Status, d.DueAt = d.Status, statusPending, new(store.Micros(tx.Now()))
			d.CallDone, d.CallFailed, d.CallDue = false, false, nil
		}
	}
	return finished, nil
}
