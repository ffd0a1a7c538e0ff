package worker

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"sync"
	"time"

	"laurel/internal/panics"

	"laurel"
)

// Rota serves owners of whom something is due. Each is served by itself, never twice at a time: one that takes its
// time, or fails, delays no other. Where there are more than are served at once, all have their turn, and places are
// shared by organization first and then by website (Shares): a tenant with owners without end leaves places to others.
type Rota struct {
	Loop  Loop // when it is looked who has something due
	Crowd int  // owners that are served at once
	Looks int  // owners that are looked at in one round
	// Turn is for how long an owner is served before its place is for others: 0 until nothing is due, below 0 for one
	// share. Now is the clock by which it is measured.
	Turn time.Duration
	Now  func() time.Time
	// Any reports whether anything is due at all: an idle rota asks for nothing else; nil: it always looks.
	Any func(ctx context.Context) (bool, error)
	// Next returns the owner after another one, in the order of their ids, and whether something of it is to be done now;
	// the zero id after the last.
	Next func(ctx context.Context, after laurel.ID) (owner Owner, due bool, err error)
	// Share does some of what is due of an owner, and reports whether more of it is to be done at once: after a failure
	// that waits for the next round.
	Share func(ctx context.Context, owner laurel.ID) (more bool, err error)

	mu     sync.Mutex
	busy   map[laurel.ID]bool
	places Shares
	passed []Owner   // that were due and whose tenant had no place left: they are served first, in this order
	after  laurel.ID // the owner that was looked at last
}

// Owner is somebody of whom something is due.
type Owner struct {
	ID laurel.ID
	Tenant
}

// Run serves until ctx ends, and returns when nobody is served any more.
func (r *Rota) Run(ctx context.Context) {
	var serving sync.WaitGroup
	defer serving.Wait()
	r.Loop.Each(ctx, func(ctx context.Context) error {
		return r.eachDue(ctx, func(owner Owner) {
			serving.Go(func() {
				defer r.leave(owner)
				r.serve(ctx, owner.ID)
			})
		})
	})
}

// serve does what is due of an owner, share by share, until its turn is over.
func (r *Rota) serve(ctx context.Context, owner laurel.ID) {
	var until time.Time
	if r.Turn > 0 {
		until = r.Now().Add(r.Turn)
	}
	for more := true; more && ctx.Err() == nil; {
		var err error
		more, err = panics.Try(func() (bool, error) { return r.Share(ctx, owner) })
		r.Loop.report(ctx, err, slog.String("of", owner.String()))
		more = more && err == nil && (r.Turn == 0 || r.Turn > 0 && r.Now().Before(until))
	}
}

// Once does one round and a single share of each owner that it finds, and returns what failed.
func (r *Rota) Once(ctx context.Context) error {
	var serving sync.WaitGroup
	var mu sync.Mutex
	var failed error
	err := r.eachDue(ctx, func(owner Owner) {
		serving.Go(func() {
			defer r.leave(owner)
			_, err := panics.Try(func() (bool, error) { return r.Share(ctx, owner.ID) })
			mu.Lock()
			defer mu.Unlock()
			failed = errors.Join(failed, err)
		})
	})
	serving.Wait()
	return errors.Join(failed, err)
}

// eachDue enters owners of whom something is due while there are places: first those that were passed over, then
// others, beginning after the one that was looked at last, and each at most once. Whoever serves an owner leaves it.
func (r *Rota) eachDue(ctx context.Context, serve func(owner Owner)) error {
	if r.Any != nil {
		if some, err := r.Any(ctx); err != nil || !some {
			return err
		}
	}
	for _, owner := range r.enterPassed() {
		serve(owner)
	}
	first := r.last()
	after, around := first, first.IsZero()
	for look := 0; look < r.Looks && r.free(); look++ {
		owner, due, err := r.Next(ctx, after)
		if err != nil {
			return err
		}
		switch {
		case owner.ID.IsZero() && around, around && !first.IsZero() && owner.ID.Compare(first) > 0:
			return nil
		case owner.ID.IsZero():
			around = true
		case due && r.enter(owner):
			serve(owner)
		}
		after = owner.ID
		r.lookedAt(owner.ID)
	}
	return nil
}

// enter takes a place for an owner, unless it is being served. Where its tenant has no place left, or others of its
// organization were passed over before, it is passed over.
func (r *Rota) enter(owner Owner) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.busy[owner.ID] {
		return false
	}
	overtakes := false
	for _, p := range r.passed {
		if p.ID == owner.ID {
			return false
		}
		overtakes = overtakes || p.Organization == owner.Organization
	}
	if !overtakes && r.take(owner) {
		return true
	}
	if len(r.passed) < r.Looks {
		r.passed = append(r.passed, owner)
	}
	return false
}

// enterPassed takes places for owners that were passed over.
func (r *Rota) enterPassed() (entered []Owner) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.passed = slices.DeleteFunc(r.passed, func(owner Owner) bool {
		if r.take(owner) {
			entered = append(entered, owner)
			return true
		}
		return false
	})
	return entered
}

func (r *Rota) take(owner Owner) bool {
	if r.busy == nil {
		r.busy, r.places.Places = map[laurel.ID]bool{}, r.Crowd
	}
	if !r.places.Take(owner.Tenant) {
		return false
	}
	r.busy[owner.ID] = true
	return true
}

func (r *Rota) leave(owner Owner) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.busy, owner.ID)
	r.places.Leave(owner.Tenant)
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
