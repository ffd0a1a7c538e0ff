package evm

import (
	"encoding/hex"
	"encoding/json"
	"errors"
	"regexp"
	"strings"

	"golang.org/x/crypto/sha3"
)

// Signature identifies an event or a function of a contract. The hash of Canonical gives Selector.
type Signature struct {
	Name      string
	Canonical string // such as Transfer(address,address,uint256)
	Selector  string // 0x and hexadecimal digits: 64 for an event (its topic 0), 8 for a function
}

// errSignature is the error of a text that is neither a fragment of a JSON ABI nor a signature.
var errSignature = errors.New("evm: not an ABI fragment")

const (
	maxABI    = 16 << 10 // bytes
	maxNested = 16       // levels of tuples within tuples
)

// ParseEvent parses an event: a fragment of a contract's JSON ABI, or a signature such as
// "event Transfer(address indexed from, address indexed to, uint256 value)". The selector is its topic 0.
func ParseEvent(text string) (Signature, error) { return parseSignature(text, "event", 32) }

// ParseFunction parses a function in the same forms. The selector is the first four bytes of its call data.
func ParseFunction(text string) (Signature, error) { return parseSignature(text, "function", 4) }

// parseSignature parses the fragment or the signature of an event or a function; kind is "event" or "function". The
// selector is the first selectorBytes of the hash. Errors: errSignature.
func parseSignature(text, kind string, selectorBytes int) (Signature, error) {
	text = strings.TrimSpace(text)
	if len(text) > maxABI {
		return Signature{}, errSignature
	}
	var name, types string
	var err error
	if strings.HasPrefix(text, "{") {
		name, types, err = parseFragment(text, kind)
	} else {
		name, types, err = parseText(text, kind)
	}
	if err != nil {
		return Signature{}, err
	}
	out := Signature{Name: name, Canonical: name + types}
	out.Selector = "0x" + hex.EncodeToString(Keccak([]byte(out.Canonical))[:selectorBytes])
	return out, nil
}

// Keccak returns the Keccak-256 hash of bytes.
func Keccak(b []byte) []byte {
	h := sha3.NewLegacyKeccak256()
	_, _ = h.Write(b) // never fails
	return h.Sum(nil)
}

// parameter is a parameter in a JSON ABI.
type parameter struct {
	Type       string      `json:"type"`
	Components []parameter `json:"components"`
}

// parseFragment returns the name and the canonical types of a fragment of a JSON ABI. Errors: errSignature, also for a
// fragment of another kind.
func parseFragment(text, kind string) (name, types string, err error) {
	var f struct {
		Type   string      `json:"type"`
		Name   string      `json:"name"`
		Inputs []parameter `json:"inputs"`
	}
	if err := json.Unmarshal([]byte(text), &f); err != nil || f.Type != kind || !nameForm.MatchString(f.Name) {
		return "", "", errSignature
	}
	types, err = canonicalTuple(f.Inputs, 0)
	return f.Name, types, err
}

// canonicalTuple returns the types of parameters in canonical form, such as (address,uint256). depth is how many tuples
// the parameters are within. Errors: errSignature, also beyond maxNested.
func canonicalTuple(inputs []parameter, depth int) (string, error) {
	if depth > maxNested {
		return "", errSignature
	}
	list := make([]string, len(inputs))
	for i, in := range inputs {
		kind, err := in.canonical(depth)
		if err != nil {
			return "", err
		}
		list[i] = kind
	}
	return "(" + strings.Join(list, ",") + ")", nil
}

// canonical returns the type of a parameter in canonical form: a tuple is the list of its types. depth is how many
// tuples the parameter is within.
func (p parameter) canonical(depth int) (string, error) {
	if suffix, ok := strings.CutPrefix(p.Type, "tuple"); ok {
		if !arrayForm.MatchString(suffix) {
			return "", errSignature
		}
		inner, err := canonicalTuple(p.Components, depth+1)
		return inner + suffix, err
	}
	return canonicalType(p.Type)
}

var (
	nameForm  = regexp.MustCompile(`^[A-Za-z_$][A-Za-z0-9_$]*$`)
	arrayForm = regexp.MustCompile(`^(\[\d*\])*$`)
	typeForm  = regexp.MustCompile(`^(u?int(8|16|24|32|40|48|56|64|72|80|88|96|104|112|120|128|136|144|152|160|168|176|184|192|` +
		`200|208|216|224|232|240|248|256)?|bytes([1-9]|[12][0-9]|3[0-2])?|address|bool|string|function|u?fixed(128x18)?)$`)
)

// canonicalType returns the canonical form of a type that is no tuple, such as int256 for int.
func canonicalType(text string) (string, error) {
	base, suffix := text, ""
	if i := strings.IndexByte(text, '['); i >= 0 {
		base, suffix = text[:i], text[i:]
	}
	if !typeForm.MatchString(base) || !arrayForm.MatchString(suffix) {
		return "", errSignature
	}
	switch base {
	case "int", "uint":
		base += "256"
	case "fixed", "ufixed":
		base += "128x18"
	}
	return base + suffix, nil
}

// parseText returns the name and the canonical types of a signature in Solidity's notation, which may begin with the
// kind. Errors: errSignature.
func parseText(text, kind string) (name, types string, err error) {
	text = strings.TrimSpace(strings.TrimSuffix(text, ";"))
	if rest, ok := strings.CutPrefix(text, kind+" "); ok {
		text = strings.TrimSpace(rest)
	}
	open := strings.IndexByte(text, '(')
	if open < 0 || !nameForm.MatchString(strings.TrimSpace(text[:open])) {
		return "", "", errSignature
	}
	inner, rest, err := cutParentheses(text[open:])
	if err != nil || kind == "event" && strings.TrimSpace(rest) != "" && strings.TrimSpace(rest) != "anonymous" {
		return "", "", errSignature
	}
	types, err = parseParameters(inner, 0)
	return strings.TrimSpace(text[:open]), types, err
}

// cutParentheses takes a text that begins with an opening parenthesis. It returns what is between that parenthesis and
// the one that closes it, and what follows. Errors: errSignature if none closes it.
func cutParentheses(text string) (inner, rest string, err error) {
	depth := 0
	for i, c := range text {
		switch c {
		case '(':
			depth++
		case ')':
			depth--
			if depth == 0 {
				return text[1:i], text[i+1:], nil
			}
		}
	}
	return "", "", errSignature
}

// parseParameters returns the canonical types of a list of parameters with or without names, such as
// "address indexed from, (uint256 a, bytes b)[] list". depth is how many tuples the list is within, at most maxNested.
func parseParameters(text string, depth int) (string, error) {
	if depth > maxNested {
		return "", errSignature
	}
	var list []string
	for _, item := range SplitTypes(text) {
		kind, err := parseParameter(strings.TrimSpace(item), depth)
		if err != nil {
			return "", err
		}
		list = append(list, kind)
	}
	return "(" + strings.Join(list, ",") + ")", nil
}

// parseParameter returns the canonical type of one parameter. depth is how many tuples it is within.
func parseParameter(item string, depth int) (string, error) {
	item = strings.TrimPrefix(item, "tuple")
	if !strings.HasPrefix(item, "(") {
		words := strings.Fields(item)
		if len(words) == 0 || len(words) > 4 { // a type, and words such as indexed, memory or payable, and a name
			return "", errSignature
		}
		return canonicalType(words[0])
	}
	inner, rest, err := cutParentheses(item)
	if err != nil {
		return "", err
	}
	suffix := ""
	if strings.HasPrefix(rest, "[") {
		suffix, _, _ = strings.Cut(rest, " ")
	}
	if !arrayForm.MatchString(suffix) {
		return "", errSignature
	}
	kinds, err := parseParameters(inner, depth+1)
	return kinds + suffix, err
}

// SplitTypes splits a list of types at the commas outside of parentheses. An empty list has no items.
func SplitTypes(text string) []string {
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
