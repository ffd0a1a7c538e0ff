package catalog

import (
	"context"
	"errors"

	"laurel"
	"laurel/internal/rules/schema"
	"laurel/internal/store"
)

// Drafted returns the rule as an input would make it, without looking at what it names. Nothing is saved.
func (r Rule) Drafted(in schema.Input) (Rule, error) {
	var f laurel.Faults
	in.Update(&r.Properties, &f)
	r.meta = nil
	return r, f.Err()
}

// errUnwritten ends the transaction of a draft: it leaves nothing behind.
var errUnwritten = errors.New("catalog: a draft is not written")

// CheckDraft checks a draft of the rule as an update of it is checked, with all that it names. Nothing is saved.
// Errors: those of Update.
func (s *Service) CheckDraft(ctx context.Context, scope laurel.Scope, r Rule, in schema.Input) error {
	before := r.Properties
	draft, err := r.Drafted(in)
	if err != nil {
		return err
	}
	err = s.db.InTx(ctx, func(tx *store.Tx) error {
		named := draft // an attempt that failed may have filled a default
		n := references{of: &named, before: &before}
		if err := s.checkReferences(ctx, tx, scope.At(r.WebsiteID), n); err != nil {
			return err
		}
		return errUnwritten
	})
	if errors.Is(err, errUnwritten) {
		return nil
	}
	return err
}
