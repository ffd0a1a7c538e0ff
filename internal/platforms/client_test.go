package platforms_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"laurel.example/laurel/internal/outbound"
	"laurel.example/laurel/internal/platforms"
)

// checkWith asks the check of a driver of a rule, and returns the request as the platform saw it.
func checkWith(
	t *testing.T, check platforms.Check, q platforms.Question, status int, answer string,
) (finding, request string) {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		request = strings.TrimSpace(r.Method + " " + r.URL.RequestURI() + " " + r.Header.Get("X-Post"))
		w.WriteHeader(status)
		_, _ = fmt.Fprint(w, answer)
	}))
	defer server.Close()
	check.URL = server.URL + check.URL
	d := &platforms.Driver{Platform: "code_host", Checks: map[string]platforms.Check{"x": check}}
	client := platforms.NewClient(outbound.New(outbound.Options{Trusted: true}), time.Now)
	q.RuleType = "x"
	if !client.Answers(d, "x", q.Metadata) {
		return "not set up", ""
	}
	return findingText(client.Ask(context.Background(), d, q)), request
}

func TestTheValueOfACheckIsReadByItsForm(t *testing.T) {
	t.Parallel()
	for answer, want := range map[string]string{
		`{"a":{"b":[{"c":true}]}}`: "true", `{"a":{"b":[{"c":false}]}}`: "false", `{"a":{"b":[]}}`: "false", `{"a":1}`: "false",
		`{"a":{"b":[{"c":12}]}}`: "true 12", `{"a":{"b":[{"c":0}]}}`: "false 0", `{"a":{"b":[{"c":"1.5"}]}}`: "true 1.5 1.5",
		`{"a":{"b":[{"c":"text"}]}}`: "true text", `{"a":{"b":[{"c":""}]}}`: "false", `{"a":{"b":[{"c":[0]}]}}`: "true",
		`{"a":{"b":[{"c":{}}]}}`: "false", `{"a":{"b":[{"c":{"x":0}}]}}`: "true", `{"a":{"b":[{"c":-1}]}}`: "true",
		`{"a":{"b":[{"c":{"id":7,"authorId":8,"createdAt":1768478400}}]}}`: "true 7 by 8", `nonsense`: "no answer", ``: "no answer",
	} {
		if got, _ := checkWith(t, platforms.Check{URL: "/", Path: "a.b.0.c"}, platforms.Question{}, 200, answer); got != want {
			t.Errorf("%s: %s, not %s", answer, got, want)
		}
	}
	for status, want := range map[int]string{
		204: "true", 404: "false", 401: "no answer", 302: "no answer", 500: "answered with status 500", 429: "answered with status 429",
	} {
		if got, _ := checkWith(t, platforms.Check{URL: "/"}, platforms.Question{}, status, ""); got != want {
			t.Errorf("%d: %s, not %s", status, got, want)
		}
	}
}

func TestVariablesAreEscapedForTheirPlace(t *testing.T) {
	t.Parallel()
	q := platforms.Question{
		Account: platforms.Account{ID: "a/b?c&d", Name: "n\r\nX: é"}, ContentURL: "https://p.example/x/y%2Fz/?q=1",
		Metadata: map[string]json.RawMessage{"list": json.RawMessage(`[{"id":"i 1"}]`), "up": json.RawMessage(`".."`)},
	}
	for url, want := range map[string]string{
		"/{platformId}?q={platformId}": "GET /a%2Fb%3Fc&d?q=a%2Fb%3Fc%26d",
		"/{contentId}?u={contentUrl}":  "GET /z?u=https%3A%2F%2Fp.example%2Fx%2Fy%252Fz%2F%3Fq%3D1",
		"/{metadata.list.0.id}":        "GET /i%201",
		"/{metadata.list.1.id}":        "",
		"/{metadata.none}":             "",
		"/{metadata.up}/x":             "",
		"/{platformName}":              "GET /n%0D%0AX:%20%C3%A9",
	} {
		if _, got := checkWith(t, platforms.Check{URL: url}, q, 200, "true"); got != want {
			t.Errorf("%s: %s, not %s", url, got, want)
		}
	}
	check := platforms.Check{URL: "/", Headers: map[string]string{"X-Post": "by {platformName}"}}
	if _, got := checkWith(t, check, q, 200, "true"); got != "GET / by n%0D%0AX: %C3%A9" {
		t.Error(got)
	}
	post := platforms.Check{URL: "/", Method: "POST"}
	if got, sent := checkWith(t, post, platforms.Question{DryRun: true}, 200, "false"); got != "true" || sent != "" {
		t.Errorf("a dry run sent %q: %s", sent, got)
	}
	if got, sent := checkWith(t, post, platforms.Question{}, 200, "false"); got != "false" || sent != "POST /" {
		t.Errorf("%q: %s", sent, got)
	}
}
