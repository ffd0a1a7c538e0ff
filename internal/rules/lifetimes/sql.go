package lifetimes

import (
	"context"
	"time"

	"laurel"
	"laurel/internal/store"
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

// place is what only the node changes that carries the check on.
func (c *checkRow) place() [3]any {
	var began any
	if c.BeganAt != nil {
		began = *c.BeganAt
	}
	return [3]any{c.DueAt, began, c.LastUserID}
}

// finish ends the check; the next one comes a day after this one began, or with the rule's next run.
func (c *checkRow) finish() {
	c.DueAt = store.Micros(store.Time(*c.BeganAt).Add(every)) // takeCheck has begun it
	c.BeganAt, c.LastUserID = nil, laurel.ID{}
}

const selectChecks = "SELECT loyalty_rule_id, organization_id, website_id, revision, due_at, began_at, last_user_id FROM lifetime_checks"

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

// dueChecks returns some of the rules that are to be checked, those that wait longest first.
func dueChecks(ctx context.Context, q store.Queryer, now time.Time) ([]laurel.ID, error) {
	var ids []laurel.ID
	err := q.Select(
		ctx,
		&ids,
		"SELECT loyalty_rule_id FROM lifetime_checks WHERE due_at <= ? ORDER BY due_at, loyalty_rule_id LIMIT 16",
		store.Micros(now),
	)
	return ids, err
}

// takeCheck leases a check that is due; false where another node holds it or was first.
func takeCheck(ctx context.Context, tx *store.Tx, rule laurel.ID) (checkRow, bool, error) {
	var rows []checkRow
	if err := tx.Select(
		ctx,
		&rows,
		selectChecks+" WHERE loyalty_rule_id = ? AND due_at <= ?"+tx.ForUpdateSkip(),
		rule,
		store.Micros(tx.Now()),
	); err != nil ||
		len(rows) == 0 {
		return checkRow{}, false, err
	}
	c := rows[0]
	now := store.Micros(tx.Now())
	c.DueAt = store.Micros(tx.Now().Add(lease))
	if c.BeganAt == nil {
		c.BeganAt = &now
	}
	return c, true, saveCheck(ctx, tx, c)
}

// lockCheck holds a check until the transaction ends.
func lockCheck(ctx context.Context, tx *store.Tx, rule laurel.ID) (c checkRow, known bool, err error) {
	err = tx.Get(ctx, &c, selectChecks+" WHERE loyalty_rule_id = ?"+tx.ForUpdate(), rule)
	if store.NoRows(err) {
		return checkRow{}, false, nil
	}
	return c, err == nil, err
}

func saveCheck(ctx context.Context, tx *store.Tx, c checkRow) error {
	place := c.place()
	_, err := tx.Exec(
		ctx,
		"UPDATE lifetime_checks SET due_at = ?, began_at = ?, last_user_id = ? WHERE loyalty_rule_id = ?",
		place[0],
		place[1],
		c.LastUserID,
		c.RuleID,
	)
	return err
}
