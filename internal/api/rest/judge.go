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

// judge finds what is wrong with the form of a tidied body. It walks along the shape and has huma judge single values
// only: huma itself makes values of the whole body, and lists problems without end. Each list ends where an answer
// does.
type judge struct {
	registry huma.Registry
	path     *huma.PathBuffer // nothing is ever written to it: paths are the steps
	at       steps
	told     laurel.Faults // the tidier's

	// The problems by their place in an answer.
	nul       laurel.Faults // texts that hold NUL, which no text of the service may (contract 1.7)
	missing   laurel.Faults // required properties that are null: a null is no value
	wrong     laurel.Faults // what huma finds
	misformed laurel.Faults // what forms find
}

// judged returns what is wrong with a body: NULs, which are told before all else, and the rest.
func judged(r huma.Registry, s *shape, t *tidier) (nul, form laurel.Faults) {
	if s == nil {
		return nil, nil
	}
	j := judge{registry: r, path: huma.NewPathBuffer(nil, 0), told: t.misread}
	j.value(s, bytes.TrimSpace(t.out))
	seen := map[laurel.Fault]bool{}
	for _, f := range slices.Concat(j.missing, j.wrong, j.misformed) {
		if !seen[f] {
			seen[f] = true
			form.AddText(f.Path, f.Message)
		}
	}
	return j.nul, form
}

// note adds a problem of the present place, unless the tidier has told of it.
func (j *judge) note(to *laurel.Faults, problem string) {
	if full(*to) {
		return
	}
	path := j.at.String()
	if slices.ContainsFunc(j.told, func(f laurel.Fault) bool { return f.Path == path }) {
		return
	}
	to.Add(path, "%s", problem)
}

func (j *judge) value(s *shape, value []byte) {
	switch {
	case s.names != nil && value[0] == '{':
		j.object(s, value)
	case s.items != nil && value[0] == '[':
		j.array(s, value)
	default:
		j.single(s, value)
	}
}

func (j *judge) object(s *shape, object []byte) {
	sent := make([]member, 0, 8)
	for m := range members(object) {
		sent = append(sent, m)
	}
	for _, name := range s.names {
		i := slices.IndexFunc(sent, func(m member) bool { return string(m.name) == name })
		null := i >= 0 && sent[i].value[0] == 'n'
		j.at.property(name)
		switch {
		case i >= 0 && !null:
			j.value(s.properties[name], sent[i].value)
		case !s.required[name]:
		case null:
			j.note(&j.missing, "is required")
		default:
			j.note(&j.wrong, "is required")
		}
		j.at.leave()
	}
}

func (j *judge) array(s *shape, array []byte) {
	n := 0
	for range items(array) {
		n++
	}
	if least := s.schema.MinItems; least != nil && n < *least {
		j.note(&j.wrong, formatProblem("must have at least %d items", *least))
	}
	if n > s.most {
		j.note(&j.wrong, s.crowded)
	}
	n = 0
	for item := range items(array) {
		j.at.item(n)
		j.value(s.items, item)
		j.at.leave()
		n++
	}
}

// single judges a value that is not walked into: a text, a number, what is open, or what is of another type than it
// should be.
func (j *judge) single(s *shape, value []byte) {
	v := plain(value)
	if bytes.Contains(value, []byte(`\u0000`)) && !full(j.nul) {
		if composite(value) {
			j.nulIn(decoded(value))
		} else {
			j.nulIn(v)
		}
	}
	if !full(j.wrong) {
		var found huma.ValidateResult
		huma.Validate(j.registry, s.schema, j.path, huma.ModeWriteToServer, v, &found)
		for _, err := range found.Errors {
			if d := (*huma.ErrorDetail)(nil); errors.As(err, &d) {
				j.note(&j.wrong, both(s.schema, d.Message))
			}
		}
	}
	name, _ := s.schema.Extensions["format"].(string)
	if form := forms[name]; form != nil && !full(j.misformed) {
		if _, number := v.(float64); number {
			v = json.Number(value)
		}
		if problem := form(v); problem != "" {
			j.note(&j.misformed, problem)
		}
	}
}

func composite(value []byte) bool { return value[0] == '{' || value[0] == '[' }

// plain returns a value as encoding/json makes it, but empty for an object or array.
func plain(value []byte) any {
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
	n, _ := strconv.ParseFloat(string(value), 64) // the tidier has dropped those that no float holds
	return n
}

func (j *judge) nulIn(v any) {
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
			j.nulIn(item)
			j.at.leave()
		}
	case map[string]any:
		for _, name := range sortedKeys(v) {
			if strings.ContainsRune(name, 0) {
				j.nul.AddText(j.at.String(), "names must not contain NUL characters")
				continue
			}
			j.at.property(name)
			j.nulIn(v[name])
			j.at.leave()
		}
	}
}
