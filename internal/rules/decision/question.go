package decision

import (
	"slices"

	"laurel"
	"laurel/internal/rules/schema"
)

// Question is what the decision on a quiz or poll looks at.
type Question struct {
	Choices  []laurel.ID // none: the rule has no question
	Correct  []laurel.ID // those of the choices that a quiz is solved by
	Multiple bool        // it may be answered again
	Given    laurel.ID   // the choice that comes with the call; zero: none
	Answer   laurel.ID   // the choice that was given before and counts; zero: none
	Asks     bool        // the call keeps nothing
}

// open reports whether the member may answer.
func (q Question) open() bool { return q.Answer.IsZero() || q.Multiple }

// Taken reports whether the choice of the call becomes the member's answer once it is looked at.
func (q Question) Taken() bool { return q.open() && slices.Contains(q.Choices, q.Given) }

// choice: the member's answer, of a quiz the correct one (contract 5.10). A single attempt that is used up stands,
// whatever the call says.
func choice(f Facts) error {
	q := f.Question
	counts := q.Answer
	if !q.Given.IsZero() && q.open() {
		counts = q.Given
	}
	switch {
	case counts.IsZero():
		return Refuse(MsgNoChoice)
	case len(q.Choices) == 0:
		return Refuse(MsgNoQuestion)
	case !q.Given.IsZero() && !slices.Contains(q.Choices, q.Given), !slices.Contains(q.Choices, counts):
		return Refuse(MsgWrongChoice)
	case f.Rule.Type == schema.TypePoll || slices.Contains(q.Correct, counts):
		return nil
	case f.Client && q.Asks && !q.Multiple && q.Answer.IsZero():
		return nil // a browser could try every choice, and then spend its one attempt on the correct one
	}
	return Refuse(MsgWrongChoice)
}

// Answers reports whether the choice of the call is the member's answer from now on, whatever the decision is: whoever
// has come so far has been told whether it is correct (contract 5.10). A refusal of an earlier step tells nothing, and
// keeps nothing.
func Answers(f Facts) bool { return f.Question.Taken() && !f.Question.Asks && before(f) == nil }
