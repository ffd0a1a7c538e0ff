package app_test

import (
	"slices"
	"strings"
	"testing"

	"laurel.example/laurel/internal/dev/apptest"
)

const (
	typo   = "amonut" // a property and a parameter that no operation has
	strict = "Handling=strict; foo"
)

// misspelt puts an unknown property into each object of a body that the document describes, and returns their paths.
// What the document leaves open, such as metadata, may hold any property.
func misspelt(document object, schema, body any, path string) (paths []string) {
	described, _ := schema.(object)
	if ref, ok := described["$ref"].(string); ok {
		return misspelt(document, document["components"].(object)["schemas"].(object)[ref[strings.LastIndexByte(ref, '/')+1:]], body, path)
	}
	for _, form := range items(described["oneOf"]) {
		paths = append(paths, misspelt(document, form, body, path)...)
	}
	switch body := body.(type) {
	case []any:
		for _, item := range body[:min(len(body), 1)] {
			paths = append(paths, misspelt(document, described["items"], item, path+"0.")...)
		}
	case object:
		properties, _ := described["properties"].(object)
		if properties == nil {
			return paths
		}
		for name, value := range body {
			paths = append(paths, misspelt(document, properties[name], value, path+name+".")...)
		}
		body[typo] = 1
		paths = append(paths, path+typo)
	}
	return paths
}

// misspeltVisit prepares a call that succeeds, with unknown properties in its body; none of an operation without body.
func (t *tenant) misspeltVisit(document object, op operation) (v *visitor, paths []string) {
	kind := op.visit.keys[min(1, len(op.visit.keys)-1)]
	v = t.visit(op, kind)
	if op.method == "GET" {
		return v, nil
	}
	schema := bodyOf(document, op)
	if schema == nil {
		v.body = object{typo: 1}
		return v, []string{typo}
	}
	if v.body == nil {
		v.body = object{}
	}
	paths = misspelt(document, schema, v.body, "")
	slices.Sort(paths)
	return v, paths
}

func TestUnknownPropertiesAndParametersAreNamedOrRefused(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		document := s.OpenAPI()
		acme := settle(s, called("acme"))
		type call struct {
			*visitor
			paths []string
		}
		var calls []call
		nested := 0
		for _, op := range operations(s) {
			v, paths := acme.misspeltVisit(document, op)
			calls = append(calls, call{v, paths})
			if len(paths) > 1 {
				nested++
			}
		}
		if nested < 8 {
			t.Errorf("only %d bodies have objects inside", nested)
		}
		before := acme.everything()
		for _, c := range calls {
			name := c.op.method + " " + c.op.path
			key := acme.key(c.kind)
			if c.paths != nil {
				got := c.send(key, "Prefer", strict)
				expectProblems(t, name, got, c.paths, " is not a known property")
			}
			for _, form := range []string{typo, typo + "[]", typo + "[0]"} {
				c.query.Set(form, "1")
				got := c.send(key, "Prefer", strict)
				c.query.Del(form)
				expectProblems(t, name, got, []string{typo}, " is not a known parameter")
			}
		}
		if after := acme.everything(); after != before {
			t.Errorf("strict handling changed something:\n%s\nnow\n%s", before, after)
		}
		for _, op := range operations(s) {
			v, paths := acme.misspeltVisit(document, op)
			v.query.Set(typo, "1")
			got := v.send(acme.key(v.kind))
			ignored := got.Header.Get("Laurel-Ignored")
			if got.Status > 201 || !slices.Equal(sortedList(ignored), paths) ||
				got.Header.Get("Preference-Applied") != "" {
				t.Errorf("%s %s: %d, ignored %q, want %v: %s", op.method, op.path, got.Status, ignored, paths, got.Body)
			}
		}
	})
}

// sortedList reads a list of a header.
func sortedList(header string) []string {
	if header == "" {
		return nil
	}
	list := strings.Split(header, ", ")
	slices.Sort(list)
	return list
}

// expectProblems expects a refusal under strict handling that names each path.
func expectProblems(t *testing.T, name string, got apptest.Response, paths []string, problem string) {
	t.Helper()
	if got.Status != 400 || got.Header.Get("Preference-Applied") != "handling=strict" {
		t.Errorf("%s: %d %v %s", name, got.Status, got.Header, got.Body)
		return
	}
	var ignored []any
	for _, e := range items(got.JSON()["errors"]) {
		ignored = append(ignored, e.(object)["path"].(string)+": "+e.(object)["message"].(string))
	}
	for _, path := range paths {
		if !slices.Contains(ignored, any(path+": "+path+problem)) {
			t.Errorf("%s: %s%s is not named: %s", name, path, problem, got.Body)
		}
	}
}

// The call of the report: a completion whose amount is misspelt pays nothing and keeps its key free under strict
// handling, and names what it ignored otherwise, also in a replayed response.
func TestAMisspeltAmountIsSeen(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		rule := s.Rule("external_rule", object{"interval": "unlimited", "amount": 0})
		path := "/api/loyalty/rules/" + rule + "/complete"
		body := object{"walletAddress": apptest.Alice, "amonut": 5, "idempotencyKey": "order-1"}
		refused := s.Call(s.WebsiteAPIKey, "POST", path, body, "Prefer", "handling=strict", "Idempotency-Key", "a")
		expectProblems(t, "completion", refused, []string{typo}, " is not a known property")
		body = object{"walletAddress": apptest.Alice, "amount": 5, "idempotencyKey": "order-1"}
		s.Call(s.WebsiteAPIKey, "POST", path, body, "Prefer", "handling=strict", "Idempotency-Key", "a").OK()
		if got := s.Balance(apptest.Alice); got != "5" {
			t.Errorf("the balance is %s", got)
		}
		body = object{"walletAddress": apptest.Alice, "amonut": 5, "idempotencyKey": "order-2", "a,b%\n\"é": 1}
		for i := range 2 {
			got := s.Call(s.WebsiteAPIKey, "POST", path, body, "Idempotency-Key", "b")
			got.OK()
			if ignored := sortedList(got.Header.Get("Laurel-Ignored")); !slices.Equal(ignored, []string{"a%2Cb%25%0A%22%C3%A9", typo}) {
				t.Errorf("call %d named %q", i, ignored)
			}
			if replayed := got.Header.Get("Idempotent-Replayed") != ""; replayed != (i == 1) {
				t.Errorf("call %d: %v", i, got.Header)
			}
		}
	})
}
