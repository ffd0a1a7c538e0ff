package platforms_test

import (
	"strings"
	"testing"

	"laurel.example/laurel/internal/platforms"
)

func TestTheNameOfAProfileIsTheLastSegmentOfItsAddress(t *testing.T) {
	t.Parallel()
	for input, want := range map[string]string{
		"alice":                                "alice",
		" @alice ":                             "alice",
		"https://social.example/@alice":        "alice",
		"https://social.example/u/alice/":      "alice",
		"https://social.example/alice?tab=1#x": "alice",
		"http://127.0.0.1:22/alice":            "alice",
		"https://social.example/%40alice":      "alice",
		"social.example/alice.b-c_1":           "alice.b-c_1",
		"https://social.example/Ren%C3%A9e":    "Renée",
		"":                                     "",
		"/":                                    "",
		"..":                                   "",
		"https://social.example/..":            "",
		"https://social.example/%2e%2e":        "",
		"https://social.example/a%2Fb":         "",
		"https://social.example/a%3Fb":         "",
		"a b":                                  "",
		"a\nb":                                 "",
		"https://social.example/a%00b":         "",
		strings.Repeat("a", 201):               "",
		"https://social.example/\xff":          "",
	} {
		if name, ok := platforms.ProfileName(input); ok != (want != "") || ok && name != want {
			t.Errorf("%q: %q, %t; want %q", input, name, ok, want)
		}
	}
}
