package replay

import (
	"cmp"
	"context"
	"database/sql"
	"database/sql/driver"
	"encoding/json"
	"log/slog"
	"slices"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/rules/schema"
	"laurel.example/laurel/internal/store"
	"laurel.example/laurel/internal/worker"
)

// The statuses of a job (contract 2, data job status).
const (
	Pending    = "pending"
	Processing = "processing"
	Complete   = "complete"
	Failed     = "failed"
)

// Job is a replay in the background, and its progress: a row of rule_replays.
type Job struct {
	ID             laurel.ID        `db:"id" json:"id"`
	OrganizationID laurel.ID        `db:"organization_id" json:"organizationId"`
	WebsiteID      laurel.ID        `db:"website_id" json:"websiteId"`
	RuleID         laurel.ID        `db:"loyalty_rule_id" json:"loyaltyRuleId"`
	Draft          string           `db:"draft" json:"-"` // what would be changed, as JSON, without secrets
	From           laurel.Timestamp `db:"from_at" json:"from"`
	To             laurel.Timestamp `db:"to_at" json:"to"`
	Status         string           `db:"status" json:"status"`
	Message        string           `db:"message" json:"message"`   // why it failed
	Progress       int64            `db:"progress" json:"progress"` // percent of the period
	Result         *Result          `db:"result" json:"-"`          // nil unless complete
	CreatedByID    laurel.NullID    `db:"created_by_id" json:"-"`
	Attempts       int64            `db:"attempts" json:"-"` // counted by the queue
	DueAt          laurel.Timestamp `db:"due_at" json:"-"`
	CreatedAt      laurel.Timestamp `db:"created_at" json:"createdAt"`
	UpdatedAt      laurel.Timestamp `db:"updated_at" json:"updatedAt"`
}

// IsOpen reports whether the job has not ended.
func (j Job) IsOpen() bool { return j.Status == Pending || j.Status == Processing }

// Result is the result of a job, in the rule's currency. It is stored as JSON.
type Result struct {
	Changed    bool // the draft differs from the saved rule
	Total      Replayed
	Members    int // members whose sum would differ
	Overridden int // completions that do not differ because the caller set the amount
	Unknown    int // transactions that were not decided from facts; no sum includes them
	Examples   []MemberReplayed
}

// Value stores the result as JSON.
func (r Result) Value() (driver.Value, error) { return string(store.JSON(r)), nil }

// Scan reads the JSON of a result.
func (r *Result) Scan(src any) error {
	var text sql.NullString
	if err := text.Scan(src); err != nil {
		return err
	}
	return json.Unmarshal([]byte(text.String), r)
}

// maxExamples bounds the examples of a result: the members with the largest differences.
const maxExamples = 8

// maxPeriod bounds the period of a job, and maxJobMembers the members that it holds in memory: about 60 MB.
const (
	maxPeriod     = 366 * 24 * time.Hour
	maxJobMembers = 200_000
)

// maxOpenJobs bounds the open replays of a website, each of which reads all that a rule has paid.
const maxOpenJobs = 10

// errTooMany returns the refusal of a replay while too many others are open.
func errTooMany() error {
	return laurel.Errorf(laurel.Refused, "%d replays are under way. Try again when one has ended", maxOpenJobs)
}

// Enqueue starts a replay in the background. The changes are checked as an update of the rule would be, and their
// secrets are not stored. If the same caller has the same replay open already, it returns that one. Errors: NotFound
// "Loyalty rule"; Invalid; Refused while ten others of the website are open.
func (s *Service) Enqueue(ctx context.Context, scope laurel.Scope, in Input) (Job, error) {
	rule, err := s.rules.Rule(ctx, scope, in.RuleID)
	if err != nil {
		return Job{}, err
	}
	unchanged := rule // validate applies the changes to rule
	if err := in.validate(&rule.Properties); err != nil {
		return Job{}, err
	}
	if in.To.Sub(in.From) > maxPeriod {
		var f laurel.Faults
		f.Add("to", "must be at most 366 days after from")
		return Job{}, f.Err()
	}
	if err := s.rules.CheckDraft(ctx, scope, unchanged, in.Changes); err != nil {
		return Job{}, err
	}
	draft, err := withoutSecrets(in.Changes)
	if err != nil {
		return Job{}, err
	}
	var created Job
	err = s.db.Write(ctx, scope.Request, func(tx *store.Tx) error {
		if created, err = findOpenReplay(ctx, tx, scope.ActorID, in, string(draft)); laurel.CodeOf(err) != laurel.NotFound {
			return err
		}
		open, err := countOpenReplays(ctx, tx, scope.At(rule.WebsiteID))
		if err != nil {
			return err
		}
		if open >= maxOpenJobs {
			return errTooMany()
		}
		now := laurel.Timestamp{Time: tx.Now()}
		created = Job{
			ID: tx.NewID(), OrganizationID: rule.OrganizationID, WebsiteID: rule.WebsiteID, RuleID: rule.ID,
			Draft: string(draft), From: laurel.Timestamp{Time: in.From}, To: laurel.Timestamp{Time: in.To}, Status: Pending,
			CreatedByID: laurel.NullableID(scope.ActorID), DueAt: now, CreatedAt: now, UpdatedAt: now,
		}
		_, err = table.Insert(ctx, tx, &created, "")
		return err
	})
	return created, err
}

// withoutSecrets returns the changes of a rule as a job stores them: as JSON, with null for secrets. A replay needs no
// secrets: the results of providers are among the facts.
func withoutSecrets(in schema.Input) (json.RawMessage, error) {
	if in.Metadata.Set && !in.Metadata.Null {
		stripped, err := schema.MapSecrets(in.Metadata.Value, func(string, schema.MetaSecret) (*schema.MetaSecret, error) {
			return nil, nil
		})
		if err != nil {
			return nil, err
		}
		in.Metadata.Value = stripped
	}
	return json.Marshal(in)
}

// List returns the replays of a rule, newest first. Errors: NotFound "Loyalty rule"; Invalid for an unknown cursor.
func (s *Service) List(
	ctx context.Context,
	scope laurel.Scope,
	rule laurel.ID,
	page laurel.PageRequest,
) (laurel.Page[Job], error) {
	if _, err := s.rules.Rule(ctx, scope, rule); err != nil {
		return laurel.Page[Job]{}, err
	}
	return listReplays(ctx, s.db, scope, rule, page)
}

// Job returns one replay. Errors: NotFound "Replay".
func (s *Service) Job(ctx context.Context, scope laurel.Scope, id laurel.ID) (Job, error) {
	return table.Get(ctx, s.db, byID(scope, id), "")
}

const (
	leaseTime     = time.Minute
	tries         = 3
	keepFor       = 30 * 24 * time.Hour
	progressEvery = 20_000 // completions after which a job saves its progress
	msgFault      = "The replay met a fault. Start it again"
)

// newQueue returns the queue that runs replays. Each website gets one replay at a time.
func (s *Service) newQueue(log *slog.Logger) worker.Runner {
	return &worker.Queue[Job]{
		Items: &worker.Items[Job]{DB: s.db, Table: leasedReplays, LeaseTime: leaseTime, Save: saveReplay},
		Name:  "replays",
		Loop: worker.Loop{
			Every: 500 * time.Millisecond, Log: log, Fault: "replays could not be run; they are tried again",
		},
		Fault: "a replay met a fault", RenewEvery: leaseTime / 3, Batch: 1,
		Fairness: worker.Fairness{MaxOwners: 4, MaxLooks: 64, TimeSlice: -1},
		Backoff:  []time.Duration{5 * time.Second, time.Minute}, Tries: tries, Do: s.execute,
		Abandon: func(_ context.Context, tx *store.Tx, item *worker.Item[Job]) error {
			item.Row.fail(msgFault, tx.Now())
			return nil
		},
	}
}

// Metrics returns the metrics of the queue.
func (s *Service) Metrics() []worker.Metrics { return []worker.Metrics{s.queue} }

// Run executes replays until ctx ends. Any number of nodes may run it.
func (s *Service) Run(ctx context.Context) { s.queue.Run(ctx) }

// Prune removes replays that ended 30 days ago. A periodic worker calls it.
func (s *Service) Prune(ctx context.Context) error { return s.queue.Prune(ctx) }

// RunDue executes the replays that are due now.
func (s *Service) RunDue(ctx context.Context) error { return s.queue.RunRound(ctx) }

// execute executes a replay from its beginning, and saves its progress after every 20,000 completions, and its result.
// A job has no state to resume from: an attempt after an interruption starts anew.
func (s *Service) execute(ctx context.Context, item *worker.Item[Job]) error {
	j := item.Row
	in := Input{RuleID: j.RuleID, From: j.From.Time, To: j.To.Time, Members: maxJobMembers}
	if err := json.Unmarshal([]byte(j.Draft), &in.Changes); err != nil {
		return err
	}
	decided := 0
	in.OnRedecided = func(at time.Time) error {
		decided++
		if decided%progressEvery != 0 {
			return nil
		}
		return item.Extend(ctx, func(tx *store.Tx) error {
			item.Row.Status, item.Row.UpdatedAt.Time = Processing, tx.Now()
			// The period is a year at most, so the product does not overflow.
			item.Row.Progress = max(item.Row.Progress, int64(at.Sub(j.From.Time)*100/j.To.Sub(j.From.Time)))
			return nil
		})
	}
	scope := laurel.Scope{OrganizationID: j.OrganizationID, WebsiteID: j.WebsiteID, Role: laurel.RoleWebsite}
	out, err := s.Replay(ctx, scope, in)
	if err != nil {
		return s.handleError(ctx, item, err)
	}
	return item.Finish(ctx, func(tx *store.Tx) error {
		item.Row.Status, item.Row.Progress = Complete, 100
		item.Row.Result, item.Row.UpdatedAt.Time = new(out.result()), tx.Now()
		return nil
	})
}

// handleError ends a replay as failed if another attempt would not help, for example if the draft no longer fits the
// rule. For any other error, it returns the error, so that the queue tries again.
func (s *Service) handleError(ctx context.Context, item *worker.Item[Job], err error) error {
	switch laurel.CodeOf(err) {
	case laurel.Invalid, laurel.NotFound, laurel.Refused:
		return item.Finish(ctx, func(tx *store.Tx) error {
			item.Row.fail(err.Error(), tx.Now())
			return nil
		})
	default:
		return err
	}
}

// result returns what a job stores of a replay: the sums, and the members with the largest differences.
func (r Replay) result() Result {
	differ := slices.DeleteFunc(r.Members, func(m MemberReplayed) bool { return m.Difference() == 0 })
	size := func(m MemberReplayed) laurel.Amount { return max(m.Difference(), -m.Difference()) }
	slices.SortStableFunc(differ, func(a, b MemberReplayed) int { return cmp.Compare(size(b), size(a)) })
	return Result{
		Changed: r.Changed, Total: r.Total, Members: len(differ), Overridden: r.Total.Overridden, Unknown: r.Unknown,
		Examples: differ[:min(len(differ), maxExamples)],
	}
}
