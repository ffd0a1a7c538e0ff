package engagement

import (
	"context"
	"slices"

	"laurel"
	"laurel/internal/store"
)

const selectStreak = `SELECT t.loyalty_rule_id, t.subject_id, t.id, t.organization_id, t.website_id, t.user_id, t.streak_count, t.checked_at, t.expires_at,
	t.created_at, t.updated_at FROM loyalty_account_streaks t`

var insertStreak = store.Insert{
	Table:    "loyalty_account_streaks",
	Conflict: store.IgnoreConflicts,
	Columns: store.Columns(`loyalty_rule_id uuid, subject_id uuid,
	id uuid, organization_id uuid, website_id uuid, user_id uuid, streak_count bigint, checked_at bigint, expires_at bigint, created_at bigint, updated_at bigint`),
}

var updateStreak = store.Update{
	Table: "loyalty_account_streaks",
	Keys:  store.Columns("loyalty_rule_id uuid, subject_id uuid"),
	Set:   store.Columns("user_id uuid, streak_count bigint, checked_at bigint, expires_at bigint, updated_at bigint"),
}

// saveStreaks inserts the streaks that are new, and updates the others, which are locked. It returns store.ErrRerun if
// another transaction has inserted one of the new ones.
func saveStreaks(ctx context.Context, tx *store.Tx, rows []*StreakRow) error {
	var added, changed [][]any
	for _, s := range rows {
		var ends any
		if s.ExpiresAt != nil {
			ends = *s.ExpiresAt
		}
		if s.isNew {
			added = append(
				added,
				[]any{
					s.RuleID,
					s.SubjectID,
					s.ID,
					s.OrganizationID,
					s.WebsiteID,
					s.UserID,
					s.Count,
					s.CheckedAt,
					ends,
					s.CreatedAt,
					s.UpdatedAt,
				},
			)
		} else {
			changed = append(changed, []any{s.RuleID, s.SubjectID, s.UserID, s.Count, s.CheckedAt, ends, s.UpdatedAt})
		}
	}
	n, err := tx.InsertRows(ctx, insertStreak, added)
	if err == nil && n < int64(len(added)) {
		err = store.ErrRerun
	}
	if err != nil {
		return err
	}
	_, err = tx.UpdateRows(ctx, updateStreak, changed)
	return err
}

// selectStreaks reads and locks the streaks of a user or group.
func selectStreaks(ctx context.Context, tx *store.Tx, website, subject laurel.ID) ([]StreakRow, error) {
	var rows []StreakRow
	err := tx.Select(
		ctx,
		&rows,
		selectStreak+" WHERE t.website_id = ? AND t.subject_id = ? ORDER BY t.loyalty_rule_id"+tx.ForUpdate(),
		website,
		subject,
	)
	return rows, err
}

// deleteStreaks deletes the streaks of a user or group.
func deleteStreaks(ctx context.Context, tx *store.Tx, website, subject laurel.ID) error {
	_, err := tx.Exec(ctx, "DELETE FROM loyalty_account_streaks WHERE website_id = ? AND subject_id = ?", website, subject)
	return err
}

// setStreakSubject moves all streaks from one subject, such as a group, to a user who has none.
func setStreakSubject(ctx context.Context, tx *store.Tx, website, from, to laurel.ID) error {
	_, err := tx.Exec(
		ctx,
		"UPDATE loyalty_account_streaks SET subject_id = ?, user_id = ?, updated_at = ? WHERE website_id = ? AND subject_id = ?",
		to,
		to,
		store.Micros(tx.Now()),
		website,
		from,
	)
	return err
}

// deleteStreaksOfRules deletes the streaks that the subjects have for the rules.
func deleteStreaksOfRules(ctx context.Context, tx *store.Tx, rules, subjects []laurel.ID) error {
	for subjectChunk := range slices.Chunk(subjects, deleteChunkSize) {
		for ruleChunk := range slices.Chunk(rules, deleteChunkSize) {
			var w store.Where
			store.In(&w, "subject_id", subjectChunk)
			store.In(&w, "loyalty_rule_id", ruleChunk)
			if _, err := tx.Exec(ctx, "DELETE FROM loyalty_account_streaks"+w.String(), w.Args...); err != nil {
				return err
			}
		}
	}
	return nil
}

// selectStaleStreaks reads up to deleteChunkSize subjects whose streak for the rule has not changed after moment (in
// microseconds).
func selectStaleStreaks(
	ctx context.Context,
	q store.Queryer,
	scope laurel.Scope,
	rule laurel.ID,
	moment int64,
) ([]laurel.ID, error) {
	var w store.Where
	w.Tenant("", scope)
	w.Add("loyalty_rule_id = ? AND updated_at <= ?", rule, moment)
	var ids []laurel.ID
	err := q.Select(
		ctx,
		&ids,
		"SELECT subject_id FROM loyalty_account_streaks"+w.String()+" ORDER BY created_at, id LIMIT ?",
		append(w.Args, deleteChunkSize)...)
	return ids, err
}
