package reset

import (
	"context"
	"encoding/json"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/budget"
	"laurel.example/laurel/internal/store"
)

const selectJob = `SELECT id, organization_id, website_id, kind, loyalty_currency_id, loyalty_rule_id, status, message, position, accounts, amount, created_by_id,
	created_at, updated_at FROM clearing_jobs`

// jobRow is a job as it is stored.
type jobRow struct {
	ID             laurel.ID     `db:"id"`
	OrganizationID laurel.ID     `db:"organization_id"`
	WebsiteID      laurel.ID     `db:"website_id"`
	Kind           Kind          `db:"kind"`
	CurrencyID     laurel.ID     `db:"loyalty_currency_id"`
	RuleID         laurel.ID     `db:"loyalty_rule_id"`
	Status         string        `db:"status"`
	Message        *string       `db:"message"`
	Position       string        `db:"position"`
	Accounts       int64         `db:"accounts"`
	Amount         laurel.Amount `db:"amount"`
	CreatedByID    laurel.ID     `db:"created_by_id"`
	CreatedAt      int64         `db:"created_at"`
	UpdatedAt      int64         `db:"updated_at"`
}

// job returns the row as callers see it, with its decoded position.
func (r jobRow) job() (Job, error) {
	j := Job{
		ID:             r.ID,
		OrganizationID: r.OrganizationID,
		WebsiteID:      r.WebsiteID,
		Kind:           r.Kind,
		CurrencyID:     r.CurrencyID,
		RuleID:         r.RuleID,
		Status:         r.Status,
		Message:        r.Message,
		Accounts:       r.Accounts,
		Amount:         r.Amount,
		CreatedByID:    r.CreatedByID,
		CreatedAt:      store.Time(r.CreatedAt),
		UpdatedAt:      store.Time(r.UpdatedAt),
	}
	return j, json.Unmarshal([]byte(r.Position), &j.position)
}

// insertJob inserts a job. It returns false if another job of the same currency or rule is open.
func insertJob(ctx context.Context, tx *store.Tx, j Job) (bool, error) {
	at, err := json.Marshal(j.position)
	if err != nil {
		return false, err
	}
	now := store.Micros(j.CreatedAt)
	n, err := tx.Exec(
		ctx,
		`INSERT INTO clearing_jobs (id, organization_id, website_id, kind, loyalty_currency_id, loyalty_rule_id, status, position, accounts, amount,
		created_by_id, due_at, created_at, updated_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, 0, 0, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
		j.ID,
		j.OrganizationID,
		j.WebsiteID,
		string(j.Kind),
		j.CurrencyID,
		j.RuleID,
		j.Status,
		string(at),
		j.CreatedByID,
		now,
		now,
		now,
	)
	return n > 0, err
}

// lockJob selects and locks a job. locked is false if another node has locked it, or if it is not due, as after a
// fault.
func lockJob(ctx context.Context, tx *store.Tx, id laurel.ID) (j Job, locked bool, err error) {
	var rows []jobRow
	if err := tx.Select(
		ctx,
		&rows,
		selectJob+" WHERE id = ? AND due_at <= ?"+tx.ForUpdateSkip(),
		id,
		store.Micros(tx.Now()),
	); err != nil ||
		len(rows) == 0 {
		return Job{}, false, err
	}
	j, err = rows[0].job()
	return j, err == nil, err
}

// readJob returns a job without a lock.
func readJob(ctx context.Context, q store.Queryer, id laurel.ID) (Job, error) {
	var row jobRow
	if err := q.Get(ctx, &row, selectJob+" WHERE id = ?", id); err != nil {
		return Job{}, err
	}
	return row.job()
}

// cancelJob cancels a job that has not ended.
func cancelJob(ctx context.Context, tx *store.Tx, id laurel.ID, message string) error {
	_, err := tx.Exec(
		ctx,
		"UPDATE clearing_jobs SET status = 'cancelled', message = ?, updated_at = ? WHERE id = ? AND status = 'processing'",
		message,
		store.Micros(tx.Now()),
		id,
	)
	return err
}

// saveJob saves the progress of a job.
func saveJob(ctx context.Context, tx *store.Tx, j Job) error {
	at, err := json.Marshal(j.position)
	if err != nil {
		return err
	}
	_, err = tx.Exec(
		ctx,
		"UPDATE clearing_jobs SET status = ?, message = ?, position = ?, accounts = ?, amount = ?, updated_at = ? WHERE id = ?",
		j.Status,
		j.Message,
		string(at),
		j.Accounts,
		j.Amount,
		store.Micros(tx.Now()),
		j.ID,
	)
	return err
}

// rescheduleJob sets when a job is due.
func rescheduleJob(ctx context.Context, tx *store.Tx, id laurel.ID, until time.Time) error {
	_, err := tx.Exec(ctx, "UPDATE clearing_jobs SET due_at = ? WHERE id = ?", store.Micros(until), id)
	return err
}

// listDueJobs returns the ids of up to 16 due jobs, those that are due longest first.
func listDueJobs(ctx context.Context, q store.Queryer, now time.Time) ([]laurel.ID, error) {
	var ids []laurel.ID
	err := q.Select(
		ctx,
		&ids,
		"SELECT id FROM clearing_jobs WHERE status = 'processing' AND due_at <= ? ORDER BY due_at LIMIT 16",
		store.Micros(now),
	)
	return ids, err
}

// selectJobStatus returns the status of a job.
func selectJobStatus(ctx context.Context, q store.Queryer, id laurel.ID) (string, error) {
	var status string
	err := q.Get(ctx, &status, "SELECT status FROM clearing_jobs WHERE id = ?", id)
	return status, err
}

// findOpenReset returns the open reset of a currency; the zero id if there is none.
func findOpenReset(ctx context.Context, q store.Queryer, currency laurel.ID) (laurel.ID, error) {
	var ids []laurel.ID
	err := q.Select(
		ctx,
		&ids,
		"SELECT id FROM clearing_jobs WHERE loyalty_currency_id = ? AND status = 'processing'",
		currency,
	)
	if err != nil || len(ids) == 0 {
		return laurel.ID{}, err
	}
	return ids[0], nil
}

// countOpenJobsOfRule returns the number of open debits of a rule.
func countOpenJobsOfRule(ctx context.Context, q store.Queryer, rule laurel.ID) (int, error) {
	var n int
	err := q.Get(ctx, &n, "SELECT COUNT(*) FROM clearing_jobs WHERE loyalty_rule_id = ? AND status = 'processing'", rule)
	return n, err
}

// listJobs selects a page of the jobs that the filter selects, newest first.
func listJobs(
	ctx context.Context,
	q store.Queryer,
	scope laurel.Scope,
	f Filter,
	page laurel.PageRequest,
) (laurel.Page[Job], error) {
	var none laurel.Page[Job]
	var w store.Where
	w.Tenant("", scope)
	if !f.CurrencyID.IsZero() {
		w.Add("loyalty_currency_id = ?", f.CurrencyID)
	}
	if !f.RuleID.IsZero() {
		w.Add("loyalty_rule_id = ?", f.RuleID)
	}
	if f.Status != "" {
		w.Add("status = ?", f.Status)
	}
	if !page.StartingAfter.IsZero() {
		var at store.Where
		at.Add("id = ?", page.StartingAfter)
		at.Tenant("", scope)
		var created int64
		err := q.Get(ctx, &created, "SELECT created_at FROM clearing_jobs"+at.String(), at.Args...)
		if store.IsNoRows(err) {
			err = laurel.ErrCursor()
		}
		if err != nil {
			return none, err
		}
		w.After("created_at", "id", true, created, page.StartingAfter)
	}
	found, err := store.SelectPage[jobRow](
		ctx,
		q,
		page.Limit,
		selectJob+w.String()+" ORDER BY created_at DESC, id DESC",
		w.Args...)
	if err != nil {
		return none, err
	}
	return budget.TryMapPage(found, jobRow.job)
}

// getJob returns a job of the scope. Errors: NotFound "Job".
func getJob(ctx context.Context, q store.Queryer, scope laurel.Scope, id laurel.ID) (Job, error) {
	var w store.Where
	w.Add("id = ?", id)
	w.Tenant("", scope)
	var r jobRow
	err := q.Get(ctx, &r, selectJob+w.String(), w.Args...)
	if store.IsNoRows(err) {
		return Job{}, laurel.Missing("Job")
	}
	if err != nil {
		return Job{}, err
	}
	return r.job()
}
