package jobs

import (
	"context"
	"time"

	"laurel/internal/store"
)

const columns = "id, organization_id, website_id, loyalty_rule_id, user_id, status, message, input, due_at, attempts, created_at, updated_at"

const selectPending = `SELECT t.id, t.organization_id, t.website_id, t.loyalty_rule_id, t.user_id, t.status, t.message, t.input, t.due_at, t.attempts,
	t.created_at, t.updated_at FROM (SELECT ` + columns + ` FROM rule_jobs WHERE status = 'pending') t`

func save(ctx context.Context, tx *store.Tx, rows []*Job) error {
	for _, j := range rows {
		if !j.fresh {
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

// waits reports whether a job is due: an idle node writes nothing.
func waits(ctx context.Context, q store.Queryer, now time.Time) (bool, error) {
	var due []int64
	err := q.Select(
		ctx,
		&due,
		"SELECT due_at FROM rule_jobs WHERE status = 'pending' AND due_at <= ? ORDER BY due_at, id LIMIT 1",
		store.Micros(now),
	)
	return len(due) > 0, err
}

// take leases the jobs that are due: a further node sees them again only when the lease is over.
func take(ctx context.Context, tx *store.Tx) ([]Job, error) {
	var due []Job
	err := tx.Select(
		ctx,
		&due,
		"SELECT "+columns+" FROM rule_jobs WHERE status = 'pending' AND due_at <= ? ORDER BY due_at, id LIMIT ?"+tx.ForUpdateSkip(),
		store.Micros(tx.Now()),
		batch,
	)
	if err != nil || len(due) == 0 {
		return nil, err
	}
	rows := make([][]any, len(due))
	for i := range due {
		due[i].Attempts++
		rows[i] = []any{due[i].ID, store.Micros(tx.Now().Add(lease)), due[i].Attempts}
	}
	_, err = tx.UpdateRows(
		ctx,
		store.Update{
			Table: "rule_jobs",
			Keys:  store.Columns("id uuid"),
			Set:   store.Columns("due_at bigint, attempts bigint"),
		},
		rows,
	)
	return due, err
}

func end(ctx context.Context, tx *store.Tx, j *Job, message string) error {
	_, err := tx.Exec(
		ctx,
		"UPDATE rule_jobs SET status = ?, message = ?, updated_at = ? WHERE id = ? AND status = 'pending'",
		Failed,
		message,
		store.Micros(tx.Now()),
		j.ID,
	)
	return err
}

// Waits reports whether there is a job that is not over.
func Waits(ctx context.Context, q store.Queryer, k Key) (bool, error) {
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

// putOff sets the next attempt, unless another node has taken the job meanwhile.
func putOff(ctx context.Context, tx *store.Tx, j *Job, until time.Time) error {
	_, err := tx.Exec(
		ctx,
		"UPDATE rule_jobs SET due_at = ? WHERE id = ? AND status = 'pending' AND attempts = ?",
		store.Micros(until),
		j.ID,
		j.Attempts,
	)
	return err
}

const pruneChunk = 500

// deleteFinished removes jobs that were over before a moment, at most a chunk, and returns how many.
func deleteFinished(ctx context.Context, tx *store.Tx, before time.Time) (int64, error) {
	return tx.Exec(
		ctx,
		`DELETE FROM rule_jobs WHERE id IN (SELECT id FROM rule_jobs WHERE status <> 'pending' AND updated_at < ? ORDER BY updated_at LIMIT ?`+
			tx.ForUpdateSkip()+")",
		store.Micros(before),
		pruneChunk,
	)
}
