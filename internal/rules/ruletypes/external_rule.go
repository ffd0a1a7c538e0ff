package ruletypes

import (
	"laurel/internal/rules/decision"
	"laurel/internal/rules/schema"
)

// external: the website's own server says that the member has earned it, and may say how much.
var external = Kind{
	Kind: schema.Kind{
		Type: schema.TypeExternal, Family: schema.Server, Title: "External rule",
		Summary: "Your server completes the rule, and may set the amount.", OnCall: true,
	},
	Decision: &decision.Kind{},
}
