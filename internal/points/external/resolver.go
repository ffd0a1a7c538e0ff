package external

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/worker"
)

// Resolver resolves, in the background, open posts that no caller waits for: it sends them again until their outcome is
// known.
type Resolver struct {
	service  *Service
	appliers map[string]Applier
	queue    worker.Runner
}

// NewResolver makes the resolver of a service's posts. It fails unless each kind of posts has exactly one applier, so
// that no post is accepted that cannot be written.
func NewResolver(s *Service, appliers ...Applier) (*Resolver, error) {
	c := &Resolver{service: s, appliers: map[string]Applier{}}
	for _, p := range appliers {
		if _, twice := c.appliers[p.Kind]; twice || p.Apply == nil {
			return nil, fmt.Errorf("external: posts of kind %q need one applier that can write them", p.Kind)
		}
		c.appliers[p.Kind] = p
	}
	for _, kind := range kinds {
		if _, has := c.appliers[kind]; !has {
			return nil, fmt.Errorf("external: posts of kind %q have no applier", kind)
		}
	}
	c.queue = s.newQueue(c.resolve)
	return c, nil
}

// newQueue returns the queue that calls do with each due post. It serves up to 64 currencies at once, so that a slow
// external ledger delays only its own posts. do ends a post itself, not through the queue's item, because the post's
// guards must be locked before the post.
func newQueue(
	items *worker.Items[row],
	log *slog.Logger,
	do func(context.Context, *worker.Item[row]) error,
) worker.Runner {
	return &worker.Queue[row]{
		Items: items,
		Name:  "external_posts",
		Loop: worker.Loop{
			Every: time.Second,
			Log:   log,
			Fault: "external posts met a fault; they are tried again",
		},
		Fault:    "an external post met a fault",
		Batch:    16,
		Fairness: worker.Fairness{MaxOwners: 64, MaxLooks: 256, TimeSlice: 5 * time.Second},
		Backoff:  []time.Duration{lease},
		Do:       do,
	}
}

// resolve makes the next attempt of a leased post. A kind that this version does not know is an error, and the post
// stays due for newer nodes. Unavailable is no error here: the attempt has rescheduled the post already.
func (c *Resolver) resolve(ctx context.Context, item *worker.Item[row]) error {
	applier, known := c.appliers[item.Row.Kind]
	if !known {
		return fmt.Errorf("external: posts of kind %q have no applier", item.Row.Kind)
	}
	if err := c.service.attempt(ctx, nil, applier, item); laurel.CodeOf(err) != laurel.Unavailable {
		return err
	}
	return nil
}

// Metrics returns the metrics of the queue of posts.
func (c *Resolver) Metrics() []worker.Metrics { return []worker.Metrics{c.queue} }

// Run resolves due posts until ctx ends. Any number of nodes may run it.
func (c *Resolver) Run(ctx context.Context) { c.queue.Run(ctx) }

// RunDue makes one round over the posts that are due now, with a bounded number per currency. An external ledger that
// is down is no error.
func (c *Resolver) RunDue(ctx context.Context) error { return c.queue.RunRound(ctx) }
