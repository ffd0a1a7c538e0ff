package worker

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"sync"

	"laurel/internal/panics"

	"laurel"
)

// Rota serves owners of whom something is due. Each is served by itself, never twice at a time: one that takes its
// time, or fails, delays no other. Where there are more than are served at once, all have their turn.
type Rota struct {
	Loop  Loop // when it is looked who has something due
	Crowd int  // owners that are served at once
	Looks int  // owners that are looked at in one round
	// Next returns the owner after another one, in the order of their ids, and whether something of it is to be done now;
	// the zero id after the last.
	Next func(ctx context.Context, after laurel.ID) (owner laurel.ID, due bool, err error)
	// Share does some of what is due of an owner, and reports whether more of it is to be done at once: after a failure
	// that waits for the next round.
	Share func(ctx context.Context, owner laurel.ID) (more bool, err error)

	mu    sync.Mutex
	busy  map[laurel.ID]bool
	after laurel.ID // the owner that was looked at last
}

// Run serves until ctx ends, and returns when nobody is served any more.
func (r *Rota) Run(ctx context.Context) {
	var serving sync.WaitGroup
	defer serving.Wait()
	r.Loop.Each(ctx, func(ctx context.Context) error {
		return r.eachDue(ctx, func(owner laurel.ID) {
			serving.Go(func() {
				defer r.leave(owner)
				r.serve(ctx, owner)
			})
		})
	})
}

// serve does all that is due of an owner, share by share.
func (r *Rota) serve(ctx context.Context, owner laurel.ID) {
	for more := true; more && ctx.Err() == nil; {
		var err error
		more, err = panics.Try(func() (bool, error) { return r.Share(ctx, owner) })
		r.Loop.report(ctx, err, slog.String("of", owner.String()))
		more = more && err == nil
	}
}

// Once does one round and a single share of each owner that it finds, and returns what failed.
func (r *Rota) Once(ctx context.Context) error {
	var serving sync.WaitGroup
	var mu sync.Mutex
	var failed error
	err := r.eachDue(ctx, func(owner laurel.ID) {
		serving.Go(func() {
			defer r.leave(owner)
			_, err := panics.Try(func() (bool, error) { return r.Share(ctx, owner) })
			mu.Lock()
			defer mu.Unlock()
			failed = errors.Join(failed, err)
		})
	})
	serving.Wait()
	return errors.Join(failed, err)
}

// eachDue enters owners of whom something is due while there are places, beginning after the one that was looked at
// last, and each at most once. Whoever serves an owner leaves it.
func (r *Rota) eachDue(ctx context.Context, serve func(owner laurel.ID)) error {
	first := r.last()
	after, around := first, first.IsZero()
	for look := 0; look < r.Looks && r.free(); look++ {
		owner, due, err := r.Next(ctx, after)
		if err != nil {
			return err
		}
		switch {
		case owner.IsZero() && around, around && !first.IsZero() && bytes.Compare(owner[:], first[:]) > 0:
			return nil
		case owner.IsZero():
			around = true
		case due && r.enter(owner):
			serve(owner)
		}
		after = owner
		r.lookedAt(owner)
	}
	return nil
}

// enter takes a place for an owner, unless it is being served or none is left.
func (r *Rota) enter(owner laurel.ID) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.busy[owner] || len(r.busy) >= r.Crowd {
		return false
	}
	if r.busy == nil {
		r.busy = map[laurel.ID]bool{}
	}
	r.busy[owner] = true
	return true
}

func (r *Rota) leave(owner laurel.ID) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.busy, owner)
}

func (r *Rota) free() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.busy) < r.Crowd
}

func (r *Rota) last() laurel.ID {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.after
}

func (r *Rota) lookedAt(owner laurel.ID) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.after = owner
}
