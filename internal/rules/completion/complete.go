package completion

import (
	"context"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/identity"
	"laurel.example/laurel/internal/rules/decision"
	"laurel.example/laurel/internal/rules/providers"
	"laurel.example/laurel/internal/rules/ruletypes"
	"laurel.example/laurel/internal/rules/schema"
)

// CompleteInput is a call to complete a rule (contract 4.2).
type CompleteInput = ruletypes.Input

// Paid is one reward of a completion.
type Paid struct {
	RewardType string         `json:"rewardType"`
	Amount     *laurel.Amount `json:"amount,omitempty"`
	CurrencyID *laurel.ID     `json:"loyaltyCurrencyId,omitempty"`
	BadgeID    *laurel.ID     `json:"loyaltyBadgeId,omitempty"`
	Multiplier *laurel.Amount `json:"multiplier,omitempty"`
	Waiting    bool           `json:"waiting,omitempty" doc:"The points are held and not credited yet, as pointsWaitHours of the currency says"`
}

// Completion is the result of a completion call.
type Completion struct {
	Message       string     `json:"message"`
	Status        string     `json:"status"` // completed or pending
	TransactionID *laurel.ID `json:"loyaltyTransactionId,omitempty"`
	Rewards       []Paid     `json:"rewards"`
	Replayed      bool       `json:"-"` // the stored result of the first call with the same key
	// Transactions are the payout calls that a function requests. They are set for calls with verifyOnly, which send
	// nothing.
	Transactions []Transaction `json:"-"`
}

// Transaction is a payout call that a function requests (contract 7.6).
type Transaction = providers.Transaction

// Complete decides whether the member has earned the rule and pays exactly once (contract 5.1). If the rule's function
// names another member, a second completion pays that member. Refusals are Invalid, Refused, Forbidden or NotFound
// errors with the texts of decision/messages.go.
func (s *Service) Complete(ctx context.Context, scope laurel.Scope, in CompleteInput) (Completion, error) {
	a := s.newAttempt(request{scope: scope, in: in, trigger: callTrigger()})
	err := a.submit(ctx)
	if verified := a.outcome.otherMember; err == nil && verified != nil {
		// the website's function named the member, so the call counts as one of the website
		in.User, scope.Role = identity.Ref{Wallet: verified.answer.Wallet}, laurel.RoleWebsite
		a = s.newAttempt(request{scope: scope, in: in, trigger: callTrigger(), verified: verified})
		err = a.submit(ctx)
	}
	a.countRefusal(err)
	return a.outcome.result, err
}

// PayReferral pays the welcome bonus and the referrer bonus of a referral whose requirements hold. Each referee counts
// once, whatever the rule's interval. Errors are those of Complete; "Quest not completed" if the requirements do not
// hold.
func (s *Service) PayReferral(ctx context.Context, scope laurel.Scope, rule, referee laurel.ID) error {
	event := &EventOrRun{Kind: decision.TriggerEvent, At: s.db.Now(), Window: schema.IntervalOnce}
	in := CompleteInput{RuleID: rule, User: identity.Ref{UserID: referee}}
	return s.newAttempt(request{scope: scope, in: in, trigger: event.trigger()}).submit(ctx)
}
