package rules

import (
	"laurel.example/laurel/internal/admins"
	"laurel.example/laurel/internal/rules/catalog"
	"laurel.example/laurel/internal/rules/schema"
)

// tab is a page of a rule.
type tab struct{ Name, Label, Address string }

// ruleTabs returns the tabs of a rule's pages that its type has and the admin's role may see.
func (c *call) ruleTabs(rule catalog.Rule) []tab {
	out := []tab{{"settings", "Settings", c.SitePath("rules", rule.ID)}}
	if asksQuestion(rule.Type) {
		out = append(out, tab{"question", "Question", c.SitePath("rules", rule.ID, "question")})
	}
	if rule.Type == schema.TypeCodeEntry && c.May("ChangeProgram") {
		out = append(out, tab{"codes", "Codes", c.SitePath("rules", rule.ID, "codes")})
	}
	if rule.Type == schema.TypeContractEvent && c.May(admins.SeeMembers) {
		out = append(out, tab{"events", "Events", c.SitePath("rules", rule.ID, "events")})
	}
	if rule.Type.Kind().Scheduled && c.May(admins.SeeMembers) {
		out = append(out, tab{"runs", "Runs", c.SitePath("rules", rule.ID, "runs")})
	}
	return append(out, tab{"chains", "Chains", c.SitePath("rules", rule.ID, "chains")},
		tab{"lists", "Lists", c.SitePath("rules", rule.ID, "lists")},
		tab{"performance", "Performance", c.SitePath("rules", rule.ID, "performance")},
		tab{"history", "History", c.SitePath("rules", rule.ID, "history")})
}

// asksQuestion reports whether rules of the type have a question.
func asksQuestion(t schema.Type) bool { return t == schema.TypeQuiz || t == schema.TypePoll }

// ruleHead is the data of the head of a rule's pages.
type ruleHead struct {
	Rule  catalog.Rule
	Kind  schema.Kind
	State catalog.State
}

// Live reports whether the rule is not deleted.
func (h ruleHead) Live() bool { return h.Rule.DeletedAt.IsZero() }

// readRuleHead reads the rule of the path.
func (c *call) readRuleHead() (ruleHead, error) {
	r, err := c.getRule()
	return ruleHead{Rule: r, Kind: r.Type.Kind(), State: r.State(c.Now())}, err
}
