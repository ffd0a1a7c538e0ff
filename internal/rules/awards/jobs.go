package awards

import (
	"context"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/engagement/badges"
	"laurel.example/laurel/internal/engagement/conditions"
	"laurel.example/laurel/internal/rules/lists"
	"laurel.example/laurel/internal/store"
	"laurel.example/laurel/internal/worker"
)

// The states of a job (contract 2, data job status).
const (
	JobPending    = "pending"
	JobProcessing = "processing"
	JobComplete   = "complete"
	JobFailed     = "failed"
	JobCancelled  = "cancelled"
)

// The kinds of jobs.
const (
	kindMembers = "members" // all members of the website
	kindCSV     = "csv"     // all wallets of the badge's lists
	kindLevel   = "level"   // the members with the best ranks, every hour
)

// levelEvery is the interval at which ranks are judged (contract 5.17).
const levelEvery = time.Hour

// job judges many members for one badge, chunk by chunk.
type job struct {
	ID             laurel.ID `db:"id"`
	OrganizationID laurel.ID `db:"organization_id"`
	WebsiteID      laurel.ID `db:"website_id"`
	BadgeID        laurel.ID `db:"loyalty_badge_id"`
	Kind           string    `db:"kind"`
	Status         string    `db:"status"`
	Message        string    `db:"message"`
	Cursor         string    `db:"cursor"` // the last user or wallet that was judged
	Total          *int64    `db:"total"`  // members to judge; nil: not counted yet
	Judged         int64     `db:"judged"`
	Earned         int64     `db:"earned"`  // of those judged: got the badge
	Refused        int64     `db:"refused"` // of those judged: have earned the badge, but it could not be granted
	Attempts       int64     `db:"attempts"`
	DueAt          int64     `db:"due_at"`
	CreatedAt      int64     `db:"created_at"`
	UpdatedAt      int64     `db:"updated_at"`
	FinishedAt     *int64    `db:"finished_at"`
}

func (j *job) scope() laurel.Scope {
	return laurel.Scope{OrganizationID: j.OrganizationID, WebsiteID: j.WebsiteID, Role: laurel.RoleWebsite}
}

// end sets the end of a job.
func (j *job) end(at time.Time, status, message string) {
	now := store.Micros(at)
	j.Status, j.Message, j.FinishedAt = status, message, &now
}

// BadgeFollower reads lists and judges members for badges that are created, changed and deleted.
type BadgeFollower struct{}

// EnqueueJobs enqueues imports of a badge's lists, and a job that judges existing members: all wallets of the lists, or
// all members of the website if the badge has no list. If a condition is about a rank, it also enqueues a job that
// judges ranks every hour. It is called in the transaction that creates the badge or changes its lists.
func (BadgeFollower) EnqueueJobs(ctx context.Context, tx *store.Tx, scope laurel.Scope, b badges.Badge) error {
	if err := lists.UpdateBadgeSources(ctx, tx, scope, b.ID, badgeLists(b)); err != nil {
		return err
	}
	now := store.Micros(tx.Now())
	j := job{
		ID: tx.NewID(), OrganizationID: b.OrganizationID, WebsiteID: b.WebsiteID, BadgeID: b.ID, Kind: kindMembers,
		DueAt: now, CreatedAt: now,
	}
	if _, ok := firstListCondition(b); ok {
		j.Kind = kindCSV
	}
	if err := insertJob(ctx, tx, j); err != nil {
		return err
	}
	if _, ok := firstOfType(b, conditions.TypeLevel); !ok {
		return nil
	}
	j.ID, j.Kind, j.DueAt = tx.NewID(), kindLevel, store.Micros(tx.Now().Add(levelEvery))
	return insertJob(ctx, tx, j)
}

// CancelJobs cancels the jobs of a badge, in the transaction that changes its lists or deletes it. It is called before
// the badge is locked, because jobs are locked before badges.
func (BadgeFollower) CancelJobs(ctx context.Context, tx *store.Tx, _ laurel.Scope, badge laurel.ID) error {
	return cancelJobsOfBadge(ctx, tx, badge)
}

// RemoveLists removes the lists of a badge, in the transaction that deletes it. Due grants of the badge end by
// themselves.
func (BadgeFollower) RemoveLists(ctx context.Context, tx *store.Tx, scope laurel.Scope, b badges.Badge) error {
	return lists.UpdateBadgeSources(ctx, tx, scope, b.ID, nil)
}

// badgeLists returns the lists of a badge. The files of the badge belong to each of its conditions of type csv.
func badgeLists(b badges.Badge) []lists.BadgeList {
	var out []lists.BadgeList
	for _, c := range b.Conditions {
		if c.Type != conditions.TypeCSV {
			continue
		}
		if c.CSVURL != nil {
			out = append(out, lists.BadgeList{Condition: c.ID, URL: *c.CSVURL})
		}
		for _, f := range b.CSVFiles {
			out = append(out, lists.BadgeList{Condition: c.ID, File: f.ID, URL: f.URL})
		}
	}
	return out
}

// Cancel cancels a job. It does not change a job that has ended. It returns NotFound "Data job" if the scope has no
// such job, and for the internal jobs that judge ranks.
func (s *Service) Cancel(ctx context.Context, scope laurel.Scope, id laurel.ID) error {
	return s.DB.Write(ctx, scope.Request, func(tx *store.Tx) error {
		cancelled, err := cancelJob(ctx, tx, scope, id)
		if err != nil || cancelled {
			return err
		}
		if exists, err := hasJob(ctx, tx, scope, id); err != nil || exists {
			return err
		}
		return laurel.Missing("Data job")
	})
}

const (
	jobsTick       = 500 * time.Millisecond
	jobLease       = 15 * time.Second // after this time another node takes a job whose node has died
	jobTries       = 20               // how many nodes may die while they run a job
	jobWebsites    = 4                // websites that are served at once
	jobSlotTime    = 5 * time.Second  // after this time other jobs go first
	msgInterrupted = "The job was interrupted too often"
)

// newJobQueue returns the queue of jobs, which works on up to jobWebsites websites at once. A job that was interrupted
// jobTries times in a row, such as because its node died, ends as failed; a job of kindLevel starts again later
// instead.
func (s *Service) newJobQueue() worker.Runner {
	return &worker.Queue[job]{
		Items:      &worker.Items[job]{DB: s.DB, Table: leasedJobs, LeaseTime: jobLease, Save: saveJob},
		Name:       "badge_jobs",
		Loop:       worker.Loop{Every: jobsTick, Log: s.Logger, Fault: "badge jobs could not be run; trying again"},
		Fault:      "a badge job failed with a fault",
		RenewEvery: jobLease / 3,
		Batch:      1,
		Fairness:   worker.Fairness{MaxOwners: jobWebsites, MaxLooks: dueLookAhead, TimeSlice: jobSlotTime},
		Backoff: []time.Duration{
			time.Second, 5 * time.Second, 15 * time.Second, time.Minute,
		},
		Tries: jobTries,
		Do:    s.runJob,
		Abandon: func(ctx context.Context, tx *store.Tx, item *worker.Item[job]) error {
			if item.Row.Kind == kindLevel { // it must not end, or ranks would not be judged any more
				item.Row.restart()
				return resetAndPostpone(ctx, tx, item.Key, tx.Now().Add(levelEvery))
			}
			item.Row.end(tx.Now(), JobFailed, msgInterrupted)
			return nil
		},
	}
}

// restart resets a job of kindLevel for its next run.
func (j *job) restart() {
	j.Status, j.Message, j.Cursor, j.Total, j.Judged, j.Earned, j.Refused = JobPending, "", "", nil, 0, 0, 0
}
