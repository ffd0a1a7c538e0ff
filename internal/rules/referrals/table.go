package referrals

import (
	"cmp"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/store"
)

// Key identifies the referral of a user for a rule. There is at most one.
type Key struct{ Rule, Referee laurel.ID }

// Table is the table by which Works lock and change referrals. A row without an ID does not exist.
var Table = &store.Table[Key, Referral]{
	Name: "referrals", Rank: store.LockRankReferrals,
	Compare: func(a, b Key) int { return cmp.Or(a.Rule.Compare(b.Rule), a.Referee.Compare(b.Referee)) },
	Query:   selectReferral,
	Key:     store.Columns("loyalty_rule_id uuid, referee_id uuid"),
	Args:    func(k Key) []any { return []any{k.Rule, k.Referee} },
	KeyOf:   func(r *Referral) Key { return Key{r.RuleID, r.RefereeID} },
	New:     func(k Key) *Referral { return &Referral{RuleID: k.Rule, RefereeID: k.Referee} },
	Save:    saveReferrals,
}

// IsEligible reports whether the rule's requirements were met and the referral is not settled yet.
func (r *Referral) IsEligible() bool { return r.EligibleAt != nil && r.SettledAt == nil }

// Settle marks the referral as settled: the batch pays its welcome reward and referrer bonus.
func (r *Referral) Settle(b *store.Batch) {
	now := store.Micros(b.Now())
	r.SettledAt, r.CheckAt, r.UpdatedAt = &now, nil, now
}
