package report

import (
	"context"
	"strings"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/store"
)

// User is an item of the users list without its metadata (contract 3.4).
type User struct {
	ID            laurel.ID `db:"id"`
	Wallet        *string   `db:"wallet_address"`
	WalletType    *string   `db:"wallet_type"`
	SuperAdmin    bool      `db:"is_platform_super_admin"`
	Temporary     bool      `db:"temporary_loyalty_user"`
	Notifications *bool     `db:"notifications"`
	CreatedMicros int64     `db:"created_at"`
	UpdatedMicros int64     `db:"updated_at"`
}

// CreatedAt is when the user was created.
func (u User) CreatedAt() time.Time { return store.Time(u.CreatedMicros) }

// UpdatedAt is when the user last changed.
func (u User) UpdatedAt() time.Time { return store.Time(u.UpdatedMicros) }

// UserListFilter limits a list of users.
type UserListFilter struct {
	Users       UserFilter
	Identifiers map[string]string // metadata field → value, compared without case
	Blocked     bool              // only blocked users
	AllMembers  bool              // members with neither metadata nor an account, too
}

// whereIdentifier adds the condition that the user of a row has this value of a metadata field in the row's website.
// The columns have the user and the website of the row.
func whereIdentifier(w *store.Where, userColumn, website, field, value string) {
	w.Add(
		"EXISTS (SELECT 1 FROM user_identifiers i WHERE i.user_id = "+userColumn+" AND i.website_id = "+website+" AND i.field = ? AND i.value = ?)",
		field,
		strings.ToLower(value),
	)
}

const selectUser = `SELECT u.id, u.wallet_address, u.wallet_type, u.is_platform_super_admin, u.temporary_loyalty_user, u.notifications, u.created_at, u.updated_at FROM users u`

// Users returns one page of users, newest first. For a scope with a website these are the users with metadata or an
// account there, otherwise all users of the organization. Service users of keys are never listed. Errors: Invalid for
// an unknown cursor.
func (s *Service) Users(
	ctx context.Context,
	scope laurel.Scope,
	f UserListFilter,
	page laurel.PageRequest,
) (laurel.Page[User], error) {
	none := laurel.PageOf[User](nil, page.Limit)
	if err := s.resolveGroups(ctx, scope, &f.Users); err != nil {
		return none, err
	}
	w := s.whereUserList(scope, f)
	if !page.StartingAfter.IsZero() {
		at := store.Where{}
		at.Add("u.id = ? AND u.organization_id = ? AND NOT u.is_service", page.StartingAfter, scope.OrganizationID)
		whereInWebsite(&at, scope)
		var after User
		err := s.db.Get(ctx, &after, selectUser+at.String(), at.Args...)
		if store.IsNoRows(err) {
			return none, laurel.ErrCursor()
		}
		if err != nil {
			return none, err
		}
		w.After("u.created_at", "u.id", true, after.CreatedMicros, after.ID)
	}
	return store.SelectPage[User](
		ctx,
		s.db,
		page.Limit,
		selectUser+w.String()+" ORDER BY u.created_at DESC, u.id DESC",
		w.Args...)
}

// whereUserList returns the conditions of the filter on users u.
func (s *Service) whereUserList(scope laurel.Scope, f UserListFilter) store.Where {
	var w store.Where
	organization := "u.organization_id = ?"
	blocked := f.Blocked && !scope.WebsiteID.IsZero()
	if len(f.Users.IDs)+len(f.Users.Wallets) > 0 || blocked { // few users match: do not scan the organization
		organization = s.db.Engine().NoIndexPrefix() + organization
	}
	w.Add(organization+" AND NOT u.is_service", scope.OrganizationID)
	whereUsers(&w, "u.id", "", scope, UserFilter{IDs: f.Users.IDs, Wallets: f.Users.Wallets})
	if f.AllMembers {
		w.Add("u.id IN (SELECT b.user_id FROM members b WHERE b.website_id = ?)", scope.WebsiteID)
	} else {
		whereInWebsite(&w, scope)
	}
	if blocked { // by the index members_blocked
		w.Add("u.id IN (SELECT b.user_id FROM members b WHERE b.website_id = ? AND b.is_blocked)", scope.WebsiteID)
	}
	// All conditions on metadata and groups must hold for the same membership, that is, on one website.
	var membership store.Where
	membership.Add("x.user_id = u.id")
	whereTenant(&membership, "x.", scope)
	membershipFilter := f.Users
	membershipFilter.IDs, membershipFilter.Wallets = nil, nil
	whereUsers(&membership, "x.user_id", "x.website_id", scope, membershipFilter)
	for field, value := range f.Identifiers {
		whereIdentifier(&membership, "x.user_id", "x.website_id", field, value)
	}
	if f.Blocked {
		membership.Add("x.is_blocked AND NOT x.is_block_exempt")
	}
	if !membershipFilter.isEmpty() || len(f.Identifiers) > 0 || f.Blocked {
		w.Add("EXISTS (SELECT 1 FROM members x"+membership.String()+")", membership.Args...)
	}
	return w
}

// whereInWebsite adds the condition that users u have metadata or an account in the scope's website; none without a
// website.
func whereInWebsite(w *store.Where, scope laurel.Scope) {
	if scope.WebsiteID.IsZero() {
		return
	}
	w.Add(`(EXISTS (SELECT 1 FROM user_metadata d WHERE d.user_id = u.id AND d.website_id = ?)
		OR EXISTS (SELECT 1 FROM loyalty_accounts a WHERE a.user_id = u.id AND a.website_id = ?))`, scope.WebsiteID, scope.WebsiteID)
}

// CountUsers returns the number of users that Users lists without a filter.
func (s *Service) CountUsers(ctx context.Context, scope laurel.Scope) (int64, error) {
	n, _, err := s.userCounts.Get(ctx, userCountKey{scope.OrganizationID, scope.WebsiteID})
	return n, err
}

// userCountKey names the users of a website or, without a website, of an organization.
type userCountKey struct{ organization, website laurel.ID }

// readUserCounts counts the users of each key. Counting reads all members of a website: callers that ask at the same
// moment share one read.
func (s *Service) readUserCounts(ctx context.Context, keys []userCountKey) (map[userCountKey]int64, error) {
	out := make(map[userCountKey]int64, len(keys))
	for _, k := range keys {
		var n int64
		query, args := "SELECT COUNT(*) FROM users WHERE organization_id = ? AND NOT is_service", []any{k.organization}
		if !k.website.IsZero() {
			query = `SELECT COUNT(*) FROM members u WHERE u.organization_id = ? AND u.website_id = ? AND (
				EXISTS (SELECT 1 FROM user_metadata d WHERE d.user_id = u.user_id AND d.website_id = u.website_id) OR
				EXISTS (SELECT 1 FROM loyalty_accounts a WHERE a.user_id = u.user_id AND a.website_id = u.website_id))`
			args = append(args, k.website)
		}
		if err := s.db.Get(ctx, &n, query, args...); err != nil {
			return nil, err
		}
		out[k] = n
	}
	return out, nil
}
