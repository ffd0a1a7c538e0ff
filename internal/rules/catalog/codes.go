package catalog

import (
	"context"

	"laurel"
	"laurel/internal/rules/codes"
)

// CodePage is a page of a rule's codes.
type CodePage struct {
	laurel.Page[codes.Code]
	Complete bool // no more codes are being made
}

// ListCodes returns the codes of a rule, newest first. Secret keys only (contract 3.13); NotFound "Loyalty rule"
// outside the scope.
func (s *Service) ListCodes(
	ctx context.Context,
	scope laurel.Scope,
	rule laurel.ID,
	f codes.Filter,
	page laurel.PageRequest,
) (CodePage, error) {
	due, err := codesDue(ctx, s.db, scope, rule) // before the list, so that what is told complete is
	if err != nil {
		return CodePage{}, err
	}
	list, err := codes.List(ctx, s.db, rule, f, page)
	return CodePage{list, !due}, err
}
