package completionjobs

import (
	"context"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/rules/schema"
	"laurel.example/laurel/internal/store"
	"laurel.example/laurel/internal/worker"
)

var (
	table         = store.NewRecords[Job]("rule_jobs", "Job")
	selectPending = "SELECT " + table.As("t").Columns() + " FROM (" + table.Query() + " WHERE status = 'pending') t"
)

// leasedJobs returns how a queue leases the jobs of rules that ask a kind of provider. Jobs that ended stay visible for
// an hour.
func leasedJobs(provider schema.Provider) worker.QueueTable {
	return worker.QueueTable{
		Table: "rule_jobs", Key: "id", Due: "due_at", Columns: table.Columns(), Open: "status = 'pending'",
		Filter: "provider = '" + string(provider) + "'", Attempts: "attempts", OwnerColumn: "website_id",
		Finished: worker.Finished{When: "status <> 'pending'", At: "updated_at", KeepFor: time.Hour},
	}
}

// newest lists the jobs that a filter selects, newest first.
func newest(scope laurel.Scope, f Filter) store.List {
	w := store.OfTenant(scope)
	if f.Status != "" {
		w.Add("status = ?", f.Status)
	}
	return store.List{Where: w, Cursors: store.OfTenant(scope), Order: []string{"created_at", "id"}, Newest: true}
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

// saveFault stores why an attempt decided nothing. The transaction holds the job's lease.
func saveFault(ctx context.Context, tx *store.Tx, j *Job) error {
	if j.Fault == "" {
		return nil
	}
	_, err := tx.Exec(ctx, "UPDATE rule_jobs SET fault = ? WHERE id = ?", j.Fault, j.ID)
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
