package evm

import (
	"encoding/hex"
	"encoding/json"
	"errors"
	"regexp"
	"strings"

	"golang.org/x/crypto/sha3"
)

// Signature is an event or a function of a contract, in the form whose hash gives its selector.
type Signature struct {
	Name      string
	Canonical string // such as Transfer(address,address,uint256)
	Selector  string // 0x and 64 hexadecimal digits of an event's topic, 8 of a function
}

// errSignature tells that a text is neither a JSON fragment nor a signature.
var errSignature = errors.New("evm: not an ABI fragment")

const (
	maxABI    = 16 << 10 // bytes
	maxNested = 16       // tuples within tuples
)

// ParseEvent reads an event: a fragment of a contract's JSON ABI, or a signature such as
// "event Transfer(address indexed from, address indexed to, uint256 value)". The selector is its topic 0.
func ParseEvent(text string) (Signature, error) { return parseSignature(text, "event", 32) }

// ParseFunction reads a function in the same forms. The selector is the first four bytes of its call data.
func ParseFunction(text string) (Signature, error) { return parseSignature(text, "function", 4) }

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

// Keccak returns the Keccak-256 hash of some bytes.
func Keccak(b []byte) []byte {
	h := sha3.NewLegacyKeccak256()
	_, _ = h.Write(b) // never fails
	return h.Sum(nil)
}

type parameter struct {
	Type       string      `json:"type"`
	Components []parameter `json:"components"`
}

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

// canonicalType brings a type to its canonical form: int stands for int256.
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

// parseText reads a signature as people write it.
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

// cutParentheses returns what stands between the first parenthesis of a text and the one that closes it, and the rest.
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

// parseParameters reads parameters with their names: "address indexed from, (uint256 a, bytes b)[] list".
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

// parseParameter reads one parameter.
func parseParameter(item string, depth int) (string, error) {
	item = strings.TrimPrefix(item, "tuple")
	if !strings.HasPrefix(item, "(") {
		words := strings.Fields(item)
		if len(words) == 0 || len(words) > 4 {
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

// SplitTypes parts a list of types at its commas, but not within parentheses. An empty list has no parts.
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
