package badges

import (
	"context"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/store"
)

var (
	userTable = store.NewRecords[BadgeUser]("loyalty_badge_users", "Badge user").As("t")
	userRows  = store.NewRecords[badgeUserRow]("loyalty_badge_users", "Badge user")
)

// lockBadgeUser reads and locks a BadgeUser.
func lockBadgeUser(ctx context.Context, tx *store.Tx, scope laurel.Scope, id laurel.ID) (badgeUserRow, error) {
	u, err := readBadgeUser(ctx, tx, scope, id, tx.ForUpdate())
	return badgeUserRow{BadgeUser: u}, err
}

// readBadgeUser reads a BadgeUser of the scope whose badge is live. lock is a clause such as tx.ForUpdate(), or "" for
// none. It returns NotFound "Badge user" if there is none.
func readBadgeUser(
	ctx context.Context, q store.Queryer, scope laurel.Scope, id laurel.ID, lock string,
) (BadgeUser, error) {
	var w store.Where
	w.Add("t.id = ?", id)
	w.Tenant("t.", scope)
	w.Add("EXISTS (SELECT 1 FROM loyalty_badges b WHERE b.id = t.loyalty_badge_id AND b.deleted_at IS NULL)")
	return userTable.Get(ctx, q, &w, lock)
}

// findBadgeUser reads the BadgeUser of a badge and a member, or a zero one if there is none.
func findBadgeUser(
	ctx context.Context, q store.Queryer, scope laurel.Scope, key badgeUserKey,
) (u BadgeUser, err error) {
	var w store.Where
	w.Add("t.loyalty_badge_id = ? AND t.user_id = ?", key.Badge, key.User)
	w.Tenant("t.", scope)
	list, err := userTable.Select(ctx, q, &w, "")
	if len(list) > 0 {
		u = list[0]
	}
	return u, err
}

// selectActive reads the badges that users hold, by user and badge.
func selectActive(ctx context.Context, q store.Queryer, scope laurel.Scope, users []laurel.ID) ([]BadgeUser, error) {
	return store.SelectByIDs[BadgeUser](ctx, q, "t.user_id", users, func(w *store.Where) string {
		w.Tenant(q.Engine().NoIndexPrefix()+"t.", scope)
		w.Add("t.status = '" + Active + "'")
		return userTable.Query() + w.String() + " ORDER BY t.user_id, t.loyalty_badge_id"
	})
}

// dynamicPage selects badges that a rule has granted as dynamic rewards.
type dynamicPage struct {
	rule, after laurel.ID // after is the last user of the page before; zero: from the start
	limit       int
}

// selectDynamic reads a page of the badges that a rule has granted as dynamic rewards, in the order of their users'
// ids.
func selectDynamic(
	ctx context.Context,
	q store.Queryer,
	scope laurel.Scope,
	p dynamicPage,
) (rows []BadgeUser, err error) {
	var w store.Where
	w.Add("t.loyalty_rule_id = ? AND t.dynamic", p.rule)
	w.Tenant(q.Engine().NoIndexPrefix()+"t.", scope)
	w.Add("t.status IN ('" + Active + "', '" + Inactive + "') AND t.rewarded_at IS NOT NULL")
	if !p.after.IsZero() {
		w.Add("t.user_id > ?", p.after)
	}
	err = q.Select(ctx, &rows, userTable.Query()+w.String()+" ORDER BY t.user_id, t.loyalty_badge_id LIMIT ?", append(w.Args, p.limit)...)
	return rows, err
}
