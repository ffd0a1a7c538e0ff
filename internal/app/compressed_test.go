package app_test

import (
	"encoding/json"
	"strings"
	"testing"

	"laurel.example/laurel/internal/dev/apptest"
)

// TestNoDoorTakesACompressedBody sends a body with a Content-Encoding to everything that takes one: every operation,
// the address of an upload, and a form of the dashboard.
func TestNoDoorTakesACompressedBody(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		acme := settle(s, called("acme"))
		judge := func(door, text string, got apptest.Response) {
			t.Helper()
			if got.Status != 415 || !strings.Contains(got.Body, text) {
				t.Errorf("%s: %d %.200s", door, got.Status, got.Body)
			}
		}
		const refused = "Content-Encoding must be identity: send the body uncompressed"
		doors := 0
		for _, op := range operations(s) {
			if op.method == "GET" {
				continue
			}
			kind := op.visit.keys[min(1, len(op.visit.keys)-1)]
			v := acme.visit(op, kind)
			if v.body == nil {
				continue
			}
			doors++
			sent, err := json.Marshal(v.body)
			if err != nil {
				t.Fatal(err)
			}
			for _, coding := range []string{"gzip", "identity, br"} {
				got := s.Send(op.method, v.path(), strings.NewReader(string(sent)),
					"X-API-KEY", acme.key(kind), "Content-Type", "application/json", "Content-Encoding", coding)
				judge(op.method+" "+op.path, refused, got)
			}
		}
		if doors < 70 {
			t.Errorf("only %d operations take a body", doors)
		}
		announced := s.Post("/api/assets", object{"fileName": "a.png", "fileSize": 3}).OK()["signedUrl"].(string)
		upload := func(coding string) apptest.Response {
			return s.Send("PUT", strings.TrimPrefix(announced, s.HTTP.URL), strings.NewReader("abc"), "Content-Encoding", coding)
		}
		got := upload("gzip")
		judge("an upload", refused, got)
		if got.Header.Get("Accept-Encoding") != "identity" {
			t.Errorf("the response to an upload accepts %q", got.Header.Get("Accept-Encoding"))
		}
		upload("identity").OK() // it was not used up
		judge("a form", "Forms must be sent uncompressed", s.Send("POST", "/admin/sign-in", strings.NewReader("email=a"),
			"Content-Type", "application/x-www-form-urlencoded", "Content-Encoding", "gzip"))
	})
}
