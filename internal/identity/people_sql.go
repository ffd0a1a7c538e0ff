package identity

import (
	"bytes"
	"cmp"
	"context"
	"slices"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/store"
)

type userKey struct {
	organization laurel.ID
	wallet       string
}

type userRow struct {
	ID             laurel.ID `db:"id"`
	OrganizationID laurel.ID `db:"organization_id"`
	Wallet         *string   `db:"wallet_address"`
	WalletType     *string   `db:"wallet_type"`
	Temporary      bool      `db:"temporary_loyalty_user"`
	Service        bool      `db:"is_service"`
	CreatedAt      int64     `db:"created_at"`
	UpdatedAt      int64     `db:"updated_at"`
	exists         bool
}

const userColumns = "t.id, t.organization_id, t.wallet_address, t.wallet_type, t.temporary_loyalty_user, t.is_service, t.created_at, t.updated_at"

// initialize sets the columns of a new user; the wallet is set already.
func (r *userRow) initialize(id laurel.ID, temporary bool, now time.Time) {
	r.ID, r.Temporary, r.CreatedAt, r.UpdatedAt, r.exists = id, temporary, store.Micros(now), store.Micros(now), true
	if r.Wallet != nil && walletType(*r.Wallet) != "" {
		kind := walletType(*r.Wallet)
		r.WalletType = &kind
	}
}

// users is locked by wallet only where a user is created: the unique wallet decides between two transactions that
// create it.
var users = &store.Table[userKey, userRow]{
	Name: "users", Rank: store.LockRankUsers,
	Compare: func(a, b userKey) int {
		return cmp.Or(bytes.Compare(a.organization[:], b.organization[:]), cmp.Compare(a.wallet, b.wallet))
	},
	Query: "SELECT " + userColumns + " FROM users t",
	Key:   store.Columns("organization_id uuid, wallet_address text"),
	Args:  func(k userKey) []any { return []any{k.organization, k.wallet} },
	KeyOf: func(r *userRow) userKey {
		r.exists = true
		return userKey{r.OrganizationID, *r.Wallet}
	},
	New:  func(k userKey) *userRow { return &userRow{OrganizationID: k.organization, Wallet: &k.wallet} },
	Save: insertUsers,
}

// insertUsers inserts new users. It returns store.ErrRerun if another transaction has inserted one of the wallets.
func insertUsers(ctx context.Context, tx *store.Tx, rows []*userRow) error {
	values := make([][]any, len(rows))
	for i, r := range rows {
		values[i] = []any{
			r.ID,
			r.OrganizationID,
			r.Wallet,
			r.WalletType,
			false,
			r.Temporary,
			r.Service,
			r.CreatedAt,
			r.UpdatedAt,
		}
	}
	n, err := tx.InsertRows(ctx, store.Insert{
		Table:    "users",
		Conflict: store.IgnoreConflicts,
		Columns: store.Columns(
			"id uuid, organization_id uuid, wallet_address text, wallet_type text, is_platform_super_admin boolean, " +
				"temporary_loyalty_user boolean, is_service boolean, created_at bigint, updated_at bigint",
		),
	}, values)
	if err == nil && int(n) < len(rows) {
		return store.ErrRerun
	}
	return err
}

type memberKey struct{ website, user laurel.ID }

type memberRow struct {
	WebsiteID      laurel.ID `db:"website_id"`
	UserID         laurel.ID `db:"user_id"`
	OrganizationID laurel.ID `db:"organization_id"`
	KnownSince     int64     `db:"first_seen_at"`
	GroupID        laurel.ID `db:"user_group_id"`
	Blocked        bool      `db:"is_blocked"`
	Exempt         bool      `db:"is_block_exempt"`
	JoinedAt       *int64    `db:"joined_group_at"`
	HasMultipliers bool      `db:"has_multipliers"`
	exists         bool
}

const memberColumns = "t.website_id, t.user_id, t.organization_id, t.first_seen_at, t.user_group_id, t.is_blocked, t.is_block_exempt, t.joined_group_at, t.has_multipliers"

func (r *memberRow) initialize(organization laurel.ID, now time.Time) {
	r.OrganizationID, r.KnownSince, r.exists = organization, store.Micros(now), true
}

// members is shared by payments. Joining, leaving and blocking lock rows FOR UPDATE, so no payment runs on an outdated
// group or mark.
var members = &store.Table[memberKey, memberRow]{
	Name: "members", Rank: store.LockRankMembers,
	Compare: func(a, b memberKey) int {
		return cmp.Or(bytes.Compare(a.website[:], b.website[:]), bytes.Compare(a.user[:], b.user[:]))
	},
	Query: "SELECT " + memberColumns + " FROM members t",
	Key:   store.Columns("website_id uuid, user_id uuid"),
	Args:  func(k memberKey) []any { return []any{k.website, k.user} },
	KeyOf: func(r *memberRow) memberKey {
		r.exists = true
		return memberKey{r.WebsiteID, r.UserID}
	},
	New:  func(k memberKey) *memberRow { return &memberRow{WebsiteID: k.website, UserID: k.user} },
	Save: insertMembers,
}

// insertMembers inserts new members. It returns store.ErrRerun if another transaction has inserted one of them.
func insertMembers(ctx context.Context, tx *store.Tx, rows []*memberRow) error {
	values := make([][]any, len(rows))
	for i, r := range rows {
		values[i] = []any{r.WebsiteID, r.UserID, r.OrganizationID, r.KnownSince, false, false, int64(0), r.HasMultipliers}
	}
	n, err := tx.InsertRows(ctx, store.Insert{
		Table:    "members",
		Conflict: store.IgnoreConflicts,
		Columns: store.Columns(
			"website_id uuid, user_id uuid, organization_id uuid, first_seen_at bigint, is_blocked boolean, " +
				"is_block_exempt boolean, tokens_valid_from bigint, has_multipliers boolean",
		),
	}, values)
	if err == nil && int(n) < len(rows) {
		return store.ErrRerun
	}
	return err
}

type groupRow struct {
	ID        laurel.ID `db:"id"`
	UpdatedAt int64     `db:"updated_at"`
}

// groups is only read by Works: updated_at says whether the group's members are still those that were read.
var groups = &store.Table[laurel.ID, groupRow]{
	Name: "user_groups", Rank: store.LockRankGroups,
	Compare: laurel.ID.Compare,
	Query:   "SELECT t.id, t.updated_at FROM user_groups t",
	Key:     store.Columns("id uuid"),
	Args:    func(id laurel.ID) []any { return []any{id} },
	KeyOf:   func(r *groupRow) laurel.ID { return r.ID },
	New:     func(id laurel.ID) *groupRow { return &groupRow{ID: id} },
}

// personRow is a user with its member row and group version in one website.
type personRow struct {
	ID             laurel.ID `db:"id"`
	Wallet         *string   `db:"wallet_address"`
	KnownSince     *int64    `db:"first_seen_at"`
	GroupID        laurel.ID `db:"user_group_id"`
	Blocked        *bool     `db:"is_blocked"`
	Exempt         *bool     `db:"is_block_exempt"`
	HasMultipliers *bool     `db:"has_multipliers"`
	Version        *int64    `db:"version"`
}

// selectPeople reads users of the scope's organization by ids and by wallets, each with its member row in the scope's
// website, if it has one. Unknown ones are left out.
func selectPeople(
	ctx context.Context,
	q store.Queryer,
	scope laurel.Scope,
	ids []laurel.ID,
	wallets []string,
) ([]personRow, error) {
	var rows []personRow
	selectBy := func(column, columnType string, names []any) error {
		if len(names) == 0 {
			return nil
		}
		var w store.Where
		tenant := "t.organization_id = ?"
		if column == "t.id" && len(names) > fewWallets {
			tenant = "(t.organization_id = ?) IS TRUE" // else PostgreSQL may scan all users of the organization
		}
		w.Add(tenant, scope.OrganizationID)
		store.InArray(&w, q, column, columnType, names)
		var found []personRow
		err := q.Select(
			ctx,
			&found,
			`SELECT t.id, t.wallet_address, m.first_seen_at, m.user_group_id, m.is_blocked, m.is_block_exempt, m.has_multipliers,
			g.updated_at AS version
			FROM users t LEFT JOIN members m ON m.website_id = ? AND m.user_id = t.id
			LEFT JOIN user_groups g ON g.id = m.user_group_id`+w.String(),
			append([]any{scope.WebsiteID}, w.Args...)...)
		rows = append(rows, found...)
		return err
	}
	if len(wallets) > fewWallets {
		found, err := userIDsOfWallets(ctx, q, scope, wallets)
		if err != nil {
			return nil, err
		}
		ids, wallets = slices.Concat(ids, found), nil
	}
	if err := selectBy("t.id", "uuid", toAny(ids)); err != nil {
		return nil, err
	}
	return rows, selectBy("t.wallet_address", "text", toAny(wallets))
}

// fewWallets is a number of wallets or ids that is so small that the query plan does not matter.
const fewWallets = 16

// userIDsOfWallets returns the ids of the users of wallets. Unknown wallets are left out. Each wallet is looked up by
// itself: if PostgreSQL's statistics say that the table is small, its planner would scan all users of the organization
// for a list of wallets.
func userIDsOfWallets(ctx context.Context, q store.Queryer, scope laurel.Scope, wallets []string) ([]laurel.ID, error) {
	keys := make([][]any, len(wallets))
	for i, wallet := range wallets {
		keys[i] = []any{scope.OrganizationID, wallet}
	}
	found, err := store.SelectByKeys[struct {
		ID laurel.ID `db:"id"`
	}](ctx, q, store.KeyedQuery{
		Columns: store.Columns("organization_id uuid, wallet text"), Keys: keys,
		Query: "SELECT (SELECT u.id FROM users u WHERE u.organization_id = k.organization_id AND u.wallet_address = k.wallet) AS id FROM KEYS k",
	})
	ids := make([]laurel.ID, 0, len(found))
	for _, r := range found {
		if !r.ID.IsZero() {
			ids = append(ids, r.ID)
		}
	}
	return ids, err
}

// MembersByWallet returns those of the wallets that belong to members of the scope's website. Each is looked up by
// itself, as in userIDsOfWallets.
func MembersByWallet(ctx context.Context, q store.Queryer, scope laurel.Scope, wallets []string) ([]string, error) {
	keys := make([][]any, len(wallets))
	for i, wallet := range wallets {
		keys[i] = []any{scope.OrganizationID, scope.WebsiteID, wallet}
	}
	found, err := store.SelectByKeys[struct {
		Wallet *string `db:"wallet"`
	}](ctx, q, store.KeyedQuery{
		Columns: store.Columns("organization_id uuid, website_id uuid, wallet text"), Keys: keys,
		Query: `SELECT (SELECT u.wallet_address FROM users u JOIN members m ON m.website_id = k.website_id AND m.user_id = u.id
			WHERE u.organization_id = k.organization_id AND u.wallet_address = k.wallet) AS wallet FROM KEYS k`,
	})
	var out []string
	for _, r := range found {
		if r.Wallet != nil {
			out = append(out, *r.Wallet)
		}
	}
	return out, err
}

// groupMemberRow is a member of a group, read in order of joining.
type groupMemberRow struct {
	UserID         laurel.ID `db:"user_id"`
	GroupID        laurel.ID `db:"user_group_id"`
	Blocked        bool      `db:"is_blocked"`
	Exempt         bool      `db:"is_block_exempt"`
	HasMultipliers bool      `db:"has_multipliers"`
}

// selectGroupMembers reads the members of groups by the group's id, in order of joining.
func selectGroupMembers(
	ctx context.Context,
	q store.Queryer,
	website laurel.ID,
	groups []laurel.ID,
) (map[laurel.ID][]groupMemberRow, error) {
	out := map[laurel.ID][]groupMemberRow{}
	if len(groups) == 0 {
		return out, nil
	}
	w := whereInGroups(q.Engine(), website, groups)
	var rows []groupMemberRow
	err := q.Select(
		ctx,
		&rows,
		"SELECT t.user_id, t.user_group_id, t.is_blocked, t.is_block_exempt, t.has_multipliers FROM members t"+w.String()+
			" ORDER BY t.joined_group_at, t.user_id",
		w.Args...)
	for _, r := range rows {
		out[r.GroupID] = append(out[r.GroupID], r)
	}
	return out, err
}

// whereInGroups returns the condition for the members of groups of a website.
func whereInGroups(e store.Engine, website laurel.ID, groups []laurel.ID) store.Where {
	var w store.Where
	w.Add(e.NoIndexPrefix()+"t.website_id = ?", website)
	store.In(&w, "t.user_group_id", groups)
	return w
}

// GroupMembers returns the members of a group as the transaction sees them, in order of joining.
func GroupMembers(ctx context.Context, tx *store.Tx, website, group laurel.ID) ([]laurel.ID, error) {
	mates, err := selectGroupMembers(ctx, tx, website, []laurel.ID{group})
	ids := make([]laurel.ID, len(mates[group]))
	for i, m := range mates[group] {
		ids[i] = m.UserID
	}
	return ids, err
}

type walletRow struct {
	ID     laurel.ID `db:"id"`
	Wallet *string   `db:"wallet_address"`
}

// selectWallets reads users of an organization with their wallets, by their ids.
func selectWallets(ctx context.Context, q store.Queryer, organization laurel.ID, ids []laurel.ID) ([]walletRow, error) {
	var w store.Where
	w.Add("organization_id = ?", organization)
	store.In(&w, "id", ids)
	var rows []walletRow
	err := q.Select(ctx, &rows, "SELECT id, wallet_address FROM users"+w.String(), w.Args...)
	return rows, err
}

// selectUsersOfWallets reads users of an organization with their wallets, by their wallets.
func selectUsersOfWallets(
	ctx context.Context, q store.Queryer, organization laurel.ID, wallets []string,
) ([]walletRow, error) {
	var w store.Where
	w.Add("organization_id = ?", organization)
	store.In(&w, "wallet_address", wallets)
	var rows []walletRow
	err := q.Select(ctx, &rows, "SELECT id, wallet_address FROM users"+w.String(), w.Args...)
	return rows, err
}

// selectUserOfWallet reads the id of the user with a wallet, or returns sql.ErrNoRows.
func selectUserOfWallet(
	ctx context.Context,
	q store.Queryer,
	organization laurel.ID,
	wallet string,
) (laurel.ID, error) {
	var id laurel.ID
	err := q.Get(ctx, &id, "SELECT id FROM users WHERE organization_id = ? AND wallet_address = ?", organization, wallet)
	return id, err
}

// selectUserOfKey reads the id of the user to whom the key of a wallet belongs, or returns sql.ErrNoRows.
func selectUserOfKey(ctx context.Context, q store.Queryer, organization laurel.ID, key string) (laurel.ID, error) {
	var id laurel.ID
	err := q.Get(ctx, &id, "SELECT user_id FROM wallet_keys WHERE organization_id = ? AND address_key = ?", organization, key)
	return id, err
}

// insertWalletKey stores whose the key of a wallet is, and reports whether it was nobody's.
func insertWalletKey(
	ctx context.Context, tx *store.Tx, organization laurel.ID, key string, user laurel.ID,
) (isFirst bool, err error) {
	n, err := tx.Exec(ctx, `INSERT INTO wallet_keys (organization_id, address_key, user_id, created_at) VALUES (?, ?, ?, ?)
		ON CONFLICT (organization_id, address_key) DO NOTHING`, organization, key, user, store.Micros(tx.Now()))
	return n > 0, err
}

func toAny[T any](list []T) []any {
	out := make([]any, len(list))
	for i, v := range list {
		out[i] = v
	}
	return out
}

// walletsOfGroup reads the wallets of a group's members in the scope, in order of joining.
func walletsOfGroup(ctx context.Context, q store.Queryer, scope laurel.Scope, group laurel.ID) ([]string, error) {
	var w store.Where
	w.Add("m.user_group_id = ? AND u.wallet_address IS NOT NULL", group)
	w.Tenant("m.", scope)
	var wallets []string
	err := q.Select(
		ctx,
		&wallets,
		"SELECT u.wallet_address FROM members m JOIN users u ON u.id = m.user_id"+w.String()+" ORDER BY m.joined_group_at, m.user_id",
		w.Args...)
	return wallets, err
}

// selectGroupOf reads the group of a member of the scope's website: a row for each of its users, in order of joining.
func selectGroupOf(
	ctx context.Context, q store.Queryer, scope laurel.Scope, user laurel.ID,
) (rows []groupUserRow, err error) {
	err = q.Select(ctx, &rows, `SELECT m.user_group_id, g.external_identifier, m.user_id, u.wallet_address FROM members own
		JOIN user_groups g ON g.id = own.user_group_id
		JOIN members m ON m.user_group_id = own.user_group_id AND m.website_id = own.website_id
		JOIN users u ON u.id = m.user_id
		WHERE own.website_id = ? AND own.user_id = ? AND own.organization_id = ? ORDER BY m.joined_group_at, m.user_id`,
		scope.WebsiteID, user, scope.OrganizationID)
	return rows, err
}

// createGroup creates a group without external identifier and returns its id.
func createGroup(ctx context.Context, tx *store.Tx, scope laurel.Scope) (laurel.ID, error) {
	id, now := tx.NewID(), store.Micros(tx.Now())
	_, err := tx.Exec(
		ctx,
		"INSERT INTO user_groups (id, organization_id, website_id, created_at, updated_at) VALUES (?, ?, ?, ?, ?)",
		id,
		scope.OrganizationID,
		scope.WebsiteID,
		now,
		now,
	)
	return id, err
}

// updateWalletType sets the type of a user's wallet and clears the mark of a temporary user. It returns whether that
// changed the user.
func updateWalletType(ctx context.Context, tx *store.Tx, user laurel.ID, walletType string) (bool, error) {
	n, err := tx.Exec(
		ctx,
		`UPDATE users SET wallet_type = ?, temporary_loyalty_user = FALSE, updated_at = ?
		WHERE id = ? AND (temporary_loyalty_user OR wallet_type IS NULL OR wallet_type <> ?)`,
		walletType,
		store.Micros(tx.Now()),
		user,
		walletType,
	)
	return n > 0, err
}

// selectUser reads a user by its id.
func selectUser(ctx context.Context, q store.Queryer, user laurel.ID) (row userRow, err error) {
	err = q.Get(ctx, &row, "SELECT "+userColumns+" FROM users t WHERE t.id = ?", user)
	return row, err
}
