package engagement

import (
	"context"
	"slices"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/store"
)

// DeleteRuleData deletes the answers of subjects (users and groups of users) to the questions of rules, and their
// streaks for these rules. The caller holds locks on the people, so that nobody answers meanwhile
// (docs/decisions/0029-clearing.md).
func (s *Service) DeleteRuleData(
	ctx context.Context, tx *store.Tx, scope laurel.Scope, rules, subjects []laurel.ID,
) error {
	if err := deleteStreaksOfRules(ctx, tx, rules, subjects); err != nil {
		return err
	}
	questions, err := selectQuestionIDs(ctx, tx, scope, rules)
	if err != nil || len(questions) == 0 {
		return err
	}
	for subjectChunk := range slices.Chunk(subjects, deleteChunkSize) {
		for questionChunk := range slices.Chunk(questions, deleteChunkSize) {
			var ofAnswers, ofResponses store.Where
			store.In(&ofAnswers, "subject_id", subjectChunk)
			store.In(&ofAnswers, "loyalty_question_id", questionChunk)
			if _, err := tx.Exec(ctx, "DELETE FROM loyalty_question_answers"+ofAnswers.String(), ofAnswers.Args...); err != nil {
				return err
			}
			store.In(&ofResponses, "user_id", subjectChunk)
			store.In(&ofResponses, "loyalty_question_id", questionChunk)
			if _, err := tx.Exec(
				ctx, "DELETE FROM loyalty_question_responses"+ofResponses.String(), ofResponses.Args...,
			); err != nil {
				return err
			}
		}
	}
	return nil
}

const deleteChunkSize = 256

// selectQuestionIDs reads the ids of the questions of rules.
func selectQuestionIDs(
	ctx context.Context, q store.Queryer, scope laurel.Scope, rules []laurel.ID,
) ([]laurel.ID, error) {
	var all []laurel.ID
	for chunk := range slices.Chunk(rules, deleteChunkSize) {
		var w store.Where
		w.Tenant("", scope)
		store.In(&w, "loyalty_rule_id", chunk)
		var ids []laurel.ID
		if err := q.Select(ctx, &ids, "SELECT id FROM loyalty_questions"+w.String(), w.Args...); err != nil {
			return nil, err
		}
		all = append(all, ids...)
	}
	return all, nil
}

// SubjectsUnchangedSince returns up to deleteChunkSize subjects whose streak for the rule has not changed after
// moment (in microseconds). If there is none, it returns users who answered the rule's question up to that moment.
func (s *Service) SubjectsUnchangedSince(
	ctx context.Context,
	q store.Queryer,
	scope laurel.Scope,
	rule laurel.ID,
	moment int64,
) ([]laurel.ID, error) {
	ids, err := selectStaleStreaks(ctx, q, scope, rule, moment)
	if err != nil || len(ids) > 0 {
		return ids, err
	}
	questions, err := selectQuestionIDs(ctx, q, scope, []laurel.ID{rule})
	if err != nil || len(questions) == 0 {
		return nil, err
	}
	err = q.Select(
		ctx,
		&ids,
		`SELECT user_id FROM loyalty_question_responses WHERE loyalty_question_id = ? AND created_at <= ? ORDER BY created_at, id LIMIT ?`,
		questions[0],
		moment,
		deleteChunkSize,
	)
	return ids, err
}
