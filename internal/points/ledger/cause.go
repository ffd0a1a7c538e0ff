package ledger

// Cause says why a transaction moves points between members and the main account, which its type does not: an order
// takes points, and gives them back. Figures count by it (docs/decisions/0075-what-figures-count.md).
type Cause string

// The causes.
const (
	CauseReward      Cause = "reward"       // rules and badges pay
	CausePosted      Cause = "posted"       // a caller gives, takes or moves points
	CausePayment     Cause = "payment"      // a member pays for a hold, a bid or a mint
	CauseRefund      Cause = "refund"       // what a member paid comes back
	CauseExpiry      Cause = "expiry"       // points have expired
	CauseReset       Cause = "reset"        // a currency is reset
	CauseRuleDeleted Cause = "rule_deleted" // a deleted rule takes back what it paid
)

// Causes lists the causes. A posting has one of them.
func Causes() []Cause {
	return []Cause{CauseReward, CausePosted, CausePayment, CauseRefund, CauseExpiry, CauseReset, CauseRuleDeleted}
}

// stored returns the cause as its column has it. Rewards store none: completions write no byte for it.
func (c Cause) stored() Cause {
	if c == CauseReward {
		return ""
	}
	return c
}
