package progress

import (
	"context"
	"maps"
	"slices"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/store"
)

const selectState = `SELECT t.loyalty_rule_id, t.subject_id, t.id, t.organization_id, t.website_id, t.progress, t.last_paid_at, t.completed_at,
	t.window_paid_at, t.counted_at, t.paid_day, t.paid_week, t.paid_month, t.paid_ever, t.completions, t.found_at, t.user_id, t.created_at, t.updated_at FROM rule_subjects t`

// insertState and updateState are no store.Records: every completion writes states.
var insertState = store.Insert{
	Table:    "rule_subjects",
	Conflict: store.IgnoreConflicts,
	Columns: store.Columns(`loyalty_rule_id uuid,
	subject_id uuid, id uuid, organization_id uuid, website_id uuid, progress bigint, last_paid_at bigint, completed_at bigint, window_paid_at bigint,
	counted_at bigint, paid_day bigint, paid_week bigint, paid_month bigint, paid_ever bigint, completions bigint, found_at bigint, user_id uuid, created_at bigint, updated_at bigint`),
}

var updateState = store.Update{
	Table: "rule_subjects",
	Keys:  store.Columns("loyalty_rule_id uuid, subject_id uuid"),
	Set: store.Columns(
		`progress bigint, last_paid_at bigint, completed_at bigint, window_paid_at bigint, counted_at bigint, paid_day bigint, paid_week bigint,
		paid_month bigint, paid_ever bigint, completions bigint, found_at bigint, user_id uuid, updated_at bigint`,
	),
}

// saveStates inserts new rule states and updates the others. It returns store.ErrRerun if another transaction has
// inserted one.
func saveStates(ctx context.Context, tx *store.Tx, rows []*State) error {
	var inserts, updates [][]any
	for _, s := range rows {
		values := []any{
			store.OrNull(s.Progress),
			store.OrNull(s.LastPaidAt),
			store.OrNull(s.CompletedAt),
			store.OrNull(s.WindowPaidAt),
			s.CountedAt,
			s.PaidDay,
			s.PaidWeek,
			s.PaidMonth,
			s.PaidEver,
			s.Completions,
			store.OrNull(s.EligibleAt),
			s.UserID,
		}
		if s.IsNew {
			row := append([]any{s.RuleID, s.SubjectID, s.ID, s.OrganizationID, s.WebsiteID}, values...)
			inserts = append(inserts, append(row, s.CreatedAt, s.UpdatedAt))
		} else {
			row := append([]any{s.RuleID, s.SubjectID}, values...)
			updates = append(updates, append(row, s.UpdatedAt))
		}
	}
	n, err := tx.InsertRows(ctx, insertState, inserts)
	if err != nil {
		return err
	}
	if n < int64(len(inserts)) {
		return store.ErrRerun
	}
	_, err = tx.UpdateRows(ctx, updateState, updates)
	return err
}

const selectPaidWindow = `SELECT t.loyalty_rule_id, t.subject_id, t.window_key, t.organization_id, t.website_id, t.user_id,
	t.loyalty_transaction_id, t.created_at FROM rule_claims t`

var insertPaidWindow = store.Insert{
	Table:    "rule_claims",
	Conflict: store.IgnoreConflicts,
	Columns: store.Columns(`loyalty_rule_id uuid, subject_id uuid,
	window_key text, organization_id uuid, website_id uuid, user_id uuid, loyalty_transaction_id uuid, created_at bigint`),
}

// savePaidWindows inserts paid windows, and deletes those that are free again. It returns store.ErrRerun if another
// transaction has paid one of them.
func savePaidWindows(ctx context.Context, tx *store.Tx, rows []*PaidWindow) error {
	var paid []*PaidWindow
	for _, c := range rows {
		if !c.isNew { // it was freed, and may be paid again by now
			if _, err := tx.Exec(ctx, "DELETE FROM rule_claims WHERE loyalty_rule_id = ? AND subject_id = ? AND window_key = ?",
				c.RuleID, c.SubjectID, c.Window); err != nil {
				return err
			}
		}
		if c.CreatedAt != 0 {
			paid = append(paid, c)
		}
	}
	return insertPaidWindows(ctx, tx, paid)
}

// insertPaidWindows inserts paid windows. It returns store.ErrRerun if another transaction has paid one of them.
func insertPaidWindows(ctx context.Context, tx *store.Tx, rows []*PaidWindow) error {
	values := make([][]any, len(rows))
	for i, c := range rows {
		values[i] = []any{
			c.RuleID,
			c.SubjectID,
			c.Window,
			c.OrganizationID,
			c.WebsiteID,
			c.UserID,
			c.TransactionID,
			c.CreatedAt,
		}
	}
	n, err := tx.InsertRows(ctx, insertPaidWindow, values)
	if err == nil && n < int64(len(rows)) {
		return store.ErrRerun
	}
	return err
}

// windowsOfTransaction returns the windows of a rule that a payment to one of the subjects has closed, read without
// locks.
func windowsOfTransaction(
	ctx context.Context, q store.Queryer, rule laurel.ID, subjects []laurel.ID, transaction laurel.ID,
) (rows []PaidWindow, err error) {
	w := store.Where{}
	w.Add("t.loyalty_rule_id = ? AND t.loyalty_transaction_id = ?", rule, transaction)
	store.In(&w, "t.subject_id", subjects)
	err = q.Select(ctx, &rows, selectPaidWindow+w.String(), w.Args...)
	return rows, err
}

// IsPaid reports whether a window is paid, read without locks.
func IsPaid(ctx context.Context, q store.Queryer, k WindowKey) (bool, error) {
	var n int
	err := q.Get(
		ctx,
		&n,
		"SELECT COUNT(*) FROM rule_claims WHERE loyalty_rule_id = ? AND subject_id = ? AND window_key = ?",
		k.Rule,
		k.Subject,
		k.Window,
	)
	return n > 0, err
}

// PaidSubjects returns which of the subjects a rule has paid in a window, read without locks.
func PaidSubjects(
	ctx context.Context,
	q store.Queryer,
	rule laurel.ID,
	window string,
	subjects []laurel.ID,
) (map[laurel.ID]bool, error) {
	out := map[laurel.ID]bool{}
	for chunk := range slices.Chunk(subjects, 500) {
		var w store.Where
		w.Add("loyalty_rule_id = ? AND window_key = ?", rule, window)
		store.In(&w, "subject_id", chunk)
		var ids []laurel.ID
		if err := q.Select(ctx, &ids, "SELECT subject_id FROM rule_claims"+w.String(), w.Args...); err != nil {
			return nil, err
		}
		for _, id := range ids {
			out[id] = true
		}
	}
	return out, nil
}

// fromPaidWindows selects the paid windows of a subject through its rule states, which exist for each of them. It
// compares the website of the windows: with that of the states, SQLite would read all states of the website.
const fromPaidWindows = ` FROM rule_subjects s JOIN rule_claims c ON c.loyalty_rule_id = s.loyalty_rule_id AND c.subject_id = s.subject_id
	WHERE s.subject_id = ? AND c.website_id = ?`

// copyPaidWindows copies the paid windows of the source to the target: all of them when a user joins a group, and only
// those in which the user itself was paid when it leaves.
func copyPaidWindows(ctx context.Context, tx *store.Tx, m merge) error {
	args, userFilter := []any{m.target, m.source, m.website}, ""
	if !m.leavingUser.IsZero() {
		args, userFilter = append(args, m.leavingUser), " AND c.user_id = ?"
	}
	_, err := tx.Exec(
		ctx,
		`INSERT INTO rule_claims (loyalty_rule_id, subject_id, window_key, organization_id, website_id, user_id, loyalty_transaction_id, created_at)
		SELECT c.loyalty_rule_id, `+tx.Typed(
			"uuid",
		)+`, c.window_key, c.organization_id, c.website_id, c.user_id, c.loyalty_transaction_id, c.created_at`+
			fromPaidWindows+userFilter+` ON CONFLICT DO NOTHING`,
		args...)
	return err
}

// lastPaidWindows returns, by rule, when the group last paid a calendar window to the leaving user. Windows of codes
// are no calendar windows.
func lastPaidWindows(ctx context.Context, tx *store.Tx, m merge) (map[laurel.ID]*int64, error) {
	var rows []struct {
		Rule laurel.ID `db:"loyalty_rule_id"`
		At   int64     `db:"at"`
	}
	err := tx.Select(ctx, &rows, `SELECT c.loyalty_rule_id, MAX(c.created_at) AS at`+fromPaidWindows+`
		AND c.user_id = ? AND c.window_key NOT LIKE 'code%' GROUP BY c.loyalty_rule_id`, m.source, m.website, m.leavingUser)
	at := make(map[laurel.ID]*int64, len(rows))
	for _, r := range rows {
		at[r.Rule] = &r.At
	}
	return at, err
}

// lockStates selects and locks all rule states of a subject.
func lockStates(ctx context.Context, tx *store.Tx, website, id laurel.ID) ([]State, error) {
	var rows []State
	err := tx.Select(
		ctx,
		&rows,
		selectState+" WHERE t.website_id = ? AND t.subject_id = ? ORDER BY t.loyalty_rule_id"+tx.ForUpdate(),
		website,
		id,
	)
	return rows, err
}

// HasUncompleted reports whether a subject has not completed all of the required rules.
func HasUncompleted(ctx context.Context, q store.Queryer, subject laurel.ID, required []laurel.ID) (bool, error) {
	for chunk := range slices.Chunk(required, 500) {
		var w store.Where
		w.Add("subject_id = ? AND completed_at IS NOT NULL", subject)
		store.In(&w, "loyalty_rule_id", chunk)
		var n int
		if err := q.Get(ctx, &n, "SELECT COUNT(*) FROM rule_subjects"+w.String(), w.Args...); err != nil || n < len(chunk) {
			return err == nil, err
		}
	}
	return false, nil
}

// SubjectsWithUncompleted returns which of the subjects have not completed all of the required rules.
func SubjectsWithUncompleted(
	ctx context.Context,
	q store.Queryer,
	subjects, required []laurel.ID,
) (map[laurel.ID]bool, error) {
	keys := make([][]any, len(subjects))
	for i, id := range subjects {
		keys[i] = []any{id}
	}
	out := map[laurel.ID]bool{}
	for chunk := range slices.Chunk(required, 500) {
		w := store.Where{}
		w.Add("s.subject_id = k.subject_id AND s.completed_at IS NOT NULL")
		store.In(&w, "s.loyalty_rule_id", chunk)
		uncompleted, err := store.SelectByKeys[laurel.ID](ctx, q, store.KeyedQuery{
			Columns: store.Columns("subject_id uuid"),
			Keys:    keys,
			Query:   "SELECT k.subject_id FROM KEYS k WHERE (SELECT COUNT(*) FROM rule_subjects s" + w.String() + ") < ?",
		}, append(w.Args, len(chunk))...)
		if err != nil {
			return nil, err
		}
		for _, id := range uncompleted {
			out[id] = true
		}
	}
	return out, nil
}

// CompletedRules returns the rules that any of the subjects has completed, in no order.
func CompletedRules(ctx context.Context, q store.Queryer, subjects []laurel.ID) ([]laurel.ID, error) {
	all := map[laurel.ID]bool{}
	for part := range slices.Chunk(subjects, 500) {
		var w store.Where
		store.InArray(&w, q, "subject_id", "uuid", part)
		w.Add("completed_at IS NOT NULL")
		var ids []laurel.ID
		err := q.Select(ctx, &ids, "SELECT DISTINCT loyalty_rule_id FROM rule_subjects"+w.String(), w.Args...)
		if err != nil {
			return nil, err
		}
		for _, id := range ids {
			all[id] = true
		}
	}
	return slices.Collect(maps.Keys(all)), nil
}

// CountCompletions returns, by subject and rule, how often each subject has completed each of the rules. Rules that a
// subject has not completed are left out.
func CountCompletions(
	ctx context.Context,
	q store.Queryer,
	subjects, rules []laurel.ID,
) (map[laurel.ID]map[laurel.ID]int64, error) {
	type row struct {
		Subject     laurel.ID `db:"subject_id"`
		Rule        laurel.ID `db:"loyalty_rule_id"`
		Completions int64     `db:"completions"`
	}
	keys := make([][]any, len(subjects))
	out := make(map[laurel.ID]map[laurel.ID]int64, len(subjects))
	for i, id := range subjects {
		keys[i], out[id] = []any{id}, map[laurel.ID]int64{}
	}
	for chunk := range slices.Chunk(rules, 500) {
		var w store.Where
		w.Add("s.subject_id = k.subject_id AND s.completed_at IS NOT NULL")
		store.In(&w, "s.loyalty_rule_id", chunk)
		rows, err := store.SelectByKeys[row](ctx, q, store.KeyedQuery{
			Columns: store.Columns("subject_id uuid"),
			Keys:    keys,
			Query:   "SELECT s.subject_id, s.loyalty_rule_id, s.completions FROM KEYS k JOIN rule_subjects s ON TRUE" + w.String(),
		}, w.Args...)
		if err != nil {
			return nil, err
		}
		for _, r := range rows {
			out[r.Subject][r.Rule] = max(r.Completions, 1) // a user who left a group may have no completion of its own
		}
	}
	return out, nil
}

// selectUnclaimed returns the rule states of users that have an unclaimed eligibility.
func selectUnclaimed(ctx context.Context, tx *store.Tx, website laurel.ID, users []laurel.ID) ([]State, error) {
	where := unclaimedWhere(tx.Engine(), website, users)
	var rows []State
	err := tx.Select(ctx, &rows, selectState+where.String(), where.Args...)
	return rows, err
}

// unclaimedWhere returns the condition for states with an unclaimed eligibility.
func unclaimedWhere(e store.Engine, website laurel.ID, users []laurel.ID) store.Where {
	var w store.Where
	w.Add(e.NoIndexPrefix()+"t.website_id = ? AND t.progress IS NOT NULL AND t.found_at IS NOT NULL", website)
	store.In(&w, "t.subject_id", users)
	return w
}
