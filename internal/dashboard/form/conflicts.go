package form

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"net/url"
	"slices"

	"laurel.example/laurel/internal/dashboard/web"
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

// Base is what a form keeps of the saved values that it was opened with, to find what others have saved since.
type Base struct {
	BaseVersion string // hash of the saved values when the form was opened
	Conflicts   []Conflict
}

// BaseOf returns the base of a form that is opened with saved values.
func BaseOf(saved map[string]string) Base { return Base{BaseVersion: VersionOf(saved)} }

// FindConflicts reports whether someone else has changed the saved values since the form was opened, so that they
// differ from the typed ones. It sets the conflicts: the fields whose saved value differs from the typed one.
func (b *Base) FindConflicts(posted url.Values, saved, typed map[string]string, fields []Field) bool {
	if b.Conflicts = nil; posted.Get(BaseVersionField) == b.BaseVersion {
		return false
	}
	for _, f := range fields {
		if saved[f.Name] != typed[f.Name] {
			b.Conflicts = append(b.Conflicts, Conflict{f.Label, typed[f.Name], saved[f.Name]})
		}
	}
	return len(b.Conflicts) > 0
}

// State is what a form of settings shows in addition to its record.
type State struct {
	web.Refusal
	Base
	Input        map[string]string // the typed values
	UploadNotice string            // says that the upload must still be saved
}

// In returns the value of a field.
func (f *State) In(name string) string { return f.Input[name] }
