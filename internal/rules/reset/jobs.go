package reset

import (
	"context"
	"strings"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/store"
)

// Kind says what a job does: a reset type (contract 2), or RuleDebit.
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

// includesRuleState reports whether the reset also removes rule states.
func (k Kind) includesRuleState() bool { return k == ResetAndRules || k == ResetKeepRules }

// The states of a job (contract 2, data job status).
const (
	Processing = "processing"
	Complete   = "complete"
	Cancelled  = "cancelled"
)

// Job is a reset or a debit, and its progress.
type Job struct {
	ID             laurel.ID
	OrganizationID laurel.ID
	WebsiteID      laurel.ID
	Kind           Kind
	CurrencyID     laurel.ID // set for a reset
	RuleID         laurel.ID // set for the debit of a rule
	Status         string
	Message        *string       // why it was cancelled, or which currencies it left out
	Accounts       int64         // the number of debited accounts
	Amount         laurel.Amount // the sum of all debits
	CreatedByID    laurel.ID
	CreatedAt      time.Time
	UpdatedAt      time.Time
	position       position
}

// position says where a job resumes. Another node needs nothing else.
type position struct {
	Phase string    `json:"phase"`
	After laurel.ID `json:"after,omitzero"` // the last user, rule or entry that was handled
}

// scope returns the scope in which the job was created.
func (j *Job) scope() laurel.Scope {
	return laurel.Scope{
		OrganizationID: j.OrganizationID,
		WebsiteID:      j.WebsiteID,
		ActorID:        j.CreatedByID,
		Role:           laurel.RoleWebsite,
	}
}

// startPhase moves the job to the beginning of a phase.
func (j *Job) startPhase(phase string) { j.position = position{Phase: phase} }

// finish ends the job with a status and a message.
func (j *Job) finish(status, message string) {
	j.Status = status
	if message != "" {
		j.Message = &message
	}
}

// noteExternalCurrency notes in the message that a currency is not debited, because it is on an external ledger.
func (j *Job) noteExternalCurrency(currency laurel.ID) {
	note := "Balances of currency " + currency.String() + " are kept outside"
	switch {
	case j.Message == nil:
		j.Message = &note
	case !strings.Contains(*j.Message, note):
		all := *j.Message + "; " + note
		j.Message = &all
	}
}

// Filter selects the jobs that List returns. Zero values select all.
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

// Job returns one job. Errors: NotFound "Job".
func (s *Service) Job(ctx context.Context, scope laurel.Scope, id laurel.ID) (Job, error) {
	return getJob(ctx, s.DB, scope, id)
}

// CheckRestorable refuses to restore a deleted rule while its payments are being debited, because the job would debit
// new payments, too.
func CheckRestorable(ctx context.Context, tx *store.Tx, rule laurel.ID) error {
	n, err := countOpenJobsOfRule(ctx, tx, rule)
	if err == nil && n > 0 {
		return laurel.Errorf(laurel.Refused, "Loyalty rule is still being cleared")
	}
	return err
}
