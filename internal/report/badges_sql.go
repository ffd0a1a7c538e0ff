package report

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"laurel"
	"laurel/internal/budget"
	"laurel/internal/engagement/badges"
	"laurel/internal/engagement/conditions"
	"laurel/internal/store"
)

const selectBadge = `SELECT b.id, b.organization_id, b.website_id, b.name, b.description, b.image_url, b.hide_in_ui, b.conditions, b.rewards, b.csv_files,
	b.version, b.created_at, b.updated_at, b.deleted_at FROM loyalty_badges b`

// BadgeFilter narrows Badges.
type BadgeFilter struct {
	IDs         []laurel.ID
	WithDeleted bool
	Client      bool // what a publishable key may see: those that are not hidden
}

// Badges returns one page of badges, newest first.
func (s *Service) Badges(
	ctx context.Context,
	scope laurel.Scope,
	f BadgeFilter,
	page laurel.PageRequest,
) (laurel.Page[badges.Badge], error) {
	none := laurel.PageOf[badges.Badge](nil, page.Limit)
	var w store.Where
	if scope.WebsiteID.IsZero() {
		w.Add("b.organization_id = ?", scope.OrganizationID)
	} else {
		w.Tenant("b.", scope)
	}
	store.In(&w, "b.id", f.IDs)
	if !f.WithDeleted {
		w.Add("b.deleted_at IS NULL")
	}
	if f.Client {
		w.Add("NOT b.hide_in_ui")
	}
	if err := s.behind(ctx, scope, &w, "loyalty_badges b", page.StartingAfter); err != nil {
		return none, err
	}
	rows, err := store.SelectPage[badges.Row](
		ctx,
		s.db,
		page.Limit,
		selectBadge+w.String()+" ORDER BY b.created_at DESC, b.id DESC",
		w.Args...)
	if err != nil {
		return none, err
	}
	list, err := decodeBadges(rows.Data)
	return laurel.Page[badges.Badge]{Data: list, HasNextPage: rows.HasNextPage}, err
}

func decodeBadges(rows []badges.Row) ([]badges.Badge, error) {
	list := make([]badges.Badge, len(rows))
	for i, r := range rows {
		var err error
		if list[i], err = r.Badge(); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// BadgesOf returns the badges with these ids, deleted ones too, in any order; those of others are absent.
func (s *Service) BadgesOf(ctx context.Context, scope laurel.Scope, ids []laurel.ID) ([]badges.Badge, error) {
	w := s.named("b.", scope, ids)
	if w == nil {
		return nil, nil
	}
	var rows []badges.Row
	if err := s.db.Select(ctx, &rows, selectBadge+w.String(), w.Args...); err != nil {
		return nil, err
	}
	return decodeBadges(rows)
}

// BadgeUser is a badge of a member (contract 3.21).
type BadgeUser struct {
	ID              laurel.ID `db:"id"`
	OrganizationID  laurel.ID `db:"organization_id"`
	WebsiteID       laurel.ID `db:"website_id"`
	BadgeID         laurel.ID `db:"loyalty_badge_id"`
	UserID          laurel.ID `db:"user_id"`
	Wallet          *string   `db:"wallet_address"`
	Status          string    `db:"status"`
	HideInUI        bool      `db:"hide_in_ui"`
	DismissedInUI   bool      `db:"dismissed_in_ui"`
	Record          string    `db:"progress"`
	Share           int64     `db:"share"`
	CompletedMicros *int64    `db:"completed_at"`
	CreatedMicros   int64     `db:"created_at"`
	UpdatedMicros   int64     `db:"updated_at"`
	DeletedMicros   *int64    `db:"deleted_at"`
}

// Progress decodes how far the member was when that was last written.
func (u BadgeUser) Progress() ([]conditions.State, error) {
	states := []conditions.State{}
	if err := json.Unmarshal([]byte(u.Record), &states); err != nil {
		return nil, fmt.Errorf("progress of badge user %s: %w", u.ID, err)
	}
	return states, nil
}

func moment(micros *int64) time.Time {
	if micros == nil {
		return time.Time{}
	}
	return store.Time(*micros)
}

// CompletedAt is when it was granted last; zero: not yet.
func (u BadgeUser) CompletedAt() time.Time { return moment(u.CompletedMicros) }

// CreatedAt is when the member was first looked at.
func (u BadgeUser) CreatedAt() time.Time { return store.Time(u.CreatedMicros) }

// UpdatedAt is when its status or flags last changed.
func (u BadgeUser) UpdatedAt() time.Time { return store.Time(u.UpdatedMicros) }

// DeletedAt is zero while the row is there.
func (u BadgeUser) DeletedAt() time.Time { return moment(u.DeletedMicros) }

// selectBadgeUser reads badges of members. A deleted badge is revoked, also where that is still being written.
const selectBadgeUser = `SELECT u.id, u.organization_id, u.website_id, u.loyalty_badge_id, u.user_id, p.wallet_address,
	CASE WHEN u.status = 'active' AND b.deleted_at IS NOT NULL THEN 'revoked' ELSE u.status END AS status, u.hide_in_ui, u.dismissed_in_ui, u.progress,
	u.share, u.completed_at, u.created_at, u.updated_at, u.deleted_at
	FROM loyalty_badge_users u JOIN loyalty_badges b ON b.id = u.loyalty_badge_id JOIN users p ON p.id = u.user_id`

// HoldersShown is how many of its members a badge is told with.
const HoldersShown = 100

// Holders says which rows of badges are wanted: those of some users, or the newest HoldersShown of each badge.
type Holders struct {
	Users  UserFilter
	Client bool // what a publishable key may see: those that are not hidden
}

func (h Holders) where(prefix string) string {
	if h.Client {
		return " AND NOT " + prefix + "hide_in_ui"
	}
	return ""
}

// Named reports whether users are named.
func (h Holders) Named() bool { return !h.Users.empty() }

// HoldersNamed returns the filter with its groups looked up.
func (s *Service) HoldersNamed(ctx context.Context, scope laurel.Scope, h Holders) (Holders, error) {
	err := s.nameGroups(ctx, scope, &h.Users)
	return h, err
}

// rowBytes is about what a row of a member takes beside its progress.
const rowBytes = "500"

// HoldersFitting returns how many of the badges, from the first on, a page can tell with their members.
func (s *Service) HoldersFitting(ctx context.Context, scope laurel.Scope, ids []laurel.ID, h Holders) (int, error) {
	var sizes []budget.Weight
	for some := range slices.Chunk(ids, maxIn) {
		var w store.Where
		var query string
		if h.Users.empty() {
			query = `SELECT b.id, (SELECT COALESCE(SUM(OCTET_LENGTH(x.progress) + ` + rowBytes + `), 0) FROM (SELECT u.progress FROM loyalty_badge_users u
				WHERE u.loyalty_badge_id = b.id` + h.where("u.") + ` ORDER BY u.created_at DESC, u.id DESC LIMIT ` + fmt.Sprint(HoldersShown) + `) x) AS bytes
				FROM loyalty_badges b`
			store.In(&w, "b.id", some)
			query += w.String()
		} else {
			s.holders(&w, scope, some, h)
			query = "SELECT u.loyalty_badge_id AS id, SUM(OCTET_LENGTH(u.progress) + " + rowBytes + ") AS bytes FROM loyalty_badge_users u" +
				w.String() + " GROUP BY u.loyalty_badge_id"
		}
		var found []budget.Weight
		if err := s.db.Select(ctx, &found, query, w.Args...); err != nil {
			return 0, err
		}
		sizes = append(sizes, found...)
	}
	return budget.Fitting(ids, sizes), nil
}

// holders limits rows (u) to the named users of the badges.
func (s *Service) holders(w *store.Where, scope laurel.Scope, ids []laurel.ID, h Holders) {
	store.In(w, "u.loyalty_badge_id", ids)
	s.tenantOf(w, "u.", scope, h.Users)
	members(w, "u.user_id", "u.website_id", scope, h.Users)
	if h.Client {
		w.Add("NOT u.hide_in_ui")
	}
}

// HoldersOf returns rows of the badges by badge, newest first.
func (s *Service) HoldersOf(
	ctx context.Context,
	scope laurel.Scope,
	ids []laurel.ID,
	h Holders,
) (map[laurel.ID][]BadgeUser, error) {
	out := map[laurel.ID][]BadgeUser{}
	chunk := maxIn
	if h.Users.empty() {
		chunk = 16 // one part of the statement each
	}
	for some := range slices.Chunk(ids, chunk) {
		var rows []BadgeUser
		query, args := s.ofSome(scope, some, h)
		if err := s.db.Select(ctx, &rows, query, args...); err != nil {
			return nil, err
		}
		for _, r := range rows {
			out[r.BadgeID] = append(out[r.BadgeID], r)
		}
	}
	for _, list := range out {
		slices.SortFunc(list, func(a, b BadgeUser) int {
			if a.CreatedMicros != b.CreatedMicros {
				return int(b.CreatedMicros - a.CreatedMicros)
			}
			return b.ID.Compare(a.ID)
		})
	}
	return out, nil
}

// ofSome returns the statement for rows of some badges: of each the newest, found by its own index, where no users are
// named.
func (s *Service) ofSome(scope laurel.Scope, ids []laurel.ID, h Holders) (query string, args []any) {
	if !h.Users.empty() {
		var w store.Where
		s.holders(&w, scope, ids, h)
		return selectBadgeUser + w.String(), w.Args
	}
	parts := make([]string, len(ids))
	for i, id := range ids {
		parts[i] = "SELECT * FROM (" + selectBadgeUser + " WHERE u.loyalty_badge_id = ?" + h.where("u.") +
			" ORDER BY u.created_at DESC, u.id DESC LIMIT ?) q" + fmt.Sprint(i)
		args = append(args, id, HoldersShown)
	}
	return strings.Join(parts, " UNION ALL "), args
}

// BadgeUserFilter narrows BadgeUsers.
type BadgeUserFilter struct {
	BadgeID  laurel.ID
	Statuses []string
	Holders
}

// BadgeUsers returns one page of the members of a badge, newest first. A deleted badge has none any more.
func (s *Service) BadgeUsers(
	ctx context.Context,
	scope laurel.Scope,
	f BadgeUserFilter,
	page laurel.PageRequest,
) (laurel.Page[BadgeUser], error) {
	none := laurel.PageOf[BadgeUser](nil, page.Limit)
	named, err := s.HoldersNamed(ctx, scope, f.Holders)
	if err != nil {
		return none, err
	}
	var w store.Where
	s.holders(&w, scope, []laurel.ID{f.BadgeID}, named)
	store.In(&w, "u.status", f.Statuses)
	w.Add("b.deleted_at IS NULL")
	if f.Client {
		w.Add("NOT b.hide_in_ui")
	}
	if err := s.behind(ctx, scope, &w, "loyalty_badge_users u", page.StartingAfter); err != nil {
		return none, err
	}
	return store.SelectPage[BadgeUser](
		ctx,
		s.db,
		page.Limit,
		selectBadgeUser+w.String()+" ORDER BY u.created_at DESC, u.id DESC",
		w.Args...)
}

// BadgeUsersOf returns the rows with these ids, in any order; those of others are absent.
func (s *Service) BadgeUsersOf(ctx context.Context, scope laurel.Scope, ids []laurel.ID) (out []BadgeUser, err error) {
	if w := s.named("u.", scope, ids); w != nil {
		err = s.db.Select(ctx, &out, selectBadgeUser+w.String(), w.Args...)
	}
	return out, err
}

// BadgeJob is one judgement of many members, or one reading of lists, for a badge (contract 3.21).
type BadgeJob struct {
	ID            laurel.ID `db:"id"`
	BadgeID       laurel.ID `db:"loyalty_badge_id"`
	Status        string    `db:"status"`
	Message       string    `db:"message"`
	Total         *int64    `db:"total"` // of those to judge; nil: not counted yet
	Judged        int64     `db:"judged"`
	CreatedMicros int64     `db:"created_at"`
	UpdatedMicros int64     `db:"updated_at"`
}

// Open reports whether it is not over.
func (j BadgeJob) Open() bool { return j.Status == "pending" || j.Status == "processing" }

// CreatedAt is when it was made.
func (j BadgeJob) CreatedAt() time.Time { return store.Time(j.CreatedMicros) }

// UpdatedAt is when it last moved.
func (j BadgeJob) UpdatedAt() time.Time { return store.Time(j.UpdatedMicros) }

// BadgeJobsOf returns the jobs of badges by badge, newest first.
func (s *Service) BadgeJobsOf(
	ctx context.Context,
	scope laurel.Scope,
	ids []laurel.ID,
) (map[laurel.ID][]BadgeJob, error) {
	out := map[laurel.ID][]BadgeJob{}
	for some := range slices.Chunk(ids, maxIn) {
		var w store.Where
		store.In(&w, "j.loyalty_badge_id", some)
		w.Add("j.kind <> 'level'") // it comes again every hour
		tenant(&w, s.db.Engine().NoIndex()+"j.", scope)
		var rows []BadgeJob
		if err := s.db.Select(
			ctx,
			&rows,
			"SELECT j.id, j.loyalty_badge_id, j.status, j.message, j.total, j.judged, j.created_at, j.updated_at FROM badge_jobs j"+w.String()+
				" ORDER BY j.created_at DESC, j.id DESC",
			w.Args...); err != nil {
			return nil, err
		}
		for _, j := range rows {
			out[j.BadgeID] = append(out[j.BadgeID], j)
		}
	}
	return out, nil
}

// NamedRule is a rule that has to do with a badge.
type NamedRule struct {
	ID     laurel.ID `db:"id"`
	Name   string    `db:"name"`
	Record string    `db:"record"`
}

// BadgeRules returns the live rules of websites that grant badges, or that conditions of the badges name, by badge.
// Publishable keys are told of those that they see.
func (s *Service) BadgeRules(
	ctx context.Context,
	scope laurel.Scope,
	list []badges.Badge,
) (map[laurel.ID][]NamedRule, error) {
	by := map[laurel.ID][]laurel.ID{} // rule: badges
	wanted := map[laurel.ID]bool{}
	for _, b := range list {
		wanted[b.ID] = true
		for _, id := range conditions.ReferencesOf(b.Conditions).Rules {
			by[id] = append(by[id], b.ID)
		}
	}
	if len(list) == 0 {
		return nil, nil
	}
	var all []NamedRule
	note := func(w store.Where) error {
		tenant(&w, "r.", scope)
		w.Add("r.deleted_at IS NULL")
		if scope.Role == laurel.RoleClient {
			w.Add(shownToClients, store.Micros(s.db.Now()))
		}
		var rows []NamedRule
		err := s.db.Select(ctx, &rows, "SELECT r.id, r.name, r.record FROM loyalty_rules r"+w.String(), w.Args...)
		all = append(all, rows...)
		return err
	}
	var grants store.Where
	grants.Add(`r.record LIKE '%"loyaltyBadgeId":"%'`)
	if err := note(grants); err != nil {
		return nil, err
	}
	for i, r := range all {
		for _, id := range grantedBy(r.Record) {
			if wanted[id] && !slices.Contains(by[r.ID], id) {
				by[r.ID] = append(by[r.ID], id)
			}
		}
		all[i].Record = ""
	}
	var rules []laurel.ID
	for id := range by {
		if !slices.ContainsFunc(all, func(r NamedRule) bool { return r.ID == id }) {
			rules = append(rules, id)
		}
	}
	slices.SortFunc(rules, laurel.ID.Compare)
	for some := range slices.Chunk(rules, maxIn) {
		var w store.Where
		store.In(&w, "r.id", some)
		if err := note(w); err != nil {
			return nil, err
		}
	}
	out := map[laurel.ID][]NamedRule{}
	slices.SortFunc(all, func(a, b NamedRule) int { return a.ID.Compare(b.ID) })
	for _, r := range all {
		for _, badge := range by[r.ID] {
			out[badge] = append(out[badge], NamedRule{ID: r.ID, Name: r.Name})
		}
	}
	return out, nil
}

// grantedBy returns the badges that the record of a rule names, in its tiers too.
func grantedBy(record string) (ids []laurel.ID) {
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
