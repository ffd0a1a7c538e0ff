package webhooks

import (
	"context"
	"time"

	"laurel"
	"laurel/internal/store"
	"laurel/internal/worker"
)

const (
	// maxDirectSubscriptions is the number of subscriptions up to which the feed's consumer makes the deliveries of an
	// event itself. The deliveries of other events are made by the fan-out queue.
	maxDirectSubscriptions = 20
	// One page has at most so many subscriptions of a website and so many deliveries.
	pageSubscriptions = 200
	pageDeliveries    = maxDeliveriesPerPart
	// concurrentFanouts is the number of websites whose events are fanned out at once. One organization has at most
	// half of them.
	concurrentFanouts = 4
)

// takeWideFanouts returns the events whose deliveries the fan-out queue makes later. These are the events that more
// than maxDirectSubscriptions get, so that a tenant with many subscriptions does not delay others. While one of them
// waits, every later event of its website waits too, so that each subscription gets its events in order. Parked events,
// which are not sent, never wait. The events stay in list, without their matches. hasWaiting has the websites with
// waiting events, and those of the new ones are added.
func takeWideFanouts(list []fanoutEvent, hasWaiting map[laurel.ID]bool) (waiting []fanoutEvent) {
	for i := range list {
		n := &list[i]
		website := n.event.WebsiteID
		if n.fault != nil || !hasWaiting[website] && len(n.matches) <= maxDirectSubscriptions {
			continue
		}
		hasWaiting[website], n.matches = true, nil
		waiting = append(waiting, *n)
	}
	return waiting
}

// newFanoutQueue returns the queue of websites with events that wait for their fan-out, in which their deliveries are
// made. One node at a time leases a website, so each of its subscriptions gets its deliveries in the order of events.
func (s *Service) newFanoutQueue() worker.Runner {
	return &worker.Queue[fanoutRow]{
		Items: &worker.Items[fanoutRow]{
			DB: s.DB, Table: fanoutQueueTable, LeaseTime: lease,
			OnLease: func(ctx context.Context, tx *store.Tx, h *worker.Item[fanoutRow]) error {
				return markFanoutLeased(ctx, tx, h.Key)
			},
		},
		Name:  "event_fanouts",
		Loop:  worker.Loop{Every: pollEvery, Log: s.log, Fault: "events could not be fanned out; they are tried again"},
		Fault: "the events of a website could not be fanned out; they are tried again", RenewEvery: lease / 3, Batch: 1,
		// A website is served once per turn: fanOutWebsite itself ends after timeSlice.
		Fairness: worker.Fairness{MaxOwners: concurrentFanouts, MaxLooks: 256, TimeSlice: -1},
		Backoff:  []time.Duration{time.Second, 10 * time.Second, time.Minute}, Do: s.fanOutWebsite,
	}
}

// FanOutDue makes deliveries of waiting events, for one time slice of each website, and reports whether more wait.
func (s *Service) FanOutDue(ctx context.Context) (more bool, err error) {
	if err := s.fanouts.RunRound(ctx); err != nil {
		return false, err
	}
	return s.fanouts.HasDue(ctx)
}

const maxRest = time.Second // longest pause between pages, should the clock jump

// fanOutWebsite makes deliveries of the waiting events of a website, page by page, until none waits or timeSlice is
// over. After each page it rests as long as it worked, which leaves half of the time to other writers.
func (s *Service) fanOutWebsite(ctx context.Context, h *worker.Item[fanoutRow]) error {
	deadline := s.DB.Now().Add(timeSlice)
	for ctx.Err() == nil && s.DB.Now().Before(deadline) {
		begun := s.DB.Now()
		page, err := s.nextPage(ctx, h.Key)
		if err != nil {
			return err
		}
		if len(page.list) == 0 {
			break
		}
		if err := s.writePage(context.WithoutCancel(ctx), h, page); err != nil {
			return err
		}
		select {
		case <-time.After(min(s.DB.Now().Sub(begun), maxRest)):
		case <-ctx.Done():
		}
	}
	return h.Reschedule(context.WithoutCancel(ctx), time.Time{} /* see releaseFanout */, func(tx *store.Tx) error {
		return releaseFanout(context.WithoutCancel(ctx), tx, h.Key)
	})
}

// fanoutPage is the part of a fan-out that one transaction writes: the deliveries of several waiting events if the
// website has at most pageSubscriptions, else those of the first waiting event to the next pageSubscriptions.
// Subscriptions are read again for each page, since they change.
type fanoutPage struct {
	list             []fanoutEvent
	days             dayCounts
	lastSubscription laurel.ID // of this page; zero if no subscriptions follow
}

// nextPage reads the next part of a website's fan-out: waiting events, each with those of the subscriptions that get it
// and have no delivery of it yet. A page without events means that none waits.
func (s *Service) nextPage(ctx context.Context, website laurel.ID) (p fanoutPage, err error) {
	waiting, err := selectWaitingEvents(ctx, s.DB, website, pageDeliveries/maxDirectSubscriptions)
	if err != nil || len(waiting) == 0 {
		return p, err
	}
	subs, err := selectSubscriptionsAfter(ctx, s.DB, website, waiting[0].AfterID, pageSubscriptions+1)
	if err != nil {
		return p, err
	}
	if len(subs) > pageSubscriptions {
		subs = subs[:pageSubscriptions]
		p.lastSubscription = subs[pageSubscriptions-1].ID
	}
	if !p.lastSubscription.IsZero() || !waiting[0].AfterID.IsZero() {
		waiting = waiting[:1] // one page does not hold all subscriptions: take them event by event
	}
	// As many events as keep the page within pageDeliveries if every subscription gets all of them.
	waiting = waiting[:min(len(waiting), max(1, pageDeliveries/max(1, len(subs))))]
	if err := loadSources(ctx, s.DB, subs); err != nil {
		return p, err
	}
	byWebsite := map[laurel.ID][]*Subscription{}
	for i := range subs {
		byWebsite[website] = append(byWebsite[website], &subs[i])
	}
	p.list = make([]fanoutEvent, len(waiting))
	for i, w := range waiting {
		n, change := w.fanoutEvent()
		n.matches = matchSubscriptions(change, w.CurrencyID, byWebsite[website])
		p.list[i] = n
	}
	if err := s.setTriggersRules(ctx, s.DB, p.list); err != nil {
		return p, err
	}
	p.days, err = s.loadDayCounts(ctx, s.DB, byWebsite)
	return p, err
}

// writePage writes, in one transaction, the deliveries of a page, the day counts, and how far the fan-out of the
// waiting events has come.
func (s *Service) writePage(ctx context.Context, h *worker.Item[fanoutRow], p fanoutPage) error {
	var part fanoutPart
	for _, n := range p.list {
		for _, m := range n.matches {
			part.addDelivery(n, m, p.days)
		}
	}
	lastEvent := p.list[len(p.list)-1].event
	return h.Extend(ctx, func(tx *store.Tx) error {
		if err := part.write(ctx, tx, p.days.rows()); err != nil {
			return err
		}
		if !p.lastSubscription.IsZero() {
			return saveFanoutProgress(ctx, tx, lastEvent, p.lastSubscription)
		}
		return removeWaitingEvents(ctx, tx, lastEvent)
	})
}
