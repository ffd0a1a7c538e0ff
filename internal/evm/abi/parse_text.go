package abi

import (
	"slices"
	"strconv"
	"strings"
)

// textParser parses Solidity's notation.
type textParser struct {
	*problems
	path     string
	expected string // what a fault says of a text that has not the form
}

// item parses an event or a function of the kind, which may begin with the kind.
func (p *textParser) item(text, kind string) *item {
	text = strings.TrimSpace(strings.TrimSuffix(strings.Join(strings.Fields(text), " "), ";"))
	if rest, ok := strings.CutPrefix(text, kind+" "); ok {
		text = strings.TrimSpace(rest)
	}
	name, _, _ := strings.Cut(text, "(")
	out := &item{kind: kind, name: strings.TrimSpace(name)}
	inner, rest, ok := cutParentheses(text[len(name):])
	if !ok || !nameForm.MatchString(out.name) {
		p.add(p.path, "%s", p.expected)
		return out
	}
	out.inputs = p.parameters(inner, p.path+".inputs", kind == kindEvent, 0)
	rest = strings.TrimSpace(rest)
	if kind == kindEvent {
		if out.anonymous = rest == "anonymous"; rest != "" && !out.anonymous {
			p.add(p.path, "must have nothing but anonymous behind the parameters")
		}
		out.checkIndexed(p.problems, p.path)
		return out
	}
	out.outputs = p.returns(rest)
	return out
}

// returns parses what follows the parameters of a function: words such as external and view, and the outputs.
func (p *textParser) returns(rest string) []Parameter {
	words, outputs, hasOutputs := strings.Cut(rest, "returns")
	for _, word := range strings.Fields(words) {
		if !nameForm.MatchString(word) {
			p.add(p.path, "must have nothing but words and returns (…) behind the parameters")
			return nil
		}
	}
	if !hasOutputs {
		return nil
	}
	inner, after, ok := cutParentheses(strings.TrimSpace(outputs))
	if !ok || strings.TrimSpace(after) != "" {
		p.add(p.path+".outputs", "must be a list of types in parentheses")
		return nil
	}
	return p.parameters(inner, p.path+".outputs", false, 0)
}

// cutParentheses takes a text that begins with an opening parenthesis. It returns what is between that parenthesis and
// the one that closes it, and what follows. ok is false if the text does not begin with one, or none closes it.
func cutParentheses(text string) (inner, rest string, ok bool) {
	if !strings.HasPrefix(text, "(") {
		return "", "", false
	}
	depth := 0
	for i, c := range text {
		switch c {
		case '(':
			depth++
		case ')':
			depth--
			if depth == 0 {
				return text[1:i], text[i+1:], true
			}
		}
	}
	return "", "", false
}

// parameters parses a list of parameters with or without names, such as
// "address indexed from, (uint256 a, bytes b)[] list". depth is how many tuples the list is within.
func (p *textParser) parameters(text, path string, indexed bool, depth int) []Parameter {
	if depth > maxNesting {
		p.add(path, mustBeFlat)
		return nil
	}
	var out []Parameter
	for i, one := range splitTypes(text) {
		out = append(out, p.parameter(strings.TrimSpace(one), path+"."+strconv.Itoa(i), indexed, depth))
	}
	return out
}

// parameter parses one parameter: a type, words such as indexed and memory, and a name. indexed says that it may be
// indexed. depth is how many tuples it is within. With faults its type is nil.
func (p *textParser) parameter(text, path string, indexed bool, depth int) Parameter {
	var out Parameter
	var components []Parameter
	var name string
	words := text
	if inner, isTuple := strings.CutPrefix(text, "tuple"); isTuple && strings.HasPrefix(strings.TrimSpace(inner), "(") {
		words = strings.TrimSpace(inner)
	}
	if strings.HasPrefix(words, "(") {
		inner, rest, ok := cutParentheses(words)
		if !ok {
			p.add(path+".type", mustBeType)
			return out
		}
		components = p.parameters(inner, path+".components", false, depth+1)
		if hasNoType(components) {
			return out
		}
		name, words = "tuple", rest
		if strings.HasPrefix(rest, "[") {
			suffix, after, _ := strings.Cut(rest, " ")
			name, words = name+suffix, after
		}
	} else {
		name, words, _ = strings.Cut(words, " ")
	}
	var problem string
	if out.Type, problem = newType(name, components); problem != "" {
		p.add(path+".type", "%s", problem)
	}
	for _, word := range strings.Fields(words) {
		switch {
		case out.Name == "" && word == "indexed" && indexed && !out.Indexed:
			out.Indexed = true
		case out.Name == "" && slices.Contains([]string{"memory", "calldata", "storage", "payable"}, word):
		case out.Name == "" && word != "indexed" && nameForm.MatchString(word):
			out.Name = word
		default:
			p.add(path+".name", "must be one name, not %.50q", word)
			return out
		}
	}
	return out
}

// hasNoType reports whether the type of a parameter had a fault.
func hasNoType(list []Parameter) bool {
	return slices.ContainsFunc(list, func(p Parameter) bool { return p.Type == nil })
}

// splitTypes splits a list of types at the commas outside of parentheses. An empty list has no items.
func splitTypes(text string) []string {
	if strings.TrimSpace(text) == "" {
		return nil
	}
	var out []string
	depth, from := 0, 0
	for i, c := range text {
		switch c {
		case '(':
			depth++
		case ')':
			depth--
		case ',':
			if depth == 0 {
				out, from = append(out, text[from:i]), i+1
			}
		}
	}
	return append(out, text[from:])
}
