package dashboard

import (
	"errors"
	"net/http"
	"slices"
	"strconv"

	"laurel"
	"laurel/internal/rules/catalog"
	"laurel/internal/rules/ruletypes"
	"laurel/internal/rules/schema"
)

// typeFamily is a family of types to choose from.
type typeFamily struct {
	Name, Text string
	Kinds      []typeChoice
	Later      []typeChoice // those that nothing completes yet
}

type typeChoice struct {
	schema.Kind
	Needs string
	Built bool
}

var familyTexts = map[schema.Family][2]string{
	schema.Engagement: {"On your website", "What members do on your website."},
	schema.Profile:    {"Profile", "What members add to their profile or connect to it."},
	schema.Social:     {"Social", "What members do on social platforms."},
	schema.Community:  {"Community", "What members do in chats, forums and games, and on code hosts."},
	schema.Commerce:   {"Commerce", "What members buy from you or do with your partners."},
	schema.Onchain:    {"On chain", "What members hold in their wallets or do with them."},
	schema.Dapps:      {"Applications", "Rank the applications that members build by how much they’re used."},
	schema.Server:     {"Your server", "Rules where your own server, list or function decides who is rewarded."},
}

// ruleFamilies returns the rule types by family, those that cannot be completed yet apart.
func ruleFamilies() []typeFamily {
	var out []typeFamily
	for _, name := range schema.Families {
		f := typeFamily{Name: familyTexts[name][0], Text: familyTexts[name][1]}
		for _, t := range schema.Types() {
			if k := t.Kind(); k.Family == name {
				if item := (typeChoice{k, typeNeeds(t), isCompletable(t)}); item.Built {
					f.Kinds = append(f.Kinds, item)
				} else {
					f.Later = append(f.Later, item)
				}
			}
		}
		out = append(out, f)
	}
	return out
}

// isCompletable reports whether rules of the type can be completed.
func isCompletable(t schema.Type) bool { return ruletypes.KindOf(t).Decision != nil }

// newRulePage shows the choice of a rule type, and then the form of a new rule.
func newRulePage(c *request) (view, error) {
	t := schema.Type(c.URL.Query().Get("type"))
	if t == "" {
		return pageView("rule-new", "New rule", ruleFamilies())
	}
	f, err := c.newRuleForm(t)
	if err != nil {
		return view{}, err
	}
	return pageView("rule", "New rule", f)
}

// newRuleForm returns the empty form of a rule type, with the first currency if there are several.
func (c *request) newRuleForm(t schema.Type) (*ruleForm, error) {
	if !t.IsKnown() {
		return nil, laurel.Missing("Rule type")
	}
	var unnamed laurel.Faults
	p := schema.Input{Type: laurel.Some(string(t))}.Create(&unnamed)
	f, err := c.buildRuleForm(catalog.Rule{Properties: p})
	if err != nil || len(f.names.Currencies) < 2 {
		return f, err
	}
	f.typed.Set("loyaltyCurrencyId", f.names.Currencies[0].ID.String())
	f.buildSections()
	return f, nil
}

// addMissingCurrency adds the fault of a missing currency to a refusal of a new rule. The service checks that only
// after all other faults.
func (f *ruleForm) addMissingCurrency(err error) error {
	refused := asRefusal(err)
	if refused == nil || len(refused.Faults) == 0 || f.typed.Get("rewardType") != schema.RewardPoints ||
		f.typed.Get("loyaltyCurrencyId") != "" || len(f.names.Currencies) == 1 ||
		slices.ContainsFunc(refused.Faults, func(one laurel.Fault) bool { return one.Path == "loyaltyCurrencyId" }) {
		return err
	}
	faults := laurel.Faults(slices.Clone(refused.Faults))
	faults.Add("loyaltyCurrencyId", "is required")
	return faults.Err()
}

// createRule creates a rule from the posted form.
func createRule(c *request) (view, error) {
	f, err := c.newRuleForm(schema.Type(c.PostFormValue("type")))
	if err != nil {
		return view{}, err
	}
	if c.readRuleForm(f) {
		return pageView("rule", "New rule", f)
	}
	in, err := f.serviceInput()
	var made catalog.Rule
	if err == nil {
		in.Type = laurel.Some(string(f.Rule.Type))
		if !in.Name.Set {
			in.Name = laurel.Some("")
		}
		made, err = c.d.Rules.Create(c.Context(), c.scope, in)
	}
	if err == nil {
		return c.redirect(c.sitePath("rules", made.ID), "Rule created. Test it next to the form.")
	}
	return f.showRefused(f.addMissingCurrency(err), "New rule")
}

// showRefused shows the form again with the faults of a refusal.
func (f *ruleForm) showRefused(err error, title string) (view, error) {
	if err := f.noteRefusal(err); err != nil {
		return view{}, err
	}
	return view{template: "rule", title: "Error: " + title, status: http.StatusBadRequest, data: f}, nil
}

// findRule reads the rule of the path.
func (c *request) findRule() (catalog.Rule, error) {
	id, err := c.pathID("rule", "Loyalty rule")
	if err != nil {
		return catalog.Rule{}, err
	}
	return c.d.Rules.Rule(c.Context(), c.scope, id)
}

// pathRuleForm returns the form of the rule of the path, with its dry run.
func pathRuleForm(c *request) (*ruleForm, error) {
	r, err := c.findRule()
	if err != nil {
		return nil, err
	}
	f, err := c.buildRuleForm(r)
	if err != nil {
		return nil, err
	}
	f.Try = c.readTryForm()
	return f, c.readTryFields(f)
}

// rulePage shows the form of a rule.
func rulePage(c *request) (view, error) {
	f, err := pathRuleForm(c)
	if err != nil {
		return view{}, err
	}
	return pageView("rule", f.Rule.Name+", rule", f)
}

// saveRule saves the changes of a rule. If someone else has saved a newer version, nothing is written and the conflicts
// are shown; "over" is the version that the admin chose to overwrite.
func saveRule(c *request) (view, error) {
	f, err := pathRuleForm(c)
	if err != nil {
		return view{}, err
	}
	title := f.Rule.Name + ", rule"
	if c.readRuleForm(f) {
		return pageView("rule", title, f)
	}
	if over, err := strconv.ParseInt(c.PostFormValue("over"), 10, 64); err == nil {
		f.Version = over
	}
	if f.Version != f.Rule.Version {
		return c.showConflict(f, title)
	}
	in, err := f.serviceInput()
	if err == nil {
		_, err = c.d.Rules.UpdateVersion(c.Context(), c.scope, f.Rule.ID, f.Version, in)
	}
	if errors.Is(err, catalog.ErrVersionChanged) { // saved by someone else between reading and writing
		now, err := pathRuleForm(c)
		if err != nil {
			return view{}, err
		}
		c.readRuleForm(now)
		return c.showConflict(now, title)
	}
	if err != nil {
		return f.showRefused(err, title)
	}
	notice := "Rule saved. It applies to completions from now on."
	if f.changes == 0 {
		notice = "Nothing was changed."
	}
	return c.redirect(c.sitePath("rules", f.Rule.ID), notice)
}
