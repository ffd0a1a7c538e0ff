package engagement

import (
	"context"
	"slices"

	"laurel"
	"laurel/internal/store"
)

// Forget removes what subjects, users and groups of users, answered to the questions of rules, and their streaks. The
// people behind them are held, so nobody answers meanwhile (docs/decisions/0029-clearing.md).
func (s *Service) Forget(ctx context.Context, tx *store.Tx, scope laurel.Scope, rules, subjects []laurel.ID) error {
	if err := forgetStreaks(ctx, tx, rules, subjects); err != nil {
		return err
	}
	questions, err := questionsAbout(ctx, tx, scope, rules)
	if err != nil || len(questions) == 0 {
		return err
	}
	for people := range slices.Chunk(subjects, forgetChunk) {
		for asked := range slices.Chunk(questions, forgetChunk) {
			var counting, given store.Where
			store.In(&counting, "subject_id", people)
			store.In(&counting, "loyalty_question_id", asked)
			if _, err := tx.Exec(ctx, "DELETE FROM loyalty_question_answers"+counting.String(), counting.Args...); err != nil {
				return err
			}
			store.In(&given, "user_id", people)
			store.In(&given, "loyalty_question_id", asked)
			if _, err := tx.Exec(ctx, "DELETE FROM loyalty_question_responses"+given.String(), given.Args...); err != nil {
				return err
			}
		}
	}
	return nil
}

const forgetChunk = 256

func questionsAbout(ctx context.Context, q store.Queryer, scope laurel.Scope, rules []laurel.ID) ([]laurel.ID, error) {
	var all []laurel.ID
	for chunk := range slices.Chunk(rules, forgetChunk) {
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

// Remembered returns some users who answered the rule's question up to a moment, and some subjects with streaks that
// were not checked in to since.
func (s *Service) Remembered(
	ctx context.Context,
	q store.Queryer,
	scope laurel.Scope,
	rule laurel.ID,
	before int64,
) ([]laurel.ID, error) {
	ids, err := streaksBefore(ctx, q, scope, rule, before)
	if err != nil || len(ids) > 0 {
		return ids, err
	}
	questions, err := questionsAbout(ctx, q, scope, []laurel.ID{rule})
	if err != nil || len(questions) == 0 {
		return nil, err
	}
	err = q.Select(
		ctx,
		&ids,
		`SELECT user_id FROM loyalty_question_responses WHERE loyalty_question_id = ? AND created_at <= ? ORDER BY created_at, id LIMIT ?`,
		questions[0],
		before,
		forgetChunk,
	)
	return ids, err
}
