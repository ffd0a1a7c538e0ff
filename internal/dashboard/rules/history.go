package rules

import (
	"cmp"
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/admins"
	"laurel.example/laurel/internal/dashboard/parts"
	"laurel.example/laurel/internal/dashboard/web"
	"laurel.example/laurel/internal/rules/catalog"
	"laurel.example/laurel/internal/rules/schema"
)

// propertyChange is a property with its values before and after an edit, in words.
type propertyChange struct{ Label, Before, After, path string }

// editItem is an edit in the history of a rule.
type editItem struct {
	catalog.Edit
	By      string
	Title   string
	Changes []propertyChange
	CanUndo bool // it can be undone
}

type historyData struct {
	Rule  catalog.Rule
	Kind  schema.Kind
	State catalog.State
	Edits []editItem
	Pager web.Pager
}

var editTitles = map[catalog.EditAction]string{
	catalog.EditCreate: "Created", catalog.EditUpdate: "Changed", catalog.EditDelete: "Deleted",
	catalog.EditRestore: "Edit undone",
}

// ruleHistoryPage shows a page of the edits of a rule, newest first, with the changed properties and the admin of each.
func ruleHistoryPage(c *call) (web.View, error) {
	rule, err := c.getRule()
	if err != nil {
		return web.View{}, err
	}
	page, err := c.PageRequest()
	if err != nil {
		return web.View{}, err
	}
	page.Limit = web.SideListLimit
	list, err := c.Rules.ListEdits(c.Context(), c.Scope, rule.ID, page)
	if err != nil {
		return web.View{}, err
	}
	names, err := c.ReadNames()
	if err != nil {
		return web.View{}, err
	}
	data := historyData{
		Rule: rule, Kind: rule.Type.Kind(), State: rule.State(c.Now()),
		Pager: c.Pager(page, list.HasNextPage, web.LastID(list, func(edit catalog.Edit) laurel.ID { return edit.ID })),
	}
	editors, err := c.editorNames(list.Data)
	if err != nil {
		return web.View{}, err
	}
	for _, edit := range list.Data {
		item := editItem{Edit: edit, By: editors[edit.EditedByID], Title: editTitles[edit.Action]}
		item.CanUndo = edit.Action != catalog.EditCreate
		if item.By == "" {
			item.By = "an API key"
		}
		if edit.Action != catalog.EditCreate {
			before, after := json.RawMessage(edit.PreviousData), json.RawMessage(edit.Data)
			item.Changes = c.hideConfidentialValues(compareProperties(names, rule.Type, before, after))
		}
		data.Edits = append(data.Edits, item)
	}
	return web.Show("rule-history", rule.Name+", history", data)
}

// hideConfidentialValues replaces the values of confidential properties in the changes, for roles that may not change
// rules.
func (c *call) hideConfidentialValues(changes []propertyChange) []propertyChange {
	if c.May(admins.ChangeProgram) {
		return changes
	}
	for i, change := range changes {
		if schema.IsConfidential(change.path) {
			changes[i].Before, changes[i].After = "not shown", "not shown"
		}
	}
	return changes
}

// editorNames returns the names of the admins who made the edits, by user id. Edits over the API have no name.
func (c *call) editorNames(edits []catalog.Edit) (map[laurel.ID]string, error) {
	out := map[laurel.ID]string{}
	members, err := c.Admins.Members(c.Context(), c.SiteOrganization.OrganizationID)
	if err != nil {
		return nil, err
	}
	for _, member := range members {
		if !slices.ContainsFunc(edits, func(edit catalog.Edit) bool { return edit.EditedByID == member.UserID }) {
			continue
		}
		admin, err := c.Admins.Admin(c.Context(), member.AdminID)
		if err != nil {
			return nil, err
		}
		out[member.UserID] = admin.Name
	}
	return out, nil
}

// compareProperties returns the properties that differ between two states of a rule: first those with a field, in the
// order of the form, then the others.
func compareProperties(n *parts.Names, ruleType schema.Type, before, after json.RawMessage) []propertyChange {
	oldValues, newValues := flattenProperties(before), flattenProperties(after)
	paths := slices.Sorted(maps.Keys(newValues))
	for path := range oldValues {
		if _, isInBoth := newValues[path]; !isInBoth {
			paths = append(paths, path)
		}
	}
	var out []propertyChange
	for _, field := range schema.FieldsOf(ruleType) {
		if i := slices.Index(paths, field.Path); i >= 0 {
			paths = slices.Delete(paths, i, i+1)
			out = appendChange(n, out, field, oldValues[field.Path], newValues[field.Path])
		}
	}
	for _, path := range paths {
		field, ok := schema.FieldAt(path)
		if !ok {
			field = schema.Field{Path: path, Label: propertyLabel(path), Control: schema.ControlLongText}
		}
		out = appendChange(n, out, field, oldValues[path], newValues[path])
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

// appendChange appends the change of a property to the list, unless both values are the same.
func appendChange(
	n *parts.Names,
	changes []propertyChange,
	field schema.Field,
	before, after json.RawMessage,
) []propertyChange {
	if string(before) == string(after) {
		return changes
	}
	oldText, newText := describeStored(n, field, before), describeStored(n, field, after)
	return append(changes, propertyChange{field.Label, oldText, newText, field.Path})
}

// describeStored writes a stored value of a field in words. Secrets are not shown.
func describeStored(n *parts.Names, field schema.Field, raw json.RawMessage) string {
	if field.Control == schema.ControlSecret && len(raw) > 0 && string(raw) != "null" {
		return "a key (not shown)"
	}
	texts := values{}
	setTexts(texts, field, raw)
	return describeValue(n, field, texts)
}

// flattenProperties returns the properties of a rule by path. Instead of the metadata as a whole, it returns each of
// its properties, at "metadata.name".
func flattenProperties(raw json.RawMessage) map[string]json.RawMessage {
	out := decodeObject(raw)
	metadata := out["metadata"]
	delete(out, "metadata")
	for name, value := range decodeObject(metadata) {
		out["metadata."+name] = value
	}
	return out
}

// describeValue writes the typed value of a field in one line of words, by the kind of its control.
func describeValue(n *parts.Names, field schema.Field, typed values) string {
	switch field.Control {
	case schema.ControlCheckbox:
		if typed.Get(field.Path) == "" {
			return "no"
		}
		return "yes"
	case schema.ControlTicks:
		var labels []string
		for _, name := range typed[field.Path] {
			labels = append(labels, field.OptionLabel(name))
		}
		if len(labels) > 0 {
			return strings.Join(labels, ", ")
		}
	case schema.ControlRows:
		var rows []string
		for i := range countRows(typed, field) {
			var cells []string
			for _, column := range field.Columns {
				if text := typed.Get(field.Path + "." + strconv.Itoa(i) + "." + column.Path); text != "" {
					switch column.Control {
					case schema.ControlBadge:
						text = n.DescribeReference(column, text)
					case schema.ControlText:
					default:
						text = web.Number(text)
					}
					cells = append(cells, column.Label+" "+text)
				}
			}
			rows = append(rows, strings.Join(cells, ", "))
		}
		if len(rows) > 0 {
			return strings.Join(rows, "; ")
		}
	case schema.ControlSecret:
		if typed.Get(field.Path) != "" {
			return "a key (not shown)"
		}
	case schema.ControlDecimal, schema.ControlInteger:
		if text := typed.Get(field.Path); text != "" {
			return strings.TrimSpace(web.Number(text) + " " + field.Unit)
		}
	default:
		if text := typed.Get(field.Path); text != "" {
			return n.DescribeReference(field, text)
		}
	}
	return "not set"
}

// undoEdit restores the values that an edit of a rule changed. An edit of another rule is not found.
func undoEdit(c *call) (web.View, error) {
	rule, err := c.getRule()
	if err != nil {
		return web.View{}, err
	}
	id, err := c.PathID("edit", "Rule edit")
	if err != nil {
		return web.View{}, err
	}
	if edit, err := c.Rules.Edit(c.Context(), c.Scope, id); err != nil || edit.RuleID != rule.ID {
		return web.View{}, cmp.Or(err, error(laurel.Missing("Rule edit")))
	}
	if _, err := c.Rules.Restore(c.Context(), c.Scope, id, c.PostFormValue("editComment")); err != nil {
		return web.View{}, err
	}
	return c.Redirect(c.SitePath("rules", rule.ID, "history"), "Edit undone. The rule has its previous values again.")
}
