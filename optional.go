package laurel

import "encoding/json"

// Optional is a property of an input that tells absent from null: an absent property keeps what is stored, null clears it.
type Optional[T any] struct {
	Set   bool // the property was there
	Null  bool // as null; Value is zero then
	Value T
}

// Some makes a property with a value, Null one that clears.
func Some[T any](v T) Optional[T] { return Optional[T]{Set: true, Value: v} }

// Null makes a property that is null.
func Null[T any]() Optional[T] { return Optional[T]{Set: true, Null: true} }

// UnmarshalJSON is called only for a property that is there.
func (o *Optional[T]) UnmarshalJSON(b []byte) error {
	*o = Optional[T]{Set: true}
	if string(b) == "null" {
		o.Null = true
		return nil
	}
	return json.Unmarshal(b, &o.Value)
}

// MarshalJSON writes the value, or null. An absent property is left out with the tag option omitzero.
func (o Optional[T]) MarshalJSON() ([]byte, error) {
	if !o.Set || o.Null {
		return []byte("null"), nil
	}
	return json.Marshal(o.Value)
}

// Over answers what the property makes of the stored value: absent keeps it, null clears it.
func (o Optional[T]) Over(stored *T) *T {
	switch {
	case !o.Set:
		return stored
	case o.Null:
		return nil
	}
	return &o.Value
}
