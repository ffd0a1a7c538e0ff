package dashboard

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"time"
)

// labeledField is a field of a form with its label.
type labeledField struct{ Name, Label string }

// labeledFields returns fields from names and labels in turn.
func labeledFields(pairs ...string) []labeledField {
	out := make([]labeledField, 0, len(pairs)/2)
	for pair := range slices.Chunk(pairs, 2) {
		out = append(out, labeledField{pair[0], pair[1]})
	}
	return out
}

// fieldConflict is a field for which someone else has saved another value than was typed.
type fieldConflict struct{ Label, Typed, Current string }

// findConflicts returns the fields whose current saved value differs from the typed one, with their labels. There is a
// conflict only if someone else has saved since the form was opened, which callers check first.
func findConflicts(current, typed map[string]string, fields []labeledField) []fieldConflict {
	var out []fieldConflict
	for _, f := range fields {
		if current[f.Name] != typed[f.Name] {
			out = append(out, fieldConflict{f.Label, typed[f.Name], current[f.Name]})
		}
	}
	return out
}

// baseVersionField is the hidden field with the base version of a form.
const baseVersionField = "seen"

// versionOf returns the base version of a form about a thing that was changed last at a moment.
func versionOf(at time.Time) string { return strconv.FormatInt(at.UnixMicro(), 10) }

// baseUpdatedAt returns the moment that versionOf wrote into the posted form; the zero time if the field is malformed.
func baseUpdatedAt(posted url.Values) time.Time {
	micros, err := strconv.ParseInt(posted.Get(baseVersionField), 10, 64)
	if err != nil {
		return time.Time{}
	}
	return time.UnixMicro(micros)
}

// formVersion returns a hash of a form's saved values. The form contains it as its base version: if the hash differs
// when the form is posted, someone else has changed a value meanwhile.
func formVersion(savedTexts map[string]string) string {
	names := slices.Sorted(maps.Keys(savedTexts))
	hash := sha256.New()
	for _, name := range names {
		_, _ = fmt.Fprintf(hash, "%q=%q\n", name, savedTexts[name])
	}
	return hex.EncodeToString(hash.Sum(nil))
}

// formState is what a form of settings shows in addition to its record: the typed values, its base version, conflicts
// and faults.
type formState struct {
	Input        map[string]string
	BaseVersion  string // hash of the saved values when the form was opened
	Conflicts    []fieldConflict
	Faults       map[string]string
	Error        string
	UploadNotice string // says that the upload must still be saved
}

// In returns the value of a field.
func (f *formState) In(name string) string { return f.Input[name] }

// setRefusal stores why the form was refused, to show it.
func (f *formState) setRefusal(faults map[string]string, text string) {
	f.Faults, f.Error = faults, text
}

// findConflicts reports whether someone else has changed the saved values since the form was opened, and they differ
// from the typed ones. It stores the conflicts in the form.
func (f *formState) findConflicts(posted url.Values, saved map[string]string, fields []labeledField) bool {
	if posted.Get(baseVersionField) == f.BaseVersion {
		return false
	}
	f.Conflicts = findConflicts(saved, f.Input, fields)
	return len(f.Conflicts) > 0
}
