package schema

import (
	"encoding/json"
	"strconv"
	"strings"

	"laurel"
	"laurel/internal/evm/abi"
)

// ContractEvent says which event or function of a contract completes a rule: the property smartContract of the metadata
// (contract 3.13).
type ContractEvent struct {
	Type             string         `json:"type"` // event or function; "" is event
	ContractID       *laurel.ID     `json:"contractId"`
	Event            string         `json:"event"` // a name or a full signature, of a function too
	Criteria         string         `json:"criteria"`
	Params           []ContractTest `json:"params"`
	AddressMapping   string         `json:"addressMapping"` // "": the sender of the transaction
	AmountMultiplier struct {
		ValueMapping string `json:"valueMapping"` // "": none
	} `json:"amountMultiplier"`
}

// ContractTest is a condition on one argument.
type ContractTest struct {
	Name      string          `json:"name"`
	Condition string          `json:"condition"`
	Value     json.RawMessage `json:"value"`
}

// IsFunction reports whether calls complete the rule, and not events.
func (c *ContractEvent) IsFunction() bool { return c.Type == "function" }

// HasSignature reports whether the event or function is named by its full signature.
func (c *ContractEvent) HasSignature() bool { return strings.Contains(c.Event, "(") }

// ContractEvent returns the event or function that completes the rule; nil if there is none.
func (p *Properties) ContractEvent() *ContractEvent {
	var stored struct {
		SmartContract *ContractEvent `json:"smartContract"`
	}
	if json.Unmarshal(p.Metadata, &stored) != nil {
		return nil
	}
	return stored.SmartContract
}

// checkContract checks that the property smartContract is an object, that its type, criteria and conditions are known
// ones, and that a full signature is one.
func checkContract(f *laurel.Faults, path string, value json.RawMessage) {
	var c struct {
		Type, Criteria, Event, AddressMapping *string
		Params                                []struct{ Name, Condition *string }
		AmountMultiplier                      *struct{ ValueMapping *string }
	}
	if !isObject(value) || json.Unmarshal(value, &c) != nil {
		f.Add(path, "must be an object with type, criteria and params")
		return
	}
	checkChoice(f, path+".type", c.Type, contractKinds)
	checkChoice(f, path+".criteria", c.Criteria, contractCriteria)
	for i, p := range c.Params {
		checkChoice(f, path+".params."+strconv.Itoa(i)+".condition", p.Condition, conditions)
	}
	switch {
	case c.Event == nil || !strings.Contains(*c.Event, "("): // a name, which the contract's ABI knows
	case c.Type != nil && *c.Type == "function":
		abi.ParseFunction(f, path+".event", *c.Event)
	default:
		abi.ParseEvent(f, path+".event", *c.Event)
	}
}
