package catalog

import (
	"context"
	"errors"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/rules/schema"
	"laurel.example/laurel/internal/store"
)

// Preview returns a copy of the rule with an input applied. It checks the properties but not the records that they
// refer to, and saves nothing.
func (r Rule) Preview(in schema.Input) (Rule, error) {
	var f laurel.Faults
	in.Update(&r.Properties, &f)
	r.meta = nil
	return r, f.Err()
}

// errDraftRollback rolls back the transaction in which a draft is checked.
var errDraftRollback = errors.New("catalog: a draft is not written")

// CheckDraft checks a change of the rule as Update does, and saves nothing. It also checks that the records exist to
// which the rule would newly refer. It returns the errors of Update.
func (s *Service) CheckDraft(ctx context.Context, scope laurel.Scope, r Rule, in schema.Input) error {
	before := r.Properties
	preview, err := r.Preview(in)
	if err != nil {
		return err
	}
	err = s.db.InTx(ctx, func(tx *store.Tx) error {
		attempt := preview // a copy: an attempt of the transaction that failed may have filled in defaults
		check := referenceCheck{rule: &attempt, before: &before}
		if err := s.checkReferences(ctx, tx, scope.At(r.WebsiteID), check); err != nil {
			return err
		}
		return errDraftRollback
	})
	if errors.Is(err, errDraftRollback) {
		return nil
	}
	return err
}
