package dynamicrewards

import (
	"context"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/store"
	"laurel.example/laurel/internal/worker"
)

// checkRow says when a rule is checked next, and how far a check has come.
type checkRow struct {
	RuleID         laurel.ID `db:"loyalty_rule_id"`
	OrganizationID laurel.ID `db:"organization_id"`
	WebsiteID      laurel.ID `db:"website_id"`
	Revision       int64     `db:"revision"`
	DueAt          int64     `db:"due_at"`       // if it is under way: the end of its lease
	BeganAt        *int64    `db:"began_at"`     // nil: not under way
	LastUserID     laurel.ID `db:"last_user_id"` // the last member checked; zero: none yet
}

// scope returns the scope of the rule's website.
func (c *checkRow) scope() laurel.Scope {
	return laurel.Scope{OrganizationID: c.OrganizationID, WebsiteID: c.WebsiteID, Role: laurel.RoleWebsite}
}

// start notes when the check began, unless it is under way.
func (c *checkRow) start(at time.Time) {
	if us := store.Micros(at); c.BeganAt == nil {
		c.BeganAt = &us
	}
}

// leasedChecks says how the queue leases checks.
var leasedChecks = worker.QueueTable{
	Table: "lifetime_checks", Key: "loyalty_rule_id", Due: "due_at", Open: "due_at IS NOT NULL", OwnerColumn: "website_id",
	Columns: "loyalty_rule_id, organization_id, website_id, revision, due_at, began_at, last_user_id",
}

// upsertCheck inserts the check of a saved rule, or raises its revision. A check that is under way goes on, and the
// next one stays due when it was. Both use the requirements of the saved rule.
func upsertCheck(ctx context.Context, tx *store.Tx, c checkRow) error {
	_, err := tx.Exec(
		ctx,
		`INSERT INTO lifetime_checks (loyalty_rule_id, organization_id, website_id, revision, due_at) VALUES (?, ?, ?, 1, ?)
		ON CONFLICT (loyalty_rule_id) DO UPDATE SET revision = lifetime_checks.revision + 1`,
		c.RuleID,
		c.OrganizationID,
		c.WebsiteID,
		c.DueAt,
	)
	return err
}

// deleteCheck removes the check of a rule.
func deleteCheck(ctx context.Context, tx *store.Tx, rule laurel.ID) error {
	_, err := tx.Exec(ctx, "DELETE FROM lifetime_checks WHERE loyalty_rule_id = ?", rule)
	return err
}

// makeDue makes the check of a rule due, unless it is under way.
func makeDue(ctx context.Context, tx *store.Tx, rule laurel.ID) error {
	_, err := tx.Exec(
		ctx,
		"UPDATE lifetime_checks SET due_at = ? WHERE loyalty_rule_id = ? AND began_at IS NULL",
		store.Micros(tx.Now()),
		rule,
	)
	return err
}

// selectNotDue returns the rules of the scope whose checks are neither due nor under way, in the order of their ids.
func selectNotDue(ctx context.Context, tx *store.Tx, scope laurel.Scope) (rules []laurel.ID, err error) {
	w := store.OfTenant(scope)
	w.Add("due_at > ? AND began_at IS NULL", store.Micros(tx.Now()))
	err = tx.Select(
		ctx, &rules, "SELECT loyalty_rule_id FROM lifetime_checks"+w.String()+" ORDER BY loyalty_rule_id", w.Args...)
	return rules, err
}

// selectRevision returns how often the rule of a check was saved. The transaction holds the lease.
func selectRevision(ctx context.Context, tx *store.Tx, rule laurel.ID) (revision int64, err error) {
	err = tx.Get(ctx, &revision, "SELECT revision FROM lifetime_checks WHERE loyalty_rule_id = ?", rule)
	return revision, err
}

// saveCheck saves how far a check has come.
func saveCheck(ctx context.Context, tx *store.Tx, c *checkRow) error {
	_, err := tx.Exec(
		ctx,
		"UPDATE lifetime_checks SET began_at = ?, last_user_id = ? WHERE loyalty_rule_id = ?",
		store.OrNull(c.BeganAt),
		c.LastUserID,
		c.RuleID,
	)
	return err
}
