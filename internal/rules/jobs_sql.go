package rules

import (
	"context"

	"laurel/internal/rulebook"
	"laurel/internal/store"
)

const jobColumns = "id, organization_id, website_id, loyalty_rule_id, user_id, status, message, due_at, attempts, created_at, updated_at"

const selectPendingJob = `SELECT t.id, t.organization_id, t.website_id, t.loyalty_rule_id, t.user_id, t.status, t.message, t.due_at, t.attempts,
	t.created_at, t.updated_at FROM (SELECT ` + jobColumns + ` FROM rule_jobs WHERE status = 'pending') t`

func saveJobs(ctx context.Context, tx *store.Tx, rows []*job) error {
	for _, j := range rows {
		if !j.fresh {
			if _, err := tx.Exec(ctx, "UPDATE rule_jobs SET status = ?, message = ?, updated_at = ? WHERE id = ?", j.Status, j.Message, j.UpdatedAt, j.ID); err != nil {
				return err
			}
			continue
		}
		n, err := tx.Exec(ctx, `INSERT INTO rule_jobs (id, organization_id, website_id, loyalty_rule_id, user_id, status, message, input, due_at, attempts,
			created_at, updated_at) VALUES (?, ?, ?, ?, ?, ?, ?, '{}', ?, 0, ?, ?) ON CONFLICT DO NOTHING`, j.ID, j.OrganizationID, j.WebsiteID, j.RuleID,
			j.UserID, j.Status, j.Message, j.DueAt, j.CreatedAt, j.UpdatedAt)
		if err != nil {
			return err
		}
		if n == 0 {
			return store.ErrRerun
		}
	}
	return nil
}

// takeJobs leases the jobs that are due: a further node sees them again only when the lease is over.
func takeJobs(ctx context.Context, tx *store.Tx) ([]job, error) {
	skip := ""
	if tx.Engine() == store.Postgres {
		skip = " FOR UPDATE SKIP LOCKED"
	}
	var due []job
	err := tx.Select(ctx, &due, "SELECT "+jobColumns+" FROM rule_jobs WHERE status = 'pending' AND due_at <= ? ORDER BY due_at, id LIMIT ?"+skip,
		store.Micros(tx.Now()), jobBatch)
	if err != nil || len(due) == 0 {
		return nil, err
	}
	rows := make([][]any, len(due))
	for i, j := range due {
		rows[i] = []any{j.ID, store.Micros(tx.Now().Add(jobLease)), j.Attempts + 1}
	}
	_, err = tx.UpdateRows(ctx, store.Update{Table: "rule_jobs", Keys: store.Columns("id uuid"), Set: store.Columns("due_at bigint, attempts bigint")}, rows)
	return due, err
}

func failJob(ctx context.Context, tx *store.Tx, j job, message string) error {
	_, err := tx.Exec(ctx, "UPDATE rule_jobs SET status = ?, message = ?, updated_at = ? WHERE id = ? AND status = 'pending'", jobFailed, message,
		store.Micros(tx.Now()), j.ID)
	return err
}

func clickWaits(ctx context.Context, q store.Queryer, k jobKey) (bool, error) {
	var n int
	err := q.Get(ctx, &n, "SELECT COUNT(*) FROM rule_jobs WHERE loyalty_rule_id = ? AND user_id = ? AND status = 'pending'", k.Rule, k.User)
	return n > 0, err
}

// rulesOfType reads live rules of a type, of every tenant: for upkeep.
func rulesOfType(ctx context.Context, q store.Queryer, t rulebook.Type) ([]Rule, error) {
	return selectRules(ctx, q, " WHERE type = ? AND deleted_at IS NULL ORDER BY id", []any{string(t)})
}
