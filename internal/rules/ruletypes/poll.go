package ruletypes

import (
	"slices"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/rules/decision"
	"laurel.example/laurel/internal/rules/schema"
)

// poll pays members who answer a question, whatever the answer (contract 5.10).
var poll = Kind{
	Kind: schema.Kind{
		Type: schema.TypePoll, Family: schema.FamilyEngagement, Title: "Poll",
		Summary: "Members answer a question and are rewarded for any answer.", OnCall: true,
	},
	Decision: &decision.Kind{Check: func(f decision.Facts) error {
		_, err := effectiveChoice(f.Question)
		return err
	}},
	NewStep: newQuestionStep,
}

// effectiveChoice returns the choice that counts as the member's answer: that of the call if the member may still
// answer, else the recorded one. It refuses the call if there is no choice, if there is no question, or if that choice
// or the call's is not among the choices of the question.
func effectiveChoice(q decision.Question) (laurel.ID, error) {
	choice := q.PreviousChoice
	if !q.CallChoice.IsZero() && q.IsOpen() {
		choice = q.CallChoice
	}
	switch {
	case choice.IsZero():
		return choice, decision.Refuse(decision.MsgNoChoice)
	case len(q.Choices) == 0:
		return choice, decision.Refuse(decision.MsgNoQuestion)
	case !q.CallChoice.IsZero() && !slices.Contains(q.Choices, q.CallChoice), !slices.Contains(q.Choices, choice):
		return choice, decision.Refuse(decision.MsgWrongChoice)
	}
	return choice, nil
}
