package dashboard

import (
	"strconv"
	"strings"

	"laurel"
	"laurel/internal/rules/schema"
)

// summarize returns the rule in one sentence, from the typed values; empty if one sentence is not enough.
func (f *ruleForm) summarize() string {
	what := ""
	switch f.typed.Get("rewardType") {
	case schema.RewardPoints:
		what = f.summarizePoints()
	case schema.RewardMultiplier:
		if amount, ok := f.typedAmount("amount"); ok {
			what = "a multiplier of " + number(amount)
		}
	case schema.RewardBadge:
		if id := f.typed.Get("loyaltyBadgeId"); id != "" {
			what = "the " + f.describeReference(schema.Field{Control: schema.Badge}, id) + " badge"
		}
	}
	if what == "" {
		return ""
	}
	text := f.summarizeAudience() + " get " + what
	if often := f.summarizeFrequency(); often != "" {
		text += ", " + often
	}
	return text + f.summarizeStreaks() + f.summarizeCap() + "."
}

// typedAmount parses the typed amount of a field.
func (f *ruleForm) typedAmount(name string) (laurel.Amount, bool) {
	amount, err := laurel.ParseAmount(strings.TrimSpace(f.typed.Get(name)))
	return amount, err == nil
}

// summarizePoints returns the points that members get: the amount, or the least and most of the ranges.
func (f *ruleForm) summarizePoints() string {
	unit := "points"
	if id := f.typed.Get("loyaltyCurrencyId"); id != "" {
		unit = f.describeReference(schema.Field{Control: schema.Currency}, id)
	}
	var least, most laurel.Amount
	ranges := 0
	for i := range maxRows {
		row := "metadata.range." + strconv.Itoa(i) + "."
		amount, ok := f.typedAmount(row + "amount")
		if f.typed.Get(row+"startRange") == "" {
			continue
		}
		if !ok { // a range may give a multiplier of the value instead
			return ""
		}
		ranges++
		if ranges == 1 {
			least, most = amount, amount
		}
		least, most = min(least, amount), max(most, amount)
	}
	if ranges > 0 {
		return number(least) + " to " + number(most) + " " + unit + " depending on the value"
	}
	amount, ok := f.typedAmount("amount")
	if !ok {
		return ""
	}
	return number(amount) + " " + unit
}

// summarizeAudience returns who can complete the rule.
func (f *ruleForm) summarizeAudience() string {
	audience := "Members"
	if f.typed.Get("metadata.isRestrictedToNewUsers") != "" {
		audience = "New members"
	}
	if f.Rule.UserAllotmentCSVURL != nil {
		audience += " on the list"
	}
	return audience
}

// summarizeFrequency returns how often the rule pays, by its interval or its schedule.
func (f *ruleForm) summarizeFrequency() string {
	for _, name := range []string{"interval", "frequency"} {
		for _, field := range f.fields {
			typed := f.typed.Get(name)
			if field.Path != name || typed == "" {
				continue
			}
			if typed == schema.FrequencyOnce {
				return "once per member"
			}
			return strings.ToLower(field.OptionLabel(typed))
		}
	}
	return ""
}

// summarizeStreaks returns what streaks pay in addition.
func (f *ruleForm) summarizeStreaks() string {
	if f.typed.Get("metadata.enableStreaks") == "" {
		return ""
	}
	var extra []string
	for i := range maxRows {
		row := "metadata.streakArray." + strconv.Itoa(i) + "."
		at, timed := f.typedAmount(row + "streakMilestone")
		amount, paid := f.typedAmount(row + "streakAmount")
		if timed && paid {
			extra = append(extra, number(amount)+" for a streak of "+number(at))
		}
	}
	switch n := len(extra); n {
	case 0:
		return ""
	case 1:
		return ", plus " + extra[0]
	default:
		return ", plus " + strings.Join(extra[:n-1], ", ") + " and " + extra[n-1]
	}
}

// summarizeCap returns the most that a member gets per period.
func (f *ruleForm) summarizeCap() string {
	most, ok := f.typedAmount("maxAmountPerInterval")
	period := f.typed.Get("maxAmountInterval")
	if !ok || period == "" {
		return ""
	}
	for _, field := range f.fields {
		if field.Path == "maxAmountInterval" && period != "lifetime" { // which its word says in another place
			return ", up to " + number(most) + " " + field.OptionLabel(period)
		}
	}
	return ", up to " + number(most) + " in total"
}
