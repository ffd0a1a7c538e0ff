package abi

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"laurel.example/laurel"
)

// Contract is the ABI of a contract: its events and functions, in its order.
type Contract struct {
	Events    []*Event
	Functions []*Function
}

// itemKinds lists the types of the items of a JSON ABI.
var itemKinds = []string{kindFunction, kindEvent, "error", "constructor", "receive", "fallback"}

const mustBeList = "must be a JSON array of objects with a type, or the text of one"

// ParseContract parses the ABI of a contract: a JSON array, or a JSON string with the text of one (contract 3.23).
// Faults have their position behind path, such as abi.3.inputs.0.type; with any, the result is nil.
func ParseContract(f *laurel.Faults, path string, raw json.RawMessage) *Contract {
	var text string
	if json.Unmarshal(raw, &text) == nil {
		raw = json.RawMessage(text)
	}
	var list []json.RawMessage
	if json.Unmarshal(raw, &list) != nil || list == nil {
		f.Add(path, "%s", mustBeList)
		return nil
	}
	p := &jsonParser{&problems{f: f}}
	out := &Contract{}
	for at, one := range list {
		i := p.item(path+"."+strconv.Itoa(at), one)
		switch {
		case p.any: // the rest is parsed for its faults
		case i.kind == kindEvent:
			out.Events = append(out.Events, i.event())
		case i.kind == kindFunction:
			out.Functions = append(out.Functions, i.function())
		}
	}
	if p.any {
		return nil
	}
	return out
}

// jsonParser parses JSON ABIs.
type jsonParser struct{ *problems }

// item parses an item of a JSON ABI.
func (p *jsonParser) item(path string, raw json.RawMessage) *item {
	fields := p.object(path, raw)
	out := &item{kind: p.text(path+".type", fields["type"]), name: p.text(path+".name", fields["name"])}
	switch {
	case fields == nil:
		return out
	case out.kind == "":
		p.add(path+".type", "is required")
		return out
	case !slices.Contains(itemKinds, out.kind):
		p.add(path+".type", "must be one of: %s", strings.Join(itemKinds, ", "))
		return out
	}
	if slices.Contains([]string{kindFunction, kindEvent, "error"}, out.kind) {
		p.name(path+".name", out.name, true)
	}
	out.inputs = p.parameters(path+".inputs", fields["inputs"], 0)
	switch out.kind {
	case kindFunction:
		out.outputs = p.parameters(path+".outputs", fields["outputs"], 0)
	case kindEvent:
		out.anonymous = p.flag(path+".anonymous", fields["anonymous"])
		out.checkIndexed(p.problems, path)
	}
	return out
}

// parameters parses a list of parameters; absent and null are an empty list. depth is how many tuples it is within.
func (p *jsonParser) parameters(path string, raw json.RawMessage, depth int) []Parameter {
	var list []json.RawMessage
	switch {
	case len(raw) == 0:
		return nil
	case depth > maxNesting:
		p.add(path, mustBeFlat)
		return nil
	case json.Unmarshal(raw, &list) != nil:
		p.add(path, "must be an array of parameters")
		return nil
	}
	out := make([]Parameter, len(list))
	for i, one := range list {
		out[i] = p.parameter(path+"."+strconv.Itoa(i), one, depth)
	}
	return out
}

// parameter parses one parameter. With faults its type is nil. depth is how many tuples it is within.
func (p *jsonParser) parameter(path string, raw json.RawMessage, depth int) Parameter {
	fields := p.object(path, raw)
	if fields == nil {
		return Parameter{}
	}
	out := Parameter{Name: p.text(path+".name", fields["name"]), Indexed: p.flag(path+".indexed", fields["indexed"])}
	p.name(path+".name", out.Name, false)
	name := p.text(path+".type", fields["type"])
	if name == "" {
		p.add(path+".type", "is required")
		return out
	}
	var components []Parameter
	if strings.HasPrefix(name, "tuple") {
		if components = p.parameters(path+".components", fields["components"], depth+1); hasNoType(components) {
			return out
		}
		if len(components) == 0 {
			p.add(path+".components", "must have at least one component")
			return out
		}
	}
	var problem string
	if out.Type, problem = newType(name, components); problem != "" {
		p.add(path+".type", "%s", problem)
	}
	return out
}

// object returns the properties of an object; nil with a fault if it is none.
func (p *jsonParser) object(path string, raw json.RawMessage) map[string]json.RawMessage {
	var out map[string]json.RawMessage
	if json.Unmarshal(raw, &out) != nil || out == nil {
		p.add(path, "must be an object with a type")
		return nil
	}
	return out
}

// text returns a text; absent and null are "".
func (p *jsonParser) text(path string, raw json.RawMessage) string {
	var out string
	if len(raw) > 0 && json.Unmarshal(raw, &out) != nil {
		p.add(path, "must be a string")
	}
	return out
}

// flag returns a boolean; absent and null are false.
func (p *jsonParser) flag(path string, raw json.RawMessage) bool {
	var out bool
	if len(raw) > 0 && json.Unmarshal(raw, &out) != nil {
		p.add(path, "must be true or false")
	}
	return out
}

// name adds a fault for a text that is no name, and for "" if one is required.
func (p *jsonParser) name(path, name string, required bool) {
	switch {
	case name == "" && required:
		p.add(path, "is required")
	case name != "" && !nameForm.MatchString(name):
		p.add(path, "must be a name of letters, digits, _ and $ that begins with no digit")
	}
}
