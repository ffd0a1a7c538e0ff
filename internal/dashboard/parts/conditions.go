package parts

import (
	"cmp"
	"fmt"
	"strings"

	"laurel.example/laurel/internal/dashboard/web"
	"laurel.example/laurel/internal/engagement/conditions"
	"laurel.example/laurel/internal/report"
)

// ConditionText is a condition in words.
type ConditionText struct{ Text, Note string }

// deletedBadge names a badge that was deleted.
const deletedBadge = "a deleted badge"

// quoteOr returns the name in quotation marks, or the fallback if the name is empty.
func quoteOr(name, fallback string) string {
	if name == "" {
		return fallback
	}
	return "“" + name + "”"
}

// DescribeCondition writes a condition in words. targets and names hold the names of the records that it refers to; a
// record without a name was deleted.
func DescribeCondition(condition conditions.Condition, targets report.Names, names *Names) string {
	var labels []string
	for _, target := range condition.Targets {
		switch {
		case !target.RuleID.IsZero():
			labels = append(labels, quoteOr(targets.Rules[target.RuleID], "a deleted rule"))
		case !target.GroupID.IsZero():
			labels = append(labels, quoteOr(names.GroupNames[target.GroupID], "a deleted group"))
		case !target.CurrencyID.IsZero():
			id := target.CurrencyID
			labels = append(labels, cmp.Or(targets.Currencies[id], names.CurrencyNames[id], "a deleted currency"))
		case !target.BadgeID.IsZero():
			labels = append(labels, quoteOr(targets.Badges[target.BadgeID], deletedBadge))
		}
	}
	all := strings.Join(labels, ", ")
	quantity := "all"
	if condition.RequiredCount != nil {
		quantity = fmt.Sprint("at least ", *condition.RequiredCount)
	}
	switch condition.Type {
	case conditions.TypeRule:
		if condition.RepeatCount > 1 {
			return fmt.Sprintf("Completed %s %s times", all, web.Number(condition.RepeatCount))
		}
		return "Completed " + all
	case conditions.TypeRules:
		return "Completed " + quantity + " of these rules: " + all
	case conditions.TypeSection:
		return "Completed " + quantity + " of the rules in " + all
	case conditions.TypePoints:
		return fmt.Sprintf("At least %s %s", web.Number(condition.Amount), all)
	case conditions.TypeLevel:
		return fmt.Sprintf("Rank %s or better in %s", web.Number(condition.Amount), all)
	case conditions.TypeBadge:
		if all == deletedBadge {
			return "Has " + all
		}
		return "Has the " + all + " badge"
	case conditions.TypeBadges:
		return "Has " + quantity + " of these badges: " + all
	case conditions.TypeCSV:
		return "Is on an uploaded list"
	}
	return "Confirmed by your server"
}
