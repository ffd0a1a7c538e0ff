package engagement

import (
	"context"
	"encoding/json"
	"slices"
	"strconv"
	"time"

	"laurel"
	"laurel/internal/store"
)

// The types of rules that ask a question (contract 3.18).
const (
	typeQuiz = "quiz"
	typePoll = "poll"
)

// Question is what a quiz or poll asks (contract 3.18).
type Question struct {
	ID                    laurel.ID
	OrganizationID        laurel.ID
	WebsiteID             laurel.ID
	RuleID                laurel.ID
	Text                  string
	AllowMultipleAttempts bool
	Choices               []Choice // in their order
	CreatedAt, UpdatedAt  time.Time
	version               int64
}

// Choice is one of the answers that a question offers.
type Choice struct {
	ID             laurel.ID
	Text           string
	Correct        bool            // polls take any choice, whatever this says
	SortIdentifier json.RawMessage // the caller's: a number or a text
}

// choice returns the choice with the id; false: it belongs to another question, or to none.
func (q Question) choice(id laurel.ID) (Choice, bool) {
	i := slices.IndexFunc(q.Choices, func(c Choice) bool { return c.ID == id })
	if i < 0 {
		return Choice{}, false
	}
	return q.Choices[i], true
}

// QuestionInput is a question as a caller writes it (contract 3.18). RuleID and AllowMultipleAttempts count on creation
// only.
type QuestionInput struct {
	RuleID                laurel.ID
	Text                  string
	AllowMultipleAttempts bool
	Choices               []ChoiceInput // 2..20
}

// ChoiceInput is one choice as a caller writes it: with the ID of one that the question has it changes that one, where
// absent properties stay.
type ChoiceInput struct {
	ID             laurel.ID
	Text           string
	Correct        *bool           // nil: as it was, of a new one false
	SortIdentifier json.RawMessage // a number or a text; nil: as it was, of a new one its place in the list
}

const (
	maxQuestion = 2000 // characters (contract 3.18)
	maxChoice   = 1000
	minChoices  = 2
	maxChoices  = 20
	maxSort     = 255
	choicesPath = "loyaltyQuestionAnswers"
)

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

// mergeChoices returns the choices that the input makes of the present ones, in their order. fresh makes ids.
func (in QuestionInput) mergeChoices(q Question, newID func() laurel.ID) ([]Choice, error) {
	var f laurel.Faults
	choices := make([]Choice, len(in.Choices))
	for i, c := range in.Choices {
		choice, exists := q.choice(c.ID)
		switch {
		case c.ID.IsZero():
			choice = Choice{ID: newID(), SortIdentifier: json.RawMessage(strconv.Itoa(i))}
		case !exists:
			f.AddText(choicesPath+"."+strconv.Itoa(i)+".id", "Question choice not found")
		}
		choice.Text = c.Text
		if c.Correct != nil {
			choice.Correct = *c.Correct
		}
		if len(c.SortIdentifier) > 0 {
			choice.SortIdentifier = c.SortIdentifier
		}
		choices[i] = choice
	}
	slices.SortStableFunc(
		choices, func(a, b Choice) int { return compareSortIdentifiers(a.SortIdentifier, b.SortIdentifier) },
	)
	return choices, f.Err()
}

// checkSolvable refuses a quiz that nobody can solve.
func (q Question) checkSolvable(kind string) error {
	if kind == typeQuiz && !slices.ContainsFunc(q.Choices, func(c Choice) bool { return c.Correct }) {
		var f laurel.Faults
		f.Add(choicesPath, "must have at least one correct answer")
		return f.Err()
	}
	return nil
}

// CreateQuestion gives a quiz or poll its question. Errors: Invalid; NotFound "Loyalty rule"; Refused "Loyalty rule
// must be of type quiz or poll", "Question already exists".
func (s *Service) CreateQuestion(ctx context.Context, scope laurel.Scope, in QuestionInput) (Question, error) {
	if err := in.validate(); err != nil {
		return Question{}, err
	}
	for i := range in.Choices {
		in.Choices[i].ID = laurel.ID{} // ids are the service's (contract 1.7)
	}
	var q Question
	err := s.db.Write(ctx, scope.Request, func(tx *store.Tx) error {
		rule, err := s.questionRule(ctx, tx, scope, in.RuleID)
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
			CreatedAt:             tx.Now(),
			UpdatedAt:             tx.Now(),
			version:               1,
		}
		if q.Choices, err = in.mergeChoices(Question{}, tx.NewID); err != nil {
			return err
		}
		if err := q.checkSolvable(rule.Type); err != nil {
			return err
		}
		if made, err := insertQuestion(ctx, tx, q); err != nil || !made {
			return orRefused(err, "Question already exists")
		}
		return saveChoices(ctx, tx, q, nil)
	})
	return q, err
}

// UpdateQuestion replaces the text and the choices: those that the input names by id are changed, others added, the
// rest removed. Errors: Invalid; NotFound "Question"; Refused where somebody chose what is to be removed.
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
		rule, err := s.questionRule(ctx, tx, scope, before.RuleID)
		if err != nil {
			return asQuestionNotFound(err)
		}
		q = before
		q.Text, q.UpdatedAt, q.version = in.Text, tx.Now(), before.version+1
		if q.Choices, err = in.mergeChoices(before, tx.NewID); err != nil {
			return err
		}
		if err := q.checkSolvable(rule.Type); err != nil {
			return err
		}
		if err := removeChoices(ctx, tx, before, q); err != nil {
			return err
		}
		if err := updateQuestion(ctx, tx, q); err != nil {
			return err
		}
		return saveChoices(ctx, tx, q, before.Choices)
	})
	return q, err
}

// questionRule returns a live rule that asks a question.
func (s *Service) questionRule(ctx context.Context, q store.Queryer, scope laurel.Scope, id laurel.ID) (Rule, error) {
	rule, err := s.readRule(ctx, q, scope, id)
	if err == nil && rule.Deleted {
		err = laurel.Missing("Loyalty rule")
	}
	if err == nil && rule.Type != typeQuiz && rule.Type != typePoll {
		err = laurel.Errorf(laurel.Refused, "Loyalty rule must be of type quiz or poll")
	}
	return rule, err
}

// asQuestionNotFound says that a question went with its rule.
func asQuestionNotFound(err error) error {
	if laurel.CodeOf(err) == laurel.NotFound {
		return laurel.Missing("Question")
	}
	return err
}

func orRefused(err error, message string) error {
	if err != nil {
		return err
	}
	return laurel.Errorf(laurel.Refused, "%s", message)
}

// QuestionOf reads the question of a rule that the caller may see; false: it has none.
func (s *Service) QuestionOf(ctx context.Context, scope laurel.Scope, rule laurel.ID) (Question, bool, error) {
	q, found, err := s.questions.Get(ctx, rule)
	if found && (q.OrganizationID != scope.OrganizationID || !scope.WebsiteID.IsZero() && q.WebsiteID != scope.WebsiteID) {
		return Question{}, false, err
	}
	return q, found, err
}

// DeleteQuestion removes a question that nobody has answered, so that its rule may get another. Errors: NotFound
// "Question"; Refused where somebody has answered it.
func (s *Service) DeleteQuestion(ctx context.Context, scope laurel.Scope, id laurel.ID) (Question, error) {
	var q Question
	err := s.db.Write(ctx, scope.Request, func(tx *store.Tx) (err error) {
		if q, err = lockQuestion(ctx, tx, scope, id); err != nil {
			return err
		}
		return deleteQuestion(ctx, tx, q)
	})
	return q, err
}
