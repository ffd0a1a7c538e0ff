package engagement

import (
	"context"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/store"
)

// grantedPage selects multipliers that a rule has granted.
type grantedPage struct {
	website, rule, after laurel.ID // after is the last user of the page before; zero: from the start
	limit                int
}

// selectGrantedMultipliers reads a page of the live multipliers that a rule has granted, in the order of their users'
// ids.
func selectGrantedMultipliers(ctx context.Context, q store.Queryer, p grantedPage) ([]GrantedMultiplier, error) {
	var w store.Where
	w.Add("loyalty_rule_id = ? AND website_id = ?", p.rule, p.website)
	w.Add("deleted_at IS NULL")
	if !p.after.IsZero() {
		w.Add("user_id > ?", p.after)
	}
	var list []GrantedMultiplier
	err := q.Select(
		ctx,
		&list,
		"SELECT id, user_id FROM loyalty_multipliers"+w.String()+" ORDER BY user_id LIMIT ?",
		append(w.Args, p.limit)...)
	return list, err
}
