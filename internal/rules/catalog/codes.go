package catalog

import (
	"context"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/rules/codes"
)

// CodePage is a page of a rule's codes.
type CodePage struct {
	laurel.Page[codes.Code]
	Complete bool // all requested codes have been generated
}

// ListCodes returns a page of the codes of a rule, newest first, and whether all requested codes have been generated.
// Only secret keys may call it (contract 3.13). It returns NotFound "Loyalty rule" if the scope has no such rule.
func (s *Service) ListCodes(
	ctx context.Context,
	scope laurel.Scope,
	rule laurel.ID,
	f codes.Filter,
	page laurel.PageRequest,
) (CodePage, error) {
	due, err := areCodesDue(ctx, s.db, scope, rule) // read first: a list that is reported as complete must be complete
	if err != nil {
		return CodePage{}, err
	}
	list, err := codes.List(ctx, s.db, rule, f, page)
	return CodePage{list, !due}, err
}
