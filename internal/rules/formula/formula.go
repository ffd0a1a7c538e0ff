// Package formula parses and evaluates arithmetic formulas of one number, which websites write. It knows nothing of
// the meaning of the number.
package formula

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	maxLength = 500 // characters
	maxDepth  = 50  // of brackets, signs and powers within each other
)

// Operators lists what a formula may use beside X and numbers.
const Operators = "+ - * / ^ ( ) min max sqrt log"

// Error says what is wrong with a formula, and where.
type Error struct {
	Position int // of the character, from 1
	Problem  string
}

func (e *Error) Error() string { return fmt.Sprintf("at position %d, %s", e.Position, e.Problem) }

// Formula is a formula of X.
type Formula struct{ root term }

// term returns the value of a part for an X. It is NaN if there is none; it is never infinite.
type term func(x float64) float64

// Value returns the value for an X in double precision, or NaN if it has none: after a division by zero, a root or
// logarithm that does not exist, or a number that is too large, wherever in the formula.
func (f *Formula) Value(x float64) float64 { return f.root(x) }

// Parse parses a formula: numbers such as 2 and 0.5, X, + - * / ^, brackets, and the functions min and max of two or
// more values, sqrt, and log, which is the natural logarithm. ^ binds before a sign in front of it, and to the right.
// X and names may be in any case. Errors: *Error.
func Parse(text string) (*Formula, error) {
	if utf8.RuneCountInString(text) > maxLength {
		return nil, &Error{maxLength + 1, fmt.Sprintf("it is longer than %d characters", maxLength)}
	}
	p := &parser{text: []rune(text)}
	root, err := p.sum()
	if err != nil {
		return nil, err
	}
	if p.peek() != end {
		return nil, p.unexpected("an operator")
	}
	return &Formula{root}, nil
}

// end is what peek returns behind the last character. No text has it: it is no character.
const end rune = -1

type parser struct {
	text  []rune
	at    int // the next character
	depth int
}

// peek returns the next character that is no space.
func (p *parser) peek() rune {
	for p.at < len(p.text) && unicode.IsSpace(p.text[p.at]) {
		p.at++
	}
	if p.at == len(p.text) {
		return end
	}
	return p.text[p.at]
}

// take moves past the next character if it is one of a set, and returns it; 0 if it is another.
func (p *parser) take(set string) rune {
	if next := p.peek(); next != end && strings.ContainsRune(set, next) {
		p.at++
		return next
	}
	return 0
}

func (p *parser) fault(at int, format string, args ...any) error {
	return &Error{at + 1, fmt.Sprintf(format, args...)}
}

func (p *parser) unexpected(wanted string) error {
	if next := p.peek(); next != end {
		return p.fault(p.at, "there is %q in place of %s", string(next), wanted)
	}
	return p.fault(p.at, "it ends in place of %s", wanted)
}

// within calls parse one level deeper.
func (p *parser) within(parse func() (term, error)) (term, error) {
	p.depth++
	if p.depth > maxDepth {
		return nil, p.fault(p.at, "it is nested more than %d times", maxDepth)
	}
	defer func() { p.depth-- }()
	return parse()
}

func (p *parser) sum() (term, error) { return p.chain("+-", p.product) }

func (p *parser) product() (term, error) { return p.chain("*/", p.signed) }

// chain parses operands between operators of one rank, from left to right.
func (p *parser) chain(operators string, operand func() (term, error)) (term, error) {
	left, err := operand()
	for err == nil {
		operator := p.take(operators)
		if operator == 0 {
			break
		}
		var right term
		if right, err = operand(); err == nil {
			left = binary(operator, left, right)
		}
	}
	return left, err
}

// signed parses a power that may have signs in front of it.
func (p *parser) signed() (term, error) {
	sign := p.take("+-")
	if sign == 0 {
		return p.power()
	}
	value, err := p.within(p.signed)
	if err != nil || sign == '+' {
		return value, err
	}
	return func(x float64) float64 { return -value(x) }, nil
}

func (p *parser) power() (term, error) {
	base, err := p.value()
	if err != nil || p.take("^") == 0 {
		return base, err
	}
	exponent, err := p.within(p.signed)
	return binary('^', base, exponent), err
}

// value parses a number, X, a function or what is in brackets.
func (p *parser) value() (term, error) {
	start := p.peek()
	switch {
	case p.take("(") != 0:
		inner, err := p.within(p.sum)
		if err == nil && p.take(")") == 0 {
			err = p.unexpected("a closing bracket")
		}
		return inner, err
	case start == '.' || isDigit(start):
		return p.number()
	case isLetter(start):
		return p.name()
	}
	return nil, p.unexpected("a value")
}

func isDigit(c rune) bool { return c >= '0' && c <= '9' }

func isLetter(c rune) bool { return c == '_' || unicode.IsLetter(c) }

// word moves past the characters that belong, and returns them with the place of the first one.
func (p *parser) word(belongs func(rune) bool) (word string, at int) {
	at = p.at
	for p.at < len(p.text) && belongs(p.text[p.at]) {
		p.at++
	}
	return string(p.text[at:p.at]), at
}

func (p *parser) number() (term, error) {
	word, at := p.word(func(c rune) bool { return c == '.' || isDigit(c) })
	n, err := strconv.ParseFloat(word, 64)
	if err != nil {
		return nil, p.fault(at, "%q is no number", word)
	}
	return func(float64) float64 { return n }, nil
}

// name parses X or a function.
func (p *parser) name() (term, error) {
	word, at := p.word(func(c rune) bool { return isLetter(c) || isDigit(c) })
	name := strings.ToLower(word)
	if name == "x" {
		return func(x float64) float64 { return x }, nil
	}
	if !slices.Contains([]string{"min", "max", "sqrt", "log"}, name) {
		return nil, p.fault(at, "%q is not known", word)
	}
	if p.take("(") == 0 {
		return nil, p.unexpected("an opening bracket")
	}
	arguments, err := p.arguments()
	if err != nil {
		return nil, err
	}
	switch wantsMany := name == "min" || name == "max"; {
	case wantsMany && len(arguments) < 2:
		return nil, p.fault(at, "%s needs two values or more", name)
	case !wantsMany && len(arguments) != 1:
		return nil, p.fault(at, "%s needs one value", name)
	}
	return function(name, arguments), nil
}

// arguments parses the values of a function, up to its closing bracket.
func (p *parser) arguments() (list []term, err error) {
	for {
		argument, err := p.within(p.sum)
		if err != nil {
			return nil, err
		}
		list = append(list, argument)
		switch {
		case p.take(")") != 0:
			return list, nil
		case p.take(",") == 0:
			return nil, p.unexpected("a comma or a closing bracket")
		}
	}
}

// binary returns the term of an operator.
func binary(operator rune, left, right term) term {
	return func(x float64) float64 {
		a, b := left(x), right(x)
		if math.IsNaN(a) || math.IsNaN(b) { // a power of them may be a number
			return math.NaN()
		}
		switch operator {
		case '+':
			return finite(a + b)
		case '-':
			return finite(a - b)
		case '*':
			return finite(a * b)
		case '/':
			return finite(a / b)
		}
		return finite(math.Pow(a, b))
	}
}

// function returns the term of a function.
func function(name string, arguments []term) term {
	return func(x float64) float64 {
		value := arguments[0](x)
		for _, argument := range arguments[1:] {
			if name == "min" {
				value = math.Min(value, argument(x))
			} else {
				value = math.Max(value, argument(x))
			}
		}
		switch name {
		case "sqrt":
			value = math.Sqrt(value)
		case "log":
			value = math.Log(value)
		}
		return finite(value)
	}
}

// finite returns a number, or NaN for one that is infinite.
func finite(n float64) float64 {
	if math.IsInf(n, 0) {
		return math.NaN()
	}
	return n
}
