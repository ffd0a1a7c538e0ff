// Package configfile reads the JSON files in which operators configure the service. It is strict: a property that is
// unknown, there twice or of another type is a fault that names its path, so that a typing error is found at the start.
package configfile

import (
	"encoding/json"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/jsontext"
	"laurel.example/laurel/internal/outbound"
)

// Object is an object of a configuration file. Its methods decode one property each and add a fault if the property is
// malformed. A property that is null counts as absent.
type Object struct {
	faults     *laurel.Faults
	path       string // of the object, with a dot behind it unless it is empty or a flag
	properties map[string]json.RawMessage
}

// Parse decodes the object in text. prefix begins the paths of its properties: a flag with a space behind it, a path
// with a dot behind it, or nothing. Properties that are not among known are faults; without known all names are
// allowed. ok is false for a text that is no object.
func Parse(f *laurel.Faults, prefix string, text []byte, known ...string) (o Object, ok bool) {
	found, err := jsontext.Object(text)
	if err != nil {
		f.Add(strings.TrimRight(prefix, ". "), "%s", err)
		return Object{faults: f, path: prefix}, false
	}
	for _, name := range slices.Sorted(maps.Keys(found)) {
		if len(known) > 0 && !slices.Contains(known, name) {
			f.Add(prefix+name, "is not known; known are: %s", strings.Join(known, ", "))
		}
	}
	return Object{f, prefix, found}, true
}

// Path returns the path of a property; that of the object itself for "".
func (o Object) Path(name string) string {
	if name == "" {
		return strings.TrimRight(o.path, ". ")
	}
	return o.path + name
}

// Has reports whether a property is present and not null.
func (o Object) Has(name string) bool {
	value := o.properties[name]
	return value != nil && string(value) != "null"
}

// Names returns the names of the properties that are not null, in order.
func (o Object) Names() []string {
	isAbsent := func(name string) bool { return !o.Has(name) }
	return slices.DeleteFunc(slices.Sorted(maps.Keys(o.properties)), isAbsent)
}

// Fault adds a fault of a property. The message reads on after the path.
func (o Object) Fault(name, message string, args ...any) {
	o.faults.Add(o.Path(name), message, args...)
}

// Faults returns the list to which faults are added.
func (o Object) Faults() *laurel.Faults { return o.faults }

// Text returns a text; "" if it is absent.
func (o Object) Text(name string) (s string) {
	if o.Has(name) && json.Unmarshal(o.properties[name], &s) != nil {
		o.Fault(name, "must be a text")
	}
	return s
}

// RequiredText returns a text that must not be blank.
func (o Object) RequiredText(name string) string {
	before := len(*o.faults)
	s := o.Text(name)
	if len(*o.faults) == before && strings.TrimSpace(s) == "" {
		o.Fault(name, "is required")
	}
	return s
}

// Choice returns a text that is one of the choices, or the first choice if it is absent.
func (o Object) Choice(name string, choices ...string) string {
	s := o.Text(name)
	switch {
	case !o.Has(name):
		return choices[0]
	case !slices.Contains(choices, s):
		o.Fault(name, "must be one of: %s", strings.Join(choices, ", "))
	}
	return s
}

// RequiredChoice returns a text that is one of the choices.
func (o Object) RequiredChoice(name string, choices ...string) string {
	s := o.RequiredText(name)
	if s != "" && !slices.Contains(choices, s) {
		o.Fault(name, "must be one of: %s", strings.Join(choices, ", "))
	}
	return s
}

// RequiredURL returns an address that the guard allows.
func (o Object) RequiredURL(name string, guard *outbound.Guard) string {
	s := o.RequiredText(name)
	if s != "" {
		guard.Check(o.faults, o.Path(name), s)
	}
	return s
}

// URL returns an address that the guard allows; "" if it is absent.
func (o Object) URL(name string, guard *outbound.Guard) string {
	if !o.Has(name) {
		return ""
	}
	return o.RequiredURL(name, guard)
}

// ID returns a uuid; the zero id if it is absent.
func (o Object) ID(name string) laurel.ID {
	s := o.Text(name)
	if s == "" {
		return laurel.ID{}
	}
	id, err := laurel.ParseID(s)
	if err != nil {
		o.Fault(name, "must be a uuid")
	}
	return id
}

// Bool returns a truth value; false if it is absent.
func (o Object) Bool(name string) (b bool) {
	if o.Has(name) && json.Unmarshal(o.properties[name], &b) != nil {
		o.Fault(name, "must be true or false")
	}
	return b
}

// Int returns a whole number within the limits, or the default if it is absent.
func (o Object) Int(name string, least, most, byDefault int) int {
	if !o.Has(name) {
		return byDefault
	}
	var n float64
	if json.Unmarshal(o.properties[name], &n) != nil || n != math.Trunc(n) || n < float64(least) || n > float64(most) {
		o.Fault(name, "must be a whole number between %d and %d", least, most)
		return byDefault
	}
	return int(n)
}

// Decode decodes a property into target. what describes the expected value in the fault, such as "must be a number".
func (o Object) Decode(name string, target any, what string) bool {
	if !o.Has(name) {
		return false
	}
	if json.Unmarshal(o.properties[name], target) != nil {
		o.Fault(name, "%s", what)
		return false
	}
	return true
}

// Object returns the object of a property. ok is false if it is absent or no object.
func (o Object) Object(name string, known ...string) (child Object, ok bool) {
	if !o.Has(name) {
		return Object{faults: o.faults, path: o.Path(name) + "."}, false
	}
	return Parse(o.faults, o.Path(name)+".", o.properties[name], known...)
}

// Objects calls read for each object of a required array of at most most objects. Elements that are no objects are
// faults.
func (o Object) Objects(name string, most int, known []string, read func(Object)) {
	var items []json.RawMessage
	if json.Unmarshal(o.properties[name], &items) != nil || items == nil || len(items) > most {
		o.Fault(name, "must be an array of at most %d", most)
		return
	}
	for i, item := range items {
		if child, ok := Parse(o.faults, o.Path(name)+"."+strconv.Itoa(i)+".", item, known...); ok {
			read(child)
		}
	}
}

// Texts returns the texts of an array, each not blank; nil if it is absent.
func (o Object) Texts(name string, most int) []string {
	var list []string
	if o.Decode(name, &list, "must be an array of texts") &&
		(len(list) > most || slices.ContainsFunc(list, func(s string) bool { return strings.TrimSpace(s) == "" })) {
		o.Fault(name, "must be an array of at most %d texts", most)
	}
	return list
}

// Headers returns the headers of requests, by name (RFC 9110); nil if they are absent. Values are secrets, which no
// fault repeats.
func (o Object) Headers(name string) map[string]string {
	child, ok := o.Object(name)
	if !ok {
		return nil
	}
	headers := make(map[string]string, len(child.properties))
	for _, header := range child.Names() {
		headers[header] = child.Text(header)
		outbound.CheckHeaderName(o.faults, child.Path(header), header)
		outbound.CheckHeaderValue(o.faults, child.Path(header), headers[header])
	}
	return headers
}
