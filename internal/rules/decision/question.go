package decision

import (
	"slices"

	"laurel.example/laurel"
)

// Question holds the facts about the question of a quiz or poll.
type Question struct {
	Choices        []laurel.ID // none: the rule has no question
	Correct        []laurel.ID // the correct choices of a quiz
	AllowsRepeats  bool        `json:"Multiple"` // the member may answer again
	CallChoice     laurel.ID   `json:"Given"`    // the choice in the call; zero: none
	PreviousChoice laurel.ID   `json:"Answer"`   // the member's recorded choice; zero: none
	IsDryRun       bool        `json:"Asks"`     // the call records nothing
}

// IsOpen reports whether the member may still answer.
func (q Question) IsOpen() bool { return q.PreviousChoice.IsZero() || q.AllowsRepeats }

// AcceptsChoice reports whether the call's choice can become the member's answer.
func (q Question) AcceptsChoice() bool { return q.IsOpen() && slices.Contains(q.Choices, q.CallChoice) }

// RecordsChoice reports whether the call's choice becomes the member's answer, whether it is paid or refused: the
// result shows whether it is correct (contract 5.10). A refusal by an earlier step shows nothing, so nothing is
// recorded.
func RecordsChoice(f Facts) bool {
	return f.Question.AcceptsChoice() && !f.Question.IsDryRun && checkBeforeVerification(f) == nil
}
