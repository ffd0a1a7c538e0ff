package report

import (
	"context"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/store"
)

// Status is an item of the rule statuses list (contract 3.16).
type Status struct {
	ID             laurel.ID        `db:"id"`
	OrganizationID laurel.ID        `db:"organization_id"`
	WebsiteID      laurel.ID        `db:"website_id"`
	RuleID         laurel.ID        `db:"loyalty_rule_id"`
	UserID         laurel.ID        `db:"user_id"`
	Progress       laurel.Amount    `db:"progress"`
	CreatedAt      laurel.Timestamp `db:"created_at"` // when the rule state was created
	UpdatedAt      laurel.Timestamp `db:"updated_at"`
}

// StatusFilter limits the lists Statuses and Processing.
type StatusFilter struct {
	Users   UserFilter
	RuleIDs []laurel.ID
}

// shownUser is the user that a rule state r is shown for: the user who acted last, or, once that user has left the
// group, the member that joined first. NULL if the row belongs to a user who is in a group now, or to a group without
// members.
const shownUser = `COALESCE((SELECT m.user_id FROM members m WHERE m.website_id = r.website_id AND m.user_id = r.subject_id AND m.user_group_id IS NULL),
	(SELECT m.user_id FROM members m WHERE m.user_group_id = r.subject_id
		ORDER BY CASE WHEN m.user_id = r.user_id THEN 0 ELSE 1 END, m.joined_group_at, m.user_id LIMIT 1))`

const selectStatus = `SELECT s.id, s.organization_id, s.website_id, s.loyalty_rule_id, s.user_id, s.progress, s.created_at, s.updated_at FROM (
	SELECT r.id, r.organization_id, r.website_id, r.loyalty_rule_id, r.subject_id, ` + shownUser + ` AS user_id, r.progress, r.created_at, r.updated_at
	FROM rule_subjects r WHERE r.progress IS NOT NULL) s`

const newestFirst = " ORDER BY s.created_at DESC, s.id DESC"

// Statuses returns one page of members' progress toward rules, newest first. The users of a group share one status.
// Errors: Invalid for an unknown cursor.
func (s *Service) Statuses(
	ctx context.Context,
	scope laurel.Scope,
	f StatusFilter,
	page laurel.PageRequest,
) (laurel.Page[Status], error) {
	none := laurel.PageOf[Status](nil, page.Limit)
	w, err := s.statusesWhere(ctx, scope, f, page)
	if err != nil {
		return none, err
	}
	return store.SelectPage[Status](ctx, s.db, page.Limit, selectStatus+w.String()+newestFirst, w.Args...)
}

// statusesWhere returns the conditions on rows (alias s) that Statuses and Processing share, including the cursor. The
// cursor may be an item of either list, because an item never changes its position. Errors: Invalid for an unknown
// cursor.
func (s *Service) statusesWhere(
	ctx context.Context,
	scope laurel.Scope,
	f StatusFilter,
	page laurel.PageRequest,
) (store.Where, error) {
	var w store.Where
	if err := s.resolveGroups(ctx, scope, &f.Users); err != nil {
		return w, err
	}
	s.whereTenantOf(&w, "s.", scope, f.Users)
	w.Add("s.user_id IS NOT NULL")
	store.In(&w, "s.loyalty_rule_id", f.RuleIDs)
	whereSubjects(&w, scope, f.Users)
	if page.StartingAfter.IsZero() {
		return w, nil
	}
	var at store.Where
	at.Add("s.id = ?", page.StartingAfter)
	whereTenant(&at, "s.", scope)
	var created int64
	err := s.db.Get(
		ctx,
		&created,
		"SELECT s.created_at FROM rule_subjects s"+at.String()+" UNION SELECT s.created_at FROM rule_jobs s"+at.String()+" LIMIT 1",
		append(at.Args, at.Args...)...)
	if store.IsNoRows(err) {
		return w, laurel.ErrCursor()
	}
	w.After("s.created_at", "s.id", true, created, page.StartingAfter)
	return w, err
}

// whereSubjects adds the condition that rows (alias s) belong to the users of the filter, or to their groups. It adds
// nothing for an empty filter.
func whereSubjects(w *store.Where, scope laurel.Scope, f UserFilter) {
	if f.isEmpty() {
		return
	}
	var m store.Where
	whereTenant(&m, "x.", scope)
	whereUsers(&m, "x.user_id", "x.website_id", scope, f)
	w.Add("s.subject_id IN (SELECT COALESCE(x.user_group_id, x.user_id) FROM members x"+m.String()+")", m.Args...)
}
