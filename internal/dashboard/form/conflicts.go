package form

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"net/url"
	"slices"

	"laurel/internal/dashboard/web"
)

// Field is a field of a form with its label.
type Field struct{ Name, Label string }

// Fields returns fields from names and labels in turn.
func Fields(pairs ...string) []Field {
	out := make([]Field, 0, len(pairs)/2)
	for pair := range slices.Chunk(pairs, 2) {
		out = append(out, Field{pair[0], pair[1]})
	}
	return out
}

// Conflict is a field for which someone else has saved another value than was typed.
type Conflict struct{ Label, Typed, Current string }

// Conflicts returns the fields whose current saved value differs from the typed one, with their labels. There is a
// conflict only if someone else has saved since the form was opened, which callers check first.
func Conflicts(current, typed map[string]string, fields []Field) []Conflict {
	var out []Conflict
	for _, f := range fields {
		if current[f.Name] != typed[f.Name] {
			out = append(out, Conflict{f.Label, typed[f.Name], current[f.Name]})
		}
	}
	return out
}

// BaseVersionField is the hidden field with the base version of a form.
const BaseVersionField = "seen"

// VersionOf returns a hash of a form's saved values. The form contains it as its base version: if the hash differs
// when the form is posted, someone else has changed a value meanwhile.
func VersionOf(savedTexts map[string]string) string {
	names := slices.Sorted(maps.Keys(savedTexts))
	hash := sha256.New()
	for _, name := range names {
		_, _ = fmt.Fprintf(hash, "%q=%q\n", name, savedTexts[name])
	}
	return hex.EncodeToString(hash.Sum(nil))
}

// State is what a form of settings shows in addition to its record: the typed values, its base version, conflicts
// and faults.
type State struct {
	web.Refusal
	Input        map[string]string
	BaseVersion  string // hash of the saved values when the form was opened
	Conflicts    []Conflict
	UploadNotice string // says that the upload must still be saved
}

// In returns the value of a field.
func (f *State) In(name string) string { return f.Input[name] }

// FindConflicts reports whether someone else has changed the saved values since the form was opened, and they differ
// from the typed ones. It stores the conflicts in the form.
func (f *State) FindConflicts(posted url.Values, saved map[string]string, fields []Field) bool {
	if posted.Get(BaseVersionField) == f.BaseVersion {
		return false
	}
	f.Conflicts = Conflicts(saved, f.Input, fields)
	return len(f.Conflicts) > 0
}
