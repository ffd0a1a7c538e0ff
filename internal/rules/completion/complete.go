package completion

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"slices"
	"time"

	"laurel"
	"laurel/internal/identity"
	"laurel/internal/points/ledger"
	"laurel/internal/rules/catalog"
	"laurel/internal/rules/decision"
	"laurel/internal/rules/progress"
	"laurel/internal/rules/providers"
	"laurel/internal/rules/ruletypes"
	"laurel/internal/rules/schema"
	"laurel/internal/store"
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
	Waiting    bool           `json:"waiting,omitempty" doc:"The points are not given yet: they wait, as the currency says (pointsWaitHours)"`
}

// Completion is the answer to a completion call.
type Completion struct {
	Message       string     `json:"message"`
	Status        string     `json:"status"` // completed or pending
	TransactionID *laurel.ID `json:"loyaltyTransactionId,omitempty"`
	Rewards       []Paid     `json:"rewards"`
	Replayed      bool       `json:"-"` // the first answer of a key, given again
	// Transactions are what a function would ask the payout driver for, of a call that only asks.
	Transactions []Transaction `json:"-"`
}

// Transaction is one that a function asks the payout driver for (contract 7.6).
type Transaction = providers.Transaction

// Complete decides whether the member has earned the rule and pays exactly once (contract 5.1). Refusals are Invalid,
// Refused, Forbidden or NotFound errors with the texts of decision/messages.go.
func (s *Service) Complete(ctx context.Context, scope laurel.Scope, in CompleteInput) (Completion, error) {
	w := s.newCompletion(callMode(), scope, in)
	err := s.submit(ctx, w)
	if other := (*otherMemberError)(nil); errors.As(err, &other) {
		// the function's own choice of the member needs no key of a member
		in.User, scope.Role = identity.Ref{Wallet: other.verification.answer.Wallet}, laurel.RoleWebsite
		w = s.newCompletion(onBehalfMode(other.verification), scope, in)
		err = s.submit(ctx, w)
	}
	w.countRefusal(err)
	return w.result, err
}

// completion is one call on its way through the committer. What a type or a trigger has of its own is in its steps and
// its trigger.
type completion struct {
	ruletypes.Case
	service       *Service
	mode          mode
	steps         []ruletypes.Step // what the rule's completions have to do with beside what all share
	preparations  int              // how often it was prepared
	keyConflictAt int              // the preparation whose new user met a key that is in use; 0: none
	window        string           // "" where the interval has no fixed windows or a key takes its place
	failedCheck   string           // the check that refused it; "" where none did
	result        Completion
	pendingPost   *pendingPost  // its points must be accepted outside first
	autoCheckIns  []*completion // check-ins that this one sets off
}

// newCompletion makes a completion that is asked for by a trigger.
func (s *Service) newCompletion(t mode, scope laurel.Scope, in CompleteInput) *completion {
	return &completion{Case: ruletypes.Case{Scope: scope, In: in, Trigger: t.Trigger}, service: s, mode: t}
}

// setRule makes the completion one of a rule, as it is now or as this node saw it last.
func (w *completion) setRule(rule catalog.CachedRule) {
	w.Rule, w.HasRequiredRules, w.Kind = *rule.Rule, rule.HasRequired, ruletypes.KindOf(rule.Rule.Type)
	w.steps = w.service.stepsOf(w)
}

// prepare finds out who and what the call is about, and reads what is not decided under locks. Everything else is left
// to Judge, whose locks serve many calls at once: reading the same rows beforehand would cost every completion more
// than a refusal is worth. done tells that the call is answered without a payment.
func (w *completion) prepare(ctx context.Context) (done bool, err error) {
	w.preparations++
	if w.preparations == 1 {
		// who does not answer is not asked again at once
		if done, err = w.prepareOn(ctx, false); err == nil && !done || laurel.CodeOf(err) == laurel.Unanswered {
			return false, err
		}
	}
	return w.prepareOn(ctx, true) // what this node remembers may be outdated, and nobody looks again after an answer
}

// identify finds the rule and the person, as they are now or as this node saw them last.
func (w *completion) identify(ctx context.Context, now bool) error {
	current, unknown := w.service.rules.GetCached(ctx, w.Scope, w.In.RuleID, now)
	if unknown == nil {
		w.setRule(current)
		w.Scope = w.Scope.At(current.Rule.WebsiteID)
	} else if laurel.CodeOf(unknown) != laurel.NotFound {
		return unknown
	}
	var err error
	if unknown == nil && !now && w.needsNoLookup() {
		w.Person, err = w.service.people.Presume(ctx, w.Scope, w.In.User)
	} else {
		w.Person, err = w.service.people.Find(ctx, w.Scope, w.In.User, now)
	}
	if err != nil {
		return err
	}
	if unknown != nil { // step 4, after what of steps 2 and 3 needs no rule
		return w.refuseUnknownRule(ctx, unknown)
	}
	return nil
}

// needsNoLookup reports whether the locked rows tell all that the call needs to know of the person.
func (w *completion) needsNoLookup() bool {
	return w.Rule.DeletedAt.IsZero() && !w.In.VerifyOnly && !slices.ContainsFunc(w.steps, func(s ruletypes.Step) bool {
		_, unasking := s.(ruletypes.NeedsNoLookup)
		return !unasking
	})
}

// prepareOn prepares on what is now, or on what this node saw last: then Judge notices where that is outdated.
func (w *completion) prepareOn(ctx context.Context, now bool) (done bool, err error) {
	if err := w.identify(ctx, now); err != nil {
		return false, err
	}
	if err := w.checkOverrides(); err != nil {
		return false, err
	}
	if !w.Rule.DeletedAt.IsZero() || w.In.VerifyOnly {
		if now {
			err = w.answerWithoutPayment(ctx)
		}
		return true, err
	}
	if err := w.readAhead(ctx); err != nil {
		return false, err
	}
	return false, w.prepareAutoCheckIns(ctx)
}

// refuseUnknownRule returns the refusal of a call of a rule that does not exist.
func (w *completion) refuseUnknownRule(ctx context.Context, unknown error) error {
	if w.In.SkipRequired && !w.Scope.Secret() {
		return decision.Refuse(decision.MsgSkipNeedsKey)
	}
	if use, err := w.findKeyUse(ctx); err != nil || use.Used() && w.Scope.Secret() { // by a rule that exists
		return cmp.Or(err, ledger.KeyConflict())
	}
	return unknown
}

// answerWithoutPayment sets the answer of a call that pays nothing whatever the facts are: of a deleted rule, and one
// that only asks.
func (w *completion) answerWithoutPayment(ctx context.Context) error {
	use, err := w.findKeyUse(ctx)
	if err != nil {
		return err
	}
	if use.Used() {
		w.result, err = w.decodeResult(use)
		return err
	}
	if !w.Rule.DeletedAt.IsZero() {
		return laurel.Missing("Loyalty rule")
	}
	facts, err := w.readFacts(ctx)
	if err != nil {
		return err
	}
	reward, err := decision.Decide(facts)
	if err != nil {
		return err
	}
	w.result = Completion{
		Message: decision.MsgQueued, Status: "completed", Rewards: []Paid{}, Transactions: w.requestedTransactions(reward),
	}
	return nil
}

// readAhead reads what Judge relies on without locks, and guesses the window: where time stepped back, only the subject
// knows it.
func (w *completion) readAhead(ctx context.Context) error {
	sub := progress.State{}
	if w.preparations > 1 {
		var err error
		if sub, err = w.service.deps.Loaders.State(ctx, w.StateKey()); err != nil {
			return err
		}
	}
	w.window, _ = w.windowAt(&sub, w.service.db.Now())
	if err := w.readSteps(ctx); err != nil {
		return err
	}
	if w.Rule.Type == schema.TypeFunction { // only now is it known whether a key takes the window's place
		w.window, _ = w.windowAt(&sub, w.service.db.Now())
	}
	return nil
}

func (w *completion) findKeyUse(ctx context.Context) (ledger.KeyUse, error) {
	if w.In.Key == "" {
		return ledger.KeyUse{}, nil
	}
	return w.service.ledger.FindKey(ctx, w.Scope, w.In.Key)
}

// checkOverrides: the parts of step 3 that need the rule.
func (w *completion) checkOverrides() error {
	external := w.Rule.Type == schema.TypeExternal
	switch {
	case w.In.Amount != nil && !external:
		return decision.Refuse(decision.MsgAmountOverride)
	case w.In.Key != "" && !external:
		return decision.Refuse(decision.MsgKeyOverride)
	case w.In.SkipRequired && !w.Scope.Secret():
		return decision.Refuse(decision.MsgSkipNeedsKey)
	case external && !w.Scope.Secret():
		return laurel.Errorf(laurel.Forbidden, "API key is not allowed to perform this operation")
	}
	return nil
}

// inputHash stands for everything that decides what the call does: the same key with another input is refused.
func (w *completion) inputHash() string {
	sum := sha256.Sum256(
		store.JSON([]any{w.In.RuleID, w.Person.UserID, w.In.Amount, w.In.ContentURL, w.In.RangeValue, w.In.SkipRequired,
			w.In.VerificationCode, w.In.QuestionChoiceID}),
	)
	return hex.EncodeToString(sum[:])
}

func (w *completion) decodeResult(use ledger.KeyUse) (Completion, error) {
	if use.Hash != w.inputHash() {
		return Completion{}, ledger.KeyConflict()
	}
	var first Completion
	if err := json.Unmarshal([]byte(use.Answer), &first); err != nil {
		return Completion{}, err
	}
	first.Replayed = true
	return first, nil
}

// windowAt returns the key of the window that is paid and whether it is open as far as the subject tells: "" where a
// key of the caller's takes its place, what a run has found is used up by the payment, or the interval has no fixed
// windows.
func (w *completion) windowAt(sub *progress.State, now time.Time) (key string, open bool) {
	if w.Trigger.HasFixedWindow {
		return w.Trigger.Window, true
	}
	if w.In.Key != "" || w.IsClaim() {
		return "", true
	}
	for _, s := range w.steps {
		if by, ok := s.(ruletypes.Windower); ok {
			if key, open, ok := by.Window(&w.Case, sub); ok {
				return key, open
			}
		}
	}
	return sub.WindowAt(w.Rule.Interval, now)
}

func (w *completion) factsOf(sub *progress.State, paid, currencyLive bool) decision.Facts {
	f := w.PreparedFacts
	f.Rule, f.Meta, f.WithClientKey, f.Blocked, f.MemberSince =
		&w.Rule.Properties, w.Rule.Meta(), !w.Scope.Secret(), w.Person.Blocked, w.Person.FirstSeenAt
	f.CurrencyLive, f.KeyGiven, f.WindowPaid, f.Tally = currencyLive, w.In.Key != "", paid, sub.Tally()
	f.Amount, f.Text, f.RuleID = cmp.Or(w.In.Amount, w.PreparedFacts.Amount), w.In.Entered(), w.Rule.ID
	f.TriggeredBy, f.Kind = w.Trigger.Kind, w.Kind.Decision
	f.TokenCurrencyID = w.Rule.TokenCurrencyID
	if w.Scope.Secret() && w.Rule.Type == schema.TypeExternal {
		f.RangeValue = w.In.RangeValue
	}
	if sub.LastPaidAt != nil {
		f.LastPaidAt = store.Time(*sub.LastPaidAt)
	}
	if sub.Progress != nil && (sub.EligibleAt != nil || !w.IsClaim()) { // what a payment made of it is no claim
		f.Progress = *sub.Progress
	}
	return f
}

func (w *completion) paidWindowKey(window string) progress.WindowKey {
	return progress.WindowKey{Rule: w.Rule.ID, Subject: w.Person.Subject(), Window: window}
}

// paidWindowKeys are the windows that the completion pays: the present one, and further ones that its steps close.
func (w *completion) paidWindowKeys() []progress.WindowKey {
	var keys []progress.WindowKey
	if w.window != "" {
		keys = append(keys, w.paidWindowKey(w.window))
	}
	for _, s := range w.steps {
		by, ok := s.(ruletypes.Windower)
		if !ok {
			continue
		}
		for _, window := range by.FurtherWindows(&w.Case) {
			if window != w.window {
				keys = append(keys, w.paidWindowKey(window))
			}
		}
	}
	return keys
}
