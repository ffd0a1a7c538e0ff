package parts

import (
	"cmp"
	"fmt"
	"strconv"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/dashboard/web"
	"laurel.example/laurel/internal/engagement/badges"
	"laurel.example/laurel/internal/engagement/conditions"
	"laurel.example/laurel/internal/report"
)

// DescribeProgress says how far a member is with the conditions of a badge, such as "2 of 3 conditions met".
func DescribeProgress(states []conditions.State) string {
	if len(states) == 1 {
		return describeConditionState(states[0])
	}
	met := 0
	for _, s := range states {
		if s.Complete {
			met++
		}
	}
	return strconv.Itoa(met) + " of " + web.Plural(len(states), "condition", "conditions") + " met"
}

// describeConditionState writes a member's progress with a condition, such as "3 of 5" or "rank 12".
func describeConditionState(s conditions.State) string {
	switch s.Type {
	case conditions.TypeLevel:
		if s.Current == 0 {
			return "no rank yet"
		}
		return "rank " + web.Number(s.Current)
	case conditions.TypeCSV:
		if s.Complete {
			return "on the list"
		}
		return "not on the list"
	case conditions.TypeAPI:
		return "not granted yet"
	default:
		return web.Number(s.Current) + " of " + web.Number(s.Required)
	}
}

// BadgeID returns the id of a badge.
func BadgeID(b badges.Badge) laurel.ID { return b.ID }

// ListBadges lists a page of the website's badges.
func (c *Call) ListBadges(page laurel.PageRequest) (laurel.Page[badges.Badge], error) {
	return c.Report.Badges(c.Context(), c.Scope.At(c.Site.ID), report.BadgeFilter{}, page)
}

// BadgeTexts writes the conditions and rewards of badges in words. It holds the names that they need.
type BadgeTexts struct {
	targets    report.Names // of the records that conditions refer to
	names      *Names       // of all records that the website has now
	badges     map[laurel.ID]string
	currencies map[laurel.ID]string
}

// ReadBadgeTexts reads the names of all rules, groups, badges and currencies that the badges refer to, to write their
// conditions and rewards in words.
func (c *Call) ReadBadgeTexts(list []badges.Badge) (texts BadgeTexts, err error) {
	var badgeIDs, currencyIDs []laurel.ID
	var allConditions []conditions.Condition
	for _, b := range list {
		allConditions = append(allConditions, b.Conditions...)
		for _, r := range b.Rewards {
			currencyIDs = append(append(currencyIDs, r.CurrencyIDs...), r.CurrencyID)
			badgeIDs = append(badgeIDs, r.BadgeID)
		}
	}
	self := func(id laurel.ID) laurel.ID { return id }
	if texts.targets, err = c.Report.NamesOf(c.Context(), c.Scope.At(c.Site.ID), allConditions); err != nil {
		return texts, err
	}
	if texts.names, err = c.ReadNames(); err != nil {
		return texts, err
	}
	scope := c.Scope.At(c.Site.ID)
	if texts.badges, err = c.Report.BadgeNames(c.Context(), scope, web.UniqueIDs(badgeIDs, self)); err != nil {
		return texts, err
	}
	texts.currencies, err = c.CurrencyNames(web.UniqueIDs(currencyIDs, self))
	return texts, err
}

// Conditions returns the conditions of a badge in words, in their order.
func (texts BadgeTexts) Conditions(b badges.Badge) []ConditionText {
	out := make([]ConditionText, len(b.Conditions))
	for i, condition := range b.Conditions {
		out[i] = ConditionText{DescribeCondition(condition, texts.targets, texts.names), condition.Description}
		if condition.Type == conditions.TypeAPI {
			out[i].Text = "Granted by a rule, by your server or manually"
		}
	}
	return out
}

// Rewards returns the rewards of a badge in words, in their order.
func (texts BadgeTexts) Rewards(b badges.Badge) []string {
	out := make([]string, len(b.Rewards))
	for i, reward := range b.Rewards {
		currency := cmp.Or(texts.currencies[reward.CurrencyID], "a deleted currency")
		switch reward.Type {
		case badges.Points:
			out[i] = web.Number(reward.Amount) + " " + currency
		case badges.Token:
			out[i] = web.Number(reward.Amount) + " " + currency + ", paid out on a blockchain"
		case badges.FurtherBadge:
			out[i] = "A deleted badge"
			if name := texts.badges[reward.BadgeID]; name != "" {
				out[i] = "The “" + name + "” badge"
			}
		default:
			out[i] = texts.multiplier(reward)
		}
	}
	return out
}

// multiplier returns a multiplier reward in words. A multiplier without currencies applies to every currency.
func (texts BadgeTexts) multiplier(reward badges.Reward) string {
	currencies := "every currency"
	for i, id := range reward.CurrencyIDs {
		name := cmp.Or(texts.currencies[id], "a deleted currency")
		if i == 0 {
			currencies = name
		} else {
			currencies += ", " + name
		}
	}
	text := fmt.Sprintf("×%s multiplier for rewards in %s", web.Number(reward.Multiplier), currencies)
	if reward.Retroactive {
		text += ", also applied once to the current balance"
	}
	return text
}
