package ruletypes

import (
	"context"
	"slices"

	"laurel/internal/engagement"
	"laurel/internal/rules/decision"
	"laurel/internal/rules/schema"
	"laurel/internal/store"
)

// quiz: the member answers a question, and the correct answer pays (contract 5.10).
var quiz = Kind{
	Kind: schema.Kind{
		Type: schema.TypeQuiz, Family: schema.Engagement, Title: "Quiz",
		Summary: "Members answer a question; the correct answer pays.", OnCall: true,
	},
	Decision: &decision.Kind{Check: checkAnswer},
	NewStep:  func(d *Deps, _ *Case) Step { return &questionStep{Deps: d} },
}

func checkAnswer(f decision.Facts) error {
	counts, err := effectiveChoice(f.Question)
	if err != nil {
		return err
	}
	q := f.Question
	if slices.Contains(q.Correct, counts) {
		return nil
	}
	if f.WithClientKey && q.IsDryRun && !q.AllowsRepeats && q.PreviousChoice.IsZero() {
		return nil // a browser could try every choice, and then spend its one attempt on the correct one
	}
	return decision.Refuse(decision.MsgWrongChoice)
}

// questionStep is the answer of one completion. It may come with the call and is kept then, also where it is wrong.
type questionStep struct {
	*Deps
	question engagement.Question // without id: the rule has none
}

func (s *questionStep) Prepare(ctx context.Context, c *Case) (err error) {
	s.question, _, err = s.Engagement.QuestionOf(ctx, c.Scope, c.Rule.ID)
	q := decision.Question{
		CallChoice: c.In.QuestionChoiceID, AllowsRepeats: s.question.AllowMultipleAttempts, IsDryRun: c.In.VerifyOnly,
	}
	for _, choice := range s.question.Choices {
		q.Choices = append(q.Choices, choice.ID)
		if choice.Correct {
			q.Correct = append(q.Correct, choice.ID)
		}
	}
	c.PreparedFacts.Question = q
	return err
}

func (s *questionStep) Locks(c *Case) []store.Lock {
	if s.question.ID.IsZero() {
		return nil
	}
	return s.question.Locks(c.Person)
}

func (s *questionStep) Check(b *store.Batch, _ *Case) error {
	if s.question.ID.IsZero() {
		return nil
	}
	return s.question.Check(b)
}

func (s *questionStep) LockedFacts(b *store.Batch, c *Case, f *decision.Facts) {
	if s.question.ID.IsZero() {
		return
	}
	if answer, given := s.question.CurrentAnswer(b, c.Person); given {
		f.Question.PreviousChoice = answer.ChoiceID
	}
}

func (s *questionStep) UnlockedFacts(ctx context.Context, c *Case, f *decision.Facts) error {
	var answer engagement.Response
	var err error
	if !s.question.ID.IsZero() {
		answer, _, err = s.Engagement.ReadCurrentAnswer(ctx, c.Scope, s.question, c.Person)
	}
	f.Question.PreviousChoice = answer.ChoiceID
	return err
}

func (s *questionStep) Apply(b *store.Batch, c *Case, _ decision.Reward) error {
	f := decision.Facts{Question: c.PreparedFacts.Question}
	s.LockedFacts(b, c, &f)
	if f.Question.AcceptsChoice() {
		s.question.StageAnswer(b, c.Person, c.In.QuestionChoiceID)
	}
	return nil
}

func (s *questionStep) ApplyRefusal(b *store.Batch, c *Case, f decision.Facts) error {
	if !decision.RecordsChoice(f) {
		return nil
	}
	if err := c.Person.Admit(b, c.Scope); err != nil {
		return err
	}
	s.question.StageAnswer(b, c.Person, c.In.QuestionChoiceID)
	return nil
}
