package rules

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"time"

	"laurel"
	"laurel/internal/store"
)

// Code is a code that is good for one redemption (contract 4.2).
type Code struct {
	ID           laurel.ID
	Code         string
	RedeemedByID laurel.ID // zero: free
	RedeemedAt   time.Time
	CreatedAt    time.Time
}

// codeKey names a code of a rule.
type codeKey struct {
	Rule laurel.ID
	Code string
}

type codeRow struct {
	ID         laurel.ID `db:"id"`
	RuleID     laurel.ID `db:"loyalty_rule_id"`
	Code       string    `db:"code"`
	RedeemedBy laurel.ID `db:"redeemed_by_user_id"`
	RedeemedAt *int64    `db:"redeemed_at"`
	CreatedAt  int64     `db:"created_at"`
}

// free reports whether the code exists and nobody has redeemed it.
func (c *codeRow) free() bool { return !c.ID.IsZero() && c.RedeemedAt == nil }

func (c codeRow) shape() Code {
	out := Code{ID: c.ID, Code: c.Code, RedeemedByID: c.RedeemedBy, CreatedAt: store.Time(c.CreatedAt)}
	if c.RedeemedAt != nil {
		out.RedeemedAt = store.Time(*c.RedeemedAt)
	}
	return out
}

var codes = &store.Table[codeKey, codeRow]{
	Name: "codes", Rank: rankCodes,
	Compare: func(a, b codeKey) int { return cmp.Or(compareIDs(a.Rule, b.Rule), cmp.Compare(a.Code, b.Code)) },
	Query:   selectCode,
	Key:     store.Columns("loyalty_rule_id uuid, code text"),
	Args:    func(k codeKey) []any { return []any{k.Rule, k.Code} },
	KeyOf:   func(c *codeRow) codeKey { return codeKey{c.RuleID, c.Code} },
	New:     func(k codeKey) *codeRow { return &codeRow{RuleID: k.Rule, Code: k.Code} },
	Mode:    store.LockUpdate,
	Save:    saveRedeemed,
}

// CodeFilter narrows ListCodes.
type CodeFilter struct{ Redeemed *bool }

// CodePage is a page of a rule's codes.
type CodePage struct {
	laurel.Page[Code]
	Complete bool // no more codes are being made
}

// ListCodes answers the codes of a rule, newest first. Secret keys only (contract 3.13); NotFound "Loyalty rule" outside the scope.
func (s *Service) ListCodes(ctx context.Context, scope laurel.Scope, rule laurel.ID, f CodeFilter, page laurel.PageRequest) (CodePage, error) {
	due, err := codesDue(ctx, s.db, scope, rule) // before the list, so that what is told complete is
	if err != nil {
		return CodePage{}, err
	}
	rows, err := listCodes(ctx, s.db, rule, f, page)
	return CodePage{laurel.MapPage(laurel.PageOf(rows, page.Limit), codeRow.shape), !due}, err
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
