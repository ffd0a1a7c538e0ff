// Package completionjobs owns completion jobs, which are completions that are decided later, such as a click after its
// delay: their rows, the queue that works on them, retries and results. It does not decide anything (completion).
package completionjobs

import (
	"bytes"
	"cmp"

	"laurel"
	"laurel/internal/store"
)

// The statuses of a job (contract 2, rule processing status).
const (
	Pending   = "pending"
	Completed = "completed"
	Failed    = "failed"
)

// Key identifies the pending job of a rule and a user. There is at most one.
type Key struct{ Rule, User laurel.ID }

// Job is a completion that is decided later. Times are in microseconds. Posts to external ledgers store it as JSON.
type Job struct {
	ID             laurel.ID `db:"id"`
	OrganizationID laurel.ID `db:"organization_id"`
	WebsiteID      laurel.ID `db:"website_id"`
	RuleID         laurel.ID `db:"loyalty_rule_id"`
	UserID         laurel.ID `db:"user_id"`
	Status         string    `db:"status"`
	Message        string    `db:"message"`
	Input          string    `db:"input"` // the stored call, as JSON
	DueAt          int64     `db:"due_at"`
	Attempts       int64     `db:"attempts"` // attempts that had begun when the row was read
	CreatedAt      int64     `db:"created_at"`
	UpdatedAt      int64     `db:"updated_at"`
	isNew          bool
	fault          string // the message of the last attempt's fault; "": the one of all faults
}

// PendingJobs are the rows of jobs that are not decided yet. Works lock them.
var PendingJobs = &store.Table[Key, Job]{
	Name: "jobs", Rank: store.LockRankJobs,
	Compare: func(a, b Key) int {
		return cmp.Or(bytes.Compare(a.Rule[:], b.Rule[:]), bytes.Compare(a.User[:], b.User[:]))
	},
	Query: selectPending,
	Key:   store.Columns("loyalty_rule_id uuid, user_id uuid"),
	Args:  func(k Key) []any { return []any{k.Rule, k.User} },
	KeyOf: func(j *Job) Key { return Key{j.RuleID, j.UserID} },
	New:   func(k Key) *Job { return &Job{RuleID: k.Rule, UserID: k.User, isNew: true} },
	Save:  saveJobs,
}
