package awards

import (
	"cmp"
	"context"
	"slices"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/engagement/badges"
	"laurel.example/laurel/internal/store"
	"laurel.example/laurel/internal/worker"
)

const dueColumns = "id, organization_id, website_id, loyalty_badge_id, user_id, attempts, due_at, created_at"

// leasedDues describes the table of due grants to the queue. Grants delete their rows.
var leasedDues = worker.QueueTable{
	Table: "badge_dues", Key: "id", Due: "due_at", Columns: dueColumns, Attempts: "attempts", OwnerColumn: "website_id",
}

var dueInsert = store.Insert{
	Table: "badge_dues", Conflict: store.IgnoreConflicts,
	Columns: store.Columns(`id uuid, organization_id uuid, website_id uuid, loyalty_badge_id uuid, user_id uuid, attempts bigint, due_at bigint,
	created_at bigint`),
}

// insertDues enqueues a due grant for each pair of a badge and a user. Pairs that are enqueued already are left alone.
func insertDues(ctx context.Context, tx *store.Tx, scope laurel.Scope, pairs []badges.BadgeAndUser) error {
	slices.SortFunc(pairs, func(a, b badges.BadgeAndUser) int {
		return cmp.Or(a.Badge.Compare(b.Badge), a.User.Compare(b.User))
	})
	now, rows := store.Micros(tx.Now()), make([][]any, len(pairs))
	for i, p := range pairs {
		rows[i] = []any{tx.NewID(), scope.OrganizationID, scope.WebsiteID, p.Badge, p.User, int64(0), now, now}
	}
	_, err := tx.InsertRows(ctx, dueInsert, rows)
	return err
}

// deleteDues deletes due grants.
func deleteDues(ctx context.Context, tx *store.Tx, ids []laurel.ID) error {
	var w store.Where
	store.InArray(&w, tx, "id", "uuid", ids)
	_, err := tx.Exec(ctx, "DELETE FROM badge_dues"+w.String(), w.Args...)
	return err
}

const jobColumns = `id, organization_id, website_id, loyalty_badge_id, kind, status, message, cursor, total, judged, earned, refused, attempts, due_at,
	created_at, updated_at, finished_at`

// leasedJobs describes the table of jobs to the queue.
var leasedJobs = worker.QueueTable{
	Table: "badge_jobs", Key: "id", Due: "due_at", Columns: jobColumns, Open: "finished_at IS NULL", Attempts: "attempts",
	OwnerColumn: "website_id",
	Finished:    worker.Finished{When: "finished_at IS NOT NULL", At: "finished_at", KeepFor: 30 * 24 * time.Hour},
}

// insertJob enqueues a job.
func insertJob(ctx context.Context, tx *store.Tx, j job) error {
	_, err := tx.Exec(
		ctx,
		"INSERT INTO badge_jobs ("+jobColumns+") VALUES (?, ?, ?, ?, ?, ?, '', '', NULL, 0, 0, 0, 0, ?, ?, ?, NULL)",
		j.ID,
		j.OrganizationID,
		j.WebsiteID,
		j.BadgeID,
		j.Kind,
		JobPending,
		j.DueAt,
		j.CreatedAt,
		j.CreatedAt,
	)
	return err
}

// saveJob stores the progress of a job.
func saveJob(ctx context.Context, tx *store.Tx, j *job) error {
	j.UpdatedAt = store.Micros(tx.Now())
	_, err := tx.Exec(
		ctx,
		`UPDATE badge_jobs SET status = ?, message = ?, cursor = ?, total = ?, judged = ?, earned = ?, refused = ?, updated_at = ?, finished_at = ?
		WHERE id = ?`,
		j.Status,
		j.Message,
		j.Cursor,
		store.OrNull(j.Total),
		j.Judged,
		j.Earned,
		j.Refused,
		j.UpdatedAt,
		store.OrNull(j.FinishedAt),
		j.ID,
	)
	return err
}

// resetAttempts resets the attempts of a job that is postponed: nothing has failed.
func resetAttempts(ctx context.Context, tx *store.Tx, id laurel.ID) error {
	_, err := tx.Exec(ctx, "UPDATE badge_jobs SET attempts = 0 WHERE id = ?", id)
	return err
}

// resetAndPostpone resets the attempts of a job and reschedules it.
func resetAndPostpone(ctx context.Context, tx *store.Tx, id laurel.ID, at time.Time) error {
	_, err := tx.Exec(ctx, "UPDATE badge_jobs SET attempts = 0, due_at = ? WHERE id = ?", store.Micros(at), id)
	return err
}

const cancelJobs = "UPDATE badge_jobs SET status = '" + JobCancelled + "', finished_at = ?, updated_at = ? WHERE finished_at IS NULL AND "

// cancelJobsOfBadge cancels the jobs of a badge that have not ended.
func cancelJobsOfBadge(ctx context.Context, tx *store.Tx, badge laurel.ID) error {
	now := store.Micros(tx.Now())
	_, err := tx.Exec(ctx, cancelJobs+"loyalty_badge_id = ?", now, now, badge)
	return err
}

// cancelJob cancels a job of the scope. It returns false, and changes nothing, if the job has ended, does not exist, or
// is one of kindLevel, which are internal.
func cancelJob(ctx context.Context, tx *store.Tx, scope laurel.Scope, id laurel.ID) (bool, error) {
	now := store.Micros(tx.Now())
	n, err := tx.Exec(
		ctx,
		cancelJobs+"id = ? AND organization_id = ? AND website_id = ? AND kind <> '"+kindLevel+"'",
		now,
		now,
		id,
		scope.OrganizationID,
		scope.WebsiteID,
	)
	return n > 0, err
}

// hasJob reports whether the scope has a job. Jobs of kindLevel are internal and do not count.
func hasJob(ctx context.Context, q store.Queryer, scope laurel.Scope, id laurel.ID) (bool, error) {
	var n int
	err := q.Get(
		ctx,
		&n,
		"SELECT COUNT(*) FROM badge_jobs WHERE id = ? AND organization_id = ? AND website_id = ? AND kind <> '"+kindLevel+"'",
		id,
		scope.OrganizationID,
		scope.WebsiteID,
	)
	return n > 0, err
}
