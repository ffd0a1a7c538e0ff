package rules

import (
	"slices"
	"strconv"
	"strings"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/dashboard/web"
	"laurel.example/laurel/internal/rules/schema"
)

// buildSections builds the sections of the form from its fields, the typed values and the faults, and the summary of
// the rule. More holds the less common fields of a section; they are shown if one of them is set or has a fault.
// Callers build the sections again whenever values or faults change.
func (f *ruleForm) buildSections() {
	f.Sections = nil
	saved := f.savedTexts()
	for _, heading := range sectionTitles {
		section := formSection{ID: heading.ID, Title: heading.Title, Folded: heading.Folded}
		for _, field := range f.fields {
			if field.Section != heading.ID {
				continue
			}
			built := f.buildField(field, saved)
			section.Open = section.Open || built.Fault != ""
			if field.More {
				section.More = append(section.More, built)
				section.MoreIsOpen = section.MoreIsOpen || built.OptionalFilled || built.Fault != ""
			} else {
				section.Fields = append(section.Fields, built)
			}
		}
		if heading.ID == schema.VisibilitySection {
			section.OtherMetadata = f.buildMetadataField(saved)
			section.Open = section.Open || section.OtherMetadata.Fault != ""
		}
		if section.Folded {
			section.Summary = foldedSummary(section)
		}
		if len(section.Fields)+len(section.More) > 0 {
			f.Sections = append(f.Sections, section)
		}
	}
	f.Summary = f.summarize()
}

// buildMetadataField returns the field for the metadata that has no field of its own, as JSON, with its fault and a
// note if it differs from saved.
func (f *ruleForm) buildMetadataField(saved values) *formField {
	out := &formField{
		Field: schema.Field{
			Path: "metadata", Label: "Other metadata", Control: schema.ControlLongText,
			Help: "Additional settings as a JSON object, such as data for your website. Laurel stores them unchanged.",
		},
		Value: f.typed.Get("metadata"),
	}
	for _, fault := range f.Faults {
		hasNoField := f.fieldIndex(fault.Path) == len(f.fields)
		if hasNoField && isWithinProperty(fault.Path, "metadata") && out.Fault == "" {
			out.Fault = fault.Text
			if fault.Path != "metadata" {
				out.Fault = strings.TrimPrefix(fault.Path, "metadata.") + ": " + fault.Text
			}
		}
	}
	if out.Value != saved.Get("metadata") {
		out.SavedNote = "changed"
	}
	return out
}

// controlsWithoutLine have values that fit no line: the note of a changed field says only that it has changed.
var controlsWithoutLine = []schema.Control{
	schema.ControlCheckbox, schema.ControlTicks, schema.ControlRows, schema.ControlSecret, schema.ControlLongText,
	schema.ControlIds, schema.ControlTexts,
}

// buildField returns a field of the form with the value that the user entered, its options or rows, its fault, and a
// note if the value differs from the saved one. The note shows the saved value if it fits on one line.
func (f *ruleForm) buildField(field schema.Field, saved values) formField {
	out := formField{Field: field, Value: f.typed.Get(field.Path)}
	out.IsTicked = out.Value != ""
	typed, savedTexts := textsOf(f.typed, field), textsOf(saved, field)
	out.OptionalFilled = len(typed) > 0 && !field.Needed
	if !f.New() && typed.Encode() != savedTexts.Encode() {
		out.SavedNote = "changed"
		switch text := savedTexts.Get(field.Path); {
		case slices.Contains(controlsWithoutLine, field.Control):
		case text == "":
			out.SavedNote = "was empty"
		default:
			out.SavedNote = "was " + f.describeReference(field, text)
		}
	}
	for _, fault := range f.Faults { // a fault of one id is shown at the whole field
		if fault.Path == field.Path || field.Control == schema.ControlIds && isWithinProperty(fault.Path, field.Path) {
			out.Fault = fault.Text
		}
	}
	switch field.Control {
	case schema.ControlSelect, schema.ControlChoices:
		for _, option := range field.Options {
			out.List = append(out.List, formOption{option, option.Value == out.Value})
		}
	case schema.ControlTicks:
		for _, option := range field.Options {
			out.List = append(out.List, formOption{option, slices.Contains(f.typed[field.Path], option.Value)})
		}
	case schema.ControlCurrency, schema.ControlGroup, schema.ControlBadge:
		out.List = f.referenceOptions(field, out.Value)
	case schema.ControlRows:
		for i := range countRows(f.typed, field) {
			out.Rows = append(out.Rows, f.buildRow(field, i))
		}
	}
	return out
}

// referenceOptions returns the options of a select of currencies, groups or badges. The first one stands for no choice,
// unless points need a currency. A selected value that is no longer an option is added.
func (f *ruleForm) referenceOptions(field schema.Field, value string) []formOption {
	none := "No group"
	switch {
	case field.Control == schema.ControlBadge:
		none = "No badge"
	case field.Control == schema.ControlCurrency && field.Path == "loyaltyCurrencyId":
		none = "The website’s only currency"
	case field.Control == schema.ControlCurrency:
		none = "Same as the rule"
	}
	out := []formOption{{schema.Option{Label: none}, value == ""}}
	if hasSeveral := len(f.names.Currencies) > 1; hasSeveral && field.Path == "loyaltyCurrencyId" {
		out[0].Label = "No currency"
		if value != "" || f.New() {
			out = nil // points need a currency
		}
	}
	add := func(id laurel.ID, name string) {
		out = append(out, formOption{schema.Option{Value: id.String(), Label: name}, value == id.String()})
	}
	switch field.Control {
	case schema.ControlCurrency:
		for _, currency := range f.names.Currencies {
			add(currency.ID, currency.Name)
		}
	case schema.ControlBadge:
		for _, badge := range f.names.Badges {
			add(badge.ID, badge.Name)
		}
	default:
		for _, group := range f.names.Groups {
			add(group.ID, group.Name)
		}
	}
	if !slices.ContainsFunc(out, func(option formOption) bool { return option.IsSelected }) {
		out = append(out, formOption{schema.Option{Value: value, Label: f.describeReference(field, value)}, true})
	}
	return out
}

var ordinals = []string{"First", "Second", "Third", "Fourth", "Fifth", "Sixth", "Seventh", "Eighth", "Ninth", "Tenth"}

// buildRow returns row i of a table field with its typed values and the faults of its cells. Properties of the row that
// have no column are in Others, a hidden input.
func (f *ruleForm) buildRow(field schema.Field, i int) formRow {
	ordinal := "Row " + strconv.Itoa(i+1)
	if i < len(ordinals) {
		ordinal = ordinals[i] + " row"
	}
	row := formRow{Name: field.Path + "." + strconv.Itoa(i), OthersName: rowName(field, i, extraColumn)}
	row.Others = f.typed.Get(row.OthersName)
	for _, column := range field.Columns {
		cell := formCell{Name: rowName(field, i, column.Path), Label: ordinal + ", " + column.Label, Unit: column.Label}
		cell.Value, cell.IsText = f.typed.Get(cell.Name), column.Control == schema.ControlText
		if column.Control == schema.ControlBadge {
			cell.List = f.referenceOptions(column, cell.Value)
		}
		for _, fault := range f.Faults {
			if fault.Path == cell.Name {
				cell.Fault = fault.Text
				row.Fault = strings.TrimSpace(row.Fault + " " + web.Sentence(column.Label) + ": " + fault.Text)
			}
		}
		row.Cells = append(row.Cells, cell)
	}
	return row
}

// addRow adds an empty row to the table field with the path, and unfolds the less common fields of its section. Another
// path changes nothing.
func (f *ruleForm) addRow(path string) {
	for section := range f.Sections {
		for _, list := range [][]formField{f.Sections[section].Fields, f.Sections[section].More} {
			for i := range list {
				if list[i].Path == path {
					list[i].Rows = append(list[i].Rows, f.buildRow(list[i].Field, len(list[i].Rows)))
					f.Sections[section].MoreIsOpen = true
				}
			}
		}
	}
}

// foldedSummary says in one line which fields of a folded section are set, or what applies if none is.
func foldedSummary(section formSection) string {
	var set []string
	for _, field := range section.Fields {
		switch {
		case field.Control == schema.ControlCheckbox && field.IsTicked:
			set = append(set, field.Label)
		case field.Control == schema.ControlMoment && field.Value != "":
			set = append(set, field.Label+" "+strings.Replace(field.Value, "T", " ", 1)+" UTC")
		case field.Control != schema.ControlCheckbox && field.Value != "":
			set = append(set, field.Label)
		}
	}
	if section.OtherMetadata != nil && section.OtherMetadata.Value != "" {
		set = append(set, "Other metadata")
	}
	switch {
	case len(set) > 0:
		return strings.Join(set, ", ")
	case section.ID == schema.TimingSection:
		return "No limits"
	}
	return "Shown to members"
}

// describeReference writes a value of a field for people.
func (f *ruleForm) describeReference(field schema.Field, text string) string {
	return f.names.DescribeReference(field, text)
}
