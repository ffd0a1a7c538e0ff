package engagement

import (
	"context"
	"encoding/json"
	"slices"
	"strconv"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/store"
)

// The rule types with a question (contract 3.18).
const (
	typeQuiz = "quiz"
	typePoll = "poll"
)

// Question is the question of a quiz or poll (contract 3.18): a row of loyalty_questions with its choices.
type Question struct {
	ID                    laurel.ID        `db:"id" json:"id"`
	OrganizationID        laurel.ID        `db:"organization_id" json:"organizationId"`
	WebsiteID             laurel.ID        `db:"website_id" json:"websiteId"`
	RuleID                laurel.ID        `db:"loyalty_rule_id" json:"loyaltyRuleId" update:"no"`
	Text                  string           `db:"text" json:"text"`
	AllowMultipleAttempts bool             `db:"allow_multiple_attempts" json:"allowMultipleAttempts" update:"no"`
	Version               int64            `db:"version" json:"-"`         // each change raises it
	Choices               []Choice         `json:"loyaltyQuestionChoices"` // in their order
	CreatedAt             laurel.Timestamp `db:"created_at" json:"createdAt"`
	UpdatedAt             laurel.Timestamp `db:"updated_at" json:"updatedAt"`
}

// Choice is a possible answer to a question. It is a row of loyalty_question_choices.
type Choice struct {
	ID             laurel.ID        `db:"id" json:"id"`
	OrganizationID laurel.ID        `db:"organization_id" json:"-"`
	WebsiteID      laurel.ID        `db:"website_id" json:"-"`
	QuestionID     laurel.ID        `db:"loyalty_question_id" json:"-" update:"no"`
	Text           string           `db:"text" json:"text"`
	Correct        bool             `db:"is_correct" json:"-"`                   // for quizzes only: polls accept any choice
	SortIdentifier laurel.RawJSON   `db:"sort_identifier" json:"sortIdentifier"` // set by the caller: a number or a text
	Position       int64            `db:"position" json:"-"`                     // in the question, from 0
	CreatedAt      laurel.Timestamp `db:"created_at" json:"-"`
	UpdatedAt      laurel.Timestamp `db:"updated_at" json:"-"`
}

// choice returns the choice with an id; false if the question has no such choice.
func (q Question) choice(id laurel.ID) (Choice, bool) {
	i := slices.IndexFunc(q.Choices, func(c Choice) bool { return c.ID == id })
	if i < 0 {
		return Choice{}, false
	}
	return q.Choices[i], true
}

// QuestionInput holds the properties of a question that a caller sets (contract 3.18). RuleID and AllowMultipleAttempts
// are used on creation only.
type QuestionInput struct {
	RuleID                laurel.ID
	Text                  string
	AllowMultipleAttempts bool
	Choices               []ChoiceInput // 2..20
}

// ChoiceInput holds the properties of a choice that a caller sets. With the ID of an existing choice it changes that
// choice, whose absent properties stay.
type ChoiceInput struct {
	ID             laurel.ID
	Text           string
	Correct        *bool           // nil: unchanged; for a new choice false
	SortIdentifier json.RawMessage // a number or a text; nil: unchanged; for a new choice its index
}

const (
	maxQuestion = 2000 // characters (contract 3.18)
	maxChoice   = 1000
	minChoices  = 2
	maxChoices  = 20
	maxSort     = 255
	choicesPath = "loyaltyQuestionAnswers"
)

// validate returns an Invalid error with all faults of the input, or nil.
func (in QuestionInput) validate() error {
	var f laurel.Faults
	f.Text("questionText", in.Text, 1, maxQuestion)
	if n := len(in.Choices); n < minChoices || n > maxChoices {
		f.Add(choicesPath, "must have between %d and %d items", minChoices, maxChoices)
		return f.Err()
	}
	ids := map[laurel.ID]bool{}
	for i, c := range in.Choices {
		path := choicesPath + "." + strconv.Itoa(i)
		f.Text(path+".text", c.Text, 1, maxChoice)
		if len(c.SortIdentifier) > 0 && !isSortIdentifier(c.SortIdentifier) {
			f.Add(path+".sortIdentifier", "must be a number or a string of at most %d characters", maxSort)
		}
		if !c.ID.IsZero() && ids[c.ID] {
			f.Add(path+".id", "must be distinct")
		}
		ids[c.ID] = true
	}
	return f.Err()
}

// mergeChoices returns the choices that question q has after the input, sorted. An input choice with the id of a choice
// of q changes that one; what it leaves out stays. One without an id becomes a new choice, whose id newID returns. An
// id that q does not have is a fault.
func (in QuestionInput) mergeChoices(q Question, newID func() laurel.ID) ([]Choice, error) {
	var f laurel.Faults
	choices := make([]Choice, len(in.Choices))
	for i, c := range in.Choices {
		choice, exists := q.choice(c.ID)
		switch {
		case c.ID.IsZero():
			choice = Choice{ID: newID(), SortIdentifier: laurel.RawJSON(strconv.Itoa(i))}
		case !exists:
			f.AddText(choicesPath+"."+strconv.Itoa(i)+".id", "Question choice not found")
		}
		choice.Text = c.Text
		if c.Correct != nil {
			choice.Correct = *c.Correct
		}
		if len(c.SortIdentifier) > 0 {
			choice.SortIdentifier = laurel.RawJSON(c.SortIdentifier)
		}
		choices[i] = choice
	}
	slices.SortStableFunc(
		choices, func(a, b Choice) int { return compareSortIdentifiers(a.SortIdentifier, b.SortIdentifier) },
	)
	return choices, f.Err()
}

// checkSolvable returns a fault if the rule type is a quiz and no choice is correct.
func (q Question) checkSolvable(kind string) error {
	if kind == typeQuiz && !slices.ContainsFunc(q.Choices, func(c Choice) bool { return c.Correct }) {
		var f laurel.Faults
		f.Add(choicesPath, "must have at least one correct answer")
		return f.Err()
	}
	return nil
}

// CreateQuestion creates the question of a quiz or poll. Errors: Invalid; NotFound "Loyalty rule"; Refused "Loyalty
// rule must be of type quiz or poll", "Question already exists".
func (s *Service) CreateQuestion(ctx context.Context, scope laurel.Scope, in QuestionInput) (Question, error) {
	if err := in.validate(); err != nil {
		return Question{}, err
	}
	for i := range in.Choices {
		in.Choices[i].ID = laurel.ID{} // ids are the service's (contract 1.7)
	}
	var q Question
	err := s.db.Write(ctx, scope.Request, func(tx *store.Tx) error {
		rule, err := s.readQuestionRule(ctx, tx, scope, in.RuleID)
		if err != nil {
			return err
		}
		q = Question{
			ID:                    tx.NewID(),
			OrganizationID:        rule.OrganizationID,
			WebsiteID:             rule.WebsiteID,
			RuleID:                rule.ID,
			Text:                  in.Text,
			AllowMultipleAttempts: in.AllowMultipleAttempts,
			CreatedAt:             laurel.Timestamp{Time: tx.Now()},
			UpdatedAt:             laurel.Timestamp{Time: tx.Now()},
			Version:               1,
		}
		if q.Choices, err = in.mergeChoices(Question{}, tx.NewID); err != nil {
			return err
		}
		if err := q.checkSolvable(rule.Type); err != nil {
			return err
		}
		if inserted, err := Questions.Insert(ctx, tx, &q, onConflict); err != nil || !inserted {
			return errOrRefused(err, "Question already exists")
		}
		return saveChoices(ctx, tx, q, nil)
	})
	return q, err
}

// Question returns a question. Errors: NotFound "Question".
func (s *Service) Question(ctx context.Context, scope laurel.Scope, id laurel.ID) (Question, error) {
	return readQuestion(ctx, s.db, scope, id, "")
}

// UpdateQuestion replaces the text and the choices: choices that the input has by id are changed, others added, the
// rest removed. Errors: Invalid; NotFound "Question"; Refused if a choice to be removed was chosen by a member.
func (s *Service) UpdateQuestion(
	ctx context.Context,
	scope laurel.Scope,
	id laurel.ID,
	in QuestionInput,
) (Question, error) {
	if err := in.validate(); err != nil {
		return Question{}, err
	}
	var q Question
	err := s.db.Write(ctx, scope.Request, func(tx *store.Tx) error {
		before, err := lockQuestion(ctx, tx, scope, id)
		if err != nil {
			return err
		}
		q = before
		if err := Questions.Edit(ctx, tx, scope, &q, func(tx *store.Tx, q *Question) error {
			rule, err := s.readQuestionRule(ctx, tx, scope, q.RuleID)
			if err != nil {
				return asQuestionNotFound(err)
			}
			q.Text, q.Version = in.Text, q.Version+1
			if q.Choices, err = in.mergeChoices(before, tx.NewID); err != nil {
				return err
			}
			if err := q.checkSolvable(rule.Type); err != nil {
				return err
			}
			return removeChoices(ctx, tx, before, *q)
		}); err != nil {
			return err
		}
		return saveChoices(ctx, tx, q, before.Choices)
	})
	return q, err
}

// readQuestionRule reads a live rule of type quiz or poll. Errors: NotFound "Loyalty rule"; Refused for another type.
func (s *Service) readQuestionRule(
	ctx context.Context, q store.Queryer, scope laurel.Scope, id laurel.ID,
) (Rule, error) {
	rule, err := s.readRule(ctx, q, scope, id)
	if err == nil && rule.Deleted {
		err = laurel.Missing("Loyalty rule")
	}
	if err == nil && rule.Type != typeQuiz && rule.Type != typePoll {
		err = laurel.Errorf(laurel.Refused, "Loyalty rule must be of type quiz or poll")
	}
	return rule, err
}

// asQuestionNotFound returns NotFound "Question" for a NotFound error of the question's rule, and other errors as they
// are.
func asQuestionNotFound(err error) error {
	if laurel.CodeOf(err) == laurel.NotFound {
		return laurel.Missing("Question")
	}
	return err
}

// errOrRefused returns err if it is not nil, and otherwise a refusal with the message.
func errOrRefused(err error, message string) error {
	if err != nil {
		return err
	}
	return laurel.Errorf(laurel.Refused, "%s", message)
}

// QuestionOf returns the question of a rule in the scope; false if it has none.
func (s *Service) QuestionOf(ctx context.Context, scope laurel.Scope, rule laurel.ID) (Question, bool, error) {
	q, found, err := s.questions.Get(ctx, rule)
	if found && (q.OrganizationID != scope.OrganizationID || !scope.WebsiteID.IsZero() && q.WebsiteID != scope.WebsiteID) {
		return Question{}, false, err
	}
	return q, found, err
}

// DeleteQuestion deletes a question without responses, so that its rule may get another one. Errors: NotFound
// "Question"; Refused if the question has responses.
func (s *Service) DeleteQuestion(ctx context.Context, scope laurel.Scope, id laurel.ID) (Question, error) {
	var q Question
	err := s.db.Write(ctx, scope.Request, func(tx *store.Tx) (err error) {
		if q, err = lockQuestion(ctx, tx, scope, id); err != nil {
			return err
		}
		if err := scope.CheckUnchanged(q.ID, q.UpdatedAt.Time); err != nil {
			return err
		}
		return deleteQuestion(ctx, tx, q)
	})
	return q, err
}
