package commerce

import (
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"laurel"
	"laurel/internal/api/rest"
)

// manySchema describes a parameter with one or many of these values.
func manySchema(allowed []string) *huma.Schema {
	s := rest.StringSchema("")
	for _, word := range allowed {
		s.Enum = append(s.Enum, word)
	}
	return rest.ManySchema(s)
}

// checkOneOf refuses a query parameter with a value that is not in the list.
func checkOneOf(name string, values, allowed []string) error {
	var f laurel.Faults
	if slices.ContainsFunc(values, func(v string) bool { return !slices.Contains(allowed, v) }) {
		f.Add(name, "must be one of: %s", strings.Join(allowed, ", "))
	}
	return f.Err()
}
