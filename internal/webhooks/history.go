package webhooks

import (
	"context"
	"time"

	"laurel"
	"laurel/internal/store"
)

// The states of deliveries (contract 2).
const (
	statusPending   = "pending"
	statusDelivered = "delivered"
	statusFailed    = "failed"
	statusSkipped   = "skipped"
	statusHeld      = "held"
)

// Statuses lists the states of deliveries.
func Statuses() []string {
	return []string{statusPending, statusDelivered, statusFailed, statusSkipped, statusHeld}
}

// ListEvents returns the deliveries of a subscription with their events, newest first. statuses limit them; without
// any, all are listed. Errors: NotFound "Subscription", Invalid for an unknown cursor.
func (s *Service) ListEvents(
	ctx context.Context,
	scope laurel.Scope,
	id laurel.ID,
	statuses []string,
	page laurel.PageRequest,
) (laurel.Page[Delivery], error) {
	none := laurel.Page[Delivery]{}
	if _, err := s.Get(ctx, scope, id); err != nil {
		return none, err
	}
	rows, err := listDeliveries(ctx, s.DB, scope, deliveryFilter{id, statuses, page})
	if err != nil {
		return none, err
	}
	deliveries, err := s.loadDeliveries(ctx, scope, rows.Data)
	return laurel.Page[Delivery]{Data: deliveries, HasNextPage: rows.HasNextPage}, err
}

// LastAttempts returns when the callback of each subscription was called last, by subscription. Subscriptions without a
// call are left out. Only calls for the newest events of a subscription count.
func (s *Service) LastAttempts(
	ctx context.Context,
	scope laurel.Scope,
	ids []laurel.ID,
) (map[laurel.ID]time.Time, error) {
	return selectLastCalls(ctx, s.DB, scope, ids)
}

// Hour counts the attempts of a subscription in one hour: those that succeeded and those that failed.
type Hour struct {
	At            time.Time
	Taken, Failed int64
}

// Hours returns the counts of a subscription in the last hours, count of them, oldest first. The last one is the
// present hour, which is not over yet. Hours without attempts have zero counts.
func (s *Service) Hours(ctx context.Context, scope laurel.Scope, id laurel.ID, count int) ([]Hour, error) {
	first := s.DB.Now().UTC().Truncate(time.Hour).Add(-time.Duration(count-1) * time.Hour)
	rows, err := selectHours(ctx, s.DB, scope, id, first)
	out := make([]Hour, count)
	for i := range out {
		out[i].At = first.Add(time.Duration(i) * time.Hour)
	}
	for _, r := range rows {
		if i := int(store.Time(r.Hour).Sub(first) / time.Hour); i < count {
			out[i].Taken, out[i].Failed = r.Taken, r.Failed
		}
	}
	return out, err
}

// GetEvent returns one event of a subscription with all attempts, oldest first. Errors: NotFound "Subscription",
// "Event".
func (s *Service) GetEvent(ctx context.Context, scope laurel.Scope, id, event laurel.ID) (Delivery, []Attempt, error) {
	if _, err := s.Get(ctx, scope, id); err != nil {
		return Delivery{}, nil, err
	}
	row, err := findDelivery(ctx, s.DB, scope, id, event)
	if err != nil {
		return Delivery{}, nil, noEvent(err)
	}
	deliveries, err := s.loadDeliveries(ctx, scope, []deliveryWithEvent{row})
	if err != nil {
		return Delivery{}, nil, err
	}
	attempts, err := selectAttempts(ctx, s.DB, id, event)
	return deliveries[0], attempts, err
}

// noEvent returns NotFound "Event" for a query that found no row, and any other error as it is.
func noEvent(err error) error {
	if store.IsNoRows(err) {
		return laurel.Missing("Event")
	}
	return err
}

// loadDeliveries returns the deliveries of rows, in their order, each with its last attempt and the outputs of its
// functions.
func (s *Service) loadDeliveries(
	ctx context.Context, scope laurel.Scope, rows []deliveryWithEvent,
) ([]Delivery, error) {
	out := make([]Delivery, len(rows))
	var runs []laurel.ID
	for i, r := range rows {
		out[i] = r.delivery(r.event())
		for _, f := range out[i].Functions {
			if !f.RunID.IsZero() {
				runs = append(runs, f.RunID)
			}
		}
	}
	last, err := selectLastAttempts(ctx, s.DB, rows)
	if err != nil {
		return nil, err
	}
	outputs := map[laurel.ID][]byte{}
	if len(runs) > 0 {
		found, err := s.Functions.Outputs(ctx, scope, runs)
		if err != nil {
			return nil, err
		}
		for id, output := range found {
			outputs[id] = output
		}
	}
	for i := range out {
		if a, ok := last[out[i].ID]; ok {
			out[i].Last = &a
		}
		for j, f := range out[i].Functions {
			out[i].Functions[j].Output = outputs[f.RunID]
		}
	}
	return out, nil
}

// Redeliver requests one more attempt to deliver an event, which is due at once, and returns the delivery. The attempt
// does not count as one of the retry schedule. Errors: NotFound "Subscription", "Event"; Refused while the subscription
// is disabled.
func (s *Service) Redeliver(ctx context.Context, scope laurel.Scope, id, event laurel.ID) (Delivery, error) {
	defer s.wake()
	var row deliveryWithEvent
	_, err := s.updateLocked(ctx, scope, id, func(tx *store.Tx, sub *Subscription) (err error) {
		if sub.Disabled() {
			return errDisabled()
		}
		if _, err := markForRedelivery(ctx, tx, sub.ID, whereEvent(event)); err != nil {
			return err
		}
		if row, err = findDelivery(ctx, tx, scope, id, event); err != nil {
			return noEvent(err)
		}
		return wakeSender(ctx, tx, sub.ID, "")
	})
	if err != nil {
		return Delivery{}, err
	}
	deliveries, err := s.loadDeliveries(ctx, scope, []deliveryWithEvent{row})
	if err != nil {
		return Delivery{}, err
	}
	return deliveries[0], nil
}

// Range selects events by time, from inclusive, to exclusive, and by status; without statuses it selects all.
type Range struct {
	From, To time.Time
	Statuses []string
}

// maxRedeliveries bounds how many events one RedeliverRange sends again.
const maxRedeliveries = 10_000

// RedeliverRange requests one more attempt, due at once, to deliver each event of a range, and returns how many events
// those are. Errors: NotFound "Subscription"; Invalid; Refused while the subscription is disabled, or for more than
// maxRedeliveries events.
func (s *Service) RedeliverRange(ctx context.Context, scope laurel.Scope, id laurel.ID, in Range) (int64, error) {
	var f laurel.Faults
	switch {
	case in.From.IsZero():
		f.Add("from", "is required")
	case in.From.Before(s.DB.Now().Add(-Retention)):
		f.Add("from", "must be at most 30 days back")
	}
	switch {
	case in.To.IsZero():
		f.Add("to", "is required")
	case !in.To.After(in.From):
		f.Add("to", "must be after from")
	}
	if err := f.Err(); err != nil {
		return 0, err
	}
	defer s.wake()
	var n int64
	_, err := s.updateLocked(ctx, scope, id, func(tx *store.Tx, sub *Subscription) (err error) {
		if sub.Disabled() {
			return errDisabled()
		}
		if n, err = markForRedelivery(ctx, tx, sub.ID, in.where()); err != nil {
			return err
		}
		if n > maxRedeliveries {
			return laurel.Errorf(laurel.Refused, "More than %d events would be sent again. Choose a shorter range", maxRedeliveries)
		}
		return wakeSender(ctx, tx, sub.ID, "")
	})
	return n, err
}

// RemoveOld removes events that are older than 30 days, with their deliveries and attempts. A periodic worker calls it.
func (s *Service) RemoveOld(ctx context.Context) error {
	return removeOld(ctx, s.DB, s.DB.Now().Add(-Retention))
}
