package dynamicrewards

import (
	"context"
	"time"

	"laurel"
	"laurel/internal/store"
	"laurel/internal/worker"
)

// checkRow says when a rule is checked and how far that has come.
type checkRow struct {
	RuleID         laurel.ID `db:"loyalty_rule_id"`
	OrganizationID laurel.ID `db:"organization_id"`
	WebsiteID      laurel.ID `db:"website_id"`
	Revision       int64     `db:"revision"`
	DueAt          int64     `db:"due_at"`       // while it is under way: until then it is its node's
	BeganAt        *int64    `db:"began_at"`     // nil: not under way
	LastUserID     laurel.ID `db:"last_user_id"` // zero: nobody was looked at yet
}

func (c *checkRow) scope() laurel.Scope {
	return laurel.Scope{OrganizationID: c.OrganizationID, WebsiteID: c.WebsiteID, Role: laurel.RoleWebsite}
}

// begin notes when a check began that is not under way.
func (c *checkRow) begin(at time.Time) {
	if us := store.Micros(at); c.BeganAt == nil {
		c.BeganAt = &us
	}
}

// leased is how the queue takes checks.
var leased = worker.Leased{
	Table: "lifetime_checks", Key: "loyalty_rule_id", Due: "due_at", Open: "due_at IS NOT NULL", OwnerColumn: "website_id",
	Columns: "loyalty_rule_id, organization_id, website_id, revision, due_at, began_at, last_user_id",
}

// putCheck notes a rule that was saved. A check that is under way goes on where it is, and the next one stays due when
// it was; both judge by what the rule asks for from now on.
func putCheck(ctx context.Context, tx *store.Tx, c checkRow) error {
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

func deleteCheck(ctx context.Context, tx *store.Tx, rule laurel.ID) error {
	_, err := tx.Exec(ctx, "DELETE FROM lifetime_checks WHERE loyalty_rule_id = ?", rule)
	return err
}

// dueNow makes the check of a rule due that is not under way.
func dueNow(ctx context.Context, tx *store.Tx, rule laurel.ID) error {
	_, err := tx.Exec(
		ctx,
		"UPDATE lifetime_checks SET due_at = ? WHERE loyalty_rule_id = ? AND began_at IS NULL",
		store.Micros(tx.Now()),
		rule,
	)
	return err
}

// revisionOf returns how often the rule of a check that the transaction holds was saved.
func revisionOf(ctx context.Context, tx *store.Tx, rule laurel.ID) (revision int64, err error) {
	err = tx.Get(ctx, &revision, "SELECT revision FROM lifetime_checks WHERE loyalty_rule_id = ?", rule)
	return revision, err
}

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
