// Package completionjobs owns completion jobs, which are completions that are decided later, such as a click after its
// delay: their rows, the queue that works on them, retries and results. It does not decide anything (completion).
package completionjobs

import (
	"bytes"
	"cmp"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/rules/schema"
	"laurel.example/laurel/internal/store"
)

// The statuses of a job (contract 2, rule processing status).
const (
	Pending   = "pending"
	Completed = "completed"
	Failed    = "failed"
)

// Key identifies the pending job of a rule and a user. There is at most one.
type Key struct{ Rule, User laurel.ID }

// Job is a completion that is decided later. Times are in microseconds. Posts to external ledgers store it as JSON,
// with the names of its fields.
type Job struct {
	ID             laurel.ID `db:"id" json:"ID"`
	OrganizationID laurel.ID `db:"organization_id" json:"OrganizationID"`
	WebsiteID      laurel.ID `db:"website_id" json:"WebsiteID"`
	RuleID         laurel.ID `db:"loyalty_rule_id" json:"RuleID" update:"no"`
	UserID         laurel.ID `db:"user_id" json:"UserID" update:"no"`
	Status         string    `db:"status" json:"Status"`
	Message        string    `db:"message" json:"Message"`
	Input          string    `db:"input" json:"Input" update:"no"` // the stored call, as JSON
	DueAt          int64     `db:"due_at" json:"DueAt" update:"no"`
	Attempts       int64     `db:"attempts" json:"Attempts" update:"no"` // attempts that had begun when the row was read
	CreatedAt      int64     `db:"created_at" json:"CreatedAt"`
	UpdatedAt      int64     `db:"updated_at" json:"UpdatedAt"`
	// Provider is the kind of provider that the rule asks. It says which queue works on the job.
	Provider schema.Provider `db:"provider" json:"Provider" update:"no"`
	// Fault is why the last attempt decided nothing, for admins; "": no attempt has met a fault.
	Fault string `db:"fault" json:"Fault" update:"no"`
	isNew bool
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
	Save:  table.Saver(func(j *Job) bool { return j.isNew }),
}
