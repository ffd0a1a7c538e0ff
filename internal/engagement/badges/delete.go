package badges

import (
	"context"
	"errors"
	"time"

	"laurel"
	"laurel/internal/feed"
	"laurel/internal/panics"
	"laurel/internal/store"
	"laurel/internal/worker"
)

const (
	endingsEvery = time.Second
	// endAtOnce is how many members one transaction takes a badge from, also the one that deletes it. Fewer where that
	// takes too long.
	endAtOnce = 256
)

// Delete ends a badge and returns it as it was (contract 5.17). It is revoked from its members: from the newest at
// once, from others by RunDue. Deleting twice is NotFound "Badge".
func (s *Service) Delete(ctx context.Context, scope laurel.Scope, id laurel.ID) (Badge, error) {
	var b Badge
	err := s.DB.Write(ctx, scope.Request, func(tx *store.Tx) (err error) {
		if err := turns(ctx, tx, scope); err != nil {
			return err
		}
		if b, err = BadgeIn(ctx, tx, scope, id); err != nil {
			return err
		}
		scope := scope.At(b.WebsiteID)
		if err := lockBadge(ctx, tx, b.ID); err != nil {
			return err
		}
		if err := deleteBadge(ctx, tx, b.ID); err != nil {
			return err
		}
		of := endingRow{b.ID, b.OrganizationID, b.WebsiteID}
		all, err := endHeld(ctx, tx, of, endAtOnce)
		if err != nil {
			return err
		}
		if !all {
			if err := insertEnding(ctx, tx, of); err != nil {
				return err
			}
		}
		if err := feed.Record(ctx, tx, b.change(feed.Deleted)); err != nil || s.Deleted == nil {
			return err
		}
		return s.Deleted(ctx, tx, scope, b)
	})
	return b, err
}

// endHeld revokes a deleted badge of some members, and reports whether that was all. Nobody is granted it any more.
func endHeld(ctx context.Context, tx *store.Tx, of endingRow, limit int) (all bool, err error) {
	holders, err := activeOf(ctx, tx, of, limit)
	if err != nil || len(holders) == 0 {
		return err == nil, err
	}
	w := &taking{scope: of.scope(), to: Revoked, takes: func(*userRow) bool { return true }}
	for _, user := range holders {
		w.keys = append(w.keys, userKey{of.BadgeID, user})
	}
	return len(holders) < limit, store.Run(ctx, tx, w)
}

// Run revokes deleted badges until ctx ends. Any number of nodes may run it.
func (s *Service) Run(ctx context.Context) {
	worker.Loop{
		Every: endingsEvery,
		Log:   s.Logger,
		Fault: "deleted badges could not be revoked; they are tried again",
	}.Each(ctx, s.RunDue)
}

// RunDue revokes all deleted badges, in turns. Where nothing is left it writes nothing.
func (s *Service) RunDue(ctx context.Context) error {
	for {
		due, err := dueEndings(ctx, s.DB)
		if err != nil || len(due) == 0 {
			return err
		}
		moved := false
		for _, of := range due {
			held, failed := panics.Try(func() (bool, error) { return s.endStep(ctx, of) })
			moved, err = moved || held, errors.Join(err, failed)
		}
		if err != nil || !moved || ctx.Err() != nil {
			return errors.Join(err, ctx.Err()) // or other nodes are at all of them
		}
	}
}

// endStep revokes a badge of some members in one transaction, of fewer where it takes too long. It returns false where
// another node is at it.
func (s *Service) endStep(ctx context.Context, of endingRow) (held bool, err error) {
	for size := endAtOnce; ; size /= 4 {
		err = s.DB.InTx(ctx, func(tx *store.Tx) error {
			var failed error
			if held, failed = lockEnding(ctx, tx, of.BadgeID); failed != nil || !held {
				return failed
			}
			all, failed := endHeld(ctx, tx, of, size)
			if failed != nil || !all {
				return failed
			}
			return deleteEnding(ctx, tx, of.BadgeID)
		})
		if !store.TookTooLong(err) || size < 4 {
			return held, err
		}
	}
}
