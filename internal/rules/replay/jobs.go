package replay

import (
	"cmp"
	"context"
	"encoding/json"
	"log/slog"
	"slices"
	"time"

	"laurel"
	"laurel/internal/rules/schema"
	"laurel/internal/store"
	"laurel/internal/worker"
)

// The states of a job (contract 2, data job status).
const (
	Pending    = "pending"
	Processing = "processing"
	Complete   = "complete"
	Failed     = "failed"
)

// Job is a replay in the background, and how far it has come.
type Job struct {
	ID             laurel.ID
	OrganizationID laurel.ID
	WebsiteID      laurel.ID
	RuleID         laurel.ID
	From, To       time.Time
	Status         string
	Message        string  // why it failed
	Progress       int64   // percent of the period
	Result         *Result // of a complete one
	CreatedAt      time.Time
	UpdatedAt      time.Time
}

// Open reports whether the job goes on.
func (j Job) Open() bool { return j.Status == Pending || j.Status == Processing }

// Result is what a replay came to, in the rule's currency.
type Result struct {
	Changed    bool // the draft differs from the rule as it was saved when the replay began
	Total      Replayed
	Members    int // whose sum would differ
	Overridden int // completions whose amount the caller set: no change of the rule changes what they pay
	Unknown    int // transactions that were not decided from facts: they are in no sum
	Examples   []MemberReplayed
}

// The examples of a result are the members for whom most would differ.
const examples = 8

// longest bounds the period of a job, and membersAtMost whom it keeps in memory: about 60 MB.
const (
	longest       = 366 * 24 * time.Hour
	membersAtMost = 200_000
)

// openAtMost bounds how many replays of a website are under way: each reads what a rule has paid.
const openAtMost = 10

// errTooMany refuses a replay while others are under way.
func errTooMany() error {
	return laurel.Errorf(laurel.Refused, "%d replays are under way. Try again when one has ended", openAtMost)
}

// Begin has past completions decided again in the background. The changes are checked as an update of the rule, and
// secrets among them are not kept. What the same caller has asked for already, and is under way, is that job. Errors:
// NotFound "Loyalty rule"; Invalid; Refused while ten others of the website are under way.
func (s *Service) Begin(ctx context.Context, scope laurel.Scope, in Input) (Job, error) {
	rule, err := s.rules.Rule(ctx, scope, in.RuleID)
	if err != nil {
		return Job{}, err
	}
	unchanged := rule
	if err := in.validate(&rule.Properties); err != nil {
		return Job{}, err
	}
	if in.To.Sub(in.From) > longest {
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
	var made row
	err = s.db.Write(ctx, scope.Request, func(tx *store.Tx) error {
		if made, err = findOpen(ctx, tx, scope.ActorID, in, string(draft)); err == nil || !store.NoRows(err) {
			return err
		}
		open, err := countOpen(ctx, tx, scope.At(rule.WebsiteID))
		if err != nil {
			return err
		}
		if open >= openAtMost {
			return errTooMany()
		}
		now := store.Micros(tx.Now())
		made = row{
			ID: tx.NewID(), OrganizationID: rule.OrganizationID, WebsiteID: rule.WebsiteID, RuleID: rule.ID,
			Draft: string(draft), From: store.Micros(in.From), To: store.Micros(in.To), Status: Pending,
			CreatedByID: scope.ActorID, CreatedAt: now, UpdatedAt: now,
		}
		return insert(ctx, tx, made)
	})
	if err != nil {
		return Job{}, err
	}
	return made.job()
}

// withoutSecrets returns changes as they are kept. What a rule asks outside with a secret plays no part in a replay:
// what was answered is among the facts.
func withoutSecrets(in schema.Input) (json.RawMessage, error) {
	if in.Metadata.Set && !in.Metadata.Null {
		kept, err := schema.MapSecrets(in.Metadata.Value, func(string, schema.MetaSecret) (*schema.MetaSecret, error) {
			return nil, nil
		})
		if err != nil {
			return nil, err
		}
		in.Metadata.Value = kept
	}
	return json.Marshal(in)
}

// List returns the replays of a rule, newest first. Errors: NotFound "Loyalty rule"; Invalid for a cursor that is none.
func (s *Service) List(
	ctx context.Context,
	scope laurel.Scope,
	rule laurel.ID,
	page laurel.PageRequest,
) (laurel.Page[Job], error) {
	if _, err := s.rules.Rule(ctx, scope, rule); err != nil {
		return laurel.Page[Job]{}, err
	}
	rows, err := list(ctx, s.db, scope, rule, page)
	if err != nil {
		return laurel.Page[Job]{}, err
	}
	out := laurel.Page[Job]{HasNextPage: rows.HasNextPage}
	for _, r := range rows.Data {
		j, err := r.job()
		if err != nil {
			return out, err
		}
		out.Data = append(out.Data, j)
	}
	return out, nil
}

// Job returns one replay. Errors: NotFound "Replay".
func (s *Service) Job(ctx context.Context, scope laurel.Scope, id laurel.ID) (Job, error) {
	r, err := find(ctx, s.db, scope, id)
	if store.NoRows(err) {
		return Job{}, laurel.Missing("Replay")
	}
	if err != nil {
		return Job{}, err
	}
	return r.job()
}

const (
	lease     = time.Minute
	tries     = 3
	kept      = 30 * 24 * time.Hour
	tellEvery = 20_000 // completions, after which a job says how far it is
	msgFault  = "The replay met a fault. Start it again"
)

// open works on the replays of websites side by side, two at once on a node.
func (s *Service) open(log *slog.Logger) worker.Runner {
	return &worker.Queue[row]{
		Items: &worker.Items[row]{DB: s.db, Table: leased, LeaseTime: lease, Save: save},
		Name:  "replays",
		Loop: worker.Loop{
			Every: 500 * time.Millisecond, Log: log, Fault: "replays could not be run; they are tried again",
		},
		Fault: "a replay met a fault", RenewEvery: lease / 3, Batch: 1, Fairness: worker.Fairness{MaxOwners: 4, MaxLooks: 64, TimeSlice: -1},
		Backoff: []time.Duration{5 * time.Second, time.Minute}, Tries: tries, Do: s.work,
		GiveUp: func(_ context.Context, tx *store.Tx, h *worker.Item[row]) error {
			h.Row.fail(msgFault, tx.Now())
			return nil
		},
	}
}

// Metrics are those of the queue of replays.
func (s *Service) Metrics() []worker.Metrics { return []worker.Metrics{s.queue} }

// Run works on replays until ctx ends. Any number of nodes may run it.
func (s *Service) Run(ctx context.Context) { s.queue.Run(ctx) }

// Forget removes replays that ended 30 days ago. It is for a periodic worker.
func (s *Service) Forget(ctx context.Context) error { return s.queue.Prune(ctx) }

// RunDue works on the replays that are due now.
func (s *Service) RunDue(ctx context.Context) error { return s.queue.RunRound(ctx) }

// work carries a replay out from its beginning.
func (s *Service) work(ctx context.Context, h *worker.Item[row]) error {
	j, err := h.Row.job()
	if err != nil {
		return err
	}
	in := Input{RuleID: j.RuleID, From: j.From, To: j.To, Members: membersAtMost}
	if err := json.Unmarshal([]byte(h.Row.Draft), &in.Changes); err != nil {
		return err
	}
	judged := 0
	in.Judged = func(at time.Time) error {
		judged++
		if judged%tellEvery != 0 {
			return nil
		}
		return h.Extend(ctx, func(tx *store.Tx) error {
			h.Row.Status, h.Row.UpdatedAt = Processing, store.Micros(tx.Now())
			h.Row.Progress = max(h.Row.Progress, int64(at.Sub(j.From)*100/j.To.Sub(j.From))) // of a year at most
			return nil
		})
	}
	scope := laurel.Scope{OrganizationID: j.OrganizationID, WebsiteID: j.WebsiteID, Role: laurel.RoleWebsite}
	out, err := s.Replay(ctx, scope, in)
	if err != nil {
		return s.failed(ctx, h, err)
	}
	text, err := json.Marshal(out.result())
	if err != nil {
		return err
	}
	return h.Finish(ctx, func(tx *store.Tx) error {
		result := string(text)
		h.Row.Status, h.Row.Progress, h.Row.Result, h.Row.UpdatedAt = Complete, 100, &result, store.Micros(tx.Now())
		return nil
	})
}

// failed ends a replay that another try would not help, such as one whose rule was changed so that the draft does not
// fit it any more.
func (s *Service) failed(ctx context.Context, h *worker.Item[row], err error) error {
	switch laurel.CodeOf(err) {
	case laurel.Invalid, laurel.NotFound, laurel.Refused:
		return h.Finish(ctx, func(tx *store.Tx) error {
			h.Row.fail(err.Error(), tx.Now())
			return nil
		})
	default:
		return err
	}
}

// result is what is kept of a replay.
func (r Replay) result() Result {
	differ := slices.DeleteFunc(r.Members, func(m MemberReplayed) bool { return m.Difference() == 0 })
	size := func(m MemberReplayed) laurel.Amount { return max(m.Difference(), -m.Difference()) }
	slices.SortStableFunc(differ, func(a, b MemberReplayed) int { return cmp.Compare(size(b), size(a)) })
	return Result{
		Changed: r.Changed, Total: r.Total, Members: len(differ), Overridden: r.Overridden, Unknown: r.Unknown,
		Examples: differ[:min(len(differ), examples)],
	}
}
