package rules

import (
	"context"

	"laurel"
	"laurel/internal/store"
)

const selectCode = "SELECT t.id, t.loyalty_rule_id, t.code, t.redeemed_by_user_id, t.redeemed_at, t.created_at FROM rule_codes t"

var insertCode = store.Insert{Table: "rule_codes", Conflict: "ON CONFLICT DO NOTHING",
	Columns: store.Columns("id uuid, organization_id uuid, website_id uuid, loyalty_rule_id uuid, code text, created_at bigint")}

// insertCodes makes n codes and answers how many are new: one that exists by chance is left out.
func insertCodes(ctx context.Context, tx *store.Tx, rule Rule, n int) (int, error) {
	values := make([][]any, n)
	for i := range values {
		values[i] = []any{tx.NewID(), rule.OrganizationID, rule.WebsiteID, rule.ID, newCode(tx), store.Micros(tx.Now())}
	}
	made, err := tx.InsertRows(ctx, insertCode, values)
	return int(made), err
}

// setCodesDue notes on the rule whether codes are still to be made.
func setCodesDue(ctx context.Context, tx *store.Tx, rule laurel.ID, due bool) error {
	_, err := tx.Exec(ctx, "UPDATE loyalty_rules SET codes_due = ? WHERE id = ?", due, rule)
	return err
}

// codesDue reports whether codes of the rule are still to be made.
func codesDue(ctx context.Context, q store.Queryer, scope laurel.Scope, rule laurel.ID) (bool, error) {
	var w store.Where
	w.Add("id = ?", rule)
	w.Tenant("", scope)
	var due bool
	err := q.Get(ctx, &due, "SELECT codes_due FROM loyalty_rules"+w.String(), w.Args...)
	if store.NoRows(err) {
		return false, laurel.Missing("Loyalty rule")
	}
	return due, err
}

// rulesWithCodesDue reads a page of live rules of every tenant, by id.
func rulesWithCodesDue(ctx context.Context, q store.Queryer, after laurel.ID) ([]ruleRow, error) {
	var w store.Where
	w.Add("codes_due AND deleted_at IS NULL")
	if !after.IsZero() {
		w.Add("id > ?", after)
	}
	var rows []ruleRow
	err := q.Select(ctx, &rows, "SELECT id, organization_id, website_id FROM loyalty_rules"+w.String()+" ORDER BY id LIMIT 100", w.Args...)
	return rows, err
}

var updateCode = store.Update{Table: "rule_codes", Keys: store.Columns("id uuid"), Set: store.Columns("redeemed_by_user_id uuid, redeemed_at bigint")}

func saveRedeemed(ctx context.Context, tx *store.Tx, rows []*codeRow) error {
	values := make([][]any, len(rows))
	for i, c := range rows {
		values[i] = []any{c.ID, c.RedeemedBy, orNull(c.RedeemedAt)}
	}
	_, err := tx.UpdateRows(ctx, updateCode, values)
	return err
}

func countCodes(ctx context.Context, q store.Queryer, rule laurel.ID) (int, error) {
	var n int
	err := q.Get(ctx, &n, "SELECT COUNT(*) FROM rule_codes WHERE loyalty_rule_id = ?", rule)
	return n, err
}

// withCodes answers which of the rules have codes.
func withCodes(ctx context.Context, q store.Queryer, rules []laurel.ID) (map[laurel.ID]bool, error) {
	var w store.Where
	store.In(&w, "r.id", rules)
	w.Add("EXISTS (SELECT 1 FROM rule_codes c WHERE c.loyalty_rule_id = r.id)")
	var ids []laurel.ID
	err := q.Select(ctx, &ids, "SELECT r.id FROM loyalty_rules r"+w.String(), w.Args...)
	out := make(map[laurel.ID]bool, len(ids))
	for _, id := range ids {
		out[id] = true
	}
	return out, err
}

func listCodes(ctx context.Context, q store.Queryer, rule laurel.ID, f CodeFilter, page laurel.PageRequest) ([]codeRow, error) {
	var w store.Where
	w.Add("t.loyalty_rule_id = ?", rule)
	if f.Redeemed != nil && *f.Redeemed {
		w.Add("t.redeemed_at IS NOT NULL")
	} else if f.Redeemed != nil {
		w.Add("t.redeemed_at IS NULL")
	}
	if !page.StartingAfter.IsZero() {
		var after codeRow
		err := q.Get(ctx, &after, selectCode+" WHERE t.loyalty_rule_id = ? AND t.id = ?", rule, page.StartingAfter)
		if store.NoRows(err) {
			return nil, laurel.ErrCursor()
		}
		if err != nil {
			return nil, err
		}
		w.After("t.created_at", "t.id", true, after.CreatedAt, after.ID)
	}
	var rows []codeRow
	err := q.Select(ctx, &rows, selectCode+w.String()+" ORDER BY t.created_at DESC, t.id DESC LIMIT ?", append(w.Args, page.Limit+1)...)
	return rows, err
}
