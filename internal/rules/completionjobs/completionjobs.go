// Package completionjobs owns completions that are decided later, such as a click that must age: their rows, who works
// on them, how often a fault is met and how they end. What is decided is the business of completion.
package completionjobs

import (
	"bytes"
	"cmp"

	"laurel"
	"laurel/internal/store"
)

// The states of a job (contract 2, rule processing status).
const (
	Pending   = "pending"
	Completed = "completed"
	Failed    = "failed"
)

// Key names the job of a rule and a user that is not over: there is at most one.
type Key struct{ Rule, User laurel.ID }

// Job is a completion that is decided later. Times are microseconds.
type Job struct {
	ID             laurel.ID `db:"id"`
	OrganizationID laurel.ID `db:"organization_id"`
	WebsiteID      laurel.ID `db:"website_id"`
	RuleID         laurel.ID `db:"loyalty_rule_id"`
	UserID         laurel.ID `db:"user_id"`
	Status         string    `db:"status"`
	Message        string    `db:"message"`
	Input          string    `db:"input"` // what the job keeps of the call, as JSON
	DueAt          int64     `db:"due_at"`
	Attempts       int64     `db:"attempts"` // begun before the row was read
	CreatedAt      int64     `db:"created_at"`
	UpdatedAt      int64     `db:"updated_at"`
	fresh          bool
}

// Waiting are the jobs that are not over, as Works lock them.
var Waiting = &store.Table[Key, Job]{
	Name: "jobs", Rank: store.RankJobs,
	Compare: func(a, b Key) int {
		return cmp.Or(bytes.Compare(a.Rule[:], b.Rule[:]), bytes.Compare(a.User[:], b.User[:]))
	},
	Query: selectPending,
	Key:   store.Columns("loyalty_rule_id uuid, user_id uuid"),
	Args:  func(k Key) []any { return []any{k.Rule, k.User} },
	KeyOf: func(j *Job) Key { return Key{j.RuleID, j.UserID} },
	New:   func(k Key) *Job { return &Job{RuleID: k.Rule, UserID: k.User, fresh: true} },
	Save:  save,
}
