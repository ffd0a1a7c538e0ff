package schema

import (
	"slices"
	"strings"
)

// Control is how a form asks for a property.
type Control string

// The controls.
const (
	Text     Control = "text"
	LongText Control = "longtext"
	Address  Control = "address" // of the web
	Secret   Control = "secret"  // never shown; empty keeps what is there
	Decimal  Control = "amount"
	Integer  Control = "integer"
	Select   Control = "select"   // one of the options
	Choices  Control = "choices"  // like Select, with every option in sight
	Checkbox Control = "checkbox" // a boolean
	Ticks    Control = "ticks"    // a map of booleans: an option each
	Moment   Control = "moment"   // a date with a time
	Currency Control = "currency" // the id of one
	Group    Control = "group"    // the id of a rule group
	Badge    Control = "badge"    // the id of a badge
	Identity Control = "id"       // the id of something else
	Ids      Control = "ids"      // several ids, or "any" where Any says so
	Rows     Control = "rows"     // objects, with a column for each of their properties
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
	TimingSection      Section = "bounded" // start, end and requirements
	VisibilitySection  Section = "visibility"
)

// Option is a value that a property may have.
type Option struct{ Value, Label, Help string }

// Field describes a property of a rule for people: what a form asks, and what a history says.
type Field struct {
	Path      string // in the input: "amount", "metadata.link"
	Control   Control
	Label     string
	Help      string // the consequence, not the name again
	Unit      string
	Section   Section
	More      bool // folded: most rules need it not
	IsFinal   bool // cannot be changed after the rule is made
	Needed    bool // a rule has always one: it cannot be cleared
	AllowsAny bool // of Ids: "any" is allowed
	Options   []Option
	Columns   []Field // of Rows: their paths are within the row
	Types     []Type  // the only types that have it; none: all
}

// MetadataName returns the name of a property of the metadata; false for other fields.
func (f Field) MetadataName() (name string, ok bool) { return strings.CutPrefix(f.Path, "metadata.") }

// AppliesTo reports whether rules of the type have the property.
func (f Field) AppliesTo(t Type) bool {
	return len(f.Types) == 0 || slices.Contains(f.Types, t)
}

// FieldsOf returns what a form of a rule of the type asks, in its order.
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

// FieldAt describes a property whatever the type; false: only JSON has it.
func FieldAt(path string) (Field, bool) {
	all := fields()
	i := slices.IndexFunc(all, func(f Field) bool { return f.Path == path })
	if i < 0 {
		return Field{}, false
	}
	return all[i], true
}

// OptionLabel returns the label of a value that is one of the options, or else the value.
func (f Field) OptionLabel(value string) string {
	for _, o := range f.Options {
		if o.Value == value {
			return o.Label
		}
	}
	return value
}

// fields lists every described property in the order of the form. Types are declared after this package's variables,
// so it is made anew.
func fields() []Field {
	return slices.Concat(
		basicFields, actionFields, rewardFields, frequencyFields(), eligibilityFields, timingFields, visibilityFields,
	)
}

// typesWhere returns the types for which a property of their kind holds.
func typesWhere(matches func(Kind) bool) []Type {
	out := []Type{"none"} // so that none is not all
	for t, k := range kinds {
		if matches(k) {
			out = append(out, t)
		}
	}
	return out
}

// JSONOnly are the properties that are checked and that no form asks for, with the reason. Forms keep what is stored.
var JSONOnly = map[string]string{
	"type":             "chosen before the form",
	"metadata":         "its properties are described one by one",
	"editComment":      "of the edit, not of the rule",
	"deletedAt":        "rules are deleted on a page of its own",
	"duplicatedFromId": "written by whoever duplicates",
	"isDappRule":       "follows from the type",

	"collections":            "of types that nothing completes, and of partners that read JSON",
	"contractIds":            "of types that nothing completes",
	"oauthCredentialsId":     "of types that nothing completes",
	"dappDataWindow":         "of types that nothing completes",
	"dappDeployedWithin":     "of types that nothing completes",
	"effectiveStartTime":     "of types that nothing completes",
	"effectiveEndTime":       "of types that nothing completes",
	"tokenReward":            "says which token the operator's driver pays",
	"metadata.reactionStats": "written by the service",
}
