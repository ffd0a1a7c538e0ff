package engagement

import (
	"context"

	"laurel"
	"laurel/internal/store"
)

// pendingEnding is a deleted rule with multipliers that are still to be ended.
type pendingEnding struct {
	RuleID         laurel.ID `db:"loyalty_rule_id"`
	OrganizationID laurel.ID `db:"organization_id"`
	WebsiteID      laurel.ID `db:"website_id"`
}

func (r pendingEnding) scope() laurel.Scope {
	return laurel.Scope{OrganizationID: r.OrganizationID, WebsiteID: r.WebsiteID}
}

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

// insertEnding stores that multipliers of a deleted rule are still to be ended.
func insertEnding(ctx context.Context, tx *store.Tx, r pendingEnding) error {
	_, err := tx.Exec(
		ctx,
		"INSERT INTO multiplier_endings (loyalty_rule_id, organization_id, website_id, created_at) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING",
		r.RuleID,
		r.OrganizationID,
		r.WebsiteID,
		store.Micros(tx.Now()),
	)
	return err
}

// selectPendingEndings reads up to 16 deleted rules whose multipliers are still to be ended, oldest first.
func selectPendingEndings(ctx context.Context, q store.Queryer) ([]pendingEnding, error) {
	var rows []pendingEnding
	err := q.Select(
		ctx,
		&rows,
		"SELECT loyalty_rule_id, organization_id, website_id FROM multiplier_endings ORDER BY created_at, loyalty_rule_id LIMIT 16",
	)
	return rows, err
}

// lockEnding locks a pending ending until tx ends. It returns false if another node holds the lock or has finished it.
func lockEnding(ctx context.Context, tx *store.Tx, rule laurel.ID) (bool, error) {
	var ids []laurel.ID
	err := tx.Select(
		ctx,
		&ids,
		"SELECT loyalty_rule_id FROM multiplier_endings WHERE loyalty_rule_id = ?"+tx.ForUpdateSkip(),
		rule,
	)
	return len(ids) > 0, err
}

// deleteEnding removes an ending that is complete.
func deleteEnding(ctx context.Context, tx *store.Tx, rule laurel.ID) error {
	_, err := tx.Exec(ctx, "DELETE FROM multiplier_endings WHERE loyalty_rule_id = ?", rule)
	return err
}

// hasPendingEnding reports whether multipliers of the rule are still to be ended.
func hasPendingEnding(ctx context.Context, q store.Queryer, rule laurel.ID) (bool, error) {
	var n int
	err := q.Get(ctx, &n, "SELECT COUNT(*) FROM multiplier_endings WHERE loyalty_rule_id = ?", rule)
	return n > 0, err
}
