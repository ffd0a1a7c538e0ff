package dashboard

import (
	"cmp"
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"

	"laurel"
	"laurel/internal/admins"
	"laurel/internal/rules/catalog"
	"laurel/internal/rules/schema"
)

// diffLine is a property with two values in words.
type diffLine struct{ Label, Before, After, path string }

// editItem is an edit in the history of a rule.
type editItem struct {
	catalog.Edit
	By    string
	Title string
	Lines []diffLine
	Undo  bool // it can be undone
}

type historyData struct {
	Rule  catalog.Rule
	Kind  schema.Kind
	State catalog.State
	Edits []editItem
	Pager pager
}

var editTitles = map[catalog.EditAction]string{
	catalog.EditCreate: "Made", catalog.EditUpdate: "Changed", catalog.EditDelete: "Deleted",
	catalog.EditRestore: "Undone",
}

func ruleHistoryPage(c *call) (view, error) {
	r, err := c.rule()
	if err != nil {
		return view{}, err
	}
	page, err := c.pageRequest()
	if err != nil {
		return view{}, err
	}
	page.Limit = 20
	list, err := c.d.Rules.ListEdits(c.Context(), c.scope, r.ID, page)
	if err != nil {
		return view{}, err
	}
	names, err := c.named()
	if err != nil {
		return view{}, err
	}
	data := historyData{
		Rule: r, Kind: r.Type.Kind(), State: r.State(c.d.Now()),
		Pager: c.pager(page, list.HasNextPage, lastID(list, func(e catalog.Edit) laurel.ID { return e.ID })),
	}
	who, err := c.editors(list.Data)
	if err != nil {
		return view{}, err
	}
	for _, e := range list.Data {
		item := editItem{Edit: e, By: who[e.EditedByID], Title: editTitles[e.Action], Undo: e.Action != catalog.EditCreate}
		if item.By == "" {
			item.By = "an API key"
		}
		if e.Action != catalog.EditCreate {
			item.Lines = c.seen(names.difference(r.Type, e.PreviousData, e.Data))
		}
		data.Edits = append(data.Edits, item)
	}
	return pageView("rule-history", r.Name+", history", data)
}

// seen returns lines as the role may see them: of some properties only that they were changed.
func (c *call) seen(lines []diffLine) []diffLine {
	if c.may(admins.ChangeProgram) {
		return lines
	}
	for i, line := range lines {
		if schema.IsConfidential(line.path) {
			lines[i].Before, lines[i].After = "not shown", "not shown"
		}
	}
	return lines
}

// editors names the people who made edits. Keys have no name.
func (c *call) editors(edits []catalog.Edit) (map[laurel.ID]string, error) {
	out := map[laurel.ID]string{}
	members, err := c.d.Admins.Members(c.Context(), c.siteOrganization.OrganizationID)
	if err != nil {
		return nil, err
	}
	for _, m := range members {
		if !slices.ContainsFunc(edits, func(e catalog.Edit) bool { return e.EditedByID == m.UserID }) {
			continue
		}
		admin, err := c.d.Admins.Admin(c.Context(), m.AdminID)
		if err != nil {
			return nil, err
		}
		out[m.UserID] = admin.Name
	}
	return out, nil
}

// difference lists the properties in which two states differ, those of the form first and in its order.
func (n *named) difference(t schema.Type, before, after json.RawMessage) []diffLine {
	was, is := flat(before), flat(after)
	paths := slices.Sorted(maps.Keys(is))
	for path := range was {
		if _, both := is[path]; !both {
			paths = append(paths, path)
		}
	}
	var out []diffLine
	for _, f := range schema.FieldsOf(t) {
		if i := slices.Index(paths, f.Path); i >= 0 {
			paths = slices.Delete(paths, i, i+1)
			out = n.line(out, f, was[f.Path], is[f.Path])
		}
	}
	for _, path := range paths {
		f, known := schema.FieldAt(path)
		if !known {
			f = schema.Field{Path: path, Label: propertyWords(path), Control: schema.LongText}
		}
		out = n.line(out, f, was[path], is[path])
	}
	return out
}

// propertyWords name properties that have no field.
func propertyWords(path string) string {
	if path == "deletedAt" {
		return "Deleted"
	}
	return path
}

func (n *named) line(to []diffLine, f schema.Field, before, after json.RawMessage) []diffLine {
	if string(before) == string(after) {
		return to
	}
	return append(to, diffLine{f.Label, n.stored(f, before), n.stored(f, after), f.Path})
}

// stored writes a stored value for people. Nothing of a secret is told.
func (n *named) stored(f schema.Field, raw json.RawMessage) string {
	if f.Control == schema.Secret && len(raw) > 0 && string(raw) != "null" {
		return "a key, not shown"
	}
	v := values{}
	shownIn(v, f, raw)
	return n.summary(f, v)
}

// flat lists properties by path, those of the metadata one by one.
func flat(raw json.RawMessage) map[string]json.RawMessage {
	out := objectOf(raw)
	metadata := out["metadata"]
	delete(out, "metadata")
	for name, value := range objectOf(metadata) {
		out["metadata."+name] = value
	}
	return out
}

// summary writes the texts of a property in one line.
func (n *named) summary(f schema.Field, v values) string {
	switch f.Control {
	case schema.Checkbox:
		if v.Get(f.Path) == "" {
			return "no"
		}
		return "yes"
	case schema.Ticks:
		var labels []string
		for _, name := range v[f.Path] {
			labels = append(labels, f.OptionLabel(name))
		}
		if len(labels) > 0 {
			return strings.Join(labels, ", ")
		}
	case schema.Rows:
		var rows []string
		for i := range rowsIn(v, f) {
			var cells []string
			for _, col := range f.Columns {
				if text := v.Get(f.Path + "." + strconv.Itoa(i) + "." + col.Path); text != "" {
					if col.Control == schema.Badge {
						text = n.word(col, text)
					} else {
						text = number(text)
					}
					cells = append(cells, col.Label+" "+text)
				}
			}
			rows = append(rows, strings.Join(cells, ", "))
		}
		if len(rows) > 0 {
			return strings.Join(rows, "; ")
		}
	case schema.Secret:
		if v.Get(f.Path) != "" {
			return "a key, not shown"
		}
	case schema.Decimal, schema.Integer:
		if text := v.Get(f.Path); text != "" {
			return strings.TrimSpace(number(text) + " " + f.Unit)
		}
	default:
		if text := v.Get(f.Path); text != "" {
			return n.word(f, text)
		}
	}
	return "not set"
}

// undoEdit gives back what an edit changed.
func undoEdit(c *call) (view, error) {
	r, err := c.rule()
	if err != nil {
		return view{}, err
	}
	id, err := c.pathID("edit", "Rule edit")
	if err != nil {
		return view{}, err
	}
	if edit, err := c.d.Rules.Edit(c.Context(), c.scope, id); err != nil || edit.RuleID != r.ID {
		return view{}, cmp.Or(err, error(laurel.Missing("Rule edit")))
	}
	if _, err := c.d.Rules.Restore(c.Context(), c.scope, id, c.PostFormValue("editComment")); err != nil {
		return view{}, err
	}
	return c.redirect(c.sitePath("rules", r.ID, "history"), "Edit undone. The rule has its former values again.")
}
