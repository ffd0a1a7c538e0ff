package external

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"laurel"
	"laurel/internal/worker"
)

// Carrier carries on the posts that nobody carries on.
type Carrier struct {
	service *Service
	payers  map[string]Payer
	queue   worker.Runner
}

// NewCarrier makes the carrier of a service's posts. Each kind of posts must have one payer, so that none is accepted
// that nobody can write: anything else is an error.
func NewCarrier(s *Service, payers ...Payer) (*Carrier, error) {
	c := &Carrier{service: s, payers: map[string]Payer{}}
	for _, p := range payers {
		if _, twice := c.payers[p.Kind]; twice || p.Finish == nil {
			return nil, fmt.Errorf("external: posts of kind %q need one payer that can write them", p.Kind)
		}
		c.payers[p.Kind] = p
	}
	for _, kind := range kinds {
		if _, has := c.payers[kind]; !has {
			return nil, fmt.Errorf("external: posts of kind %q have no payer", kind)
		}
	}
	c.queue = s.carrying(c.carry)
	return c, nil
}

// open serves currencies side by side: a system that takes its time delays none but its own. A post is closed by a
// Work, as its holds are locked before it, so the end of one is checked there by its attempts.
func open(items *worker.Items[row], log *slog.Logger, do func(context.Context, *worker.Item[row]) error) worker.Runner {
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

// carry carries a post on. One of a kind that only newer nodes know is put off before the outside is asked.
func (c *Carrier) carry(ctx context.Context, h *worker.Item[row]) error {
	payer, known := c.payers[h.Row.Kind]
	if !known {
		return fmt.Errorf("external: posts of kind %q have no payer", h.Row.Kind)
	}
	if err := c.service.carry(ctx, nil, payer, h); laurel.CodeOf(err) != laurel.Unavailable {
		return err
	}
	return nil // it is put off
}

// Metrics are those of the queue of posts.
func (c *Carrier) Metrics() []worker.Metrics { return []worker.Metrics{c.queue} }

// Run carries on what nobody carries on, until ctx ends. Any number of nodes may run it.
func (c *Carrier) Run(ctx context.Context) { c.queue.Run(ctx) }

// RunDue carries on the posts that are due now, at most a share of each currency. That the outside is down is no error.
func (c *Carrier) RunDue(ctx context.Context) error { return c.queue.Round(ctx) }
