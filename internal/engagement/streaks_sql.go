package engagement

import (
	"context"
	"slices"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/store"
)

var streakTable = store.NewRecords[streakRow]("loyalty_account_streaks", "Streak").As("t")

// selectStreaks reads and locks the streaks of a user or group.
func selectStreaks(ctx context.Context, tx *store.Tx, website, subject laurel.ID) ([]streakRow, error) {
	var rows []streakRow
	err := tx.Select(
		ctx,
		&rows,
		streakTable.Query()+" WHERE t.website_id = ? AND t.subject_id = ? ORDER BY t.loyalty_rule_id"+tx.ForUpdate(),
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
