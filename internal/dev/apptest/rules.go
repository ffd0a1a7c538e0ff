package apptest

import (
	"net/http"
)

// Rule creates a rule of a type that pays 10 points of the program's currency, with other or further properties, and
// returns its id.
func (s *Server) Rule(kind string, properties Object) string {
	s.T.Helper()
	body := Object{"name": "A " + kind, "type": kind, "amount": 10}
	for k, v := range properties {
		body[k] = v
	}
	return s.Post("/api/loyalty/rules", body).OK()["id"].(string)
}

// Over returns an object with changed properties; of two changes of one property the later one counts.
func Over(base Object, changes ...Object) Object {
	out := Object{}
	for _, o := range append([]Object{base}, changes...) {
		for k, v := range o {
			out[k] = v
		}
	}
	return out
}

// Free creates a rule that can be completed again and again, and returns its id.
func (s *Server) Free(properties Object) string {
	return s.Rule("external_rule", Over(Object{"interval": "unlimited"}, properties))
}

// Update changes a rule with the website key.
func (s *Server) Update(rule string, properties Object) Object {
	s.T.Helper()
	return s.Post("/api/loyalty/rules/"+rule, properties).OK()
}

// Remove deletes the record at a path.
func (s *Server) Remove(path string) Object {
	s.T.Helper()
	return s.Call(s.WebsiteAPIKey, http.MethodDelete, path, nil).OK()
}

// Edits returns the recorded edits of a rule, newest first.
func (s *Server) Edits(rule string) []Object {
	s.T.Helper()
	return s.Get("/api/loyalty/rule_edits?limit=1000&loyaltyRuleId=" + rule).Data()
}

// Restore restores a rule to before an edit.
func (s *Server) Restore(edit Object, body any) Response {
	s.T.Helper()
	return s.Post("/api/loyalty/rule_edits/"+edit["id"].(string)+"/restore", body)
}

// CreateGroup creates a rule group and returns its id.
func (s *Server) CreateGroup(properties Object) string {
	s.T.Helper()
	return s.Post("/api/loyalty/rule_groups/create", Over(Object{"name": "G"}, properties)).OK()["id"].(string)
}

// ListGroups returns the rule groups that a key sees.
func (s *Server) ListGroups(key, query string) []Object {
	s.T.Helper()
	return s.Call(key, http.MethodGet, "/api/loyalty/rule_groups"+query, nil).Data()
}

// RulesIn returns the names of the rules in a rule group, in order.
func RulesIn(group Object) []string {
	names := []string{}
	for _, item := range group["loyaltyGroupItems"].([]any) {
		names = append(names, item.(Object)["loyaltyRule"].(Object)["name"].(string))
	}
	return names
}

// ChainsPath is the path of chains.
const ChainsPath = "/api/loyalty/rule_chains"

// CreateChain creates a chain that locks a rule by conditions, and returns it.
func (s *Server) CreateChain(rule, operator string, conditions ...Object) Object {
	s.T.Helper()
	return s.Post(ChainsPath, ChainBody(rule, operator, conditions...)).OK()["data"].(Object)
}

// ChainBody returns the body that creates a chain.
func ChainBody(rule, operator string, conditions ...Object) Object {
	return Object{"name": "C", "loyaltyRuleId": rule, "operatorType": operator, "loyaltyConditions": conditions}
}

// CreateDynamicRule creates a rule whose reward is a multiplier for as long as its conditions hold.
func (s *Server) CreateDynamicRule(properties Object) string {
	s.T.Helper()
	return s.CreateMultiplierRule(2, Over(Object{"rewardLifetime": "dynamic"}, properties))
}
