package report

import (
	"context"
	"strings"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/store"
)

// Processing is an item of the processing view (contract 3.16): the state of a user's completion of a rule.
type Processing struct {
	ID             laurel.ID            `db:"id"`
	OrganizationID laurel.ID            `db:"organization_id"`
	WebsiteID      laurel.ID            `db:"website_id"`
	RuleID         laurel.ID            `db:"loyalty_rule_id"`
	UserID         laurel.ID            `db:"user_id"`
	Status         *string              `db:"status"` // nil: progress only
	Message        string               `db:"message"`
	Progress       *laurel.Amount       `db:"progress"`
	FulfilledAt    laurel.NullTimestamp `db:"completed_at"`
	CreatedAt      laurel.Timestamp     `db:"created_at"`
	UpdatedAt      laurel.Timestamp     `db:"updated_at"`
}

// finishedVisibleFor is how long a finished job stays visible (contract 4.2).
const finishedVisibleFor = 10 * time.Minute

// Callers see pending jobs x, and jobs that ended recently.
const (
	pendingJob = "x.status = 'pending'"
	recentJob  = "x.status IN ('completed', 'failed') AND x.updated_at > ?"
)

// ruleStateItems are the items of rule states. The newest visible job of the same rule and user replaces the status of
// the item, but not its position: the items of a page must not move while the caller reads the next one.
const ruleStateItems = `SELECT r.id, r.organization_id, r.website_id, r.loyalty_rule_id, r.user_id, r.subject_id,
	CASE WHEN j.id IS NOT NULL THEN j.status WHEN r.completed_at IS NOT NULL THEN 'completed' END AS status,
	CASE WHEN j.id IS NOT NULL THEN j.message WHEN r.completed_at IS NOT NULL THEN 'Completed' ELSE '' END AS message, r.progress,
	CASE WHEN j.id IS NULL OR j.status = 'completed' THEN r.completed_at END AS completed_at, r.created_at, COALESCE(j.updated_at, r.updated_at) AS updated_at
	FROM (SELECT r.id, r.organization_id, r.website_id, r.loyalty_rule_id, r.subject_id, ` + shownUser + ` AS user_id, r.progress, r.completed_at,
		r.created_at, r.updated_at FROM rule_subjects r) r
	LEFT JOIN rule_jobs j ON j.id = (SELECT x.id FROM rule_jobs x WHERE x.loyalty_rule_id = r.loyalty_rule_id AND x.user_id = r.user_id
		AND (` + pendingJob + ` OR ` + recentJob + `) ORDER BY x.created_at DESC, x.id DESC LIMIT 1)
	WHERE r.progress IS NOT NULL OR r.completed_at IS NOT NULL OR j.id IS NOT NULL`

// jobItems returns the query for the items of jobs in the processing view: the newest job of each rule and user that
// meets the condition (pendingJob or recentJob), unless an item of ruleStateItems shows that job. The plus keeps SQLite
// from walking all jobs in the order of the page: few of them are visible.
func jobItems(condition string) string {
	return `SELECT x.id, x.organization_id, x.website_id, x.loyalty_rule_id, x.user_id, COALESCE(m.user_group_id, x.user_id) AS subject_id, x.status, x.message,
	CAST(NULL AS BIGINT) AS progress, CAST(NULL AS BIGINT) AS completed_at, +x.created_at AS created_at, x.updated_at
	FROM rule_jobs x JOIN members m ON m.website_id = x.website_id AND m.user_id = x.user_id
	WHERE ` + condition + ` AND NOT EXISTS (SELECT 1 FROM rule_subjects r WHERE r.loyalty_rule_id = x.loyalty_rule_id
		AND r.subject_id = COALESCE(m.user_group_id, x.user_id) AND (r.id = x.id OR x.user_id = ` + shownUser + `))
	AND NOT EXISTS (SELECT 1 FROM rule_jobs l WHERE l.loyalty_rule_id = x.loyalty_rule_id AND l.user_id = x.user_id AND l.updated_at >= x.updated_at
		AND (l.created_at, l.id) > (x.created_at, x.id))`
}

// Processing returns one page of the processing view, newest first: the states of rules, and the jobs that no state
// shows, which are pending or ended within finishedVisibleFor. Errors: Invalid for an unknown cursor.
func (s *Service) Processing(
	ctx context.Context,
	scope laurel.Scope,
	f StatusFilter,
	page laurel.PageRequest,
) (laurel.Page[Processing], error) {
	none := laurel.PageOf[Processing](nil, page.Limit)
	w, err := s.statusesWhere(ctx, scope, f, page)
	if err != nil {
		return none, err
	}
	since := store.Micros(s.db.Now().Add(-finishedVisibleFor))
	var query strings.Builder
	var args []any
	for _, items := range []string{ruleStateItems, jobItems(pendingJob), jobItems(recentJob)} {
		query.WriteString(
			"SELECT * FROM (SELECT s.* FROM (" + items + ") s" + w.String() + newestFirst + " LIMIT ?) part UNION ALL ",
		)
		if strings.Contains(items, recentJob) {
			args = append(args, since)
		}
		args = append(append(args, w.Args...), page.Limit+1)
	}
	union := strings.TrimSuffix(query.String(), " UNION ALL ")
	found, err := store.SelectPage[processingRow](ctx, s.db, page.Limit, "SELECT * FROM ("+union+") s"+newestFirst, args...)
	return laurel.MapPage(found, func(r processingRow) Processing { return r.Processing }), err
}

type processingRow struct {
	Processing
	SubjectID laurel.ID `db:"subject_id"`
}
