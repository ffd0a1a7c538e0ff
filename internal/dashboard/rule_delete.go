package dashboard

import (
	"strings"

	"laurel"
	"laurel/internal/admins"
	"laurel/internal/rules/catalog"
)

type deletionData struct {
	Rule   catalog.Rule
	Typed  string
	Debit  bool
	Faults map[string]string
	Error  string
}

// confirmDeleteRule shows the page that asks before a rule is deleted.
func confirmDeleteRule(c *request) (view, error) {
	rule, err := c.getLiveRule()
	if err != nil {
		return view{}, err
	}
	return pageView("rule-delete", "Delete "+rule.Name+"?", deletionData{Rule: rule})
}

// getLiveRule returns the rule whose id is in the path, for a change. A deleted rule is not found.
func (c *request) getLiveRule() (catalog.Rule, error) {
	rule, err := c.getRule()
	if err == nil && !rule.DeletedAt.IsZero() {
		err = laurel.Missing("Loyalty rule")
	}
	return rule, err
}

// deleteRule deletes a rule after its name was typed, and takes back what it paid if the form says so and the role may.
func deleteRule(c *request) (view, error) {
	rule, err := c.getLiveRule()
	if err != nil {
		return view{}, err
	}
	data := deletionData{Rule: rule, Typed: c.PostFormValue("name"), Debit: c.PostFormValue("debit") != ""}
	if data.Debit && !c.may(admins.TakeBackPoints) {
		right := admins.TakeBackPoints
		return view{}, laurel.Errorf(laurel.Forbidden, "The %s role can’t %s.", RoleNames[c.role], right.Words())
	}
	if strings.TrimSpace(data.Typed) != strings.TrimSpace(rule.Name) {
		data.Faults = map[string]string{"name": "Must match the name of the rule"}
		return refusedView("rule-delete", "Delete "+rule.Name+"?", data), nil
	}
	notice := "Rule deleted. Members keep the rewards it paid. You can restore the rule from its history."
	if data.Debit {
		_, err = c.d.Reset.DeleteRule(c.Context(), c.scope, rule.ID)
		notice = "Rule deleted. Its rewards are being taken back, which can take a few minutes."
	} else {
		_, err = c.d.Rules.Delete(c.Context(), c.scope, rule.ID, catalog.Deletion{})
	}
	if err != nil {
		return c.showRefused(err, "rule-delete", "Delete "+rule.Name+"?", func(faults map[string]string, text string) any {
			data.Faults, data.Error = faults, text
			return data
		})
	}
	return c.redirect(c.sitePath("rules", rule.ID, "history"), notice)
}
