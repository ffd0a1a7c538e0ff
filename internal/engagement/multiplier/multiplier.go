// Package multiplier defines multipliers for decisions about points: their bounds, and how several of them combine. It
// is pure. It does not own the multipliers of members (engagement).
package multiplier

import (
	"fmt"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/record"
)

// The bounds of a multiplier's value (contract 3.20).
const (
	Min laurel.Amount = laurel.One / 100
	Max laurel.Amount = 1000*laurel.One - 1
)

var _ = record.Define("multiplier", record.Bound[laurel.Amount]{
	Check: record.Problem(fmt.Sprintf("must be between %s and %s", Min, Max), func(value laurel.Amount) bool {
		return value >= Min && value <= Max
	}),
	Keywords: laurel.Keywords{"minimum": Min, "maximum": Max},
})

// MaxPerUser bounds the live multipliers of a member. Every payment to the member reads all of them.
const MaxPerUser = 1000

// ErrTooMany returns the refusal of a multiplier beyond MaxPerUser.
func ErrTooMany() error {
	return laurel.Errorf(laurel.Refused, "A user may have at most %d multipliers", MaxPerUser)
}

// Live is a live multiplier of a member, or of another member of its group.
type Live struct {
	ID         laurel.ID     `json:"id"`
	UserID     laurel.ID     `json:"userId"`
	Value      laurel.Amount `json:"value"`
	Currencies []laurel.ID   `json:"currencies,omitempty"` // empty: all
	RuleID     laurel.ID     `json:"ruleId,omitzero"`      // the rule that granted it
	BadgeID    laurel.ID     `json:"badgeId,omitzero"`     // the badge that granted it
}

// covers reports whether the multiplier applies to a currency. One without a list of currencies applies to all.
func (m Live) covers(currency laurel.ID) bool {
	for _, c := range m.Currencies {
		if c == currency {
			return true
		}
	}
	return len(m.Currencies) == 0
}

// Combine returns the factor of all multipliers on points of a currency: 1 plus the sum of their increases (2 and 3
// give 4), never below 0 (contract 5.4). Multipliers that one rule or badge has granted to several members of a group
// count once, by the member with the highest sum (contract 5.16).
func Combine(list []Live, currency laurel.ID) laurel.Amount {
	type origin struct{ rule, badge laurel.ID }
	type grantee struct {
		origin
		user laurel.ID
	}
	increases := map[grantee]laurel.Amount{}
	factor := laurel.One
	for _, m := range list {
		if !m.covers(currency) {
			continue
		}
		if from := (origin{m.RuleID, m.BadgeID}); from == (origin{}) {
			factor += m.Value - laurel.One
		} else {
			increases[grantee{from, m.UserID}] += m.Value - laurel.One
		}
	}
	best := map[origin]laurel.Amount{}
	for from, increase := range increases {
		if current, exists := best[from.origin]; !exists || increase > current {
			best[from.origin] = increase
		}
	}
	for _, increase := range best {
		factor += increase
	}
	return max(factor, 0)
}
