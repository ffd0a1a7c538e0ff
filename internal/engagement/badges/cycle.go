package badges

import (
	"context"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/store"
)

// MaxBadgeRewardDepth bounds the chain of badges that grant one another as rewards (contract 5.17).
const MaxBadgeRewardDepth = 10

// checkRewardCycles returns Refused if the rewards of b, which may not be saved yet, lead back to b, or make a chain of
// badges that grant one another with more than MaxBadgeRewardDepth badges after the first. The caller holds the lock of
// lockBadgeChanges.
func (s *Service) checkRewardCycles(ctx context.Context, tx *store.Tx, scope laurel.Scope, b Badge) error {
	grants, err := selectRewardBadges(ctx, tx, scope)
	if err != nil {
		return err
	}
	grants[b.ID] = nil
	for _, r := range b.Rewards {
		if r.Type == FurtherBadge {
			grants[b.ID] = append(grants[b.ID], r.BadgeID)
		}
	}
	grantedBy := map[laurel.ID][]laurel.ID{}
	for from, list := range grants {
		for _, to := range list {
			grantedBy[to] = append(grantedBy[to], from)
		}
	}
	below, isCycle := depth(grants, b.ID)
	if isCycle {
		return laurel.Errorf(laurel.Refused, "Badge rewards form a cycle")
	}
	if above, _ := depth(grantedBy, b.ID); above+below > MaxBadgeRewardDepth {
		return laurel.Errorf(laurel.Refused, "Badge rewards may lead to at most %d further badges in a row", MaxBadgeRewardDepth)
	}
	return nil
}

// depth returns the length of the longest path from a badge along the edges, at most MaxBadgeRewardDepth+1, and whether
// a path leads back to the badge. There are no other cycles among the edges.
func depth(edges map[laurel.ID][]laurel.ID, from laurel.ID) (levels int, isCycle bool) {
	reached := edges[from]
	for levels = 0; len(reached) > 0 && levels <= MaxBadgeRewardDepth; levels++ {
		next, visited := []laurel.ID(nil), map[laurel.ID]bool{}
		for _, id := range reached {
			if id == from {
				return levels, true
			}
			if !visited[id] {
				visited[id] = true
				next = append(next, edges[id]...)
			}
		}
		reached = next
	}
	return levels, false
}
