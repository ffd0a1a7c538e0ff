package rules

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"time"

	"laurel"
	"laurel/internal/identity"
	"laurel/internal/store"
)

// The states of a job (contract 2, rule processing status).
const (
	jobPending   = "pending"
	jobCompleted = "completed"
	jobFailed    = "failed"
)

// jobKey names the job of a rule and a user that is not over: there is at most one.
type jobKey struct{ Rule, User laurel.ID }

// job is a completion that is decided later.
type job struct {
	ID             laurel.ID `db:"id"`
	OrganizationID laurel.ID `db:"organization_id"`
	WebsiteID      laurel.ID `db:"website_id"`
	RuleID         laurel.ID `db:"loyalty_rule_id"`
	UserID         laurel.ID `db:"user_id"`
	Status         string    `db:"status"`
	Message        string    `db:"message"`
	DueAt          int64     `db:"due_at"`
	Attempts       int64     `db:"attempts"`
	CreatedAt      int64     `db:"created_at"`
	UpdatedAt      int64     `db:"updated_at"`
	fresh          bool
}

var jobs = &store.Table[jobKey, job]{
	Name: "jobs", Rank: rankJobs,
	Compare: func(a, b jobKey) int { return cmp.Or(compareIDs(a.Rule, b.Rule), compareIDs(a.User, b.User)) },
	Query:   selectPendingJob,
	Key:     store.Columns("loyalty_rule_id uuid, user_id uuid"),
	Args:    func(k jobKey) []any { return []any{k.Rule, k.User} },
	KeyOf:   func(j *job) jobKey { return jobKey{j.RuleID, j.UserID} },
	New:     func(k jobKey) *job { return &job{RuleID: k.Rule, UserID: k.User, fresh: true} },
	Mode:    store.LockNone, // unique while pending; the subject's lock is held besides
	Save:    saveJobs,
}

const (
	jobTick  = 500 * time.Millisecond
	jobLease = time.Minute // a job taken by a node that died is taken again afterwards
	jobBatch = 64
	// codesEvery is how often codes are looked for that a crash or a fault left out.
	codesEvery = 10 * time.Minute
)

// Run decides jobs when they are due and makes up for generated codes that a crash left out, until ctx ends. Any number of nodes may run it.
func (s *Service) Run(ctx context.Context) {
	tick := time.NewTicker(jobTick)
	defer tick.Stop()
	for codesAt := s.db.Now(); ; {
		if now := s.db.Now(); !now.Before(codesAt) {
			codesAt = now.Add(codesEvery)
			if err := s.makeMissingCodes(ctx); err != nil && ctx.Err() == nil {
				s.log.Warn("codes are missing; they are made later", slog.Any("error", err))
			}
		}
		n, err := s.RunJobs(ctx)
		if err != nil && ctx.Err() == nil {
			s.log.Warn("rule jobs failed; they are tried again", slog.Any("error", err))
		}
		if n == jobBatch && err == nil {
			continue
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

// RunJobs decides the jobs that are due now, at most one batch, and answers how many it took.
func (s *Service) RunJobs(ctx context.Context) (int, error) {
	var due []job
	err := s.db.InTx(ctx, func(tx *store.Tx) (err error) {
		due, err = takeJobs(ctx, tx)
		return err
	})
	for _, j := range due {
		err = errors.Join(err, s.runJob(ctx, j))
	}
	return len(due), err
}

// runJob completes the rule as of the moment of the click, so that neither the window nor the rule's end moves while the click ages.
func (s *Service) runJob(ctx context.Context, j job) error {
	scope := laurel.Scope{OrganizationID: j.OrganizationID, WebsiteID: j.WebsiteID, Role: laurel.RoleWebsite}
	w := &completion{service: s, scope: scope, in: CompleteInput{RuleID: j.RuleID, User: identity.Ref{UserID: j.UserID}, SkipRequired: true}, job: &j}
	err := s.committer.Submit(ctx, func() (store.Work, error) {
		if err := w.prepare(ctx); err != nil {
			return nil, err
		}
		return w, nil
	})
	switch laurel.CodeOf(err) {
	case laurel.Refused, laurel.NotFound:
		return s.endJob(ctx, j, err.Error())
	}
	return err // nil, or a fault: the lease ends and the job is taken again
}

func (s *Service) endJob(ctx context.Context, j job, message string) error {
	return s.db.InTx(ctx, func(tx *store.Tx) error { return failJob(ctx, tx, j, message) })
}
