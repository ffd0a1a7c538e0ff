package jsontext_test

import (
	"encoding/json"
	"strings"
	"testing"

	"laurel.example/laurel/internal/jsontext"
)

func TestHalfSurrogatesAreReplaced(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		`{}`:                              `{}`,
		`"\ud800"`:                        `"\ufffd"`,
		`"\uD800x"`:                       `"\ufffdx"`,
		`"\udc00\ud800"`:                  `"\ufffd\ufffd"`,
		`"\ud83d\ude00"`:                  `"\ud83d\ude00"`,
		`"\ud83d\ud83d\ude00\ude00"`:      `"\ufffd\ud83d\ude00\ufffd"`,
		`"\\ud800"`:                       `"\\ud800"`,
		`"\\\ud800"`:                      `"\\\ufffd"`,
		`"\ud800\n\udc00"`:                `"\ufffd\n\ufffd"`,
		`"\ud800\\udc00"`:                 `"\ufffd\\udc00"`,
		`"\ud800","\udc00"`:               `"\ufffd","\ufffd"`,
		`{"\ud800":{"a\udfff":["\ud8"]}}`: `{"\ufffd":{"a\ufffd":["\ud8"]}}`,
		`"\u0000\u00e9"`:                  `"\u0000\u00e9"`,
		`"\`:                              `"\`,
		`"\ud800`:                         `"\ufffd`,
	} {
		if got := string(jsontext.ReplaceLoneSurrogates([]byte(text))); got != want {
			t.Errorf("%s became %s, want %s", text, got, want)
		}
	}
	if got := string(jsontext.ReplaceUnstorable([]byte(`"\u0000\ud800\\u0000"`))); got != `"\ufffd\ufffd\\u0000"` {
		t.Errorf("storable: %s", got)
	}
}

func TestDeepJSONIsFound(t *testing.T) {
	t.Parallel()
	nested := func(levels int) []byte {
		return []byte(`{"[[[\"":` + strings.Repeat("[", levels-1) + strings.Repeat("]", levels-1) + "}")
	}
	if jsontext.IsTooDeep(nested(jsontext.MaxDepth)) || !jsontext.IsTooDeep(nested(jsontext.MaxDepth+1)) {
		t.Error("the limit is not where it is said to be")
	}
	if flat := []byte("[" + strings.Repeat(`{"a":[1]},`, 1000) + `"[{"]`); jsontext.IsTooDeep(flat) {
		t.Error("what stands beside each other counts as nested")
	}
}

// FuzzWholeTextsMeanTheSame compares with encoding/json, which replaces half pairs as it decodes.
func FuzzWholeTextsMeanTheSame(f *testing.F) {
	for _, text := range []string{`"\ud800"`, `["\ud83d\ude00\\ud800","\udc00\ud800\u0000"]`, `{"\uDBFFa":"\""}`} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if !json.Valid([]byte(text)) {
			return
		}
		var before, after string
		mended := jsontext.ReplaceLoneSurrogates([]byte(text))
		if json.Unmarshal([]byte(text), &before) != nil {
			return
		}
		if err := json.Unmarshal(mended, &after); err != nil || before != after {
			t.Errorf("%q became %q, %v", before, after, err)
		}
		if again := string(jsontext.ReplaceLoneSurrogates([]byte(string(mended)))); again != string(mended) {
			t.Errorf("%q is not whole yet: %q", mended, again)
		}
	})
}

func BenchmarkOrdinary(b *testing.B) {
	text := []byte(`{"walletAddress":"0x00000000000000000000000000000000000a11ce","idempotencyKey":"order-1","metadata":{"a":1}}`)
	for b.Loop() {
		jsontext.ReplaceLoneSurrogates(text)
	}
}
