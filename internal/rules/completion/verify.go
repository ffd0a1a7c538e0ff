package completion

import (
	"cmp"
	"context"
	"slices"
	"time"

	"laurel.example/laurel/internal/identity"
	"laurel.example/laurel/internal/rules/completionjobs"
	"laurel.example/laurel/internal/rules/decision"
	"laurel.example/laurel/internal/rules/progress"
	"laurel.example/laurel/internal/rules/providers"
	"laurel.example/laurel/internal/rules/ruletypes"
	"laurel.example/laurel/internal/rules/schema"
	"laurel.example/laurel/internal/store"
)

// verification is a question to a provider and its result (contract 6).
type verification struct {
	question providers.VerificationRequest
	verdict  decision.Verdict       // the result as the decision sees it
	answer   providers.Verification // the result as the provider gave it
}

// newVerification returns the result of a provider as facts of the decision.
func newVerification(q providers.VerificationRequest, v providers.Verification) *verification {
	return &verification{q, decision.Verdict{
		HasProvider: true, Fulfilled: v.Fulfilled, Value: v.Value, Units: v.Units, BadgeID: v.BadgeID,
		IsUnusable: v.IsInvalid, HasKey: v.Key != "", IsPending: v.IsRunning, Refusal: v.Refusal,
		AccountNames: v.AccountNames, PostID: v.PostID,
	}, v}
}

// verifier is how a completion learns from a provider whether the member has earned the rule. It works while the
// completion is prepared, with nothing locked and no transaction open. The result is a fact like others, stored with
// the payment.
type verifier struct {
	// verify sets the verification of a plan, and adds it to the prepared facts.
	verify func(ctx context.Context, p *plan) error
	// check returns store.ErrStale if the locked rows show that the provider must be asked again; nil: nothing does.
	check func(b *store.Batch, p *plan) error
}

// verifiedBefore is the verifier of completions that know what a provider said before they are prepared, or that need
// none, because an external ledger has accepted their payment.
var verifiedBefore = &verifier{verify: func(_ context.Context, p *plan) error {
	p.verification = p.previous
	if v := p.verification; v != nil {
		p.PreparedFacts.Verdict, p.PreparedFacts.Amount = v.verdict, v.answer.Amount
		p.PreparedFacts.DecidedByJob = true // a pending job of this member belongs to another call
	}
	return nil
}}

// verifyIfNeeded asks the provider only if nothing else refuses. It sets p.namesOther if the function of a call names
// another member, and returns completionjobs.ErrUndecided if the function of a job is still deciding.
func (s *Service) verifyIfNeeded(ctx context.Context, p *plan) error {
	isNeeded := decision.DependsOnProvider
	if p.preparation > maxConditionalPreparations {
		isNeeded = decision.AsksProvider
	}
	if err := s.askProvider(ctx, p, isNeeded); err != nil || p.verification == nil {
		return err
	}
	p.namesOther = p.verification.answer.Wallet != ""
	return nil
}

// verifyAlways asks the provider whenever it can, for simulations: they show every check, and the reward for any member
// that a function names.
func (s *Service) verifyAlways(ctx context.Context, p *plan) error {
	return s.askProvider(ctx, p, decision.AsksProvider)
}

// maxConditionalPreparations is how often a completion is prepared on the condition that the decision depends on the
// provider. Afterwards it asks in any case, since the facts keep changing.
const maxConditionalPreparations = 2

// askProvider asks the provider about the member if there is one and isNeeded says so, as far as facts read without
// locks show. It adds the answer to the prepared facts.
func (s *Service) askProvider(ctx context.Context, p *plan, isNeeded func(decision.Facts) bool) error {
	previous := cmp.Or(p.verification, p.previous)
	p.verification, p.VerifiedUpTo = nil, time.Time{}
	hasProvider, err := s.verifiers.IsAvailable(ctx, p.Scope, &p.Rule.Properties)
	p.PreparedFacts.Verdict = decision.Verdict{HasProvider: hasProvider}
	if err != nil || !hasProvider {
		return err
	}
	facts, err := s.unlockedFacts(ctx, p)
	if err != nil || !isNeeded(facts) {
		return err
	}
	if p.isVerifiedByJob() {
		p.PreparedFacts.Verdict.IsPending = true
		return nil
	}
	v, err := s.askOrReuse(ctx, p, previous)
	if err != nil {
		return err
	}
	switch {
	case p.Trigger.Job == nil:
		p.RunID = v.answer.RunID
	case v.answer.IsRunning:
		return completionjobs.ErrUndecided
	}
	p.verification, p.VerifiedUpTo = v, v.question.Until
	p.PreparedFacts.Verdict, p.PreparedFacts.Amount = v.verdict, v.answer.Amount
	return nil
}

// isVerifiedByJob reports whether a job asks the provider in place of this call (contract 5.1): a platform may take its
// time. Calls with verifyOnly are answered at once.
func (p *plan) isVerifiedByJob() bool {
	return p.Kind.Provider == schema.PlatformProvider && p.Trigger.Kind == decision.TriggerCall &&
		p.Trigger.Job == nil && !p.In.VerifyOnly
}

// askOrReuse asks the provider about this completion. It returns the previous answer instead if that was to the same
// question: a completion that is prepared again does not ask twice.
func (s *Service) askOrReuse(ctx context.Context, p *plan, previous *verification) (*verification, error) {
	q, err := s.questionAbout(ctx, p)
	if err != nil {
		return nil, err
	}
	if previous != nil && previous.question.SameAs(q) {
		return previous, nil
	}
	return s.sendQuestion(ctx, p, q)
}

// sendQuestion asks the provider. Only in a call may a function name another member than the caller's; elsewhere such a
// result is invalid.
func (s *Service) sendQuestion(
	ctx context.Context, p *plan, q providers.VerificationRequest,
) (*verification, error) {
	v, err := s.verifiers.Verify(ctx, p.Scope, q)
	if isCall := p.Trigger.Kind == decision.TriggerCall && p.Trigger.Job == nil; v.Wallet != "" && !isCall {
		v = providers.Verification{IsInvalid: true}
	}
	return newVerification(q, v), err
}

// questionAbout returns the question to the provider: about the member and its group, the period in which their actions
// count, what the caller sent along, and how long to wait for a function.
func (s *Service) questionAbout(ctx context.Context, p *plan) (providers.VerificationRequest, error) {
	// Times are written in milliseconds. The next question begins at exactly this moment.
	until := p.DecisionTime(s.db.Now()).Truncate(time.Millisecond)
	rule := p.Rule.Properties // as it is now: a later preparation may find another
	q := providers.VerificationRequest{
		RuleID: p.Rule.ID, Rule: &rule, Until: until, DryRun: p.In.VerifyOnly, CountsFrom: rule.CountsFrom(p.Rule.CreatedAt),
	}
	if p.IsCallOrCheckIn() {
		q.Request = providers.Request{ContentURL: p.In.ContentURL, Code: p.In.VerificationCode, RangeValue: p.In.RangeValue}
	}
	switch {
	case p.Trigger.Job != nil:
		q.WaitMode, q.RunID = providers.WaitFully, p.RunID
	case p.Trigger.Kind == decision.TriggerRun:
		q.WaitMode, q.RunAt = providers.WaitFully, p.Trigger.Moment
	case p.Trigger.Kind == decision.TriggerCall && !p.In.VerifyOnly:
		q.WaitMode = providers.ContinueInBackground
	} // otherwise WaitBriefly, the zero value
	if p.Kind.Provider == schema.HistoryProvider && p.IsClaim() {
		state, err := s.deps.Loaders.State(ctx, p.StateKey())
		if err != nil {
			return q, err
		}
		q.RunAt = p.foundAt(&state)
	}
	connections, err := s.people.PersonProfile(ctx, p.Scope, p.Person)
	if err != nil {
		return q, err
	}
	q.Members = providers.MembersOfGroup(connections, p.Person)
	if p.Kind.Provider == schema.PlatformProvider {
		q.Members = p.withoutUsedAccounts(q.Members)
	}
	q.Since, err = p.earningPeriod(until).Since(func(k progress.StateKey) (*progress.State, error) {
		state, err := s.deps.Loaders.State(ctx, k)
		return &state, err
	})
	return q, err
}

// foundAt returns when a run found the member eligible for the reward that this call claims. It is zero if the call is
// no claim, or if no run has found the member.
func (p *plan) foundAt(state *progress.State) time.Time {
	if found := p.ClaimEligibleAt(state); found != nil {
		return store.Time(*found)
	}
	return time.Time{}
}

// withoutUsedAccounts returns the members whose connected account may still earn the rule, and those without one; all
// members if no account may.
func (p *plan) withoutUsedAccounts(members []providers.Member) []providers.Member {
	usable := slices.DeleteFunc(slices.Clone(members), func(m providers.Member) bool {
		names := p.Kind.AccountNames(&identity.Connections{Profile: *m.Profile})
		keys := accountStateKeys(&p.Case, names)
		return len(keys) > 0 && slices.Contains(p.UsedAccounts, keys[0])
	})
	hasAccount := slices.ContainsFunc(usable, func(m providers.Member) bool {
		return len(p.Kind.AccountNames(&identity.Connections{Profile: *m.Profile})) > 0
	})
	if !hasAccount && p.In.ContentURL == "" {
		return members
	}
	return usable
}

// earningPeriod returns the period in which what the member does counts for the rule, up to a moment.
func (p *plan) earningPeriod(until time.Time) providers.EarningPeriod {
	countsFrom := time.Time{}
	if p.Kind.Provider == schema.HistoryProvider {
		countsFrom = p.Rule.CountsFrom(p.Rule.CreatedAt)
	}
	return providers.EarningPeriod{
		CountsFrom:   countsFrom,
		Rule:         &p.Rule.Properties,
		Until:        until,
		IsClaim:      p.IsClaim(),
		ProgressKeys: append(p.accountKeys(), p.StateKey()),
		IsRun:        !p.IsCallOrCheckIn(),
		LastRunAt:    p.Trigger.PreviousRunAt,
	}
}

// accountKeys returns the rule states of the connected accounts that could earn the rule.
func (p *plan) accountKeys() []progress.StateKey {
	var keys []progress.StateKey
	for _, s := range p.steps {
		if s.Accounts != nil {
			keys = append(keys, s.Accounts()...)
		}
	}
	return keys
}

// checkVerification returns store.ErrStale if the rule has paid since the provider was asked, so that the question must
// be about a shorter time, or if the provider was not asked because the rule refused anyway, and now its answer
// matters. What a claim of the past of blockchains pays is what runs have found, so a later one changes the question.
func checkVerification(b *store.Batch, p *plan) error {
	if p.verification == nil {
		if p.PreparedFacts.Verdict.IsPending { // a job will ask
			return nil
		}
		if p.preparation <= maxConditionalPreparations && decision.DependsOnProvider(*p.lockedFacts(b)) {
			return store.ErrStale
		}
		return nil
	}
	if p.Kind.Provider == schema.HistoryProvider && p.IsClaim() &&
		!p.foundAt(progress.States.Row(b, p.StateKey())).Equal(p.verification.question.RunAt) {
		return store.ErrStale
	}
	since, err := p.earningPeriod(p.verification.question.Until).
		Since(func(k progress.StateKey) (*progress.State, error) { return progress.States.Row(b, k), nil })
	if err == nil && !since.Equal(p.verification.question.Since) {
		return store.ErrStale
	}
	return err
}

// requestedTransactions returns the payout calls that a function requests, for a reward that is not paid.
func (p *plan) requestedTransactions(reward decision.Reward) []Transaction {
	payment := ruletypes.Payment{Reward: reward}
	if p.verification == nil || p.verification.answer.Requested == nil ||
		!payment.GivesReward() && len(reward.Badges) == 0 {
		return nil
	}
	return p.verification.answer.Requested.Calls
}
