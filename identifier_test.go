package laurel_test

import (
	"strings"
	"testing"

	"laurel.example/laurel"
)

func TestIdentifiersAreJudgedByOneRule(t *testing.T) {
	t.Parallel()
	const around = "must not begin or end with spaces or invisible characters"
	const within = "must not hold control characters, commas, semicolons or line separators"
	for _, c := range []string{
		" ", "\t", "\n", "\r", "\v", "\u0085", "\u00a0", "\u3000", "\u2028", "\u00ad", "\u034f", "\u061c", "\u115f", "\u17b4",
		"\u180e", "\u200b", "\u200d", "\u200e", "\u202e", "\u2060", "\u2066", "\u2800", "\u3164", "\ufe0f", "\ufeff", "\uffa0",
		"\U000e0001",
	} {
		for _, text := range []string{c + "cust_1", "cust_1" + c} {
			if got := laurel.IdentifierProblem(text); got != around {
				t.Errorf("%q: %q", text, got)
			}
		}
	}
	for _, text := range []string{"a\tb", "a\nb", "a\x7fb", "a\u0085b", "a\u2028b", "a\u2029b", "a,b", "a;b", ",", ";1"} {
		if got := laurel.IdentifierProblem(text); got != within {
			t.Errorf("%q: %q", text, got)
		}
	}
	for text, want := range map[string]string{
		"": "is required", "  ": "is required", strings.Repeat("ö", 129): "must be at most 128 characters",
		"a\x00b": "must not contain NUL characters", "a\xffb": "must not contain NUL characters",
		strings.Repeat("ö", 128): "", "cust_1001": "", "zoe@example.com": "", "Zoë Ñ": "", "客户 7": "", "a-b:c/d|e": "",
		"\u0600١": "", "क्\u200dष": "", "0x00000000000000000000000000000000000000aA": "",
	} {
		if got := laurel.IdentifierProblem(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
	if got := laurel.NameProblem(strings.Repeat("x", 255), 255) + laurel.NameProblem("x ", 255); got != around {
		t.Errorf("of a code: %q", got)
	}
}
