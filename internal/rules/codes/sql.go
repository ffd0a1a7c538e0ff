package codes

import (
	"context"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/store"
)

const selectCode = "SELECT t.id, t.loyalty_rule_id, t.code, t.redeemed_by_user_id, t.redeemed_at, t.created_at FROM rule_codes t"

var insertCode = store.Insert{
	Table:    "rule_codes",
	Conflict: store.IgnoreConflicts,
	Columns: store.Columns(
		"id uuid, organization_id uuid, website_id uuid, loyalty_rule_id uuid, code text, created_at bigint",
	),
}

var updateCode = store.Update{
	Table: "rule_codes",
	Keys:  store.Columns("id uuid"),
	Set:   store.Columns("redeemed_by_user_id uuid, redeemed_at bigint"),
}

// saveRedeemed stores who redeemed the codes, and when. It is Table's Save: the store calls it with the codes that a
// batch of completions has changed.
func saveRedeemed(ctx context.Context, tx *store.Tx, rows []*Row) error {
	values := make([][]any, len(rows))
	for i, c := range rows {
		values[i] = []any{c.ID, c.RedeemedBy, *c.RedeemedAt}
	}
	_, err := tx.UpdateRows(ctx, updateCode, values)
	return err
}

// Count returns how many codes a rule has.
func Count(ctx context.Context, q store.Queryer, rule laurel.ID) (int, error) {
	var n int
	err := q.Get(ctx, &n, "SELECT COUNT(*) FROM rule_codes WHERE loyalty_rule_id = ?", rule)
	return n, err
}

// selectPage reads a page of the codes of a rule, newest first.
func selectPage(
	ctx context.Context,
	q store.Queryer,
	rule laurel.ID,
	f Filter,
	page laurel.PageRequest,
) (laurel.Page[Row], error) {
	var none laurel.Page[Row]
	var w store.Where
	w.Add("t.loyalty_rule_id = ?", rule)
	if f.Redeemed != nil && *f.Redeemed {
		w.Add("t.redeemed_at IS NOT NULL")
	} else if f.Redeemed != nil {
		w.Add("t.redeemed_at IS NULL")
	}
	if !page.StartingAfter.IsZero() {
		var after Row
		err := q.Get(ctx, &after, selectCode+" WHERE t.loyalty_rule_id = ? AND t.id = ?", rule, page.StartingAfter)
		if store.IsNoRows(err) {
			return none, laurel.ErrCursor()
		}
		if err != nil {
			return none, err
		}
		w.After("t.created_at", "t.id", true, after.CreatedAt, after.ID)
	}
	return store.SelectPage[Row](
		ctx,
		q,
		page.Limit,
		selectCode+w.String()+" ORDER BY t.created_at DESC, t.id DESC",
		w.Args...)
}

// HaveCodes returns, by rule, whether the rule has a code. It asks rule by rule, so that the database reads one row of
// each however many codes there are.
func HaveCodes(ctx context.Context, q store.Queryer, rules []laurel.ID) (map[laurel.ID]bool, error) {
	out := make(map[laurel.ID]bool, len(rules))
	for _, rule := range rules {
		var found []int
		if err := q.Select(ctx, &found, "SELECT 1 FROM rule_codes WHERE loyalty_rule_id = ? LIMIT 1", rule); err != nil {
			return nil, err
		}
		out[rule] = len(found) > 0
	}
	return out, nil
}
