package commerce

import (
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"laurel"
	"laurel/internal/api/rest"
)

// manyOf documents a query parameter of one or many of these words.
func manyOf(words []string) *huma.Schema {
	s := rest.StringSchema("")
	for _, word := range words {
		s.Enum = append(s.Enum, word)
	}
	return rest.ManySchema(s)
}

// mustBeOneOf refuses a query parameter that names anything but these words.
func oneOf(name string, values, words []string) error {
	var f laurel.Faults
	if slices.ContainsFunc(values, func(v string) bool { return !slices.Contains(words, v) }) {
		f.Add(name, "must be one of: %s", strings.Join(words, ", "))
	}
	return f.Err()
}
