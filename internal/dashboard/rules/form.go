package rules

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/admins"
	"laurel.example/laurel/internal/dashboard/form"
	"laurel.example/laurel/internal/dashboard/parts"
	"laurel.example/laurel/internal/dashboard/web"
	"laurel.example/laurel/internal/jsontext"
	"laurel.example/laurel/internal/rules/catalog"
	"laurel.example/laurel/internal/rules/ruletypes"
	"laurel.example/laurel/internal/rules/schema"
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
	names   *parts.Names
}

// New reports whether the rule is not made yet.
func (f *ruleForm) New() bool { return f.Rule.ID.IsZero() }

// formFault is a fault of a property, with its label.
type formFault struct{ Path, Label, Text string }

// formSection is a part of the form.
type formSection struct {
	ID            schema.Section
	Title         string
	Summary       string // summary of a folded section
	Folded        bool
	Open          bool
	Fields        []formField
	More          []formField
	MoreIsOpen    bool // some of More is set, or wrong
	OtherMetadata *formField
}

// formField is a field of the form with its typed value.
type formField struct {
	schema.Field
	Value          string
	IsTicked       bool
	OptionalFilled bool
	List           []formOption
	Rows           []formRow
	Fault          string
	SavedNote      string // where the value is not the saved one
}

type formOption struct {
	schema.Option
	IsSelected bool
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
	IsText                          bool         // no number
}

var sectionTitles = []struct {
	ID     schema.Section
	Title  string
	Folded bool
}{
	{schema.BasicsSection, "Basics", false}, {schema.ActionSection, "What members do", false}, {schema.RewardSection, "Reward", false},
	{schema.FrequencySection, "How often", false}, {schema.EligibilitySection, "Who can earn the reward", false},
	{schema.TimingSection, "Start, end and requirements", true}, {schema.VisibilitySection, "Visibility and more", true},
}

// typeNeeds says in a sentence what this server or website lacks before members can complete rules of a type, such as a
// partner of the operator or a function; empty if nothing.
func (c *call) typeNeeds(ruleType schema.Type) string {
	kind := ruletypes.KindOf(ruleType)
	switch {
	case kind.Decision == nil:
		return "This version of Laurel doesn’t know the type, so members can’t complete the rule."
	case kind.Provider == schema.FunctionProvider:
		return "Create a function first."
	case !c.Serves(c.Scope, ruleType):
		return providerNeeds(kind.Kind)
	case kind.Platform != "" && kind.Provider == schema.NoProvider:
		return "Your developers must set up account linking on your server first."
	}
	return ""
}

// providerNeeds says what the operator must configure for a type that this server cannot verify.
func providerNeeds(kind schema.Kind) string {
	needed := "a node of the network in the file of LAUREL_NETWORKS"
	switch kind.Provider {
	case schema.PartnerProvider:
		needed = "a partner for " + string(kind.Type) + " in the file of LAUREL_PARTNERS"
		if chain := chainNeeds[kind.Type]; chain != "" {
			needed = chain + " in the file of LAUREL_NETWORKS, or " + needed
		}
	case schema.PlatformProvider:
		return "Your server’s operator must connect this platform in the file of LAUREL_IDENTITY first."
	case schema.PoolProvider:
		needed = "a node of the network and a dollar token in the file of LAUREL_NETWORKS"
	}
	return "Your server’s operator must name " + needed + " first."
}

// chainNeeds are what the operator names for types that a blockchain verifies in place of a partner.
var chainNeeds = map[schema.Type]string{
	schema.TypeGovernanceVote: "a governor", schema.TypeSwap: "pools", schema.TypeListing: "a market",
}

// buildRuleForm returns the form of a rule with its saved values; of a new rule if it has no id. Confidential fields
// are left out for roles that may not change rules.
func (c *call) buildRuleForm(rule catalog.Rule) (*ruleForm, error) {
	names, err := c.ReadNames()
	if err != nil {
		return nil, err
	}
	metadata, err := c.Rules.RevealMetadata(rule)
	if err != nil {
		return nil, err
	}
	f := &ruleForm{
		Rule: rule, Kind: rule.Type.Kind(), Needs: c.typeNeeds(rule.Type), State: rule.State(c.Now()),
		Version: rule.Version, BaseSavedAt: rule.UpdatedAt.UnixMicro(), fields: schema.FieldsOf(rule.Type),
		stored: storedProperties(rule.Properties, metadata), names: names,
	}
	if !c.May(admins.ChangeProgram) {
		f.hideConfidential()
	}
	f.typed = f.savedTexts()
	f.buildSections()
	return f, nil
}

// hideConfidential removes confidential fields and confidential metadata from the form.
func (f *ruleForm) hideConfidential() {
	f.fields = slices.DeleteFunc(slices.Clone(f.fields), func(field schema.Field) bool {
		return schema.IsConfidential(field.Path)
	})
	maps.DeleteFunc(f.stored, func(path string, _ json.RawMessage) bool { return schema.IsConfidential(path) })
	metadata := decodeObject(f.stored["metadata"])
	for _, name := range schema.ConfidentialMetadata {
		delete(metadata, name)
	}
	f.stored["metadata"] = web.MustEncode(metadata)
}

// savedTexts returns the saved values of the rule as the form's inputs hold them. Metadata that has no field of its own
// is one text, at "metadata".
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

// readPostedRule reads the posted form into f, and adds or removes a row of a table if a button says so. redraw reports
// whether the form was sent only for that.
func (c *call) readPostedRule(f *ruleForm) (redraw bool) {
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
	if text := c.PostFormValue(form.BaseVersionField); text != "" {
		f.BaseSavedAt, _ = strconv.ParseInt(text, 10, 64) // without a valid time, the base values are unknown
	}
	add, drop := c.PostFormValue("add"), c.PostFormValue("drop")
	for _, field := range f.fields {
		if field.Control != schema.ControlRows {
			continue
		}
		removed := -1
		if number, ok := strings.CutPrefix(drop, field.Path+"."); ok {
			if n, err := strconv.Atoi(number); err == nil {
				removed = n
			}
		}
		dropEmptyRows(f.typed, field, removed)
	}
	f.buildSections()
	if add != "" {
		f.addRow(add)
	}
	return add != "" || drop != ""
}

// serviceInput returns the rule as the service is to save it: only fields whose typed value differs from the saved one.
// It stores their number in f.changes. The metadata is sent as a whole if any of it changes. Malformed values are
// returned as an error.
func (f *ruleForm) serviceInput() (schema.Input, error) {
	var faults laurel.Faults
	saved, properties := f.savedTexts(), map[string]json.RawMessage{}
	metadata, metadataChanged := decodeObject(f.stored["metadata"]), false
	if f.typed.Get("metadata") != saved.Get("metadata") {
		metadataChanged = true
		f.replaceRest(metadata, &faults)
	}
	for _, field := range f.fields {
		typed := textsOf(f.typed, field)
		if typed.Encode() == textsOf(saved, field).Encode() {
			continue
		}
		value := parseValue(field, typed, f.stored[field.Path], &faults)
		steps := field.Steps()
		switch {
		case len(steps) == 0 && value == nil:
			properties[field.Path] = json.RawMessage("null")
		case len(steps) == 0:
			properties[field.Path] = value
		default:
			setProperty(metadata, steps, value)
			metadataChanged = true
		}
	}
	f.checkRewardsKeyHost(&faults)
	if metadataChanged {
		properties["metadata"] = web.MustEncode(metadata)
	}
	f.changes = len(properties)
	if f.Comment != "" {
		properties["editComment"] = web.MustEncode(f.Comment)
	}
	var in schema.Input
	if err := faults.Err(); err != nil {
		return in, err
	}
	err := json.Unmarshal(web.MustEncode(properties), &in)
	return in, err
}

// replaceRest replaces the metadata for which the form has no field by the JSON that was typed. JSON that is malformed,
// no object, or nested too deeply is added to faults.
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

// noteRefusal adds the faults of a refusal to the form, in the order of its fields, and returns nil. Any other error is
// returned.
func (f *ruleForm) noteRefusal(err error) error {
	refused := web.AsRefusal(err)
	if refused == nil {
		return err
	}
	f.Error = web.Sentence(refused.Message)
	for path, text := range web.FaultTexts(refused) {
		f.Faults = append(f.Faults, formFault{Path: path, Label: f.faultLabel(path), Text: text})
	}
	slices.SortFunc(f.Faults, func(a, b formFault) int { return f.fieldIndex(a.Path) - f.fieldIndex(b.Path) })
	f.buildSections()
	return nil
}

// fieldIndex returns the place in the form of the field that a path belongs to; the number of fields if it belongs to
// none.
func (f *ruleForm) fieldIndex(path string) int {
	index := slices.IndexFunc(f.fields, func(field schema.Field) bool { return isWithinProperty(path, field.Path) })
	if index < 0 {
		return len(f.fields)
	}
	return index
}

// isWithinProperty reports whether the path of a fault is a property or a part of it.
func isWithinProperty(path, property string) bool {
	return path == property || strings.HasPrefix(path, property+".")
}

// faultLabel returns the label of the field that a fault's path names, with row and column if the field is a table. A
// path without a field is returned as it is.
func (f *ruleForm) faultLabel(path string) string {
	for _, field := range f.fields {
		if rest, isWithin := strings.CutPrefix(path, field.Path+"."); isWithin {
			row, column, _ := strings.Cut(rest, ".")
			index, _ := strconv.Atoi(row)
			if len(field.Columns) == 0 {
				return field.Label
			}
			return field.Label + ", row " + strconv.Itoa(index+1) + ", " + columnLabel(field, column)
		}
		if path == field.Path {
			return field.Label
		}
	}
	return path
}

// columnLabel returns the label of a column of a table field, or the column's path if there is none.
func columnLabel(field schema.Field, column string) string {
	for _, candidate := range field.Columns {
		if candidate.Path == column {
			return candidate.Label
		}
	}
	return column
}
