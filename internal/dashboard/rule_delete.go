package dashboard

import (
	"net/http"
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

// confirmDeleteRule asks before a rule is deleted.
func confirmDeleteRule(c *request) (view, error) {
	r, err := c.liveRule()
	if err != nil {
		return view{}, err
	}
	return pageView("rule-delete", "Delete "+r.Name+"?", deletionData{Rule: r})
}

// liveRule reads the rule of the path. A deleted one is not found.
func (c *request) liveRule() (catalog.Rule, error) {
	r, err := c.findRule()
	if err == nil && !r.DeletedAt.IsZero() {
		err = laurel.Missing("Loyalty rule")
	}
	return r, err
}

// deleteRule deletes a rule after its name was typed, and takes back what it paid if that is requested.
func deleteRule(c *request) (view, error) {
	r, err := c.liveRule()
	if err != nil {
		return view{}, err
	}
	data := deletionData{Rule: r, Typed: c.PostFormValue("name"), Debit: c.PostFormValue("debit") != ""}
	if data.Debit && !c.may(admins.TakeBackPoints) {
		right := admins.TakeBackPoints
		return view{}, laurel.Errorf(laurel.Forbidden, "Your role %s can’t %s.", RoleNames[c.role], right.Words())
	}
	if strings.TrimSpace(data.Typed) != strings.TrimSpace(r.Name) {
		data.Faults = map[string]string{"name": "Must match the name of the rule"}
		return view{
			template: "rule-delete", title: "Error: Delete " + r.Name + "?", status: http.StatusBadRequest, data: data,
		}, nil
	}
	notice := "Rule deleted. Members keep the rewards it paid. You can restore the rule from its history."
	if data.Debit {
		_, err = c.d.Reset.DeleteRule(c.Context(), c.scope, r.ID)
		notice = "Rule deleted. Its rewards are being taken back, which can take some minutes."
	} else {
		_, err = c.d.Rules.Delete(c.Context(), c.scope, r.ID, catalog.Deletion{})
	}
	if err != nil {
		return c.showRefused(err, "rule-delete", "Delete "+r.Name+"?", func(faults map[string]string, text string) any {
			data.Faults, data.Error = faults, text
			return data
		})
	}
	return c.redirect(c.sitePath("rules", r.ID, "history"), notice)
}
