package rest

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"laurel"
)

// bodyChecker finds the faults in the form of a tidied body. It walks along the shape and lets huma check single values
// only, since huma itself decodes the whole body and lists faults without limit. Each list ends at the number of faults
// that a response has.
type bodyChecker struct {
	registry huma.Registry
	path     *huma.PathBuffer // required by huma and always empty: steps hold the path
	at       steps
	reported laurel.Faults // by the tidier; their paths get no further fault

	// The faults, in the order in which a response lists them.
	nul       laurel.Faults // texts with NUL, which the service never stores (contract 1.7)
	missing   laurel.Faults // required properties that are null, which is no value
	invalid   laurel.Faults // found by huma
	badFormat laurel.Faults // found by formatProblems
}

// checkBody returns what is wrong with a tidied body: texts with NUL, which are reported before all else, and all other
// faults.
func checkBody(r huma.Registry, s *shape, t *tidier) (nul, faults laurel.Faults) {
	if s == nil {
		return nil, nil
	}
	j := bodyChecker{registry: r, path: huma.NewPathBuffer(nil, 0), reported: t.unreadable}
	j.check(s, bytes.TrimSpace(t.out))
	listed := map[laurel.Fault]bool{}
	for _, f := range slices.Concat(j.missing, j.invalid, j.badFormat) {
		if !listed[f] {
			listed[f] = true
			faults.AddText(f.Path, f.Message)
		}
	}
	return j.nul, faults
}

// addFault adds a fault of the present path, unless the tidier has reported one.
func (j *bodyChecker) addFault(to *laurel.Faults, problem string) {
	if full(*to) {
		return
	}
	path := j.at.String()
	if slices.ContainsFunc(j.reported, func(f laurel.Fault) bool { return f.Path == path }) {
		return
	}
	to.Add(path, "%s", problem)
}

// check checks a value by its shape, and walks into objects and arrays.
func (j *bodyChecker) check(s *shape, check []byte) {
	switch {
	case s.names != nil && check[0] == '{':
		j.checkObject(s, check)
	case s.items != nil && check[0] == '[':
		j.checkArray(s, check)
	default:
		j.checkSingle(s, check)
	}
}

func (j *bodyChecker) checkObject(s *shape, checkObject []byte) {
	sent := make([]member, 0, 8)
	for m := range members(checkObject) {
		sent = append(sent, m)
	}
	for _, name := range s.names {
		i := slices.IndexFunc(sent, func(m member) bool { return string(m.name) == name })
		null := i >= 0 && sent[i].value[0] == 'n'
		j.at.property(name)
		switch {
		case i >= 0 && !null:
			j.check(s.properties[name], sent[i].value)
		case !s.required[name]:
		case null:
			j.addFault(&j.missing, "is required")
		default:
			j.addFault(&j.invalid, "is required")
		}
		j.at.leave()
	}
}

func (j *bodyChecker) checkArray(s *shape, checkArray []byte) {
	n := 0
	for range items(checkArray) {
		n++
	}
	if least := s.schema.MinItems; least != nil && n < *least {
		j.addFault(&j.invalid, formatProblem("must have at least %d items", *least))
	}
	if n > s.maxItems {
		j.addFault(&j.invalid, s.tooManyText)
	}
	n = 0
	for item := range items(checkArray) {
		j.at.item(n)
		j.check(s.items, item)
		j.at.leave()
		n++
	}
}

// checkSingle checks a value that is not walked into: a text, a number, free JSON, or a value of the wrong type.
func (j *bodyChecker) checkSingle(s *shape, value []byte) {
	v := decodeShallow(value)
	if bytes.Contains(value, []byte(`\u0000`)) && !full(j.nul) {
		if isComposite(value) {
			j.addNULIn(decodeExact(value))
		} else {
			j.addNULIn(v)
		}
	}
	if !full(j.invalid) {
		var found huma.ValidateResult
		huma.Validate(j.registry, s.schema, j.path, huma.ModeWriteToServer, v, &found)
		for _, err := range found.Errors {
			if d := (*huma.ErrorDetail)(nil); errors.As(err, &d) {
				j.addFault(&j.invalid, rangeProblem(s.schema, d.Message))
			}
		}
	}
	name, _ := s.schema.Extensions["format"].(string)
	if form := formatProblems[name]; form != nil && !full(j.badFormat) {
		if _, number := v.(float64); number {
			v = json.Number(value)
		}
		if problem := form(v); problem != "" {
			j.addFault(&j.badFormat, problem)
		}
	}
}

func isComposite(value []byte) bool { return value[0] == '{' || value[0] == '[' }

// decodeShallow decodes a value as encoding/json does, but objects and arrays as empty.
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

// addNULIn adds a fault for each text with NUL inside a value.
func (j *bodyChecker) addNULIn(v any) {
	if full(j.nul) {
		return
	}
	switch v := v.(type) {
	case string:
		if strings.ContainsRune(v, 0) {
			j.nul.Add(j.at.String(), "must not contain NUL characters")
		}
	case []any:
		for i, item := range v {
			j.at.item(i)
			j.addNULIn(item)
			j.at.leave()
		}
	case map[string]any:
		for _, name := range sortedKeys(v) {
			if strings.ContainsRune(name, 0) {
				j.nul.AddText(j.at.String(), "names must not contain NUL characters")
				continue
			}
			j.at.property(name)
			j.addNULIn(v[name])
			j.at.leave()
		}
	}
}
