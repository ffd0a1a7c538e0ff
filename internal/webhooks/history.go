package webhooks

import (
	"context"
	"slices"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/budget"
	"laurel.example/laurel/internal/store"
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
	sub, err := s.Get(ctx, scope, id)
	if err != nil {
		return none, err
	}
	var before eventKey
	if !page.StartingAfter.IsZero() {
		cursor, err := findDelivery(ctx, s.DB, &sub, page.StartingAfter)
		if store.IsNoRows(err) {
			return none, laurel.ErrCursor()
		} else if err != nil {
			return none, err
		}
		before = cursor.key()
	}
	rows, err := listDeliveries(ctx, s.DB, deliveryFilter{&sub, statuses, before, page.Limit + 1})
	if err != nil {
		return none, err
	}
	deliveries, err := s.loadDeliveries(ctx, scope, rows.Data)
	return laurel.Page[Delivery]{Data: deliveries, HasNextPage: rows.HasNextPage}, err
}

// listDeliveries returns a page of deliveries, the newest first; the filter has one more than a page. It merges those
// with rows of their own, the entries of blocks, and the events behind the position.
func listDeliveries(
	ctx context.Context, q store.Queryer, f deliveryFilter,
) (none laurel.Page[deliveryWithEvent], err error) {
	// This comes first: what a sender decides meanwhile is found among the others.
	coming, err := newestUpcoming(ctx, q, f)
	if err != nil {
		return none, err
	}
	keys, err := newestRows(ctx, q, f)
	if err != nil {
		return none, err
	}
	entries, err := newestEntries(ctx, q, f)
	if err != nil {
		return none, err
	}
	found := map[laurel.ID]deliveryWithEvent{}
	for _, d := range coming {
		found[d.EventID] = d
		keys = append(keys, d.key())
	}
	entryOf := map[laurel.ID]*blockEntry{}
	for i, e := range entries {
		entryOf[e.EventID] = &entries[i]
		keys = append(keys, eventKey{e.EventID, e.Position})
	}
	slices.SortFunc(keys, func(a, b eventKey) int { return compareKeys(b, a) })
	keys = slices.CompactFunc(keys, func(a, b eventKey) bool { return a.EventID == b.EventID })
	page := laurel.PageOf(keys, f.limit-1)
	ids := make([]laurel.ID, len(page.Data))
	for i, k := range page.Data {
		ids[i] = k.EventID
	}
	sizes, err := selectEventSizes(ctx, q, ids)
	if err != nil {
		return none, err
	}
	if n := budget.CountFitting(ids, sizes); n < len(ids) {
		ids, page.HasNextPage = ids[:n], true
	}
	rows, err := selectRows(ctx, q, f.sub.ID, ids)
	if err != nil {
		return none, err
	}
	events, err := selectEvents(ctx, q, f.sub, ids)
	if err != nil {
		return none, err
	}
	for _, d := range events {
		if e := entryOf[d.EventID]; e != nil {
			e.applyTo(&d)
			found[d.EventID] = d
		}
	}
	for _, d := range rows {
		found[d.EventID] = d
	}
	out := laurel.Page[deliveryWithEvent]{HasNextPage: page.HasNextPage}
	for _, id := range ids {
		if d, ok := found[id]; ok { // else it was removed meanwhile
			out.Data = append(out.Data, d)
		}
	}
	return out, nil
}

// newestUpcoming returns the newest events behind the position of a subscription that the filter selects.
func newestUpcoming(ctx context.Context, q store.Queryer, f deliveryFilter) ([]deliveryWithEvent, error) {
	p, err := selectProgress(ctx, q, f.sub.ID)
	if err != nil {
		return nil, err
	}
	coming := f.sub.upcoming(p, f.limit)
	coming.newest = true
	if !f.before.EventID.IsZero() {
		coming.before(f.before.Position) // a position behind that of the subscription has one event
	}
	isSkipped, isOther := hasStatus(f.statuses, statusSkipped) && p.Skip > p.Position, hasStatus(f.statuses, statusPending)
	if f.sub.Disabled() {
		isOther = hasStatus(f.statuses, statusHeld)
	}
	if !isSkipped && !isOther {
		return nil, nil
	} else if isSkipped != isOther {
		coming.onlySkipped(isSkipped)
	}
	out, _, err := coming.deliveries(ctx, q)
	return out, err
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
	sub, err := s.Get(ctx, scope, id)
	if err != nil {
		return Delivery{}, nil, err
	}
	row, err := findDelivery(ctx, s.DB, &sub, event)
	if err != nil {
		return Delivery{}, nil, noEvent(err)
	}
	deliveries, err := s.loadDeliveries(ctx, scope, []deliveryWithEvent{row})
	if err != nil {
		return Delivery{}, nil, err
	}
	if row.entry != nil {
		if deliveries[0].Last == nil {
			return deliveries[0], nil, nil
		}
		return deliveries[0], []Attempt{*deliveries[0].Last}, nil
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
	defer s.wakeup.Wake()
	var row deliveryWithEvent
	_, err := s.updateLocked(ctx, scope, id, func(tx *store.Tx, sub *Subscription) (err error) {
		if sub.Disabled() {
			return errDisabled()
		}
		if row, err = findDelivery(ctx, tx, sub, event); err != nil {
			return noEvent(err)
		}
		if row.entry != nil {
			_, block, err := findEntry(ctx, tx, sub.ID, row.key())
			if err != nil {
				return err
			}
			if err := takeEntries(ctx, tx, sub, block, []deliveryWithEvent{row}); err != nil {
				return err
			}
			row.entry = nil
		}
		row.isNew = false
		row.requestAgain(store.Micros(tx.Now()))
		if err := saveDeliveries(ctx, tx, []deliveryRow{row.deliveryRow}); err != nil {
			return err
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
	defer s.wakeup.Wake()
	var n int64
	_, err := s.updateLocked(ctx, scope, id, func(tx *store.Tx, sub *Subscription) (err error) {
		if sub.Disabled() {
			return errDisabled()
		}
		if n, err = redeliverRange(ctx, tx, sub, in); err != nil {
			return err
		}
		if n > maxRedeliveries {
			return laurel.Errorf(laurel.Refused, "More than %d events would be sent again. Choose a shorter range", maxRedeliveries)
		}
		return wakeSender(ctx, tx, sub.ID, "")
	})
	return n, err
}

// redeliverRange requests an attempt at each event of a range, and returns how many those are. It ends after more than
// maxRedeliveries of them, so that the caller can refuse too many. Events that are pending behind the position are sent
// anyway.
func redeliverRange(ctx context.Context, tx *store.Tx, sub *Subscription, in Range) (int64, error) {
	n, err := markForRedelivery(ctx, tx, sub.ID, in.where())
	if err != nil {
		return 0, err
	}
	p, err := selectProgress(ctx, tx, sub.ID)
	if err != nil {
		return 0, err
	}
	coming := sub.upcoming(p, maxRedeliveries+1)
	coming.within(in.From, in.To)
	if hasStatus(in.Statuses, statusPending) {
		pending := coming
		pending.onlySkipped(false)
		var keys []eventKey
		if err := pending.rows(ctx, tx, &keys, ""); err != nil {
			return 0, err
		}
		n += int64(len(keys))
	}
	if hasStatus(in.Statuses, statusSkipped) && p.Skip > p.Position {
		coming.onlySkipped(true)
		coming.withoutData = true
		skipped, _, err := coming.deliveries(ctx, tx)
		if err != nil {
			return 0, err
		}
		rows := make([]deliveryRow, len(skipped))
		for i, d := range skipped {
			rows[i] = d.deliveryRow
			rows[i].requestAgain(store.Micros(tx.Now()))
		}
		if n += int64(len(rows)); n <= maxRedeliveries {
			if err := saveDeliveries(ctx, tx, rows); err != nil {
				return 0, err
			}
		}
	}
	for last := int64(0); n <= maxRedeliveries; {
		blocks, err := selectBlocks(ctx, tx, sub.ID, in, last)
		if err != nil || len(blocks) == 0 {
			return n, err
		}
		for _, block := range blocks {
			last = block.Last
			events, err := eventsInRange(ctx, tx, sub, block, in)
			if err != nil {
				return 0, err
			}
			if n += int64(len(events)); n > maxRedeliveries {
				break
			}
			if err := takeEntries(ctx, tx, sub, block, events); err != nil {
				return 0, err
			}
		}
	}
	return n, nil
}

// eventsInRange returns the events of a block that a range selects.
func eventsInRange(
	ctx context.Context, q store.Queryer, sub *Subscription, block blockRow, in Range,
) ([]deliveryWithEvent, error) {
	entries, err := block.entries()
	if err != nil {
		return nil, err
	}
	var ids []laurel.ID
	for _, e := range entries {
		if in.mayContain(e.EventID) && hasStatus(in.Statuses, e.status()) {
			ids = append(ids, e.EventID)
		}
	}
	events, err := selectEvents(ctx, q, sub, ids)
	isOutside := func(d deliveryWithEvent) bool { return !in.contains(store.Time(d.TriggeredAt)) }
	return slices.DeleteFunc(events, isOutside), err
}

// RemoveOld removes events that are older than 30 days, with their deliveries and attempts. A periodic worker calls it.
func (s *Service) RemoveOld(ctx context.Context) error {
	return removeOld(ctx, s.DB, s.DB.Now().Add(-Retention))
}
