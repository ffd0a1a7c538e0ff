package rewardhistory

import (
	"context"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/store"
)

// DebitMark says up to which version of an account a rule's payments were debited, and by which job.
type DebitMark struct {
	Account laurel.ID `db:"loyalty_account_id"`
	Job     laurel.ID `db:"clearing_job_id"`
	Version int64     `db:"version"`
}

// DebitMarks returns, by account, up to which version the accounts were debited for a rule that was deleted, and by
// which job. Accounts that were never debited for it are left out.
func (s *Service) DebitMarks(
	ctx context.Context, q store.Queryer, scope laurel.Scope, rule laurel.ID, accounts []laurel.ID,
) (map[laurel.ID]DebitMark, error) {
	out := map[laurel.ID]DebitMark{}
	if len(accounts) == 0 {
		return out, nil
	}
	var w store.Where
	w.Add("website_id = ? AND loyalty_rule_id = ?", scope.WebsiteID, rule)
	store.In(&w, "loyalty_account_id", accounts)
	var rows []DebitMark
	err := q.Select(ctx, &rows,
		"SELECT loyalty_account_id, clearing_job_id, version FROM rule_debits"+w.String(), w.Args...)
	for _, r := range rows {
		out[r.Account] = r
	}
	return out, err
}

var insertDebitMarks = store.Insert{
	Table: "rule_debits",
	Columns: store.Columns(`loyalty_rule_id uuid, loyalty_account_id uuid, organization_id uuid, website_id uuid,
	clearing_job_id uuid, version bigint`),
	Conflict: `ON CONFLICT (loyalty_rule_id, loyalty_account_id) DO UPDATE SET
	clearing_job_id = excluded.clearing_job_id, version = excluded.version`,
}

// SaveDebitMarks stores up to which version accounts were debited for a rule that was deleted.
func (s *Service) SaveDebitMarks(
	ctx context.Context, tx *store.Tx, scope laurel.Scope, rule laurel.ID, marks []DebitMark,
) error {
	values := make([][]any, len(marks))
	for i, m := range marks {
		values[i] = []any{rule, m.Account, scope.OrganizationID, scope.WebsiteID, m.Job, m.Version}
	}
	_, err := tx.InsertRows(ctx, insertDebitMarks, values)
	return err
}

// ResetDescription is the description of a reset's transactions (contract 4.3).
const ResetDescription = "Currency reset"

// GoneUntil returns a version of each account: what a rule has paid up to it is no longer in the balance, because it
// was debited with the deleted rule, or removed by a reset. Other accounts are left out.
func (s *Service) GoneUntil(
	ctx context.Context, q store.Queryer, scope laurel.Scope, rule laurel.ID, accounts []laurel.ID,
) (map[laurel.ID]int64, error) {
	marks, err := s.DebitMarks(ctx, q, scope, rule, accounts)
	if err != nil || len(accounts) == 0 {
		return nil, err
	}
	out, err := s.lastResets(ctx, q, scope, accounts)
	for id, mark := range marks {
		out[id] = max(out[id], mark.Version)
	}
	return out, err
}
