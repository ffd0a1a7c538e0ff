package rules

import (
	"strings"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/admins"
	"laurel.example/laurel/internal/dashboard/web"
	"laurel.example/laurel/internal/rules/catalog"
)

type deletionData struct {
	web.Refusal
	Rule  catalog.Rule
	Typed string
	Debit bool
}

// confirmDeleteRule shows the page that asks before a rule is deleted.
func confirmDeleteRule(c *call) (web.View, error) {
	rule, err := c.getLiveRule()
	if err != nil {
		return web.View{}, err
	}
	return web.Show("rule-delete", "Delete "+rule.Name+"?", deletionData{Rule: rule})
}

// getLiveRule returns the rule whose id is in the path, for a change. A deleted rule is not found.
func (c *call) getLiveRule() (catalog.Rule, error) {
	rule, err := c.getRule()
	if err == nil && !rule.DeletedAt.IsZero() {
		err = laurel.Missing("Loyalty rule")
	}
	return rule, err
}

// deleteRule deletes a rule after its name was typed, and takes back what it paid if the form says so and the role may.
func deleteRule(c *call) (web.View, error) {
	rule, err := c.getLiveRule()
	if err != nil {
		return web.View{}, err
	}
	data := deletionData{Rule: rule, Typed: c.PostFormValue("name"), Debit: c.PostFormValue("debit") != ""}
	if data.Debit && !c.May(admins.TakeBackPoints) {
		right := admins.TakeBackPoints
		return web.View{}, laurel.Errorf(laurel.Forbidden, "The %s role can’t %s.", web.RoleNames[c.Role], right.Words())
	}
	if strings.TrimSpace(data.Typed) != strings.TrimSpace(rule.Name) {
		data.Faults = map[string]string{"name": "Must match the name of the rule"}
		return web.Refused("rule-delete", "Delete "+rule.Name+"?", data), nil
	}
	notice := "Rule deleted. Members keep the rewards it paid. You can restore the rule from its history."
	if data.Debit {
		_, err = c.Reset.DeleteRule(c.Context(), c.Scope, rule.ID)
		notice = "Rule deleted. Its rewards are being taken back, which can take a few minutes."
	} else {
		_, err = c.Rules.Delete(c.Context(), c.Scope, rule.ID, catalog.Deletion{})
	}
	if err != nil {
		return c.ShowRefused(err, "rule-delete", "Delete "+rule.Name+"?", func(refusal web.Refusal) any {
			data.Refusal = refusal
			return data
		})
	}
	return c.Redirect(c.SitePath("rules", rule.ID, "history"), notice)
}
