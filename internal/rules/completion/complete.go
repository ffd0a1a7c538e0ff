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
// names another member, that member is paid. Refusals are Invalid, Refused, Forbidden or NotFound errors with the texts
// of decision/messages.go.
func (s *Service) Complete(ctx context.Context, scope laurel.Scope, in CompleteInput) (Completion, error) {
	w := s.newCompletion(callMode(), scope, in)
	err := s.submit(ctx, w)
	if other := (*otherMemberError)(nil); errors.As(err, &other) {
		// the website's function named the member, so the call counts as one of the website
		in.User, scope.Role = identity.Ref{Wallet: other.verification.answer.Wallet}, laurel.RoleWebsite
		w = s.newCompletion(onBehalfMode(other.verification), scope, in)
		err = s.submit(ctx, w)
	}
	w.countRefusal(err)
	return w.result, err
}

// completion is one attempt to complete a rule, on its way through the committer (a store.Work). What its rule type or
// its trigger adds stands in steps and mode.
type completion struct {
	ruletypes.Case
	service       *Service
	mode          mode
	steps         []ruletypes.Step // what the rule and its type add to the decision and the payment
	preparations  int              // how often it was prepared; 1 is the first time
	keyConflictAt int              // the preparation whose new user met a key that is in use; 0: none
	window        string           // key of the window to pay; "" if the interval has no fixed windows or a key replaces it
	failedCheck   string           // name of the check that refused it; "" if none did
	result        Completion
	pendingPost   *pendingPost  // set if an external ledger must accept the points first
	autoCheckIns  []*completion // check-ins that this completion triggers
}

// newCompletion returns a completion that goes through the pipeline in a mode.
func (s *Service) newCompletion(m mode, scope laurel.Scope, in CompleteInput) *completion {
	return &completion{Case: ruletypes.Case{Scope: scope, In: in, Trigger: m.Trigger}, service: s, mode: m}
}

// setRule sets the rule, its kind and its steps. The rule may be cached and outdated: CheckCurrent notices.
func (w *completion) setRule(rule catalog.CachedRule) {
	w.Rule, w.HasRequiredRules, w.Kind = *rule.Rule, rule.HasRequired, ruletypes.KindOf(rule.Rule.Type)
	w.steps = w.service.stepsOf(w)
}

// prepare loads the rule, the person and all facts that need no locks: from the caches of this node the first time, and
// from the database afterwards. Judge, which decides under the locks, reads the rest: it holds the locks of many calls
// at once, so reading the same rows here too would cost more than refusing a call only there. done reports that the
// call has its result and needs no transaction.
func (w *completion) prepare(ctx context.Context) (done bool, err error) {
	w.preparations++
	if w.preparations == 1 {
		// A provider that did not respond is not asked again at once.
		if done, err = w.prepareOn(ctx, false); err == nil && !done || laurel.CodeOf(err) == laurel.Unanswered {
			return false, err
		}
	}
	// Cached data may be outdated, and no lock would show it: a refusal or result of prepare is final.
	return w.prepareOn(ctx, true)
}

// identify finds the rule and the person. fresh reads them from the database instead of the caches of this node. If the
// rule does not exist, identify still looks for the person first, because the refusals about the person come before
// that about the rule.
func (w *completion) identify(ctx context.Context, fresh bool) error {
	current, ruleErr := w.service.rules.GetCached(ctx, w.Scope, w.In.RuleID, fresh)
	if ruleErr == nil {
		w.setRule(current)
		w.Scope = w.Scope.At(current.Rule.WebsiteID)
	} else if laurel.CodeOf(ruleErr) != laurel.NotFound {
		return ruleErr
	}
	var err error
	if ruleErr == nil && !fresh && w.needsNoLookup() {
		w.Person, err = w.service.people.Presume(ctx, w.Scope, w.In.User)
	} else {
		w.Person, err = w.service.people.Find(ctx, w.Scope, w.In.User, fresh)
	}
	if err != nil {
		return err
	}
	if ruleErr != nil { // unknown rules are refused last (contract 5.1, steps 2 to 4)
		return w.refuseUnknownRule(ctx, ruleErr)
	}
	return nil
}

// needsNoLookup reports whether the locked rows show everything that the completion needs to know about the person, so
// that the person may be presumed.
func (w *completion) needsNoLookup() bool {
	return w.Rule.DeletedAt.IsZero() && !w.In.VerifyOnly && !slices.ContainsFunc(w.steps, func(s ruletypes.Step) bool {
		_, ok := s.(ruletypes.LookupFree)
		return !ok
	})
}

// prepareOn prepares on data from the database if fresh, else on what the caches of this node hold; CheckCurrent
// notices if that was outdated. done reports that no transaction is needed. Without fresh, the caller must then call
// prepareOn with fresh, which sets the result.
func (w *completion) prepareOn(ctx context.Context, fresh bool) (done bool, err error) {
	if err := w.identify(ctx, fresh); err != nil {
		return false, err
	}
	if err := w.checkOverrides(); err != nil {
		return false, err
	}
	if !w.Rule.DeletedAt.IsZero() || w.In.VerifyOnly {
		if fresh {
			err = w.setUnpaidResult(ctx)
		}
		return true, err
	}
	if err := w.readAhead(ctx); err != nil {
		return false, err
	}
	return false, w.prepareAutoCheckIns(ctx)
}

// refuseUnknownRule returns the refusal of a call for a rule that does not exist. If a check before step 4 of contract
// 5.1 refuses the call, too, it returns that refusal instead of unknown.
func (w *completion) refuseUnknownRule(ctx context.Context, unknown error) error {
	if w.In.SkipRequired && !w.Scope.HasSecretKey() {
		return decision.Refuse(decision.MsgSkipNeedsKey)
	}
	if use, err := w.findKeyUse(ctx); err != nil || use.IsUsed() && w.Scope.HasSecretKey() { // another rule used the key
		return cmp.Or(err, ledger.ErrKeyConflict())
	}
	return unknown
}

// setUnpaidResult sets the result of a call that pays nothing whatever the facts are: a call with verifyOnly, or
// one for a deleted rule. It returns the refusal if the call is refused. A call whose key was used before gets the
// stored result.
func (w *completion) setUnpaidResult(ctx context.Context) error {
	use, err := w.findKeyUse(ctx)
	if err != nil {
		return err
	}
	if use.IsUsed() {
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

// readAhead lets the steps read what they need without locks, and sets the window, the period in which the rule pays
// once. The first time it assumes an empty rule state, which saves reading it: the state changes the window only if a
// clock went back, and then CheckCurrent returns store.ErrStale and the completion is prepared again.
func (w *completion) readAhead(ctx context.Context) error {
	state := progress.State{}
	if w.preparations > 1 {
		var err error
		if state, err = w.service.deps.Loaders.State(ctx, w.StateKey()); err != nil {
			return err
		}
	}
	w.window, _ = w.windowAt(&state, w.service.db.Now())
	if err := w.readSteps(ctx); err != nil {
		return err
	}
	if w.Rule.Type == schema.TypeFunction { // the function may have set a key that replaces the window
		w.window, _ = w.windowAt(&state, w.service.db.Now())
	}
	return nil
}

// findKeyUse returns what the caller's idempotencyKey was used for, without locks. The zero KeyUse: it was not used, or
// there is no key.
func (w *completion) findKeyUse(ctx context.Context) (ledger.KeyUse, error) {
	if w.In.Key == "" {
		return ledger.KeyUse{}, nil
	}
	return w.service.ledger.FindKey(ctx, w.Scope, w.In.Key)
}

// checkOverrides makes the checks of contract 5.1, step 3, that need the rule. It refuses a call that must not override
// the amount, set a key, skip required rules, or complete an external rule.
func (w *completion) checkOverrides() error {
	external := w.Rule.Type == schema.TypeExternal
	switch {
	case w.In.Amount != nil && !external:
		return decision.Refuse(decision.MsgAmountOverride)
	case w.In.Key != "" && !external:
		return decision.Refuse(decision.MsgKeyOverride)
	case w.In.SkipRequired && !w.Scope.HasSecretKey():
		return decision.Refuse(decision.MsgSkipNeedsKey)
	case external && !w.Scope.HasSecretKey():
		return laurel.Errorf(laurel.Forbidden, "API key is not allowed to perform this operation")
	}
	return nil
}

// inputHash returns a hash of all input that decides what the call does. A key that comes again with another hash is
// refused.
func (w *completion) inputHash() string {
	sum := sha256.Sum256(
		store.JSON([]any{w.In.RuleID, w.Person.UserID, w.In.Amount, w.In.ContentURL, w.In.RangeValue, w.In.SkipRequired,
			w.In.VerificationCode, w.In.QuestionChoiceID}),
	)
	return hex.EncodeToString(sum[:])
}

// decodeResult returns the stored result of the first call with a key, or ledger.ErrKeyConflict if that call had other
// input.
func (w *completion) decodeResult(use ledger.KeyUse) (Completion, error) {
	if use.Hash != w.inputHash() {
		return Completion{}, ledger.ErrKeyConflict()
	}
	var result Completion
	if err := json.Unmarshal([]byte(use.Answer), &result); err != nil {
		return Completion{}, err
	}
	result.Replayed = true
	return result, nil
}

// windowAt returns the key of the window that this completion would pay, and whether the window is still open, that is,
// not paid according to the rule state. The key is "" if the caller's key replaces the window, if the completion claims
// what a run found the member eligible for, or if the interval has no fixed windows.
func (w *completion) windowAt(state *progress.State, now time.Time) (key string, open bool) {
	if w.Trigger.HasFixedWindow {
		return w.Trigger.Window, true
	}
	if w.In.Key != "" || w.IsClaim() {
		return "", true
	}
	for _, s := range w.steps {
		if windower, ok := s.(ruletypes.Windower); ok {
			if key, open, ok := windower.Window(&w.Case, state); ok {
				return key, open
			}
		}
	}
	return state.WindowAt(w.Rule.Interval, now)
}

// factsOf returns the prepared facts together with those that all rules share, from the call, the person and a rule
// state. paid says whether the window is paid, currencyLive whether the rule's currency exists. The caller sets the
// time of the decision.
func (w *completion) factsOf(state *progress.State, paid, currencyLive bool) decision.Facts {
	f := w.PreparedFacts
	f.Rule, f.Meta, f.WithClientKey, f.Blocked, f.MemberSince =
		&w.Rule.Properties, w.Rule.Meta(), !w.Scope.HasSecretKey(), w.Person.Blocked, w.Person.KnownSince
	f.CurrencyLive, f.KeyGiven, f.WindowPaid, f.Tally = currencyLive, w.In.Key != "", paid, state.Tally()
	f.Amount, f.Text, f.RuleID = cmp.Or(w.In.Amount, w.PreparedFacts.Amount), w.In.Entered(), w.Rule.ID
	f.TriggeredBy, f.Kind = w.Trigger.Kind, w.Kind.Decision
	f.TokenCurrencyID = w.Rule.TokenCurrencyID
	if w.Scope.HasSecretKey() && w.Rule.Type == schema.TypeExternal {
		f.RangeValue = w.In.RangeValue
	}
	if state.LastPaidAt != nil {
		f.LastPaidAt = store.Time(*state.LastPaidAt)
	}
	// A claim needs progress that a run has completed; a payment sets progress, too.
	if state.Progress != nil && (state.EligibleAt != nil || !w.IsClaim()) {
		f.Progress = *state.Progress
	}
	return f
}

// paidWindowKey returns the key of the row that marks a window as paid.
func (w *completion) paidWindowKey(window string) progress.WindowKey {
	return progress.WindowKey{Rule: w.Rule.ID, Subject: w.Person.Subject(), Window: window}
}

// paidWindowKeys returns the keys of all windows that this payment uses up, so that none of them pays again: the
// present window, and further ones of steps.
func (w *completion) paidWindowKeys() []progress.WindowKey {
	var keys []progress.WindowKey
	if w.window != "" {
		keys = append(keys, w.paidWindowKey(w.window))
	}
	for _, s := range w.steps {
		windower, ok := s.(ruletypes.Windower)
		if !ok {
			continue
		}
		for _, window := range windower.FurtherWindows(&w.Case) {
			if window != w.window {
				keys = append(keys, w.paidWindowKey(window))
			}
		}
	}
	return keys
}
