package rest_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"laurel.example/laurel/internal/api/rest"
)

const (
	one = "01890000-0000-7000-8000-00000000000a"
	two = "01890000-0000-7000-8000-00000000000b"
)

func TestOneOrManyValuesTakeEveryForm(t *testing.T) {
	t.Parallel()
	eachServer(t, nil, func(s *server) {
		for _, query := range []string{
			"userId=" + one + "&userId=" + two, "userId[]=" + one + "&userId[]=" + two, "userId[0]=" + one + "&userId[1]=" + two,
			"userId%5B%5D=" + one + "&userId%5B%5D=" + two, "userId=" + one + "," + two, "userId=" + one + "%2C" + two,
			"userId=" + strings.ToUpper(one) + "&userId=" + two + "," + one + "&userId=,", "x=1&userId=" + one + "&y&userId=" + two + "&&",
		} {
			got := read[rest.Echo](s, s.get("R", "/api/test/echo?"+query))
			if len(got.IDs) != 2 || got.IDs[0].String() != one || got.IDs[1].String() != two || got.Null {
				s.Errorf("%s: %v", query, got.IDs)
			}
		}
		got := read[rest.Echo](s, s.get("R", "/api/test/echo?walletAddress=a&walletAddress[]=B&walletAddress=a,c%20d"))
		if !slices.Equal(got.Texts, []string{"a", "B", "c d"}) {
			s.Error(got.Texts)
		}
		s.equal(read[rest.Echo](s, s.get("R", "/api/test/echo?text=a,b&text=c")).Text, "a,b")
		for _, query := range []string{"userId=", "userId", "userId[]="} {
			if got := read[rest.Echo](s, s.get("R", "/api/test/echo?"+query)); !got.Null || got.IDs != nil {
				s.Errorf("%s: %v", query, got)
			}
		}
		if got := read[rest.Echo](
			s,
			s.get("R", "/api/test/echo?text=&flag=&since=&limit=&startingAfter=&kind="),
		); got.Limit != 100 || got.Flag != nil ||
			got.Since != nil {
			s.Error("an empty value is as if absent:", got)
		}
		unmatched := read[rest.Echo](s, s.get("R", "/api/test/echo?userId=00000000-0000-0000-0000-000000000000"))
		if len(unmatched.IDs) != 1 || unmatched.IDs[0].IsZero() {
			s.Error("the nil UUID must stay a filter:", unmatched.IDs)
		}
	})
}

func TestQueryKinds(t *testing.T) {
	t.Parallel()
	eachServer(t, nil, func(s *server) {
		for text, want := range map[string]bool{"true": true, "TRUE": true, "1": true, "false": false, "False": false, "0": false} {
			if got := read[rest.Echo](s, s.get("R", "/api/test/echo?flag="+text)); got.Flag == nil || *got.Flag != want {
				s.Error(text, got.Flag)
			}
		}
		for text, want := range map[string]string{
			"2026-01-15": "2026-01-15T00:00:00.000Z", "2026-01-15T12:00:00Z": "2026-01-15T12:00:00.000Z",
			"2026-01-15T12:00:00.1234%2B02:00": "2026-01-15T10:00:00.123Z",
		} {
			s.equal(read[rest.Echo](s, s.get("R", "/api/test/echo?since="+text)).Since.String(), want)
		}
		for text, want := range map[string]int{"1": 1, "1000": 1000, "100": 100} {
			if got := read[rest.Echo](s, s.get("R", "/api/test/echo?limit="+text)); got.Limit != want {
				s.Error(text, got.Limit)
			}
		}
	})
}

func TestBadQueriesNameEveryProblem(t *testing.T) {
	t.Parallel()
	many := make([]string, 101)
	for i := range many {
		many[i] = fmt.Sprintf("01890000-0000-7000-8000-%012d", i)
	}
	eachServer(t, nil, func(s *server) {
		for query, message := range map[string]string{
			"limit=0": "limit must be between 1 and 1000", "limit=1001": "limit must be between 1 and 1000", "limit=x": "limit must be a number",
			"limit=99999999999999999999": "limit must be between 1 and 1000", "limit=1.5": "limit must be a number",
			"flag=yes": "flag must be a boolean", "since=2026-13-01": "since must be an ISO 8601 date-time", "since=1": "since must be an ISO 8601 date-time",
			"kind=Credit": "kind must be one of: credit, debit", "userId=x": "userId must be a uuid", "userId=" + one + ",x": "userId must be a uuid",
			"startingAfter={" + one + "}": "startingAfter must be a uuid", "websiteId=1": "websiteId must be a uuid",
			"userId=" + strings.Join(many, ","):            "userId must have at most 100 items",
			"userId[]=" + strings.Join(many, "&userId[]="): "userId must have at most 100 items",
			"text=" + strings.Repeat("x", 2049):            "text must be at most 2048 characters",
			"text=a%00b":                                   "text must be valid text without NUL", "walletAddress=%ff": "walletAddress must be valid text without NUL",
			"userId=%00": "userId must be valid text without NUL",
		} {
			r := s.get("R", "/api/test/echo?"+query)
			s.refused(r, 400, message)
			path, _, _ := strings.Cut(message, " ")
			s.equal(r.body, fmt.Sprintf(
				`{"message":%q,"code":"invalid_request","errors":[{"path":%q,"code":%q,"message":%q}]}`,
				message, path, rest.CodeOfProblem(path, message), message,
			))
		}
		if got := read[rest.Echo](
			s,
			s.get("R", "/api/test/echo?userId="+strings.Join(many[1:], ",")+","+many[1]),
		); len(got.IDs) != 100 {
			s.Error("duplicates are dropped before they are counted:", len(got.IDs))
		}
		s.equal(problems(s.get("R", "/api/test/needed")), "loyaltyRuleId is required")
		s.equal(problems(s.get("R", "/api/test/needed?loyaltyRuleId=")), "loyaltyRuleId is required")
		s.equal(
			problems(s.get("R", "/api/test/needed?loyaltyRuleId=true&limit=101")),
			"loyaltyRuleId must be a uuid|limit must be between 1 and 100",
		)
		if r := s.get("R", "/api/test/needed?loyaltyRuleId="+one+"&unknown=1&_=x&%7a=%00"); r.status != 200 {
			s.Error("unknown parameters are ignored:", r)
		}
	})
}

// problems joins the messages of an invalid input, and shows where one does not belong to its path.
func problems(r reply) string {
	var body struct {
		Message string
		Errors  []struct{ Path, Message string }
	}
	if r.status != 400 || json.Unmarshal([]byte(r.body), &body) != nil {
		return r.body
	}
	texts := make([]string, len(body.Errors))
	for i, e := range body.Errors {
		texts[i] = e.Message
		if !strings.HasPrefix(e.Message, e.Path+" ") {
			texts[i] = e.Path + "!" + texts[i]
		}
	}
	if len(texts) == 0 || body.Message != texts[0] {
		return "message " + body.Message
	}
	return strings.Join(texts, "|")
}

func TestBadBodiesNameEveryProblem(t *testing.T) {
	t.Parallel()
	eachServer(t, nil, func(s *server) {
		for body, want := range map[string]string{
			`{}`:                        "name is required",
			`{"name":null}`:             "name is required",
			`{"name":5}`:                "name must be a string",
			`{"name":""}`:               "name must be at least 1 character",
			`{"name":"01234567890"}`:    "name must be at most 10 characters",
			`{"name":"a","userId":"x"}`: "userId must be a uuid",
			`{"name":"a","userId":"urn:uuid:` + one + `"}`: "userId must be a uuid",
			`{"name":"a","amount":"x"}`:                    "amount must be a number",
			`{"name":"a","amount":true}`:                   "amount must be a number",
			`{"name":"a","amount":{}}`:                     "amount must be a number",
			`{"name":"a","amount":0.1234567}`:              "amount must have at most 6 decimal places",
			`{"name":"a","amount":1e300}`:                  "amount must be less than 9000000000000 in absolute value",
			`{"name":"a","extra":"x"}`:                     "extra must be a number",
			`{"name":"a","note":5}`:                        "note must be a string",
			`{"name":"a","percent":0}`:                     "percent must be between 1 and 100",
			`{"name":"a","percent":101}`:                   "percent must be between 1 and 100",
			`{"name":"a","percent":"5"}`:                   "percent must be a number",
			`{"name":"a","kind":"x"}`:                      "kind must be one of: credit, debit",
			`{"name":"a","flag":"true"}`:                   "flag must be a boolean",
			`{"name":"a","at":"yesterday"}`:                "at must be an ISO 8601 date-time",
			`{"name":"a","at":"2026-02-30T00:00:00Z"}`:     "at must be an ISO 8601 date-time",
			`{"name":"a","at":5}`:                          "at must be a string",
			`{"name":"a","metadata":[]}`:                   "metadata must be an object",
			`{"name":"a","entries":{}}`:                    "entries must be an array",
			`{"name":"a","entries":[{"chainId":1,"amount":"1"},{"chainId":1.5,"amount":"y"},{"amount":1}]}`: "entries.1.chainId must be an integer|entries.2.chainId is required|entries.1.amount must be a number",
			`{"name":"a","entries":[{"chainId":1,"amount":1},1,2,3]}`:                                       "entries must have at most 3 items|entries.1 must be an object|entries.2 must be an object|entries.3 must be an object",
			`{"name":5,"amount":"x","percent":200}`:                                                         "name must be a string|percent must be between 1 and 100|amount must be a number",
			`{"name":"a\u0000","metadata":{"k":["\u0000"]}}`:                                                "metadata.k.0 must not contain NUL characters|name must not contain NUL characters",
		} {
			if got := problems(s.post("O", "/api/test/write", body)); got != want {
				s.Errorf("%s:\n got %s\nwant %s", body, got, want)
			}
		}
		wrong := strings.Repeat(`{"chainId":"x"},`, 40)
		r := s.post("O", "/api/test/write", `{"name":"secret value","entries":[`+strings.TrimSuffix(wrong, ",")+`]}`)
		if n := strings.Count(r.body, `"path"`); n != 50 || strings.Contains(r.body, "secret value") {
			s.Errorf("%d problems: %s", n, r.body)
		}
	})
}

func TestGoodBodiesAreReadAndAnsweredInTheFormsOfTheContract(t *testing.T) {
	t.Parallel()
	eachServer(t, nil, func(s *server) {
		for body, want := range map[string]string{
			`{"name":"a"}`: `{"name":"a","userId":null,"amount":0,"at":null,"note":"","metadata":{},"total":0,"key":"shown once"}`,
			`{"name":"<é>","userId":"` + strings.ToUpper(one) + `","amount":"1.50","at":"2026-01-15T12:00:00+02:00","note":"n","unknown":[1]}`: `{"name":"<é>","userId":"` + one + `","amount":1.5,"at":"2026-01-15T10:00:00.000Z","note":"n","metadata":{},"total":0,"key":"shown once"}`,
			`{"name":"a","amount":1e3,"at":"2026-01-15","metadata":{"b":1.0,"a":{"x":"\u00e9"}},"userId":null,"note":null}`:                    `{"name":"a","userId":null,"amount":1000,"at":"2026-01-15T00:00:00.000Z","note":"","metadata":{"b":1.0,"a":{"x":"\u00e9"}},"total":0,"key":"shown once"}`,
			`{"name":"a","amount":0.000001,"entries":[{"chainId":1,"amount":"8999999999998.999999"},{"chainId":2,"amount":1}]}`:                `{"name":"a","userId":null,"amount":0.000001,"at":null,"note":"","metadata":{},"total":8999999999999.999999,"chains":[1,2],"key":"shown once"}`,
			`{"name":"a","note":"\\u0000"}`: `{"name":"a","userId":null,"amount":0,"at":null,"note":"\\u0000","metadata":{},"total":0,"key":"shown once"}`,
		} {
			s.equal(s.post("O", "/api/test/write", body).body, want)
		}
	})
}

func TestLimitsOfListsHaveTheirDefaults(t *testing.T) {
	t.Parallel()
	for text, limits := range map[string][3]string{"": {"100", "100", "10"}, "99": {"99", "99", "99"}} {
		var a rest.Limit1000
		var b rest.Limit100
		var c rest.Limit10
		if text != "" {
			for _, p := range []interface{ UnmarshalText([]byte) error }{&a, &b, &c} {
				must(t, p.UnmarshalText([]byte(text)))
			}
		}
		if got := [3]string{fmt.Sprint(a.Or()), fmt.Sprint(b.Or()), fmt.Sprint(c.Or())}; got != limits {
			t.Error(text, got)
		}
	}
	var b rest.Limit100
	if b.UnmarshalText([]byte("101")) == nil {
		t.Error("101 is too many")
	}
}
