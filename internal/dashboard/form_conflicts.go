package dashboard

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"time"
)

// labeledField is a field of a form with its label.
type labeledField struct{ Name, Label string }

// fieldConflict is a setting for which somebody else saved another value than the form holds.
type fieldConflict struct{ Label, Typed, Current string }

// findConflicts compares what is saved with what was typed.
func findConflicts(current, typed map[string]string, fields []labeledField) []fieldConflict {
	var out []fieldConflict
	for _, f := range fields {
		if current[f.Name] != typed[f.Name] {
			out = append(out, fieldConflict{f.Label, typed[f.Name], current[f.Name]})
		}
	}
	return out
}

// versionOf is what a form carries of when the thing that it changes had changed last.
func versionOf(at time.Time) string { return strconv.FormatInt(at.UnixMicro(), 10) }

// baseUpdatedAt reads what seen wrote. What is no number was never seen.
func (c *request) baseUpdatedAt() time.Time {
	micros, err := strconv.ParseInt(c.PostFormValue("seen"), 10, 64)
	if err != nil {
		return time.Time{}
	}
	return time.UnixMicro(micros)
}

// formVersion tells texts of a form from others, so that a form can carry what it was made from.
func formVersion(texts map[string]string) string {
	names := slices.Sorted(maps.Keys(texts))
	hash := sha256.New()
	for _, name := range names {
		_, _ = fmt.Fprintf(hash, "%q=%q\n", name, texts[name])
	}
	return hex.EncodeToString(hash.Sum(nil))
}

// formState is what a form of settings shows beside the thing that it is about.
type formState struct {
	Input        map[string]string
	BaseVersion  string // what the form was made from
	Conflicts    []fieldConflict
	Faults       map[string]string
	Error        string
	UploadNotice string // what was uploaded for the form, in words
}

// In is what a field holds.
func (f *formState) In(name string) string { return f.Input[name] }

// setRefusal notes why the form was refused.
func (f *formState) setRefusal(faults map[string]string, text string) {
	f.Faults, f.Error = faults, text
}

// findConflicts reports whether somebody else saved other settings than the form was made from, and notes the
// differences.
func (f *formState) findConflicts(c *request, saved map[string]string, fields []labeledField) bool {
	if c.PostFormValue("seen") == f.BaseVersion {
		return false
	}
	f.Conflicts = findConflicts(saved, f.Input, fields)
	return len(f.Conflicts) > 0
}
