package main

import (
	"context"
	"fmt"
	"net/http"
	"time"
)

// prepare makes the program's rules.
func (w *world) prepare(ctx context.Context) error {
	for _, r := range []struct {
		name, kind, interval string
		amount, capped       int
	}{
		{"open", "external_rule", "unlimited", 3, 0},
		{"once", "external_rule", "once", 7, 0},
		{"moving", "external_rule", "daily", 5, 0},
		{"rolling", "external_rule", "custom", 2, 0},
		{"capped", "external_rule", "unlimited", 7, 40},
		{"visit", "check_in", "daily", 2, 0},
		{"letter", "text_input", "weekly", 4, 0},
	} {
		made, err := w.makeRule(ctx, &rule{name: r.name, kind: r.kind, versions: []version{{amount: r.amount, capped: r.capped, interval: r.interval}}})
		if err != nil {
			return err
		}
		w.plain = append(w.plain, made)
	}
	var err error
	w.climbing, err = w.makeRule(ctx, &rule{name: "climbing", kind: "external_rule", versions: []version{{amount: 9, interval: "unlimited"}}})
	return err
}

// rollingSeconds is the window of the rule with a rolling one: the shortest that is allowed, so that it opens again within a long run.
const rollingSeconds = 60

func (w *world) makeRule(ctx context.Context, r *rule) (*rule, error) {
	v := &r.versions[0]
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
	case r.name == "climbing":
		body["trackProgress"], metadata["resetProgressOnClaim"] = true, true
	}
	body["metadata"] = metadata
	var made struct{ ID string }
	if err := w.must(ctx, request{method: http.MethodPost, path: "/api/loyalty/rules", body: body}, &made); err != nil {
		return nil, err
	}
	r.id = made.ID
	v.acked = time.Now()
	w.model.rules = append(w.model.rules, r)
	return r, nil
}

// body is what an edit to that state sends: all of it, so that a state never depends on an edit of unknown fate.
func (v version) body() map[string]any {
	out := map[string]any{"amount": v.amount, "interval": v.interval}
	if v.capped > 0 {
		out["maxAmountInterval"], out["maxAmountPerInterval"] = "daily", v.capped
	}
	return out
}

// edit asks for another state of a rule. The lock on its editing is held.
func (w *world) edit(ctx context.Context, number int, r *rule, next version) {
	next.sent, next.acked = time.Now(), time.Time{}
	r.mu.Lock()
	r.versions = append(r.versions, next)
	mine := len(r.versions) - 1
	r.mu.Unlock()
	a, err := w.client.send(ctx, w.address(number), request{method: http.MethodPost, path: "/api/loyalty/rules/" + r.id, body: next.body()})
	t := w.model.read("an edit of rule "+r.name, a, err)
	if t.outcome == refused {
		w.model.finding("answer: an edit of rule %s was refused: %s", r.name, t.refusal)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	switch t.outcome {
	case done:
		r.versions[mine].acked = time.Now()
	case unsent, refused:
		r.versions = r.versions[:mine]
	}
}

// codeRule makes a rule with codes that are good for one redemption each, and reads them.
func (w *world) codeRule(ctx context.Context, name string) (*rule, error) {
	r, err := w.makeRule(ctx, &rule{name: name, kind: "code_entry", versions: []version{{amount: 6, interval: "unlimited"}}})
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

// must sends a request of the preparation until it is answered: the interruptions are over or have not begun.
func (w *world) must(ctx context.Context, r request, into any) error {
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
