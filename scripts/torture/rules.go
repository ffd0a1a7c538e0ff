package main

import (
	"context"
	"fmt"
	"net/http"
	"time"
)

// prepare makes the program's rules: of some each wallet asks for payments, others have clients of their own.
func (w *world) prepare(ctx context.Context) error {
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
	w.section = section.ID
	for _, r := range []struct {
		name, kind string
		version
		into *[]*rule
	}{
		{"open", "external_rule", version{amount: 3, interval: "unlimited"}, &w.plain},
		{"once", "external_rule", version{amount: 7, interval: "once"}, &w.plain},
		{"moving", "external_rule", version{amount: 5, interval: "daily"}, &w.plain},
		{"rolling", "external_rule", version{amount: 2, interval: "custom"}, &w.plain},
		{"capped", "external_rule", version{amount: 7, capped: 40, interval: "unlimited"}, &w.plain},
		{"visit", "check_in", version{amount: 2, interval: "daily"}, &w.plain},
		{"letter", "text_input", version{amount: 4, interval: "weekly"}, &w.plain},
		{"entry", "external_rule", version{amount: 2, interval: "once"}, &w.plain},
		{"toll", "external_rule", version{amount: 3, interval: "once", required: true}, &w.plain},
		{"banner", "link_click", version{amount: 3, interval: "once"}, &w.links},
		{"ticker", "link_click", version{amount: 1, interval: "unlimited"}, &w.links},
		{"climbing", "external_rule", version{amount: 9, interval: "unlimited"}, &w.tracked},
		{"gauge", "external_rule", version{amount: 1, interval: "unlimited"}, &w.tracked},
	} {
		made, err := w.makeRule(ctx, &rule{name: r.name, kind: r.kind, first: r.name == "entry"}, r.version)
		if err != nil {
			return err
		}
		*r.into = append(*r.into, made)
		if r.kind == "external_rule" && r.interval == "once" {
			w.once = append(w.once, made)
		}
	}
	w.climbing, w.gauge = w.tracked[0], w.tracked[1]
	return nil
}

// rollingSeconds is the window of the rule with a rolling one: the shortest that is allowed, so that it opens again
// within a long run.
const rollingSeconds = 60

func (w *world) makeRule(ctx context.Context, r *rule, v version) (*rule, error) {
	body := v.body()
	body["name"], body["type"] = r.name, r.kind
	metadata := map[string]any{}
	switch {
	case v.interval == "custom":
		metadata["customIntervalSeconds"], r.rolling = rollingSeconds, rollingSeconds*time.Second
	case r.kind == "code_entry":
		metadata["promoCodeType"], metadata["promoCodeLength"], metadata["allowMultipleRedemptions"] = "generate", codesEach, true
	case r.kind == "text_input":
		metadata["verificationTextMinimumLength"] = 5
	case r.kind == "link_click":
		metadata["link"], metadata["timeDelayToVerifySeconds"] = contentPrefix+r.name, 1
	case r.name == "climbing":
		body["trackProgress"], metadata["resetProgressOnClaim"] = true, true
	case r.name == "gauge":
		body["trackProgress"], body["progressType"] = true, "counter"
		metadata["range"] = []map[string]any{{"startRange": 1, "endRange": 1_000_000, "amount": 1}} // never reached
	case r.first:
		body["loyaltyRuleGroupId"] = w.section
	}
	body["metadata"] = metadata
	var made struct{ ID string }
	if err := w.sendOK(ctx, request{method: http.MethodPost, path: "/api/loyalty/rules", body: body}, &made); err != nil {
		return nil, err
	}
	r.id = made.ID
	r.begin(v)
	w.model.rules = append(w.model.rules, r)
	return r, nil
}

// body is what an edit to that state sends: all of it, so that a state never depends on an edit of unknown fate.
func (v version) body() map[string]any {
	out := map[string]any{"amount": v.amount, "interval": v.interval, "isRequired": v.required}
	if v.capped > 0 {
		out["maxAmountInterval"], out["maxAmountPerInterval"] = "daily", v.capped
	}
	return out
}

// edit asks for another state of a rule.
func (w *world) edit(ctx context.Context, number int, r *rule, next func(version) version) {
	r.change(next, func(v version) outcome {
		a, err := w.client.send(
			ctx,
			w.address(number),
			request{method: http.MethodPost, path: "/api/loyalty/rules/" + r.id, body: v.body()},
		)
		t := w.model.read("an edit of rule "+r.name, a, err)
		if t.outcome == refused {
			w.model.finding("answer: an edit of rule %s was refused: %s", r.name, t.refusal)
		}
		return t.outcome
	})
}

// codeRule makes a rule with codes that are good for one redemption each, and reads them.
func (w *world) codeRule(ctx context.Context, name string) (*rule, error) {
	r, err := w.makeRule(ctx, &rule{name: name, kind: "code_entry"}, version{amount: 6, interval: "unlimited"})
	if err != nil {
		return nil, err
	}
	err = eventually(ctx, fmt.Sprintf("rule %s has %d codes", name, codesEach), func() bool {
		codes, err := all[codeRow](ctx, w.client, w.address(0), "/api/loyalty/rules/"+r.id+"/codes?limit=100")
		r.codes = nil
		for _, c := range codes {
			r.codes = append(r.codes, c.Code)
		}
		return err == nil && len(r.codes) == codesEach
	})
	return r, err
}

// sendOK sends a request of the preparation until it is answered: the interruptions are over or have not begun.
func (w *world) sendOK(ctx context.Context, r request, into any) error {
	var a answer
	err := eventually(ctx, r.path+" is answered", func() (ok bool) {
		var err error
		a, err = w.client.send(ctx, w.address(0), r)
		return err == nil && a.status != http.StatusServiceUnavailable
	})
	if err != nil {
		return err
	}
	return a.into(r.path, into)
}
