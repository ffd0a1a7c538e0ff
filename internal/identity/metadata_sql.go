package identity

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/budget"
	"laurel.example/laurel/internal/store"
)

// clearTemporary clears the mark of a temporary user. It returns the user and true if the mark was set, else nil and
// false.
func clearTemporary(ctx context.Context, tx *store.Tx, user laurel.ID) (*userRow, bool, error) {
	n, err := tx.Exec(
		ctx,
		"UPDATE users SET temporary_loyalty_user = FALSE, updated_at = ? WHERE id = ? AND temporary_loyalty_user",
		store.Micros(tx.Now()),
		user,
	)
	if err != nil || n == 0 {
		return nil, false, err
	}
	var row userRow
	return &row, true, tx.Get(ctx, &row, "SELECT "+userColumns+" FROM users t WHERE t.id = ?", user)
}

// selectGroup returns the external identifier of a group of the website, nil if the group has none, or sql.ErrNoRows if
// there is no such group.
func selectGroup(ctx context.Context, tx *store.Tx, scope laurel.Scope, id laurel.ID) (*string, error) {
	var name *string
	err := tx.Get(
		ctx,
		&name,
		"SELECT external_identifier FROM user_groups WHERE organization_id = ? AND website_id = ? AND id = ?",
		scope.OrganizationID,
		scope.WebsiteID,
		id,
	)
	return name, err
}

// findOrCreateGroup returns the id of the group with the external identifier name in the scope's website. If there is
// none, it creates the group.
func findOrCreateGroup(ctx context.Context, tx *store.Tx, scope laurel.Scope, name string) (laurel.ID, error) {
	now := store.Micros(tx.Now())
	_, err := tx.Exec(
		ctx,
		`INSERT INTO user_groups (id, organization_id, website_id, external_identifier, created_at, updated_at)
		VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (website_id, external_identifier) DO NOTHING`,
		tx.NewID(),
		scope.OrganizationID,
		scope.WebsiteID,
		name,
		now,
		now,
	)
	if err != nil {
		return laurel.ID{}, err
	}
	var id laurel.ID
	err = tx.Get(
		ctx,
		&id,
		"SELECT id FROM user_groups WHERE website_id = ? AND external_identifier = ?",
		scope.WebsiteID,
		name,
	)
	return id, err
}

// lockGroups locks the rows of groups, in order of their ids.
func lockGroups(ctx context.Context, tx *store.Tx, ids []laurel.ID) error {
	if len(ids) == 0 {
		return nil
	}
	var w store.Where
	store.In(&w, "id", ids)
	var locked []laurel.ID
	return tx.Select(ctx, &locked, "SELECT id FROM user_groups"+w.String()+" ORDER BY id"+tx.ForUpdate(), w.Args...)
}

// lockMembers locks the rows of the member and of all members of the groups, in the order of their ids, and returns
// them.
func lockMembers(ctx context.Context, tx *store.Tx, member memberKey, groups []laurel.ID) ([]*memberRow, error) {
	w := whereMemberOrGroups(tx.Engine(), member, groups)
	var rows []*memberRow
	err := tx.Select(
		ctx,
		&rows,
		"SELECT "+memberColumns+" FROM members t"+w.String()+" ORDER BY t.user_id"+tx.ForUpdate(),
		w.Args...)
	return rows, err
}

// whereMemberOrGroups returns the condition for the member and all members of the groups.
func whereMemberOrGroups(e store.Engine, member memberKey, groups []laurel.ID) store.Where {
	condition := "t.user_id = ?"
	args := []any{member.user}
	for _, g := range groups {
		condition += " OR t.user_group_id = ?"
		args = append(args, g)
	}
	var w store.Where
	w.Add(e.NoIndexPrefix()+"t.website_id = ?", member.website)
	w.Add("("+condition+")", args...)
	return w
}

// updateMembers writes the group and the block marks of locked members, and raises the versions of the groups in which
// they were or are.
func updateMembers(ctx context.Context, tx *store.Tx, rows []*memberRow, groups []laurel.ID) error {
	values := make([][]any, len(rows))
	for i, m := range rows {
		values[i] = []any{m.WebsiteID, m.UserID, m.GroupID, m.JoinedAt, m.Blocked, m.Exempt}
	}
	_, err := tx.UpdateRows(ctx, store.Update{
		Table: "members",
		Keys:  store.Columns("website_id uuid, user_id uuid"),
		Set: store.Columns(
			"user_group_id uuid, joined_group_at bigint, is_blocked boolean, is_block_exempt boolean",
		),
	}, values)
	if err != nil {
		return err
	}
	return raiseGroupVersions(ctx, tx, groups)
}

// raiseGroupVersions changes the versions of groups, so that Works that were prepared with their former state become
// stale. Zero ids are ignored.
func raiseGroupVersions(ctx context.Context, tx *store.Tx, groups []laurel.ID) error {
	var w store.Where
	store.In(&w, "id", slices.DeleteFunc(groups, laurel.ID.IsZero))
	if w.String() == "" {
		return nil
	}
	now := store.Micros(tx.Now())
	_, err := tx.Exec(
		ctx,
		"UPDATE user_groups SET updated_at = CASE WHEN updated_at >= ? THEN updated_at + 1 ELSE ? END"+w.String(),
		append([]any{now, now}, w.Args...)...)
	return err
}

// setHasMultipliers marks a member as having multipliers and raises the versions of its groups, so that Works prepared
// for any of their members are prepared again. The caller has locked the member and the groups.
func setHasMultipliers(ctx context.Context, tx *store.Tx, m *memberRow, groups []laurel.ID) error {
	if _, err := tx.Exec(
		ctx,
		"UPDATE members SET has_multipliers = TRUE WHERE website_id = ? AND user_id = ?",
		m.WebsiteID,
		m.UserID,
	); err != nil {
		return err
	}
	return raiseGroupVersions(ctx, tx, groups)
}

// countAccountHolders counts the people of the website who have connected the account, without the member and its
// group. A group counts as one person.
func countAccountHolders(ctx context.Context, tx *store.Tx, member memberRow, id identifier) (int, error) {
	own := member.UserID
	if !member.GroupID.IsZero() {
		own = member.GroupID
	}
	var n int
	err := tx.Get(ctx, &n, `SELECT count(DISTINCT coalesce(m.user_group_id, m.user_id)) FROM user_identifiers i
		JOIN members m ON m.website_id = i.website_id AND m.user_id = i.user_id
		WHERE i.website_id = ? AND i.field = ? AND i.value = ? AND coalesce(m.user_group_id, m.user_id) <> ?`, member.WebsiteID, id.field, id.value, own)
	return n, err
}

// firstAccountHolder returns the oldest user of the website, but for the member and its group, who has connected the
// account.
func firstAccountHolder(ctx context.Context, tx *store.Tx, member memberRow, id identifier) (laurel.ID, error) {
	own := member.UserID
	if !member.GroupID.IsZero() {
		own = member.GroupID
	}
	var holder laurel.ID
	err := tx.Get(ctx, &holder, `SELECT m.user_id FROM user_identifiers i
		JOIN members m ON m.website_id = i.website_id AND m.user_id = i.user_id
		WHERE i.website_id = ? AND i.field = ? AND i.value = ? AND coalesce(m.user_group_id, m.user_id) <> ?
		ORDER BY m.user_id LIMIT 1`, member.WebsiteID, id.field, id.value, own)
	return holder, err
}

// replaceIdentifiers replaces the stored identifiers of a member by those of the list.
func replaceIdentifiers(ctx context.Context, tx *store.Tx, member memberRow, list []identifier) error {
	if _, err := tx.Exec(
		ctx,
		"DELETE FROM user_identifiers WHERE website_id = ? AND user_id = ?",
		member.WebsiteID,
		member.UserID,
	); err != nil {
		return err
	}
	rows := make([][]any, len(list))
	for i, id := range list {
		rows[i] = []any{member.WebsiteID, id.field, id.value, member.UserID}
	}
	_, err := tx.InsertRows(
		ctx,
		store.Insert{
			Table:   "user_identifiers",
			Columns: store.Columns("website_id uuid, field text, value text, user_id uuid"),
		},
		rows,
	)
	return err
}

// storedRecord is a metadata record as JSON and decoded.
type storedRecord struct {
	Record    string `db:"record"`
	UpdatedAt int64  `db:"updated_at"`
	Profile   Profile
}

// selectRecord reads the metadata record of a member, or returns sql.ErrNoRows if there is none.
func selectRecord(ctx context.Context, tx *store.Tx, member memberRow) (storedRecord, error) {
	var out storedRecord
	err := tx.Get(
		ctx,
		&out,
		"SELECT record, updated_at FROM user_metadata WHERE website_id = ? AND user_id = ?",
		member.WebsiteID,
		member.UserID,
	)
	if err != nil {
		return storedRecord{}, err
	}
	return out, json.Unmarshal([]byte(out.Record), &out.Profile)
}

// selectProfilesOfGroup reads the profiles of the members of a group, by user. Members without metadata are left out.
func selectProfilesOfGroup(
	ctx context.Context, tx *store.Tx, scope laurel.Scope, group laurel.ID,
) (map[laurel.ID]Profile, error) {
	type row struct {
		UserID laurel.ID `db:"user_id"`
		Record string    `db:"record"`
	}
	profiles := map[laurel.ID]Profile{}
	err := store.ForEachRow(ctx, tx, func(r row) error {
		var p Profile
		err := json.Unmarshal([]byte(r.Record), &p)
		profiles[r.UserID] = p
		return err
	}, `SELECT d.user_id, d.record FROM members m
		JOIN user_metadata d ON d.website_id = m.website_id AND d.user_id = m.user_id
		WHERE m.website_id = ? AND m.user_group_id = ?`, scope.WebsiteID, group)
	return profiles, err
}

// upsertRecord writes the metadata record of a member, a Profile as JSON. label is the profile's wallet group
// identifier or nil, which has a column of its own.
func upsertRecord(ctx context.Context, tx *store.Tx, member memberRow, record string, label *string) error {
	now := store.Micros(tx.Now())
	_, err := tx.Exec(
		ctx,
		`INSERT INTO user_metadata (id, organization_id, website_id, user_id, record, wallet_group_identifier, created_at, updated_at)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (website_id, user_id) DO UPDATE
		SET record = excluded.record, wallet_group_identifier = excluded.wallet_group_identifier, updated_at = `+
			laterThan("user_metadata.updated_at", "excluded.updated_at"),
		tx.NewID(),
		member.OrganizationID,
		member.WebsiteID,
		member.UserID,
		record,
		label,
		now,
		now,
	)
	return err
}

// laterThan returns the time of the next change in SQL, as Tx.NowAfter, from columns or placeholders of microseconds.
func laterThan(last, now string) string {
	return "CASE WHEN " + last + " + 1000 > " + now + " THEN " + last + " + 1000 ELSE " + now + " END"
}

// touchMetadata sets the update time of the users' metadata to now, because their member rows have changed.
func touchMetadata(ctx context.Context, tx *store.Tx, website laurel.ID, users []laurel.ID) error {
	if len(users) == 0 {
		return nil
	}
	var w store.Where
	w.Add("website_id = ?", website)
	store.In(&w, "user_id", users)
	now := store.Micros(tx.Now())
	_, err := tx.Exec(
		ctx,
		"UPDATE user_metadata SET updated_at = "+laterThan("updated_at", "?")+w.String(),
		append([]any{now, now}, w.Args...)...)
	return err
}

type metadataRow struct {
	ID             laurel.ID `db:"id"`
	OrganizationID laurel.ID `db:"organization_id"`
	WebsiteID      laurel.ID `db:"website_id"`
	UserID         laurel.ID `db:"user_id"`
	Wallet         *string   `db:"wallet_address"`
	Record         string    `db:"record"`
	Blocked        bool      `db:"is_blocked"`
	Exempt         bool      `db:"is_block_exempt"`
	GroupID        laurel.ID `db:"user_group_id"`
	GroupName      *string   `db:"external_identifier"`
	CreatedAt      int64     `db:"created_at"`
	UpdatedAt      int64     `db:"updated_at"`
}

const selectMetadata = `SELECT d.id, d.organization_id, d.website_id, d.user_id, u.wallet_address, d.record,
	m.is_blocked, m.is_block_exempt, m.user_group_id, g.external_identifier, d.created_at, d.updated_at
	FROM user_metadata d JOIN members m ON m.website_id = d.website_id AND m.user_id = d.user_id
	JOIN users u ON u.id = d.user_id LEFT JOIN user_groups g ON g.id = m.user_group_id`

// eachMetadata calls f with each metadata record of the users in the scope; those of one user come oldest first.
func eachMetadata(ctx context.Context, q store.Queryer, scope laurel.Scope, users []laurel.ID, f func(Metadata)) error {
	for part := range slices.Chunk(users, maxKeysPerQuery) {
		var w store.Where
		w.Tenant("d.", scope)
		store.In(&w, "d.user_id", part)
		err := store.ForEachRow(ctx, q, func(r metadataRow) error {
			m, err := r.metadata()
			if err == nil {
				f(m)
			}
			return err
		}, selectMetadata+w.String()+" ORDER BY d.created_at, d.id", w.Args...)
		if err != nil {
			return err
		}
	}
	return nil
}

// metadataSizes returns how many bytes the metadata records of each user have in the scope. Users without metadata are
// left out.
func metadataSizes(
	ctx context.Context,
	q store.Queryer,
	scope laurel.Scope,
	users []laurel.ID,
) ([]budget.ByteSize, error) {
	return store.SelectByIDs[budget.ByteSize](ctx, q, "user_id", users, func(w *store.Where) string {
		w.Tenant("", scope)
		return "SELECT user_id AS id, SUM(OCTET_LENGTH(record)) AS bytes FROM user_metadata" + w.String() + " GROUP BY user_id"
	})
}

// metadata returns the Metadata of the row, and an error if its record is not valid JSON.
func (r metadataRow) metadata() (Metadata, error) {
	m := Metadata{
		ID:             r.ID,
		OrganizationID: r.OrganizationID,
		WebsiteID:      r.WebsiteID,
		UserID:         r.UserID,
		User:           UserName{r.UserID, r.Wallet},
		IsBlocked:      r.Blocked,
		IsBlockExempt:  r.Exempt,
		UserGroupID:    r.GroupID.Ptr(),
		CreatedAt: laurel.Timestamp{
			Time: store.Time(r.CreatedAt),
		},
		UpdatedAt: laurel.Timestamp{Time: store.Time(r.UpdatedAt)},
	}
	if !r.GroupID.IsZero() {
		m.UserGroup = &GroupName{r.GroupID, r.GroupName}
	}
	if err := json.Unmarshal([]byte(r.Record), &m.Profile); err != nil {
		return Metadata{}, fmt.Errorf("metadata %s: %w", r.ID, err)
	}
	return m, nil
}

// isHeldByOther reports whether a user outside the list has an identifier in a website.
func isHeldByOther(
	ctx context.Context, q store.Queryer, scope laurel.Scope, users []laurel.ID, id identifier,
) (bool, error) {
	var holders []laurel.ID
	err := q.Select(
		ctx, &holders, "SELECT user_id FROM user_identifiers WHERE website_id = ? AND field = ? AND value = ?",
		scope.WebsiteID, id.field, id.value,
	)
	return slices.ContainsFunc(holders, func(holder laurel.ID) bool { return !slices.Contains(users, holder) }), err
}
