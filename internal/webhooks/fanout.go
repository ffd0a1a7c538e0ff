package webhooks

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"iter"
	"maps"
	"slices"
	"time"

	"laurel"
	"laurel/internal/feed"
	"laurel/internal/store"
)

// ConsumerName is the name of this reader of the change feed.
const ConsumerName = "webhooks"

const (
	changesPerBatch = 500
	// feedRest leaves half of the time to other writers if each change has many deliveries.
	feedRest = 1
	// One transaction of a fan-out writes about so many deliveries and bytes of event data.
	maxDeliveriesPerPart = 2000
	maxBytesPerPart      = 8 << 20
	v1BatchWait          = time.Second
)

// Consumer returns the consumer of the change feed that makes events and their deliveries. The id of an event is
// computed from the change. So a change that is read twice, as after a crash, makes the same event, and each
// subscription gets it once.
func (s *Service) Consumer() feed.Consumer {
	return feed.Consumer{
		Name: ConsumerName, Batch: changesPerBatch, RestFactor: feedRest, Prepare: s.prepareFanout,
		FilterWebsites: selectWatchedWebsites,
	}
}

// matchedSubscription is a subscription that gets an event, with the source by which it watches the change.
type matchedSubscription struct {
	sub           *Subscription
	source        *Source
	triggersRules bool // its events trigger rules; set only for subscriptions without a target, see setTriggersRules
}

// fanoutEvent is an event with the subscriptions that get it.
type fanoutEvent struct {
	event    eventRow
	currency laurel.ID             // of an entry or an account
	matches  []matchedSubscription // none: the fan-out queue will find them
	fault    error                 // why its data could not be described
}

// prepareFanout makes the events and deliveries of a batch of changes. Deliveries to more than maxDirectSubscriptions
// subscriptions are left to the fan-out queue. Large batches are written in parts: prepareFanout writes all parts but
// the last in transactions of their own. The function that it returns writes the last one, in the transaction that
// moves the cursor of the feed.
func (s *Service) prepareFanout(ctx context.Context, q store.Queryer, changes []feed.Change) (feed.Write, error) {
	subs, err := s.subscriptionsByWebsite(ctx, q, changes)
	if err != nil {
		return nil, err
	}
	list, err := s.eventsOfChanges(ctx, changes, subs)
	if err != nil {
		return nil, err
	}
	s.logParked(list)
	// This read comes before those of day counts, which the fan-out of a waiting website changes.
	hasWaiting, err := selectWaitingWebsites(ctx, q, websitesOf(list))
	if err != nil {
		return nil, err
	}
	waiting := takeWideFanouts(list, hasWaiting)
	if err := s.setTriggersRules(ctx, q, list); err != nil {
		return nil, err
	}
	days, err := s.loadDayCounts(ctx, q, subs)
	if err != nil {
		return nil, err
	}
	last := fanoutPart{} // read but not written yet; empty before the first
	for part := range s.splitIntoParts(list, days) {
		if err := s.DB.InTx(ctx, func(tx *store.Tx) error { return last.write(ctx, tx, nil) }); err != nil {
			return nil, err
		}
		last = part
	}
	return func(ctx context.Context, tx *store.Tx) error {
		// Waiting events are written with the cursor only, so a batch that is read again adds each of them once.
		if err := insertWaitingEvents(ctx, tx, waiting); err != nil {
			return err
		}
		return last.write(ctx, tx, days.rows())
	}, nil
}

// websitesOf returns the websites of events, each once.
func websitesOf(list []fanoutEvent) (out []laurel.ID) {
	for _, n := range list {
		if !slices.Contains(out, n.event.WebsiteID) {
			out = append(out, n.event.WebsiteID)
		}
	}
	return out
}

// subscriptionsByWebsite returns, for each website in which a change happened, the live subscriptions to tables.
func (s *Service) subscriptionsByWebsite(
	ctx context.Context,
	q store.Queryer,
	changes []feed.Change,
) (map[laurel.ID][]*Subscription, error) {
	var websites []laurel.ID
	for _, c := range changes {
		if !slices.Contains(websites, c.WebsiteID) {
			websites = append(websites, c.WebsiteID)
		}
	}
	subs, err := selectLiveSubscriptions(ctx, q, websites)
	if err == nil {
		err = loadSources(ctx, q, subs)
	}
	out := map[laurel.ID][]*Subscription{}
	for i := range subs {
		out[subs[i].WebsiteID] = append(out[subs[i].WebsiteID], &subs[i])
	}
	return out, err
}

// matchingSource returns the source of the subscription that watches the changed table, or nil if the subscription does
// not get the change. It does not get a change from before its creation or start or after its end, a change of itself,
// and one that no source watches: by the table and, for an entry or an account, by the currency. currency is that of
// the entry or account.
func (s *Subscription) matchingSource(c feed.Change, currency laurel.ID) *Source {
	switch {
	case c.At.Before(s.CreatedAt.Time), !s.StartsAt.IsZero() && c.At.Before(s.StartsAt.Time),
		!s.EndsAt.IsZero() && !c.At.Before(s.EndsAt.Time),
		c.Table == feed.TableSubscription && c.EntityID == s.ID:
		return nil
	}
	for i, source := range s.Sources {
		if source.Table != c.Table {
			continue
		}
		hasLimit := (c.Table == feed.TableTransactionEntry || c.Table == feed.TableAccount) && len(source.CurrencyIDs) > 0
		if hasLimit && !slices.Contains(source.CurrencyIDs, currency) {
			return nil
		}
		return &s.Sources[i]
	}
	return nil
}

// matchSubscriptions returns the subscriptions that get a change, each with its source.
func matchSubscriptions(c feed.Change, currency laurel.ID, subs []*Subscription) (out []matchedSubscription) {
	for _, sub := range subs {
		if source := sub.matchingSource(c, currency); source != nil {
			out = append(out, matchedSubscription{sub: sub, source: source})
		}
	}
	return out
}

// accountRef is the account and the currency in the data of changes of entries and accounts.
type accountRef struct {
	AccountID  laurel.ID `json:"loyaltyAccountId"`
	CurrencyID laurel.ID `json:"loyaltyCurrencyId"`
}

// eventsOfChanges returns the events of the changes that some subscription gets, with their data and these
// subscriptions, in the order of changes. Events whose data cannot be loaded are parked. Changes that make no event,
// and those that no subscription gets, are left out.
func (s *Service) eventsOfChanges(
	ctx context.Context,
	changes []feed.Change,
	subs map[laurel.ID][]*Subscription,
) ([]fanoutEvent, error) {
	wanted := map[laurel.ID][]feed.Change{}
	events := map[int64]*fanoutEvent{} // by number of the change
	for _, c := range changes {
		if !makesEvent(c) {
			continue
		}
		var account accountRef
		isUndecoded := json.Unmarshal(c.Data, &account) != nil
		n := fanoutEvent{
			event: newEvent(c, account), currency: account.CurrencyID,
			matches: matchSubscriptions(c, account.CurrencyID, subs[c.WebsiteID]),
		}
		if len(n.matches) == 0 {
			continue
		}
		events[c.Seq] = &n
		if isUndecoded {
			n.park(c, errUndecoded)
			continue
		}
		wanted[c.WebsiteID] = append(wanted[c.WebsiteID], c)
	}
	for website, list := range wanted {
		scope := laurel.Scope{OrganizationID: list[0].OrganizationID, WebsiteID: website, Role: laurel.RoleWebsite}
		descriptions, err := s.describe(ctx, scope, list)
		if err != nil {
			return nil, err
		}
		for i, c := range list {
			if events[c.Seq].event.Data = descriptions[i].data; descriptions[i].fault != nil {
				events[c.Seq].park(c, descriptions[i].fault)
			}
		}
	}
	var out []fanoutEvent
	for _, c := range changes {
		if n := events[c.Seq]; n != nil && n.event.Data != nil { // without data the change makes no event
			out = append(out, *n)
		}
	}
	return out, nil
}

// newEvent returns the event of a change, without its data. Its id is a UUIDv7 that is computed from the change's time
// and number. Events of one lane are delivered in order: the lane is the changed record or, for an entry, its account.
func newEvent(c feed.Change, account accountRef) eventRow {
	id := minIDAt(c.At)
	var number [8]byte
	binary.BigEndian.PutUint64(number[:], uint64(c.Seq)) //nolint:gosec // numbers of the feed are positive
	hash := sha256.Sum256(append(number[:], c.EntityID[:]...))
	copy(id[6:], hash[:])
	id[6] = id[6]&0x0f | 0x70
	id[8] = id[8]&0x3f | 0x80
	lane := c.EntityID
	if c.Table == feed.TableTransactionEntry {
		lane = account.AccountID
	}
	return eventRow{
		Event:          Event{ID: id, Table: string(c.Table), Type: eventType(c.Table, c.Action), TriggeredAt: c.At},
		OrganizationID: c.OrganizationID, WebsiteID: c.WebsiteID, Position: c.Seq, Lane: lane,
	}
}

// setTriggersRules sets triggersRules in every match of the events: true if the subscription has no target of its own
// and its events trigger rules, false for all others. A subscription without either gets skipped deliveries.
func (s *Service) setTriggersRules(ctx context.Context, q store.Queryer, list []fanoutEvent) error {
	withoutTarget, checked := map[laurel.Scope][]laurel.ID{}, map[laurel.ID]bool{}
	for _, n := range list {
		for _, m := range n.matches {
			if !m.sub.hasNoTarget() || checked[m.sub.ID] {
				continue
			}
			checked[m.sub.ID] = true
			scope := laurel.Scope{
				OrganizationID: m.sub.OrganizationID, WebsiteID: m.sub.WebsiteID, Role: laurel.RoleWebsite,
			}
			withoutTarget[scope] = append(withoutTarget[scope], m.sub.ID)
		}
	}
	triggersRules := map[laurel.ID]bool{}
	for scope, ids := range withoutTarget {
		rules, err := s.Rules.TriggeredBy(ctx, q, scope, ids)
		if err != nil {
			return err
		}
		for _, r := range rules {
			triggersRules[r.SubscriptionID] = true
		}
	}
	for _, n := range list {
		for i := range n.matches {
			n.matches[i].triggersRules = triggersRules[n.matches[i].sub.ID]
		}
	}
	return nil
}

// hasNoTarget reports whether a subscription has neither a callback nor a function: it may exist to trigger rules.
func (s *Subscription) hasNoTarget() bool { return s.CallbackURL == "" && len(s.FunctionIDs) == 0 }

// newDelivery returns the delivery of an event to a subscription: pending, held while the subscription is disabled, or
// skipped if it has no target and triggers no rule.
func newDelivery(m matchedSubscription, e Event) deliveryRow {
	sub := m.sub
	d := deliveryRow{
		SubscriptionID: sub.ID, EventID: e.ID, OrganizationID: sub.OrganizationID, WebsiteID: sub.WebsiteID,
		TriggerID: m.source.TriggerID, Status: statusPending, CallDone: sub.CallbackURL == "",
	}
	due := e.TriggeredAt
	if sub.Version == V1 {
		due = due.Add(v1BatchWait)
	}
	switch {
	case sub.Disabled():
		d.Status = statusHeld
	case sub.hasNoTarget() && !m.triggersRules:
		d.Status = statusSkipped
	default:
		d.DueAt = new(store.Micros(due))
	}
	return d
}

// fanoutPart is the part of a fan-out that one transaction writes.
type fanoutPart struct {
	events     []eventRow
	deliveries []deliveryRow
	attempts   []deliveryAttempt // at parked events
	size       int               // of the events' data, in bytes
}

// splitIntoParts makes the deliveries of events and yields both in parts, of at most maxDeliveriesPerPart deliveries
// and about maxBytesPerPart of event data.
func (s *Service) splitIntoParts(list []fanoutEvent, days dayCounts) iter.Seq[fanoutPart] {
	return func(yield func(fanoutPart) bool) {
		var part fanoutPart
		flush := func() (stop bool) { // yields the part if it is full
			if len(part.deliveries) < maxDeliveriesPerPart && part.size < maxBytesPerPart {
				return false
			}
			full := part
			part = fanoutPart{}
			return !yield(full)
		}
		for _, n := range list {
			part.events = append(part.events, n.event)
			part.size += len(n.event.Data)
			if flush() {
				return
			}
			for _, m := range n.matches {
				part.addDelivery(n, m, days)
				if flush() {
					return
				}
			}
		}
		if len(part.events)+len(part.deliveries) > 0 {
			yield(part)
		}
	}
}

// addDelivery adds the delivery of an event to a subscription. The delivery is failed if the event is parked, and
// skipped if the subscription has had as many events today as it may.
func (f *fanoutPart) addDelivery(n fanoutEvent, m matchedSubscription, days dayCounts) {
	d := newDelivery(m, n.event.Event)
	d.Position = n.event.Position
	if n.fault != nil {
		var attempt deliveryAttempt
		d, attempt = failedDelivery(d, n.fault, n.event.TriggeredAt)
		f.attempts = append(f.attempts, attempt)
	} else if !days.countWithinLimit(m.sub, n.event.TriggeredAt) {
		d.Status, d.DueAt = statusSkipped, nil
	}
	f.deliveries = append(f.deliveries, d)
}

// write inserts the events, deliveries and attempts of a part, and makes the subscriptions with pending deliveries due
// for sending. It also stores dayCountRows, which may be nil.
func (f fanoutPart) write(ctx context.Context, tx *store.Tx, dayCountRows [][]any) error {
	var ids []laurel.ID
	included := map[laurel.ID]bool{}
	for _, d := range f.deliveries {
		if d.Status == statusPending && !included[d.SubscriptionID] {
			included[d.SubscriptionID] = true
			ids = append(ids, d.SubscriptionID)
		}
	}
	if err := wakeSenders(ctx, tx, ids, dayCountRows); err != nil {
		return err
	}
	if err := insertEvents(ctx, tx, f.events); err != nil {
		return err
	}
	if err := insertDeliveries(ctx, tx, f.deliveries); err != nil {
		return err
	}
	return insertAttempts(ctx, tx, f.attempts)
}

// dayCounts holds how many events subscriptions with a daily limit got on a UTC day.
type dayCounts map[laurel.ID]*dayCount

type dayCount struct {
	day, events int64
	changed     bool
}

// dayOf returns the number of the UTC day of a moment.
func dayOf(at time.Time) int64 { return at.Unix() / int64(24*time.Hour/time.Second) }

// countWithinLimit counts an event of a subscription and returns true. If the subscription has reached its daily limit,
// it returns false and does not count. Subscriptions without a limit have no count, and get true.
func (d dayCounts) countWithinLimit(sub *Subscription, at time.Time) bool {
	count := d[sub.ID]
	if count == nil {
		return true
	}
	if day := dayOf(at); day > count.day {
		count.day, count.events = day, 0
	}
	if count.events >= *sub.MaxEventsPerDay {
		return false
	}
	count.events, count.changed = count.events+1, true
	return true
}

// rows returns the counts that have changed as rows for wakeSenders, in the order of subscriptions.
func (d dayCounts) rows() [][]any {
	var rows [][]any
	for _, id := range slices.SortedFunc(maps.Keys(d), laurel.ID.Compare) {
		if count := d[id]; count.changed {
			rows = append(rows, []any{id, count.day, count.events})
		}
	}
	return rows
}

// loadDayCounts reads the day counts of the subscriptions that have a limit.
func (s *Service) loadDayCounts(
	ctx context.Context,
	q store.Queryer,
	subs map[laurel.ID][]*Subscription,
) (dayCounts, error) {
	var ids []laurel.ID
	for _, list := range subs {
		for _, sub := range list {
			if sub.MaxEventsPerDay != nil {
				ids = append(ids, sub.ID)
			}
		}
	}
	return selectDayCounts(ctx, q, ids)
}
