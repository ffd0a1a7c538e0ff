package report

import (
	"context"
	"time"

	"laurel"
	"laurel/internal/store"
)

// Status is an item of the rule statuses list (contract 3.16).
type Status struct {
	ID             laurel.ID     `db:"id"`
	OrganizationID laurel.ID     `db:"organization_id"`
	WebsiteID      laurel.ID     `db:"website_id"`
	RuleID         laurel.ID     `db:"loyalty_rule_id"`
	UserID         laurel.ID     `db:"user_id"`
	Progress       laurel.Amount `db:"progress"`
	CreatedMicros  int64         `db:"created_at"`
	UpdatedMicros  int64         `db:"updated_at"`
}

// CreatedAt is when the rule first remembered the user.
func (s Status) CreatedAt() time.Time { return store.Time(s.CreatedMicros) }

// UpdatedAt is when it last changed.
func (s Status) UpdatedAt() time.Time { return store.Time(s.UpdatedMicros) }

// StatusFilter narrows Statuses and Processing.
type StatusFilter struct {
	Users   UserFilter
	RuleIDs []laurel.ID
}

const selectStatus = `SELECT s.id, s.organization_id, s.website_id, s.loyalty_rule_id, s.user_id, s.progress, s.created_at, s.updated_at FROM rule_subjects s`

// Statuses answers one page of progress, newest first. Users of a group share one status.
func (s *Service) Statuses(ctx context.Context, scope laurel.Scope, f StatusFilter, page laurel.PageRequest) (laurel.Page[Status], error) {
	none := laurel.PageOf[Status](nil, page.Limit)
	var w store.Where
	tenant(&w, "s.", scope)
	w.Add("s.progress IS NOT NULL AND s.user_id IS NOT NULL")
	store.In(&w, "s.loyalty_rule_id", f.RuleIDs)
	subjects(&w, scope, f.Users)
	if !page.StartingAfter.IsZero() {
		var at store.Where
		at.Add("s.id = ?", page.StartingAfter)
		tenant(&at, "s.", scope)
		var after struct {
			CreatedAt int64 `db:"created_at"`
		}
		err := s.db.Get(ctx, &after, "SELECT s.created_at FROM rule_subjects s"+at.String(), at.Args...)
		if store.NoRows(err) {
			return none, laurel.ErrCursor()
		}
		if err != nil {
			return none, err
		}
		w.After("s.created_at", "s.id", true, after.CreatedAt, page.StartingAfter)
	}
	var rows []Status
	err := s.db.Select(ctx, &rows, selectStatus+w.String()+" ORDER BY s.created_at DESC, s.id DESC LIMIT ?", append(w.Args, page.Limit+1)...)
	return laurel.PageOf(rows, page.Limit), err
}

// subjects limits rows of rule_subjects (s) to the named users and their groups.
func subjects(w *store.Where, scope laurel.Scope, f UserFilter) {
	if f.empty() {
		return
	}
	var m store.Where
	tenant(&m, "x.", scope)
	members(&m, "x.user_id", "x.website_id", scope, f)
	w.Add("s.subject_id IN (SELECT COALESCE(x.user_group_id, x.user_id) FROM members x"+m.String()+")", m.Args...)
}

// Processing is an item of the processing view (contract 3.16): what became of a user's completion of a rule.
type Processing struct {
	ID             laurel.ID      `db:"id"`
	OrganizationID laurel.ID      `db:"organization_id"`
	WebsiteID      laurel.ID      `db:"website_id"`
	RuleID         laurel.ID      `db:"loyalty_rule_id"`
	UserID         laurel.ID      `db:"user_id"`
	Status         *string        `db:"status"` // nil: progress only
	Message        string         `db:"message"`
	Progress       *laurel.Amount `db:"progress"`
	FulfilledAt    *int64         `db:"completed_at"`
	CreatedMicros  int64          `db:"created_at"`
	UpdatedMicros  int64          `db:"updated_at"`
}

// finishedFor is how long a finished job stays visible (contract 4.2).
const finishedFor = 10 * time.Minute

// processing joins what jobs say and what rules remember: a job hides the memory of its rule and user while it is visible.
const processing = `SELECT * FROM (
	SELECT j.id, j.organization_id, j.website_id, j.loyalty_rule_id, j.user_id, COALESCE(m.user_group_id, j.user_id) AS subject_id, j.status, j.message,
		r.progress, CASE WHEN j.status = 'completed' THEN r.completed_at END AS completed_at, j.created_at, j.updated_at
	FROM rule_jobs j JOIN members m ON m.website_id = j.website_id AND m.user_id = j.user_id
	LEFT JOIN rule_subjects r ON r.loyalty_rule_id = j.loyalty_rule_id AND r.subject_id = COALESCE(m.user_group_id, j.user_id)
	WHERE j.status = 'pending' OR j.updated_at > ?
	UNION ALL
	SELECT r.id, r.organization_id, r.website_id, r.loyalty_rule_id, r.user_id, r.subject_id, CASE WHEN r.completed_at IS NOT NULL THEN 'completed' END AS status,
		CASE WHEN r.completed_at IS NOT NULL THEN 'Completed' ELSE '' END AS message, r.progress, r.completed_at, r.created_at, r.updated_at
	FROM rule_subjects r WHERE r.user_id IS NOT NULL AND (r.progress IS NOT NULL OR r.completed_at IS NOT NULL)
		AND NOT EXISTS (SELECT 1 FROM rule_jobs j WHERE j.loyalty_rule_id = r.loyalty_rule_id AND j.user_id = r.user_id AND (j.status = 'pending' OR j.updated_at > ?))
) s`

// ProcessingOf answers one page of the processing view, newest first.
func (s *Service) ProcessingOf(ctx context.Context, scope laurel.Scope, f StatusFilter, page laurel.PageRequest) (laurel.Page[Processing], error) {
	none := laurel.PageOf[Processing](nil, page.Limit)
	visible := store.Micros(s.db.Now().Add(-finishedFor))
	w := store.Where{Args: []any{visible, visible}}
	tenant(&w, "s.", scope)
	store.In(&w, "s.loyalty_rule_id", f.RuleIDs)
	subjects(&w, scope, f.Users)
	if !page.StartingAfter.IsZero() {
		at := store.Where{Args: []any{visible, visible}}
		at.Add("s.id = ?", page.StartingAfter)
		tenant(&at, "s.", scope)
		var after processingRow
		err := s.db.Get(ctx, &after, processing+at.String(), at.Args...)
		if store.NoRows(err) {
			return none, laurel.ErrCursor()
		}
		if err != nil {
			return none, err
		}
		w.After("s.created_at", "s.id", true, after.CreatedMicros, after.ID)
	}
	var rows []processingRow
	err := s.db.Select(ctx, &rows, processing+w.String()+" ORDER BY s.created_at DESC, s.id DESC LIMIT ?", append(w.Args, page.Limit+1)...)
	return laurel.MapPage(laurel.PageOf(rows, page.Limit), func(r processingRow) Processing { return r.Processing }), err
}

type processingRow struct {
	Processing
	SubjectID laurel.ID `db:"subject_id"`
}
