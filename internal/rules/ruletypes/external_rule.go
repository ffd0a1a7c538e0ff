package ruletypes

import (
	"laurel/internal/rules/decision"
	"laurel/internal/rules/schema"
)

// external is completed by the website's own server, which may set the amount.
var external = Kind{
	Kind: schema.Kind{
		Type: schema.TypeExternal, Family: schema.FamilyServer, Title: "External rule",
		Summary: "Your server completes the rule for members and can set the amount.", OnCall: true,
	},
	Decision: &decision.Kind{},
}
