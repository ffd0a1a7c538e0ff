package conditions

import "laurel"

// ChainState is how far a member is with a chain: plain data, of which the decision goes by Open.
type ChainState struct {
	ChainID  laurel.ID `json:"loyaltyRuleChainId"`
	Operator string    `json:"operatorType"`
	States   []State   `json:"conditions"`
}

// The operators of chains (contract 2).
const (
	And = "AND"
	Or  = "OR"
)

// IsOpen reports whether all conditions hold, or with OR one of them.
func (s ChainState) IsOpen() bool {
	for _, c := range s.States {
		if c.Complete == (s.Operator == Or) {
			return c.Complete
		}
	}
	return s.Operator != Or
}

// Unmet lists the conditions that do not hold.
func (s ChainState) Unmet() []State {
	var list []State
	for _, c := range s.States {
		if !c.Complete {
			list = append(list, c)
		}
	}
	return list
}
