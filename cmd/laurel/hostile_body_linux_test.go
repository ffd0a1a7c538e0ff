package main_test

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"
)

// mebibyte is the size of the largest body that is read.
const mebibyte = 1 << 20

// crammed returns head and tail with the piece between them as often as fits into the largest body, separated by
// commas.
func crammed(head, piece, tail string) []byte {
	room := mebibyte - len(head) - len(tail)
	return []byte(head + strings.TrimSuffix(strings.Repeat(piece+",", room/(len(piece)+1)), ",") + tail)
}

// refusesCheaply sends a request and demands that it is refused, at next to no cost.
func (p *process) refusesCheaply(what string, send func() reply) {
	p.t.Helper()
	var got reply
	used := p.costOf(func() { got = send() })
	used.mustBeCheap(p.t, what)
	if got.status < 400 || got.status >= 500 {
		p.t.Errorf("%s: status %d: %.200s", what, got.status, got.body)
	}
	if len(got.body) > 64<<10 {
		p.t.Errorf("%s: the answer has %d bytes", what, len(got.body))
	}
}

func TestEmptyIDsByTheHundredThousandAreRefusedCheaply(t *testing.T) {
	t.Parallel()
	s, made := hostileServer(t)
	body := crammed(`{"referralCode":"x","userIds":[`, `""`, `]}`)
	for _, key := range []string{made.ClientAPIKey, made.WebsiteAPIKey} {
		s.refusesCheaply("a body of empty userIds", func() reply { return s.caller(key).post("/api/referral/users", body) })
	}
}

func TestAStrangerLearnsNothingOfTheForm(t *testing.T) {
	t.Parallel()
	s, made := hostileServer(t)
	stranger := s.caller(made.ClientAPIKey)
	for _, path := range []string{"/api/referral/users", "/api/referral/codes", "/api/loyalty/questions_responses", completion(made.WebsiteID)} {
		stranger.post(path, object{"userIds": 5, "walletAddress": object{}}).
			refused(t, http.StatusForbidden, "Member token is required")
	}
	stranger.post("/api/referral/users", crammed(`{"userIds":[`, `0`, `]}`)).
		refused(t, http.StatusBadRequest, "userIds must have between 1 and 100 items")
}

// operation is one that takes a body, as the document tells of it.
type operation struct {
	method, path string
	body         schema
	keys         string
}

// TestNoBodyCostsMuch sends every operation that takes a body the worst bodies that its schema allows to think of. What
// is alike in many operations and properties is sent whole to the first of them; the others get a few bodies each, in
// turn.
func TestNoBodyCostsMuch(t *testing.T) {
	t.Parallel()
	s, made := hostileServer(t)
	document := decode[object](t, s.caller("").get("/openapi.json").body)
	wallet := object{"walletAddress": "a member"}
	token := s.caller(made.WebsiteAPIKey).post("/api/users/tokens", wallet).ok(t)["token"].(string)
	operations := operationsOf(document)
	if len(operations) < 25 {
		t.Fatalf("only %d operations take a body", len(operations))
	}
	sent, before := 0, &tried{kinds: map[string]bool{}}
	for _, op := range operations {
		key := made.OrganizationAPIKey
		headers := []string{}
		if strings.Contains(op.keys, "client") {
			key, headers = made.ClientAPIKey, []string{"Authorization", "Bearer " + token}
		}
		caller := s.caller(key)
		for _, b := range op.bodies(document, before) {
			sent++
			s.refusesOrAccepts(op.method+" "+op.path+" with "+b.what, func() reply {
				return caller.must(
					caller.send(op.method, strings.ReplaceAll(op.path, "{id}", made.WebsiteID), []byte(b.text), headers...),
				)
			})
		}
	}
	t.Logf("%d bodies for %d operations", sent, len(operations))
}

// refusesOrAccepts demands that the server does not fail, at next to no cost: some bodies are as good as empty, since
// unknown properties are ignored.
func (p *process) refusesOrAccepts(what string, send func() reply) {
	p.t.Helper()
	var got reply
	used := p.costOf(func() { got = send() })
	used.mustBeCheap(p.t, what)
	if got.status >= 500 || len(got.body) > 64<<10 {
		p.t.Errorf("%s: status %d, %d bytes: %.200s", what, got.status, len(got.body), got.body)
	}
}

// schema is a JSON schema of the document.
type schema object

func (s schema) in(document object) schema {
	for s["$ref"] != nil {
		name := strings.TrimPrefix(s["$ref"].(string), "#/components/schemas/")
		s = document["components"].(object)["schemas"].(object)[name].(object)
	}
	if forms, ok := s["oneOf"].([]any); ok {
		for _, form := range forms {
			if form := schema(form.(object)).in(document); form["properties"] != nil {
				return form
			}
		}
	}
	return s
}

func operationsOf(document object) []operation {
	var out []operation
	paths := document["paths"].(object)
	for _, path := range slices.Sorted(maps.Keys(paths)) {
		for method, op := range paths[path].(object) {
			op, ok := op.(object)
			if !ok || op["requestBody"] == nil {
				continue
			}
			media := op["requestBody"].(object)["content"].(object)["application/json"].(object)
			out = append(out, operation{strings.ToUpper(method), path, media["schema"].(object), op["description"].(string)})
		}
	}
	return out
}

// hostile is one body.
type hostile struct{ what, text string }

// everywhere are values, or pieces of which many make one, that no property expects in such numbers or sizes.
var everywhere = []struct{ what, head, piece, tail string }{
	{
		"empty texts",
		"[",
		`""`,
		"]",
	},
	{"nulls", "[", "null", "]"},
	{"zeros", "[", "0", "]"},
	{"numbers without end", "[", "1e999", "]"},
	{"empty objects", "[", "{}", "]"},
	{"empty arrays", "[", "[]", "]"},
	{"NULs", "[", `"\u0000"`, "]"},
	{"objects of nothing known", "[", `{"":{}}`, "]"},
	{"ids", "[", `"00000000-0000-0000-0000-000000000001"`, "]"},
	{
		"unknown properties",
		"{",
		`"":0`,
		"}",
	},
	{"escaped names", "{", `"\n":0`, "}"},
	{"NULs in names", "{", `"\u0000":0`, "}"},
}

// sizes are single values of a size that no property expects. Their pieces are not separated. All are tried for
// one property of each kind, and a few, in turn, for every other name.
var sizes = []struct{ what, head, piece, tail string }{
	{"a long text", `"`, "a", `"`},
	{"a long url", `"https://`, "%61:", `"`},
	{"a long number in a text", `"`, "9", `"`},
	{
		"a text of escapes",
		`"`,
		`\n`,
		`"`,
	},
	{"a text of surrogates", `"`, `\ud800`, `"`},
	{"a text of NULs", `"`, `\u0000`, `"`},
	{"a long address", `"`, "a@[", `"`},
	{
		"a long number",
		"",
		"9",
		"",
	},
	{"a long fraction", "0.", "9", ""},
	{"a long exponent", "1e", "9", ""},
	{"a number without end", "1e999999999", "", ""},
	{"a small number without end", "1e-999999999", "", ""},
}

// ofEvery is how many bodies everything else gets that is like something before.
const ofEvery = 2

// tried is what was sent to the operations before.
type tried struct {
	kinds map[string]bool
	turn  int // of the bodies of which each operation or property gets a few
}

// first reports whether nothing of the kind was tried before.
func (t *tried) first(kind string) bool {
	before := t.kinds[kind]
	t.kinds[kind] = true
	return !before
}

// of returns the bodies to send now: all of them for the first of a kind, and else as many as ofEvery, in turn.
func of[T any](t *tried, kind string, all []T) []T {
	if t.first(kind) {
		return all
	}
	out := make([]T, min(ofEvery, len(all)))
	for i := range out {
		out[i] = all[t.turn%len(all)]
		t.turn++
	}
	return out
}

func (op operation) bodies(document object, before *tried) []hostile {
	out := of(before, "bodies", []hostile{
		{"nested arrays", `{"a":` + strings.Repeat("[", mebibyte-5)},
		{"nested objects", strings.Repeat(`{"a":`, mebibyte/5)},
		{"deep arrays", `{"a":` + strings.Repeat("[", 9998) + strings.Repeat("]", 9998) + "}"},
		{
			"bytes of no character",
			`{"a":"` + strings.Repeat("\xff", mebibyte-8) + `"}`,
		},
		{"NUL bytes", strings.Repeat("\x00", mebibyte)},
		{"spaces", "{" + strings.Repeat(" ", mebibyte-2) + "}"},
		{"unknown properties", string(crammed("{", `"":0`, "}"))},
		{"escaped names", string(crammed("{", `"\n":0`, "}"))},
	})
	w := walk{tried: before, document: document, out: out}
	w.object(op.body.in(document), "", "{", "}")
	return w.out
}

// walk goes through the properties of a body. Properties of the same kind are tried once for all operations where only
// the value differs.
type walk struct {
	*tried
	document object
	out      []hostile
}

func (w *walk) object(s schema, path, head, tail string) {
	properties, _ := s["properties"].(object)
	for _, name := range slices.Sorted(maps.Keys(properties)) {
		property := schema(properties[name].(object)).in(w.document)
		at, before := path+"."+name, head+`"`+name+`":`
		if w.first("twice ." + name) {
			w.add("the property "+at+" again and again", crammed(head, `"`+name+`":0`, tail))
		}
		w.values(property, at, before, tail)
		if property["properties"] != nil {
			w.object(property, at, before+"{", "}"+tail)
		}
		if items, ok := property["items"].(object); ok {
			items := schema(items).in(w.document)
			w.many(items, at, before, tail)
			if items["properties"] != nil {
				w.object(items, at+".0", before+"[{", "}]"+tail)
			}
		}
	}
}

// values sends what the property does not expect: arrays everywhere where it is an array or takes anything, and single
// values by kind.
func (w *walk) values(s schema, at, head, tail string) {
	anything := s["type"] == nil && s["oneOf"] == nil || s["additionalProperties"] != nil
	kind := fmt.Sprint(s["type"], s["format"], s["pattern"], s["oneOf"], s["enum"] != nil)
	if anything || s["items"] != nil || s["type"] == "object" || !w.kinds["values "+kind] {
		for _, e := range of(w.tried, "values "+kind, everywhere) {
			w.add(e.what+" as "+at, crammed(head+e.head, e.piece, e.tail+tail))
			if anything {
				w.add(e.what+" in an object as "+at, crammed(head+`{"a":`+e.head, e.piece, e.tail+"}"+tail))
			}
		}
	}
	if name := at[strings.LastIndexByte(at, '.'):]; w.first("sizes of "+name) || !w.kinds["sizes "+kind] {
		for _, e := range of(w.tried, "sizes "+kind, sizes) {
			times := 0
			if e.piece != "" {
				times = (mebibyte - len(head+e.head+e.tail+tail)) / len(e.piece)
			}
			w.add(e.what+" as "+at, []byte(head+e.head+strings.Repeat(e.piece, times)+e.tail+tail))
		}
	}
	if s["additionalProperties"] != nil {
		w.free(at, head, tail)
	}
}

// free sends what is worst where anything is allowed: names that make long paths, and depth.
func (w *walk) free(at, head, tail string) {
	long := strings.Repeat("n", 900_000)
	w.add(
		"a long name before faults in "+at,
		[]byte(head+`{"`+long+`":[`+strings.TrimSuffix(strings.Repeat(`"\u0000",`, 50), ",")+`]}`+tail),
	)
	w.add(
		"a long name before numbers without end in "+at,
		[]byte(head+`{"`+long+`":[`+strings.TrimSuffix(strings.Repeat(`1e999,`, 50), ",")+`]}`+tail),
	)
	name := strings.Repeat("n", 95)
	w.add(
		"depth with long names in "+at,
		[]byte(head+strings.Repeat(`{"`+name+`":`, 9_900)+`"\u0000"`+strings.Repeat("}", 9_900)+tail),
	)
	w.add("depth in "+at, []byte(head+strings.Repeat(`{"":`, 9_900)+`[1e999,"\u0000"]`+strings.Repeat("}", 9_900)+tail))
}

// many sends arrays with as many items as they may hold, and more, of which each is as large as fits or breaks as many
// rules as it can.
func (w *walk) many(items schema, at, head, tail string) {
	properties, _ := items["properties"].(object)
	for _, name := range slices.Sorted(maps.Keys(properties)) {
		values := []string{"null", `""`, "{}"}
		if !w.first("items with " + name) {
			values = values[:1]
		}
		for _, value := range values {
			w.add(
				fmt.Sprintf("items of which %s is %s in %s", name, value, at),
				crammed(head+"[", `{"`+name+`":`+value+`}`, "]"+tail),
			)
		}
		property := schema(properties[name].(object)).in(w.document)
		if property["items"] == nil && property["additionalProperties"] == nil {
			continue
		}
		for _, e := range of(w.tried, "fifty", everywhere) { // fifty items share the room
			part := crammed(head+"["+`{"`+name+`":`+e.head, e.piece, e.tail+"}]"+tail)
			share := strings.TrimSuffix(strings.Repeat(e.piece+",", len(part)/51/(len(e.piece)+1)), ",")
			item := `{"` + name + `":` + e.head + share + e.tail + "}"
			w.add(
				fmt.Sprintf("fifty times %s in %s of %s", e.what, name, at),
				[]byte(head+"["+strings.TrimSuffix(strings.Repeat(item+",", 50), ",")+"]"+tail),
			)
		}
	}
}

func (w *walk) add(what string, body []byte) { w.out = append(w.out, hostile{what, string(body)}) }

func TestHeadsOfManyPartsAreCheap(t *testing.T) {
	t.Parallel()
	s, made := hostileServer(t)
	c := s.caller(made.ClientAPIKey)
	const room = 60 << 10
	for what, query := range map[string]string{
		"one parameter again and again": strings.Repeat("userId=&", room/8), "indexed parameters": strings.Repeat("userId[1]=1&", room/12),
		"a list of nothing": "userId=" + strings.Repeat(",", room), "a list of texts": "walletAddress=" + strings.Repeat("a,", room/2),
		"different texts": "walletAddress=" + strings.Join(numbers(room/6), ","), "NULs": strings.Repeat("userId=%00&", room/11),
		"unknown parameters": strings.Join(numbers(room/6), "=&"), "escapes": "%" + strings.Repeat("25", room/2), "a long id": "startingAfter=" + strings.Repeat("0", room),
	} {
		for _, path := range []string{"/api/users", "/api/loyalty/rules", "/api/loyalty/transaction_entries", "/api/referral/users"} {
			s.refusesOrAccepts(what+" at "+path, func() reply { return c.get(path + "?" + query) })
		}
	}
	s.refusesOrAccepts("many headers", func() reply {
		var headers []string
		for _, n := range numbers(room / 16) {
			headers = append(headers, "X-A"+n, "b")
		}
		return c.post("/api/referral/users", object{}, headers...)
	})
	s.refusesOrAccepts("a media type with parameters", func() reply {
		return c.post(
			"/api/referral/users",
			object{},
			"Content-Type",
			"application/json; a*"+strings.Join(numbers(room/10), "=b; a*")+"=c",
		)
	})
	for _, name := range []string{"Authorization", "Idempotency-Key", "X-Request-Id", "X-Forwarded-For", "Origin"} {
		s.refusesOrAccepts("a long "+name, func() reply {
			return c.post("/api/referral/users", object{}, name, "Bearer "+strings.Repeat("a.,", room/3))
		})
	}
}

func numbers(n int) []string {
	out := make([]string, n)
	for i := range out {
		out[i] = fmt.Sprintf("%05d", i)
	}
	return out
}
