package engagement

import (
	"context"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/store"
)

var (
	answerTable   = store.NewRecords[answerRow]("loyalty_question_answers", "Answer").As("t")
	responseTable = store.NewRecords[Response]("loyalty_question_responses", "Response")
)

// copyAnswersToGroup copies the current answers of a user to the group that it joins (contract 5.16). Questions that
// the group has answered are left out. The user's own answers stay too, in case it leaves.
func copyAnswersToGroup(ctx context.Context, tx *store.Tx, website, user, group laurel.ID) error {
	_, err := tx.Exec(
		ctx,
		`INSERT INTO loyalty_question_answers (loyalty_question_id, subject_id, organization_id, website_id, response_id,
		loyalty_question_choice_id, user_id, answered_at)
		SELECT loyalty_question_id, `+tx.Typed("uuid")+`, organization_id, website_id, response_id, loyalty_question_choice_id, user_id, answered_at
		FROM loyalty_question_answers WHERE website_id = ? AND subject_id = ? ON CONFLICT DO NOTHING`,
		group,
		website,
		user,
	)
	return err
}

// restoreOwnAnswers makes the latest response of a user to each question its current answer, whether it was given in a
// group or before.
func restoreOwnAnswers(ctx context.Context, tx *store.Tx, website, user laurel.ID) error {
	_, err := tx.Exec(
		ctx,
		`INSERT INTO loyalty_question_answers (loyalty_question_id, subject_id, organization_id, website_id, response_id,
		loyalty_question_choice_id, user_id, answered_at)
		SELECT r.loyalty_question_id, r.user_id, r.organization_id, r.website_id, r.id, r.loyalty_question_choice_id, r.user_id, r.created_at
		FROM loyalty_question_responses r WHERE r.website_id = ? AND r.user_id = ? AND NOT EXISTS (SELECT 1 FROM loyalty_question_responses l
			WHERE l.user_id = r.user_id AND l.loyalty_question_id = r.loyalty_question_id AND (l.created_at, l.id) > (r.created_at, r.id))
		ON CONFLICT (loyalty_question_id, subject_id) DO UPDATE SET response_id = excluded.response_id,
			loyalty_question_choice_id = excluded.loyalty_question_choice_id, user_id = excluded.user_id, answered_at = excluded.answered_at`,
		website,
		user,
	)
	return err
}
