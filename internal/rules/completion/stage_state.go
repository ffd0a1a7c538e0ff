package completion

import (
	"encoding/json"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/feed"
	"laurel.example/laurel/internal/rules/progress"
	"laurel.example/laurel/internal/store"
)

// updateRuleState stages the rule state of a paid completion: its counters and times, the progress, the paid windows,
// and the change "LoyaltyRuleStatus completed".
func (p *plan) updateRuleState(b *store.Batch, amount laurel.Amount, transaction laurel.ID) {
	paidUpTo := p.PaidUpTo(b) // before the state changes, which it depends on
	state := progress.States.Changed(b, p.StateKey())
	if state.Init(b, p.Scope) {
		for _, s := range p.steps {
			if s.InitState != nil {
				s.InitState(&p.Case, state)
			}
		}
	}
	state.AddCompletion(amount, b.Now())
	if p.Person.Subject() != p.Person.UserID { // the state is that of a group
		p.countForMember(b, amount)
	}
	p.setPaidTimes(state, store.Micros(b.Now()), paidUpTo)
	state.Progress = p.progressAfterPayment(state)
	feed.Changes.Add(b, feed.Change{
		OrganizationID: p.Scope.OrganizationID, WebsiteID: p.Scope.WebsiteID, EntityID: state.ID,
		Table: feed.TableRuleStatus, Action: feed.Completed, Data: p.statusChange(transaction),
	})
	if !p.IsClaim() {
		state.EligibleAt = nil
	}
	progress.MarkClaimed(b, p.Rule.ID, p.claimants(), p.ClaimEligibleAt(state))
	closesWindows := true
	if p.Rule.Meta().ResetProgressOnClaim { // status and window open again; caps and used keys stay
		state.LastPaidAt, state.WindowPaidAt = nil, nil // CompletedAt stays: the rule counts as completed for others
		closesWindows = p.windowStaysClosed()
	}
	if closesWindows {
		p.closePaidWindows(b, transaction)
	}
}

// setPaidTimes sets the times of a payment in the rule state. now is the time of the payment; paidUpTo is the time up
// to which it covers what the member did.
func (p *plan) setPaidTimes(state *progress.State, now, paidUpTo int64) {
	state.UpdatedAt, state.LastPaidAt, state.UserID = now, &now, p.Person.UserID
	if p.Kind.AsksProvider() { // an earlier claim never sets it back
		state.CompletedAt = progress.Later(state.CompletedAt, &paidUpTo)
	} else {
		state.CompletedAt = &now
	}
	if p.In.Key == "" && p.functionKey() == "" { // a key takes the place of the window
		state.WindowPaidAt = progress.Later(state.WindowPaidAt, &paidUpTo)
	}
}

// progressAfterPayment returns the progress to store: the target, or nil after a claim or if the rule resets progress
// with each payment. If a run has found the member eligible again while an external ledger was asked about the claim,
// the progress stays as it is.
func (p *plan) progressAfterPayment(state *progress.State) *laurel.Amount {
	target, claimedAt := p.Rule.Target(), p.ClaimEligibleAt(state)
	switch {
	case claimedAt != nil && state.EligibleAt != nil && *state.EligibleAt > *claimedAt:
		return state.Progress
	case p.IsClaim() || p.Rule.Meta().ResetProgressOnClaim:
		return nil
	}
	return &target
}

// closePaidWindows stages the rows of the paid windows, whose unique keys keep a window from paying twice.
func (p *plan) closePaidWindows(b *store.Batch, transaction laurel.ID) {
	for _, k := range p.paidWindowKeys() {
		if progress.PaidWindows.Row(b, k).CreatedAt != 0 {
			continue // the code was redeemed before its rule had a window per code
		}
		c := progress.PaidWindows.Changed(b, k)
		c.OrganizationID, c.WebsiteID, c.UserID, c.TransactionID =
			p.Scope.OrganizationID, p.Scope.WebsiteID, p.Person.UserID, transaction
		c.CreatedAt = store.Micros(p.DecisionTime(b.Now()))
	}
}

// countForMember counts the reward of a group in the member's own rule state, too. The member takes that along when it
// leaves the group.
func (p *plan) countForMember(b *store.Batch, amount laurel.Amount) {
	now := store.Micros(b.Now())
	state := progress.States.Changed(b, p.OwnStateKey())
	state.Init(b, p.Scope)
	state.UpdatedAt, state.UserID = now, p.Person.UserID
	state.AddCompletion(amount, b.Now())
}

// statusChange returns the data of the change "LoyaltyRuleStatus completed".
func (p *plan) statusChange(transaction laurel.ID) json.RawMessage {
	return store.JSON(struct {
		RuleID        laurel.ID  `json:"loyaltyRuleId"`
		UserID        laurel.ID  `json:"userId"`
		TransactionID *laurel.ID `json:"loyaltyTransactionId"`
	}{p.Rule.ID, p.Person.UserID, transaction.Ptr()})
}
