package ruletypes

import (
	"laurel.example/laurel"
	"laurel.example/laurel/internal/rules/decision"
	"laurel.example/laurel/internal/rules/schema"
)

// external is completed by the website's own server, which may set the amount, or give the value that it is paid for.
var external = Kind{
	Kind: schema.Kind{
		Type: schema.TypeExternal, Family: schema.FamilyServer, Title: "External rule",
		Summary: "Your server reports something, such as a paid order, and can pay by its value.", OnCall: true, PerRangeValue: true,
	},
	Decision: &decision.Kind{Check: checkRangeValue},
}

// checkRangeValue refuses a call without a value, or with one below 0, if the rule pays per unit of it.
func checkRangeValue(f decision.Facts) error {
	if !f.PaysPerRangeValue() {
		return nil
	}
	var faults laurel.Faults
	switch {
	case f.RangeValue == nil:
		faults.Add("rangeValue", "is required")
	case *f.RangeValue < 0:
		faults.Add("rangeValue", "must be at least 0")
	}
	return faults.Err()
}
