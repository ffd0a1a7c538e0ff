package dashboard

import (
	"slices"
	"strconv"
	"strings"

	"laurel"
	"laurel/internal/rules/schema"
)

// buildSections builds the sections of the form from its fields, the typed values and the faults, and the summary of
// the rule.
func (f *ruleForm) buildSections() {
	f.Sections = nil
	saved := f.savedTexts()
	for _, t := range sectionTitles {
		s := formSection{ID: t.ID, Title: t.Title, Folded: t.Folded}
		for _, field := range f.fields {
			if field.Section != t.ID {
				continue
			}
			made := f.buildField(field, saved)
			s.Open = s.Open || made.Fault != ""
			if field.More {
				s.More = append(s.More, made)
				s.Shown = s.Shown || made.Set || made.Fault != ""
			} else {
				s.Fields = append(s.Fields, made)
			}
		}
		if t.ID == schema.VisibilitySection {
			s.Rest = f.buildMetadataField(saved)
			s.Open = s.Open || s.Rest.Fault != ""
		}
		if s.Folded {
			s.Line = foldedSummary(s)
		}
		if len(s.Fields)+len(s.More) > 0 {
			f.Sections = append(f.Sections, s)
		}
	}
	f.Summary = f.summarize()
}

// buildMetadataField returns the field for metadata that has no field of its own.
func (f *ruleForm) buildMetadataField(saved values) *formField {
	out := &formField{
		Field: schema.Field{
			Path: "metadata", Label: "Other metadata", Control: schema.LongText,
			Help: "JSON settings that have no field above, such as data for your website. Laurel stores them unchanged.",
		},
		Value: f.typed.Get("metadata"),
	}
	for _, fault := range f.Faults {
		if f.fieldIndex(fault.Path) == len(f.fields) && isWithinProperty(fault.Path, "metadata") && out.Fault == "" {
			out.Fault = fault.Text
			if fault.Path != "metadata" {
				out.Fault = strings.TrimPrefix(fault.Path, "metadata.") + ": " + fault.Text
			}
		}
	}
	if out.Value != saved.Get("metadata") {
		out.Was = "changed"
	}
	return out
}

// buildField returns a field of the form with its typed value, its options or rows, its fault, and a note if the value
// differs from the saved one.
func (f *ruleForm) buildField(field schema.Field, saved values) formField {
	out := formField{Field: field, Value: f.typed.Get(field.Path)}
	out.On = out.Value != ""
	now, before := textsOf(f.typed, field), textsOf(saved, field)
	out.Set = len(now) > 0 && !field.Needed
	if !f.New() && now.Encode() != before.Encode() {
		out.Was = "changed"
		switch text := before.Get(field.Path); {
		case field.Control == schema.Checkbox || field.Control == schema.Ticks || field.Control == schema.Rows ||
			field.Control == schema.Secret || field.Control == schema.LongText || field.Control == schema.Ids:
		case text == "":
			out.Was = "was empty"
		default:
			out.Was = "was " + f.describeReference(field, text)
		}
	}
	for _, fault := range f.Faults {
		if fault.Path == field.Path || field.Control == schema.Ids && isWithinProperty(fault.Path, field.Path) {
			out.Fault = fault.Text
		}
	}
	switch field.Control {
	case schema.Select, schema.Choices:
		for _, o := range field.Options {
			out.List = append(out.List, formOption{o, o.Value == out.Value})
		}
	case schema.Ticks:
		for _, o := range field.Options {
			out.List = append(out.List, formOption{o, slices.Contains(f.typed[field.Path], o.Value)})
		}
	case schema.Currency, schema.Group, schema.Badge:
		out.List = f.referenceOptions(field, out.Value)
	case schema.Rows:
		for i := range countRows(f.typed, field) {
			out.Rows = append(out.Rows, f.buildRow(field, i))
		}
	}
	return out
}

// referenceOptions returns the options of a select of currencies, groups or badges. A selected value that is no option
// any more is added.
func (f *ruleForm) referenceOptions(field schema.Field, value string) []formOption {
	none := "No group"
	switch {
	case field.Control == schema.Badge:
		none = "No badge"
	case field.Control == schema.Currency && field.Path == "loyaltyCurrencyId":
		none = "The website’s only currency"
	case field.Control == schema.Currency:
		none = "Same as the rule"
	}
	out := []formOption{{schema.Option{Label: none}, value == ""}}
	if several := len(f.names.Currencies) > 1; several && field.Path == "loyaltyCurrencyId" {
		out[0].Label = "No currency"
		if value != "" || f.New() {
			out = nil // points need a currency
		}
	}
	add := func(id laurel.ID, name string) {
		out = append(out, formOption{schema.Option{Value: id.String(), Label: name}, value == id.String()})
	}
	switch field.Control {
	case schema.Currency:
		for _, u := range f.names.Currencies {
			add(u.ID, u.Name)
		}
	case schema.Badge:
		for _, b := range f.names.Badges {
			add(b.ID, b.Name)
		}
	default:
		for _, g := range f.names.Groups {
			add(g.ID, g.Name)
		}
	}
	if !slices.ContainsFunc(out, func(o formOption) bool { return o.On }) {
		out = append(out, formOption{schema.Option{Value: value, Label: f.describeReference(field, value)}, true})
	}
	return out
}

var ordinals = []string{"First", "Second", "Third", "Fourth", "Fifth", "Sixth", "Seventh", "Eighth", "Ninth", "Tenth"}

// buildRow returns row i of a table field with its typed values and faults.
func (f *ruleForm) buildRow(field schema.Field, i int) formRow {
	ordinal := "Row " + strconv.Itoa(i+1)
	if i < len(ordinals) {
		ordinal = ordinals[i] + " row"
	}
	row := formRow{Name: field.Path + "." + strconv.Itoa(i), OthersName: rowName(field, i, extraColumn)}
	row.Others = f.typed.Get(row.OthersName)
	for _, c := range field.Columns {
		cell := formCell{Name: rowName(field, i, c.Path), Label: ordinal + ", " + c.Label, Unit: c.Label}
		cell.Value = f.typed.Get(cell.Name)
		if c.Control == schema.Badge {
			cell.List = f.referenceOptions(c, cell.Value)
		}
		for _, fault := range f.Faults {
			if fault.Path == cell.Name {
				cell.Fault = fault.Text
				row.Fault = strings.TrimSpace(row.Fault + " " + sentence(c.Label) + ": " + fault.Text)
			}
		}
		row.Cells = append(row.Cells, cell)
	}
	return row
}

// addRow adds an empty row to the table field with the path.
func (f *ruleForm) addRow(path string) {
	for s := range f.Sections {
		for _, list := range [][]formField{f.Sections[s].Fields, f.Sections[s].More} {
			for i := range list {
				if list[i].Path == path {
					list[i].Rows = append(list[i].Rows, f.buildRow(list[i].Field, len(list[i].Rows)))
					f.Sections[s].Shown = true
				}
			}
		}
	}
}

// foldedSummary says in one line what a folded section contains.
func foldedSummary(s formSection) string {
	var set []string
	for _, f := range s.Fields {
		switch {
		case f.Control == schema.Checkbox && f.On:
			set = append(set, f.Label)
		case f.Control == schema.Moment && f.Value != "":
			set = append(set, f.Label+" "+strings.Replace(f.Value, "T", " ", 1)+" UTC")
		case f.Control != schema.Checkbox && f.Value != "":
			set = append(set, f.Label)
		}
	}
	if s.Rest != nil && s.Rest.Value != "" {
		set = append(set, "Other metadata")
	}
	switch {
	case len(set) > 0:
		return strings.Join(set, ", ")
	case s.ID == schema.TimingSection:
		return "No limits"
	}
	return "Shown to members"
}

// describeReference writes a value of a field for people.
func (f *ruleForm) describeReference(field schema.Field, text string) string {
	return f.names.describeReference(field, text)
}
