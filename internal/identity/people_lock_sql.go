package identity

import (
	"context"
	"slices"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/store"
)

// selectGroupsOf returns the groups that the ids stand for, sorted: the groups of those that are users, and those that
// are groups themselves.
func selectGroupsOf(ctx context.Context, tx *store.Tx, scope laurel.Scope, ids []laurel.ID) ([]laurel.ID, error) {
	var users, groups store.Where
	users.Add("website_id = ? AND user_group_id IS NOT NULL", scope.WebsiteID)
	store.In(&users, "user_id", ids)
	var found []laurel.ID
	if err := tx.Select(
		ctx,
		&found,
		"SELECT DISTINCT user_group_id FROM members"+users.String(),
		users.Args...); err != nil {
		return nil, err
	}
	groups.Add("website_id = ?", scope.WebsiteID)
	store.In(&groups, "id", ids)
	var byID []laurel.ID
	err := tx.Select(ctx, &byID, "SELECT id FROM user_groups"+groups.String(), groups.Args...)
	all := slices.Concat(found, byID)
	slices.SortFunc(all, laurel.ID.Compare)
	return slices.Compact(all), err
}

// lockUsersAndGroupMembers locks the member rows of the users and of all members of the groups, in the order of their
// ids, and returns them.
func lockUsersAndGroupMembers(
	ctx context.Context,
	tx *store.Tx,
	scope laurel.Scope,
	users, groups []laurel.ID,
) ([]*memberRow, error) {
	var own store.Where
	own.Add("t.website_id = ?", scope.WebsiteID)
	store.In(&own, "t.user_id", users)
	query, args := "SELECT t.user_id FROM members t"+own.String(), own.Args
	if len(groups) > 0 {
		with := whereInGroups(tx.Engine(), scope.WebsiteID, groups)
		query, args = query+" UNION SELECT t.user_id FROM members t"+with.String(), append(args, with.Args...)
	}
	var rows []*memberRow
	err := tx.Select(
		ctx,
		&rows,
		"SELECT "+memberColumns+" FROM members t WHERE t.website_id = ? AND t.user_id IN ("+query+") ORDER BY t.user_id"+tx.ForUpdate(),
		append([]any{scope.WebsiteID}, args...)...)
	return rows, err
}
