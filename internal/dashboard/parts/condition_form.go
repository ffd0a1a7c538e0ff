package parts

import (
	"context"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/dashboard/form"
	"laurel.example/laurel/internal/dashboard/web"
	"laurel.example/laurel/internal/engagement/conditions"
	"laurel.example/laurel/internal/rules/catalog"
)

// ConditionKind is a type of condition that a form offers, with the parts of its line.
type ConditionKind struct {
	Type        conditions.Type
	Label, Help string
	Many        bool   // the condition can name several records, such as badges
	Number      string // the property of the condition's number, such as "requiredCount"; empty: it has no number
	NumberLabel string
	NumberHelp  string
	Optional    bool // the number
}

// TargetProperty returns the property that holds the ids of the records that a condition of this kind refers to; empty
// if it refers to none.
func (k ConditionKind) TargetProperty() string {
	switch k.Type {
	case conditions.TypeRule, conditions.TypeRules:
		return "loyaltyRuleIds"
	case conditions.TypeSection:
		return "loyaltyRuleGroupIds"
	case conditions.TypePoints, conditions.TypeLevel:
		return "loyaltyCurrencyIds"
	case conditions.TypeBadge, conditions.TypeBadges:
		return "loyaltyBadgeIds"
	default:
		return ""
	}
}

// TargetLabel returns the label of the records that a condition of this kind refers to, such as "Rule"; in the plural,
// such as "Badges", if it can name several.
func (k ConditionKind) TargetLabel() string {
	thing := map[string]string{
		"loyaltyRuleIds": "Rule", "loyaltyRuleGroupIds": "Group", "loyaltyCurrencyIds": "Currency", "loyaltyBadgeIds": "Badge",
	}[k.TargetProperty()]
	if k.Many {
		return thing + "s"
	}
	return thing
}

// ConditionKinds are the condition types that forms offer. Conditions that a server decides are created over the API;
// only badges that are granted by hand offer them.
var ConditionKinds = []ConditionKind{
	{
		Type: conditions.TypeRule, Label: "Completed one rule", Number: "repeatCount", NumberLabel: "Number of times",
		NumberHelp: "Leave empty if one completion is enough.", Optional: true,
	},
	{
		Type: conditions.TypeRules, Label: "Completed several rules", Many: true, Number: "requiredCount",
		NumberLabel: "How many", NumberHelp: "Leave empty to require all of them.", Optional: true,
	},
	{
		Type: conditions.TypeSection, Label: "Completed rules in a group", Number: "requiredCount",
		NumberLabel: "How many", NumberHelp: "Leave empty to require all of them.", Optional: true,
	},
	{Type: conditions.TypePoints, Label: "Has points", Number: "amount", NumberLabel: "Minimum balance"},
	{
		Type: conditions.TypeLevel, Label: "Has a leaderboard rank", Number: "amount", NumberLabel: "Lowest rank",
		NumberHelp: "The member must have this rank or a better one. Rank 1 is the highest balance.",
	},
	{Type: conditions.TypeBadge, Label: "Has a badge"},
	{
		Type: conditions.TypeBadges, Label: "Has several badges", Many: true, Number: "requiredCount",
		NumberLabel: "How many", NumberHelp: "Leave empty to require all of them.", Optional: true,
	},
	{Type: conditions.TypeCSV, Label: "Is on an uploaded list"},
	{
		Type: conditions.TypeAPI, Label: "Granted by a rule, by your server or manually",
		Help: "Members can’t earn the badge automatically while this condition is set.",
	},
}

// conditionLine is a condition in a form, as it is typed.
type conditionLine struct {
	ConditionKind
	At     int // its place
	list   string
	Chosen []string
	Amount string
	URL    string
	Note   string
}

// Path is where faults of a property of the line are noted.
func (l conditionLine) Path(property string) string {
	return l.list + "." + strconv.Itoa(l.At) + "." + property
}

// Has reports whether the line names a thing.
func (l conditionLine) Has(id string) bool { return slices.Contains(l.Chosen, id) }

// ConditionForm is the part of a form that builds conditions.
type ConditionForm struct {
	List  string // the property that holds them
	Lines []conditionLine
	Kinds []ConditionKind
	Most  int // that people still understand, or that the service takes
	Rules []catalog.Rule
	Names *Names
}

// Full reports whether there is no room for another condition.
func (f ConditionForm) Full() bool { return len(f.Lines) >= f.Most }

// Offer returns the records that the admin can choose for the condition of a line: rules, groups, badges or currencies.
func (f ConditionForm) Offer(line conditionLine) []web.Choice {
	var out []web.Choice
	add := func(id laurel.ID, name string) { out = append(out, web.Choice{Value: id.String(), Label: name}) }
	switch line.TargetProperty() {
	case "loyaltyRuleIds":
		for _, rule := range f.Rules {
			add(rule.ID, rule.Name)
		}
	case "loyaltyRuleGroupIds":
		for _, group := range f.Names.Groups {
			add(group.ID, group.Name)
		}
	case "loyaltyBadgeIds":
		for _, badge := range f.Names.Badges {
			add(badge.ID, badge.Name)
		}
	default:
		for _, currency := range f.Names.Currencies {
			add(currency.ID, currency.Name)
		}
	}
	return out
}

// ConditionForm returns an empty form of conditions with all rules and names that they can refer to. list is the
// property that holds the conditions, most the largest number of them, and kinds the types to choose from.
func (c *Call) ConditionForm(list string, most int, kinds []ConditionKind) (ConditionForm, error) {
	f := ConditionForm{List: list, Kinds: kinds, Most: most}
	rules := func(ctx context.Context, page laurel.PageRequest) (laurel.Page[catalog.Rule], error) {
		return c.Rules.List(ctx, c.Scope.At(c.Site.ID), catalog.Filter{}, page)
	}
	var err error
	if f.Rules, err = web.ListAll(c.Context(), rules, func(r catalog.Rule) laurel.ID { return r.ID }); err != nil {
		return f, err
	}
	f.Names, err = c.ReadNames()
	return f, err
}

// Add adds an empty condition of a type. A form that is full or does not offer the type stays as it is.
func (f *ConditionForm) Add(conditionType conditions.Type) {
	for _, kind := range f.Kinds {
		if kind.Type == conditionType && !f.Full() {
			f.Lines = append(f.Lines, conditionLine{ConditionKind: kind, At: len(f.Lines), list: f.List})
		}
	}
}

// ReadPosted reads the posted conditions into f. It leaves out the one that the admin removed, and adds an empty one if
// the admin asked for it. redraw reports whether the form was sent only for such a change, not to be saved.
func (f *ConditionForm) ReadPosted(posted url.Values) (redraw bool) {
	removed := posted.Get("remove")
	for i := range f.Most {
		line := conditionLine{At: i, list: f.List}
		kind := slices.IndexFunc(f.Kinds, func(k ConditionKind) bool {
			return string(k.Type) == posted.Get(line.Path("type"))
		})
		if kind < 0 || removed == strconv.Itoa(i) { // no condition was posted at this place, or it is the removed one
			continue
		}
		line.ConditionKind = f.Kinds[kind]
		line.Chosen, line.URL = posted[line.Path(line.TargetProperty())], posted.Get(line.Path("csvUrl"))
		line.Amount, line.Note = posted.Get(line.Path(line.Number)), posted.Get(line.Path("description"))
		line.At = len(f.Lines) // the lines after a removed one move up
		f.Lines = append(f.Lines, line)
	}
	adds := posted.Get("add") == "condition"
	if adds {
		f.Add(conditions.Type(posted.Get("kind")))
	}
	return adds || removed != ""
}

// ServiceInput returns the conditions as the service takes them. Malformed numbers are added to faults.
func (f ConditionForm) ServiceInput(faults *laurel.Faults) []conditions.Input {
	var out []conditions.Input
	for _, line := range f.Lines {
		note := line.Note
		condition := conditions.Input{Type: line.Type, Description: &note}
		ids := form.ParseIDs(strings.Join(line.Chosen, " "))
		switch line.Type {
		case conditions.TypeRule, conditions.TypeRules:
			condition.RuleIDs = ids
		case conditions.TypeSection:
			condition.GroupIDs = ids
		case conditions.TypePoints, conditions.TypeLevel:
			condition.CurrencyIDs = ids
		case conditions.TypeBadge, conditions.TypeBadges:
			condition.BadgeIDs = ids
		case conditions.TypeCSV:
			condition.CSVURL = &line.URL
		case conditions.TypeAPI:
			// refers to no records
		}
		line.setNumber(faults, &condition)
		out = append(out, condition)
	}
	return out
}

// setNumber parses the number of a line and stores it in the condition, in the property that l.Number names. Without
// such a property, or if the text is empty, it stores nothing. A malformed number, or a fraction in another property
// than amount, is added to faults.
func (l conditionLine) setNumber(faults *laurel.Faults, condition *conditions.Input) {
	text := strings.ReplaceAll(strings.TrimSpace(l.Amount), ",", "")
	if l.Number == "" || text == "" {
		return
	}
	amount, err := laurel.ParseAmount(text)
	whole := int64(amount / laurel.One)
	switch {
	case err != nil || l.Number != "amount" && amount%laurel.One != 0:
		faults.Add(l.Path(l.Number), "must be a number such as 3")
	case l.Number == "amount":
		condition.Amount = &amount
	case l.Number == "repeatCount":
		condition.RepeatCount = &whole
	default:
		condition.RequiredCount = &whole
	}
}

// FaultsAtFields changes the paths of faults to those of the form's fields. The form has one field for all records of a
// condition, so a fault of the second badge, at conditions.0.loyaltyBadgeIds.1, moves to conditions.0.loyaltyBadgeIds.
func (f ConditionForm) FaultsAtFields(faults map[string]string) map[string]string {
	out := map[string]string{}
	for path, fault := range faults {
		if parts := strings.Split(path, "."); parts[0] == f.List && len(parts) > 3 {
			path = strings.Join(parts[:3], ".")
		}
		out[path] = fault
	}
	return out
}

// AddList adds a condition that members are on the list with this address. It first removes conditions for which
// nothing was chosen. If the form is full even then, it adds nothing.
func (f *ConditionForm) AddList(address string) {
	f.Lines = slices.DeleteFunc(f.Lines, func(line conditionLine) bool {
		return line.Type == conditions.TypeRule && len(line.Chosen) == 0 && line.Note == ""
	})
	for i := range f.Lines {
		f.Lines[i].At = i
	}
	if !f.Full() {
		f.Add(conditions.TypeCSV)
		f.Lines[len(f.Lines)-1].URL = address
	}
}
