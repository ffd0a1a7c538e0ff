package schema

import (
	"slices"
	"strings"
)

// Control is the kind of form control that edits a property.
type Control string

// The controls.
const (
	ControlText     Control = "text"
	ControlLongText Control = "longtext"
	ControlAddress  Control = "address" // an address of the web
	ControlSecret   Control = "secret"  // never shown; an empty input keeps the stored value
	ControlDecimal  Control = "amount"
	ControlInteger  Control = "integer"
	ControlSelect   Control = "select"   // one of the options
	ControlChoices  Control = "choices"  // one of the options, all of which are visible
	ControlCheckbox Control = "checkbox" // a boolean
	ControlTicks    Control = "ticks"    // a map of booleans, one per option
	ControlMoment   Control = "moment"   // a date with a time
	ControlCurrency Control = "currency" // the id of a currency
	ControlGroup    Control = "group"    // the id of a rule group
	ControlBadge    Control = "badge"    // the id of a badge
	ControlIdentity Control = "id"       // the id of another record
	ControlIds      Control = "ids"      // several ids, or "any" if AllowsAny is set
	ControlTexts    Control = "texts"    // a text, or a list of texts
	ControlRows     Control = "rows"     // a list of objects, with a column for each property
)

// Section is a part of the rule form.
type Section string

// The sections, in the order of the form.
const (
	BasicsSection      Section = "basics"
	ActionSection      Section = "doing" // what members do
	RewardSection      Section = "reward"
	FrequencySection   Section = "often"
	EligibilitySection Section = "who"
	TimingSection      Section = "bounded" // start and end
	VisibilitySection  Section = "visibility"
)

// Option is a value that a property may have, with its label and help on forms.
type Option struct{ Value, Label, Help string }

// Field describes a property of a rule for people: its form control, and its name in the history of edits.
type Field struct {
	Path      string // the path in an input, such as "amount" or "metadata.link"
	Control   Control
	Label     string
	Help      string // says what follows from the value
	Unit      string
	Section   Section
	More      bool // the form folds it away, as most rules do not need it
	IsFinal   bool // the property cannot be changed after the rule was created
	Needed    bool // a rule always has a value: it cannot be cleared
	AllowsAny bool // for Ids: "any" is allowed
	Options   []Option
	Columns   []Field // for Rows: the columns, with paths relative to the row
	Types     []Type  // the rule types that have the property; empty: all
}

// MetadataName returns the name of the property in the metadata; ok is false for properties outside the metadata.
func (f Field) MetadataName() (name string, ok bool) { return strings.CutPrefix(f.Path, "metadata.") }

// Steps returns the names that lead from the metadata to a property, such as smartContract and event. It returns none
// for properties outside the metadata.
func (f Field) Steps() []string {
	name, isMetadata := f.MetadataName()
	if !isMetadata {
		return nil
	}
	return strings.Split(name, ".")
}

// AppliesTo reports whether rules of the type have the property.
func (f Field) AppliesTo(t Type) bool {
	return len(f.Types) == 0 || slices.Contains(f.Types, t)
}

// FieldsOf returns the fields of a form for rules of the type, in their order, with the options that the type allows.
func FieldsOf(t Type) []Field {
	var out []Field
	for _, f := range fields() {
		if !f.AppliesTo(t) {
			continue
		}
		if f.Path == "interval" && !t.countsMessages() {
			f.Options = slices.DeleteFunc(slices.Clone(f.Options), func(o Option) bool { return o.Value == everyMessage })
		}
		out = append(out, f)
	}
	return out
}

// FieldAt returns the field at a path, for any rule type. It returns false for properties that no form has.
func FieldAt(path string) (Field, bool) {
	all := fields()
	i := slices.IndexFunc(all, func(f Field) bool { return f.Path == path })
	if i < 0 {
		return Field{}, false
	}
	return all[i], true
}

// OptionLabel returns the label of an option's value, and other values unchanged.
func (f Field) OptionLabel(value string) string {
	for _, o := range f.Options {
		if o.Value == value {
			return o.Label
		}
	}
	return value
}

// fields returns the fields of all properties in the order of the form. It builds the list at each call: the rule types
// are declared after the variables of this package are initialized.
func fields() []Field {
	return slices.Concat(
		basicFields, actionFields, heldFields, historyFields, dappFields, platformFields, contractFields,
		liquidityFields, swapFields,
		rewardFields, frequencyFields(), eligibilityFields, timingFields, visibilityFields,
	)
}

// typesWhere returns the types whose Kind matches, in no order.
func typesWhere(matches func(Kind) bool) []Type {
	out := []Type{"none"} // if no type matches, the list must not be empty, which would mean all types
	for t, k := range kinds {
		if matches(k) {
			out = append(out, t)
		}
	}
	return out
}

// JSONOnly lists the properties that are checked but that no form has, with the reason. Forms keep the stored values.
var JSONOnly = map[string]string{
	"type":             "chosen before the form",
	"metadata":         "its properties are described one by one",
	"editComment":      "of the edit, not of the rule",
	"deletedAt":        "rules are deleted on a page of its own",
	"duplicatedFromId": "written by the caller that duplicates the rule",
	"isDappRule":       "follows from the type",

	"oauthCredentialsId":     "names a setting of the operator",
	"tokenReward":            "says which token the operator's driver pays",
	"metadata.reactionStats": "written by the service",
}
