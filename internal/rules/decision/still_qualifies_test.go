package decision_test

import (
	"testing"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/engagement/conditions"
	"laurel.example/laurel/internal/rules/decision"
)

func TestWhatARuleAsksForHoldsOrCeases(t *testing.T) {
	t.Parallel()
	gift := func(kind, more string) string {
		return `{"name":"N","type":"` + kind + `","rewardType":"multiplier","amount":2` + more + `}`
	}
	chainState := func(operator string, complete ...bool) conditions.ChainState {
		s := conditions.ChainState{Operator: operator}
		for _, c := range complete {
			s.States = append(s.States, conditions.State{Complete: c})
		}
		return s
	}
	const (
		tracked = `,"trackProgress":true`
		onList  = `,"loyaltyUserAllotmentCsvUrl":"https://lists.example/l.csv"`
	)
	for _, c := range []struct {
		name, rule string
		facts      decision.Facts
		want       bool
	}{
		{"nothing asked", gift("external_rule", ""), decision.Facts{}, true},
		{"blocked, late, gated and paid", gift("external_rule", `,"endTime":"2026-01-01T00:00:00Z"`), decision.Facts{Blocked: true, RequiredMissing: true, WindowPaid: true}, true},
		{"a code that is another now", gift("code_entry", `,"metadata":{"promoCode":"C"}`), decision.Facts{Text: "D"}, true},
		{"a wrong answer", gift("quiz", ""), decision.Facts{}, true},
		{"on the list", gift("check_in", onList), decision.Facts{Listed: true}, true},
		{"off the list", gift("check_in", onList), decision.Facts{}, false},
		{"all conditions", gift("external_rule", ""), decision.Facts{Chains: []conditions.ChainState{chainState("AND", true, true), chainState("OR", false, true)}}, true},
		{"one condition of all", gift("external_rule", ""), decision.Facts{Chains: []conditions.ChainState{chainState("AND", true, true), chainState("AND", false, true)}}, false},
		{"no condition of one", gift("external_rule", ""), decision.Facts{Chains: []conditions.ChainState{chainState("OR", false, false)}}, false},
		{"complete progress", gift("external_rule", tracked), decision.Facts{Progress: 100 * laurel.One}, true},
		{"less progress", gift("external_rule", tracked), decision.Facts{Progress: 100*laurel.One - 1}, false},
		{"progress that the reward used up", gift("external_rule", tracked+`,"metadata":{"resetProgressOnClaim":true}`), decision.Facts{}, true},
		{"progress that a claim used up", gift("points_airdrop", tracked+onList+`,"frequency":"daily","claimType":"manual"`), decision.Facts{Listed: true}, true},
		{"a marked account", gift("check_in", `,"metadata":{"hasVerifiedMicroblog":true}`), decision.Facts{Profile: decision.Profile{HasAccount: true, HasVerifiedMark: true}}, true},
		{"an account without mark", gift("check_in", `,"metadata":{"hasVerifiedMicroblog":true}`), decision.Facts{Profile: decision.Profile{HasAccount: true}}, false},
		{"an account", gift("connected_messenger", ""), decision.Facts{Profile: decision.Profile{HasAccount: true, AccountPaid: true}}, true},
		{"no account", gift("connected_messenger", ""), decision.Facts{}, false},
		{"no account any more, by a run", gift("microblog_like", `,"frequency":"daily","claimType":"manual"`), decision.Facts{}, false},
		{"no e-mail", gift("connected_email", ""), decision.Facts{Profile: decision.Profile{EmailSet: true}}, false},
		{"no phone", gift("connected_phone", ""), decision.Facts{}, false},
		{"no wallet", gift("connect_wallet", ""), decision.Facts{}, false},
		{"fields", gift("profile_completed", `,"metadata":{"completeProfileConditions":{"bio":true}}`), decision.Facts{Profile: decision.Profile{Fields: []string{"bio"}}}, true},
		{"a field is empty", gift("profile_completed", `,"metadata":{"completeProfileConditions":{"bio":true}}`), decision.Facts{}, false},
	} {
		c.facts.Rule, c.facts.Now, c.facts.TriggeredBy = ruleOf(t, c.rule), noon, decision.TriggerRun
		c.facts.Meta = c.facts.Rule.Meta()
		if got := decision.StillQualifies(typed(c.facts)); got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}
