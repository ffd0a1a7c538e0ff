package external

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"laurel"
	"laurel/internal/worker"
)

// Resolver carries on the posts that nobody carries on.
type Resolver struct {
	service  *Service
	appliers map[string]Applier
	queue    worker.Runner
}

// NewResolver makes the carrier of a service's posts. Each kind of posts must have one payer, so that none is accepted
// that nobody can write: anything else is an error.
func NewResolver(s *Service, appliers ...Applier) (*Resolver, error) {
	c := &Resolver{service: s, appliers: map[string]Applier{}}
	for _, p := range appliers {
		if _, twice := c.appliers[p.Kind]; twice || p.Apply == nil {
			return nil, fmt.Errorf("external: posts of kind %q need one payer that can write them", p.Kind)
		}
		c.appliers[p.Kind] = p
	}
	for _, kind := range kinds {
		if _, has := c.appliers[kind]; !has {
			return nil, fmt.Errorf("external: posts of kind %q have no payer", kind)
		}
	}
	c.queue = s.newQueue(c.resolve)
	return c, nil
}

// newQueue serves currencies side by side: a system that takes its time delays none but its own. A post is closed by a
// Work, as its holds are locked before it, so the end of one is checked there by its attempts.
func newQueue(items *worker.Items[row], log *slog.Logger, do func(context.Context, *worker.Item[row]) error) worker.Runner {
	return &worker.Queue[row]{
		Items: items,
		Name:  "external_posts",
		Loop: worker.Loop{
			Every: time.Second,
			Log:   log,
			Fault: "posts to balances kept outside met a fault; they are tried again",
		},
		Fault:   "a post to balances kept outside met a fault",
		Batch:   16,
		Crowd:   worker.Crowd{Owners: 64, Looks: 256, Turn: 5 * time.Second},
		Backoff: []time.Duration{lease},
		Do:      do,
	}
}

// resolve carries a post on. One of a kind that only newer nodes know is put off before the outside is asked.
func (c *Resolver) resolve(ctx context.Context, h *worker.Item[row]) error {
	applier, known := c.appliers[h.Row.Kind]
	if !known {
		return fmt.Errorf("external: posts of kind %q have no payer", h.Row.Kind)
	}
	if err := c.service.attempt(ctx, nil, applier, h); laurel.CodeOf(err) != laurel.Unavailable {
		return err
	}
	return nil // it is put off
}

// Metrics are those of the queue of posts.
func (c *Resolver) Metrics() []worker.Metrics { return []worker.Metrics{c.queue} }

// Run carries on what nobody carries on, until ctx ends. Any number of nodes may run it.
func (c *Resolver) Run(ctx context.Context) { c.queue.Run(ctx) }

// RunDue carries on the posts that are due now, at most a share of each currency. That the outside is down is no error.
func (c *Resolver) RunDue(ctx context.Context) error { return c.queue.Round(ctx) }
