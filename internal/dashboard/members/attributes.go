package members

import (
	"slices"
	"strconv"
	"strings"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/dashboard/form"
	"laurel.example/laurel/internal/dashboard/parts"
	"laurel.example/laurel/internal/dashboard/web"
	"laurel.example/laurel/internal/identity/attributes"
)

// attributesData is the form of a member's attributes: a text for each attribute of the website.
type attributesData struct {
	form.State
	parts.Person
	Fields []form.Field // by the ids of the attributes
	saved  map[string]string
}

// readAttributes returns the form with the saved values.
func (c *call) readAttributes() (data attributesData, err error) {
	if _, data.Person, err = c.GetMember(); err != nil {
		return data, err
	}
	scope := c.Scope.At(c.Site.ID)
	defined, err := c.Attributes.List(c.Context(), scope, laurel.PageRequest{Limit: attributes.MaxLive})
	if err != nil {
		return data, err
	}
	data.saved = map[string]string{}
	for _, a := range slices.Backward(defined.Data) {
		data.Fields = append(data.Fields, form.Field{Name: a.ID.String(), Label: a.Label})
		data.saved[a.ID.String()] = ""
	}
	labeled, err := c.Attributes.OfUsers(c.Context(), scope, []laurel.ID{data.ID})
	for _, a := range labeled[data.ID] {
		data.saved[a.ID.String()] = a.Values[0].Value
	}
	data.Base, data.Input = form.BaseOf(attributeTexts(data.saved)), attributeTexts(data.saved)
	return data, err
}

// attributeTexts returns values as the inputs of the form send them back.
func attributeTexts(values map[string]string) map[string]string {
	out := map[string]string{}
	for id, value := range values {
		out[id] = strings.TrimSpace(strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(value))
	}
	return out
}

// attributesPage shows the form of a member's attributes.
func attributesPage(c *call) (web.View, error) {
	data, err := c.readAttributes()
	if err != nil {
		return web.View{}, err
	}
	return web.Show("member-attributes", "Attributes of "+data.Name, data)
}

// saveAttributes saves the changed attributes. If someone else has saved other values since the form was opened,
// nothing is written and the conflicts are shown.
func saveAttributes(c *call) (web.View, error) {
	data, err := c.readAttributes()
	if err != nil {
		return web.View{}, err
	}
	title, texts := "Attributes of "+data.Name, data.Input
	typed := map[string]string{}
	for _, f := range data.Fields {
		typed[f.Name] = c.PostFormValue(f.Name)
	}
	data.Input = attributeTexts(typed)
	if data.FindConflicts(c.PostForm, texts, data.Input, data.Fields) {
		return web.Refused("member-attributes", title, data), nil
	}
	items, fields := data.changes(texts)
	if len(items) == 0 {
		return c.Redirect(c.SitePath("members", data.ID), "There were no changes to save.")
	}
	if err := c.Attributes.WriteForm(c.Context(), c.Scope.At(c.Site.ID), items); err != nil {
		return c.ShowRefused(err, "member-attributes", title, func(r web.Refusal) any {
			data.Refusal = r
			for i, name := range fields {
				if fault := r.Faults["data."+strconv.Itoa(i)+".value"]; fault != "" {
					data.Faults[name] = fault
				}
			}
			return data
		})
	}
	return c.Redirect(c.SitePath("members", data.ID), "Attributes saved.")
}

// changes returns the typed values that differ from the saved texts, and the names of their fields.
func (d attributesData) changes(texts map[string]string) (items []attributes.ValueItem, fields []string) {
	for _, f := range d.Fields {
		id, err := laurel.ParseID(f.Name)
		if err != nil || d.Input[f.Name] == texts[f.Name] {
			continue
		}
		before := d.saved[f.Name]
		items = append(items, attributes.ValueItem{
			UserID: d.ID, AttributeID: id, Value: d.Input[f.Name], Before: &before,
		})
		fields = append(fields, f.Name)
	}
	return items, fields
}
