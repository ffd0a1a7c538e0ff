package catalog

import (
	"context"
	"encoding/json"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/store"
)

// ReactionStats counts how often others have reacted to the post of a rule; nil: unknown (contract 3.13).
type ReactionStats struct {
	Likes    *int64            `json:"likeCount"`
	Comments *int64            `json:"commentCount"`
	Reposts  *int64            `json:"repostCount"`
	SyncedAt *laurel.Timestamp `json:"syncedAt"`
}

// statsLife is how long stored stats are left as they are, so that a rush of members does not write a rule again and
// again.
const statsLife = time.Minute

// reactionStats is the property of the metadata that only the service writes.
const reactionStats = "reactionStats"

// StoreReactionStats stores the stats in the metadata of a rule, unless it has some of the last minute. It is no edit:
// neither the version of the rule nor its updatedAt changes. A rule that does not exist any more is left out.
func (s *Service) StoreReactionStats(ctx context.Context, scope laurel.Scope, id laurel.ID, stats ReactionStats) error {
	current, err := s.Rule(ctx, scope, id)
	if err == nil && !current.hasFreshStats(s.db.Now()) {
		err = s.db.InTx(ctx, func(tx *store.Tx) error {
			r, err := lockRule(ctx, tx, scope, id)
			if err != nil || r.hasFreshStats(tx.Now()) {
				return err
			}
			metadata := map[string]json.RawMessage{}
			if err := json.Unmarshal(r.Metadata, &metadata); err != nil {
				return err
			}
			stats.SyncedAt = &laurel.Timestamp{Time: tx.Now()}
			metadata[reactionStats] = store.JSON(stats)
			r.Metadata = store.JSON(metadata)
			return updateRule(ctx, tx, r)
		})
	}
	if laurel.CodeOf(err) == laurel.NotFound {
		return nil
	}
	return err
}

// hasFreshStats reports whether the rule has stats that are not old yet.
func (r Rule) hasFreshStats(now time.Time) bool {
	var metadata struct{ ReactionStats ReactionStats }
	_ = json.Unmarshal(r.Metadata, &metadata) // checked when it was stored
	at := metadata.ReactionStats.SyncedAt
	return at != nil && now.Sub(at.Time) < statsLife
}
