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
	lease       = 15 * time.Second
	maxLanes    = 4 // requests of a subscription at once (contract 7.5)
	slotTime    = 5 * time.Second
	batchSize   = 200
	lookEvery   = 200 * time.Millisecond
	statusChunk = 1000 // deliveries that change their status in one transaction
)

// newSendQueue returns the queue of subscriptions with due deliveries. One node at a time leases a subscription and
// sends its events for one slot, so that the order of events is kept without a lease for each delivery.
func (s *Service) newSendQueue() worker.Runner {
	return &worker.Queue[senderRow]{
		Items: &worker.Items[senderRow]{
			DB: s.DB, Table: senderLeases, LeaseTime: lease,
			OnLease: func(ctx context.Context, tx *store.Tx, h *worker.Item[senderRow]) error {
				return markSenderLeased(ctx, tx, h.Key)
			},
		},
		Name: "webhooks",
		Loop: worker.Loop{
			Every: lookEvery, Wake: s.wakeups, Log: s.log,
			Fault: "events could not be sent; they are tried again",
		},
		Fault: "the events of a subscription could not be sent; they are tried again", RenewEvery: lease / 3, Batch: 1,
		Fairness: worker.Fairness{MaxOwners: 256, MaxLooks: 1024, TimeSlice: slotTime},
		Backoff:  []time.Duration{time.Second, 10 * time.Second, time.Minute}, Do: s.sendSubscription,
	}
}

// Run fans out events and sends deliveries until ctx ends. Any number of nodes may run it.
func (s *Service) Run(ctx context.Context) {
	var expanding sync.WaitGroup
	defer expanding.Wait()
	expanding.Go(func() { s.fanouts.Run(ctx) })
	s.queue.Run(ctx)
}

// SendDue sends the deliveries that are due now, in one slot for each subscription.
func (s *Service) SendDue(ctx context.Context) error { return s.queue.RunRound(ctx) }

// wake starts the queue of this node at once.
func (s *Service) wake() {
	select {
	case s.wakeups <- struct{}{}:
	default:
	}
}

// sendSubscription is one slot of a subscription: it sends its due deliveries in batches until none is due or slotTime
// is over, and gives the lease back.
func (s *Service) sendSubscription(ctx context.Context, h *worker.Item[senderRow]) error {
	scope := laurel.Scope{OrganizationID: h.Row.OrganizationID, WebsiteID: h.Row.WebsiteID, Role: laurel.RoleWebsite}
	moveHeldTo := h.Row.MoveHeldTo
	deadline := s.DB.Now().Add(slotTime)
	for ctx.Err() == nil {
		row, err := findSubscription(ctx, s.DB, scope, h.Key, "")
		if err != nil {
			return err
		}
		sub, err := row.subscription()
		if err != nil {
			return err
		}
		if err := s.moveDeliveries(ctx, h, sub, moveHeldTo); err != nil {
			return err
		}
		if sub.Disabled() || !sub.DeletedAt.IsZero() {
			break
		}
		triggeredRules, err := s.Rules.TriggeredBy(ctx, s.DB, scope, []laurel.ID{sub.ID})
		if err != nil {
			return err
		}
		more, err := s.sendBatch(ctx, h, &sendSlot{
			sub: sub, triggeredRules: triggeredRules, failingSince: row.FailingSince, deadline: deadline,
		})
		if err != nil {
			return err
		}
		if !more || !s.DB.Now().Before(deadline) {
			break
		}
	}
	return h.Reschedule(context.WithoutCancel(ctx), time.Time{}, func(tx *store.Tx) error {
		return releaseSender(context.WithoutCancel(ctx), tx, h.Key, moveHeldTo)
	})
}

// moveDeliveries adapts the deliveries that wait to the state of their subscription, a chunk per transaction. After a
// deletion held and pending ones are skipped; while it is disabled, pending ones are held; after it was enabled, held
// ones move to the status moveHeldTo.
func (s *Service) moveDeliveries(
	ctx context.Context, h *worker.Item[senderRow], sub Subscription, moveHeldTo string,
) error {
	moveAll := func(from, to string) error {
		for {
			var n int64
			err := h.Extend(ctx, func(tx *store.Tx) (err error) {
				n, err = setDeliveryStatus(ctx, tx, h.Key, from, to)
				return err
			})
			if err != nil || n < statusChunk {
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

// sendSlot is the state of one batch: a subscription and the results of its deliveries.
type sendSlot struct {
	sub            Subscription
	triggeredRules []TriggeredRule // by the events of this subscription
	failingSince   *int64
	deadline       time.Time
	keys           []string

	mu       sync.Mutex // guards the fields below: lanes run side by side
	finished []deliveryRow
	attempts []deliveryAttempt
	counts   attemptCounts
	disabled bool
}

// attemptCounts counts attempts at deliveries. An attempt is taken if the callback and all functions that were due
// succeeded.
type attemptCounts struct{ taken, failed int64 }

// deliveryAttempt is a call of a callback, with the delivery that it belongs to.
type deliveryAttempt struct {
	Attempt
	delivery *deliveryRow
}

// sendBatch sends one batch of the due deliveries of a subscription and writes the results in one transaction. It
// reports whether more may be due.
func (s *Service) sendBatch(ctx context.Context, h *worker.Item[senderRow], slot *sendSlot) (more bool, err error) {
	due, err := selectDue(ctx, s.DB, slot.sub.ID, s.DB.Now(), batchSize)
	if err != nil || len(due) == 0 {
		return false, err
	}
	if slot.keys, err = s.signingKeys(ctx, slot.sub.ID); err != nil {
		return false, err
	}
	sent, err := s.unpark(ctx, slot, due)
	if err != nil {
		return false, err
	}
	if slot.sub.Version == V1 {
		s.deliverV1(ctx, slot, sent[:min(len(sent), maxV1Events)])
	} else {
		s.runLanes(sent, func(d deliveryWithEvent) {
			if ctx.Err() == nil && !slot.isOver(s.DB.Now()) {
				s.deliverV2(ctx, slot, d)
			}
		})
	}
	writeCtx := context.WithoutCancel(ctx)
	err = h.Extend(writeCtx, func(tx *store.Tx) error {
		finished, err := slot.applyRedeliveryRequests(writeCtx, tx, due)
		if err != nil {
			return err
		}
		if err := updateDeliveries(writeCtx, tx, finished); err != nil {
			return err
		}
		if err := addToHour(writeCtx, tx, slot.sub, slot.counts); err != nil {
			return err
		}
		if err := insertAttempts(writeCtx, tx, slot.attempts); err != nil {
			return err
		}
		if err := saveFailures(writeCtx, tx, slot.sub, slot.failingSince); err != nil || !slot.disabled {
			return err
		}
		return feed.Record(writeCtx, tx, slot.sub.statusChange(feed.Disabled))
	})
	if err == nil && slot.disabled {
		s.metrics.disabled.Inc()
		s.log.Warn("a subscription was disabled; its events are held until it is enabled",
			slog.String("subscription", slot.sub.ID.String()), slog.String("website", slot.sub.WebsiteID.String()),
			slog.String("reason", slot.sub.DisabledReason))
	}
	return len(slot.finished) > 0, err
}

// applyRedeliveryRequests returns the finished deliveries as they are to be written. A delivery that a caller requested
// again during its attempt is due again at once.
func (slot *sendSlot) applyRedeliveryRequests(
	ctx context.Context, tx *store.Tx, due []deliveryWithEvent,
) ([]deliveryRow, error) {
	requested, err := selectRedeliveryRequests(ctx, tx, slot.sub.ID, slot.finished)
	if err != nil || len(requested) == 0 {
		return slot.finished, err
	}
	for _, d := range due {
		if d.RedeliverFrom != "" { // this attempt was the requested one
			delete(requested, d.EventID)
		}
	}
	finished := slices.Clone(slot.finished)
	for i := range finished {
		if d := &finished[i]; requested[d.EventID] {
			now := tx.Now()
			d.RedeliverFrom, d.Status, d.DueAt = d.Status, statusPending, microsOf(&now)
			d.CallDone, d.CallFailed, d.CallDue = false, false, nil
		}
	}
	return finished, nil
}

// runLanes calls do for each delivery, on several lanes at once. The deliveries of a lane are done in order: each waits
// for the attempt of the one before it, not for its retries.
func (s *Service) runLanes(due []deliveryWithEvent, do func(d deliveryWithEvent)) {
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
					s.runSafely(d, do)
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

// runSafely calls do, and logs a panic instead of passing it on.
func (s *Service) runSafely(d deliveryWithEvent, do func(d deliveryWithEvent)) {
	err := panics.Safely(func() error {
		do(d)
		return nil
	})
	if err != nil {
		s.log.Error("an event could not be sent", slog.String("event", d.EventID.String()), slog.Any("error", err))
	}
}

// isOver reports whether the slot starts no more work.
func (slot *sendSlot) isOver(now time.Time) bool {
	slot.mu.Lock()
	defer slot.mu.Unlock()
	return slot.disabled || !now.Before(slot.deadline)
}

// recordOutcome counts a success or a failure of the subscription, and disables it after an endpoint that is gone or
// after too many failures.
func (s *Service) recordOutcome(slot *sendSlot, ok, gone bool) {
	now := s.DB.Now()
	if ok {
		slot.sub.ConsecutiveFailures, slot.failingSince = 0, nil
		return
	}
	slot.sub.ConsecutiveFailures++
	if slot.failingSince == nil {
		at := store.Micros(now)
		slot.failingSince = &at
	}
	isFailingLong := now.Sub(store.Time(*slot.failingSince)) >= s.Policy.DisableAfter
	switch {
	case slot.disabled:
	case gone:
		slot.disable(now, "The endpoint answered 410 Gone")
	case isFailingLong && slot.sub.ConsecutiveFailures >= int64(s.Policy.DisableAtLeast):
		slot.disable(now, "Every delivery failed for "+formatDays(s.Policy.DisableAfter))
	}
}

func (slot *sendSlot) disable(now time.Time, reason string) {
	slot.disabled, slot.sub.DisabledAt, slot.sub.DisabledReason = true, &now, reason
}

// functionStates returns the states of all functions that run on a delivery: those it has already, and new ones for the
// functions of the subscription and of the rules that it triggers. A delivery that was requested again starts them
// anew.
func (slot *sendSlot) functionStates(due *deliveryWithEvent) []FunctionState {
	states := due.functionStates()
	if due.RedeliverFrom != "" {
		for i := range states {
			states[i].Status, states[i].Attempts, states[i].Due = statusPending, 0, 0
		}
	}
	add := func(id string, rule laurel.ID) {
		isSame := func(f FunctionState) bool { return f.RuleID == rule && (f.ID == id || !rule.IsZero()) }
		if !slices.ContainsFunc(states, isSame) {
			states = append(states, FunctionState{ID: id, RuleID: rule, Status: statusPending})
		}
	}
	for _, id := range slot.sub.FunctionIDs {
		add(id, laurel.ID{})
	}
	if len(slot.triggeredRules) > 0 && slot.triggersRules(due) {
		for _, r := range slot.triggeredRules {
			add(r.FunctionID.String(), r.ID)
		}
	}
	return states
}

// triggersRules reports whether an event triggers the rules of the subscription. Test events do not. Nor do payments of
// these rules, or a rule would go on paying for its own payments.
func (slot *sendSlot) triggersRules(due *deliveryWithEvent) bool {
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
	return !slices.ContainsFunc(slot.triggeredRules, func(r TriggeredRule) bool {
		return r.ID == paid.Transaction.Rule.ID || r.ID == paid.RuleID
	})
}
