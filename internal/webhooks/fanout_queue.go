package webhooks

import (
	"context"
	"slices"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/store"
	"laurel.example/laurel/internal/worker"
)

const (
	// maxDirectSubscriptions is the number of a website's subscriptions up to which the feed's consumer wakes them itself.
	// More are woken by the fan-out queue, so that a tenant with many subscriptions does not delay others.
	maxDirectSubscriptions = 20
	wokenAtOnce            = 200 // subscriptions that one transaction of the fan-out queue wakes
	// concurrentFanouts is the number of websites whose subscriptions are woken at once. One organization has at most half
	// of them.
	concurrentFanouts = 4
	sweepEvery        = time.Minute
)

// newFanoutQueue returns the queue of websites with new events for many subscriptions, in which these are woken.
func (s *Service) newFanoutQueue() worker.Runner {
	return &worker.Queue[fanoutRow]{
		Items: itemsOf[fanoutRow](s.DB, fanoutQueueTable),
		Name:  "event_fanouts",
		Loop:  worker.Loop{Every: pollEvery, Log: s.log, Fault: "events could not be fanned out; they are tried again"},
		Fault: "the events of a website could not be fanned out; they are tried again", RenewEvery: lease / 3, Batch: 1,
		// A website is served once per turn.
		Fairness: worker.Fairness{MaxOwners: concurrentFanouts, MaxLooks: 256, TimeSlice: -1},
		Backoff:  []time.Duration{time.Second, 10 * time.Second, time.Minute}, Do: s.fanOutWebsite,
	}
}

// FanOutDue wakes the subscriptions of websites in the fan-out queue, and reports whether more wait.
func (s *Service) FanOutDue(ctx context.Context) (more bool, err error) {
	if err := s.fanouts.RunRound(ctx); err != nil {
		return false, err
	}
	return s.fanouts.HasDue(ctx)
}

const maxRest = time.Second // longest pause between pages, should the clock jump

// fanOutWebsite wakes the subscriptions of a website for the events that came since it did so last, wokenAtOnce at a
// time. After each page it rests as long as it worked, which leaves half of the time to other writers. A node that
// takes over begins again: those that are woken already are left alone.
func (s *Service) fanOutWebsite(ctx context.Context, h *worker.Item[fanoutRow]) error {
	newest, err := selectNewestEvents(ctx, s.DB, h.Key, TableNames(), h.Row.DonePosition)
	if err != nil {
		return err
	}
	website := laurel.Scope{OrganizationID: h.Row.OrganizationID, WebsiteID: h.Key}
	handled := h.Row.Position // up to it all are woken
	for _, of := range newest {
		handled = max(handled, of.Position)
		list, err := selectSubscriptionsTo(ctx, s.DB, website, of, h.Row.DonePosition)
		if err != nil {
			return err
		}
		for page := range slices.Chunk(list, wokenAtOnce) {
			begun := s.DB.Now()
			idle, err := s.idleAmong(ctx, s.DB, page)
			if err != nil {
				return err
			}
			err = h.Extend(context.WithoutCancel(ctx), func(tx *store.Tx) error {
				return wakeOrPass(context.WithoutCancel(ctx), tx, page, idle, of.Position)
			})
			if err != nil {
				return err
			}
			if len(list) > wokenAtOnce {
				select {
				case <-time.After(min(s.DB.Now().Sub(begun), maxRest)):
				case <-ctx.Done():
					return ctx.Err()
				}
			}
		}
	}
	return h.Reschedule(context.WithoutCancel(ctx), time.Time{} /* see releaseFanout */, func(tx *store.Tx) error {
		return releaseFanout(context.WithoutCancel(ctx), tx, h.Row, handled)
	})
}

// sweep makes subscriptions and websites due that are behind, though nobody has made them due: a node of the version
// before, which knows no positions, has released them.
func (s *Service) sweep(ctx context.Context) error {
	var behind []laurel.ID
	if err := selectBehind(ctx, s.DB, &behind); err != nil || len(behind) == 0 {
		return err
	}
	return s.DB.InTx(ctx, func(tx *store.Tx) error { return wakeBehind(ctx, tx) })
}
