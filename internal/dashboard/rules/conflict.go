package rules

import (
	"encoding/json"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/dashboard/web"
	"laurel.example/laurel/internal/rules/catalog"
)

// ruleConflict is a property whose typed value differs from the one that someone else has saved meanwhile.
type ruleConflict struct {
	Label, Typed, Current string
	Base                  string // when the form was opened
	hasBase               bool   // whether Base is known
	OnlyTyped             bool   // only the form has changed it
}

// showConflict shows the form with its conflicts: for each typed value that differs from what is saved now, both of
// them and, if it is known, the base value, which was saved when the form was opened. Nothing is saved.
func (c *call) showConflict(f *ruleForm, title string) (web.View, error) {
	f.CurrentVersion = f.Rule.Version
	saved := f.savedTexts()
	baseTexts, hasBase, err := c.baseTexts(f)
	if err != nil {
		return web.View{}, err
	}
	add := func(label, typed, current, base string) {
		conflict := ruleConflict{Label: label, Typed: typed, Current: current}
		if hasBase {
			conflict.Base, conflict.OnlyTyped, conflict.hasBase = base, base == current, true
		}
		f.Conflicts = append(f.Conflicts, conflict)
	}
	for _, field := range f.fields {
		typed, current, base := textsOf(f.typed, field), textsOf(saved, field), textsOf(baseTexts, field)
		if typed.Encode() != current.Encode() {
			describe := func(v values) string { return describeValue(f.names, field, v) }
			add(field.Label, describe(typed), describe(current), describe(base))
		}
	}
	if typed, current := f.typed.Get("metadata"), saved.Get("metadata"); typed != current {
		add("Other metadata", typed, current, baseTexts.Get("metadata"))
	}
	return web.Refused("rule", title, f), nil
}

// HasBase reports whether the conflicts include the base values.
func (f *ruleForm) HasBase() bool { return len(f.Conflicts) > 0 && f.Conflicts[0].hasBase }

// maxEditsUndone bounds the edits that are undone to find the base values of a form.
const maxEditsUndone = 100

// baseTexts returns the values of the rule when the form was opened, as the form's inputs hold them: the saved values
// with the edits since then undone. isKnown is false if there were more than maxEditsUndone edits since.
func (c *call) baseTexts(f *ruleForm) (out values, isKnown bool, err error) {
	list, err := c.Rules.ListEdits(c.Context(), c.Scope, f.Rule.ID, laurel.PageRequest{Limit: maxEditsUndone})
	if err != nil {
		return nil, false, err
	}
	baseSavedAt := time.UnixMicro(f.BaseSavedAt)
	properties := decodeObject(web.MustEncode(f.Rule.Properties))
	properties["metadata"] = f.stored["metadata"] // with its secrets in the clear, like the rest of the form
	for _, edit := range list.Data {              // newest first
		isKnown = !edit.EditedAt.After(baseSavedAt)
		if isKnown || edit.Action == catalog.EditCreate {
			break
		}
		for name, value := range decodeObject(json.RawMessage(edit.PreviousData)) {
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
	return out, isKnown, nil
}
