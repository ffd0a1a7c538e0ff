package main

import (
	"context"
	"fmt"
	"net/http"
	"time"
)

// The names of rules that the clients or the model treat in their own way.
const (
	entryRuleName   = "entry"    // all others require it, by its rule group
	tollRuleName    = "toll"     // all others require it, unless an edit has changed that
	movingRuleName  = "moving"   // its interval is edited
	percentRuleName = "climbing" // with progress in percent
	counterRuleName = "gauge"    // with progress as a number
)

// createRules creates the rules of the program: plain ones, links, and two with progress. Those in onceRules are plain
// ones that pay once for all time.
func (w *world) createRules(ctx context.Context) error {
	var section struct{ ID string }
	if err := w.sendOK(
		ctx,
		request{
			method: http.MethodPost,
			path:   "/api/loyalty/rule_groups/create",
			body:   map[string]any{"name": "First", "isRequired": true},
		},
		&section,
	); err != nil {
		return err
	}
	w.requiredGroupID = section.ID
	for _, r := range []struct {
		name, kind string
		version
		into *[]*rule // where to add the rule
	}{
		{"open", "external_rule", version{amount: 3, interval: "unlimited"}, &w.plainRules},
		{"once", "external_rule", version{amount: 7, interval: "once"}, &w.plainRules},
		{movingRuleName, "external_rule", version{amount: 5, interval: "daily"}, &w.plainRules},
		{"rolling", "external_rule", version{amount: 2, interval: "custom"}, &w.plainRules},
		{"capped", "external_rule", version{amount: 7, dailyCap: 40, interval: "unlimited"}, &w.plainRules},
		{"visit", "check_in", version{amount: 2, interval: "daily"}, &w.plainRules},
		{"letter", "text_input", version{amount: 4, interval: "weekly"}, &w.plainRules},
		{entryRuleName, "external_rule", version{amount: 2, interval: "once"}, &w.plainRules},
		{tollRuleName, "external_rule", version{amount: 3, interval: "once", required: true}, &w.plainRules},
		{"banner", "link_click", version{amount: 3, interval: "once"}, &w.linkRules},
		{"ticker", "link_click", version{amount: 1, interval: "unlimited"}, &w.linkRules},
		{percentRuleName, "external_rule", version{amount: 9, interval: "unlimited"}, &w.progressRules},
		{counterRuleName, "external_rule", version{amount: 1, interval: "unlimited"}, &w.progressRules},
	} {
		made, err := w.createRule(ctx, &rule{name: r.name, kind: r.kind, alwaysRequired: r.name == entryRuleName}, r.version)
		if err != nil {
			return err
		}
		*r.into = append(*r.into, made)
		if r.kind == "external_rule" && r.interval == "once" {
			w.onceRules = append(w.onceRules, made)
		}
	}
	w.percentRule, w.counterRule = w.progressRules[0], w.progressRules[1]
	return nil
}

// rollingSeconds is the length of the window of the rule with a rolling window: the shortest that is allowed, so that
// it opens again within a long run.
const rollingSeconds = 60

// createRule creates a rule in the service, in its first state v, sets its id and adds it to the model. The further
// properties follow from the kind or name of the rule.
func (w *world) createRule(ctx context.Context, r *rule, v version) (*rule, error) {
	body := v.body()
	body["name"], body["type"] = r.name, r.kind
	metadata := map[string]any{}
	switch {
	case v.interval == "custom":
		metadata["customIntervalSeconds"], r.rollingWindow = rollingSeconds, rollingSeconds*time.Second
	case r.kind == "code_entry":
		metadata["promoCodeType"], metadata["promoCodeLength"], metadata["allowMultipleRedemptions"] = "generate", codesEach, true
	case r.kind == "text_input":
		metadata["verificationTextMinimumLength"] = 5
	case r.kind == "link_click":
		metadata["link"], metadata["timeDelayToVerifySeconds"] = contentPrefix+r.name, 1
	case r.name == percentRuleName:
		body["trackProgress"], metadata["resetProgressOnClaim"] = true, true
	case r.name == counterRuleName:
		body["trackProgress"], body["progressType"] = true, "counter"
		metadata["range"] = []map[string]any{{"startRange": 1, "endRange": 1_000_000, "amount": 1}} // never reached
	case r.alwaysRequired:
		body["loyaltyRuleGroupId"] = w.requiredGroupID
	}
	body["metadata"] = metadata
	var made struct{ ID string }
	if err := w.sendOK(ctx, request{method: http.MethodPost, path: "/api/loyalty/rules", body: body}, &made); err != nil {
		return nil, err
	}
	r.id = made.ID
	r.initialize(v)
	w.model.rules = append(w.model.rules, r)
	return r, nil
}

// body returns the body of an edit to that state. It has all properties, so that a state never depends on an edit whose
// outcome is unknown.
func (v version) body() map[string]any {
	out := map[string]any{"amount": v.amount, "interval": v.interval, "isRequired": v.required}
	if v.dailyCap > 0 {
		out["maxAmountInterval"], out["maxAmountPerInterval"] = "daily", v.dailyCap
	}
	return out
}

// editRule changes a rule: next makes the new state from the latest one. number is that of a client and selects the
// server. A refusal is a finding.
func (w *world) editRule(ctx context.Context, number int, r *rule, next func(version) version) {
	r.tryChange(next, func(v version) outcome {
		a, err := w.client.send(
			ctx,
			w.address(number),
			request{method: http.MethodPost, path: "/api/loyalty/rules/" + r.id, body: v.body()},
		)
		t := w.model.parseResponse("an edit of rule "+r.name, a, err)
		if t.outcome == refused {
			w.model.addFinding("answer: an edit of rule %s was refused: %s", r.name, t.refusal)
		}
		return t.outcome
	})
}

// createCodeRule creates a rule with promo codes that work once each, and reads the codes.
func (w *world) createCodeRule(ctx context.Context, name string) (*rule, error) {
	r, err := w.createRule(ctx, &rule{name: name, kind: "code_entry"}, version{amount: 6, interval: "unlimited"})
	if err != nil {
		return nil, err
	}
	err = waitUntil(ctx, fmt.Sprintf("rule %s has %d codes", name, codesEach), func() bool {
		codes, err := readAll[codeRow](ctx, w.client, w.address(0), "/api/loyalty/rules/"+r.id+"/codes?limit=100")
		r.codes = nil
		for _, c := range codes {
			r.codes = append(r.codes, c.Code)
		}
		return err == nil && len(r.codes) == codesEach
	})
	return r, err
}

// sendOK sends a request of the preparation until it is answered, and decodes the response. No server is interrupted
// meanwhile.
func (w *world) sendOK(ctx context.Context, r request, into any) error {
	var a response
	err := waitUntil(ctx, r.path+" is answered", func() (ok bool) {
		var err error
		a, err = w.client.send(ctx, w.address(0), r)
		return err == nil && a.status != http.StatusServiceUnavailable
	})
	if err != nil {
		return err
	}
	return a.decode(r.path, into)
}
