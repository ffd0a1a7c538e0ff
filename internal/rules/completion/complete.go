package completion

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"time"

	"laurel"
	"laurel/internal/engagement"
	"laurel/internal/identity"
	"laurel/internal/points/ledger"
	"laurel/internal/rules/catalog"
	"laurel/internal/rules/decision"
	"laurel/internal/rules/jobs"
	"laurel/internal/rules/progress"
	"laurel/internal/rules/schema"
	"laurel/internal/store"
)

// CompleteInput is a call to complete a rule (contract 4.2).
type CompleteInput struct {
	RuleID           laurel.ID
	User             identity.Ref
	Amount           *laurel.Amount // override, external_rule only
	ContentURL       string
	Key              string // idempotencyKey, external_rule only
	QuestionChoiceID laurel.ID
	RangeValue       *laurel.Amount
	SkipRequired     bool // skipChainOrRequiredCheck
	VerificationCode string
	VerifyOnly       bool // runs every check and writes nothing
}

// entered is what the caller typed, without space around it.
func (in CompleteInput) entered() string { return strings.TrimSpace(in.VerificationCode) }

const (
	maxCompletionKey    = 70
	maxVerificationCode = 10_000
)

// Validate notes every fault of form (contract 5.1, step 2).
func (in CompleteInput) Validate(f *laurel.Faults) {
	if in.Amount != nil && *in.Amount < 0 {
		f.Add("amount", "must be at least 0")
	}
	if in.ContentURL != "" {
		if !schema.ValidURL(in.ContentURL) {
			f.Add("contentUrl", "must be a valid url")
		}
	}
	f.Text("idempotencyKey", in.Key, 0, maxCompletionKey)
	f.Text("verificationCode", in.VerificationCode, 0, maxVerificationCode)
	if in.User != (identity.Ref{}) { // that nobody is named has a message of its own
		in.User.Validate(f)
	}
}

// Paid is one reward of a completion.
type Paid struct {
	RewardType string         `json:"rewardType"`
	Amount     *laurel.Amount `json:"amount,omitempty"`
	CurrencyID *laurel.ID     `json:"loyaltyCurrencyId,omitempty"`
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
}

// Complete decides whether the member has earned the rule and pays exactly once (contract 5.1). Refusals are Invalid,
// Refused, Forbidden or NotFound errors with the texts of messages.go.
func (s *Service) Complete(ctx context.Context, scope laurel.Scope, in CompleteInput) (Completion, error) {
	w := &completion{service: s, scope: scope, in: in}
	err := s.submit(ctx, w)
	if done := (*early)(nil); errors.As(err, &done) {
		return done.Completion, nil
	}
	return w.answer, err
}

// early ends the preparation with an answer that needs no Work.
type early struct{ Completion }

func (*early) Error() string { return "answered early" }

// completion is one call on its way through the committer.
type completion struct {
	service     *Service
	scope       laurel.Scope
	in          CompleteInput
	rule        catalog.Rule
	person      identity.Person
	parts       []part         // what the rule's completions have to do with beside what all share
	known       decision.Facts // what the parts read ahead
	tries       int            // how often it was prepared
	met         int            // the try that found its key used by a user that was not there when it looked; 0: none did
	gated       bool           // the website has rules or groups that come before others
	window      string         // "" where the interval has no fixed windows or a key takes its place
	answer      Completion
	retroactive []laurel.ID         // currencies whose balances a multiplier of the rule concerns at once
	dry         bool                // a dry run
	supposed    time.Time           // of a dry run: as if it were then
	asking      *asking             // its points must be accepted outside first
	agreed      *agreement          // they have been
	job         *jobs.Job           // decided for a click that has aged
	fed         *Occasion           // what completes the rule instead of a call
	told        *told               // by a provider; nil: nobody was asked
	brought     *brought            // of rules of type referred_user
	accounts    [][]progress.Key    // by which the rule could be earned, the member's own first: the memory of each
	account     []progress.Key      // the one by which it is
	deed        bool                // something else than a call checks the member in
	follow      []*completion       // check-ins that this one sets off
	made        ledger.Transaction  // what was posted
	question    engagement.Question // of a quiz or poll; without id: the rule has none
}

// prepare finds out who and what the call is about, and reads what is not decided under locks. Everything else is left
// to Judge, whose locks serve many calls at once: reading the same rows beforehand would cost every completion more
// than a refusal is worth.
func (w *completion) prepare(ctx context.Context) error {
	w.tries++
	if w.tries == 1 {
		// who does not answer is not asked again at once
		if err := w.prepared(ctx, false); err == nil || laurel.CodeOf(err) == laurel.Unanswered {
			return err
		}
	}
	return w.prepared(ctx, true) // what this node remembers may be outdated, and nobody looks again after a refusal
}

// identify finds the rule and the person, as they are now or as this node saw them last.
func (w *completion) identify(ctx context.Context, now bool) error {
	current, unknown := w.service.rules.Current(ctx, w.scope, w.in.RuleID, now)
	if unknown == nil {
		w.rule, w.gated, w.scope = *current.Rule, current.Gated, w.scope.At(current.Rule.WebsiteID)
		w.parts = w.service.partsOf(&w.rule)
	} else if laurel.CodeOf(unknown) != laurel.NotFound {
		return unknown
	}
	var err error
	if unknown == nil && !now && w.asksLittle() {
		w.person, err = w.service.people.Presume(ctx, w.scope, w.in.User)
	} else {
		w.person, err = w.service.people.Find(ctx, w.scope, w.in.User, now)
	}
	if err != nil {
		return err
	}
	if unknown != nil { // step 4, after what of steps 2 and 3 needs no rule
		return w.ofUnknown(ctx, unknown)
	}
	return nil
}

// asksLittle reports whether the locked rows tell all that the call needs to know of the person.
func (w *completion) asksLittle() bool {
	return w.rule.DeletedAt.IsZero() && !w.in.VerifyOnly && !slices.ContainsFunc(w.parts, func(p part) bool {
		_, unasking := p.(unasking)
		return !unasking
	})
}

// prepared prepares on what is now, or on what this node saw last: then Judge notices where that is outdated.
func (w *completion) prepared(ctx context.Context, now bool) error {
	if err := w.identify(ctx, now); err != nil {
		return err
	}
	if err := w.allowed(); err != nil {
		return err
	}
	switch {
	case !w.rule.DeletedAt.IsZero():
		return w.withoutEffect(ctx)
	case w.in.VerifyOnly && !now:
		return store.ErrStale // nobody looks again
	case w.in.VerifyOnly:
		return w.withoutEffect(ctx)
	}
	if err := w.readAhead(ctx); err != nil {
		return err
	}
	return w.setOff(ctx)
}

// ofUnknown returns a call of a rule that does not exist.
func (w *completion) ofUnknown(ctx context.Context, unknown error) error {
	if w.in.SkipRequired && !w.scope.Secret() {
		return decision.Refuse(decision.MsgSkipNeedsKey)
	}
	if use, err := w.usedKey(ctx); err != nil || use.Used() && w.scope.Secret() { // by a rule that exists
		return cmp.Or(err, ledger.KeyConflict())
	}
	return unknown
}

// withoutEffect returns a call that pays nothing whatever the facts are: of a deleted rule, and one that only asks.
func (w *completion) withoutEffect(ctx context.Context) error {
	use, err := w.usedKey(ctx)
	if err != nil {
		return err
	}
	if use.Used() {
		first, err := w.replay(use)
		if err != nil {
			return err
		}
		return &early{first}
	}
	if !w.rule.DeletedAt.IsZero() {
		return laurel.Missing("Loyalty rule")
	}
	facts, err := w.readFacts(ctx)
	if err != nil {
		return err
	}
	if _, err := decision.Decide(facts); err != nil {
		return err
	}
	return &early{Completion{Message: decision.MsgQueued, Status: "completed", Rewards: []Paid{}}}
}

// readAhead reads what Judge relies on without locks, and guesses the window: where time stepped back, only the subject
// knows it.
func (w *completion) readAhead(ctx context.Context) error {
	sub := progress.Subject{}
	if w.tries > 1 {
		var err error
		if sub, err = w.service.reads.subject(ctx, w.subjectKey()); err != nil {
			return err
		}
	}
	w.window, _ = w.windowAt(&sub, w.service.db.Now())
	return w.partsAhead(ctx)
}

func (w *completion) usedKey(ctx context.Context) (ledger.KeyUse, error) {
	if w.in.Key == "" {
		return ledger.KeyUse{}, nil
	}
	return w.service.ledger.FindKey(ctx, w.scope, w.in.Key)
}

// allowed: the parts of step 3 that need the rule.
func (w *completion) allowed() error {
	external := w.rule.Type == schema.TypeExternal
	switch {
	case w.in.Amount != nil && !external:
		return decision.Refuse(decision.MsgAmountOverride)
	case w.in.Key != "" && !external:
		return decision.Refuse(decision.MsgKeyOverride)
	case w.in.SkipRequired && !w.scope.Secret():
		return decision.Refuse(decision.MsgSkipNeedsKey)
	case external && !w.scope.Secret():
		return laurel.Errorf(laurel.Forbidden, "API key is not allowed to perform this operation")
	}
	return nil
}

// input stands for everything that decides what the call does: the same key with another input is refused.
func (w *completion) input() string {
	sum := sha256.Sum256(
		store.JSON([]any{w.in.RuleID, w.person.UserID, w.in.Amount, w.in.ContentURL, w.in.RangeValue, w.in.SkipRequired,
			w.in.VerificationCode, w.in.QuestionChoiceID}),
	)
	return hex.EncodeToString(sum[:])
}

func (w *completion) replay(use ledger.KeyUse) (Completion, error) {
	if use.Hash != w.input() {
		return Completion{}, ledger.KeyConflict()
	}
	var first Completion
	if err := json.Unmarshal([]byte(use.Answer), &first); err != nil {
		return Completion{}, err
	}
	first.Replayed = true
	return first, nil
}

// at is the moment that the decision is about: now, the click that a job is for, the time of a run, up to which
// a provider was asked, or the one that a dry run asks about.
func (w *completion) at(now time.Time) time.Time {
	switch {
	case !w.supposed.IsZero():
		return w.supposed
	case w.agreed != nil:
		return w.agreed.At
	case w.job != nil:
		return store.Time(w.job.CreatedAt)
	case w.fed != nil:
		return w.fed.At
	case w.told != nil:
		return w.told.question.Until
	}
	return now
}

// windowAt returns the key of the window that is paid and whether it is open as far as the subject tells: "" where a
// key of the caller's takes its place or the interval has no fixed windows. A click is decided for its own moment,
// which lies in the past.
func (w *completion) windowAt(sub *progress.Subject, now time.Time) (key string, open bool) {
	switch {
	case w.agreed != nil:
		return w.agreed.Window, true
	case w.in.Key != "":
		return "", true
	case w.fed != nil:
		return w.fed.Window, true
	case w.claiming(): // what a run has found is used up by the payment
		return "", true
	case w.rule.ByCode():
		return progress.CodeWindow(w.in.entered()), true
	case w.job != nil:
		key = schema.WindowKey(w.rule.Interval, w.at(now))
		return key, key == "" || sub.WindowPaidAt == nil ||
			key != schema.WindowKey(w.rule.Interval, store.Time(*sub.WindowPaidAt))
	}
	return sub.OpenAt(w.rule.Interval, now)
}

func (w *completion) facts(sub *progress.Subject, paid, currencyLive bool) decision.Facts {
	f := w.known
	f.Rule, f.Meta, f.Client, f.Blocked, f.FirstSeenAt =
		&w.rule.Properties, w.rule.Meta(), !w.scope.Secret(), w.person.Blocked, w.person.FirstSeenAt
	f.CurrencyLive, f.KeyGiven, f.WindowPaid, f.Tally = currencyLive, w.in.Key != "", paid, sub.Tally()
	f.Amount, f.Text, f.RuleID = w.in.Amount, w.in.entered(), w.rule.ID
	f.TokenCurrencyID = w.rule.TokenCurrencyID
	if w.fed != nil {
		f.By, f.Amount = w.fed.By, w.known.Amount
	}
	if w.deed {
		f.By = decision.ByDeed
	}
	if w.scope.Secret() && w.rule.Type == schema.TypeExternal {
		f.RangeValue = w.in.RangeValue
	}
	if sub.LastPaidAt != nil {
		f.LastPaidAt = store.Time(*sub.LastPaidAt)
	}
	if sub.Progress != nil && (sub.FoundAt != nil || !w.claiming()) { // what a payment made of it is no claim
		f.Progress = *sub.Progress
	}
	return f
}

func (w *completion) subjectKey() progress.Key {
	return progress.Key{Rule: w.rule.ID, Subject: w.person.Subject()}
}

func (w *completion) claimKey(window string) progress.ClaimKey {
	return progress.ClaimKey{Rule: w.rule.ID, Subject: w.person.Subject(), Window: window}
}

// claimKeys are the windows that the completion pays: the present one, and of a code that everybody may use its own
// too, so that a rule which comes to count codes instead of days, or the other way, finds what was paid.
func (w *completion) claimKeys() []progress.ClaimKey {
	var keys []progress.ClaimKey
	if w.window != "" {
		keys = append(keys, w.claimKey(w.window))
	}
	if code := progress.CodeWindow(
		w.in.entered(),
	); w.rule.Type == schema.TypeCodeEntry && w.rule.Meta().Shared() &&
		code != w.window {
		keys = append(keys, w.claimKey(code))
	}
	return keys
}
