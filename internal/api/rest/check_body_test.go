package rest_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"laurel.example/laurel/internal/api/rest"
)

func TestWhatNoSchemaDescribesIsBounded(t *testing.T) {
	t.Parallel()
	eachServer(t, nil, func(s *server) {
		text := func(n int) string { return `{"k":"` + strings.Repeat("x", n-8) + `"}` }
		if r := s.post(
			"O",
			"/api/test/write",
			`{"name":"a","metadata":`+text(16<<10)+`}`,
		); r.status != 200 ||
			!strings.Contains(r.body, "xxx") {
			s.Errorf("%d %.100s", r.status, r.body)
		}
		s.equal(
			problems(s.post("O", "/api/test/write", `{"metadata":`+text(16<<10+1)+`}`)),
			"metadata must be at most 16384 bytes|name is required",
		)
		s.equal(problems(s.post("O", "/api/test/write", `{"name":`+text(100_000)+`}`)), "name must be a string")
		s.equal(
			problems(
				s.post(
					"O",
					"/api/test/write",
					`{"name":"a","unknown":`+text(100_000)+`,"metadata":[`+strings.Repeat("0,", 10_000)+`0]}`,
				),
			),
			"metadata must be an object",
		)
	})
}

func TestPathsOfProblemsAreCut(t *testing.T) {
	t.Parallel()
	eachServer(t, nil, func(s *server) {
		for _, value := range []string{`"\u0000"`, `1e999`} {
			body := `{"name":"a","metadata":{"` + strings.Repeat("é", 5000) + `":[` +
				strings.Repeat(value+",", 99) + value + `]}}`
			var got struct {
				Errors []struct{ Path, Message string }
			}
			must(s.T, json.Unmarshal([]byte(s.post("O", "/api/test/write", body).body), &got))
			if len(got.Errors) != 50 {
				s.Errorf("%d problems", len(got.Errors))
			}
			for _, e := range got.Errors {
				if len(e.Path) > 260 || !strings.HasSuffix(e.Path, "é…") || !strings.HasPrefix(e.Message, e.Path+" ") ||
					!utf8.ValidString(e.Path) {
					s.Errorf("%d bytes of path: %s", len(e.Path), e.Message)
				}
			}
		}
	})
}

func TestListsAreLookedAtNoFurtherThanAnAnswerTells(t *testing.T) {
	t.Parallel()
	eachServer(t, nil, func(s *server) {
		list := func(good, bad int) string {
			return fmt.Sprintf(
				`{"name":"a","entries":[%s]}`,
				strings.TrimSuffix(strings.Repeat(`{"chainId":1,"amount":1},`, good)+strings.Repeat(`{},`, bad), ","),
			)
		}
		most := "entries must have at most 3 items"
		s.equal(problems(s.post("O", "/api/test/write", list(4, 0))), most)
		s.equal(
			problems(s.post("O", "/api/test/write", list(52, 1))),
			most+"|entries.52.amount is required|entries.52.chainId is required",
		)
		s.equal(problems(s.post("O", "/api/test/write", list(53, 1))), most)
		s.equal(problems(s.post("C", "/api/test/write", list(4, 2))), most) // a publishable key learns no more
	})
}

// FuzzBodiesAreJudgedAsHumaJudgesThem holds that the walk finds something where huma does, and nothing where it does
// not.
func FuzzBodiesAreJudgedAsHumaJudgesThem(f *testing.F) {
	for _, seed := range []string{
		`{}`, `{"name":"a"}`, `{"name":null}`, `{"name":["\u0000"],"entries":[null,[],{},{"chainId":null,"amount":[]}]}`, `{"name":"01234567890","percent":0.5,"kind":"x"}`,
		`{"name":"a","userId":"00000000-0000-0000-0000-000000000001","flag":1,"at":{},"note":null,"extra":null,"percent":"1"}`, `{"name":"a","entries":{},"metadata":[]}`,
		`{"name":"a","entries":[{"chainId":1e0,"amount":"x"},{"chainId":2.5,"amount":1e400}],"metadata":{"":[{"a":1e400}]},"kind":{}}`, ` { "name" : "\ud800" } `,
	} {
		f.Add(seed)
	}
	judged := rest.Judged()
	f.Fuzz(func(t *testing.T, body string) {
		if !json.Valid([]byte(body)) || !utf8.ValidString(body) || strings.TrimLeft(body, " \t\r\n")[0] != '{' {
			return
		}
		own, humas, dropped := judged([]byte(body))
		if !dropped && (len(own) == 0) != (len(humas) == 0) {
			t.Fatalf("%s: found %v, huma %v", body, own, humas)
		}
		if len(own) > 100 {
			t.Fatalf("%d problems of %s", len(own), body)
		}
	})
}
