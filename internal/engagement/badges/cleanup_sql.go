package badges

import (
	"context"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/store"
)

// deleteChunkSize bounds the ids of one statement.
const deleteChunkSize = 256

// lockGrantedBy reads and locks the users' records of badges that the rules have granted to them.
func lockGrantedBy(
	ctx context.Context,
	tx *store.Tx,
	scope laurel.Scope,
	rules, users []laurel.ID,
) ([]BadgeUser, error) {
	var w store.Where
	store.In(&w, "t.user_id", users)
	store.In(&w, "t.loyalty_rule_id", rules)
	w.Tenant(tx.Engine().NoIndexPrefix()+"t.", scope)
	return userTable.Select(ctx, tx, &w, "t.loyalty_badge_id, t.user_id"+tx.ForUpdate())
}

// deleteBadgeUsers deletes BadgeUsers by id.
func deleteBadgeUsers(ctx context.Context, tx *store.Tx, ids []laurel.ID) error {
	for len(ids) > 0 {
		chunk := ids[:min(len(ids), maxIDsPerQuery)]
		ids = ids[len(chunk):]
		var w store.Where
		store.In(&w, "id", chunk)
		if _, err := tx.Exec(ctx, "DELETE FROM loyalty_badge_users"+w.String(), w.Args...); err != nil {
			return err
		}
	}
	return nil
}

// selectStaleUsers reads up to deleteChunkSize users with a badge that the rule has granted, if their record of that
// badge has not changed after moment (in microseconds).
func selectStaleUsers(
	ctx context.Context,
	q store.Queryer,
	scope laurel.Scope,
	rule laurel.ID,
	moment int64,
) (ids []laurel.ID, err error) {
	var w store.Where
	w.Add("loyalty_rule_id = ? AND updated_at <= ?", rule, moment)
	w.Tenant(q.Engine().NoIndexPrefix(), scope)
	err = q.Select(
		ctx,
		&ids,
		"SELECT user_id FROM loyalty_badge_users"+w.String()+" ORDER BY user_id LIMIT ?",
		append(w.Args, deleteChunkSize)...)
	return ids, err
}
