package catalog

import (
	"context"
	"errors"

	"laurel"
	"laurel/internal/rules/schema"
	"laurel/internal/store"
)

// Preview returns the rule as an input would make it, without looking at what it names. Nothing is saved.
func (r Rule) Preview(in schema.Input) (Rule, error) {
	var f laurel.Faults
	in.Update(&r.Properties, &f)
	r.meta = nil
	return r, f.Err()
}

// errDraftRollback ends the transaction of a draft: it leaves nothing behind.
var errDraftRollback = errors.New("catalog: a draft is not written")

// CheckDraft checks a draft of the rule as an update of it is checked, with all that it names. Nothing is saved.
// Errors: those of Update.
func (s *Service) CheckDraft(ctx context.Context, scope laurel.Scope, r Rule, in schema.Input) error {
	before := r.Properties
	preview, err := r.Preview(in)
	if err != nil {
		return err
	}
	err = s.db.InTx(ctx, func(tx *store.Tx) error {
		attempt := preview // an attempt that failed may have filled a default
		n := referenceCheck{rule: &attempt, before: &before}
		if err := s.checkReferences(ctx, tx, scope.At(r.WebsiteID), n); err != nil {
			return err
		}
		return errDraftRollback
	})
	if errors.Is(err, errDraftRollback) {
		return nil
	}
	return err
}
