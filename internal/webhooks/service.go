package webhooks

import (
	"context"
	"encoding/json"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/feed"
	"laurel.example/laurel/internal/store"
)

// Filter selects subscriptions; a zero field does not restrict.
type Filter struct {
	Type     string
	Disabled *bool
	State    string // StateOn, StateFailing or StateDisabled
	Contract string
	ChainID  int64
	Table    string
	Name     string // a part of it
}

func errNoSubscription() error { return laurel.Missing("Subscription") }

// List returns a page of the subscriptions of the scope that the filter selects and that are not deleted, newest first.
// Errors: laurel.ErrCursor if the page starts after a subscription outside the scope.
func (s *Service) List(
	ctx context.Context,
	scope laurel.Scope,
	filter Filter,
	page laurel.PageRequest,
) (laurel.Page[Subscription], error) {
	out, err := listSubscriptions(ctx, s.DB, scope, filter, page)
	if err != nil {
		return out, err
	}
	return out, loadSources(ctx, s.DB, out.Data)
}

// Get returns one subscription, also a deleted one. Errors: NotFound "Subscription".
func (s *Service) Get(ctx context.Context, scope laurel.Scope, id laurel.ID) (Subscription, error) {
	return s.get(ctx, s.DB, scope, id, "")
}

// get loads one subscription with its sources and signing key. lockClause is put at the end of the query, to lock the
// row; "" locks nothing. Errors: NotFound "Subscription".
func (s *Service) get(
	ctx context.Context,
	q store.Queryer,
	scope laurel.Scope,
	id laurel.ID,
	lockClause string,
) (Subscription, error) {
	sub, err := table.Get(ctx, q, byID(scope, id), lockClause)
	if err != nil {
		return Subscription{}, err
	}
	one := []Subscription{sub}
	err = loadSources(ctx, q, one)
	return one[0], err
}

// loadSources adds the sources and the current signing keys to subscriptions as the table has them.
func loadSources(ctx context.Context, q store.Queryer, list []Subscription) error {
	if len(list) == 0 {
		return nil
	}
	ids := make([]laurel.ID, len(list))
	byID := make(map[laurel.ID]*Subscription, len(list))
	for i := range list {
		ids[i], byID[list[i].ID] = list[i].ID, &list[i]
	}
	sources, err := selectSources(ctx, q, ids)
	if err != nil {
		return err
	}
	for _, source := range sources {
		sub := byID[source.SubscriptionID]
		sub.Sources = append(sub.Sources, source)
	}
	keys, err := selectCurrentKeys(ctx, q, ids)
	for _, k := range keys {
		byID[k.SubscriptionID].SigningKey = k.secret()
	}
	return err
}

// updateLocked locks a live subscription, calls apply to change it, and writes it, in one transaction. It returns the
// changed subscription. Errors: NotFound "Subscription" and those of apply.
func (s *Service) updateLocked(
	ctx context.Context,
	scope laurel.Scope,
	id laurel.ID,
	apply func(tx *store.Tx, sub *Subscription) error,
) (Subscription, error) {
	var sub Subscription
	err := s.DB.Write(ctx, scope.Request, func(tx *store.Tx) (err error) {
		if err := lockSender(ctx, tx, scope, id); err != nil {
			return err
		}
		if sub, err = s.get(ctx, tx, scope, id, tx.ForUpdate()); err != nil {
			return err
		}
		if !sub.DeletedAt.IsZero() {
			return errNoSubscription()
		}
		return table.Edit(ctx, tx, scope, &sub, apply)
	})
	return sub, err
}

// Update changes those properties of a subscription that the input has, and returns the subscription. Errors: NotFound
// "Subscription", Invalid, Refused "Function not found".
func (s *Service) Update(ctx context.Context, scope laurel.Scope, id laurel.ID, in Input) (Subscription, error) {
	if in.FunctionIDs.Set {
		sub, err := s.Get(ctx, scope, id)
		if err != nil {
			return Subscription{}, err
		}
		if err := s.checkFunctions(ctx, scope.At(sub.WebsiteID), in.FunctionIDs.Value); err != nil {
			return Subscription{}, err
		}
	}
	return s.updateLocked(ctx, scope, id, func(tx *store.Tx, sub *Subscription) error {
		var f laurel.Faults
		before := *sub
		s.applyInput(&f, in, sub)
		if err := f.Err(); err != nil || before.StartsAt == sub.StartsAt && before.EndsAt == sub.EndsAt {
			return err
		}
		return keepComing(ctx, tx, &before)
	})
}

// keepComing gives the events that are behind the position of a subscription, by its period so far, deliveries of their
// own, and moves the position behind all. So another period is that of later events.
func keepComing(ctx context.Context, tx *store.Tx, sub *Subscription) error {
	p, err := selectProgress(ctx, tx, sub.ID)
	if err != nil {
		return err
	}
	newest, err := newestPosition(ctx, tx, sub)
	if err != nil {
		return err
	}
	for {
		list, scannedTo, err := sub.upcoming(p, maxMovedAtOnce).deliveries(ctx, tx)
		if err != nil {
			return err
		}
		rows := make([]deliveryRow, len(list))
		for i, d := range list {
			if rows[i] = d.deliveryRow; d.Status == statusPending {
				rows[i].RedeliverFrom = statusPending // a sender may be about to finish it, see divide
			}
		}
		if err := saveDeliveries(ctx, tx, rows); err != nil {
			return err
		}
		if p.Position = scannedTo; scannedTo < 0 {
			p.Position = newest
			return saveProgress(ctx, tx, sub.ID, p)
		}
	}
}

// Delete marks a subscription as deleted. Its pending events are skipped; its history can be read for 30 days. Errors:
// NotFound "Subscription".
func (s *Service) Delete(ctx context.Context, scope laurel.Scope, id laurel.ID) (Subscription, error) {
	return s.updateLocked(ctx, scope, id, func(tx *store.Tx, sub *Subscription) error {
		sub.DeletedAt.Time = tx.Now()
		if err := deactivateSources(ctx, tx, sub.ID); err != nil {
			return err
		}
		if err := skipComing(ctx, tx, sub); err != nil {
			return err
		}
		return wakeSender(ctx, tx, sub.ID, statusSkipped)
	})
}

// skipComing has the events that are behind the position of a subscription now skipped.
func skipComing(ctx context.Context, tx *store.Tx, sub *Subscription) error {
	newest, err := newestPosition(ctx, tx, sub)
	if err != nil {
		return err
	}
	return skipUpTo(ctx, tx, []laurel.ID{sub.ID}, newest)
}

// Enable ends the disabled state of a subscription. The events that were held meanwhile are sent if replay is set, else
// skipped. Errors: NotFound "Subscription".
func (s *Service) Enable(ctx context.Context, scope laurel.Scope, id laurel.ID, replay bool) (Subscription, error) {
	defer s.wakeup.Wake()
	return s.updateLocked(ctx, scope, id, func(tx *store.Tx, sub *Subscription) error {
		wasDisabled := sub.Disabled()
		sub.DisabledAt, sub.DisabledReason = laurel.NullTimestamp{}, ""
		sub.ConsecutiveFailures, sub.FailingSince = 0, laurel.NullTimestamp{}
		moveHeldTo := statusPending
		if !replay {
			moveHeldTo = statusSkipped
		}
		if !replay && wasDisabled {
			if err := skipComing(ctx, tx, sub); err != nil {
				return err
			}
		}
		if err := wakeSender(ctx, tx, sub.ID, moveHeldTo); err != nil || !wasDisabled {
			return err
		}
		return feed.Record(ctx, tx, sub.statusChange(feed.Enabled))
	})
}

// statusChange returns the change-feed record of a subscription that was disabled or enabled (contract 7.1).
func (s Subscription) statusChange(action feed.Action) feed.Change {
	return feed.Change{
		OrganizationID: s.OrganizationID, WebsiteID: s.WebsiteID, EntityID: s.ID,
		Table: feed.TableSubscription, Action: action,
		Data: store.JSON(struct {
			ID                  laurel.ID            `json:"id"`
			Name                string               `json:"name"`
			DisabledAt          laurel.NullTimestamp `json:"disabledAt"`
			DisabledReason      laurel.NullText      `json:"disabledReason"`
			ConsecutiveFailures int64                `json:"consecutiveFailures"`
		}{s.ID, s.Name, s.DisabledAt, s.DisabledReason, s.ConsecutiveFailures}),
	}
}

// Test enqueues the delivery of one made-up event of the type kind, marked as a test, and returns the delivery. If kind
// is "", it takes the first type of the subscription. Errors: NotFound "Subscription"; Invalid for a type that the
// subscription does not get; Refused while it is disabled.
func (s *Service) Test(ctx context.Context, scope laurel.Scope, id laurel.ID, kind string) (Delivery, error) {
	defer s.wakeup.Wake()
	var test Delivery
	_, err := s.updateLocked(ctx, scope, id, func(tx *store.Tx, sub *Subscription) error {
		if sub.Disabled() {
			return errDisabled()
		}
		types := sub.Types()
		if kind == "" {
			kind = types[0]
		}
		sample, table, err := sampleEvent(kind, types)
		if err != nil {
			return err
		}
		// a lane of its own marks it as a test, see deliveryBatch.triggersRules
		e := Event{ID: tx.NewID(), Table: table, Type: kind, TriggeredAt: tx.Now(), Data: sample}
		if err := insertEvents(ctx, tx, []eventRow{{
			Event: e, OrganizationID: sub.OrganizationID, WebsiteID: sub.WebsiteID, Lane: e.ID,
		}}); err != nil {
			return err
		}
		// The test takes the position of the subscription: it is sent before the events behind it.
		p, err := selectProgress(ctx, tx, sub.ID)
		if err != nil {
			return err
		}
		d := newDelivery(sub, e, p.Position)
		d.TriggerID = nil
		if sub.hasNoTarget() {
			d.Status, d.DueAt = statusSkipped, nil
		}
		test = d.delivery(e)
		if err := saveDeliveries(ctx, tx, []deliveryRow{d}); err != nil {
			return err
		}
		return wakeSender(ctx, tx, sub.ID, "")
	})
	return test, err
}

func errDisabled() error {
	return laurel.Errorf(laurel.Refused, "The subscription is disabled. Enable it first")
}

// Delivery is the state of one event for one subscription (contract 3.33).
type Delivery struct {
	Event
	SubscriptionID laurel.ID
	TriggerID      *string
	Status         string
	Attempts       int64
	NextAttemptAt  laurel.NullTimestamp
	Functions      []FunctionState
	Last           *Attempt // the newest call of the callback; nil: none yet
}

// FunctionState is the state of a function's run on an event.
type FunctionState struct {
	ID       string          `json:"id"`
	RuleID   laurel.ID       `json:"ruleId,omitzero"` // the rule that runs it; zero: a function of the subscription
	RunID    laurel.ID       `json:"runId"`
	Status   string          `json:"status"` // pending, succeeded or failed
	Attempts int             `json:"attempts"`
	Due      int64           `json:"due"` // in microseconds
	Output   json.RawMessage `json:"-"`
}

// Attempt is one call of a callback, and its result.
type Attempt struct {
	Number   int64
	At       time.Time
	Duration time.Duration
	Status   *int64  // of the response
	Body     string  // its first 1,024 characters
	Error    *string // why there was no response, or what was wrong with it
}
