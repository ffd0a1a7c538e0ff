package ruletypes

import (
	"laurel.example/laurel/internal/rules/decision"
	"laurel.example/laurel/internal/rules/schema"
)

// manualUpload pays, in runs, the amounts of the rule's list.
var manualUpload = Kind{
	Kind: schema.Kind{
		Type: schema.TypeUpload, Family: schema.FamilyServer, Title: "Manual upload",
		Summary:   "You upload a list of members and amounts, and Laurel pays the members on a schedule.",
		Scheduled: true, PaysByList: true,
	},
	Decision: &decision.Kind{IsSetUp: decision.HasList},
}
