package webhooks

import (
	"context"
	"encoding/json"
	"log/slog"
	"slices"
	"sync"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/panics"
	"laurel.example/laurel/internal/store"
	"laurel.example/laurel/internal/worker"
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
		Items: itemsOf[senderRow](s.DB, senderQueueTable),
		Name:  "webhooks",
		Loop: worker.Loop{
			Every: pollEvery, Wake: s.wakeup, Log: s.log,
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

// sendSubscription sends the due events of a subscription in batches, until none is due or timeSlice is over, and gives
// the lease back. Before each batch it moves waiting deliveries to the status that fits the subscription, which may
// have been disabled, enabled or deleted.
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
		batch := &deliveryBatch{sub: sub, before: sub, deadline: deadline}
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
	err = s.writeBatch(context.WithoutCancel(ctx), h, batch, due)
	if err == nil && batch.disabled {
		s.metrics.disabled.Inc()
		s.log.Warn("a subscription was disabled; its events are held until it is enabled",
			slog.String("subscription", batch.sub.ID.String()), slog.String("website", batch.sub.WebsiteID.String()),
			slog.String("reason", string(batch.sub.DisabledReason)))
	}
	return len(batch.finished) > 0, err
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
func (s *Service) recordOutcome(batch *deliveryBatch, result *callResult) {
	s.metrics.count(result.succeeded)
	now := s.DB.Now()
	if result.succeeded {
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
	case result.gone:
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
			id := ""
			if !r.FunctionID.IsZero() {
				id = r.FunctionID.String()
			}
			add(id, r.ID)
		}
	}
	return states
}

// triggersRules reports whether an event triggers the rules of the subscription. Test events do not. Neither do
// payments by these rules: a rule would go on paying for its own payments. By events of contracts that a reorganization
// has taken back, rules take back what they have paid.
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
