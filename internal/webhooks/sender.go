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
	lease     = 15 * time.Second
	lanes     = 4 // requests of a subscription at once (contract 7.5)
	turn      = 5 * time.Second
	perBatch  = 200
	lookEvery = 200 * time.Millisecond
	settled   = 1000 // deliveries that change their state in one transaction
)

// senders is the queue of subscriptions that have something to be sent. One node at a time has a subscription, so that
// lanes keep their order without a lease for each delivery.
func (s *Service) senders() worker.Runner {
	return &worker.Queue[senderRow]{
		Items: &worker.Items[senderRow]{
			DB: s.DB, Table: leased, Lease: lease,
			Taken: func(ctx context.Context, tx *store.Tx, h *worker.Item[senderRow]) error {
				return markHeld(ctx, tx, h.Key)
			},
		},
		Name: "webhooks",
		Loop: worker.Loop{
			Every: lookEvery, Wake: s.wake, Log: s.log, Fault: "events could not be sent; they are tried again",
		},
		Fault: "the events of a subscription met a fault", Renew: lease / 3, Batch: 1,
		Crowd:   worker.Crowd{Owners: 256, Looks: 1024, Turn: turn},
		Backoff: []time.Duration{time.Second, 10 * time.Second, time.Minute}, Do: s.work,
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

// nudge has this node look at once.
func (s *Service) nudge() {
	select {
	case s.wake <- struct{}{}:
	default:
	}
}

// work is the turn of a subscription.
func (s *Service) work(ctx context.Context, h *worker.Item[senderRow]) error {
	scope := laurel.Scope{OrganizationID: h.Row.OrganizationID, WebsiteID: h.Row.WebsiteID, Role: laurel.RoleWebsite}
	kept := h.Row.KeptBecome
	until := s.DB.Now().Add(turn)
	for ctx.Err() == nil {
		row, err := findSubscription(ctx, s.DB, scope, h.Key, "")
		if err != nil {
			return err
		}
		sub, err := row.subscription()
		if err != nil {
			return err
		}
		if err := s.settle(ctx, h, sub, kept); err != nil {
			return err
		}
		if sub.Disabled() || !sub.DeletedAt.IsZero() {
			break
		}
		fed, err := s.Rules.Fed(ctx, s.DB, scope, []laurel.ID{sub.ID})
		if err != nil {
			return err
		}
		more, err := s.batch(ctx, h, &sender{sub: sub, fed: fed, failingSince: row.FailingSince, until: until})
		if err != nil {
			return err
		}
		if !more || !s.DB.Now().Before(until) {
			break
		}
	}
	return h.PutOff(context.WithoutCancel(ctx), time.Time{}, func(tx *store.Tx) error {
		return letGo(context.WithoutCancel(ctx), tx, h.Key, kept)
	})
}

// settle changes the state of deliveries that wait, a part at a time: what is held where the subscription was enabled
// or deleted, and what is pending where it is disabled or deleted.
func (s *Service) settle(ctx context.Context, h *worker.Item[senderRow], sub Subscription, kept string) error {
	change := func(from, to string) error {
		for {
			var n int64
			err := h.Keep(ctx, func(tx *store.Tx) (err error) {
				n, err = become(ctx, tx, h.Key, from, to)
				return err
			})
			if err != nil || n < settled {
				return err
			}
		}
	}
	switch {
	case !sub.DeletedAt.IsZero():
		if err := change(statusHeld, statusSkipped); err != nil {
			return err
		}
		return change(statusPending, statusSkipped)
	case sub.Disabled():
		return change(statusPending, statusHeld)
	case kept != "":
		return change(statusHeld, kept)
	}
	return nil
}

// sender is a subscription in its turn.
type sender struct {
	sub          Subscription
	fed          []FedRule // that its events feed
	failingSince *int64
	until        time.Time
	keys         []string

	mu       sync.Mutex // guards what follows: lanes run side by side
	done     []deliveryRow
	attempts []attempted
	fared    counts
	disabled bool
}

// counts are attempts at events, by whether all that was due of the event was taken.
type counts struct{ taken, failed int64 }

// attempted is an attempt at a delivery.
type attempted struct {
	Attempt
	row *deliveryRow
}

// batch tells a subscription what is due and writes what came of it, and reports whether more may be due.
func (s *Service) batch(ctx context.Context, h *worker.Item[senderRow], w *sender) (more bool, err error) {
	due, err := dueNow(ctx, s.DB, w.sub.ID, s.DB.Now(), perBatch)
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
		s.together(ctx, w, sent[:min(len(sent), mostTogether)])
	} else {
		s.lanes(sent, func(d toldRow) {
			if ctx.Err() == nil && !w.over(s.DB.Now()) {
				s.deliver(ctx, w, d)
			}
		})
	}
	back := context.WithoutCancel(ctx)
	err = h.Keep(back, func(tx *store.Tx) error {
		done, err := w.askedMeanwhile(back, tx, due)
		if err != nil {
			return err
		}
		if err := updateDeliveries(back, tx, done); err != nil {
			return err
		}
		if err := addToHour(back, tx, w.sub, w.fared); err != nil {
			return err
		}
		if err := insertAttempts(back, tx, w.attempts); err != nil {
			return err
		}
		if err := fared(back, tx, w.sub, w.failingSince); err != nil || !w.disabled {
			return err
		}
		return feed.Record(back, tx, w.sub.told(feed.Disabled))
	})
	if err == nil && w.disabled {
		s.gave.disabled.Inc()
		s.log.Warn("a subscription was disabled; its events are held until it is enabled",
			slog.String("subscription", w.sub.ID.String()), slog.String("website", w.sub.WebsiteID.String()),
			slog.String("reason", w.sub.DisabledReason))
	}
	return len(w.done) > 0, err
}

// askedMeanwhile returns what became of deliveries. Those that somebody asked for again while they were under way are
// due again at once.
func (w *sender) askedMeanwhile(ctx context.Context, tx *store.Tx, read []toldRow) ([]deliveryRow, error) {
	asked, err := askedAgain(ctx, tx, w.sub.ID, w.done)
	if err != nil || len(asked) == 0 {
		return w.done, err
	}
	for _, d := range read {
		if d.Again != "" { // this attempt is what was asked for
			delete(asked, d.EventID)
		}
	}
	done := slices.Clone(w.done)
	for i := range done {
		if d := &done[i]; asked[d.EventID] {
			now := tx.Now()
			d.Again, d.Status, d.DueAt = d.Status, statusPending, microsOf(&now)
			d.Called, d.CallFailed, d.CallDue = false, false, nil
		}
	}
	return done, nil
}

// lanes does something with events, some lanes at once. An event of a lane waits for the attempt of the one before it,
// not for its retries.
func (s *Service) lanes(due []toldRow, do func(d toldRow)) {
	var order []laurel.ID
	byLane := map[laurel.ID][]toldRow{}
	for _, d := range due {
		if _, known := byLane[d.Lane]; !known {
			order = append(order, d.Lane)
		}
		byLane[d.Lane] = append(byLane[d.Lane], d)
	}
	next := make(chan []toldRow)
	var running sync.WaitGroup
	for range min(lanes, len(order)) {
		running.Go(func() {
			for lane := range next {
				for _, d := range lane {
					s.safely(d, do)
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

func (s *Service) safely(d toldRow, do func(d toldRow)) {
	err := panics.Safely(func() error {
		do(d)
		return nil
	})
	if err != nil {
		s.log.Error("an event could not be sent", slog.String("event", d.EventID.String()), slog.Any("error", err))
	}
}

// over reports whether nothing more is begun in this turn.
func (w *sender) over(now time.Time) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.disabled || !now.Before(w.until)
}

// fare counts what came of an attempt: whether the subscription goes on, and why not.
func (s *Service) fare(w *sender, ok, gone bool) {
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
		w.disable(now, "Every delivery failed for "+days(s.Policy.DisableAfter))
	}
}

func (w *sender) disable(now time.Time, reason string) {
	w.disabled, w.sub.DisabledAt, w.sub.DisabledReason = true, &now, reason
}

// states are the functions of a delivery, also those of the subscription and of the rules that it feeds which have no
// state yet. An event that is told again is new to all of them.
func (w *sender) states(due *toldRow) []FunctionState {
	states := due.states()
	if due.Again != "" {
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
	if len(w.fed) > 0 && w.feeds(due) {
		for _, r := range w.fed {
			add(r.FunctionID.String(), r.ID)
		}
	}
	return states
}

// feeds reports whether an event is handed to the rules that the subscription feeds: made-up ones are not, nor what one
// of these rules has paid, or they would go on paying for their own payments.
func (w *sender) feeds(due *toldRow) bool {
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
	return !slices.ContainsFunc(w.fed, func(r FedRule) bool {
		return r.ID == paid.Transaction.Rule.ID || r.ID == paid.RuleID
	})
}
