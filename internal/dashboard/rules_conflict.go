package dashboard

import (
	"net/http"
	"time"

	"laurel"
	"laurel/internal/rules/catalog"
)

// conflictLine is a setting in which what is typed differs from what somebody else has saved meanwhile.
type conflictLine struct {
	Label, Yours, Theirs string
	Before               string // when the form was opened; empty: not known
	MineAlone            bool   // only the form has changed it
}

// conflict shows what was typed beside what somebody else has saved meanwhile, and what was there before both.
func (c *call) conflict(f *ruleForm, title string) (view, error) {
	f.Theirs = f.Rule.Version
	saved := f.saved()
	former, known, err := c.former(f)
	if err != nil {
		return view{}, err
	}
	add := func(label, yours, theirs, before string) {
		line := conflictLine{Label: label, Yours: yours, Theirs: theirs}
		if known {
			line.Before, line.MineAlone = before, before == theirs
		}
		f.Conflict = append(f.Conflict, line)
	}
	for _, field := range f.fields {
		yours, theirs, before := typedOf(f.typed, field), typedOf(saved, field), typedOf(former, field)
		if yours.Encode() != theirs.Encode() {
			add(field.Label, f.names.summary(field, yours), f.names.summary(field, theirs), f.names.summary(field, before))
		}
	}
	if yours, theirs := f.typed.Get("metadata"), saved.Get("metadata"); yours != theirs {
		add("Other metadata", yours, theirs, former.Get("metadata"))
	}
	return view{page: "rule", title: "Error: " + title, status: http.StatusBadRequest, data: f}, nil
}

// Known reports whether the diff tells what was there before.
func (f *ruleForm) Known() bool { return len(f.Conflict) > 0 && f.Conflict[0].Before != "" }

// maxFormer is how many edits are taken back to find what a form began with.
const maxFormer = 100

// former returns the texts of the rule when the form was opened: the saved ones without the edits since then. known is
// false where there are too many.
func (c *call) former(f *ruleForm) (out values, known bool, err error) {
	list, err := c.d.Rules.ListEdits(c.Context(), c.scope, f.Rule.ID, laurel.PageRequest{Limit: maxFormer})
	if err != nil {
		return nil, false, err
	}
	seen := time.UnixMicro(f.Seen)
	properties := objectOf(encoded(f.Rule.Properties))
	properties["metadata"] = f.stored["metadata"]
	for _, e := range list.Data { // newest first
		known = !e.EditedAt.After(seen)
		if known || e.Action == catalog.EditCreate {
			break
		}
		for name, value := range objectOf(e.PreviousData) {
			properties[name] = value
		}
	}
	metadata := properties["metadata"]
	for name, value := range objectOf(metadata) {
		properties["metadata."+name] = value
	}
	out = values{}
	for _, field := range f.fields {
		shownIn(out, field, properties[field.Path])
	}
	if rest := restOf(f.fields, metadata); rest != "" {
		out.Set("metadata", rest)
	}
	return out, known, nil
}
