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
	Decision: &decision.Kind{Check: answeredWell},
	Begin:    func(d *Deps, _ *Case) Step { return &question{Deps: d} },
}

func answeredWell(f decision.Facts) error {
	counts, err := counting(f.Question)
	if err != nil {
		return err
	}
	q := f.Question
	if slices.Contains(q.Correct, counts) {
		return nil
	}
	if f.Client && q.Asks && !q.Multiple && q.Answer.IsZero() {
		return nil // a browser could try every choice, and then spend its one attempt on the correct one
	}
	return decision.Refuse(decision.MsgWrongChoice)
}

// question is the answer of one completion. It may come with the call and is kept then, also where it is wrong.
type question struct {
	*Deps
	of engagement.Question // without id: the rule has none
}

func (s *question) Read(ctx context.Context, c *Case) (err error) {
	s.of, _, err = s.Engagement.QuestionOf(ctx, c.Scope, c.Rule.ID)
	q := decision.Question{Given: c.In.QuestionChoiceID, Multiple: s.of.AllowMultipleAttempts, Asks: c.In.VerifyOnly}
	for _, choice := range s.of.Choices {
		q.Choices = append(q.Choices, choice.ID)
		if choice.Correct {
			q.Correct = append(q.Correct, choice.ID)
		}
	}
	c.Known.Question = q
	return err
}

func (s *question) Locks(c *Case) []store.Lock {
	if s.of.ID.IsZero() {
		return nil
	}
	return s.of.Locks(c.Person)
}

func (s *question) Check(b *store.Batch, _ *Case) error {
	if s.of.ID.IsZero() {
		return nil
	}
	return s.of.Check(b)
}

func (s *question) Facts(b *store.Batch, c *Case, f *decision.Facts) {
	if s.of.ID.IsZero() {
		return
	}
	if answer, given := s.of.Answered(b, c.Person); given {
		f.Question.Answer = answer.ChoiceID
	}
}

func (s *question) Look(ctx context.Context, c *Case, f *decision.Facts) error {
	var answer engagement.Response
	var err error
	if !s.of.ID.IsZero() {
		answer, _, err = s.Engagement.AnsweredNow(ctx, c.Scope, s.of, c.Person)
	}
	f.Question.Answer = answer.ChoiceID
	return err
}

func (s *question) Paid(b *store.Batch, c *Case, _ decision.Reward) error {
	f := decision.Facts{Question: c.Known.Question}
	s.Facts(b, c, &f)
	if f.Question.Taken() {
		s.of.Take(b, c.Person, c.In.QuestionChoiceID)
	}
	return nil
}

func (s *question) Refused(b *store.Batch, c *Case, f decision.Facts) error {
	if !decision.Answers(f) {
		return nil
	}
	if err := c.Person.Admit(b, c.Scope); err != nil {
		return err
	}
	s.of.Take(b, c.Person, c.In.QuestionChoiceID)
	return nil
}
