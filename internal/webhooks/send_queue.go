package webhooks

import (
	"context"
	"encoding/json"
	"log/slog"
	"slices"
	"sync"
	"time"

	"laurel"
	"laurel/internal/feed"
	"laurel/internal/panics"
	"laurel/internal/store"
	"laurel/internal/worker"
)

const (
	lease          = 15 * time.Second
	maxLanes       = 4 // requests of a subscription at once (contract 7.5)
	timeSlice      = 5 * time.Second
	batchSize      = 200
	pollEvery      = 200 * time.Millisecond
	maxMovedAtOnce = 1000 // deliveries that change their status in one transaction
)

// newSendQueue returns the queue of subscriptions with due deliveries. One node at a time leases a subscription and
// sends its events for a time slice, so that the order of events is kept without a lease for each delivery.
func (s *Service) newSendQueue() worker.Runner {
	return &worker.Queue[senderRow]{
		Items: &worker.Items[senderRow]{
			DB: s.DB, Table: senderQueueTable, LeaseTime: lease,
			OnLease: func(ctx context.Context, tx *store.Tx, h *worker.Item[senderRow]) error {
				return markSenderLeased(ctx, tx, h.Key)
			},
		},
		Name: "webhooks",
		Loop: worker.Loop{
			Every: pollEvery, Wake: s.wakeups, Log: s.log,
			Fault: "events could not be sent; they are tried again",
		},
		Fault: "the events of a subscription could not be sent; they are tried again", RenewEvery: lease / 3, Batch: 1,
		Fairness: worker.Fairness{MaxOwners: 256, MaxLooks: 1024, TimeSlice: timeSlice},
		Backoff:  []time.Duration{time.Second, 10 * time.Second, time.Minute}, Do: s.sendSubscription,
	}
}

// Run wakes subscriptions and sends their events until ctx ends. Any number of nodes may run it.
func (s *Service) Run(ctx context.Context) {
	var others sync.WaitGroup
	defer others.Wait()
	others.Go(func() { s.fanouts.Run(ctx) })
	others.Go(func() {
		loop := worker.Loop{Every: sweepEvery, Log: s.log, Fault: "subscriptions that are behind could not be looked for"}
		loop.RunEach(ctx, s.sweep)
	})
	s.queue.Run(ctx)
}

// SendDue sends the deliveries that are due now, for one time slice of each subscription.
func (s *Service) SendDue(ctx context.Context) error { return s.queue.RunRound(ctx) }

// wake makes the send queue of this node look for due deliveries at once.
func (s *Service) wake() {
	select {
	case s.wakeups <- struct{}{}:
	default:
	}
}

// sendSubscription sends the due events of a subscription in batches, until none is due or timeSlice is over, and gives
// the lease back. Before each batch it moves waiting deliveries to the status that fits the subscription, which may have
// been disabled, enabled or deleted.
func (s *Service) sendSubscription(ctx context.Context, h *worker.Item[senderRow]) error {
	scope := laurel.Scope{OrganizationID: h.Row.OrganizationID, WebsiteID: h.Row.WebsiteID, Role: laurel.RoleWebsite}
	moveHeldTo := h.Row.MoveHeldTo
	deadline := s.DB.Now().Add(timeSlice)
	sources, err := selectSources(ctx, s.DB, []laurel.ID{h.Key})
	if err != nil {
		return err
	}
	release := senderRelease{movedTo: moveHeldTo, canSend: true}
	for ctx.Err() == nil {
		sub, err := table.Get(ctx, s.DB, byID(scope, h.Key), "")
		if err != nil {
			return err
		}
		sub.Sources = sources
		if err := s.moveDeliveries(ctx, h, sub, moveHeldTo); err != nil {
			return err
		}
		if release.canSend = !sub.Disabled() || !sub.DeletedAt.IsZero(); !release.canSend {
			break
		}
		batch := &deliveryBatch{sub: sub, deadline: deadline}
		if batch.triggeredRules, err = s.Rules.TriggeredBy(ctx, s.DB, scope, []laurel.ID{sub.ID}); err != nil {
			return err
		}
		more, err := s.sendBatch(ctx, h, batch)
		if err != nil {
			return err
		}
		release.position, release.nextDue = batch.progress.Position, batch.nextDue
		if !more || !s.DB.Now().Before(deadline) {
			release.canSend = !batch.disabled
			break
		}
	}
	return h.Reschedule(context.WithoutCancel(ctx), time.Time{} /* see releaseSender */, func(tx *store.Tx) error {
		return releaseSender(context.WithoutCancel(ctx), tx, h.Key, release)
	})
}

// moveDeliveries gives the waiting deliveries of a subscription the status that fits its state, a chunk per
// transaction. If it is deleted, held and pending ones become skipped. While it is disabled, pending ones become held.
// After it was enabled, held ones get the status moveHeldTo, unless that is "".
func (s *Service) moveDeliveries(
	ctx context.Context, h *worker.Item[senderRow], sub Subscription, moveHeldTo string,
) error {
	moveAll := func(from, to string) error {
		for {
			var n int64
			err := h.Extend(ctx, func(tx *store.Tx) (err error) {
				n, err = moveDeliveryStatus(ctx, tx, h.Key, from, to)
				return err
			})
			if err != nil || n < maxMovedAtOnce {
				return err
			}
		}
	}
	switch {
	case !sub.DeletedAt.IsZero():
		if err := moveAll(statusHeld, statusSkipped); err != nil {
			return err
		}
		return moveAll(statusPending, statusSkipped)
	case sub.Disabled():
		return moveAll(statusPending, statusHeld)
	case moveHeldTo != "":
		return moveAll(statusHeld, moveHeldTo)
	}
	return nil
}

// deliveryBatch is a batch of deliveries of one subscription that are sent together, with their results so far.
type deliveryBatch struct {
	sub            Subscription
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

// sendBatch reads the next due deliveries of the batch's subscription and the events behind its position, at most
// 2 × batchSize of them, sends them, and writes the results in one transaction. It disables the subscription if it has
// failed for too long. more reports whether further ones may be due.
func (s *Service) sendBatch(
	ctx context.Context, h *worker.Item[senderRow], batch *deliveryBatch,
) (more bool, err error) {
	due, err := s.readBatch(ctx, batch)
	if err != nil {
		return false, err
	}
	if len(due) == 0 {
		batch.movePosition()
		if batch.scannedTo == batch.progress.Woken {
			return false, nil // the release stores the position
		}
		return true, h.Extend(ctx, func(tx *store.Tx) error { return saveProgress(ctx, tx, batch.sub.ID, batch.progress) })
	}
	if batch.keys, err = s.signingKeys(ctx, batch.sub.ID); err != nil {
		return false, err
	}
	before := batch.sub
	sent, err := s.describeParked(ctx, batch, s.settleWithoutCalls(batch, due))
	if err != nil {
		return false, err
	}
	if batch.sub.Version == V1 {
		s.deliverV1(ctx, batch, sent[:min(len(sent), maxV1Events)])
	} else {
		s.deliverInLanes(sent, func(d deliveryWithEvent) {
			if ctx.Err() == nil && !batch.isOver(s.DB.Now()) {
				s.deliverV2(ctx, batch, d)
			}
		})
	}
	passed := batch.movePosition()
	writeCtx := context.WithoutCancel(ctx)
	err = h.Extend(writeCtx, func(tx *store.Tx) error {
		finished, err := batch.applyRedeliveryRequests(writeCtx, tx, due)
		if err != nil {
			return err
		}
		rows, attempts, entries := batch.divide(finished)
		if err := saveDeliveries(writeCtx, tx, append(rows, passed...)); err != nil {
			return err
		}
		if err := addToHour(writeCtx, tx, batch.sub, batch.counts); err != nil {
			return err
		}
		if err := insertAttempts(writeCtx, tx, attempts); err != nil {
			return err
		}
		if err := insertBlock(writeCtx, tx, batch.sub, entries); err != nil {
			return err
		}
		if len(batch.coming) > 0 {
			if err := saveProgress(writeCtx, tx, batch.sub.ID, batch.progress); err != nil {
				return err
			}
		}
		if batch.sub.hasSameFailures(before) {
			return nil
		}
		if err := saveFailures(writeCtx, tx, batch.sub); err != nil || !batch.disabled {
			return err
		}
		return feed.Record(writeCtx, tx, batch.sub.statusChange(feed.Disabled))
	})
	if err == nil && batch.disabled {
		s.metrics.disabled.Inc()
		s.log.Warn("a subscription was disabled; its events are held until it is enabled",
			slog.String("subscription", batch.sub.ID.String()), slog.String("website", batch.sub.WebsiteID.String()),
			slog.String("reason", string(batch.sub.DisabledReason)))
	}
	return len(batch.finished) > 0, err
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
	first := append(untried, coming...)
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

// settleWithoutCalls finishes the batch's new deliveries that nobody is called for: those that are skipped, by a caller,
// for want of a target or because of the daily limit, and those of parked events, which are failed. It returns the
// others.
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
		case d.Status == statusSkipped:
		case d.Parked != nil:
			var attempt deliveryAttempt
			row, attempt = failedDelivery(row, d.parkedReason(), store.Time(d.TriggeredAt))
			batch.attempts = append(batch.attempts, attempt)
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
// behind all events if all are, and counts those up to there for the daily limit. It returns the deliveries that are
// passed and not finished, as the time was over: they get rows of their own.
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

// deliverInLanes calls do for each delivery and returns once all calls have. For deliveries of one lane, whose events
// must stay in order, the calls follow each other; up to maxLanes lanes run at the same time. A delivery waits for the
// attempt at the one before it in the lane, not for its retries.
func (s *Service) deliverInLanes(due []deliveryWithEvent, do func(d deliveryWithEvent)) {
	var order []laurel.ID
	byLane := map[laurel.ID][]deliveryWithEvent{}
	for _, d := range due {
		if byLane[d.Lane] == nil {
			order = append(order, d.Lane)
		}
		byLane[d.Lane] = append(byLane[d.Lane], d)
	}
	next := make(chan []deliveryWithEvent)
	var running sync.WaitGroup
	for range min(maxLanes, len(order)) {
		running.Go(func() {
			for lane := range next {
				for _, d := range lane {
					s.callSafely(d, do)
				}
			}
		})
	}
	for _, lane := range order {
		next <- byLane[lane]
	}
	close(next)
	running.Wait()
}

// callSafely calls do, and logs a panic instead of passing it on.
func (s *Service) callSafely(d deliveryWithEvent, do func(d deliveryWithEvent)) {
	err := panics.Safely(func() error {
		do(d)
		return nil
	})
	if err != nil {
		s.log.Error("an event could not be sent", slog.String("event", d.EventID.String()), slog.Any("error", err))
	}
}

// isOver reports whether no more of the batch's deliveries are to be sent: its time is over, or its subscription was
// disabled.
func (batch *deliveryBatch) isOver(now time.Time) bool {
	batch.mu.Lock()
	defer batch.mu.Unlock()
	return batch.disabled || !now.Before(batch.deadline)
}

// recordOutcome counts the result of one call for the batch's subscription: a success ends a series of failures, a
// failure continues it. It disables the subscription if the endpoint is gone (status 410), or if the series has at
// least Policy.DisableAtLeast failures and has lasted for Policy.DisableAfter.
func (s *Service) recordOutcome(batch *deliveryBatch, ok, gone bool) {
	now := s.DB.Now()
	if ok {
		batch.sub.ConsecutiveFailures, batch.sub.FailingSince = 0, laurel.NullTimestamp{}
		return
	}
	batch.sub.ConsecutiveFailures++
	if batch.sub.FailingSince.IsZero() {
		batch.sub.FailingSince.Time = now
	}
	isFailingLong := now.Sub(batch.sub.FailingSince.Time) >= s.Policy.DisableAfter
	switch {
	case batch.disabled: // another attempt of the batch has done it
	case gone:
		batch.disable(now, "The endpoint answered 410 Gone")
	case isFailingLong && batch.sub.ConsecutiveFailures >= int64(s.Policy.DisableAtLeast):
		batch.disable(now, "Every delivery failed for "+formatDays(s.Policy.DisableAfter))
	}
}

func (batch *deliveryBatch) disable(now time.Time, reason string) {
	batch.disabled, batch.sub.DisabledAt.Time, batch.sub.DisabledReason = true, now, laurel.NullText(reason)
}

// functionStates returns the states of all functions that run on a delivery: those that it stores, and a new one for
// each further function of the subscription and of the rules that the event triggers. In a delivery that a caller
// requested again, all functions begin anew.
func (batch *deliveryBatch) functionStates(due *deliveryWithEvent) []FunctionState {
	states := due.functionStates()
	if due.RedeliverFrom != "" {
		for i := range states {
			states[i].Status, states[i].Attempts, states[i].Due = statusPending, 0, 0
		}
	}
	// A function of the subscription is named by its id, one that decides for a rule by the rule.
	add := func(id string, rule laurel.ID) {
		isSame := func(f FunctionState) bool { return f.RuleID == rule && (f.ID == id || !rule.IsZero()) }
		if !slices.ContainsFunc(states, isSame) {
			states = append(states, FunctionState{ID: id, RuleID: rule, Status: statusPending})
		}
	}
	for _, id := range batch.sub.FunctionIDs {
		add(id, laurel.ID{})
	}
	if len(batch.triggeredRules) > 0 && batch.triggersRules(due) {
		for _, r := range batch.triggeredRules {
			add(r.FunctionID.String(), r.ID)
		}
	}
	return states
}

// triggersRules reports whether an event triggers the rules of the subscription. Test events do not, and neither do
// payments by these rules: a rule would go on paying for its own payments.
func (batch *deliveryBatch) triggersRules(due *deliveryWithEvent) bool {
	if due.Lane == due.EventID { // only test events have a lane to themselves
		return false
	}
	var paid struct {
		Transaction struct {
			Rule struct {
				ID laurel.ID `json:"id"`
			} `json:"loyaltyRule"`
		} `json:"loyaltyTransaction"`
		RuleID laurel.ID `json:"loyaltyRuleId"`
	}
	_ = json.Unmarshal([]byte(due.Data), &paid) // an event without these properties was paid by no rule
	return !slices.ContainsFunc(batch.triggeredRules, func(r TriggeredRule) bool {
		return r.ID == paid.Transaction.Rule.ID || r.ID == paid.RuleID
	})
}
