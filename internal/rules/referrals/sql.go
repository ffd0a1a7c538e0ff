package referrals

import (
	"context"
	"slices"
	"strings"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/store"
	"laurel.example/laurel/internal/worker"
)

const selectCodes = "SELECT id, organization_id, website_id, loyalty_rule_id, user_id, code, created_at, updated_at FROM referral_codes"

// insertCode inserts a code. It returns false if the code is taken, or if the member has another code already.
func insertCode(ctx context.Context, tx *store.Tx, c Code) (bool, error) {
	n, err := tx.Exec(
		ctx,
		`INSERT INTO referral_codes (id, organization_id, website_id, loyalty_rule_id, user_id, code, code_key, created_at, updated_at)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
		c.ID,
		c.OrganizationID,
		c.WebsiteID,
		c.RuleID,
		c.UserID,
		c.Code,
		codeKey(c.Code),
		c.CreatedMicros,
		c.UpdatedMicros,
	)
	return n > 0, err
}

// selectCodeOf reads a member's code for a rule; sql.ErrNoRows if there is none.
func selectCodeOf(ctx context.Context, q store.Queryer, rule, user laurel.ID) (Code, error) {
	var c Code
	err := q.Get(ctx, &c, selectCodes+" WHERE loyalty_rule_id = ? AND user_id = ?", rule, user)
	return c, err
}

// selectCode reads the code that the input names; sql.ErrNoRows if there is none. If several websites of the
// organization have the code, it returns the oldest one.
func selectCode(ctx context.Context, q store.Queryer, scope laurel.Scope, in ReferInput) (Code, error) {
	var w store.Where
	w.Tenant("", scope)
	if in.CodeID.IsZero() {
		w.Add("code_key = ?", codeKey(in.Code))
	} else {
		w.Add("id = ?", in.CodeID)
	}
	var c Code
	err := q.Get(ctx, &c, selectCodes+w.String()+" ORDER BY created_at, id LIMIT 1", w.Args...)
	return c, err
}

// Referral is a referral and its state. Times are in microseconds.
type Referral struct {
	ID             laurel.ID     `db:"id"`
	OrganizationID laurel.ID     `db:"organization_id"`
	WebsiteID      laurel.ID     `db:"website_id"`
	RuleID         laurel.ID     `db:"loyalty_rule_id"`
	CodeID         laurel.ID     `db:"referral_code_id"`
	ReferrerID     laurel.ID     `db:"referrer_id"`
	RefereeID      laurel.ID     `db:"referee_id"`
	EligibleAt     *int64        `db:"eligible_at"` // when the rule's requirements were first met
	SettledAt      *int64        `db:"settled_at"`  // when welcome reward and referrer bonus were paid, or found never to be paid
	CheckAt        *int64        `db:"look_at"`
	ReferrerBonus  laurel.Amount `db:"lump_amount"` // paid to the referrer so far, in the rule's currency
	Tier1          laurel.Amount `db:"tier1_amount"`
	Tier2          laurel.Amount `db:"tier2_amount"`
	CreatedAt      int64         `db:"created_at"`
	UpdatedAt      int64         `db:"updated_at"`
}

const referralColumns = `t.id, t.organization_id, t.website_id, t.loyalty_rule_id, t.referral_code_id, t.referrer_id, t.referee_id, t.eligible_at, t.settled_at,
	t.look_at, t.lump_amount, t.tier1_amount, t.tier2_amount, t.created_at, t.updated_at`

const selectReferral = "SELECT " + referralColumns + " FROM referrals t"

var insertReferral = store.Insert{
	Table:    "referrals",
	Conflict: store.IgnoreConflicts,
	Columns: store.Columns(`id uuid, organization_id uuid, website_id uuid,
	loyalty_rule_id uuid, referral_code_id uuid, referrer_id uuid, referee_id uuid, look_at bigint, lump_amount bigint, tier1_amount bigint, tier2_amount bigint,
	created_at bigint, updated_at bigint`),
}

// insertReferrals inserts referrals of users by a code. It skips users who were referred already, and returns how many
// it has inserted. They have a lease: the request that creates them processes them at once, and the queue does so if
// the request fails.
func insertReferrals(ctx context.Context, tx *store.Tx, c Code, users []laurel.ID) (int, error) {
	now := store.Micros(tx.Now())
	rows := make([][]any, len(users))
	for i, user := range users {
		rows[i] = []any{
			tx.NewID(),
			c.OrganizationID,
			c.WebsiteID,
			c.RuleID,
			c.ID,
			c.UserID,
			user,
			store.Micros(tx.Now().Add(leaseTime)),
			0, // the bonus and the shares of both tiers
			0,
			0,
			now,
			now,
		}
	}
	n, err := tx.InsertRows(ctx, insertReferral, rows)
	return int(n), err
}

// selectAllReferrers returns all referrers of users, directly and through further referrals, by any rule of the
// website.
func selectAllReferrers(
	ctx context.Context, q store.Queryer, website laurel.ID, users []laurel.ID,
) ([]laurel.ID, error) {
	var all []laurel.ID
	for chunk := range slices.Chunk(users, 500) {
		var w store.Where
		w.Add("website_id = ?", website)
		store.In(&w, "referee_id", chunk)
		var ids []laurel.ID
		if err := q.Select(ctx, &ids, `WITH RECURSIVE above(id) AS (SELECT referrer_id FROM referrals`+w.String()+`
			UNION SELECT r.referrer_id FROM referrals r JOIN above a ON r.referee_id = a.id WHERE r.website_id = ?)
			SELECT id FROM above`, append(w.Args, website)...); err != nil {
			return nil, err
		}
		all = append(all, ids...)
	}
	return all, nil
}

// selectReferrals reads the referrals of referees for a rule.
func selectReferrals(ctx context.Context, q store.Queryer, rule laurel.ID, referees []laurel.ID) ([]Referral, error) {
	var w store.Where
	w.Add("t.loyalty_rule_id = ?", rule)
	store.In(&w, "t.referee_id", referees)
	var rows []Referral
	err := q.Select(ctx, &rows, selectReferral+w.String()+" ORDER BY t.referee_id", w.Args...)
	return rows, err
}

// selectPage reads a page of a rule's referrals, ordered by referee: those after p.After that were created until
// p.Until.
func selectPage(ctx context.Context, q store.Queryer, scope laurel.Scope, p Page) ([]Referral, error) {
	var rows []Referral
	err := q.Select(
		ctx,
		&rows,
		selectReferral+" WHERE t.loyalty_rule_id = ? AND t.website_id = ? AND t.referee_id > ? AND t.created_at <= ? ORDER BY t.referee_id LIMIT ?",
		p.RuleID,
		scope.WebsiteID,
		orLowestID(p.After),
		store.Micros(p.Until),
		p.Limit,
	)
	return rows, err
}

// queueTable describes the table of referrals to the queue. Referrals that wait for a change have no time.
var queueTable = worker.QueueTable{
	Table: "referrals", Key: "id", Due: "look_at", Open: "look_at IS NOT NULL", OwnerColumn: "website_id",
	Columns: strings.ReplaceAll(referralColumns, "t.", ""),
}

// hasSweep reports whether a sweep is enqueued. It is a read, so that an idle node writes nothing.
func hasSweep(ctx context.Context, q store.Queryer) (bool, error) {
	var ids []laurel.ID
	err := q.Select(ctx, &ids, "SELECT loyalty_rule_id FROM referral_sweeps LIMIT 1")
	return len(ids) > 0, err
}

// saveSettled stores that only referral shares are left to pay.
func (r Referral) saveSettled(ctx context.Context, tx *store.Tx) error {
	now := store.Micros(tx.Now())
	_, err := tx.Exec(
		ctx,
		"UPDATE referrals SET settled_at = ?, look_at = NULL, updated_at = ? WHERE id = ? AND settled_at IS NULL",
		now,
		now,
		r.ID,
	)
	return err
}

// markEligible stores that the rule's requirements are met.
func (r Referral) markEligible(ctx context.Context, tx *store.Tx) error {
	now := store.Micros(tx.Now())
	_, err := tx.Exec(
		ctx,
		"UPDATE referrals SET eligible_at = ?, updated_at = ? WHERE id = ? AND eligible_at IS NULL",
		now,
		now,
		r.ID,
	)
	return err
}

// markDueNow makes open referrals due now, also under another node's lease: that node may have read the state before
// the change. Further conditions are appended with AND.
const markDueNow = "UPDATE referrals SET look_at = ? WHERE settled_at IS NULL AND (look_at IS NULL OR look_at > ?)"

// markUsersDue marks the open referrals of referees as due.
func markUsersDue(ctx context.Context, tx *store.Tx, website laurel.ID, users []laurel.ID) error {
	if len(users) == 0 {
		return nil
	}
	now := store.Micros(tx.Now())
	w := store.Where{Args: []any{now, now}}
	w.Add("website_id = ?", website)
	store.In(&w, "referee_id", users)
	_, err := tx.Exec(ctx, markDueNow+strings.Replace(w.String(), " WHERE", " AND", 1), w.Args...)
	return err
}

// websitesWithOpenReferrals returns, by website, whether it has open referrals.
func websitesWithOpenReferrals(ctx context.Context, q store.Queryer, websites []laurel.ID) (map[laurel.ID]bool, error) {
	open := map[laurel.ID]bool{}
	for _, website := range websites {
		var found []laurel.ID
		if err := q.Select(
			ctx,
			&found,
			"SELECT website_id FROM referrals WHERE website_id = ? AND settled_at IS NULL LIMIT 1",
			website,
		); err != nil {
			return nil, err
		}
		open[website] = len(found) > 0
	}
	return open, nil
}

// insertSweep enqueues a sweep of a rule. The sweep marks all open referrals of the rule as due. A sweep that is under
// way starts again.
func insertSweep(ctx context.Context, tx *store.Tx, organization, website, rule laurel.ID) error {
	_, err := tx.Exec(
		ctx,
		`INSERT INTO referral_sweeps (loyalty_rule_id, organization_id, website_id, after_id) VALUES (?, ?, ?, NULL)
		ON CONFLICT (loyalty_rule_id) DO UPDATE SET after_id = NULL`,
		rule,
		organization,
		website,
	)
	return err
}

// ruleSweep is a pass over the open referrals of a rule; After is the last one marked.
type ruleSweep struct {
	RuleID laurel.ID `db:"loyalty_rule_id"`
	After  laurel.ID `db:"after_id"`
}

// advanceSweep marks the next sweepChunk open referrals of one sweep as due, and deletes the sweep at its end. It does
// nothing if no sweep is enqueued.
func advanceSweep(ctx context.Context, tx *store.Tx) error {
	var s ruleSweep
	err := tx.Get(
		ctx,
		&s,
		"SELECT loyalty_rule_id, after_id FROM referral_sweeps ORDER BY loyalty_rule_id LIMIT 1"+tx.ForUpdate(),
	)
	if store.IsNoRows(err) {
		return nil
	}
	if err != nil {
		return err
	}
	var ids []laurel.ID
	if err := tx.Select(
		ctx,
		&ids,
		"SELECT id FROM referrals WHERE loyalty_rule_id = ? AND settled_at IS NULL AND id > ? ORDER BY id LIMIT ?",
		s.RuleID,
		orLowestID(s.After),
		sweepChunk,
	); err != nil {
		return err
	}
	if len(ids) < sweepChunk {
		_, err = tx.Exec(ctx, "DELETE FROM referral_sweeps WHERE loyalty_rule_id = ?", s.RuleID)
	} else {
		_, err = tx.Exec(ctx, "UPDATE referral_sweeps SET after_id = ? WHERE loyalty_rule_id = ?", ids[len(ids)-1], s.RuleID)
	}
	if err != nil || len(ids) == 0 {
		return err
	}
	now := store.Micros(tx.Now())
	w := store.Where{Args: []any{now, now}}
	store.In(&w, "id", ids)
	_, err = tx.Exec(ctx, markDueNow+strings.Replace(w.String(), " WHERE", " AND", 1), w.Args...)
	return err
}

// orLowestID replaces the zero id with the lowest other one: the nil UUID is stored as NULL, and nothing compares
// greater than NULL.
func orLowestID(id laurel.ID) laurel.ID {
	if id.IsZero() {
		id[len(id)-1] = 1
	}
	return id
}

// hasOpenReferral reports whether a rule has open referrals.
func hasOpenReferral(ctx context.Context, q store.Queryer, rule laurel.ID) (bool, error) {
	var found []laurel.ID
	err := q.Select(ctx, &found, "SELECT id FROM referrals WHERE loyalty_rule_id = ? AND settled_at IS NULL LIMIT 1", rule)
	return len(found) > 0, err
}

var updateReferrals = store.Update{
	Table: "referrals",
	Keys:  store.Columns("id uuid"),
	Set: store.Columns(
		"settled_at bigint, look_at bigint, lump_amount bigint, tier1_amount bigint, tier2_amount bigint, updated_at bigint",
	),
}

// saveReferrals writes the state and the amounts of referrals. It is Table's Save: the store calls it with the
// referrals that a batch has changed.
func saveReferrals(ctx context.Context, tx *store.Tx, rows []*Referral) error {
	values := make([][]any, len(rows))
	for i, r := range rows {
		values[i] = []any{r.ID, orNull(r.SettledAt), orNull(r.CheckAt), r.ReferrerBonus, r.Tier1, r.Tier2, r.UpdatedAt}
	}
	_, err := tx.UpdateRows(ctx, updateReferrals, values)
	return err
}

// orNull returns the value, or an untyped nil, which drivers take as NULL.
func orNull(p *int64) any {
	if p == nil {
		return nil
	}
	return *p
}
