package ledger

// Cause says why a transaction moves points between members and the main account. The type does not say it: an order
// may take points or refund them. Figures count by it (docs/decisions/0075-what-figures-count.md).
type Cause string

// The causes.
const (
	CauseReward      Cause = "reward"       // a rule or badge pays
	CausePosted      Cause = "posted"       // a caller credits, debits or moves points
	CausePayment     Cause = "payment"      // a member pays for a hold, a bid or a mint
	CauseRefund      Cause = "refund"       // a member gets a payment back
	CauseExpiry      Cause = "expiry"       // points have expired
	CauseReset       Cause = "reset"        // a currency is reset
	CauseRuleDeleted Cause = "rule_deleted" // a deleted rule takes back what it paid
	CauseReorganized Cause = "reorganized"  // a rule takes back what it paid for an event whose block left the chain
	CauseReversed    Cause = "reversed"     // a caller reverses a transaction, or a part of it
	CauseOpening     Cause = "opening"      // an imported member had these points before
)

// Causes lists the causes. A posting has one of them.
func Causes() []Cause {
	return []Cause{
		CauseReward, CausePosted, CausePayment, CauseRefund, CauseExpiry, CauseReset, CauseRuleDeleted, CauseReorganized,
		CauseReversed,
		CauseOpening,
	}
}

// stored returns the value of the column. It is empty for rewards, to save space.
func (c Cause) stored() Cause {
	if c == CauseReward {
		return ""
	}
	return c
}
