// Package conditions owns the conditions of chains and badges: what a member must have done or have before a rule opens
// or a badge is granted, their validation, and their evaluation on plain facts (contract 3.17, 3.21, 5.17). It has no
// database: packages chains and badges store conditions, and chains gathers the facts.
package conditions

import (
	"slices"

	"laurel.example/laurel"
)

// Type is the type of a condition.
type Type string

// The types (contract 2).
const (
	TypeRule    Type = "rule"    // complete a rule, RepeatCount times
	TypeRules   Type = "rules"   // complete RequiredCount of several rules
	TypeSection Type = "section" // complete RequiredCount of the live rules of a group
	TypePoints  Type = "points"  // have a balance
	TypeLevel   Type = "level"   // have a rank that is at least as good
	TypeAPI     Type = "api"     // holds by calls only
	TypeBadge   Type = "badge"   // have a badge
	TypeBadges  Type = "badges"  // have RequiredCount of several badges
	TypeCSV     Type = "csv"     // be on a list
)

var types = []Type{TypeRule, TypeRules, TypeSection, TypePoints, TypeLevel, TypeAPI, TypeBadge, TypeBadges, TypeCSV}

// Condition is a condition as it is stored and returned.
type Condition struct {
	ID            laurel.ID     `json:"id"`
	Type          Type          `json:"type"`
	Description   string        `json:"description"`
	Amount        laurel.Amount `json:"amount"`        // points: the least balance; level: the worst rank
	RepeatCount   int64         `json:"repeatCount"`   // rule: how often
	RequiredCount *int64        `json:"requiredCount"` // rules, badges, section: how many; nil: all
	CSVURL        *string       `json:"csvUrl"`
	Targets       []Target      `json:"association"`
}

// Target is a record that a condition refers to. One of its ids besides ID is set.
type Target struct {
	ID         laurel.ID `json:"id"`
	RuleID     laurel.ID `json:"loyaltyRuleId,omitzero"`
	GroupID    laurel.ID `json:"loyaltyRuleGroupId,omitzero"`
	CurrencyID laurel.ID `json:"loyaltyCurrencyId,omitzero"`
	BadgeID    laurel.ID `json:"loyaltyBadgeId,omitzero"`
}

// State is the progress of a member toward a condition, in completions, rules, badges, points, or as a rank (0: none).
type State struct {
	ID       laurel.ID     `json:"loyaltyConditionId"`
	Type     Type          `json:"type"`
	Current  laurel.Amount `json:"current"`
	Required laurel.Amount `json:"required"`
	Complete bool          `json:"complete"`
}

// Facts are the facts about a member that conditions depend on. A missing key means none: no completion of a live rule,
// no points, no rank.
type Facts struct {
	Completions map[laurel.ID]int64 // by live rule
	Sections    map[laurel.ID][]laurel.ID
	Balances    map[laurel.ID]laurel.Amount // by currency
	Ranks       map[laurel.ID]int           // by currency
	Badges      map[laurel.ID]bool          // active badges
	OnLists     map[laurel.ID]bool          // by condition: the member is on its list
}

// References are the ids of the records that conditions refer to.
type References struct{ Rules, Sections, Balances, Ranks, Badges []laurel.ID }

// ReferencesOf returns the ids of the records that the conditions refer to, each once.
func ReferencesOf(list []Condition) References {
	var references References
	add := func(to *[]laurel.ID, id laurel.ID) {
		if !id.IsZero() && !slices.Contains(*to, id) {
			*to = append(*to, id)
		}
	}
	for _, c := range list {
		for _, t := range c.Targets {
			add(&references.Rules, t.RuleID)
			add(&references.Sections, t.GroupID)
			add(&references.Badges, t.BadgeID)
			if c.Type == TypeLevel {
				add(&references.Ranks, t.CurrencyID)
			} else {
				add(&references.Balances, t.CurrencyID)
			}
		}
	}
	return references
}

// ReportMissing adds a fault, under its path, for each reference that is not among the existing records. Leaderboard
// views never exist.
func (existing References) ReportMissing(f *laurel.Faults, paths []ReferencePath) {
	for _, p := range paths {
		for _, reference := range []struct {
			id       laurel.ID
			existing []laurel.ID
			name     string
		}{
			{p.RuleID, existing.Rules, "Loyalty rule"},
			{p.GroupID, existing.Sections, "Loyalty rule group"},
			{p.CurrencyID, existing.Balances, "Loyalty currency"},
			{p.BadgeID, existing.Badges, "Badge"},
			{p.View, nil, "Loyalty leaderboard view"},
		} {
			if !reference.id.IsZero() && !slices.Contains(reference.existing, reference.id) {
				f.AddText(p.Path, reference.name+" not found")
			}
		}
	}
}

// Judge returns the progress of the member with these facts toward the condition (contract 3.17). excluded is the rule
// that is locked until the condition holds, or zero: a condition on all rules of a section does not count it.
func (c Condition) Judge(facts Facts, excluded laurel.ID) State {
	s := State{ID: c.ID, Type: c.Type, Required: laurel.One}
	switch c.Type {
	case TypeRule:
		s.Required = toAmount(c.RepeatCount)
		s.Current = toAmount(facts.Completions[c.target().RuleID])
	case TypeRules:
		s.countTargets(c, len(c.Targets), func(i int) bool { return facts.Completions[c.Targets[i].RuleID] > 0 })
	case TypeSection:
		rules := slices.DeleteFunc(
			slices.Clone(facts.Sections[c.target().GroupID]),
			func(id laurel.ID) bool { return id == excluded },
		)
		s.countTargets(c, len(rules), func(i int) bool { return facts.Completions[rules[i]] > 0 })
	case TypeBadge, TypeBadges:
		s.countTargets(c, len(c.Targets), func(i int) bool { return facts.Badges[c.Targets[i].BadgeID] })
	case TypePoints:
		s.Required, s.Current = c.Amount, facts.Balances[c.target().CurrencyID]
	case TypeLevel:
		s.Required, s.Current = c.Amount, toAmount(int64(facts.Ranks[c.target().CurrencyID]))
		s.Complete = s.Current > 0 && s.Current <= s.Required
		return s
	case TypeCSV:
		if facts.OnLists[c.ID] {
			s.Current = laurel.One
		}
	case TypeAPI: // never holds by itself: an admin grants the badge
	}
	s.Complete = s.Current >= s.Required
	return s
}

// target returns the single target of the condition.
func (c Condition) target() Target {
	if len(c.Targets) == 0 {
		return Target{}
	}
	return c.Targets[0]
}

// countTargets sets Current to the number of targets for which holds is true, and Required to how many the condition
// needs. Without targets, as in a section without live rules, one is required, so that the condition does not hold.
func (s *State) countTargets(c Condition, total int, holds func(i int) bool) {
	for i := range total {
		if holds(i) {
			s.Current += laurel.One
		}
	}
	s.Required = toAmount(int64(max(total, 1)))
	if c.RequiredCount != nil {
		s.Required = toAmount(*c.RequiredCount)
	}
}

// toAmount returns a whole number as an amount.
func toAmount(n int64) laurel.Amount { return laurel.Amount(n) * laurel.One }
