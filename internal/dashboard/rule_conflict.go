package dashboard

import (
	"net/http"
	"time"

	"laurel"
	"laurel/internal/rules/catalog"
)

// ruleConflict is a property whose typed value differs from the one that someone else has saved meanwhile.
type ruleConflict struct {
	Label, Typed, Current string
	Base                  string // when the form was opened
	hasBase               bool   // whether Before is known
	OnlyTyped             bool   // only the form has changed it
}

// showConflict shows the typed values next to those that someone else has saved meanwhile, and the base values from
// which both started. Nothing is saved.
func (c *request) showConflict(f *ruleForm, title string) (view, error) {
	f.CurrentVersion = f.Rule.Version
	saved := f.savedTexts()
	base, hasBase, err := c.baseTexts(f)
	if err != nil {
		return view{}, err
	}
	add := func(label, typed, current, before string) {
		line := ruleConflict{Label: label, Typed: typed, Current: current}
		if hasBase {
			line.Base, line.OnlyTyped, line.hasBase = before, before == current, true
		}
		f.Conflicts = append(f.Conflicts, line)
	}
	for _, field := range f.fields {
		typed, current, before := textsOf(f.typed, field), textsOf(saved, field), textsOf(base, field)
		if typed.Encode() != current.Encode() {
			describe := func(v values) string { return f.names.describeValue(field, v) }
			add(field.Label, describe(typed), describe(current), describe(before))
		}
	}
	if typed, current := f.typed.Get("metadata"), saved.Get("metadata"); typed != current {
		add("Other metadata", typed, current, base.Get("metadata"))
	}
	return view{template: "rule", title: "Error: " + title, status: http.StatusBadRequest, data: f}, nil
}

// HasBase reports whether the conflicts include the base values.
func (f *ruleForm) HasBase() bool { return len(f.Conflicts) > 0 && f.Conflicts[0].hasBase }

// maxEditsUndone bounds the edits that are undone to find the base values of a form.
const maxEditsUndone = 100

// baseTexts returns the values of the rule when the form was opened: the saved ones with the edits since then undone.
// known is false if there are more than maxEditsUndone.
func (c *request) baseTexts(f *ruleForm) (out values, known bool, err error) {
	list, err := c.d.Rules.ListEdits(c.Context(), c.scope, f.Rule.ID, laurel.PageRequest{Limit: maxEditsUndone})
	if err != nil {
		return nil, false, err
	}
	baseSavedAt := time.UnixMicro(f.BaseSavedAt)
	properties := decodeObject(mustEncode(f.Rule.Properties))
	properties["metadata"] = f.stored["metadata"]
	for _, e := range list.Data { // newest first
		known = !e.EditedAt.After(baseSavedAt)
		if known || e.Action == catalog.EditCreate {
			break
		}
		for name, value := range decodeObject(e.PreviousData) {
			properties[name] = value
		}
	}
	metadata := properties["metadata"]
	for name, value := range decodeObject(metadata) {
		properties["metadata."+name] = value
	}
	out = values{}
	for _, field := range f.fields {
		setTexts(out, field, properties[field.Path])
	}
	if rest := metadataWithoutFields(f.fields, metadata); rest != "" {
		out.Set("metadata", rest)
	}
	return out, known, nil
}
