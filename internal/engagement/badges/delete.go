package badges

import (
	"context"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/feed"
	"laurel.example/laurel/internal/store"
	"laurel.example/laurel/internal/worker"
)

const endingsInterval = time.Second

// deletedBadges revokes deleted badges from their holders.
var deletedBadges = worker.Deletions{
	Table: "badge_endings", Column: "loyalty_badge_id", RemoveChunk: revokeFromHolders,
}

// Delete deletes a badge and returns it (contract 5.17). It revokes the badge from its newest holders; RunDue
// revokes it from the others later. It returns NotFound "Badge" if there is no live badge with the id.
func (s *Service) Delete(ctx context.Context, scope laurel.Scope, id laurel.ID) (Badge, error) {
	var b Badge
	err := s.DB.Write(ctx, scope.Request, func(tx *store.Tx) (err error) {
		if err := lockBadgeChanges(ctx, tx, scope); err != nil {
			return err
		}
		if b, err = ReadBadge(ctx, tx, scope, id); err != nil {
			return err
		}
		scope, deleted := scope.At(b.WebsiteID), b // b is returned as it was
		if err := Table.Edit(ctx, tx, scope, &deleted, func(tx *store.Tx, b *Badge) error {
			b.DeletedAt.Time, b.Version = tx.Now(), b.Version+1
			if err := s.cancelJobs(ctx, tx, scope, b.ID); err != nil {
				return err
			}
			return lockBadge(ctx, tx, b.ID)
		}); err != nil {
			return err
		}
		if err := deleteWatches(ctx, tx, b.ID); err != nil {
			return err
		}
		if err := deletedBadges.Begin(ctx, tx, worker.Deletion{
			ID: b.ID, OrganizationID: b.OrganizationID, WebsiteID: b.WebsiteID,
		}); err != nil {
			return err
		}
		if err := feed.Record(ctx, tx, b.feedChange(feed.Deleted)); err != nil || s.Follower == nil {
			return err
		}
		return s.Follower.RemoveLists(ctx, tx, scope, b)
	})
	return b, err
}

// revokeFromHolders revokes a deleted badge from up to limit holders, newest first. isDone is true if no holder is
// left, as a deleted badge gets no new ones.
func revokeFromHolders(ctx context.Context, tx *store.Tx, badge worker.Deletion, limit int) (isDone bool, err error) {
	holders, err := selectBadgeHolders(ctx, tx, badge, limit)
	if err != nil || len(holders) == 0 {
		return err == nil, err
	}
	w := &endGrantsWork{scope: badge.Scope(), status: Revoked, matches: func(*badgeUserRow) bool { return true }}
	for _, user := range holders {
		w.keys = append(w.keys, badgeUserKey{badge.ID, user})
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

// RunDue revokes all deleted badges that still have holders, a chunk of holders per badge in turn.
func (s *Service) RunDue(ctx context.Context) error { return deletedBadges.RunDue(ctx, s.DB) }
