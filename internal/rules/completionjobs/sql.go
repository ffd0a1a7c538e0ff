package completionjobs

import (
	"context"
	"time"

	"laurel"
	"laurel/internal/store"
	"laurel/internal/worker"
)

const columns = "id, organization_id, website_id, loyalty_rule_id, user_id, status, message, input, due_at, attempts, created_at, updated_at"

const selectPending = `SELECT t.id, t.organization_id, t.website_id, t.loyalty_rule_id, t.user_id, t.status, t.message, t.input, t.due_at, t.attempts,
	t.created_at, t.updated_at FROM (SELECT ` + columns + ` FROM rule_jobs WHERE status = 'pending') t`

// leasedJobs says how the queue leases jobs. Finished jobs stay visible for an hour.
var leasedJobs = worker.QueueTable{
	Table: "rule_jobs", Key: "id", Due: "due_at", Columns: columns, Open: "status = 'pending'", Attempts: "attempts",
	OwnerColumn: "website_id",
	Finished:    worker.Finished{When: "status <> 'pending'", At: "updated_at", KeepFor: time.Hour},
}

// saveJobs inserts new jobs and updates the status and message of the others. It returns store.ErrRerun if another
// transaction has inserted a pending job for the same rule and user.
func saveJobs(ctx context.Context, tx *store.Tx, rows []*Job) error {
	for _, j := range rows {
		if !j.isNew {
			if _, err := tx.Exec(
				ctx,
				"UPDATE rule_jobs SET status = ?, message = ?, updated_at = ? WHERE id = ?",
				j.Status,
				j.Message,
				j.UpdatedAt,
				j.ID,
			); err != nil {
				return err
			}
			continue
		}
		n, err := tx.Exec(
			ctx,
			`INSERT INTO rule_jobs (id, organization_id, website_id, loyalty_rule_id, user_id, status, message, input, due_at, attempts,
			created_at, updated_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 0, ?, ?) ON CONFLICT DO NOTHING`,
			j.ID,
			j.OrganizationID,
			j.WebsiteID,
			j.RuleID,
			j.UserID,
			j.Status,
			j.Message,
			j.Input,
			j.DueAt,
			j.CreatedAt,
			j.UpdatedAt,
		)
		if err != nil {
			return err
		}
		if n == 0 {
			return store.ErrRerun
		}
	}
	return nil
}

// fail ends a job as failed, with a message for the member. It must be called in a transaction that has checked the
// job's lease.
func fail(ctx context.Context, tx *store.Tx, job laurel.ID, message string) error {
	_, err := tx.Exec(
		ctx,
		"UPDATE rule_jobs SET status = ?, message = ?, updated_at = ? WHERE id = ?",
		Failed,
		message,
		store.Micros(tx.Now()),
		job,
	)
	return err
}

// resetAttempts sets the attempts of a job to 0. The transaction holds its lease.
func resetAttempts(ctx context.Context, tx *store.Tx, job laurel.ID) error {
	_, err := tx.Exec(ctx, "UPDATE rule_jobs SET attempts = 0 WHERE id = ?", job)
	return err
}

// HasPending reports whether there is a pending job for the rule and the user, read without locks.
func HasPending(ctx context.Context, q store.Queryer, k Key) (bool, error) {
	var n int
	err := q.Get(
		ctx,
		&n,
		"SELECT COUNT(*) FROM rule_jobs WHERE loyalty_rule_id = ? AND user_id = ? AND status = 'pending'",
		k.Rule,
		k.User,
	)
	return n > 0, err
}
