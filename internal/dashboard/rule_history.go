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

// propertyChange is a property with its values before and after an edit, in words.
type propertyChange struct{ Label, Before, After, path string }

// editItem is an edit in the history of a rule.
type editItem struct {
	catalog.Edit
	By    string
	Title string
	Lines []propertyChange
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
	catalog.EditCreate: "Created", catalog.EditUpdate: "Changed", catalog.EditDelete: "Deleted",
	catalog.EditRestore: "Edit undone",
}

// ruleHistoryPage lists the edits of a rule, with the changed properties and the admin of each.
func ruleHistoryPage(c *request) (view, error) {
	r, err := c.findRule()
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
	names, err := c.readNames()
	if err != nil {
		return view{}, err
	}
	data := historyData{
		Rule: r, Kind: r.Type.Kind(), State: r.State(c.d.Now()),
		Pager: c.pager(page, list.HasNextPage, lastID(list, func(e catalog.Edit) laurel.ID { return e.ID })),
	}
	editors, err := c.editorNames(list.Data)
	if err != nil {
		return view{}, err
	}
	for _, e := range list.Data {
		item := editItem{Edit: e, By: editors[e.EditedByID], Title: editTitles[e.Action]}
		item.Undo = e.Action != catalog.EditCreate
		if item.By == "" {
			item.By = "an API key"
		}
		if e.Action != catalog.EditCreate {
			item.Lines = c.hideConfidentialValues(names.compareProperties(r.Type, e.PreviousData, e.Data))
		}
		data.Edits = append(data.Edits, item)
	}
	return pageView("rule-history", r.Name+", history", data)
}

// hideConfidentialValues replaces the values of confidential properties for roles that may not change rules.
func (c *request) hideConfidentialValues(lines []propertyChange) []propertyChange {
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

// editorNames returns the names of the admins who made the edits, by user id. Edits over the API have no name.
func (c *request) editorNames(edits []catalog.Edit) (map[laurel.ID]string, error) {
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

// compareProperties returns the properties that differ between two states of a rule: those with a field first, in the
// order of the form.
func (n *websiteNames) compareProperties(t schema.Type, before, after json.RawMessage) []propertyChange {
	oldValues, newValues := flattenProperties(before), flattenProperties(after)
	paths := slices.Sorted(maps.Keys(newValues))
	for path := range oldValues {
		if _, both := newValues[path]; !both {
			paths = append(paths, path)
		}
	}
	var out []propertyChange
	for _, f := range schema.FieldsOf(t) {
		if i := slices.Index(paths, f.Path); i >= 0 {
			paths = slices.Delete(paths, i, i+1)
			out = n.appendChange(out, f, oldValues[f.Path], newValues[f.Path])
		}
	}
	for _, path := range paths {
		f, ok := schema.FieldAt(path)
		if !ok {
			f = schema.Field{Path: path, Label: propertyLabel(path), Control: schema.LongText}
		}
		out = n.appendChange(out, f, oldValues[path], newValues[path])
	}
	return out
}

// propertyLabel returns the label of a property that has no field.
func propertyLabel(path string) string {
	if path == "deletedAt" {
		return "Deleted"
	}
	return path
}

// appendChange appends a property's change, unless both values are the same.
func (n *websiteNames) appendChange(
	to []propertyChange,
	f schema.Field,
	before, after json.RawMessage,
) []propertyChange {
	if string(before) == string(after) {
		return to
	}
	return append(to, propertyChange{f.Label, n.describeStored(f, before), n.describeStored(f, after), f.Path})
}

// describeStored writes a stored value in words. Secrets are not shown.
func (n *websiteNames) describeStored(f schema.Field, raw json.RawMessage) string {
	if f.Control == schema.Secret && len(raw) > 0 && string(raw) != "null" {
		return "a key (not shown)"
	}
	v := values{}
	setTexts(v, f, raw)
	return n.describeValue(f, v)
}

// flattenProperties returns properties by path, those of the metadata one by one.
func flattenProperties(raw json.RawMessage) map[string]json.RawMessage {
	out := decodeObject(raw)
	metadata := out["metadata"]
	delete(out, "metadata")
	for name, value := range decodeObject(metadata) {
		out["metadata."+name] = value
	}
	return out
}

// describeValue writes the typed value of a property in one line of words, by the kind of its control.
func (n *websiteNames) describeValue(f schema.Field, v values) string {
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
		for i := range countRows(v, f) {
			var cells []string
			for _, col := range f.Columns {
				if text := v.Get(f.Path + "." + strconv.Itoa(i) + "." + col.Path); text != "" {
					if col.Control == schema.Badge {
						text = n.describeReference(col, text)
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
			return "a key (not shown)"
		}
	case schema.Decimal, schema.Integer:
		if text := v.Get(f.Path); text != "" {
			return strings.TrimSpace(number(text) + " " + f.Unit)
		}
	default:
		if text := v.Get(f.Path); text != "" {
			return n.describeReference(f, text)
		}
	}
	return "not set"
}

// undoEdit restores what an edit of a rule changed.
func undoEdit(c *request) (view, error) {
	r, err := c.findRule()
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
	return c.redirect(c.sitePath("rules", r.ID, "history"), "Edit undone. The rule has its previous values again.")
}
