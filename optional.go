package laurel

import "encoding/json"

// Optional is a property of an update: an absent one keeps the stored value, null clears it, and any other value
// replaces it.
type Optional[T any] struct {
	Set   bool // present in the body, perhaps as null
	Null  bool
	Value T
}

// Some returns a present value.
func Some[T any](v T) Optional[T] { return Optional[T]{Set: true, Value: v} }

// Null returns a present null.
func Null[T any]() Optional[T] { return Optional[T]{Set: true, Null: true} }

// Ptr returns nil for absent and null, else the value.
func (o Optional[T]) Ptr() *T {
	if !o.Set || o.Null {
		return nil
	}
	return &o.Value
}

// Sent returns the value, or nil for null, and whether the property is present.
func (o Optional[T]) Sent() (value any, isSent bool) {
	if o.Set && !o.Null {
		return o.Value, true
	}
	return nil, o.Set
}

// UnmarshalJSON decodes a property that is present, so that Set becomes true; a null makes Null true. The decoder does
// not call it for a missing property, which stays the zero Optional.
func (o *Optional[T]) UnmarshalJSON(b []byte) error {
	*o = Optional[T]{Set: true}
	if string(b) == "null" {
		o.Null = true
		return nil
	}
	return json.Unmarshal(b, &o.Value)
}

// MarshalJSON writes what UnmarshalJSON reads. An absent property is left out by omitzero.
func (o Optional[T]) MarshalJSON() ([]byte, error) {
	if !o.Set || o.Null {
		return []byte("null"), nil
	}
	return json.Marshal(o.Value)
}

// ApplyTo returns the new value of a property: the stored one if it is absent, nil if it is null.
func (o Optional[T]) ApplyTo(stored *T) *T {
	if !o.Set {
		return stored
	}
	return o.Ptr()
}

// Assign sets *to to the value of a property if the request has one, and leaves it as it is if the property is missing.
// A null is a fault, such as "must be a boolean" for the kind "a boolean".
func Assign[T any](f *Faults, path string, in Optional[T], kind string, to *T) {
	switch {
	case in.Set && in.Null:
		f.Add(path, "must be %s", kind)
	case in.Set:
		*to = in.Value
	}
}

// AssignText sets a text to the one that was sent, or to nil for null, and adds its problems. It does nothing if none
// was sent.
func AssignText(f *Faults, path string, in Optional[string], atMost int, to **string) {
	if in.Set {
		f.Text(path, in.Value, 0, atMost)
		*to = in.ApplyTo(nil)
	}
}

// Bounds are the limits of a body's properties beyond their JSON types, taken from the limits that their package
// checks.
type Bounds struct {
	Required, NotNull []string // properties that a creation needs; properties that may not be null
	Keywords          map[string]Keywords
}

// Keywords are keywords of JSON Schema with their values.
type Keywords map[string]any
