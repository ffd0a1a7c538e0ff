package conditions

import "laurel.example/laurel"

// ChainState is the state of a member in a chain: plain data, on which decisions rest through IsOpen.
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

// IsOpen reports whether the chain is fulfilled: all conditions hold, or with OR at least one.
func (s ChainState) IsOpen() bool {
	for _, c := range s.States { // the first one that holds decides with OR, the first that does not with AND
		if c.Complete == (s.Operator == Or) {
			return c.Complete
		}
	}
	return s.Operator != Or
}

// Unmet returns the conditions that do not hold.
func (s ChainState) Unmet() []State {
	var list []State
	for _, c := range s.States {
		if !c.Complete {
			list = append(list, c)
		}
	}
	return list
}
