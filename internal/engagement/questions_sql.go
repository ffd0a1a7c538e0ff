package engagement

import (
	"context"
	"slices"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/store"
)

// Questions and Choices are the statements of the tables of questions and their choices.
var (
	Questions = store.NewRecords[Question]("loyalty_questions", "Question")
	Choices   = store.NewRecords[Choice]("loyalty_question_choices", "Question choice")
)

// onConflict leaves a question out if its rule has one.
const onConflict = "ON CONFLICT (loyalty_rule_id) DO NOTHING"

// selectVersion reads the version of a question.
const selectVersion = "SELECT t.id, t.version FROM loyalty_questions t"

// readQuestions reads the questions that fulfil w, with their choices. lock is a clause such as tx.ForUpdate(), or ""
// for none. Without a lock, a question may change between the query for it and the one for its choices: Question.Check
// finds that later by the version.
func readQuestions(ctx context.Context, q store.Queryer, w store.Where, lock string) ([]Question, error) {
	var questions []Question
	err := q.Select(ctx, &questions, Questions.Query()+w.String()+lock, w.Args...)
	if err != nil || len(questions) == 0 {
		return nil, err
	}
	byID, ids := map[laurel.ID]*Question{}, make([]laurel.ID, len(questions))
	for i := range questions {
		ids[i] = questions[i].ID
		byID[ids[i]] = &questions[i]
	}
	var ofQuestions store.Where
	store.In(&ofQuestions, "loyalty_question_id", ids)
	choices, err := Choices.Select(ctx, q, &ofQuestions, "loyalty_question_id, position")
	for _, c := range choices {
		question := byID[c.QuestionID]
		question.Choices = append(question.Choices, c)
	}
	return questions, err
}

// selectQuestionsOfRules reads the questions of rules, by the rule's id. Rules without a question are left out.
func selectQuestionsOfRules(ctx context.Context, q store.Queryer, rules []laurel.ID) (map[laurel.ID]Question, error) {
	var w store.Where
	store.In(&w, "loyalty_rule_id", rules)
	list, err := readQuestions(ctx, q, w, "")
	out := make(map[laurel.ID]Question, len(list))
	for _, one := range list {
		out[one.RuleID] = one
	}
	return out, err
}

// selectQuestionOfChoice reads the question of the scope that has a choice; false if there is none.
func selectQuestionOfChoice(
	ctx context.Context,
	q store.Queryer,
	scope laurel.Scope,
	choice laurel.ID,
) (Question, bool, error) {
	var w store.Where
	w.Add("id = (SELECT c.loyalty_question_id FROM loyalty_question_choices c WHERE c.id = ?)", choice)
	w.Tenant("", scope)
	list, err := readQuestions(ctx, q, w, "")
	if err != nil || len(list) == 0 {
		return Question{}, false, err
	}
	return list[0], true, nil
}

// lockQuestion waits until no Work holds the question, locks it and reads it. It returns NotFound "Question" for one
// outside the scope.
func lockQuestion(ctx context.Context, tx *store.Tx, scope laurel.Scope, id laurel.ID) (Question, error) {
	if err := questionTable.LockExclusively(ctx, tx, id); err != nil {
		return Question{}, err
	}
	return readQuestion(ctx, tx, scope, id, tx.ForUpdate())
}

// readQuestion reads a question of the scope. lock is a locking clause of SQL or empty. Errors: NotFound "Question".
func readQuestion(
	ctx context.Context, q store.Queryer, scope laurel.Scope, id laurel.ID, lock string,
) (Question, error) {
	var w store.Where
	w.Add("id = ?", id)
	w.Tenant("", scope)
	list, err := readQuestions(ctx, q, w, lock)
	if err == nil && len(list) == 0 {
		err = laurel.Missing("Question")
	}
	if err != nil {
		return Question{}, err
	}
	return list[0], nil
}

// removeChoices deletes the choices that the question has no longer. It returns Refused if a member has chosen one of
// them. The question is locked, so that nobody answers meanwhile.
func removeChoices(ctx context.Context, tx *store.Tx, before, after Question) error {
	var removed []laurel.ID
	for _, c := range before.Choices {
		if _, stays := after.choice(c.ID); !stays {
			removed = append(removed, c.ID)
		}
	}
	if len(removed) == 0 {
		return nil
	}
	var w store.Where
	store.In(&w, "loyalty_question_choice_id", removed)
	var chosen []laurel.ID
	err := tx.Select(
		ctx,
		&chosen,
		"SELECT loyalty_question_choice_id FROM loyalty_question_responses"+w.String()+" LIMIT 1",
		w.Args...)
	if err != nil || len(chosen) > 0 {
		return errOrRefused(err, "An answered choice cannot be removed")
	}
	var ids store.Where
	store.In(&ids, "id", removed)
	_, err = tx.Exec(ctx, "DELETE FROM loyalty_question_choices"+ids.String(), ids.Args...)
	return err
}

// saveChoices updates the choices of the question that are among the former ones, and inserts the others.
func saveChoices(ctx context.Context, tx *store.Tx, q Question, former []Choice) error {
	isNew := func(c *Choice) bool {
		return !slices.ContainsFunc(former, func(f Choice) bool { return f.ID == c.ID })
	}
	rows := make([]*Choice, len(q.Choices))
	for i := range q.Choices {
		c := &q.Choices[i]
		if isNew(c) {
			c.OrganizationID, c.WebsiteID, c.QuestionID, c.CreatedAt = q.OrganizationID, q.WebsiteID, q.ID, q.UpdatedAt
		}
		c.Position, c.UpdatedAt = int64(i), q.UpdatedAt
		rows[i] = c
	}
	return Choices.Saver(isNew)(ctx, tx, rows)
}

// deleteQuestion deletes a locked question with its choices. It returns Refused if the question has responses.
func deleteQuestion(ctx context.Context, tx *store.Tx, q Question) error {
	var answered []laurel.ID
	err := tx.Select(ctx, &answered, "SELECT id FROM loyalty_question_responses WHERE loyalty_question_id = ? LIMIT 1", q.ID)
	if err != nil || len(answered) > 0 {
		return errOrRefused(err, "An answered question cannot be deleted")
	}
	if _, err := tx.Exec(ctx, "DELETE FROM loyalty_question_choices WHERE loyalty_question_id = ?", q.ID); err != nil {
		return err
	}
	_, err = tx.Exec(ctx, "DELETE FROM loyalty_questions WHERE id = ?", q.ID)
	return err
}
