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
	statusChunk = 1000 // deliveries that change their state in one transaction
)

// newSendQueue is the queue of subscriptions that have something to be sent. One node at a time has a subscription, so that
// lanes keep their order without a lease for each delivery.
func (s *Service) newSendQueue() worker.Runner {
	return &worker.Queue[senderRow]{
		Items: &worker.Items[senderRow]{
			DB: s.DB, Table: senderLeases, Lease: lease,
			Taken: func(ctx context.Context, tx *store.Tx, h *worker.Item[senderRow]) error {
				return markSenderLeased(ctx, tx, h.Key)
			},
		},
		Name: "webhooks",
		Loop: worker.Loop{
			Every: lookEvery, Wake: s.wakeups, Log: s.log, Fault: "events could not be sent; they are tried again",
		},
		Fault: "the events of a subscription met a fault", Renew: lease / 3, Batch: 1,
		Crowd:   worker.Crowd{Owners: 256, Looks: 1024, Turn: slotTime},
		Backoff: []time.Duration{time.Second, 10 * time.Second, time.Minute}, Do: s.sendSubscription,
	}
}

// Run makes and sends what is due until ctx ends. Any number of nodes may run it.
func (s *Service) Run(ctx context.Context) {
	var expanding sync.WaitGroup
	defer expanding.Wait()
	expanding.Go(func() { s.fanouts.Run(ctx) })
	s.queue.Run(ctx)
}

// SendDue sends what is due now, in batches of one subscription each.
func (s *Service) SendDue(ctx context.Context) error { return s.queue.Round(ctx) }

// wake has this node look at once.
func (s *Service) wake() {
	select {
	case s.wakeups <- struct{}{}:
	default:
	}
}

// sendSubscription is the turn of a subscription.
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
		more, err := s.sendBatch(ctx, h, &sendSlot{sub: sub, triggeredRules: triggeredRules, failingSince: row.FailingSince, deadline: deadline})
		if err != nil {
			return err
		}
		if !more || !s.DB.Now().Before(deadline) {
			break
		}
	}
	return h.PutOff(context.WithoutCancel(ctx), time.Time{}, func(tx *store.Tx) error {
		return releaseSender(context.WithoutCancel(ctx), tx, h.Key, moveHeldTo)
	})
}

// moveDeliveries changes the state of deliveries that wait, a part at a time: what is held where the subscription was enabled
// or deleted, and what is pending where it is disabled or deleted.
func (s *Service) moveDeliveries(ctx context.Context, h *worker.Item[senderRow], sub Subscription, moveHeldTo string) error {
	moveAll := func(from, to string) error {
		for {
			var n int64
			err := h.Keep(ctx, func(tx *store.Tx) (err error) {
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

// sendSlot is a subscription in its turn.
type sendSlot struct {
	sub            Subscription
	triggeredRules []TriggeredRule // that its events feed
	failingSince   *int64
	deadline       time.Time
	keys           []string

	mu       sync.Mutex // guards what follows: lanes run side by side
	finished []deliveryRow
	attempts []deliveryAttempt
	counts   attemptCounts
	disabled bool
}

// attemptCounts are attempts at events, by whether all that was due of the event was taken.
type attemptCounts struct{ taken, failed int64 }

// deliveryAttempt is an attempt at a delivery.
type deliveryAttempt struct {
	Attempt
	delivery *deliveryRow
}

// sendBatch tells a subscription what is due and writes what came of it, and reports whether more may be due.
func (s *Service) sendBatch(ctx context.Context, h *worker.Item[senderRow], w *sendSlot) (more bool, err error) {
	due, err := selectDue(ctx, s.DB, w.sub.ID, s.DB.Now(), batchSize)
	if err != nil || len(due) == 0 {
		return false, err
	}
	if w.keys, err = s.signingKeys(ctx, w.sub.ID); err != nil {
		return false, err
	}
	sent, err := s.unpark(ctx, w, due)
	if err != nil {
		return false, err
	}
	if w.sub.Version == V1 {
		s.deliverV1(ctx, w, sent[:min(len(sent), maxV1Events)])
	} else {
		s.runLanes(sent, func(d deliveryWithEvent) {
			if ctx.Err() == nil && !w.isOver(s.DB.Now()) {
				s.deliverV2(ctx, w, d)
			}
		})
	}
	writeCtx := context.WithoutCancel(ctx)
	err = h.Keep(writeCtx, func(tx *store.Tx) error {
		finished, err := w.applyRedeliveryRequests(writeCtx, tx, due)
		if err != nil {
			return err
		}
		if err := updateDeliveries(writeCtx, tx, finished); err != nil {
			return err
		}
		if err := addToHour(writeCtx, tx, w.sub, w.counts); err != nil {
			return err
		}
		if err := insertAttempts(writeCtx, tx, w.attempts); err != nil {
			return err
		}
		if err := saveFailures(writeCtx, tx, w.sub, w.failingSince); err != nil || !w.disabled {
			return err
		}
		return feed.Record(writeCtx, tx, w.sub.statusChange(feed.Disabled))
	})
	if err == nil && w.disabled {
		s.metrics.disabled.Inc()
		s.log.Warn("a subscription was disabled; its events are held until it is enabled",
			slog.String("subscription", w.sub.ID.String()), slog.String("website", w.sub.WebsiteID.String()),
			slog.String("reason", w.sub.DisabledReason))
	}
	return len(w.finished) > 0, err
}

// applyRedeliveryRequests returns what became of deliveries. Those that somebody asked for again while they were under way are
// due again at once.
func (w *sendSlot) applyRedeliveryRequests(ctx context.Context, tx *store.Tx, due []deliveryWithEvent) ([]deliveryRow, error) {
	requested, err := selectRedeliveryRequests(ctx, tx, w.sub.ID, w.finished)
	if err != nil || len(requested) == 0 {
		return w.finished, err
	}
	for _, d := range due {
		if d.RedeliverFrom != "" { // this attempt is what was asked for
			delete(requested, d.EventID)
		}
	}
	finished := slices.Clone(w.finished)
	for i := range finished {
		if d := &finished[i]; requested[d.EventID] {
			now := tx.Now()
			d.RedeliverFrom, d.Status, d.DueAt = d.Status, statusPending, microsOf(&now)
			d.CallDone, d.CallFailed, d.CallDue = false, false, nil
		}
	}
	return finished, nil
}

// runLanes does something with events, some lanes at once. An event of a lane waits for the attempt of the one before it,
// not for its retries.
func (s *Service) runLanes(due []deliveryWithEvent, do func(d deliveryWithEvent)) {
	var order []laurel.ID
	byLane := map[laurel.ID][]deliveryWithEvent{}
	for _, d := range due {
		if _, known := byLane[d.Lane]; !known {
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

func (s *Service) runSafely(d deliveryWithEvent, do func(d deliveryWithEvent)) {
	err := panics.Safely(func() error {
		do(d)
		return nil
	})
	if err != nil {
		s.log.Error("an event could not be sent", slog.String("event", d.EventID.String()), slog.Any("error", err))
	}
}

// isOver reports whether nothing more is begun in this turn.
func (w *sendSlot) isOver(now time.Time) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.disabled || !now.Before(w.deadline)
}

// recordOutcome counts what came of an attempt: whether the subscription goes on, and why not.
func (s *Service) recordOutcome(w *sendSlot, ok, gone bool) {
	now := s.DB.Now()
	if ok {
		w.sub.ConsecutiveFailures, w.failingSince = 0, nil
		return
	}
	w.sub.ConsecutiveFailures++
	if w.failingSince == nil {
		at := store.Micros(now)
		w.failingSince = &at
	}
	long := now.Sub(store.Time(*w.failingSince)) >= s.Policy.DisableAfter
	switch {
	case w.disabled:
	case gone:
		w.disable(now, "The endpoint answered 410 Gone")
	case long && w.sub.ConsecutiveFailures >= int64(s.Policy.DisableAtLeast):
		w.disable(now, "Every delivery failed for "+formatDays(s.Policy.DisableAfter))
	}
}

func (w *sendSlot) disable(now time.Time, reason string) {
	w.disabled, w.sub.DisabledAt, w.sub.DisabledReason = true, &now, reason
}

// functionStates are the functions of a delivery, also those of the subscription and of the rules that it feeds which have no
// state yet. An event that is told again is new to all of them.
func (w *sendSlot) functionStates(due *deliveryWithEvent) []FunctionState {
	states := due.functionStates()
	if due.RedeliverFrom != "" {
		for i := range states {
			states[i].Status, states[i].Attempts, states[i].Due = statusPending, 0, 0
		}
	}
	add := func(id string, rule laurel.ID) {
		known := func(f FunctionState) bool { return f.RuleID == rule && (f.ID == id || !rule.IsZero()) }
		if !slices.ContainsFunc(states, known) {
			states = append(states, FunctionState{ID: id, RuleID: rule, Status: statusPending})
		}
	}
	for _, id := range w.sub.FunctionIDs {
		add(id, laurel.ID{})
	}
	if len(w.triggeredRules) > 0 && w.triggersRules(due) {
		for _, r := range w.triggeredRules {
			add(r.FunctionID.String(), r.ID)
		}
	}
	return states
}

// triggersRules reports whether an event is handed to the rules that the subscription feeds: made-up ones are not, nor what one
// of these rules has paid, or they would go on paying for their own payments.
func (w *sendSlot) triggersRules(due *deliveryWithEvent) bool {
	if due.Lane == due.EventID { // only test events are lanes of their own
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
	_ = json.Unmarshal([]byte(due.Data), &paid) // what has no such property was paid by no rule
	return !slices.ContainsFunc(w.triggeredRules, func(r TriggeredRule) bool {
		return r.ID == paid.Transaction.Rule.ID || r.ID == paid.RuleID
	})
}
