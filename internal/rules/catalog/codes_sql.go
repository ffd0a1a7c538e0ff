package catalog

import (
	"context"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/store"
)

// setCodesDue stores on the rule whether codes are still to be generated.
func setCodesDue(ctx context.Context, tx *store.Tx, rule laurel.ID, due bool) error {
	_, err := tx.Exec(ctx, "UPDATE loyalty_rules SET codes_due = ? WHERE id = ?", due, rule)
	return err
}

// areCodesDue reports whether the rule asks for codes that are still to be generated. It returns NotFound "Loyalty
// rule" for a rule outside the scope.
func areCodesDue(ctx context.Context, q store.Queryer, scope laurel.Scope, rule laurel.ID) (bool, error) {
	var w store.Where
	w.Add("id = ?", rule)
	w.Tenant("", scope)
	var due bool
	err := q.Get(ctx, &due, "SELECT codes_due FROM loyalty_rules"+w.String(), w.Args...)
	if store.IsNoRows(err) {
		return false, laurel.Missing("Loyalty rule")
	}
	return due, err
}

// selectRulesMissingCodes reads up to 100 live rules of all tenants whose requested codes are not all generated yet,
// ordered by id: those with a greater id than after, or the first ones if after is zero. Only their ids and tenants are
// read.
func selectRulesMissingCodes(ctx context.Context, q store.Queryer, after laurel.ID) ([]ruleRow, error) {
	var w store.Where
	w.Add("codes_due AND deleted_at IS NULL")
	if !after.IsZero() {
		w.Add("id > ?", after)
	}
	var rows []ruleRow
	err := q.Select(
		ctx,
		&rows,
		"SELECT id, organization_id, website_id FROM loyalty_rules"+w.String()+" ORDER BY id LIMIT 100",
		w.Args...)
	return rows, err
}
