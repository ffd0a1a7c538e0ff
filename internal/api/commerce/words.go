package commerce

import (
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"laurel"
	"laurel/internal/api/rest"
)

// manySchema describes a parameter with one or many of these values.
func manySchema(words []string) *huma.Schema {
	s := rest.StringSchema("")
	for _, word := range words {
		s.Enum = append(s.Enum, word)
	}
	return rest.ManySchema(s)
}

// checkOneOf refuses a query parameter with a value that is not in the list.
func checkOneOf(name string, values, words []string) error {
	var f laurel.Faults
	if slices.ContainsFunc(values, func(v string) bool { return !slices.Contains(words, v) }) {
		f.Add(name, "must be one of: %s", strings.Join(words, ", "))
	}
	return f.Err()
}
