package dashboard

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"

	"laurel"
	"laurel/internal/admins"
	"laurel/internal/jsontext"
	"laurel/internal/rules/catalog"
	"laurel/internal/rules/ruletypes"
	"laurel/internal/rules/schema"
)

// ruleForm is the form of a rule: its fields, the typed values and the faults.
type ruleForm struct {
	Rule           catalog.Rule // without id: a new one
	Kind           schema.Kind
	Needs          string // what the rule type needs in addition
	State          catalog.State
	Version        int64 // that the form was made from
	BaseSavedAt    int64 // when that version was saved, in microseconds
	Sections       []formSection
	Summary        string // the rule in one sentence
	Comment        string
	Faults         []formFault
	Error          string
	Conflicts      []ruleConflict // with values that someone else has saved meanwhile
	CurrentVersion int64          // version that someone else saved
	Try            tryForm
	Replay         *replayCard // nil: not requested

	fields []schema.Field
	stored map[string]json.RawMessage
	// how many properties an input changes
	changes int
	typed   values
	names   *websiteNames
}

// New reports whether the rule is not made yet.
func (f *ruleForm) New() bool { return f.Rule.ID.IsZero() }

// formFault is a fault of a property, with its label.
type formFault struct{ Path, Label, Text string }

// formSection is a part of the form.
type formSection struct {
	ID     schema.Section
	Title  string
	Line   string // summary of a folded section
	Folded bool
	Open   bool
	Fields []formField
	More   []formField
	Shown  bool // some of More is set, or wrong
	Rest   *formField
}

// formField is a field of the form with its typed value.
type formField struct {
	schema.Field
	Value string
	On    bool
	Set   bool
	List  []formOption
	Rows  []formRow
	Fault string
	Was   string // where the value is not the saved one
}

type formOption struct {
	schema.Option
	On bool
}

// formRow is a row of a property that is a list.
type formRow struct {
	Name, Others, OthersName string
	Cells                    []formCell
	Fault                    string
}

type formCell struct {
	Name, Label, Unit, Value, Fault string
	List                            []formOption // of one that is chosen
}

var sectionTitles = []struct {
	ID     schema.Section
	Title  string
	Folded bool
}{
	{schema.BasicsSection, "Basics", false}, {schema.ActionSection, "What members do", false}, {schema.RewardSection, "Reward", false},
	{schema.FrequencySection, "How often", false}, {schema.EligibilitySection, "Who can earn it", false},
	{schema.TimingSection, "Start, end and requirements", true}, {schema.VisibilitySection, "Visibility and more", true},
}

// typeNeeds says what a rule type needs in addition before members can complete it; empty if nothing.
func typeNeeds(t schema.Type) string {
	k := ruletypes.KindOf(t)
	switch {
	case k.Decision == nil:
		return "Not available yet: members can’t complete rules of this type."
	case k.Provider == schema.PartnerProvider:
		return "Your server’s operator must set up a partner first."
	case k.Provider == schema.FunctionProvider:
		return "You must create a function first."
	case k.Platform != "":
		return "Your developers must set up account linking on your server first."
	}
	return ""
}

// buildRuleForm returns the form of a rule as it is saved. Confidential fields are left out for roles that may not
// change rules.
func (c *request) buildRuleForm(r catalog.Rule) (*ruleForm, error) {
	names, err := c.readNames()
	if err != nil {
		return nil, err
	}
	metadata, err := c.d.Rules.RevealMetadata(r)
	if err != nil {
		return nil, err
	}
	f := &ruleForm{
		Rule: r, Kind: r.Type.Kind(), Needs: typeNeeds(r.Type), State: r.State(c.d.Now()), Version: r.Version,
		BaseSavedAt: r.UpdatedAt.UnixMicro(),
		fields:      schema.FieldsOf(r.Type), stored: storedProperties(r.Properties, metadata), names: names,
	}
	if !c.may(admins.ChangeProgram) {
		f.hideConfidential()
	}
	f.typed = f.savedTexts()
	f.buildSections()
	return f, nil
}

// hideConfidential removes confidential fields and metadata from the form.
func (f *ruleForm) hideConfidential() {
	f.fields = slices.DeleteFunc(slices.Clone(f.fields), func(field schema.Field) bool {
		return schema.IsConfidential(field.Path)
	})
	maps.DeleteFunc(f.stored, func(path string, _ json.RawMessage) bool { return schema.IsConfidential(path) })
	metadata := decodeObject(f.stored["metadata"])
	for _, name := range schema.ConfidentialMetadata {
		delete(metadata, name)
	}
	f.stored["metadata"] = mustEncode(metadata)
}

// savedTexts returns the saved values of the rule as the form's inputs hold them.
func (f *ruleForm) savedTexts() values {
	out := values{}
	for _, field := range f.fields {
		setTexts(out, field, f.stored[field.Path])
	}
	if rest := metadataWithoutFields(f.fields, f.stored["metadata"]); rest != "" {
		out.Set("metadata", rest)
	}
	return out
}

// readRuleForm reads the posted form, and adds or removes a row if a button says so. redraw reports whether the form
// was sent only for that.
func (c *request) readRuleForm(f *ruleForm) (redraw bool) {
	f.typed, f.Comment = values{}, c.PostFormValue("editComment")
	for _, field := range f.fields {
		for name, texts := range textsOf(c.PostForm, field) {
			f.typed[name] = texts
		}
	}
	if rest := c.PostFormValue("metadata"); strings.TrimSpace(rest) != "" {
		f.typed.Set("metadata", strings.ReplaceAll(rest, "\r\n", "\n"))
	}
	if text := c.PostFormValue("version"); text != "" {
		f.Version, _ = strconv.ParseInt(text, 10, 64) // an invalid version is refused as outdated
	}
	if text := c.PostFormValue(baseVersionField); text != "" {
		f.BaseSavedAt, _ = strconv.ParseInt(text, 10, 64) // without a valid time, the base values are unknown
	}
	add, drop := c.PostFormValue("add"), c.PostFormValue("drop")
	for _, field := range f.fields {
		if field.Control != schema.Rows {
			continue
		}
		row := -1
		if number, ok := strings.CutPrefix(drop, field.Path+"."); ok {
			if n, err := strconv.Atoi(number); err == nil {
				row = n
			}
		}
		dropEmptyRows(f.typed, field, row)
	}
	f.buildSections()
	if add != "" {
		f.addRow(add)
	}
	return add != "" || drop != ""
}

// serviceInput returns the changes of the rule for the service: only fields whose typed value differs from the saved
// one. It counts them in changes. The metadata is sent as a whole if any of it changes.
func (f *ruleForm) serviceInput() (schema.Input, error) {
	var faults laurel.Faults
	saved, top := f.savedTexts(), map[string]json.RawMessage{}
	metadata, changed := decodeObject(f.stored["metadata"]), false
	if f.typed.Get("metadata") != saved.Get("metadata") {
		changed = true
		f.replaceRest(metadata, &faults)
	}
	for _, field := range f.fields {
		typed := textsOf(f.typed, field)
		if typed.Encode() == textsOf(saved, field).Encode() {
			continue
		}
		value := parseValue(field, typed, f.stored[field.Path], &faults)
		name, within := field.MetadataName()
		switch {
		case !within && value == nil:
			top[field.Path] = json.RawMessage("null")
		case !within:
			top[field.Path] = value
		case value == nil:
			delete(metadata, name)
			changed = true
		default:
			metadata[name], changed = value, true
		}
	}
	f.checkRewardsKeyHost(&faults)
	if changed {
		top["metadata"] = mustEncode(metadata)
	}
	f.changes = len(top)
	if f.Comment != "" {
		top["editComment"] = mustEncode(f.Comment)
	}
	var in schema.Input
	if err := faults.Err(); err != nil {
		return in, err
	}
	err := json.Unmarshal(mustEncode(top), &in)
	return in, err
}

// replaceRest replaces the metadata that has no field by the typed JSON.
func (f *ruleForm) replaceRest(metadata map[string]json.RawMessage, faults *laurel.Faults) {
	typed := map[string]json.RawMessage{}
	if text := f.typed.Get("metadata"); text != "" {
		if err := json.Unmarshal(jsontext.ReplaceUnstorable([]byte(text)), &typed); err != nil || typed == nil ||
			jsontext.IsTooDeep([]byte(text)) {
			faults.Add("metadata", "must be a JSON object")
			return
		}
	}
	for name := range decodeObject(json.RawMessage(metadataWithoutFields(f.fields, f.stored["metadata"]))) {
		delete(metadata, name)
	}
	for name, value := range typed {
		metadata[name] = value
	}
}

// noteRefusal adds the faults of a refusal to the form, in the order of its fields. Other errors are returned.
func (f *ruleForm) noteRefusal(err error) error {
	refused := asRefusal(err)
	if refused == nil {
		return err
	}
	f.Error = sentence(refused.Message)
	for path, text := range faultTexts(refused) {
		f.Faults = append(f.Faults, formFault{Path: path, Label: f.faultLabel(path), Text: text})
	}
	slices.SortFunc(f.Faults, func(a, b formFault) int { return f.fieldIndex(a.Path) - f.fieldIndex(b.Path) })
	f.buildSections()
	return nil
}

// fieldIndex returns the place of a property in the form; the number of fields if it has none.
func (f *ruleForm) fieldIndex(path string) int {
	i := slices.IndexFunc(f.fields, func(field schema.Field) bool { return isWithinProperty(path, field.Path) })
	if i < 0 {
		return len(f.fields)
	}
	return i
}

// isWithinProperty reports whether the path of a fault is a property or a part of it.
func isWithinProperty(path, property string) bool {
	return path == property || strings.HasPrefix(path, property+".")
}

// faultLabel returns the label of the field that a fault's path names, with row and column in a table.
func (f *ruleForm) faultLabel(path string) string {
	for _, field := range f.fields {
		if rest, part := strings.CutPrefix(path, field.Path+"."); part {
			row, column, _ := strings.Cut(rest, ".")
			n, _ := strconv.Atoi(row)
			if len(field.Columns) == 0 {
				return field.Label
			}
			return field.Label + ", row " + strconv.Itoa(n+1) + ", " + columnLabel(field, column)
		}
		if path == field.Path {
			return field.Label
		}
	}
	return path
}

// columnLabel returns the label of a column of a table field.
func columnLabel(f schema.Field, column string) string {
	for _, c := range f.Columns {
		if c.Path == column {
			return c.Label
		}
	}
	return column
}
