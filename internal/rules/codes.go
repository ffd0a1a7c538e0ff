package rules

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"strings"

	"laurel"
	"laurel/internal/codes"
)

// CodePage is a page of a rule's codes.
type CodePage struct {
	laurel.Page[codes.Code]
	Complete bool // no more codes are being made
}

// ListCodes answers the codes of a rule, newest first. Secret keys only (contract 3.13); NotFound "Loyalty rule" outside the scope.
func (s *Service) ListCodes(ctx context.Context, scope laurel.Scope, rule laurel.ID, f codes.Filter, page laurel.PageRequest) (CodePage, error) {
	due, err := codesDue(ctx, s.db, scope, rule) // before the list, so that what is told complete is
	if err != nil {
		return CodePage{}, err
	}
	list, err := codes.List(ctx, s.db, rule, f, page)
	return CodePage{list, !due}, err
}

// entered is what the caller typed, without space around it.
func (in CompleteInput) entered() string { return strings.TrimSpace(in.VerificationCode) }

// maxCodeInKey is how long a code may be and still stand in the key of its window; a longer one would not fit into an index.
const maxCodeInKey = 200

// codeWindow is the key of the window that a code opens where each code is good once.
func (in CompleteInput) codeWindow() string {
	code := in.entered()
	if len(code) > maxCodeInKey {
		sum := sha256.Sum256([]byte(code))
		return "code-hash:" + hex.EncodeToString(sum[:])
	}
	return "code:" + code
}
