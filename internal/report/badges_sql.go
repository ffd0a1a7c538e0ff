package report

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/budget"
	"laurel.example/laurel/internal/engagement/badges"
	"laurel.example/laurel/internal/engagement/conditions"
	"laurel.example/laurel/internal/store"
)

// BadgeFilter limits a list of badges.
type BadgeFilter struct {
	IDs         []laurel.ID
	WithDeleted bool
	Client      bool // only badges that client keys may see, which are not hidden
}

// Badges returns one page of badges, newest first. Errors: Invalid for an unknown cursor.
func (s *Service) Badges(
	ctx context.Context,
	scope laurel.Scope,
	f BadgeFilter,
	page laurel.PageRequest,
) (laurel.Page[badges.Badge], error) {
	var w store.Where
	w.Tenant("", scope)
	cursors := w
	store.In(&w, "id", f.IDs)
	if !f.WithDeleted {
		w.Add("deleted_at IS NULL")
	}
	if f.Client {
		w.Add("NOT hide_in_ui")
	}
	order := store.List{Where: &w, Cursors: &cursors, Order: []string{"created_at", "id"}, Newest: true}
	return badges.Table.Page(ctx, s.db, order, page)
}

// BadgesByID returns the badges of the scope with these ids, including deleted ones, in any order. Others are left out.
func (s *Service) BadgesByID(ctx context.Context, scope laurel.Scope, ids []laurel.ID) ([]badges.Badge, error) {
	w := s.whereIDs("", scope, ids)
	if w == nil {
		return nil, nil
	}
	return badges.Table.Select(ctx, s.db, w, "")
}

// BadgeUser is the record of a member and a badge, with the member's wallet (contract 3.21).
type BadgeUser struct {
	badges.BadgeUser
	Wallet *string `db:"wallet_address"`
}

// selectBadgeUser reads rows of members and badges. If the badge is deleted, the status is revoked, even if the row
// has not been updated yet.
const selectBadgeUser = `SELECT u.id, u.organization_id, u.website_id, u.loyalty_badge_id, u.user_id, p.wallet_address,
	CASE WHEN u.status = 'active' AND b.deleted_at IS NOT NULL THEN 'revoked' ELSE u.status END AS status, u.hide_in_ui, u.dismissed_in_ui, u.progress,
	u.share, u.rewarded_at, u.loyalty_rule_id, u.dynamic, u.completed_at, u.created_at, u.updated_at, u.deleted_at
	FROM loyalty_badge_users u JOIN loyalty_badges b ON b.id = u.loyalty_badge_id JOIN users p ON p.id = u.user_id`

// MaxHoldersShown is the most members that a list of badges shows with a badge.
const MaxHoldersShown = 100

// HolderFilter limits the records of badges and members: to some users or, without any, to the newest MaxHoldersShown
// of each badge.
type HolderFilter struct {
	Users  UserFilter
	Client bool // only records that client keys may see, which are not hidden
}

// where returns the condition on hidden records for the end of a WHERE clause; "" for none.
func (h HolderFilter) where(prefix string) string {
	if h.Client {
		return " AND NOT " + prefix + "hide_in_ui"
	}
	return ""
}

// NamesUsers reports whether the filter limits the users.
func (h HolderFilter) NamesUsers() bool { return !h.Users.isEmpty() }

// ResolveHolderGroups returns the filter with its groups looked up.
func (s *Service) ResolveHolderGroups(ctx context.Context, scope laurel.Scope, h HolderFilter) (HolderFilter, error) {
	err := s.resolveGroups(ctx, scope, &h.Users)
	return h, err
}

// rowBytes is the approximate size of a member's row without its progress.
const rowBytes = "500"

// CountFittingBadges returns how many of the badges, from the first on, fit on a page (budget.MaxPageBytes) together
// with their rows of members, as HoldersOf returns them.
func (s *Service) CountFittingBadges(
	ctx context.Context, scope laurel.Scope, ids []laurel.ID, h HolderFilter,
) (int, error) {
	var sizes []budget.ByteSize
	for chunk := range slices.Chunk(ids, maxIDsPerQuery) {
		var w store.Where
		var query string
		if h.Users.isEmpty() {
			query = `SELECT b.id, (SELECT COALESCE(SUM(OCTET_LENGTH(x.progress) + ` + rowBytes + `), 0) FROM (SELECT u.progress FROM loyalty_badge_users u
				WHERE u.loyalty_badge_id = b.id` + h.where("u.") + ` ORDER BY u.created_at DESC, u.id DESC LIMIT ` + fmt.Sprint(MaxHoldersShown) + `) x) AS bytes
				FROM loyalty_badges b`
			store.In(&w, "b.id", chunk)
			query += w.String()
		} else {
			s.whereHolders(&w, scope, chunk, h)
			query = "SELECT u.loyalty_badge_id AS id, SUM(OCTET_LENGTH(u.progress) + " + rowBytes + ") AS bytes FROM loyalty_badge_users u" +
				w.String() + " GROUP BY u.loyalty_badge_id"
		}
		var found []budget.ByteSize
		if err := s.db.Select(ctx, &found, query, w.Args...); err != nil {
			return 0, err
		}
		sizes = append(sizes, found...)
	}
	return budget.CountFitting(ids, sizes), nil
}

// whereHolders restricts a query on loyalty_badge_users (alias u, a row for each badge and member) to some badges and
// to the members that the filter selects.
func (s *Service) whereHolders(w *store.Where, scope laurel.Scope, ids []laurel.ID, h HolderFilter) {
	store.In(w, "u.loyalty_badge_id", ids)
	s.whereTenantOf(w, "u.", scope, h.Users)
	whereUsers(w, "u.user_id", "u.website_id", scope, h.Users)
	if h.Client {
		w.Add("NOT u.hide_in_ui")
	}
}

// HoldersOf returns, by badge, the rows of members and badges that the filter selects, newest first. If the filter has
// no users, these are the newest MaxHoldersShown of each badge.
func (s *Service) HoldersOf(
	ctx context.Context,
	scope laurel.Scope,
	ids []laurel.ID,
	h HolderFilter,
) (map[laurel.ID][]BadgeUser, error) {
	out := map[laurel.ID][]BadgeUser{}
	chunkSize := maxIDsPerQuery
	if h.Users.isEmpty() {
		chunkSize = 16 // each badge is a part of the statement
	}
	for chunk := range slices.Chunk(ids, chunkSize) {
		var rows []BadgeUser
		query, args := s.selectHolders(scope, chunk, h)
		if err := s.db.Select(ctx, &rows, query, args...); err != nil {
			return nil, err
		}
		for _, r := range rows {
			out[r.BadgeID] = append(out[r.BadgeID], r)
		}
	}
	for _, list := range out {
		slices.SortFunc(list, func(a, b BadgeUser) int {
			return cmp.Or(b.CreatedAt.Compare(a.CreatedAt.Time), b.ID.Compare(a.ID))
		})
	}
	return out, nil
}

// selectHolders returns the statement that reads the rows of members and badges, for HoldersOf. If the filter has no
// users, the statement has a part for each badge, which reads the newest MaxHoldersShown rows by an index.
func (s *Service) selectHolders(scope laurel.Scope, ids []laurel.ID, h HolderFilter) (query string, args []any) {
	if !h.Users.isEmpty() {
		var w store.Where
		s.whereHolders(&w, scope, ids, h)
		return selectBadgeUser + w.String(), w.Args
	}
	parts := make([]string, len(ids))
	for i, id := range ids {
		parts[i] = "SELECT * FROM (" + selectBadgeUser + " WHERE u.loyalty_badge_id = ?" + h.where("u.") +
			" ORDER BY u.created_at DESC, u.id DESC LIMIT ?) q" + fmt.Sprint(i)
		args = append(args, id, MaxHoldersShown)
	}
	return strings.Join(parts, " UNION ALL "), args
}

// BadgeUserFilter limits a list of a badge's members.
type BadgeUserFilter struct {
	BadgeID  laurel.ID
	Statuses []string
	HolderFilter
}

// BadgeUsers returns one page of a badge's rows of members, newest first, or an empty page if the badge is deleted.
// Errors: Invalid for an unknown cursor.
func (s *Service) BadgeUsers(
	ctx context.Context,
	scope laurel.Scope,
	f BadgeUserFilter,
	page laurel.PageRequest,
) (laurel.Page[BadgeUser], error) {
	none := laurel.PageOf[BadgeUser](nil, page.Limit)
	named, err := s.ResolveHolderGroups(ctx, scope, f.HolderFilter)
	if err != nil {
		return none, err
	}
	var w store.Where
	s.whereHolders(&w, scope, []laurel.ID{f.BadgeID}, named)
	store.In(&w, "u.status", f.Statuses)
	w.Add("b.deleted_at IS NULL")
	if f.Client {
		w.Add("NOT b.hide_in_ui")
	}
	if err := s.whereAfter(ctx, scope, &w, "loyalty_badge_users u", page.StartingAfter); err != nil {
		return none, err
	}
	return store.SelectPage[BadgeUser](
		ctx,
		s.db,
		page.Limit,
		selectBadgeUser+w.String()+" ORDER BY u.created_at DESC, u.id DESC",
		w.Args...)
}

// BadgeUsersByID returns the rows of members and badges with these ids, in any order. Ids of rows outside the scope are
// left out.
func (s *Service) BadgeUsersByID(
	ctx context.Context, scope laurel.Scope, ids []laurel.ID,
) (out []BadgeUser, err error) {
	if w := s.whereIDs("u.", scope, ids); w != nil {
		err = s.db.Select(ctx, &out, selectBadgeUser+w.String(), w.Args...)
	}
	return out, err
}

// BadgeJob is a job that checks many members for a badge, or reads its lists (contract 3.21).
type BadgeJob struct {
	ID        laurel.ID        `db:"id"`
	BadgeID   laurel.ID        `db:"loyalty_badge_id"`
	Status    string           `db:"status"`
	Message   string           `db:"message"`
	Total     *int64           `db:"total"` // members to check; nil: not counted yet
	Judged    int64            `db:"judged"`
	CreatedAt laurel.Timestamp `db:"created_at"`
	UpdatedAt laurel.Timestamp `db:"updated_at"` // when it last moved
}

// IsOpen reports whether the job has not ended.
func (j BadgeJob) IsOpen() bool { return j.Status == "pending" || j.Status == "processing" }

// BadgeJobsOf returns the jobs of badges by the badge's id, newest first, without the hourly ones that check ranks.
func (s *Service) BadgeJobsOf(
	ctx context.Context,
	scope laurel.Scope,
	ids []laurel.ID,
) (map[laurel.ID][]BadgeJob, error) {
	rows, err := store.SelectByIDs[BadgeJob](ctx, s.db, "j.loyalty_badge_id", ids, func(w *store.Where) string {
		w.Add("j.kind <> 'level'")
		whereTenant(w, s.db.Engine().NoIndexPrefix()+"j.", scope)
		return "SELECT j.id, j.loyalty_badge_id, j.status, j.message, j.total, j.judged, j.created_at, j.updated_at FROM badge_jobs j" +
			w.String() + " ORDER BY j.created_at DESC, j.id DESC"
	})
	out := map[laurel.ID][]BadgeJob{}
	for _, j := range rows {
		out[j.BadgeID] = append(out[j.BadgeID], j)
	}
	return out, err
}

// RuleName is a rule that grants a badge, or that a badge's conditions name.
type RuleName struct {
	ID     laurel.ID `db:"id"`
	Name   string    `db:"name"`
	Record string    `db:"record"`
}

// BadgeRules returns, by badge, the live rules that grant the badge or that its conditions refer to. It leaves their
// Record empty. Client keys get only rules that they may see.
func (s *Service) BadgeRules(
	ctx context.Context,
	scope laurel.Scope,
	list []badges.Badge,
) (map[laurel.ID][]RuleName, error) {
	badgesOfRule := map[laurel.ID][]laurel.ID{}
	wanted := map[laurel.ID]bool{} // the ids of the badges
	for _, b := range list {
		wanted[b.ID] = true
		for _, id := range conditions.ReferencesOf(b.Conditions).Rules {
			badgesOfRule[id] = append(badgesOfRule[id], b.ID)
		}
	}
	if len(list) == 0 {
		return nil, nil
	}
	var grants store.Where
	grants.Add(`r.record LIKE '%"loyaltyBadgeId":"%'`)
	rules, err := s.selectRuleNames(ctx, scope, grants)
	if err != nil {
		return nil, err
	}
	for i, r := range rules {
		for _, id := range grantedBadges(r.Record) {
			if wanted[id] && !slices.Contains(badgesOfRule[r.ID], id) {
				badgesOfRule[r.ID] = append(badgesOfRule[r.ID], id)
			}
		}
		rules[i].Record = ""
	}
	var others []laurel.ID // rules that grant no badge, but that conditions refer to
	for id := range badgesOfRule {
		if !slices.ContainsFunc(rules, func(r RuleName) bool { return r.ID == id }) {
			others = append(others, id)
		}
	}
	slices.SortFunc(others, laurel.ID.Compare)
	for chunk := range slices.Chunk(others, maxIDsPerQuery) {
		var w store.Where
		store.In(&w, "r.id", chunk)
		found, err := s.selectRuleNames(ctx, scope, w)
		if err != nil {
			return nil, err
		}
		rules = append(rules, found...)
	}
	out := map[laurel.ID][]RuleName{}
	slices.SortFunc(rules, func(a, b RuleName) int { return a.ID.Compare(b.ID) })
	for _, r := range rules {
		for _, badge := range badgesOfRule[r.ID] {
			out[badge] = append(out[badge], RuleName{ID: r.ID, Name: r.Name})
		}
	}
	return out, nil
}

// selectRuleNames reads the live rules that meet the conditions of w. Client keys get only rules that they may see.
func (s *Service) selectRuleNames(ctx context.Context, scope laurel.Scope, w store.Where) ([]RuleName, error) {
	whereTenant(&w, "r.", scope)
	w.Add("r.deleted_at IS NULL")
	if scope.Role == laurel.RoleClient {
		w.Add(visibleToClients, store.Micros(s.db.Now()))
	}
	var rules []RuleName
	err := s.db.Select(ctx, &rules, "SELECT r.id, r.name, r.record FROM loyalty_rules r"+w.String(), w.Args...)
	return rules, err
}

// grantedBadges returns the badges that a rule grants, also by its tiers. record is the rule's stored JSON.
func grantedBadges(record string) (ids []laurel.ID) {
	const name = `"loyaltyBadgeId":"`
	for {
		_, rest, found := strings.Cut(record, name)
		if !found {
			return ids
		}
		text, _, _ := strings.Cut(rest, `"`)
		if id, err := laurel.ParseID(text); err == nil {
			ids = append(ids, id)
		}
		record = rest
	}
}
