package ruletypes

import (
	"slices"

	"laurel"
	"laurel/internal/rules/decision"
	"laurel/internal/rules/schema"
)

// poll: the member answers a question, and every answer pays (contract 5.10).
var poll = Kind{
	Kind: schema.Kind{
		Type: schema.TypePoll, Family: schema.Engagement, Title: "Poll",
		Summary: "Members answer a question; every answer pays.", OnCall: true,
	},
	Decision: &decision.Kind{Check: func(f decision.Facts) error {
		_, err := effectiveChoice(f.Question)
		return err
	}},
	NewStep: func(d *Deps, _ *Case) Step { return &questionStep{Deps: d} },
}

// effectiveChoice returns the member's answer. A single attempt that is used up stands, whatever the call says.
func effectiveChoice(q decision.Question) (laurel.ID, error) {
	counts := q.PreviousChoice
	if !q.CallChoice.IsZero() && q.IsOpen() {
		counts = q.CallChoice
	}
	switch {
	case counts.IsZero():
		return counts, decision.Refuse(decision.MsgNoChoice)
	case len(q.Choices) == 0:
		return counts, decision.Refuse(decision.MsgNoQuestion)
	case !q.CallChoice.IsZero() && !slices.Contains(q.Choices, q.CallChoice), !slices.Contains(q.Choices, counts):
		return counts, decision.Refuse(decision.MsgWrongChoice)
	}
	return counts, nil
}
