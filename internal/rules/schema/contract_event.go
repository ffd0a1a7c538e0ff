package schema

import (
	"cmp"
	"encoding/json"
	"math/big"
	"regexp"
	"strconv"
	"strings"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/evm/abi"
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

// Factor returns the argument whose value multiplies the amount; "": none.
func (c *ContractEvent) Factor() string { return c.AmountMultiplier.ValueMapping }

// Names reports whether an event or a function with a name and a selector is the one that the rule names. Without a
// name, all are.
func (c *ContractEvent) Names(isFunction bool, name, selector string) bool {
	switch {
	case c.IsFunction() != isFunction:
		return false
	case c.Event == "":
		return true
	case !c.HasSignature():
		return strings.TrimSpace(c.Event) == name
	case isFunction:
		function := abi.ParseFunction(new(laurel.Faults), "", c.Event)
		return function != nil && function.Selector == selector
	}
	event := abi.ParseEvent(new(laurel.Faults), "", c.Event)
	return event != nil && event.Topic == selector
}

// Accepts reports whether arguments meet all conditions of the rule (contract 6).
func (c *ContractEvent) Accepts(args map[string]any) bool {
	if c.Criteria == "everyEvent" {
		return true
	}
	for _, p := range c.Params {
		if value, has := args[p.Name]; !has || !p.accepts(value) {
			return false
		}
	}
	return true
}

// accepts reports whether an argument meets the condition. Both compare as integers if both are numeric, else as text,
// in any case if both are hexadecimal.
func (p *ContractTest) accepts(value any) bool {
	if list, isList := value.([]any); isList && p.Condition == "contains" {
		for _, one := range list {
			if (&ContractTest{Condition: "equals", Value: p.Value}).accepts(one) {
				return true
			}
		}
		return false
	}
	has, wanted := textOf(value), textOfJSON(p.Value)
	if isHex(has) && (isHex(wanted) || p.Condition == "contains") {
		has, wanted = strings.ToLower(has), strings.ToLower(wanted)
	}
	order := cmp.Compare(has, wanted)
	if a, b := integerOf(has), integerOf(wanted); a != nil && b != nil && p.Condition != "contains" {
		order = a.Cmp(b)
	}
	switch p.Condition {
	case "", "equals":
		return order == 0
	case "not_equals":
		return order != 0
	case "greater_than":
		return order > 0
	case "greater_than_or_equal":
		return order >= 0
	case "less_than":
		return order < 0
	case "less_than_or_equal":
		return order <= 0
	case "contains":
		return strings.Contains(has, wanted)
	}
	return false
}

var (
	hexForm     = regexp.MustCompile(`^0[xX][0-9a-fA-F]*$`)
	integerForm = regexp.MustCompile(`^-?\d{1,80}$`)
	wholeForm   = regexp.MustCompile(`^(-?\d{1,80})\.0+$`)
)

func isHex(text string) bool { return hexForm.MatchString(text) }

// integerOf returns the integer that a text is; nil if it is none.
func integerOf(text string) *big.Int {
	if !integerForm.MatchString(text) {
		return nil
	}
	n, _ := new(big.Int).SetString(text, 10)
	return n
}

// textOf returns a decoded argument as text: JSON, but without the quotes of a text.
func textOf(value any) string {
	if text, isText := value.(string); isText {
		return text
	}
	encoded, err := json.Marshal(value)
	if err != nil {
		return ""
	}
	return string(encoded)
}

// textOfJSON returns a value of a rule as text, a whole number without its fraction.
func textOfJSON(raw json.RawMessage) string {
	var text string
	if json.Unmarshal(raw, &text) == nil {
		return text
	}
	if found := wholeForm.FindSubmatch(raw); found != nil {
		return string(found[1])
	}
	return string(raw)
}

// The values of metadata.onReorg: what becomes of points that a rule has paid for an event of a contract which a
// reorganization takes back.
const (
	ReverseWithinBalance = "reverse_within_balance" // they are taken back as far as the balance goes
	ReverseAll           = "reverse"                // what the balance does not cover is taken from later credits
	KeepPoints           = "keep"
)

// ReorgPolicy returns the value of onReorg that counts for the rule.
func (m Meta) ReorgPolicy() string { return cmp.Or(m.OnReorg, ReverseWithinBalance) }

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
		addFaultOf(f, path, value, contractSchema, "an object with type, criteria and params")
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
