package record

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"laurel.example/laurel"
)

// Bound is what properties accept that name it in their tags: which values are valid, in which form they are stored,
// and how the document describes them. T is the type of the properties, or one that they convert to.
type Bound[T any] struct {
	Check     func(f *laurel.Faults, path string, value T) // adds what is wrong with a value
	Normalize func(T) T                                    // returns the stored form of a valid value; nil: as sent
	Keywords  laurel.Keywords
}

// bound is a Bound for values of one type. apply adds what is wrong with a value, and returns its stored form.
type bound struct {
	apply    func(f *laurel.Faults, path string, value reflect.Value) reflect.Value
	keywords laurel.Keywords
}

// definedBounds has the bounds by their names, each as a function that returns it for a type. It is written before main
// runs, and only read later.
var definedBounds = map[string]func(reflect.Type) bound{}

// Define gives a bound its name in tags, and returns the bound. Packages call it where they declare variables. It
// panics if the name is taken.
func Define[T any](name string, b Bound[T]) Bound[T] {
	if definedBounds[name] != nil {
		panic("record: two bounds have the name " + name)
	}
	definedBounds[name] = b.forType
	return b
}

// forType returns the bound for values of a type. It panics if they do not convert to T.
func (b Bound[T]) forType(t reflect.Type) bound {
	own := reflect.TypeFor[T]()
	if t.Kind() != own.Kind() || !t.ConvertibleTo(own) {
		panic(fmt.Sprintf("record: a bound of %s cannot check %s", own, t))
	}
	return bound{keywords: b.Keywords, apply: func(f *laurel.Faults, path string, value reflect.Value) reflect.Value {
		v, _ := value.Convert(own).Interface().(T)
		b.Check(f, path, v)
		if b.Normalize == nil {
			return value
		}
		return reflect.ValueOf(b.Normalize(v)).Convert(t)
	}}
}

// Problem returns the check of a bound by a predicate: values that are not valid have the problem.
func Problem[T any](problem string, isValid func(T) bool) func(*laurel.Faults, string, T) {
	return func(f *laurel.Faults, path string, value T) {
		if !isValid(value) {
			f.Add(path, "%s", problem)
		}
	}
}

// OneOf returns the bound of an enumeration.
func OneOf(values ...string) Bound[string] {
	isListed := func(value string) bool { return slices.Contains(values, value) }
	return Bound[string]{
		Check:    Problem("must be one of: "+strings.Join(values, ", "), isListed),
		Keywords: laurel.Keywords{"enum": values},
	}
}

// Identifier is the bound of identifiers and addresses that may be empty (laurel.IdentifierProblem).
var Identifier = Define("identifier", Bound[string]{
	Check:    func(f *laurel.Faults, path, text string) { f.OptionalIdentifier(path, text) },
	Keywords: laurel.IdentifierKeywords(),
})

// notblank refuses a blank text as min=1 does, but is no part of the document.
var _ = Define("notblank", Bound[string]{
	Check: Problem("is required", func(text string) bool { return strings.TrimSpace(text) != "" }),
})

// Bounds of numbers: positive, and two that are no part of the document either.
var (
	_ = Define("positive", Bound[laurel.Amount]{
		Check:    Problem("must be greater than 0", func(n laurel.Amount) bool { return n > 0 }),
		Keywords: laurel.Keywords{"exclusiveMinimum": 0},
	})
	_ = Define("notnegative", Bound[laurel.Amount]{
		Check: Problem("must be at least 0", func(n laurel.Amount) bool { return n >= 0 }),
	})
	_ = Define("percent", Bound[laurel.Amount]{
		Check: Problem("must be between 0 and 100", func(n laurel.Amount) bool { return n >= 0 && n <= 100*laurel.One }),
	})
)
