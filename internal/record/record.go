// Package record owns how callers write records: by patches, whose properties and bounds stand in the tags of the
// record's struct. The check of a patch and the OpenAPI document read the same tags. It stores nothing.
//
// A field with the tag `in` is a property that callers may write, under its name in JSON. The tag has words with spaces
// between them, or none:
//
//	required     a creation needs it, and null is refused
//	nullable     of a required one: null is a value
//	create       only a creation writes it: an update ignores it
//	notnull      null is refused, as the document says; of a bool it always is
//	default=AND  its value where a creation does not set it, and what null stands for
//	as=NAME      its name, where the JSON of the record hides it
//	min=1 max=9  the least and the most: of the characters of a text, the items of a list, or the number itself
//	url          the Bound that a package has defined under this name
//
// The limits are checked first, then the bounds in the order of the words, until one adds a fault. The tag `hint`
// describes the property in the document of inputs, as `doc` does in that of responses.
package record

import (
	"database/sql/driver"
	"encoding/json"
	"reflect"

	"laurel.example/laurel"
)

// Patch is what a caller sends of a record: some of the properties that it may write, each with a value or as null. The
// zero Patch has none.
type Patch[R any] struct {
	values R // of the properties that were sent
	sent   properties
	null   properties // those of the sent ones that were null
}

// All returns a patch with every property of a record, for code that creates records. Values that are stored as NULL,
// such as nil pointers and zero ids, count as null. A zero value of a property that has a default is left out.
func All[R any](record R) Patch[R] {
	p := Patch[R]{values: record}
	p.sent, p.null = shapeOf[R]().propertiesOf(reflect.ValueOf(record))
	return p
}

// Without returns the patch without one of its properties.
func (p Patch[R]) Without(property string) Patch[R] {
	p.sent &^= 1 << shapeOf[R]().position(property)
	return p
}

// With returns the patch with one more property, for code that changes records: with a value of its type, as null for
// nil, or as an Optional says. It panics if callers may not write the property, or if the value is of another type.
func (p Patch[R]) With(property string, value any) Patch[R] {
	if optional, ok := value.(interface{ Sent() (any, bool) }); ok {
		var isSent bool
		if value, isSent = optional.Sent(); !isSent {
			return p
		}
	}
	s := shapeOf[R]()
	i := s.position(property)
	to := reflect.ValueOf(&p.values).Elem().FieldByIndex(s.fields[i].index)
	to.SetZero()
	if value != nil {
		assign(to, reflect.ValueOf(value))
	}
	p.sent.add(i)
	p.null &^= 1 << i
	if value == nil || isNone(to) {
		p.null.add(i)
	}
	return p
}

// assign sets a field to a value of its type, or of the one that it is a pointer to, embeds or has a name for.
func assign(to, value reflect.Value) {
	switch t := value.Type(); {
	case to.Kind() == t.Kind() && t.ConvertibleTo(to.Type()):
		to.Set(value.Convert(to.Type()))
	case to.Kind() == reflect.Pointer:
		to.Set(reflect.New(to.Type().Elem()))
		assign(to.Elem(), value)
	case to.Kind() == reflect.Struct && to.NumField() == 1: // NullID and NullTimestamp
		assign(to.Field(0), value)
	default:
		panic("record: a value of " + t.String() + " for one of " + to.Type().String())
	}
}

// Values returns a record with the values that were sent, not checked yet. Other properties, and those that were sent
// as null, are zero.
func (p Patch[R]) Values() R { return p.values }

// ReadJSON sets the patch to the properties of a JSON object. It ignores those that are not the record's.
func (p *Patch[R]) ReadJSON(object []byte) (err error) {
	*p = Patch[R]{}
	p.sent, p.null, err = shapeOf[R]().read(object, reflect.ValueOf(&p.values).Elem())
	return err
}

// Has reports whether a property was sent, be it as null.
func (p Patch[R]) Has(property string) bool { return p.sent.has(shapeOf[R]().position(property)) }

// Create sets the properties of a new record. It returns a fault for each that is missing or not valid.
func (p Patch[R]) Create(record *R) laurel.Faults { return p.apply(record, true) }

// Update changes those properties of an existing record that were sent; null clears one. It returns a fault for each
// that is not valid. Properties that only a creation writes stay as they are.
func (p Patch[R]) Update(record *R) laurel.Faults { return p.apply(record, false) }

func (p Patch[R]) apply(record *R, isNew bool) (f laurel.Faults) {
	values, to := reflect.ValueOf(&p.values).Elem(), reflect.ValueOf(record).Elem()
	for i, field := range shapeOf[R]().fields {
		if isNew || !field.isFixed {
			sent := sentValue{isSent: p.sent.has(i), isNull: p.null.has(i), value: values.FieldByIndex(field.index)}
			field.apply(sent, to.FieldByIndex(field.index), isNew, &f)
		}
	}
	return f
}

// Bounds returns what the properties accept, for the OpenAPI document.
func (Patch[R]) Bounds() laurel.Bounds { return shapeOf[R]().bounds() }

// Fields returns the properties as the fields of a struct would declare them in which each is optional: pointers, with
// the tags json and doc.
func (Patch[R]) Fields() []reflect.StructField { return shapeOf[R]().structFields() }

// properties is a set of fields of a shape, by their positions.
type properties uint64

func (s properties) has(i int) bool { return s&(1<<i) != 0 }
func (s *properties) add(i int)     { *s |= 1 << i }

// propertiesOf returns which properties a patch with all of a record has, and which of them as null.
func (s *shape) propertiesOf(record reflect.Value) (sent, null properties) {
	for i, field := range s.fields {
		value := record.FieldByIndex(field.index)
		if value.IsZero() && field.fallback.IsValid() {
			continue
		}
		sent.add(i)
		if isNone(value) {
			null.add(i)
		}
	}
	return sent, null
}

// isNone reports whether a value stands for none: it is a nil pointer, or stored as NULL.
func isNone(value reflect.Value) bool {
	if value.Kind() == reflect.Pointer {
		return value.IsNil()
	}
	if v, ok := value.Interface().(driver.Valuer); ok {
		stored, err := v.Value()
		return err == nil && stored == nil
	}
	return false
}

// read decodes the properties of a JSON object into a record. It returns which the object has, and which as null.
func (s *shape) read(object []byte, record reflect.Value) (sent, null properties, err error) {
	var values map[string]json.RawMessage
	if err := json.Unmarshal(object, &values); err != nil {
		return 0, 0, err
	}
	for i, field := range s.fields {
		value, isSent := values[field.name]
		if !isSent {
			continue
		}
		sent.add(i)
		if string(value) == "null" {
			null.add(i)
		} else if err := json.Unmarshal(value, record.FieldByIndex(field.index).Addr().Interface()); err != nil {
			return 0, 0, err
		}
	}
	return sent, null, nil
}

// sentValue is a property of a patch.
type sentValue struct {
	isSent, isNull bool
	value          reflect.Value
}

// apply writes a property into the field of a new or an existing record, or adds its faults.
func (d *field) apply(sent sentValue, to reflect.Value, isNew bool, f *laurel.Faults) {
	switch isMissing := isNew && !sent.isSent; {
	case sent.isSent && !sent.isNull:
		d.assign(to, sent.value, f)
	case !sent.isSent && !isMissing: // an update keeps what it has
	case d.fallback.IsValid():
		to.Set(d.fallback)
	case d.isRequired && (!sent.isNull || !d.isNullable):
		f.Add(d.name, "is required")
	case isMissing: // it stays what the service has made of it
	case d.problemOfNull != "":
		f.Add(d.name, "%s", d.problemOfNull)
	default:
		to.SetZero()
	}
}

// assign sets the field of a record to a value in its stored form, or adds what is wrong with the value.
func (d *field) assign(to, value reflect.Value, f *laurel.Faults) {
	if value.Kind() == reflect.Pointer {
		value = value.Elem()
	}
	for _, r := range d.bounds {
		before := len(*f)
		if value = r.apply(f, d.name, value); len(*f) > before {
			return
		}
	}
	if to.Kind() == reflect.Pointer {
		to.Set(reflect.New(value.Type()))
		to = to.Elem()
	}
	to.Set(value)
}
