package rules

import (
	"slices"
	"strconv"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/dashboard/web"
	"laurel.example/laurel/internal/rules/catalog"
	"laurel.example/laurel/internal/rules/ruletypes"
	"laurel.example/laurel/internal/rules/schema"
)

// typeFamily is a family of types to choose from.
type typeFamily struct {
	Name, Text string
	Kinds      []typeChoice
	Unserved   []typeChoice // types that this server cannot verify as it is configured
}

type typeChoice struct {
	schema.Kind
	Needs string
}

var familyTexts = map[schema.Family][2]string{
	schema.FamilyEngagement: {"On your website", "What members do on your website."},
	schema.FamilyProfile:    {"Profile", "What members add to their profile or connect to it."},
	schema.FamilySocial:     {"Social", "What members do on social platforms."},
	schema.FamilyCommunity:  {"Community", "What members do in chats, forums and games, and on code hosts."},
	schema.FamilyCommerce:   {"Commerce", "What members do with your partners. For orders of your own shop choose External rule."},
	schema.FamilyOnchain:    {"On chain", "What members hold in their wallets or do on a blockchain."},
	schema.FamilyDapps:      {"Applications", "Members build apps, and you rank the apps by how much they are used."},
	schema.FamilyServer:     {"Your server", "Rules in which your server, a list or a function decides who is rewarded."},
}

// ruleFamilies returns the rule types by family. What works on this server comes first: families without a type that
// does are last.
func (c *call) ruleFamilies() []typeFamily {
	var working, waiting []typeFamily
	for _, name := range schema.Families {
		family := typeFamily{Name: familyTexts[name][0], Text: familyTexts[name][1]}
		for _, ruleType := range schema.Types() {
			kind := ruleType.Kind()
			choice := typeChoice{kind, c.typeNeeds(ruleType)}
			switch {
			case kind.Family != name:
				// of another family
			case c.Serves(c.Scope, ruleType):
				family.Kinds = append(family.Kinds, choice)
			default:
				family.Unserved = append(family.Unserved, choice)
			}
		}
		if len(family.Kinds) > 0 {
			working = append(working, family)
		} else {
			waiting = append(waiting, family)
		}
	}
	return append(working, waiting...)
}

// isCompletable reports whether this version knows the type, so that members can complete rules of it.
func isCompletable(t schema.Type) bool { return ruletypes.KindOf(t).Decision != nil }

// newRulePage shows the form of a new rule of the type in the query. Without a type it shows the types to choose from.
func newRulePage(c *call) (web.View, error) {
	ruleType := schema.Type(c.URL.Query().Get("type"))
	if ruleType == "" {
		return web.Show("rule-new", "New rule", c.ruleFamilies())
	}
	f, err := c.newRuleForm(ruleType)
	if err != nil {
		return web.View{}, err
	}
	return web.Show("rule", "New rule", f)
}

// newRuleForm returns the form of a new rule of a type, with its defaults, and with the first currency if there are
// several. An unknown type is not found.
func (c *call) newRuleForm(ruleType schema.Type) (*ruleForm, error) {
	if !ruleType.IsKnown() {
		return nil, laurel.Missing("Rule type")
	}
	var ignored laurel.Faults // a new rule has no name yet, for example
	properties := schema.Input{Type: laurel.Some(string(ruleType))}.Create(&ignored)
	f, err := c.buildRuleForm(catalog.Rule{Properties: properties})
	if err != nil || len(f.names.Currencies) < 2 {
		return f, err
	}
	f.typed.Set("loyaltyCurrencyId", f.names.Currencies[0].ID.String())
	f.buildSections()
	return f, nil
}

// addMissingCurrency adds the fault of a missing currency to err, if err is a refusal of a new rule that pays points
// without one, and the website has several. The service checks the currency only after all other faults, so a form
// would otherwise be refused twice.
func (f *ruleForm) addMissingCurrency(err error) error {
	refused := web.AsRefusal(err)
	if refused == nil || len(refused.Faults) == 0 || f.typed.Get("rewardType") != schema.RewardPoints ||
		f.typed.Get("loyaltyCurrencyId") != "" || len(f.names.Currencies) == 1 ||
		slices.ContainsFunc(refused.Faults, func(fault laurel.Fault) bool { return fault.Path == "loyaltyCurrencyId" }) {
		return err
	}
	faults := laurel.Faults(slices.Clone(refused.Faults))
	faults.Add("loyaltyCurrencyId", "is required")
	return faults.Err()
}

// createRule creates a rule from the posted form. A form that was sent only to add or remove a row, or
// that is refused, is shown again.
func createRule(c *call) (web.View, error) {
	f, err := c.newRuleForm(schema.Type(c.PostFormValue("type")))
	if err != nil {
		return web.View{}, err
	}
	if c.readPostedRule(f) {
		return web.Show("rule", "New rule", f)
	}
	in, err := f.serviceInput()
	var made catalog.Rule
	if err == nil {
		in.Type = laurel.Some(string(f.Rule.Type))
		if !in.Name.Set { // an empty one: the service then refuses it at its field
			in.Name = laurel.Some("")
		}
		made, err = c.Rules.Create(c.Context(), c.Scope, in)
	}
	if err == nil {
		return c.Redirect(c.SitePath("rules", made.ID), "Rule created. You can test it next to the form.")
	}
	return f.showRefused(f.addMissingCurrency(err), "New rule")
}

// showRefused shows the form again with the faults of a refusal. Any other error is returned.
func (f *ruleForm) showRefused(err error, title string) (web.View, error) {
	if err := f.noteRefusal(err); err != nil {
		return web.View{}, err
	}
	return web.Refused("rule", title, f), nil
}

// getRule returns the rule whose id is in the path, which may be deleted. A malformed or unknown id is not found.
func (c *call) getRule() (catalog.Rule, error) {
	id, err := c.PathID("rule", "Loyalty rule")
	if err != nil {
		return catalog.Rule{}, err
	}
	return c.Rules.Rule(c.Context(), c.Scope, id)
}

// ruleFormOfPath returns the form of the rule whose id is in the path, with the form of its dry run.
func ruleFormOfPath(c *call) (*ruleForm, error) {
	rule, err := c.getRule()
	if err != nil {
		return nil, err
	}
	f, err := c.buildRuleForm(rule)
	if err != nil {
		return nil, err
	}
	f.Try = c.readTryForm()
	return f, c.readTryFields(f)
}

// rulePage shows the form of a rule.
func rulePage(c *call) (web.View, error) {
	f, err := ruleFormOfPath(c)
	if err != nil {
		return web.View{}, err
	}
	return web.Show("rule", f.Rule.Name+", rule", f)
}

// saveRule saves the changes of a rule. If someone else has saved a newer version since the form was opened, nothing is
// written and the conflicts are shown. The admin can then choose to overwrite that version: the form posts its number
// as "over".
func saveRule(c *call) (web.View, error) {
	f, err := ruleFormOfPath(c)
	if err != nil {
		return web.View{}, err
	}
	title := f.Rule.Name + ", rule"
	if c.readPostedRule(f) {
		return web.Show("rule", title, f)
	}
	if overwritten, err := strconv.ParseInt(c.PostFormValue("over"), 10, 64); err == nil {
		f.Version = overwritten
	}
	if f.Version != f.Rule.Version {
		return c.showConflict(f, title)
	}
	in, err := f.serviceInput()
	if err == nil {
		_, err = c.Rules.Update(c.Context(), c.Scope.IfUnchanged(f.Rule.ID, f.Rule.UpdatedAt), f.Rule.ID, in)
	}
	if err != nil {
		return f.showRefused(err, title)
	}
	notice := "Rule saved. The changes apply to new completions."
	if f.changes == 0 {
		notice = "There were no changes to save."
	}
	return c.Redirect(c.SitePath("rules", f.Rule.ID), notice)
}
