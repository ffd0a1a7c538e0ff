package webhooks

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"maps"
	"slices"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/feed"
	"laurel.example/laurel/internal/store"
)

// ConsumerName is the name of this reader of the change feed.
const ConsumerName = "webhooks"

const (
	changesPerBatch = 500
	// feedRest leaves half of the time to other writers.
	feedRest = 1
	// One transaction of the consumer writes about so many bytes of event data.
	maxBytesPerPart = 8 << 20
	v1BatchWait     = time.Second
)

// Consumer returns the consumer of the change feed that makes events and wakes the subscriptions that get them. The id
// of an event is computed from the change. So a change that is read twice, as after a crash, makes the same event.
func (s *Service) Consumer() feed.Consumer {
	return feed.Consumer{
		Name: ConsumerName, Batch: changesPerBatch, RestFactor: feedRest, Prepare: s.prepareFanout,
		FilterWebsites: selectWatchedWebsites,
	}
}

// fanoutEvent is an event with the subscriptions that get it.
type fanoutEvent struct {
	event   eventRow
	matches []*Subscription
	fault   error // why its data could not be described
}

// prepareFanout makes the events of a batch of changes. Events with much data are written in parts: prepareFanout
// writes all parts but the last in transactions of their own. The function that it returns writes the last one and
// wakes the subscriptions, in the transaction that moves the cursor of the feed.
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
	var part []eventRow // read but not written yet
	size := 0
	for _, n := range list {
		if size >= maxBytesPerPart {
			if err := s.DB.InTx(ctx, func(tx *store.Tx) error { return insertEvents(ctx, tx, part) }); err != nil {
				return nil, err
			}
			part, size = nil, 0
		}
		part, size = append(part, n.event), size+len(n.event.Data)
	}
	few, many := divideByNumber(list)
	idle, err := s.idleAmong(ctx, q, few)
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context, tx *store.Tx) error {
		if len(list) == 0 {
			return nil
		}
		newest := list[len(list)-1].event.Position
		if err := wakeOrPass(ctx, tx, few, idle, newest); err != nil {
			return err
		}
		if err := queueFanouts(ctx, tx, many, newest); err != nil {
			return err
		}
		return insertEvents(ctx, tx, part)
	}, nil
}

// divideByNumber returns the subscriptions that get some of the events, in the order of their ids, and the websites
// with more than maxDirectSubscriptions such subscriptions, whose subscriptions the fan-out queue wakes.
func divideByNumber(list []fanoutEvent) (few []wokenSubscription, many []laurel.Scope) {
	matched, direct := map[laurel.Scope]map[laurel.ID]wokenSubscription{}, map[laurel.ID]wokenSubscription{}
	for _, n := range list {
		if isOfContract(feed.Table(n.event.Table)) { // each is for one subscription
			for _, sub := range n.matches {
				direct[sub.ID] = wokenSubscription{
					ID: sub.ID, Website: laurel.Scope{OrganizationID: sub.OrganizationID, WebsiteID: sub.WebsiteID},
					HasTarget: direct[sub.ID].HasTarget || !sub.hasNoTarget() || sub.Disabled() || n.fault != nil,
				}
			}
			continue
		}
		website := laurel.Scope{OrganizationID: n.event.OrganizationID, WebsiteID: n.event.WebsiteID}
		if matched[website] == nil {
			matched[website] = map[laurel.ID]wokenSubscription{}
		}
		for _, sub := range n.matches {
			one := matched[website][sub.ID]
			matched[website][sub.ID] = wokenSubscription{
				ID: sub.ID, Website: website, HasTarget: one.HasTarget || !sub.hasNoTarget() || sub.Disabled() || n.fault != nil,
			}
		}
	}
	for website, ids := range matched {
		if len(ids) > maxDirectSubscriptions {
			many = append(many, website)
			continue
		}
		few = slices.AppendSeq(few, maps.Values(ids))
	}
	few = slices.AppendSeq(few, maps.Values(direct))
	slices.SortFunc(few, func(a, b wokenSubscription) int { return a.ID.Compare(b.ID) })
	slices.SortFunc(many, func(a, b laurel.Scope) int { return a.WebsiteID.Compare(b.WebsiteID) })
	return few, many
}

// wokenSubscription is a subscription for which there are new events.
type wokenSubscription struct {
	ID        laurel.ID
	Website   laurel.Scope
	HasTarget bool // a sender decides its events: it has a target or is disabled, or one of them is parked
}

// idleAmong returns those of the subscriptions that have nobody to tell: neither a target, nor rules that their events
// trigger. Their events are skipped without a sender.
func (s *Service) idleAmong(
	ctx context.Context, q store.Queryer, list []wokenSubscription,
) (idle map[laurel.ID]bool, err error) {
	byWebsite := map[laurel.Scope][]laurel.ID{}
	idle = map[laurel.ID]bool{}
	for _, sub := range list {
		if !sub.HasTarget {
			scope := sub.Website
			scope.Role = laurel.RoleWebsite
			byWebsite[scope], idle[sub.ID] = append(byWebsite[scope], sub.ID), true
		}
	}
	for scope, ids := range byWebsite {
		rules, err := s.Rules.TriggeredBy(ctx, q, scope, ids)
		if err != nil {
			return nil, err
		}
		for _, r := range rules {
			delete(idle, r.SubscriptionID)
		}
	}
	return idle, nil
}

// wakeOrPass wakes subscriptions, in the order of their ids, for events up to a position. Those that are idle pass the
// events as skipped.
func wakeOrPass(
	ctx context.Context, tx *store.Tx, list []wokenSubscription, idle map[laurel.ID]bool, position int64,
) error {
	var woken, passing []laurel.ID
	for _, sub := range list {
		if idle[sub.ID] {
			passing = append(passing, sub.ID)
		} else {
			woken = append(woken, sub.ID)
		}
	}
	if err := wakeMany(ctx, tx, woken, position); err != nil {
		return err
	}
	return skipUpTo(ctx, tx, passing, position)
}

// subscriptionsByWebsite returns, for each website in which a change happened, the live subscriptions.
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

// getsChange reports whether a subscription gets a change, as upcoming decides it for events. It does not get a change
// from before it begins or after its end, a change of itself, and one that no source watches: by the table
// and, for an entry or an account, by the currency. currency is that of the entry or account.
func (s *Subscription) getsChange(c feed.Change, currency laurel.ID) bool {
	switch {
	case c.At.Before(s.since()), !s.EndsAt.IsZero() && !c.At.Before(s.EndsAt.Time),
		c.Table == feed.TableSubscription && c.EntityID == s.ID:
		return false
	}
	source := s.sourceOf(streamOf(c))
	return source != nil && (!source.isLimited() || slices.Contains(source.CurrencyIDs, currency))
}

// since returns the moment from which on the subscription gets changes: its creation, or an earlier one from which it
// replays them, or its start if that is later.
func (s *Subscription) since() time.Time {
	from := s.CreatedAt.Time
	if !s.ReplayFrom.IsZero() {
		from = s.ReplayFrom.Time
	}
	if s.StartsAt.After(from) {
		from = s.StartsAt.Time
	}
	return from
}

// sourceOf returns the source that watches a table, or the contract of a stream; nil if there is none.
func (s *Subscription) sourceOf(table feed.Table) *Source {
	i := slices.IndexFunc(s.Sources, func(source Source) bool { return source.stream() == table })
	if i < 0 {
		return nil
	}
	return &s.Sources[i]
}

// isLimited reports whether a source gets only changes in its currencies: it watches entries or accounts, and has some.
func (s *Source) isLimited() bool {
	return (s.Table == feed.TableTransactionEntry || s.Table == feed.TableAccount) && len(s.CurrencyIDs) > 0
}

// matchSubscriptions returns the subscriptions that get a change.
func matchSubscriptions(c feed.Change, currency laurel.ID, subs []*Subscription) (out []*Subscription) {
	for _, sub := range subs {
		if sub.getsChange(c, currency) {
			out = append(out, sub)
		}
	}
	return out
}

// accountRef is the account and the currency in the data of changes of entries and accounts, and the key in that of
// events of contracts.
type accountRef struct {
	EventKey   string    `json:"eventKey"`
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
			event: newEvent(c, account), matches: matchSubscriptions(c, account.CurrencyID, subs[c.WebsiteID]),
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

// newEvent returns the event of a change, without its data. Its id, a UUIDv7, is computed from the change's time and
// number. A lane, whose events are sent in order, is the record, an entry's account, or the key of a contract's event.
func newEvent(c feed.Change, account accountRef) eventRow {
	id := minIDAt(c.At)
	var number [8]byte
	binary.BigEndian.PutUint64(number[:], uint64(c.Seq)) //nolint:gosec // numbers of the feed are positive
	hash := sha256.Sum256(append(number[:], c.EntityID[:]...))
	copy(id[6:], hash[:])
	id[6] = id[6]&0x0f | 0x70
	id[8] = id[8]&0x3f | 0x80
	lane := c.EntityID
	switch c.Table {
	case feed.TableTransactionEntry:
		lane = account.AccountID
	case feed.TableContract:
		lane = laneOfKey(account.EventKey)
	}
	return eventRow{
		Event:          Event{ID: id, Table: string(streamOf(c)), Type: eventType(c.Table, c.Action), TriggeredAt: c.At},
		OrganizationID: c.OrganizationID, WebsiteID: c.WebsiteID, Position: c.Seq, Lane: lane,
		CurrencyID: account.CurrencyID,
	}
}

// hasNoTarget reports whether a subscription has neither a callback nor a function: it may exist to trigger rules.
func (s *Subscription) hasNoTarget() bool { return s.CallbackURL == "" && len(s.FunctionIDs) == 0 }

// newDelivery returns the delivery of an event at a position to a subscription: pending, and due at once or, for v1,
// when its batch closes.
func newDelivery(sub *Subscription, e Event, position int64) deliveryRow {
	due := e.TriggeredAt
	if sub.Version == V1 {
		due = due.Add(v1BatchWait)
	}
	d := deliveryRow{
		SubscriptionID: sub.ID, EventID: e.ID, OrganizationID: sub.OrganizationID, WebsiteID: sub.WebsiteID,
		Position: position, Status: statusPending, CallDone: sub.CallbackURL == "", DueAt: new(store.Micros(due)),
	}
	if source := sub.sourceOf(feed.Table(e.Table)); source != nil {
		d.TriggerID = source.TriggerID
	}
	return d
}

// dayCount is how many events a subscription got on a UTC day.
type dayCount struct {
	Day    int64 `db:"day"`
	Events int64 `db:"day_events"`
}

// dayOf returns the number of the UTC day of a moment.
func dayOf(at time.Time) int64 { return at.Unix() / int64(24*time.Hour/time.Second) }

// countWithinLimit counts an event of a subscription and returns true. If the subscription has reached its daily limit,
// it returns false and does not count. It counts nothing for subscriptions without a limit.
func (d *dayCount) countWithinLimit(sub *Subscription, at time.Time) bool {
	if sub.MaxEventsPerDay == nil {
		return true
	}
	if day := dayOf(at); day > d.Day {
		d.Day, d.Events = day, 0
	}
	if d.Events >= *sub.MaxEventsPerDay {
		return false
	}
	d.Events++
	return true
}
