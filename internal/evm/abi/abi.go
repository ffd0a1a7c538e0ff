// Package abi owns the contract ABI (https://docs.soliditylang.org/en/latest/abi-spec.html): it parses the events and
// functions of contracts, from a JSON ABI or in Solidity's notation, decodes logs, calls and results into plain values,
// and encodes calls. It reads no blockchain, and knows no rules.
//
// Plain values are those of JSON: numbers are decimal strings, addresses and bytes are 0x and hexadecimal digits in
// lower case, tuples are maps by the names of their components, arrays are lists (contract 7.1).
package abi

import (
	"encoding/hex"
	"encoding/json"
	"regexp"
	"strconv"
	"strings"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/evm/keccak"
)

// Parameter is an input of an event, an input or output of a function, or a component of a tuple.
type Parameter struct {
	Name    string // "": none; Keys has one for it
	Type    *Type
	Indexed bool // of an event: the value is a topic of the log
}

// Event is an event of a contract.
type Event struct {
	Name      string
	Canonical string // such as Transfer(address,address,uint256)
	Topic     string // 0x and 64 hexadecimal digits: the first topic of its logs
	Anonymous bool   // its logs do not have the topic
	Inputs    []Parameter
}

// Function is a function of a contract.
type Function struct {
	Name      string
	Canonical string // such as balanceOf(address)
	Selector  string // 0x and 8 hexadecimal digits: the beginning of its call data
	Inputs    []Parameter
	Outputs   []Parameter
}

const (
	maxText    = 16 << 10 // bytes of one event or function
	maxNesting = 16       // levels of tuples and arrays
	maxWords   = 10_000   // that a type takes without what the data sizes, so that no type is larger than any data
	wordSize   = 32
)

// What a fault says of an event or a function, and of a list.
const (
	mustBeEvent = "must be a fragment of a JSON ABI, or a signature such as " +
		"event Transfer(address indexed from, address indexed to, uint256 value)"
	mustBeFunction = "must be a fragment of a JSON ABI, or a signature such as " +
		"function transfer(address to, uint256 amount)"
)

var nameForm = regexp.MustCompile(`^[A-Za-z_$][A-Za-z0-9_$]*$`)

// ParseEvent parses an event: a fragment of a JSON ABI, or a signature in Solidity's notation such as
// "event Transfer(address indexed from, address indexed to, uint256 value)", in which the word event, the names and
// "anonymous" may stand or not. A signature that marks no parameter as indexed describes an event without indexed
// parameters. Faults of the text have their position behind path, such as eventAbi.inputs.2.type; with any, the event
// is nil.
func ParseEvent(f *laurel.Faults, path, text string) *Event {
	i := parseItem(f, path, text, kindEvent, mustBeEvent)
	if i == nil {
		return nil
	}
	return i.event()
}

// ParseFunction parses a function, in the forms of ParseEvent. With faults, which it adds to f, it is nil.
func ParseFunction(f *laurel.Faults, path, text string) *Function {
	i := parseItem(f, path, text, kindFunction, mustBeFunction)
	if i == nil {
		return nil
	}
	return i.function()
}

// parseItem parses a fragment or a signature of one kind. expected is what a fault says of a text that is neither.
func parseItem(f *laurel.Faults, path, text, kind, expected string) *item {
	p := &problems{f: f}
	text = strings.TrimSpace(text)
	var out *item
	switch {
	case len(text) > maxText:
		p.add(path, "must be at most %d bytes", maxText)
	case strings.HasPrefix(text, "{") && json.Valid([]byte(text)):
		out = (&jsonParser{p}).item(path, json.RawMessage(text))
		if !p.any && out.kind != kind {
			p.add(path+".type", "must be %s", kind)
		}
	default:
		out = (&textParser{p, path, expected}).item(text, kind)
	}
	if p.any {
		return nil
	}
	return out
}

// problems adds faults to f, which keeps a limited number of them. any is set with the first, kept or not.
type problems struct {
	f   *laurel.Faults
	any bool
}

func (p *problems) add(path, format string, args ...any) {
	p.any = true
	p.f.Add(path, format, args...)
}

// The kinds of items that are events or functions.
const (
	kindEvent    = "event"
	kindFunction = "function"
)

// item is one item of a contract's ABI.
type item struct {
	kind, name      string
	inputs, outputs []Parameter
	anonymous       bool
}

func (i *item) canonical() string { return i.name + canonicalOf(i.inputs) }

func (i *item) event() *Event {
	out := &Event{Name: i.name, Canonical: i.canonical(), Anonymous: i.anonymous, Inputs: i.inputs}
	out.Topic = "0x" + hex.EncodeToString(keccak.Sum256([]byte(out.Canonical)))
	return out
}

func (i *item) function() *Function {
	out := &Function{Name: i.name, Canonical: i.canonical(), Inputs: i.inputs, Outputs: i.outputs}
	out.Selector = "0x" + hex.EncodeToString(keccak.Sum256([]byte(out.Canonical))[:selectorSize])
	return out
}

// checkIndexed adds a fault for an event with more indexed parameters than a log has topics for.
func (i *item) checkIndexed(problems *problems, path string) {
	most := maxTopics
	if !i.anonymous {
		most-- // the first topic is that of the event
	}
	for at, p := range i.inputs {
		if p.Indexed {
			most--
			if most < 0 {
				problems.add(path+".inputs."+strconv.Itoa(at)+".indexed", "must not be set: a log has at most %d topics", maxTopics)
			}
		}
	}
}

// canonicalOf returns the types of parameters in canonical form, such as (address,uint256).
func canonicalOf(list []Parameter) string {
	names := make([]string, len(list))
	for i, p := range list {
		names[i] = p.Type.name
	}
	return "(" + strings.Join(names, ",") + ")"
}

// Keys returns the names of parameters in the values that are decoded: each once. A parameter without a name has its
// position, such as arg0. Of equal names the later ones have their position behind them, such as value_2.
func Keys(list []Parameter) []string {
	taken := make(map[string]bool, len(list))
	for _, p := range list {
		taken[p.Name] = true // before the names that are made up
	}
	out, seen := make([]string, len(list)), map[string]bool{}
	for i, p := range list {
		if p.Name != "" && !seen[p.Name] {
			out[i], seen[p.Name] = p.Name, true
			continue
		}
		key := "arg" + strconv.Itoa(i)
		if p.Name != "" {
			key = p.Name + "_" + strconv.Itoa(i)
		}
		for taken[key] {
			key += "_"
		}
		out[i], taken[key] = key, true
	}
	return out
}

// Text returns the event in the notation that ParseEvent reads. The components of tuples lose their names.
func (e *Event) Text() string {
	text := e.Name + textOf(e.Inputs)
	if e.Anonymous {
		text += " anonymous"
	}
	return text
}

// Text returns the function in the notation that ParseFunction reads, without its outputs. The components of tuples
// lose their names.
func (fn *Function) Text() string { return fn.Name + textOf(fn.Inputs) }

// textOf returns parameters as text, with their names.
func textOf(list []Parameter) string {
	words := make([]string, len(list))
	for i, p := range list {
		words[i] = p.Type.name
		if p.Indexed {
			words[i] += " indexed"
		}
		if p.Name != "" {
			words[i] += " " + p.Name
		}
	}
	return "(" + strings.Join(words, ", ") + ")"
}
