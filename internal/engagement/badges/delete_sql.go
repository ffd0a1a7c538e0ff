package badges

import (
	"context"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/store"
	"laurel.example/laurel/internal/worker"
)

// deleteWatches deletes the watches of a badge, the list of records that its conditions refer to, so that a change of
// these no longer leads to the badge.
func deleteWatches(ctx context.Context, tx *store.Tx, id laurel.ID) error {
	_, err := tx.Exec(ctx, "DELETE FROM badge_watches WHERE badge_id = ?", id)
	return err
}

// selectBadgeHolders reads up to limit holders of a deleted badge, newest first.
func selectBadgeHolders(
	ctx context.Context, q store.Queryer, badge worker.Deletion, limit int,
) (holders []laurel.ID, err error) {
	var w store.Where
	w.Add("loyalty_badge_id = ?", badge.ID)
	w.Tenant(q.Engine().NoIndexPrefix(), badge.Scope())
	w.Add("status = '" + Active + "'")
	err = q.Select(
		ctx,
		&holders,
		"SELECT user_id FROM loyalty_badge_users"+w.String()+" ORDER BY created_at DESC, id DESC LIMIT ?",
		append(w.Args, limit)...)
	return holders, err
}
