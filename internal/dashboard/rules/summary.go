package rules

import (
	"strconv"
	"strings"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/dashboard/parts"
	"laurel.example/laurel/internal/dashboard/web"
	"laurel.example/laurel/internal/rules/schema"
)

// summarize returns the typed rule in one sentence, such as "Members get 10 points, once a day."; empty if one sentence
// is not enough.
func (f *ruleForm) summarize() string {
	reward := ""
	switch f.typed.Get("rewardType") {
	case schema.RewardPoints:
		reward = f.summarizePoints()
	case schema.RewardMultiplier:
		if amount, ok := f.typedAmount("amount"); ok {
			reward = "a multiplier of " + web.Number(amount)
		}
	case schema.RewardBadge:
		if id := f.typed.Get("loyaltyBadgeId"); id != "" {
			reward = "a deleted badge"
			if name := f.describeReference(schema.Field{Control: schema.ControlBadge}, id); name != parts.DeletedReference {
				reward = "the “" + name + "” badge"
			}
		}
	}
	if reward == "" {
		return ""
	}
	text := f.summarizeAudience() + " get " + reward
	if frequency := f.summarizeFrequency(); frequency != "" {
		text += ", " + frequency
	}
	return text + f.summarizeStreaks() + f.summarizeCap() + "."
}

// typedAmount parses the typed amount of a field.
func (f *ruleForm) typedAmount(name string) (laurel.Amount, bool) {
	amount, err := laurel.ParseAmount(strings.TrimSpace(f.typed.Get(name)))
	return amount, err == nil
}

// summarizePoints returns the points that members get: the amount, or the least and most of the ranges. It is empty if
// no amount is typed, or if a range pays a multiple of the value or a formula decides.
func (f *ruleForm) summarizePoints() string {
	unit := "points"
	if id := f.typed.Get("loyaltyCurrencyId"); id != "" {
		unit = f.describeReference(schema.Field{Control: schema.ControlCurrency}, id)
	}
	var least, most laurel.Amount
	ranges := 0
	for i := range maxRows {
		row := "metadata.range." + strconv.Itoa(i) + "."
		amount, isAmount := f.typedAmount(row + "amount")
		if f.typed.Get(row+"startRange") == "" {
			continue
		}
		if !isAmount { // a range may give a multiplier of the value instead
			return ""
		}
		ranges++
		if ranges == 1 {
			least, most = amount, amount
		}
		least, most = min(least, amount), max(most, amount)
	}
	if ranges > 0 && f.paysPerRangeValue() {
		return web.Number(least) + " to " + web.Number(most) + " " + unit + " times the value"
	}
	if ranges > 0 {
		return web.Number(least) + " to " + web.Number(most) + " " + unit + " depending on the value"
	}
	amount, isAmount := f.typedAmount("amount")
	if !isAmount {
		return ""
	}
	switch {
	case f.paysPerRangeValue():
		return web.Number(amount) + " " + unit + " times the value"
	case f.Kind.Provider != schema.PoolProvider:
		return web.Number(amount) + " " + unit
	}
	dollars, isFixed := f.typedAmount("metadata.liquidity.liquidityPerDay")
	if !isFixed || f.typed.Get("metadata.liquidity.calculationType") == schema.CalculationCustom {
		return ""
	}
	return web.Number(amount) + " " + unit + " for every " + web.Number(dollars) + " dollars"
}

// paysPerRangeValue reports whether the typed rule pays per unit of a value that the server sends.
func (f *ruleForm) paysPerRangeValue() bool {
	return f.Kind.PerRangeValue && f.typed.Get("metadata.rewardPerValue") != ""
}

// summarizeAudience returns who can complete the rule, such as "new members on the list".
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

// summarizeFrequency returns how often the rule pays, by its interval or else its schedule; empty if it has neither.
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

// summarizeStreaks returns what streaks pay in addition, beginning with a comma; empty without streaks.
func (f *ruleForm) summarizeStreaks() string {
	if f.typed.Get("metadata.enableStreaks") == "" {
		return ""
	}
	var extra []string
	for i := range maxRows {
		row := "metadata.streakArray." + strconv.Itoa(i) + "."
		milestone, hasMilestone := f.typedAmount(row + "streakMilestone")
		amount, hasAmount := f.typedAmount(row + "streakAmount")
		if hasMilestone && hasAmount {
			extra = append(extra, web.Number(amount)+" for a streak of "+web.Number(milestone))
		}
	}
	switch count := len(extra); count {
	case 0:
		return ""
	case 1:
		return ", plus " + extra[0]
	default:
		return ", plus " + strings.Join(extra[:count-1], ", ") + " and " + extra[count-1]
	}
}

// summarizeCap returns the most that a member gets per period, beginning with a comma; empty if there is no such limit.
func (f *ruleForm) summarizeCap() string {
	limit, hasLimit := f.typedAmount("maxAmountPerInterval")
	period := f.typed.Get("maxAmountInterval")
	if !hasLimit || period == "" {
		return ""
	}
	for _, field := range f.fields {
		if field.Path == "maxAmountInterval" && period != "lifetime" { // a lifetime is "in total"
			return ", up to " + web.Number(limit) + " " + field.OptionLabel(period)
		}
	}
	return ", up to " + web.Number(limit) + " in total"
}
