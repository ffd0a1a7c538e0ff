package decision

import (
	"slices"

	"laurel"
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

// Open reports whether the member may answer.
func (q Question) Open() bool { return q.Answer.IsZero() || q.Multiple }

// Taken reports whether the choice of the call becomes the member's answer once it is looked at.
func (q Question) Taken() bool { return q.Open() && slices.Contains(q.Choices, q.Given) }

// Answers reports whether the choice of the call is the member's answer from now on, whatever the decision is: whoever
// has come so far has been told whether it is correct (contract 5.10). A refusal of an earlier step tells nothing, and
// keeps nothing.
func Answers(f Facts) bool { return f.Question.Taken() && !f.Question.Asks && before(f) == nil }
