// Package conditions owns what a member must have done or must hold before a rule opens to it or a badge is given to
// it: the kinds of conditions, their checks, and the judgement of each on plain facts (contract 3.17, 3.21, 5.17). It
// has no database: chains and badges keep conditions, others gather the facts.
package conditions

import (
	"slices"

	"laurel"
)

// Type is what a condition asks for.
type Type string

// The types (contract 2).
const (
	Rule    Type = "rule"    // one rule, so many times
	Rules   Type = "rules"   // so many of several rules
	Section Type = "section" // so many of the live rules of a group
	Points  Type = "points"  // a balance
	Level   Type = "level"   // a rank that is not worse
	API     Type = "api"     // never holds by itself
	Badge   Type = "badge"   // one badge
	Badges  Type = "badges"  // so many of several badges
	CSV     Type = "csv"     // a list that names the member
)

var types = []Type{Rule, Rules, Section, Points, Level, API, Badge, Badges, CSV}

// Condition is one condition as it is kept and answered.
type Condition struct {
	ID            laurel.ID     `json:"id"`
	Type          Type          `json:"type"`
	Description   string        `json:"description"`
	Amount        laurel.Amount `json:"amount"`        // points: the balance; level: the worst rank
	RepeatCount   int64         `json:"repeatCount"`   // rule: how often
	RequiredCount *int64        `json:"requiredCount"` // rules, badges, section: how many; nil: all
	CSVURL        *string       `json:"csvUrl"`
	Targets       []Target      `json:"association"`
}

// Target is one thing that a condition names; exactly one of the ids besides its own is set.
type Target struct {
	ID         laurel.ID `json:"id"`
	RuleID     laurel.ID `json:"loyaltyRuleId,omitzero"`
	GroupID    laurel.ID `json:"loyaltyRuleGroupId,omitzero"`
	CurrencyID laurel.ID `json:"loyaltyCurrencyId,omitzero"`
	BadgeID    laurel.ID `json:"loyaltyBadgeId,omitzero"`
}

// State is how far a member is with a condition, in numbers: completions, rules, badges, points, or a rank (0: none).
type State struct {
	ID       laurel.ID     `json:"loyaltyConditionId"`
	Type     Type          `json:"type"`
	Current  laurel.Amount `json:"current"`
	Required laurel.Amount `json:"required"`
	Complete bool          `json:"complete"`
}

// Facts are the facts about a member that conditions are judged by. What is missing in a map is not there: a rule that
// nobody completed or that is deleted, an account without points, a member without rank.
type Facts struct {
	Completions map[laurel.ID]int64 // of live rules: how often
	Sections    map[laurel.ID][]laurel.ID
	Balances    map[laurel.ID]laurel.Amount // by currency
	Ranks       map[laurel.ID]int           // by currency
	Badges      map[laurel.ID]bool          // active ones
	OnLists     map[laurel.ID]bool          // by condition: a list names the member
}

// References are the things that conditions name, to gather facts of.
type References struct{ Rules, Sections, Balances, Ranks, Badges []laurel.ID }

// ReferencesOf lists what the conditions name, each thing once.
func ReferencesOf(list []Condition) References {
	var n References
	add := func(to *[]laurel.ID, id laurel.ID) {
		if !id.IsZero() && !slices.Contains(*to, id) {
			*to = append(*to, id)
		}
	}
	for _, c := range list {
		for _, t := range c.Targets {
			add(&n.Rules, t.RuleID)
			add(&n.Sections, t.GroupID)
			add(&n.Badges, t.BadgeID)
			if c.Type == Level {
				add(&n.Ranks, t.CurrencyID)
			} else {
				add(&n.Balances, t.CurrencyID)
			}
		}
	}
	return n
}

// ReportMissing notes everything that the places name and that is not among what is there.
func (existing References) ReportMissing(f *laurel.Faults, places []ReferencePath) {
	for _, p := range places {
		for _, thing := range []struct {
			id   laurel.ID
			in   []laurel.ID
			name string
		}{
			{p.RuleID, existing.Rules, "Loyalty rule"},
			{p.GroupID, existing.Sections, "Loyalty rule group"},
			{p.CurrencyID, existing.Balances, "Loyalty currency"},
			{p.BadgeID, existing.Badges, "Badge"},
			{p.View, nil, "Loyalty leaderboard view"},
		} {
			if !thing.id.IsZero() && !slices.Contains(thing.in, thing.id) {
				f.AddText(p.Path, thing.name+" not found")
			}
		}
	}
}

// Judge returns how far the member is with the condition (contract 3.17). Of a section the rule except is left out: the
// one that the condition locks.
func (c Condition) Judge(k Facts, excluded laurel.ID) State {
	s := State{ID: c.ID, Type: c.Type, Required: laurel.One}
	switch c.Type {
	case Rule:
		s.Required = toAmount(c.RepeatCount)
		s.Current = toAmount(k.Completions[c.target().RuleID])
	case Rules:
		s.countTargets(c, len(c.Targets), func(i int) bool { return k.Completions[c.Targets[i].RuleID] > 0 })
	case Section:
		rules := slices.DeleteFunc(
			slices.Clone(k.Sections[c.target().GroupID]),
			func(id laurel.ID) bool { return id == excluded },
		)
		s.countTargets(c, len(rules), func(i int) bool { return k.Completions[rules[i]] > 0 })
	case Badge, Badges:
		s.countTargets(c, len(c.Targets), func(i int) bool { return k.Badges[c.Targets[i].BadgeID] })
	case Points:
		s.Required, s.Current = c.Amount, k.Balances[c.target().CurrencyID]
	case Level:
		s.Required, s.Current = c.Amount, toAmount(int64(k.Ranks[c.target().CurrencyID]))
		s.Complete = s.Current > 0 && s.Current <= s.Required
		return s
	case CSV:
		if k.OnLists[c.ID] {
			s.Current = laurel.One
		}
	case API:
	}
	s.Complete = s.Current >= s.Required
	return s
}

// target is the thing that a condition on one thing names.
func (c Condition) target() Target {
	if len(c.Targets) == 0 {
		return Target{}
	}
	return c.Targets[0]
}

// countTargets is how many of several things are there. Where there are none, as in a section without live rules, none
// is not all.
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

func toAmount(n int64) laurel.Amount { return laurel.Amount(n) * laurel.One }
