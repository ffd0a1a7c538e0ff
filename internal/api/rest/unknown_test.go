package rest_test

import (
	"fmt"
	"strings"
	"testing"
)

func TestACompressedBodyIsRefusedAsOne(t *testing.T) {
	t.Parallel()
	eachServer(t, nil, func(s *server) {
		for coding, want := range map[string]int{
			"gzip": 415, "br": 415, "Deflate": 415, "identity, gzip": 415, "identity": 200, "Identity, identity": 200,
		} {
			r := s.do(call{method: "POST", path: "/api/test/write", key: "O", body: `{"name":"a"}`, headers: []string{"Content-Encoding: " + coding}})
			if r.status != want || want == 415 && (r.header.Get("Accept-Encoding") != "identity" ||
				!strings.Contains(r.body, "Content-Encoding must be identity")) {
				s.Errorf("%s: %d %v %s", coding, r.status, r.header, r.body)
			}
		}
	})
}

func TestIgnoredPathsFitIntoAHeader(t *testing.T) {
	t.Parallel()
	eachServer(t, nil, func(s *server) {
		var many strings.Builder
		for i := range 100 {
			fmt.Fprintf(&many, `"%d\r\n%s":1,`, i, strings.Repeat("é,", 500))
		}
		body := `{"NAME":1,"entries":[{"chainId":1,"amount":1,"chain":2}],"twice":1,"twice":2,` + many.String() + `"name":"a"}`
		r := s.post("O", "/api/test/write", body)
		ignored := strings.Split(r.header.Get("Laurel-Ignored"), ", ")
		if len(ignored) != 10 || len(r.header.Get("Laurel-Ignored")) > 1000 || ignored[0] != "NAME" || ignored[1] != "twice" ||
			!strings.HasPrefix(ignored[2], "0%0D%0A%C3%A9%2C") || !strings.HasSuffix(ignored[2], "...") {
			s.Errorf("%d named: %q", r.status, ignored)
		}
		strict := s.do(call{method: "POST", path: "/api/test/write", key: "O", body: body, headers: []string{"Prefer: " + `respond-async, HANDLING = "strict"; a=b, handling=lenient`}})
		if strict.status != 400 || strings.Count(strict.body, "is not a known property") != 51 ||
			strict.header.Get("Laurel-Ignored") != "" || strict.header.Get("Preference-Applied") != "handling=strict" {
			s.Errorf("strict: %d %v %.300s", strict.status, strict.header, strict.body)
		}
		for _, lenient := range []string{"handling=lenient, handling=strict", "handling", "strict", "return=minimal"} {
			if r := s.do(call{method: "POST", path: "/api/test/write", key: "O", body: `{"name":"a","x":1}`, headers: []string{"Prefer: " + lenient}}); r.status != 200 ||
				r.header.Get("Laurel-Ignored") != "x" || r.header.Get("Preference-Applied") != "" {
				s.Errorf("%s: %d %v", lenient, r.status, r.header)
			}
		}
		for query, want := range map[string]string{
			"limit=1&Limit=2": "Limit is not a known parameter", "userId[]=&userId[1]=&x[]=1&x[2]=1": "x is not a known parameter",
			"kind[x]=credit": "kind[x] is not a known parameter", "&&limit=1&": "",
		} {
			if got := s.do(call{method: "GET", path: "/api/test/echo?" + query, key: "O", headers: []string{"Prefer: handling=strict"}}); want != "" && problems(got) != want ||
				want == "" && got.status != 200 {
				s.Errorf("%s: %d %s", query, got.status, got.body)
			}
		}
	})
}
