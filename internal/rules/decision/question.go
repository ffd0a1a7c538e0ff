package decision

import (
	"slices"

	"laurel"
)

// Question is what the decision on a quiz or poll looks at.
type Question struct {
	Choices        []laurel.ID // none: the rule has no question
	Correct        []laurel.ID // those of the choices that a quiz is solved by
	AllowsRepeats  bool        `json:"Multiple"` // it may be answered again
	CallChoice     laurel.ID   `json:"Given"`    // the choice that comes with the call; zero: none
	PreviousChoice laurel.ID   `json:"Answer"`   // the choice that was given before and counts; zero: none
	IsDryRun       bool        `json:"Asks"`     // the call keeps nothing
}

// IsOpen reports whether the member may answer.
func (q Question) IsOpen() bool { return q.PreviousChoice.IsZero() || q.AllowsRepeats }

// AcceptsChoice reports whether the choice of the call becomes the member's answer once it is looked at.
func (q Question) AcceptsChoice() bool { return q.IsOpen() && slices.Contains(q.Choices, q.CallChoice) }

// RecordsChoice reports whether the choice of the call is the member's answer from now on, whatever the decision is:
// whoever has come so far has been told whether it is correct (contract 5.10). A refusal of an earlier step tells
// nothing, and keeps nothing.
func RecordsChoice(f Facts) bool {
	return f.Question.AcceptsChoice() && !f.Question.IsDryRun && checkBeforeVerification(f) == nil
}
