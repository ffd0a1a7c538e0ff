package laurel

import (
	"bytes"
	"encoding/json"
	"fmt"
	"iter"
	"math/big"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// Decimal is an exact decimal number, such as an amount of points: "12.5". In JSON it is a number, and no digit of it is
// lost on the way.
type Decimal string

// MarshalJSON writes the number.
func (d Decimal) MarshalJSON() ([]byte, error) {
	if !isNumber(string(d)) {
		return nil, fmt.Errorf("%q is no decimal number", string(d))
	}
	return []byte(d), nil
}

// UnmarshalJSON reads a number, or a text that holds one.
func (d *Decimal) UnmarshalJSON(text []byte) error {
	s := strings.Trim(string(text), `"`)
	if s == "null" {
		return nil
	}
	if !isNumber(s) {
		return fmt.Errorf("%s is no decimal number", text)
	}
	*d = Decimal(s)
	return nil
}

// Rat returns the number for exact arithmetic; nil if the text is no number.
func (d Decimal) Rat() *big.Rat {
	if !isNumber(string(d)) {
		return nil
	}
	number, _ := new(big.Rat).SetString(string(d))
	return number
}

// Cmp compares two numbers: -1 if d is less, 0 if both are equal, 1 if d is greater. A text that is no number counts as
// 0.
func (d Decimal) Cmp(other Decimal) int {
	a, b := d.Rat(), other.Rat()
	if a == nil {
		a = new(big.Rat)
	}
	if b == nil {
		b = new(big.Rat)
	}
	return a.Cmp(b)
}

// isNumber reports whether a text is a JSON number.
func isNumber(s string) bool {
	return s != "" && len(s) <= 64 && (s[0] == '-' || s[0] >= '0' && s[0] <= '9') && json.Valid([]byte(s))
}

// NumberOrText is a property that is either, such as a rank, which may be "1000+". It holds the text or the digits.
type NumberOrText string

// MarshalJSON writes a number if it is one, else a text.
func (n NumberOrText) MarshalJSON() ([]byte, error) {
	if isNumber(string(n)) {
		return []byte(n), nil
	}
	return json.Marshal(string(n))
}

// UnmarshalJSON reads a number or a text.
func (n *NumberOrText) UnmarshalJSON(text []byte) error {
	if isNumber(string(text)) {
		*n = NumberOrText(text)
		return nil
	}
	return json.Unmarshal(text, (*string)(n))
}

// Optional is a property of a request that may be left out, null or a value. The zero value leaves it out; Set and Null
// make the others.
type Optional[T any] struct {
	value T
	state state
}

type state uint8

const (
	isAbsent state = iota
	isNull
	isSet
)

// Set returns a property with a value.
func Set[T any](value T) Optional[T] { return Optional[T]{value, isSet} }

// Null returns a property that is null, which clears it.
func Null[T any]() Optional[T] { return Optional[T]{state: isNull} }

// IsZero reports whether the property is left out.
func (o Optional[T]) IsZero() bool { return o.state == isAbsent }

// Get returns the value, and whether there is one.
func (o Optional[T]) Get() (T, bool) { return o.value, o.state == isSet }

// MarshalJSON writes the value, or null.
func (o Optional[T]) MarshalJSON() ([]byte, error) {
	if o.state != isSet {
		return []byte("null"), nil
	}
	return json.Marshal(o.value)
}

// UnmarshalJSON reads the value, or null. Numbers without a type stay exact, as json.Number.
func (o *Optional[T]) UnmarshalJSON(text []byte) error {
	if bytes.Equal(text, []byte("null")) {
		*o = Null[T]()
		return nil
	}
	o.state = isSet
	return decode(text, &o.value)
}

// Value returns what a property of a response points to; the zero value if the property is missing or null.
func Value[T any](property *T) T {
	if property == nil {
		var none T
		return none
	}
	return *property
}

// query encodes query parameters. Those that are empty are left out.
type query url.Values

func (q query) text(name, value string) {
	if value != "" {
		url.Values(q).Set(name, value)
	}
}

// list adds a parameter for each value. An empty text as the only value is sent: userId= selects main accounts.
func (q query) list(name string, values []string) {
	for _, value := range values {
		url.Values(q).Add(name, value)
	}
}

func (q query) integers(name string, values []int64) {
	for _, value := range values {
		url.Values(q).Add(name, strconv.FormatInt(value, 10))
	}
}

func (q query) integer(name string, value int64) {
	if value != 0 {
		url.Values(q).Set(name, strconv.FormatInt(value, 10))
	}
}

func (q query) flag(name string, value Optional[bool]) {
	if is, ok := value.Get(); ok {
		url.Values(q).Set(name, strconv.FormatBool(is))
	}
}

func (q query) decimal(name string, value Optional[Decimal]) {
	if number, ok := value.Get(); ok {
		url.Values(q).Set(name, string(number))
	}
}

func (q query) time(name string, value time.Time) {
	if !value.IsZero() {
		url.Values(q).Set(name, value.UTC().Format(time.RFC3339Nano))
	}
}

// eachItem reads page after page, from the item after the one with the cursor.
func eachItem[T, C any](
	after C, read func(after C) ([]T, bool, error), cursor func(T) C,
) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for next := after; ; {
			items, hasNext, err := read(next)
			if err != nil {
				var none T
				yield(none, err)
				return
			}
			for _, item := range items {
				if !yield(item, nil) {
					return
				}
				next = cursor(item)
			}
			if !hasNext || len(items) == 0 {
				return
			}
		}
	}
}
