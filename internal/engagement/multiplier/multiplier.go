// Package multiplier says what a multiplier is where points are decided on: its bounds, and what several of them make
// of a point. It is pure; the multipliers that members have are the business of engagement.
package multiplier

import "laurel"

// The values of a multiplier (contract 3.20).
const (
	Min laurel.Amount = laurel.One / 100
	Max laurel.Amount = 1000*laurel.One - 1
)

// MaxPerUser bounds the live multipliers of one member, which every payment to it reads.
const MaxPerUser = 1000

// ErrTooMany is the refusal of one more multiplier than a member may have.
func ErrTooMany() error {
	return laurel.Errorf(laurel.Refused, "A user may have at most %d multipliers", MaxPerUser)
}

// Live is a multiplier that a member has now, or a member of its group.
type Live struct {
	ID         laurel.ID     `json:"id"`
	UserID     laurel.ID     `json:"userId"`
	Value      laurel.Amount `json:"value"`
	Currencies []laurel.ID   `json:"currencies,omitempty"` // empty: all
	RuleID     laurel.ID     `json:"ruleId,omitzero"`      // the rule that gave it
	BadgeID    laurel.ID     `json:"badgeId,omitzero"`     // the badge that gave it
}

// covers reports whether the multiplier concerns points of the currency.
func (m Live) covers(currency laurel.ID) bool {
	for _, c := range m.Currencies {
		if c == currency {
			return true
		}
	}
	return len(m.Currencies) == 0
}

// Combine is what the multipliers make of one point of a currency: the sum of what each adds to it, 2 and 3 give 4,
// never below 0 (contract 5.4). What one rule or badge gave to several members of a group counts once, as it does for
// the member that has most of it (contract 5.16).
func Combine(list []Live, currency laurel.ID) laurel.Amount {
	type origin struct{ rule, badge laurel.ID }
	type grantee struct {
		origin
		user laurel.ID
	}
	added := map[grantee]laurel.Amount{}
	factor := laurel.One
	for _, m := range list {
		if !m.covers(currency) {
			continue
		}
		if from := (origin{m.RuleID, m.BadgeID}); from == (origin{}) {
			factor += m.Value - laurel.One
		} else {
			added[grantee{from, m.UserID}] += m.Value - laurel.One
		}
	}
	best := map[origin]laurel.Amount{}
	for h, more := range added {
		if current, exists := best[h.origin]; !exists || more > current {
			best[h.origin] = more
		}
	}
	for _, more := range best {
		factor += more
	}
	return max(factor, 0)
}
