package report

import (
	"context"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/budget"
	"laurel.example/laurel/internal/engagement"
	"laurel.example/laurel/internal/store"
)

// QuestionFilter limits a list of questions.
type QuestionFilter struct {
	RuleIDs []laurel.ID
	Client  bool // only questions of rules that client keys may see
}

// Questions returns one page of the questions of live rules with their choices, newest first. Errors: Invalid for an
// unknown cursor.
func (s *Service) Questions(
	ctx context.Context,
	scope laurel.Scope,
	f QuestionFilter,
	page laurel.PageRequest,
) (laurel.Page[engagement.Question], error) {
	none := laurel.PageOf[engagement.Question](nil, page.Limit)
	var w store.Where
	whereTenant(&w, "s.", scope)
	store.In(&w, "s.loyalty_rule_id", f.RuleIDs)
	w.Add("r.deleted_at IS NULL")
	if f.Client {
		w.Add(visibleToClients, store.Micros(s.db.Now()))
	}
	if err := s.whereAfter(ctx, scope, &w, "loyalty_questions s", page.StartingAfter); err != nil {
		return none, err
	}
	found, err := store.SelectPage[engagement.Question](
		ctx,
		s.db,
		page.Limit,
		engagement.Questions.As("s").Query()+" JOIN loyalty_rules r ON r.id = s.loyalty_rule_id"+w.String()+newestFirst,
		w.Args...)
	if err != nil {
		return none, err
	}
	ids := make([]laurel.ID, len(found.Data))
	for i, q := range found.Data {
		ids[i] = q.ID
	}
	choices, fit, err := s.choices(ctx, ids)
	found = budget.FirstItems(found, fit)
	for i, q := range found.Data {
		found.Data[i].Choices = choices[q.ID]
	}
	return found, err
}

// choices reads the choices of questions by the question's id. questions has one id per item of a page, and may have
// one twice. fit is how many items, from the first on, fit on the page with their choices; the others' choices are left
// out.
func (s *Service) choices(
	ctx context.Context,
	questions []laurel.ID,
) (choices map[laurel.ID][]engagement.Choice, fit int, err error) {
	choices = map[laurel.ID][]engagement.Choice{}
	if len(questions) == 0 {
		return choices, 0, nil
	}
	var w store.Where
	store.In(&w, "loyalty_question_id", distinct(questions))
	var sizes []budget.ByteSize
	if err := s.db.Select(
		ctx,
		&sizes,
		"SELECT loyalty_question_id AS id, SUM(OCTET_LENGTH(text)) AS bytes FROM loyalty_question_choices"+w.String()+
			" GROUP BY loyalty_question_id",
		w.Args...); err != nil {
		return nil, 0, err
	}
	fit = budget.CountFitting(questions, sizes)
	w = store.Where{}
	store.In(&w, "loyalty_question_id", distinct(questions[:fit]))
	rows, err := engagement.Choices.Select(ctx, s.db, &w, "loyalty_question_id, position")
	for _, c := range rows {
		choices[c.QuestionID] = append(choices[c.QuestionID], c)
	}
	return choices, fit, err
}

// distinct returns the ids without duplicates.
func distinct(ids []laurel.ID) []laurel.ID {
	var out []laurel.ID
	known := map[laurel.ID]bool{}
	for _, id := range ids {
		if !known[id] {
			known[id] = true
			out = append(out, id)
		}
	}
	return out
}

// Response is an item of the responses list (contract 3.18).
type Response struct {
	ID             laurel.ID `db:"id"`
	OrganizationID laurel.ID `db:"organization_id"`
	WebsiteID      laurel.ID `db:"website_id"`
	QuestionID     laurel.ID `db:"loyalty_question_id"`
	ChoiceID       laurel.ID `db:"loyalty_question_choice_id"`
	UserID         laurel.ID `db:"user_id"`
	CreatedMicros  int64     `db:"created_at"`
	Text           string    `db:"text"` // of the question
	Multiple       bool      `db:"allow_multiple_attempts"`
	RuleType       string    `db:"type"`
	Choices        []engagement.Choice
}

// IsClosed reports whether the user can no longer change the answer, so that the correct choices may be shown.
func (r Response) IsClosed() bool { return !r.Multiple }

// CountsAsCorrect reports whether a choice counts as correct; in a poll every choice does.
func (r Response) CountsAsCorrect(c engagement.Choice) bool { return c.Correct || r.RuleType == "poll" }

// IsCorrect reports whether the choice in the response counts as correct. It needs the Choices of the question.
func (r Response) IsCorrect() bool {
	for _, c := range r.Choices {
		if c.ID == r.ChoiceID {
			return r.CountsAsCorrect(c)
		}
	}
	return false
}

// ResponseFilter limits a list of responses.
type ResponseFilter struct {
	QuestionIDs []laurel.ID
	UserID      laurel.ID // zero: all users
}

// Responses returns one page of members' answers with the choices of their questions, newest first. Errors: Invalid for
// an unknown cursor.
func (s *Service) Responses(
	ctx context.Context,
	scope laurel.Scope,
	f ResponseFilter,
	page laurel.PageRequest,
) (laurel.Page[Response], error) {
	none := laurel.PageOf[Response](nil, page.Limit)
	var w store.Where
	user := UserFilter{}
	if !f.UserID.IsZero() {
		user.IDs = []laurel.ID{f.UserID}
	}
	s.whereTenantOf(&w, "s.", scope, user)
	store.In(&w, "s.loyalty_question_id", f.QuestionIDs)
	store.In(&w, "s.user_id", user.IDs)
	if err := s.whereAfter(ctx, scope, &w, "loyalty_question_responses s", page.StartingAfter); err != nil {
		return none, err
	}
	found, err := store.SelectPage[Response](
		ctx,
		s.db,
		page.Limit,
		`SELECT s.id, s.organization_id, s.website_id, s.loyalty_question_id, s.loyalty_question_choice_id, s.user_id, s.created_at,
		q.text, q.allow_multiple_attempts, r.type FROM loyalty_question_responses s JOIN loyalty_questions q ON q.id = s.loyalty_question_id
		JOIN loyalty_rules r ON r.id = q.loyalty_rule_id`+w.String()+newestFirst,
		w.Args...)
	if err != nil {
		return none, err
	}
	ids := make([]laurel.ID, len(found.Data))
	for i, r := range found.Data {
		ids[i] = r.QuestionID
	}
	choices, fit, err := s.choices(ctx, ids)
	found = budget.FirstItems(found, fit)
	for i, r := range found.Data {
		found.Data[i].Choices = choices[r.QuestionID]
	}
	return found, err
}
