package rest_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"laurel.example/laurel/internal/api/rest"
)

func TestNamesOfPropertiesMatchExactly(t *testing.T) {
	t.Parallel()
	eachServer(t, nil, func(s *server) {
		written := func(body string) rest.Written {
			s.Helper()
			return read[rest.Written](s, s.post("O", "/api/test/write", body))
		}
		for _, body := range []string{
			`{"name":"a","amount":1,"AMOUNT":"99"}`, `{"AMOUNT":"99","name":"a","amount":1}`, `{"name":"a","Amount":"abc","amount":1}`,
			`{"NAME":"b","name":"a","amount":1,"Note":5}`, `{"name":"a","\u0061mount":1,"\u0041mount":2}`, `{"name":"a","amount":2,"amount":1}`,
			`{"name":"a","amount":1,"unknown":[1e400,"\u0000",{"amount":7}]}`,
		} {
			if got := written(body); got.Name != "a" || got.Amount.String() != "1" || got.Note != "" {
				s.Errorf("%s: %v", body, got)
			}
		}
		got := written(`{"name":"a","entries":[{"chainId":1,"amount":5,"Amount":50},{"chainId":2,"amount":6,"AMOUNT":"x"}]}`)
		s.equal(got.Total.String(), "11")
		s.equal(problems(s.post("O", "/api/test/write", `{"NAME":"a"}`)), "name is required")
		s.equal(
			problems(
				s.post(
					"O",
					"/api/test/write",
					`{"name":"a","entries":[{"chainId":1,"amount":5}],"entries":[{"CHAINID":1,"amount":1}]}`,
				),
			),
			"entries.0.chainId is required",
		)
		kept := `{ "Amount":1, "amount" : 2.0,"amount":3, "x":[1E2 ,{}] }`
		if r := s.post(
			"O",
			"/api/test/write",
			`{"unknown":1,"name":"a","metadata":`+kept+`}`,
		); !strings.Contains(
			r.body,
			strings.ReplaceAll(kept, " ", ""),
		) {
			s.Error("free objects stay as sent:", r.body)
		}
	})
}

func TestWholeNumbersTakeEveryFormOfJSON(t *testing.T) {
	t.Parallel()
	eachServer(t, nil, func(s *server) {
		for form, want := range map[string]int{
			"2": 2, "2.0": 2, "3600.000": 3600, "1e1": 10, "1E+1": 10, "12.5e1": 125, "100e-2": 1, "-0": 0, "0.0": 0, "-1.0": -1, "0e-5": 0, "1.50e3": 1500,
			"9007199254740993.0": 9007199254740993, "9223372036854775807": 9223372036854775807,
		} {
			got := read[rest.Written](
				s,
				s.post("O", "/api/test/write", `{"name":"a","entries":[{"amount":1,"chainId":`+form+`}]}`),
			)
			if len(got.Chains) != 1 || got.Chains[0] != want {
				s.Errorf("%s became %d", form, got.Chains)
			}
		}
		for _, form := range []string{
			"2.5", "1e30", "99999999999999999999", "9223372036854775808", "-9223372036854775809", "1e400", "-1e400", "1e-1", "5e-1", "-5e-1", "1e99999999999999999999",
			"1" + strings.Repeat("0", 400), `"1"`, "true",
		} {
			r := s.post(
				"O",
				"/api/test/write",
				`{"name":"a","entries":[{"amount":1,"chainId":1},{"amount":1,"chainId":`+form+`}]}`,
			)
			s.equal(
				r.body,
				`{"message":"entries.1.chainId must be an integer","code":"invalid_request","errors":[{"path":"entries.1.chainId","code":"not_an_integer","message":"entries.1.chainId must be an integer"}]}`,
			)
		}
		for body, want := range map[string]string{
			`{"name":"a","percent":1e400}`:                                       "percent must be a number",
			`{"name":1e400}`:                                                     "name must be a string",
			`{"name":"a","kind":1e400}`:                                          "kind must be a string",
			`{"name":"a","flag":1e400}`:                                          "flag must be a boolean",
			`{"name":"a","note":1e400}`:                                          "note must be a string",
			`{"name":"a","amount":1e400}`:                                        "amount must be less than 9000000000000 in absolute value",
			`{"name":"a","entries":1e400}`:                                       "entries must be an array",
			`{"name":"a","entries":[1e400]}`:                                     "entries.0 must be an object",
			`{"name":"a","entries":[{"chainId":1,"amount":1e400}]}`:              "entries.0.amount must be less than 9000000000000 in absolute value",
			`{"name":"a","metadata":1e400}`:                                      "metadata must be an object",
			`{"name":"a","metadata":{"a":[1,{"b":-1e400}],"c":"1e400","d":1e5}}`: "metadata.a.1.b must be a number",
			`{"name":"0123456789x","percent":1e400,"entries":[{"chainId":1e30,"amount":1}]}`: "percent must be a number|entries.0.chainId must be an integer|name must be at most 10 characters",
		} {
			if got := problems(s.post("O", "/api/test/write", body)); got != want {
				s.Errorf("%s:\n got %s\nwant %s", body, got, want)
			}
		}
	})
}

func TestBodiesInPlainFormAreNotTouched(t *testing.T) {
	t.Parallel()
	tidied := rest.Tidied()
	for _, body := range []string{
		`{}`, ` { "name" : "a" } `, `{"name":"a","entries":[],"metadata":{"Amount":1,"amount":1e2,"amount":2.0}}`,
		`{"name":"\"\\","entries":[{"chainId":1,"amount":1.50},{"chainId":-2,"amount":"1e2"}],"note":null,"percent":1.0}`,
	} {
		if got, misread := tidied([]byte(body)); string(got) != body || misread != nil {
			t.Errorf("%s became %s, %v", body, got, misread)
		}
	}
}

func FuzzTidiedBodiesMeanTheSame(f *testing.F) {
	for _, seed := range []string{
		`{"name":"a","AMOUNT":1,"entries":[{"chainId":2.0,"amount":"1"}, {"x":[{}]}] , "metadata":{"a\"}":[1e400,[]]}}`,
		`{"n\u0061me":"\\","entries":{"chainId":1e1},"name":1e400}`, `{"entries":[[],1,"]",{"chainId":12e-1}]}`, `{}`,
	} {
		f.Add(seed)
	}
	tidied := rest.Tidied()
	known := map[string]bool{
		"name":     true,
		"userId":   true,
		"amount":   true,
		"percent":  true,
		"kind":     true,
		"flag":     true,
		"at":       true,
		"note":     true,
		"extra":    true,
		"entries":  true,
		"metadata": true,
	}
	f.Fuzz(func(t *testing.T, body string) {
		if !json.Valid([]byte(body)) || !strings.HasPrefix(body, "{") {
			return
		}
		tidy, misread := tidied([]byte(body))
		if again, more := tidied(tidy); !bytes.Equal(again, tidy) || more != nil {
			t.Fatalf("%s became %s, and that %s", body, tidy, again)
		}
		var sent, got map[string]any
		if err := json.Unmarshal(tidy, &got); err != nil {
			t.Fatalf("%s became %s: %v", body, tidy, err)
		}
		if misread != nil || json.Unmarshal([]byte(body), &sent) != nil {
			return
		}
		for name := range sent {
			if !known[name] {
				delete(sent, name)
			}
		}
		delete(sent, "entries") // their properties are dropped as well
		delete(got, "entries")
		if !reflect.DeepEqual(sent, got) {
			t.Fatalf("%s became %s", body, tidy)
		}
	})
}

func BenchmarkTidied(b *testing.B) {
	tidied := rest.Tidied()
	entries := strings.TrimSuffix(strings.Repeat(`{"chainId":1,"amount":"12.5"},`, 20), ",")
	for name, last := range map[string]string{"plain": `"note":"n"`, "unknown": `"Note":"n"`} {
		body := []byte(
			fmt.Sprintf(
				`{"name":"a","userId":%q,"amount":12.5,"entries":[%s],"metadata":{"order":"A-1","lines":[1,2,3]},%s}`,
				one,
				entries,
				last,
			),
		)
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(body)))
			for b.Loop() {
				tidied(body)
			}
		})
		b.Run(name+" decoded", func(b *testing.B) { // what huma does with each body, to compare
			b.SetBytes(int64(len(body)))
			for b.Loop() {
				var v any
				if err := json.Unmarshal(body, &v); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
