package completion

import (
	"context"

	"laurel/internal/engagement"
	"laurel/internal/rules/catalog"
	"laurel/internal/rules/decision"
	"laurel/internal/rules/schema"
	"laurel/internal/store"
)

// quiz: a quiz or poll goes by the answer to its question, which may come with the call and is kept then, also where it
// is wrong (contract 5.10).
type quiz struct {
	*Service
}

// asks reports whether the rule has a question.
func asks(r *catalog.Rule) bool { return r.Type == schema.TypeQuiz || r.Type == schema.TypePoll }

func (s quiz) ahead(ctx context.Context, w *completion) (err error) {
	w.question, _, err = s.engagement.QuestionOf(ctx, w.scope, w.rule.ID)
	q := decision.Question{Given: w.in.QuestionChoiceID, Multiple: w.question.AllowMultipleAttempts, Asks: w.in.VerifyOnly}
	for _, c := range w.question.Choices {
		q.Choices = append(q.Choices, c.ID)
		if c.Correct {
			q.Correct = append(q.Correct, c.ID)
		}
	}
	w.known.Question = q
	return err
}

func (quiz) locks(w *completion) []store.Lock {
	if w.question.ID.IsZero() {
		return nil
	}
	return w.question.Locks(w.person)
}

func (quiz) checked(b *store.Batch, w *completion) error {
	if w.question.ID.IsZero() {
		return nil
	}
	return w.question.Check(b)
}

func (quiz) judged(b *store.Batch, w *completion, f *decision.Facts) {
	if w.question.ID.IsZero() {
		return
	}
	if answer, given := w.question.Answered(b, w.person); given {
		f.Question.Answer = answer.ChoiceID
	}
}

func (s quiz) asked(ctx context.Context, w *completion, f *decision.Facts) error {
	var answer engagement.Response
	var err error
	if !w.question.ID.IsZero() {
		answer, _, err = s.engagement.AnsweredNow(ctx, w.scope, w.question, w.person)
	}
	f.Question.Answer = answer.ChoiceID
	return err
}

func (s quiz) paid(b *store.Batch, w *completion, _ decision.Reward) error {
	var f decision.Facts
	f.Question = w.known.Question
	s.judged(b, w, &f)
	if f.Question.Taken() {
		w.question.Take(b, w.person, w.in.QuestionChoiceID)
	}
	return nil
}

func (quiz) refused(b *store.Batch, w *completion, f decision.Facts) error {
	if !decision.Answers(f) {
		return nil
	}
	if err := w.person.Admit(b, w.scope); err != nil {
		return err
	}
	w.question.Take(b, w.person, w.in.QuestionChoiceID)
	return nil
}
