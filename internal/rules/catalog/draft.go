package catalog

import (
	"laurel"
	"laurel/internal/rules/schema"
)

// Drafted returns the rule as an input would make it, without looking at what it names. Nothing is saved.
func (r Rule) Drafted(in schema.Input) (Rule, error) {
	var f laurel.Faults
	in.Update(&r.Properties, &f)
	r.meta = nil
	return r, f.Err()
}
