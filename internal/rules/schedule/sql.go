package schedule

import (
	"context"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/store"
	"laurel.example/laurel/internal/worker"
)

// planRow is the plan of a rule: when it ran and runs next.
type planRow struct {
	RuleID         laurel.ID `db:"loyalty_rule_id"`
	OrganizationID laurel.ID `db:"organization_id"`
	WebsiteID      laurel.ID `db:"website_id"`
	Frequency      string    `db:"frequency"`
	StartAt        int64     `db:"start_at"`
	EndAt          *int64    `db:"end_at"`
	LastAt         *int64    `db:"last_at"`
	NextAt         *int64    `db:"next_at"`
	CountsFrom     *int64    `db:"counts_from"` // earnings before it are never shared
}

var planTable = store.NewRecords[planRow]("rule_cadences", "Plan")

// selectPlan selects and locks the plan of a rule.
func selectPlan(ctx context.Context, tx *store.Tx, rule laurel.ID) (p planRow, found bool, err error) {
	err = tx.Get(ctx, &p, planTable.Query()+" WHERE loyalty_rule_id = ?"+tx.ForUpdate(), rule)
	if store.IsNoRows(err) {
		return planRow{}, false, nil
	}
	return p, err == nil, err
}

// hasDuePlan reports whether the next run of any rule is due.
func hasDuePlan(ctx context.Context, q store.Queryer, now time.Time) (bool, error) {
	var ids []laurel.ID
	err := q.Select(ctx, &ids, "SELECT loyalty_rule_id FROM rule_cadences WHERE next_at <= ? LIMIT 1", store.Micros(now))
	return len(ids) > 0, err
}

// lockDuePlans selects and locks up to planBatch plans whose next run is due. It skips plans that others have locked.
func lockDuePlans(ctx context.Context, tx *store.Tx) ([]planRow, error) {
	var due []planRow
	err := tx.Select(
		ctx,
		&due,
		planTable.Query()+" WHERE next_at <= ? ORDER BY next_at, loyalty_rule_id LIMIT ?"+tx.ForUpdateSkip(),
		store.Micros(tx.Now()),
		planBatch,
	)
	return due, err
}

// insertPause records that a rule has no frequency from a moment on. A pause that began at the same moment is reopened.
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

// endPause ends the open pause of a rule, and reports whether there was one. The caller has locked the plan.
func endPause(ctx context.Context, tx *store.Tx, rule laurel.ID, at int64) (ended bool, err error) {
	n, err := tx.Exec(
		ctx,
		"UPDATE rule_pauses SET resumed_at = ? WHERE loyalty_rule_id = ? AND resumed_at IS NULL",
		at,
		rule,
	)
	return n > 0, err
}

// pauseRow is a pause that has ended.
type pauseRow struct {
	PausedAt  int64 `db:"paused_at"`
	ResumedAt int64 `db:"resumed_at"`
}

// pausesWithin returns the ended pauses that overlap the time that a run covers, oldest first. It needs no others: a
// pause that has not ended began after that time.
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

// savePlan inserts or updates the plan of a rule.
func savePlan(ctx context.Context, tx *store.Tx, p planRow) error {
	_, err := planTable.Insert(ctx, tx, &p, `ON CONFLICT (loyalty_rule_id) DO UPDATE SET frequency = excluded.frequency,
		start_at = excluded.start_at, end_at = excluded.end_at, last_at = excluded.last_at, next_at = excluded.next_at,
		counts_from = excluded.counts_from`)
	return err
}

// runRow is a run as it is stored.
type runRow struct {
	ID             laurel.ID `db:"id"`
	OrganizationID laurel.ID `db:"organization_id"`
	WebsiteID      laurel.ID `db:"website_id"`
	RuleID         laurel.ID `db:"loyalty_rule_id" update:"no"`
	ScheduledAt    int64     `db:"scheduled_at" update:"no"`
	Since          int64     `db:"since"`
	Status         string    `db:"status"`
	Message        string    `db:"message"`
	Position       string    `db:"position"`
	Evaluated      int64     `db:"evaluated"`
	Rewarded       int64     `db:"rewarded"`
	Refused        int64     `db:"refused"`
	Failed         int64     `db:"failed"`
	DueAt          int64     `db:"due_at" update:"no"` // written by the queue
	Attempts       int64     `db:"attempts"`           // faults since the run last moved
	// Unanswered counts those of the attempts in which the provider gave no answer about the next member, and did about
	// another.
	Unanswered          int64     `db:"silences"`
	LeftOut             int64     `db:"left_out"` // members that the run left out
	AsksProvider        bool      `db:"asks"`
	OnlyUnanswered      int64     `db:"unheard"`       // attempts without an answer about the only member
	OnlyUnansweredSince *int64    `db:"unheard_since"` // since when; carried over from the run before
	StartedAt           *int64    `db:"started_at"`
	FinishedAt          *int64    `db:"finished_at"`
	CreatedAt           int64     `db:"created_at"`
	UpdatedAt           int64     `db:"updated_at"`
	slotEnds            time.Time // when its slot of the queue ends
	item                *worker.Item[runRow]
}

// scope returns the scope of the run's website.
func (r *runRow) scope() laurel.Scope {
	return laurel.Scope{OrganizationID: r.OrganizationID, WebsiteID: r.WebsiteID, Role: laurel.RoleWebsite}
}

// at returns the time of the run.
func (r *runRow) at() time.Time { return store.Time(r.ScheduledAt) }

var runTable = store.NewRecords[runRow]("rule_runs", "Run")

// databaseRuns and providerRuns say how the queues lease runs: those whose facts are in the database, and, website by
// website, those that ask a provider. The earliest run of a rule comes first, and the others wait for it. Attempts
// count faults and not leases, so a lease needs an id.
var (
	databaseRuns = worker.QueueTable{
		Table: "rule_runs", Key: "id", Due: "due_at", Columns: runTable.Columns(), Open: "finished_at IS NULL",
		Filter: "NOT asks", OwnerColumn: "loyalty_rule_id", LeaseID: "owner", Series: seriesByRule,
	}
	providerRuns = worker.QueueTable{
		Table: "rule_runs", Key: "id", Due: "due_at", Columns: runTable.Columns(), Open: "finished_at IS NULL",
		Filter: "asks", OwnerColumn: "website_id", LeaseID: "owner", Series: seriesByRule,
	}
	seriesByRule = worker.Series{Column: "loyalty_rule_id", Order: "scheduled_at"}
)

// startRun marks a run as processing when it is leased. The first time, it also sets the time that the run covers, and
// copies OnlyUnansweredSince from the run before, so that the patience with a provider that gives no answer goes on.
func startRun(ctx context.Context, tx *store.Tx, item *worker.Item[runRow]) (err error) {
	r, now := &item.Row, store.Micros(tx.Now())
	r.Status, r.UpdatedAt = Processing, now
	if r.StartedAt == nil {
		r.StartedAt = &now
		if r.Since, err = coveredSinceOf(ctx, tx, *r); err != nil {
			return err
		}
		if r.OnlyUnansweredSince, err = previousUnansweredSince(ctx, tx, *r); err != nil {
			return err
		}
	}
	return runTable.Update(ctx, tx, r)
}

// previousUnansweredSince returns since when, at the end of the run before r, a provider had given no answer about the
// only member; nil if it had given one, or if there was no run before.
func previousUnansweredSince(ctx context.Context, q store.Queryer, r runRow) (since *int64, err error) {
	err = q.Get(
		ctx,
		&since,
		"SELECT unheard_since FROM rule_runs WHERE loyalty_rule_id = ? AND scheduled_at < ? ORDER BY scheduled_at DESC LIMIT 1",
		r.RuleID,
		r.ScheduledAt,
	)
	if store.IsNoRows(err) {
		err = nil
	}
	return since, err
}

// hasLaterRun reports whether a later run of the rule waits for this one to end.
func hasLaterRun(ctx context.Context, q store.Queryer, r *runRow) (bool, error) {
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

// coveredSinceOf returns the beginning of the time that a run covers: the last complete run before it, or else the
// start of the plan. The caller makes sure that all earlier runs have ended.
func coveredSinceOf(ctx context.Context, q store.Queryer, r runRow) (int64, error) {
	var plan planRow
	if err := q.Get(ctx, &plan, planTable.Query()+" WHERE loyalty_rule_id = ?", r.RuleID); err != nil {
		return 0, err
	}
	last, found, err := lastCompleteBefore(ctx, q, &r)
	if !found {
		last = plan.StartAt
	}
	return plan.coveredSince(last, r.ScheduledAt), err
}

// lastCompleteBefore returns the time of the last run before this one that has reached all members. found is false if
// there is none.
func lastCompleteBefore(ctx context.Context, q store.Queryer, r *runRow) (at int64, found bool, err error) {
	err = q.Get(
		ctx,
		&at,
		"SELECT scheduled_at FROM rule_runs WHERE loyalty_rule_id = ? AND scheduled_at < ? AND status = 'complete' AND left_out = 0 ORDER BY scheduled_at DESC LIMIT 1",
		r.RuleID,
		r.ScheduledAt,
	)
	if store.IsNoRows(err) {
		return 0, false, nil
	}
	return at, err == nil, err
}

// incompleteRunTimes returns, oldest first, the times of the runs in the time covered by this run that have reached
// some members but not all.
func incompleteRunTimes(ctx context.Context, q store.Queryer, r *runRow) ([]int64, error) {
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

// saveRun writes the progress of a run. The queue calls it in the transaction that has checked the lease.
func saveRun(ctx context.Context, tx *store.Tx, r *runRow) error {
	r.UpdatedAt = store.Micros(tx.Now())
	return runTable.Update(ctx, tx, r)
}

// listRuns selects a page of runs, the latest scheduled first.
func listRuns(
	ctx context.Context,
	q store.Queryer,
	scope laurel.Scope,
	f Filter,
	page laurel.PageRequest,
) (laurel.Page[runRow], error) {
	w := store.OfTenant(scope)
	if !f.RuleID.IsZero() {
		w.Add("loyalty_rule_id = ?", f.RuleID)
	}
	if !f.ID.IsZero() {
		w.Add("id = ?", f.ID)
	}
	cursors := *w
	store.In(w, "status", f.Statuses)
	order := store.List{Where: w, Cursors: &cursors, Order: []string{"scheduled_at", "id"}, Newest: true}
	return runTable.Page(ctx, q, order, page)
}
