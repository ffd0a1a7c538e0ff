package ruletypes

import (
	"context"
	"slices"

	"laurel.example/laurel/internal/engagement"
	"laurel.example/laurel/internal/rules/decision"
	"laurel.example/laurel/internal/rules/schema"
	"laurel.example/laurel/internal/store"
)

// quiz pays members who answer a question correctly (contract 5.10).
var quiz = Kind{
	Kind: schema.Kind{
		Type: schema.TypeQuiz, Family: schema.FamilyEngagement, Title: "Quiz",
		Summary: "Members answer a question and are rewarded for the correct answer.", OnCall: true,
	},
	Decision: &decision.Kind{Check: checkAnswer},
	NewStep:  newQuestionStep,
}

// checkAnswer refuses a call without an answer and a wrong one. A dry run with a client key passes with a wrong answer,
// too, if it would be the member's only attempt.
func checkAnswer(f decision.Facts) error {
	choice, err := effectiveChoice(f.Question)
	if err != nil {
		return err
	}
	q := f.Question
	if slices.Contains(q.Correct, choice) {
		return nil
	}
	if f.WithClientKey && q.IsDryRun && !q.AllowsRepeats && q.PreviousChoice.IsZero() {
		return nil // else a browser could try every choice before its one attempt
	}
	return decision.Refuse(decision.MsgWrongChoice)
}

// questionStep reads the question of the rule and the member's answer. It records the answer of the call, correct or
// not.
type questionStep struct {
	*Deps
	question engagement.Question // with a zero id if the rule has none
}

// newQuestionStep returns the step of a quiz or a poll.
func newQuestionStep(d *Deps, _ *Case) *Step {
	s := &questionStep{Deps: d}
	return &Step{
		Prepare: s.prepare, UnlockedFacts: s.addRecordedChoice, Locks: s.locks, Check: s.check,
		LockedFacts: s.addLockedChoice, Apply: s.recordPaidChoice, ApplyRefusal: s.recordRefusedChoice,
	}
}

// prepare reads the question and its choices.
func (s *questionStep) prepare(ctx context.Context, c *Case) (err error) {
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

// locks returns the locks of the question and the member's answers.
func (s *questionStep) locks(c *Case) []store.Lock {
	if s.question.ID.IsZero() {
		return nil
	}
	return s.question.Locks(c.Person)
}

// check returns store.ErrStale if the question has changed.
func (s *questionStep) check(b *store.Batch, _ *Case) error {
	if s.question.ID.IsZero() {
		return nil
	}
	return s.question.Check(b)
}

// addLockedChoice adds the member's recorded choice, as the locked rows show it.
func (s *questionStep) addLockedChoice(b *store.Batch, c *Case, f *decision.Facts) {
	if s.question.ID.IsZero() {
		return
	}
	if answer, answered := s.question.CurrentAnswer(b, c.Person); answered {
		f.Question.PreviousChoice = answer.ChoiceID
	}
}

// addRecordedChoice adds the recorded choice, read without locks.
func (s *questionStep) addRecordedChoice(ctx context.Context, c *Case, f *decision.Facts) error {
	var answer engagement.Response
	var err error
	if !s.question.ID.IsZero() {
		answer, _, err = s.Engagement.ReadCurrentAnswer(ctx, c.Scope, s.question, c.Person)
	}
	f.Question.PreviousChoice = answer.ChoiceID
	return err
}

// recordPaidChoice records the call's choice if it is one of the question's choices and the locked rows show that the
// member may still answer.
func (s *questionStep) recordPaidChoice(b *store.Batch, c *Case, _ *Payment) error {
	f := decision.Facts{Question: c.PreparedFacts.Question}
	s.addLockedChoice(b, c, &f)
	if f.Question.AcceptsChoice() {
		s.question.StageAnswer(b, c.Person, c.In.QuestionChoiceID)
	}
	return nil
}

// recordRefusedChoice records the call's choice although the completion is refused, if the refusal reveals whether the
// choice is correct.
func (s *questionStep) recordRefusedChoice(b *store.Batch, c *Case, f decision.Facts) error {
	if !decision.RecordsChoice(f) {
		return nil
	}
	if err := c.Person.Admit(b, c.Scope); err != nil {
		return err
	}
	s.question.StageAnswer(b, c.Person, c.In.QuestionChoiceID)
	return nil
}
