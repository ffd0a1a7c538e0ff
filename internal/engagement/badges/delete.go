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
	endingsInterval = time.Second
	// revokeChunkSize bounds the members who lose a badge in one transaction, also in the transaction that deletes
	// it. The chunk gets smaller if that takes too long.
	revokeChunkSize = 256
)

// Delete deletes a badge and returns it (contract 5.17). It revokes the badge from its newest holders, up to
// revokeChunkSize; RunDue revokes it from the others later. It returns NotFound "Badge" if there is no live badge with
// the id.
func (s *Service) Delete(ctx context.Context, scope laurel.Scope, id laurel.ID) (Badge, error) {
	var b Badge
	err := s.DB.Write(ctx, scope.Request, func(tx *store.Tx) (err error) {
		if err := lockBadgeChanges(ctx, tx, scope); err != nil {
			return err
		}
		if b, err = ReadBadge(ctx, tx, scope, id); err != nil {
			return err
		}
		if err := scope.CheckUnchanged(b.ID, b.UpdatedAt.Time); err != nil {
			return err
		}
		scope := scope.At(b.WebsiteID)
		if err := s.cancelJobs(ctx, tx, scope, b.ID); err != nil {
			return err
		}
		if err := lockBadge(ctx, tx, b.ID); err != nil {
			return err
		}
		if err := deleteBadge(ctx, tx, b.ID); err != nil {
			return err
		}
		revocation := pendingRevocation{b.ID, b.OrganizationID, b.WebsiteID}
		isDone, err := revokeChunk(ctx, tx, revocation, revokeChunkSize)
		if err != nil {
			return err
		}
		if !isDone {
			if err := insertRevocation(ctx, tx, revocation); err != nil {
				return err
			}
		}
		if err := feed.Record(ctx, tx, b.feedChange(feed.Deleted)); err != nil || s.Follower == nil {
			return err
		}
		return s.Follower.RemoveLists(ctx, tx, scope, b)
	})
	return b, err
}

// revokeChunk revokes a deleted badge from up to limit holders, newest first. isDone is true if no holder is left: a
// deleted badge gets no new ones.
func revokeChunk(ctx context.Context, tx *store.Tx, revocation pendingRevocation, limit int) (isDone bool, err error) {
	holders, err := selectBadgeHolders(ctx, tx, revocation, limit)
	if err != nil || len(holders) == 0 {
		return err == nil, err
	}
	w := &endGrantsWork{scope: revocation.scope(), status: Revoked, matches: func(*badgeUserRow) bool { return true }}
	for _, user := range holders {
		w.keys = append(w.keys, badgeUserKey{revocation.BadgeID, user})
	}
	return len(holders) < limit, store.Run(ctx, tx, w)
}

// Run revokes deleted badges until ctx ends. Any number of nodes may run it.
func (s *Service) Run(ctx context.Context) {
	worker.Loop{
		Every: endingsInterval,
		Log:   s.Logger,
		Fault: "deleted badges could not be revoked; trying again",
	}.RunEach(ctx, s.RunDue)
}

// RunDue revokes all deleted badges that still have holders, one chunk per badge in turn, until none is left or other
// nodes are working on the rest. If there is none, it writes nothing.
func (s *Service) RunDue(ctx context.Context) error {
	for {
		due, err := selectPendingRevocations(ctx, s.DB)
		if err != nil || len(due) == 0 {
			return err
		}
		progressed := false
		for _, revocation := range due {
			isLocked, fault := panics.Try(func() (bool, error) { return s.revokeNextChunk(ctx, revocation) })
			progressed, err = progressed || isLocked, errors.Join(err, fault)
		}
		if err != nil || !progressed || ctx.Err() != nil {
			return errors.Join(err, ctx.Err()) // if nothing progressed, other nodes hold all locks
		}
	}
}

// revokeNextChunk revokes a badge from a chunk of its holders in one transaction, with smaller chunks if that takes too
// long. isLocked is false if another node is working on the badge.
func (s *Service) revokeNextChunk(ctx context.Context, revocation pendingRevocation) (isLocked bool, err error) {
	for size := revokeChunkSize; ; size /= 4 {
		err = s.DB.InTx(ctx, func(tx *store.Tx) error {
			var fault error
			if isLocked, fault = lockRevocation(ctx, tx, revocation.BadgeID); fault != nil || !isLocked {
				return fault
			}
			isDone, fault := revokeChunk(ctx, tx, revocation, size)
			if fault != nil || !isDone {
				return fault
			}
			return deleteRevocation(ctx, tx, revocation.BadgeID)
		})
		if !store.TookTooLong(err) || size < 4 {
			return isLocked, err
		}
	}
}
