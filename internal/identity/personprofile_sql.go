package identity

import (
	"context"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/store"
)

// profileRow is a user with its metadata record in one website.
type profileRow struct {
	UserID     laurel.ID `db:"id"`
	Wallet     *string   `db:"wallet_address"`
	WalletType *string   `db:"wallet_type"`
	Record     *string   `db:"record"`
}

// selectProfiles reads users with their metadata records in a website.
func selectProfiles(
	ctx context.Context,
	q store.Queryer,
	website laurel.ID,
	users []laurel.ID,
) ([]profileRow, error) {
	var w store.Where
	w.Args = append(w.Args, website) // for the join, which comes before the conditions
	store.In(&w, "u.id", users)
	var rows []profileRow
	err := q.Select(ctx, &rows, `SELECT u.id, u.wallet_address, u.wallet_type, d.record FROM users u
		LEFT JOIN user_metadata d ON d.website_id = ? AND d.user_id = u.id`+w.String(), w.Args...)
	return rows, err
}

// selectMembersAfter reads up to limit ids of members greater than after, in ascending order. To begin at the start it
// compares with the smallest id that is not nil, since the nil UUID is stored as NULL.
func selectMembersAfter(
	ctx context.Context,
	q store.Queryer,
	scope laurel.Scope,
	after laurel.ID,
	limit int,
) ([]laurel.ID, error) {
	if after.IsZero() {
		after[len(after)-1] = 1
	}
	var ids []laurel.ID
	err := q.Select(
		ctx,
		&ids,
		"SELECT user_id FROM members WHERE website_id = ? AND organization_id = ? AND user_id > ? ORDER BY user_id LIMIT ?",
		scope.WebsiteID,
		scope.OrganizationID,
		after,
		limit,
	)
	return ids, err
}

// countMembers counts the members of the scope's website.
func countMembers(ctx context.Context, q store.Queryer, scope laurel.Scope) (int64, error) {
	var n int64
	err := q.Get(
		ctx,
		&n,
		"SELECT COUNT(*) FROM members WHERE website_id = ? AND organization_id = ?",
		scope.WebsiteID,
		scope.OrganizationID,
	)
	return n, err
}

// selectMembersSince reads since when users are members of the scope's website, by user id.
func selectMembersSince(
	ctx context.Context, q store.Queryer, scope laurel.Scope, users []laurel.ID,
) (map[laurel.ID]time.Time, error) {
	out := make(map[laurel.ID]time.Time, len(users))
	if len(users) == 0 {
		return out, nil
	}
	type row struct {
		UserID     laurel.ID `db:"user_id"`
		KnownSince int64     `db:"first_seen_at"`
	}
	var w store.Where
	w.Add("website_id = ?", scope.WebsiteID)
	store.InArray(&w, q, "user_id", "uuid", users)
	err := store.ForEachRow(ctx, q, func(r row) error {
		out[r.UserID] = store.Time(r.KnownSince)
		return nil
	}, "SELECT user_id, first_seen_at FROM members"+w.String(), w.Args...)
	return out, err
}
