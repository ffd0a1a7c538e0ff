package reset

import (
	"context"
	"strings"
	"time"

	"laurel"
	"laurel/internal/store"
)

// Kind says what a job clears: a reset type (contract 2) or RuleDebit.
type Kind string

// The kinds.
const (
	ResetBalances  Kind = "loyalty_reset_balances"
	ResetAndRules  Kind = "loyalty_reset_balances_data_and_rules"
	ResetKeepRules Kind = "loyalty_reset_balances_data_not_rules"
	RuleDebit      Kind = "loyalty_rule_debit"
)

// ResetKinds lists the reset types.
var ResetKinds = []string{string(ResetBalances), string(ResetAndRules), string(ResetKeepRules)}

// withData reports whether what rules remember of members is cleared too.
func (k Kind) withData() bool { return k == ResetAndRules || k == ResetKeepRules }

// The states of a job (contract 2, data job status).
const (
	Processing = "processing"
	Complete   = "complete"
	Cancelled  = "cancelled"
)

// Job is one clearing and how far it has come.
type Job struct {
	ID             laurel.ID
	OrganizationID laurel.ID
	WebsiteID      laurel.ID
	Kind           Kind
	CurrencyID     laurel.ID // of a reset
	RuleID         laurel.ID // of a rule's debit
	Status         string
	Message        *string       // why it was cancelled, or what it left out
	Accounts       int64         // that were debited
	Amount         laurel.Amount // of all debits
	CreatedByID    laurel.ID
	CreatedAt      time.Time
	UpdatedAt      time.Time
	at             position
}

// position is where a job goes on. A node that takes it over needs nothing else.
type position struct {
	Phase string    `json:"phase"`
	After laurel.ID `json:"after,omitzero"` // the last user, rule or entry that is done
}

func (j *Job) scope() laurel.Scope {
	return laurel.Scope{
		OrganizationID: j.OrganizationID,
		WebsiteID:      j.WebsiteID,
		ActorID:        j.CreatedByID,
		Role:           laurel.RoleWebsite,
	}
}

func (j *Job) goTo(phase string) { j.at = position{Phase: phase} }

func (j *Job) end(status, message string) {
	j.Status = status
	if message != "" {
		j.Message = &message
	}
}

// leaveOut notes a currency that is not debited.
func (j *Job) leaveOut(currency laurel.ID) {
	what := "Balances of currency " + currency.String() + " are kept outside"
	switch {
	case j.Message == nil:
		j.Message = &what
	case !strings.Contains(*j.Message, what):
		all := *j.Message + "; " + what
		j.Message = &all
	}
}

// Filter narrows List.
type Filter struct {
	CurrencyID laurel.ID
	RuleID     laurel.ID
	Status     string
}

// List returns jobs, newest first.
func (s *Service) List(
	ctx context.Context,
	scope laurel.Scope,
	f Filter,
	page laurel.PageRequest,
) (laurel.Page[Job], error) {
	rows, err := listJobs(ctx, s.DB, scope, f, page)
	return rows, err
}

// Job reads one job. Errors: NotFound "Job".
func (s *Service) Job(ctx context.Context, scope laurel.Scope, id laurel.ID) (Job, error) {
	return jobOf(ctx, s.DB, scope, id)
}

// Clear refuses to let a rule come back while what it paid is being debited: what it pays from then on would be taken
// too.
func Clear(ctx context.Context, tx *store.Tx, rule laurel.ID) error {
	n, err := jobsOfRule(ctx, tx, rule)
	if err == nil && n > 0 {
		return laurel.Errorf(laurel.Refused, "Loyalty rule is still being cleared")
	}
	return err
}
