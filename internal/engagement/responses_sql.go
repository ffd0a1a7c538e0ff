package engagement

import (
	"context"

	"laurel"
	"laurel/internal/store"
)

const selectAnswer = `SELECT t.loyalty_question_id, t.subject_id, t.organization_id, t.website_id, t.response_id, t.loyalty_question_choice_id, t.user_id, t.answered_at
	FROM loyalty_question_answers t`

var insertAnswer = store.Insert{
	Table:    "loyalty_question_answers",
	Conflict: store.IgnoreConflicts,
	Columns: store.Columns(`loyalty_question_id uuid,
	subject_id uuid, organization_id uuid, website_id uuid, response_id uuid, loyalty_question_choice_id uuid, user_id uuid, answered_at bigint`),
}

var updateAnswer = store.Update{
	Table: "loyalty_question_answers",
	Keys:  store.Columns("loyalty_question_id uuid, subject_id uuid"),
	Set:   store.Columns("response_id uuid, loyalty_question_choice_id uuid, user_id uuid, answered_at bigint"),
}

// saveAnswers inserts the current answers that are new, and updates the others, which are locked. It returns
// store.ErrRerun if another transaction has inserted one of the new ones.
func saveAnswers(ctx context.Context, tx *store.Tx, rows []*answerRow) error {
	var added, changed [][]any
	for _, a := range rows {
		if a.isNew {
			added = append(
				added,
				[]any{a.QuestionID, a.SubjectID, a.OrganizationID, a.WebsiteID, a.ResponseID, a.ChoiceID, a.UserID, a.AnsweredAt},
			)
		} else {
			changed = append(changed, []any{a.QuestionID, a.SubjectID, a.ResponseID, a.ChoiceID, a.UserID, a.AnsweredAt})
		}
	}
	n, err := tx.InsertRows(ctx, insertAnswer, added)
	if err == nil && n < int64(len(added)) {
		err = store.ErrRerun
	}
	if err != nil {
		return err
	}
	_, err = tx.UpdateRows(ctx, updateAnswer, changed)
	return err
}

// insertResponses inserts the responses that the Works of a batch have staged.
func insertResponses(ctx context.Context, tx *store.Tx, rows []answerRow) error {
	values := make([][]any, len(rows))
	for i, r := range rows {
		values[i] = []any{r.ResponseID, r.OrganizationID, r.WebsiteID, r.QuestionID, r.ChoiceID, r.UserID, r.AnsweredAt}
	}
	_, err := tx.InsertRows(
		ctx,
		store.Insert{
			Table: "loyalty_question_responses",
			Columns: store.Columns(`id uuid, organization_id uuid, website_id uuid,
		loyalty_question_id uuid, loyalty_question_choice_id uuid, user_id uuid, created_at bigint`),
		},
		values,
	)
	return err
}

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
