package app_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/api/rest"
	"laurel.example/laurel/internal/dev/apptest"
)

var update = flag.Bool("update", false, "choose the examples of the OpenAPI document from recorded calls")

// examplesFile holds the examples of the OpenAPI document.
var examplesFile = filepath.Join("..", "api", "texts", "examples.json")

// TestEveryOperationHasAnExample compares the examples with the schemas of their operations. With -update it chooses
// them anew from the calls of LAUREL_RECORD_CALLS, as make examples does.
func TestEveryOperationHasAnExample(t *testing.T) {
	t.Parallel()
	if *update {
		chooseExamples(t)
		return
	}
	d, err := apptest.Document()
	mustDo(t, err)
	operations := 0
	for path, item := range d.Document["paths"].(object) {
		for method, part := range item.(object) {
			operations++
			at, op := strings.ToUpper(method)+" "+path, part.(object)
			status := "200"
			if op["responses"].(object)["201"] != nil {
				status = "201"
			}
			checkExample(t, d, at+" answers", "paths", path, method, "responses", status)
			if op["requestBody"] != nil {
				checkExample(t, d, at+" takes", "paths", path, method, "requestBody")
			}
		}
	}
	if operations < 190 {
		t.Errorf("%d operations", operations)
	}
}

// checkExample fails unless the part of the document has an example that its schema accepts.
func checkExample(t *testing.T, d *apptest.Schemas, what string, parts ...string) {
	t.Helper()
	here := any(d.Document)
	parts = append(parts, "content", "application/json")
	for _, part := range parts {
		here = here.(object)[part]
	}
	example, ok := here.(object)["example"]
	if !ok {
		t.Errorf("%s: there is no example", what)
		return
	}
	schema, err := d.At(append(parts, "schema")...)
	mustDo(t, err)
	if err := schema.Validate(example); err != nil {
		t.Errorf("%s what is not of its schema: %v", what, err)
	}
}

func mustDo(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// chooseExamples writes the examples file: of each operation the recorded call that says most, in a neutral form. An
// operation without a recorded call keeps its example.
func chooseExamples(t *testing.T) {
	t.Helper()
	examples := map[string]rest.RecordedCall{}
	former, err := os.ReadFile(examplesFile)
	mustDo(t, err)
	mustDo(t, json.Unmarshal(former, &examples))
	file, err := os.Open(os.Getenv(apptest.RecordFile))
	mustDo(t, err)
	defer func() { _ = file.Close() }()
	type choice struct {
		score int
		text  string
	}
	best := map[string]choice{}
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var call apptest.Recorded
		mustDo(t, json.Unmarshal(lines.Bytes(), &call))
		if strings.HasSuffix(call.Operation, " ") { // of no path of the document
			continue
		}
		example := neutral(t, call)
		text, err := json.Marshal(example)
		mustDo(t, err)
		next := choice{score: scoreOf(t, example), text: string(text)}
		now, known := best[call.Operation]
		if !known || next.score > now.score || next.score == now.score && next.text < now.text {
			best[call.Operation] = next
			examples[call.Operation] = example
		}
	}
	mustDo(t, lines.Err())
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", " ")
	mustDo(t, enc.Encode(examples))
	mustDo(t, os.WriteFile(examplesFile, out.Bytes(), 0o644)) //nolint:gosec // a file of the repository
}

// scoreOf rates an example: the more properties have a value the better, a page with items before an empty one; long
// ones, names of one letter and texts that tests have broken are worse.
func scoreOf(t *testing.T, example rest.RecordedCall) int {
	t.Helper()
	score, seen := 0, map[string]bool{}
	var visit func(name string, value any)
	visit = func(name string, value any) {
		if strings.Contains(name, "etadata.") { // what callers store says nothing of the operation
			return
		}
		switch v := value.(type) {
		case object:
			for _, key := range slices.Sorted(maps.Keys(v)) {
				visit(name+"."+key, v[key])
			}
		case []any:
			if name == "response.data" && len(v) == 0 {
				score -= 100
			}
			for _, item := range v {
				visit(name, item)
			}
		case string:
			if strings.HasSuffix(name, "ame") && len(v) < 3 {
				score -= 2
			}
			if strings.HasPrefix(v, "0x00000000") && !strings.Contains(strings.ToLower(name), "address") {
				score -= 20 // a test has put a wallet where texts are
			}
			if v != "" && !seen[name] {
				score, seen[name] = score+2, true
			}
		case nil:
		default:
			if text := fmt.Sprint(v); text != "0" && text != "false" && !seen[name] {
				score, seen[name] = score+1, true
			}
		}
	}
	visit("response", decoded(t, example.Response))
	visit("body", decoded(t, example.Body))
	if text := string(example.Body) + string(example.Response); strings.Contains(text, "\uFFFD") ||
		strings.Contains(text, `"twice"`) {
		score -= 200
	}
	return score - (len(example.Response)+len(example.Body))/100
}

// decoded decodes JSON; nil for none.
func decoded(t *testing.T, text json.RawMessage) any {
	t.Helper()
	if len(text) == 0 {
		return nil
	}
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	mustDo(t, err)
	return value
}

var (
	exampleID = regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}`)
	aTime     = regexp.MustCompile(`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$`)
	aServer   = regexp.MustCompile(`https?://(127\.0\.0\.1|localhost|\[::1\])(:\d+)?`)
	aKey      = regexp.MustCompile(`lrl_([a-z]+)_[0-9A-Za-z]+`)
	aSigner   = regexp.MustCompile(`whsec_[0-9A-Za-z+/=]+`)
	anUpload  = regexp.MustCompile(`/uploads/[^?"]+`)
	aToken    = regexp.MustCompile(`^[\w-]{16,}\.[\w-]{16,}(\.[\w-]{16,})?$`)
	aPrefix   = regexp.MustCompile(`^(lrl_[a-z]+_).*`)
	aName     = regexp.MustCompile(`^An? ([a-z]+)_([a-z_]+)$`)
)

// form gives ids, times and members of an example stable values.
type form struct {
	ids, members, keys, times map[string]string
	ofWallets                 bool // the operation is about wallets, which stay as they are
}

// neutral returns a recorded call with stable values: ids are numbered in their order, times are hours apart in their
// order, members have customer numbers, and secrets and addresses of servers are left out. Lists keep two items, pages
// one.
func neutral(t *testing.T, call apptest.Recorded) rest.RecordedCall {
	t.Helper()
	body, response := decoded(t, call.Body), decoded(t, call.Response)
	f := form{
		ids: map[string]string{}, members: map[string]string{}, keys: map[string]string{}, times: map[string]string{},
		ofWallets: strings.Contains(call.Operation, "/connect") || strings.Contains(call.Operation, "/delegations") ||
			strings.Contains(call.Operation, "/token_claims"),
	}
	var moments []string
	visitTexts(body, func(text string) { moments = append(moments, text) })
	visitTexts(response, func(text string) { moments = append(moments, text) })
	moments = slices.DeleteFunc(moments, func(text string) bool { return !aTime.MatchString(text) })
	instant := func(text string) time.Time { at, _ := laurel.ParseTime(text); return at }
	slices.SortFunc(moments, func(a, b string) int { return instant(a).Compare(instant(b)) })
	at, last := time.Date(2026, time.January, 15, 12, 0, 0, 0, time.UTC), time.Time{}
	for _, text := range moments {
		if now := instant(text); !last.IsZero() && !now.Equal(last) {
			at = at.Add(time.Hour)
		}
		last = instant(text)
		f.times[text] = laurel.Timestamp{Time: at}.String()
	}
	var out rest.RecordedCall
	if body != nil {
		out.Body = rest.Raw(f.value("body", body))
	}
	if page, ok := response.(object); ok {
		if items, ok := page["data"].([]any); ok && len(items) > 1 {
			page["data"] = items[:1]
		}
	}
	out.Response = rest.Raw(f.value("response", response))
	return out
}

// visitTexts calls a function with each text inside a value.
func visitTexts(value any, call func(string)) {
	switch v := value.(type) {
	case object:
		for _, item := range v {
			visitTexts(item, call)
		}
	case []any:
		for _, item := range v {
			visitTexts(item, call)
		}
	case string:
		call(v)
	}
}

// value returns a value of an example in its neutral form. name is that of the property.
func (f *form) value(name string, value any) any {
	switch v := value.(type) {
	case object:
		out := object{}
		for _, key := range slices.Sorted(maps.Keys(v)) {
			out[key] = f.value(key, v[key])
		}
		return out
	case []any:
		var out = []any{}
		for _, item := range v[:min(len(v), 2)] {
			out = append(out, f.value(name, item))
		}
		return out
	case string:
		return f.text(name, v)
	default:
		return v
	}
}

// text returns a text of an example in its neutral form.
func (f *form) text(name, text string) string {
	switch {
	case f.times[text] != "":
		return f.times[text]
	case name == "walletAddress" && text != "" && !f.ofWallets:
		return numbered(f.members, text, func(n int) string { return fmt.Sprintf("cust_%d", 1000+n) })
	case aToken.MatchString(text):
		return "a-token.of-a-server"
	case name == "idempotencyKey":
		return numbered(f.keys, text, func(n int) string { return fmt.Sprintf("order-%d", 1000+n) })
	case name == "prefix":
		return aPrefix.ReplaceAllString(text, "${1}a-secr")
	case name == "name" || name == "description":
		text = aName.ReplaceAllStringFunc(text, func(name string) string { // the names that tests give to rules
			words := strings.Fields(strings.ReplaceAll(name, "_", " "))[1:]
			return strings.ToUpper(words[0][:1]) + words[0][1:] + " " + strings.Join(words[1:], " ")
		})
	}
	text = exampleID.ReplaceAllStringFunc(text, func(id string) string {
		return numbered(f.ids, id, func(n int) string { return fmt.Sprintf("0190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a%02x", n) })
	})
	text = aServer.ReplaceAllString(text, "https://loyalty.example")
	text = anUpload.ReplaceAllString(text, "/uploads/a-token")
	text = aKey.ReplaceAllString(text, "lrl_${1}_a-secret-of-a-server")
	return aSigner.ReplaceAllString(text, "whsec_a-secret-of-a-server")
}

// numbered returns the name that a text has in an example: that of its number in the order of appearance.
func numbered(names map[string]string, text string, name func(int) string) string {
	if names[text] == "" {
		names[text] = name(len(names) + 1)
	}
	return names[text]
}
