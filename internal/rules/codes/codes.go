// Package codes owns the codes of rules that can be redeemed once each. It does not own which rules have codes and how
// many (catalog), nor whether a member may redeem a code (ruletypes).
package codes

import (
	"bytes"
	"cmp"
	"context"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/store"
)

// Code is a code that can be redeemed once (contract 4.2).
type Code struct {
	ID           laurel.ID
	Code         string
	RedeemedByID laurel.ID // zero: not redeemed
	RedeemedAt   time.Time
	CreatedAt    time.Time
}

// Key identifies a code of a rule.
type Key struct {
	Rule laurel.ID
	Code string
}

// Row is a code as Works read and change it. A row without an ID does not exist.
type Row struct {
	ID         laurel.ID `db:"id"`
	RuleID     laurel.ID `db:"loyalty_rule_id"`
	Code       string    `db:"code"`
	RedeemedBy laurel.ID `db:"redeemed_by_user_id"`
	RedeemedAt *int64    `db:"redeemed_at"`
	CreatedAt  int64     `db:"created_at"`
}

// IsFree reports whether the code exists and is not redeemed.
func (r *Row) IsFree() bool { return !r.ID.IsZero() && r.RedeemedAt == nil }

// toCode returns the code as callers see it.
func (r Row) toCode() Code {
	out := Code{ID: r.ID, Code: r.Code, RedeemedByID: r.RedeemedBy, CreatedAt: store.Time(r.CreatedAt)}
	if r.RedeemedAt != nil {
		out.RedeemedAt = store.Time(*r.RedeemedAt)
	}
	return out
}

// Table is the table by which Works lock and redeem codes.
var Table = &store.Table[Key, Row]{
	Name: "codes", Rank: store.LockRankRuleCodes,
	Compare: func(a, b Key) int { return cmp.Or(bytes.Compare(a.Rule[:], b.Rule[:]), cmp.Compare(a.Code, b.Code)) },
	Query:   selectCode,
	Key:     store.Columns("loyalty_rule_id uuid, code text"),
	Args:    func(k Key) []any { return []any{k.Rule, k.Code} },
	KeyOf:   func(r *Row) Key { return Key{r.RuleID, r.Code} },
	New:     func(k Key) *Row { return &Row{RuleID: k.Rule, Code: k.Code} },
	Save:    saveRedeemed,
}

// Filter selects the codes that List returns: redeemed ones, others, or both (nil).
type Filter struct{ Redeemed *bool }

// List returns a page of the codes of a rule, newest first. The caller has checked that the rule is in the scope.
func List(
	ctx context.Context,
	q store.Queryer,
	rule laurel.ID,
	f Filter,
	page laurel.PageRequest,
) (laurel.Page[Code], error) {
	rows, err := selectPage(ctx, q, rule, f, page)
	return laurel.MapPage(rows, Row.toCode), err
}

// Add adds codes to a rule of one website and returns how many are new. Codes that the rule has already are skipped.
func Add(ctx context.Context, tx *store.Tx, scope laurel.Scope, rule laurel.ID, texts []string) (int, error) {
	values := make([][]any, len(texts))
	for i, text := range texts {
		values[i] = []any{tx.NewID(), scope.OrganizationID, scope.WebsiteID, rule, text, store.Micros(tx.Now())}
	}
	inserted, err := tx.InsertRows(ctx, insertCode, values)
	return int(inserted), err
}
