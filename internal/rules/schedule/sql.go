package schedule

import (
	"context"
	"slices"
	"strings"
	"time"

	"laurel"
	"laurel/internal/store"
	"laurel/internal/worker"
)

// planRow says when a rule runs.
type planRow struct {
	RuleID         laurel.ID `db:"loyalty_rule_id"`
	OrganizationID laurel.ID `db:"organization_id"`
	WebsiteID      laurel.ID `db:"website_id"`
	Frequency      string    `db:"frequency"`
	StartAt        int64     `db:"start_at"`
	EndAt          *int64    `db:"end_at"`
	LastAt         *int64    `db:"last_at"`
	NextAt         *int64    `db:"next_at"`
	CountsFrom     *int64    `db:"counts_from"` // before it nothing is shared
}

const selectPlans = "SELECT loyalty_rule_id, organization_id, website_id, frequency, start_at, end_at, last_at, next_at, counts_from FROM rule_cadences"

// selectPlan locks the plan of a rule.
func selectPlan(ctx context.Context, tx *store.Tx, rule laurel.ID) (p planRow, known bool, err error) {
	err = tx.Get(ctx, &p, selectPlans+" WHERE loyalty_rule_id = ?"+tx.ForUpdate(), rule)
	if store.NoRows(err) {
		return planRow{}, false, nil
	}
	return p, err == nil, err
}

// planWaits reports whether the next run of some rule is due.
func planWaits(ctx context.Context, q store.Queryer, now time.Time) (bool, error) {
	var ids []laurel.ID
	err := q.Select(ctx, &ids, "SELECT loyalty_rule_id FROM rule_cadences WHERE next_at <= ? LIMIT 1", store.Micros(now))
	return len(ids) > 0, err
}

// takePlans locks plans whose next run is due; those that somebody else holds are left to them.
func takePlans(ctx context.Context, tx *store.Tx) ([]planRow, error) {
	var due []planRow
	err := tx.Select(
		ctx,
		&due,
		selectPlans+" WHERE next_at <= ? ORDER BY next_at, loyalty_rule_id LIMIT ?"+tx.ForUpdateSkip(),
		store.Micros(tx.Now()),
		planBatch,
	)
	return due, err
}

// insertPause notes that a rule has no frequency from a moment on. One that began at the same moment goes on.
func insertPause(ctx context.Context, tx *store.Tx, p planRow, at int64) error {
	_, err := tx.Exec(
		ctx,
		`INSERT INTO rule_pauses (loyalty_rule_id, organization_id, website_id, paused_at) VALUES (?, ?, ?, ?)
		ON CONFLICT (loyalty_rule_id, paused_at) DO UPDATE SET resumed_at = NULL`,
		p.RuleID,
		p.OrganizationID,
		p.WebsiteID,
		at,
	)
	return err
}

// endPause ends the pause that lasts, if there is one. The plan is held.
func endPause(ctx context.Context, tx *store.Tx, rule laurel.ID, at int64) (ended bool, err error) {
	n, err := tx.Exec(
		ctx,
		"UPDATE rule_pauses SET resumed_at = ? WHERE loyalty_rule_id = ? AND resumed_at IS NULL",
		at,
		rule,
	)
	return n > 0, err
}

// pauseRow is a pause that is over.
type pauseRow struct {
	PausedAt  int64 `db:"paused_at"`
	ResumedAt int64 `db:"resumed_at"`
}

// pausesWithin returns the pauses in the time that a run covers. One that lasts began after it.
func pausesWithin(ctx context.Context, q store.Queryer, r *runRow) ([]pauseRow, error) {
	var pauses []pauseRow
	err := q.Select(
		ctx,
		&pauses,
		"SELECT paused_at, resumed_at FROM rule_pauses WHERE loyalty_rule_id = ? AND resumed_at > ? AND paused_at < ? ORDER BY paused_at",
		r.RuleID,
		r.Since,
		r.ScheduledAt,
	)
	return pauses, err
}

func savePlan(ctx context.Context, tx *store.Tx, p planRow) error {
	_, err := tx.Exec(
		ctx,
		`INSERT INTO rule_cadences (loyalty_rule_id, organization_id, website_id, frequency, start_at, end_at, last_at, next_at, counts_from)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (loyalty_rule_id) DO UPDATE SET frequency = excluded.frequency, start_at = excluded.start_at,
		end_at = excluded.end_at, last_at = excluded.last_at, next_at = excluded.next_at,
		counts_from = excluded.counts_from`,
		p.RuleID,
		p.OrganizationID,
		p.WebsiteID,
		p.Frequency,
		p.StartAt,
		orNull(p.EndAt),
		orNull(p.LastAt),
		orNull(p.NextAt),
		orNull(p.CountsFrom),
	)
	return err
}

// orNull returns the value, or a plain nil that every driver takes as NULL.
func orNull(p *int64) any {
	if p == nil {
		return nil
	}
	return *p
}

// runRow is a run as it is stored.
type runRow struct {
	ID             laurel.ID `db:"id"`
	OrganizationID laurel.ID `db:"organization_id"`
	WebsiteID      laurel.ID `db:"website_id"`
	RuleID         laurel.ID `db:"loyalty_rule_id"`
	ScheduledAt    int64     `db:"scheduled_at"`
	Since          int64     `db:"since"`
	Status         string    `db:"status"`
	Message        string    `db:"message"`
	Position       string    `db:"position"`
	Evaluated      int64     `db:"evaluated"`
	Rewarded       int64     `db:"rewarded"`
	Refused        int64     `db:"refused"`
	Failed         int64     `db:"failed"`
	DueAt          int64     `db:"due_at"`
	Attempts       int64     `db:"attempts"` // that met a fault since the run last moved
	// of those, in which a provider answered about others than the next member
	Silences     int64     `db:"silences"`
	LeftOut      int64     `db:"left_out"` // members that the run went on without
	Asks         bool      `db:"asks"`
	Unheard      int64     `db:"unheard"`       // faults in which there was no answer about the only member
	UnheardSince *int64    `db:"unheard_since"` // in the runs before, too
	StartedAt    *int64    `db:"started_at"`
	FinishedAt   *int64    `db:"finished_at"`
	CreatedAt    int64     `db:"created_at"`
	UpdatedAt    int64     `db:"updated_at"`
	until        time.Time // when its turn is over
	held         *worker.Item[runRow]
}

func (r *runRow) scope() laurel.Scope {
	return laurel.Scope{OrganizationID: r.OrganizationID, WebsiteID: r.WebsiteID, Role: laurel.RoleWebsite}
}

func (r *runRow) at() time.Time { return store.Time(r.ScheduledAt) }

const runColumns = `r.id, r.organization_id, r.website_id, r.loyalty_rule_id, r.scheduled_at, r.since, r.status, r.message, r.position, r.evaluated, r.rewarded,
	r.refused, r.failed, r.due_at, r.attempts, r.silences, r.left_out, r.asks, r.unheard, r.unheard_since, r.started_at, r.finished_at, r.created_at, r.updated_at`

const selectRuns = "SELECT " + runColumns + " FROM rule_runs r"

var insertRun = store.Insert{
	Table:    "rule_runs",
	Conflict: store.IgnoreConflicts,
	Columns: store.Columns(`id uuid, organization_id uuid, website_id uuid,
	loyalty_rule_id uuid, scheduled_at bigint, since bigint, status text, message text, position text, evaluated bigint, rewarded bigint, refused bigint,
	failed bigint, due_at bigint, attempts bigint, created_at bigint, updated_at bigint`),
}

// insertRuns makes runs; one that is there for the rule and time stays as it is.
func insertRuns(ctx context.Context, tx *store.Tx, runs []runRow) error {
	rows := make([][]any, len(runs))
	for i, r := range runs {
		rows[i] = []any{
			r.ID,
			r.OrganizationID,
			r.WebsiteID,
			r.RuleID,
			r.ScheduledAt,
			r.Since,
			r.Status,
			"",
			"",
			0,
			0,
			0,
			0,
			r.DueAt,
			0,
			r.CreatedAt,
			r.UpdatedAt,
		}
	}
	_, err := tx.InsertRows(ctx, insertRun, rows)
	return err
}

// inDatabase and asking are how the queues take runs: those whose facts are in the database, and of each website those
// that ask a provider. Of a rule's runs the earliest comes first, and the others wait for it. Attempts count faults, so
// a lease has a name.
var (
	inDatabase = worker.Leased{
		Table: "rule_runs", Key: "id", Due: "due_at", Columns: columnsOfRuns, Open: "finished_at IS NULL",
		Filter: "NOT asks", OwnerColumn: "loyalty_rule_id", LeaseID: "owner", Series: ofRule,
	}
	asking = worker.Leased{
		Table: "rule_runs", Key: "id", Due: "due_at", Columns: columnsOfRuns, Open: "finished_at IS NULL",
		Filter: "asks", OwnerColumn: "website_id", LeaseID: "owner", Series: ofRule,
	}
	columnsOfRuns = strings.ReplaceAll(runColumns, "r.", "")
	ofRule        = worker.Series{Column: "loyalty_rule_id", Order: "scheduled_at"}
)

// begin notes that a run is under way, and at the first time what it covers.
func begin(ctx context.Context, tx *store.Tx, h *worker.Item[runRow]) (err error) {
	r, now := &h.Row, store.Micros(tx.Now())
	r.Status, r.UpdatedAt = Processing, now
	if r.StartedAt == nil {
		r.StartedAt = &now
		if r.Since, err = sinceOf(ctx, tx, *r); err != nil {
			return err
		}
		if r.UnheardSince, err = unheardBefore(ctx, tx, *r); err != nil {
			return err
		}
	}
	_, err = tx.Exec(
		ctx,
		"UPDATE rule_runs SET status = ?, since = ?, unheard_since = ?, started_at = ?, updated_at = ? WHERE id = ?",
		r.Status,
		r.Since,
		orNull(r.UnheardSince),
		*r.StartedAt,
		now,
		r.ID,
	)
	return err
}

// unheardBefore returns since when there was no answer about the only member when the run before ended; nil: there was
// one.
func unheardBefore(ctx context.Context, q store.Queryer, r runRow) (since *int64, err error) {
	err = q.Get(
		ctx,
		&since,
		"SELECT unheard_since FROM rule_runs WHERE loyalty_rule_id = ? AND scheduled_at < ? ORDER BY scheduled_at DESC LIMIT 1",
		r.RuleID,
		r.ScheduledAt,
	)
	if store.NoRows(err) {
		err = nil
	}
	return since, err
}

// laterWaits reports whether a later run of the rule waits for the run to end.
func laterWaits(ctx context.Context, q store.Queryer, r *runRow) (bool, error) {
	var ids []laurel.ID
	err := q.Select(
		ctx,
		&ids,
		"SELECT id FROM rule_runs WHERE loyalty_rule_id = ? AND scheduled_at > ? AND finished_at IS NULL LIMIT 1",
		r.RuleID,
		r.ScheduledAt,
	)
	return len(ids) > 0, err
}

// sinceOf returns since when the time counts that a run covers: from the last run before it that was completed. All
// earlier ones are over.
func sinceOf(ctx context.Context, q store.Queryer, r runRow) (int64, error) {
	var plan planRow
	if err := q.Get(ctx, &plan, selectPlans+" WHERE loyalty_rule_id = ?", r.RuleID); err != nil {
		return 0, err
	}
	last, known, err := completeBefore(ctx, q, &r)
	if !known {
		last = plan.StartAt
	}
	return plan.since(last, r.ScheduledAt), err
}

// completeBefore returns when the last run before a run was that has looked at everybody, if there is one.
func completeBefore(ctx context.Context, q store.Queryer, r *runRow) (at int64, known bool, err error) {
	err = q.Get(
		ctx,
		&at,
		"SELECT scheduled_at FROM rule_runs WHERE loyalty_rule_id = ? AND scheduled_at < ? AND status = 'complete' AND left_out = 0 ORDER BY scheduled_at DESC LIMIT 1",
		r.RuleID,
		r.ScheduledAt,
	)
	if store.NoRows(err) {
		return 0, false, nil
	}
	return at, err == nil, err
}

// brokenOff returns the times of the runs within the time that a run covers which ended before they had come to
// everybody.
func brokenOff(ctx context.Context, q store.Queryer, r *runRow) ([]int64, error) {
	var at []int64
	err := q.Select(
		ctx,
		&at,
		"SELECT scheduled_at FROM rule_runs WHERE loyalty_rule_id = ? AND scheduled_at > ? AND scheduled_at < ? AND position <> '' ORDER BY scheduled_at",
		r.RuleID,
		r.Since,
		r.ScheduledAt,
	)
	return at, err
}

// save writes how far a run has come. The queue calls it in the transaction that has checked the lease.
func save(ctx context.Context, tx *store.Tx, r *runRow) error {
	_, err := tx.Exec(
		ctx,
		`UPDATE rule_runs SET status = ?, message = ?, position = ?, evaluated = ?, rewarded = ?, refused = ?, failed = ?,
		attempts = ?, silences = ?, left_out = ?, asks = ?, unheard = ?, unheard_since = ?, finished_at = ?, updated_at = ? WHERE id = ?`,
		r.Status,
		r.Message,
		r.Position,
		r.Evaluated,
		r.Rewarded,
		r.Refused,
		r.Failed,
		r.Attempts,
		r.Silences,
		r.LeftOut,
		r.Asks,
		r.Unheard,
		orNull(r.UnheardSince),
		orNull(r.FinishedAt),
		store.Micros(tx.Now()),
		r.ID,
	)
	return err
}

func listRuns(
	ctx context.Context,
	q store.Queryer,
	scope laurel.Scope,
	f Filter,
	page laurel.PageRequest,
) (laurel.Page[runRow], error) {
	var none laurel.Page[runRow]
	var w store.Where
	w.Tenant("r.", scope)
	if !f.RuleID.IsZero() {
		w.Add("r.loyalty_rule_id = ?", f.RuleID)
	}
	if !page.StartingAfter.IsZero() {
		var after int64
		err := q.Get(
			ctx,
			&after,
			"SELECT r.scheduled_at FROM rule_runs r"+w.String()+" AND r.id = ?",
			append(slices.Clone(w.Args), page.StartingAfter)...,
		)
		if store.NoRows(err) {
			return none, laurel.ErrCursor()
		}
		if err != nil {
			return none, err
		}
		w.After("r.scheduled_at", "r.id", true, after, page.StartingAfter)
	}
	store.In(&w, "r.status", f.Statuses)
	return store.SelectPage[runRow](
		ctx,
		q,
		page.Limit,
		selectRuns+w.String()+" ORDER BY r.scheduled_at DESC, r.id DESC",
		w.Args...)
}
