package rest

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"laurel.example/laurel"
)

// bodyChecker finds what is wrong with a tidied body. It walks along the shape and lets huma check single values only,
// since huma itself decodes the whole body and lists faults without limit. Each list ends at the number of faults that
// a response has.
type bodyChecker struct {
	registry huma.Registry
	path     *huma.PathBuffer // required by huma and always empty: current holds the path
	current  steps            // the path of the value that is being checked
	reported laurel.Faults    // by the tidier; their paths get no further fault

	// The faults, in the order in which a response lists them.
	nul          laurel.Faults // texts with NUL, which the service never stores (contract 1.7)
	nullRequired laurel.Faults // required properties that are null, which is no value
	invalid      laurel.Faults // found by huma, and required properties that are absent
	badFormat    laurel.Faults // found by formatProblems
}

// checkBody returns what is wrong with a tidied body: texts with NUL, which a response lists before all else, and all
// other faults. A nil shape stands for an operation that reads no body: nothing is wrong then.
func checkBody(r huma.Registry, s *shape, t *tidier) (nul, faults laurel.Faults) {
	if s == nil {
		return nil, nil
	}
	c := bodyChecker{registry: r, path: huma.NewPathBuffer(nil, 0), reported: t.unreadable}
	c.check(s, bytes.TrimSpace(t.out))
	listed := map[laurel.Fault]bool{}
	for _, f := range slices.Concat(c.nullRequired, c.invalid, c.badFormat) {
		if !listed[f] {
			listed[f] = true
			faults.AddText(f.Path, f.Message)
		}
	}
	return c.nul, faults
}

// addFault adds a fault of the current value to one of the lists, unless the list is full or the tidier (tidyBody) has
// reported a fault of that value.
func (c *bodyChecker) addFault(to *laurel.Faults, problem string) {
	if isFull(*to) {
		return
	}
	path := c.current.String()
	if slices.ContainsFunc(c.reported, func(f laurel.Fault) bool { return f.Path == path }) {
		return
	}
	to.Add(path, "%s", problem)
}

// check checks a value by its shape, and in an object or array also what is in it. It adds the faults to the lists of
// the bodyChecker.
func (c *bodyChecker) check(s *shape, value []byte) {
	switch {
	case s.names != nil && value[0] == '{':
		c.checkObject(s, value)
	case s.items != nil && value[0] == '[':
		c.checkArray(s, value)
	default:
		c.checkSingle(s, value)
	}
}

// checkObject checks each property of the shape, in the order of its names, and reports required ones that are missing
// or null. Properties that may be missing may also be null.
func (c *bodyChecker) checkObject(s *shape, object []byte) {
	sent := make([]member, 0, 8)
	for m := range members(object) {
		sent = append(sent, m)
	}
	for _, name := range s.names {
		i := slices.IndexFunc(sent, func(m member) bool { return string(m.name) == name })
		null := i >= 0 && sent[i].value[0] == 'n'
		c.current.enterProperty(name)
		switch {
		case i >= 0 && !null:
			c.check(s.properties[name], sent[i].value)
		case !s.required[name]: // it may be missing or null
		case null:
			c.addFault(&c.nullRequired, "is required")
		default:
			c.addFault(&c.invalid, "is required")
		}
		c.current.leave()
	}
}

// checkArray checks the number of items, and each item.
func (c *bodyChecker) checkArray(s *shape, array []byte) {
	count := 0
	for range items(array) {
		count++
	}
	if minItems := s.schema.MinItems; minItems != nil && count < *minItems {
		c.addFault(&c.invalid, formatProblem("must have at least %d items", *minItems))
	}
	if count > s.maxItems {
		c.addFault(&c.invalid, s.tooManyText)
	}
	count = 0
	for item := range items(array) {
		c.current.enterItem(count)
		c.check(s.items, item)
		c.current.leave()
		count++
	}
}

// checkSingle checks a value that is not walked into: a text, a number, free JSON, or a value of the wrong type. It
// looks for NUL, then lets huma check the value, then checks the formats that huma cannot check.
func (c *bodyChecker) checkSingle(s *shape, value []byte) {
	decoded := decodeShallow(value)
	if bytes.Contains(value, []byte(`\u0000`)) && !isFull(c.nul) {
		if isComposite(value) {
			c.addNULIn(decodeExact(value))
		} else {
			c.addNULIn(decoded)
		}
	}
	if !isFull(c.invalid) {
		var found huma.ValidateResult
		huma.Validate(c.registry, s.schema, c.path, huma.ModeWriteToServer, decoded, &found)
		for _, err := range found.Errors {
			if d := (*huma.ErrorDetail)(nil); errors.As(err, &d) {
				c.addFault(&c.invalid, rangeProblem(s.schema, d.Message))
			}
		}
	}
	name, _ := s.schema.Extensions["format"].(string)
	if findProblem := formatProblems[name]; findProblem != nil && !isFull(c.badFormat) {
		if _, isFloat := decoded.(float64); isFloat {
			decoded = json.Number(value)
		}
		if problem := findProblem(decoded); problem != "" {
			c.addFault(&c.badFormat, problem)
		}
	}
}

func isComposite(value []byte) bool { return value[0] == '{' || value[0] == '[' }

// decodeShallow decodes a value as encoding/json does, except that every object or array becomes an empty one.
func decodeShallow(value []byte) any {
	switch value[0] {
	case '{':
		return map[string]any{}
	case '[':
		return []any{}
	case '"':
		return string(unquoted(value))
	case 't', 'f':
		return value[0] == 't'
	case 'n':
		return nil
	}
	n, _ := strconv.ParseFloat(string(value), 64) // the tidier has removed numbers that no float holds
	return n
}

// addNULIn adds a fault for each text with NUL inside a decoded value, and one for each object with NUL in a name.
func (c *bodyChecker) addNULIn(v any) {
	if isFull(c.nul) {
		return
	}
	switch v := v.(type) {
	case string:
		if strings.ContainsRune(v, 0) {
			c.nul.Add(c.current.String(), "must not contain NUL characters")
		}
	case []any:
		for i, item := range v {
			c.current.enterItem(i)
			c.addNULIn(item)
			c.current.leave()
		}
	case map[string]any:
		for _, name := range sortedKeys(v) {
			if strings.ContainsRune(name, 0) {
				c.nul.AddText(c.current.String(), "names must not contain NUL characters")
				continue
			}
			c.current.enterProperty(name)
			c.addNULIn(v[name])
			c.current.leave()
		}
	}
}
