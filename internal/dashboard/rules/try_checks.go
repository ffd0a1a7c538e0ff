package rules

import (
	"cmp"
	"slices"

	"laurel.example/laurel/internal/rules/completion"
	"laurel.example/laurel/internal/rules/decision"
	"laurel.example/laurel/internal/rules/schema"
)

// describeSavedReward returns, for a dry run of typed changes, what the saved rule would pay instead, in words. It is
// empty if nothing is changed.
func (c *call) describeSavedReward(f *ruleForm, in completion.SimulateInput) (string, error) {
	if in.Draft == nil {
		return "", nil
	}
	in.Draft = nil
	simulated, err := c.Completions.Simulate(c.Context(), c.Scope, in)
	if err != nil {
		return "", err
	}
	if simulated.Refusal != nil {
		return "refused", nil //nolint:nilerr // the refusal of a simulated completion is no error
	}
	return cmp.Or(f.describeRewards(simulated.Rewards), "nothing"), nil
}

// fieldsOfCheck are the fields that may decide a check, the likeliest first.
var fieldsOfCheck = map[string][]string{
	"currency": {"loyaltyCurrencyId"},
	"setup": {
		"metadata.promoCodeType", "metadata.link", "metadata.completeProfileConditions", "loyaltyUserAllotmentCsvUrl", "amount",
	},
	"time":     {"startTime"},
	"audience": {"metadata.isRestrictedToNewUsers", "loyaltyUserAllotmentCsvUrl"},
	"required": {"isRequired"},
	"progress": {"streakMilestone", "progressType", "trackProgress"},
	"window":   {"interval"},
	"verification": {
		"metadata.promoCode", "metadata.promoCodeType", "metadata.verificationTextMinimumLength",
		"metadata.minimumFollowerCount", "metadata.completeProfileConditions", "metadata.microblogPostUrl",
	},
	"reward": {"metadata.range", "amount"},
}

// fieldOfCheck returns the path of the form's field that most likely decides a failed check; empty if the form has no
// such field.
func (f *ruleForm) fieldOfCheck(check decision.Check) string {
	fields := fieldsOfCheck[check.Name]
	switch check.Refusal.Error() {
	case decision.MsgExpired:
		fields = []string{"endTime"}
	case decision.MsgNotListed:
		fields = []string{"loyaltyUserAllotmentCsvUrl"}
	case msgNoRangeValue:
		fields = []string{"metadata.rewardPerValue"}
	case decision.MsgNewUsersOnly:
		fields = []string{"metadata.isRestrictedToNewUsers"}
	}
	for _, path := range fields {
		if slices.ContainsFunc(f.fields, func(field schema.Field) bool { return field.Path == path }) {
			return path
		}
	}
	return ""
}
