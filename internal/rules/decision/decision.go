// Package decision decides whether a member has earned a rule's reward: from facts to a reward or a refusal, and
// nothing else. It knows no database and no clock, so past completions can be decided again. It owns the texts of the
// refusals; completion gathers the facts.
package decision

import (
	"slices"
	"time"

	"laurel/internal/engagement/multiplier"

	"laurel"
	"laurel/internal/engagement/conditions"
	"laurel/internal/rules/schema"
)

// Facts are everything that the decision on a completion looks at. They are read under the locks of the transaction
// that pays, or without locks where nothing can be paid, as for verifyOnly; the same facts always lead to the same
// decision.
type Facts struct {
	Rule            *schema.Properties `json:"-"`
	Kind            *Kind              `json:"-"` // of the rule's type; nil: nothing completes it yet
	Meta            schema.Meta        `json:"-"` // what completion goes by of the rule's metadata
	Now             time.Time          `json:"now,omitzero"`
	WithClientKey   bool               `json:"client,omitzero"` // asked with a publishable key
	Blocked         bool               `json:"blocked,omitzero"`
	MemberSince     time.Time          `json:"firstSeenAt,omitzero"` // of the user in this website
	CurrencyLive    bool               `json:"currencyLive,omitzero"`
	KeyGiven        bool               `json:"keyGiven,omitzero"`   // an idempotencyKey takes the place of the window
	WindowPaid      bool               `json:"windowPaid,omitzero"` // the present window has been paid
	LastPaidAt      time.Time          `json:"lastPaidAt,omitzero"`
	Tally           schema.Tally       `json:"tally,omitzero"`
	Progress        laurel.Amount      `json:"progress,omitzero"`
	Amount          *laurel.Amount     `json:"amount,omitzero"`     // override
	RequiredMissing bool               `json:"required,omitzero"`   // other rules must be completed first, and are not
	RequiredDone    int                `json:"-"`                   // how many of these are, and
	RequiredAll     int                `json:"-"`                   // of how many; known to dry runs only
	Text            string             `json:"text,omitzero"`       // verificationCode without space around it
	Characters      int                `json:"characters,omitzero"` // of a Text that a record left out
	// the rule has codes of its own, good for one redemption each
	HasCodes      bool           `json:"hasCodes,omitzero"`
	CodeFree      bool           `json:"codeFree,omitzero"`   // Text is one of them and not redeemed
	HasPendingJob bool           `json:"clickWaits,omitzero"` // a click is being verified, or a function still decides
	DecidedByJob  bool           `json:"clickAged,omitzero"`  // decided by the job: the delay of a click is over
	RangeValue    *laurel.Amount `json:"rangeValue,omitzero"`
	// how far the member is with what must be done before, unless that is passed over
	Chains          []conditions.ChainState `json:"chains,omitzero"`
	Listed          bool                    `json:"listed,omitzero"`   // the wallet stands on the rule's list
	Allotted        *laurel.Amount          `json:"allotted,omitzero"` // what the list gives it; nil: what the rule pays
	RuleID          laurel.ID               `json:"ruleId,omitzero"`
	TokenCurrencyID laurel.ID               `json:"tokenCurrencyId,omitzero"` // of a rule that pays a token
	Multipliers     []multiplier.Live       `json:"multipliers,omitzero"`     // live ones of the member and its group
	// of the member, in the currencies that a multiplier of the rule concerns at once
	Balances           []Balance   `json:"balances,omitzero"`
	HasCompletedBefore bool        `json:"completedBefore,omitzero"` // ever
	TriggeredBy        TriggerKind `json:"by,omitzero"`              // what asks for the completion
	Referral           Referral    `json:"referral,omitzero"`        // of rules of type referred_user
	Question           Question    `json:"question,omitzero"`        // of a quiz or poll
	Profile            Profile     `json:"profile,omitzero"`         // of rules that ask for it
	Streak             Streak      `json:"streak,omitzero"`          // of check_in rules with streaks
	// of a rule that pays a token: nobody could be paid
	NoWallet bool `json:"noWallet,omitzero"`
	// of rules whose members a provider answers for
	Verdict Verdict `json:"verdict,omitzero"`
	// the live ones of the badges that the rule may give
	Badges []laurel.ID `json:"badges,omitzero"`
}

// TriggerKind is what asks for a completion.
type TriggerKind string

// The occasions.
const (
	ByCall        TriggerKind = ""
	ByEvent       TriggerKind = "event" // something that a rule waits for has happened
	ByRun         TriggerKind = "run"   // a run on the rule's cadence
	ByAutoCheckIn TriggerKind = "deed"  // the completion of another rule, or an entry of the member, that checks it in
)

// Referral is what is known of the referral of a member by a rule (contract 5.12).
type Referral struct {
	Eligible    bool // the rule's requirements held, and nothing was paid for that yet
	HasReferrer bool `json:"Referrer"` // there is one who may get a lump sum, where the rule pays it
}

// Reward is what a decision pays.
type Reward struct {
	Amount              laurel.Amount
	RangeStart          *laurel.Amount    // the tier that gave the amount
	Multiplier          laurel.Amount     // the value of the one that is given; 0: none is
	ReplacedMultipliers []multiplier.Live `json:"Ends"` // whose place it takes
	Credits             []Credit          // further ones beside Amount, in the same transaction
	Badges              []laurel.ID       // that are given
	Streak              int64             // windows in a row with a check-in, this one included; 0: the rule counts none
	RetryAfter          time.Duration     `json:"After"`   // not yet: decided again when this time has passed
	IsDeferred          bool              `json:"Pending"` // After counts
}

// alreadyRewarded is the refusal of a window already paid (contract 1.4).
func alreadyRewarded() error {
	return &laurel.Error{Code: laurel.Refused, Message: MsgRewarded, Rewarded: true}
}

// Refuse is the refusal with one of the messages.
func Refuse(message string) error { return laurel.Errorf(laurel.Refused, "%s", message) }

// Decide returns the reward, or the first refusal of contract 5.1 in its order, from step 4 on. It is pure.
func Decide(f Facts) (Reward, error) {
	for _, s := range checkOrder {
		if err := s.check(f); err != nil {
			return Reward{}, err
		}
	}
	return computeReward(f)
}

// namedCheck is a check of contract 5.1.
type namedCheck struct {
	name  string
	check func(Facts) error
}

// checkOrder are the checks from step 4 to step 12; verification is the last of them.
var checkOrder = []namedCheck{
	{"currency", checkCurrency},
	{"setup", checkSetUp},
	{"time", checkTime},
	{"blocked", checkNotBlocked},
	{"audience", checkAudience},
	{"required", checkRequired},
	{"window", checkWindow},
	{"progress", checkProgress},
	{"account", checkVerifiedMark},
	{"verification", checkVerification},
}

// checkBeforeVerification: steps 4 to 11, and of step 12 what comes before the type's own.
func checkBeforeVerification(f Facts) error {
	for _, s := range checkOrder[:len(checkOrder)-1] {
		if err := s.check(f); err != nil {
			return err
		}
	}
	return nil
}

// checkCurrency: step 4.
func checkCurrency(f Facts) error {
	if (f.Rule.RewardType == schema.RewardPoints || f.Rule.RewardType == schema.RewardToken) && !f.CurrencyLive {
		return Refuse(MsgCurrencyNotFound)
	}
	return nil
}

// checkSetUp: step 5.
func checkSetUp(f Facts) error {
	r := f.Rule
	may := acceptsTrigger(f)
	if !hasPayableReward(f) || (may || r.Type.Kind().OnCall) && f.Kind == nil || !typeIsSetUp(f) {
		return Refuse(MsgNotSetUp)
	}
	if !may {
		return Refuse(MsgNotCompleted)
	}
	return nil
}

// hasPayableReward reports whether the rule pays in a way that there is; of a token, whether it says which.
func hasPayableReward(f Facts) bool {
	switch f.Rule.RewardType {
	case schema.RewardPoints, schema.RewardMultiplier:
		return true
	case schema.RewardToken:
		return f.Rule.PaysToken() && !f.TokenCurrencyID.IsZero()
	case schema.RewardBadge:
		return len(f.Badges) > 0
	}
	return false
}

// typeIsSetUp reports whether the rule has what its type needs.
func typeIsSetUp(f Facts) bool {
	return f.Kind == nil || f.Kind.IsSetUp == nil || f.Kind.IsSetUp(f)
}

// checkTime: step 6.
func checkTime(f Facts) error {
	r := f.Rule
	if r.StartTime != nil && f.Now.Before(r.StartTime.Time) {
		if f.WithClientKey && !r.ShowBeforeStart {
			return Refuse(MsgNotStarted)
		}
		return laurel.Errorf(laurel.Refused, MsgNotStartedNamed, r.Name)
	}
	if r.EndTime != nil && !f.Now.Before(r.EndTime.Time) {
		return Refuse(MsgExpired)
	}
	return nil
}

// checkNotBlocked: step 7.
func checkNotBlocked(f Facts) error {
	if f.Blocked {
		return Refuse(MsgBlocked)
	}
	return nil
}

// checkAudience: step 8.
func checkAudience(f Facts) error {
	start := f.Rule.StartTime
	if f.Meta.IsRestrictedToNewUsers && start != nil && f.MemberSince.Before(start.Time) {
		return Refuse(MsgNewUsersOnly)
	}
	return checkListed(f)
}

// checkRequired: step 9.
func checkRequired(f Facts) error {
	if f.RequiredMissing || slices.ContainsFunc(f.Chains, func(c conditions.ChainState) bool { return !c.IsOpen() }) {
		return Refuse(MsgRequired)
	}
	return nil
}

// checkWindow: step 10. A key of its own replaces the window, but never the cap.
func checkWindow(f Facts) error {
	if f.GrantsMultiplier() && f.reachesBetterTier() {
		return nil
	}
	if f.GrantsMultiplier() && len(f.grantedByRule()) > 0 {
		return alreadyRewarded()
	}
	if !f.KeyGiven {
		if f.WindowPaid || f.Profile.AccountPaid {
			return alreadyRewarded()
		}
		if f.hasRollingWindow() {
			reopens := f.LastPaidAt.Add(time.Duration(*f.Meta.CustomIntervalSeconds) * time.Second)
			if f.Now.Before(reopens) {
				return alreadyRewarded()
			}
		}
	}
	if left, capped := capLeft(f); capped && left <= 0 {
		return alreadyRewarded()
	}
	return nil
}

// hasRollingWindow reports whether the window is closed for a time after each reward, and there was one.
func (f Facts) hasRollingWindow() bool {
	if f.Rule.Interval != schema.IntervalCustom || f.LastPaidAt.IsZero() || f.byCode() || f.isClaim() || f.Verdict.HasKey {
		return false
	}
	return f.TriggeredBy == ByCall || f.TriggeredBy == ByAutoCheckIn || f.TriggeredBy == ByEvent && f.Verdict.HasProvider
}

// byCode reports whether each code is a window of its own (contract 5.3).
func (f Facts) byCode() bool { return f.Rule.Type == schema.TypeCodeEntry && f.Meta.AllowMultiple }

// capLeft returns what may still be paid in the present cap window (contract 5.6).
func capLeft(f Facts) (laurel.Amount, bool) {
	r := f.Rule
	if r.MaxAmountInterval == nil || r.MaxAmountPerInterval == nil {
		return 0, false
	}
	return *r.MaxAmountPerInterval - f.Tally.Paid(*r.MaxAmountInterval, f.Now), true
}

// checkProgress: step 11.
func checkProgress(f Facts) error {
	if (f.Rule.TrackProgress || f.isClaim()) && f.Progress < f.Rule.Target() {
		return Refuse(MsgNotCompleted)
	}
	return nil
}

// checkVerification: step 12. Who comes here has a kind: checkSetUp has seen to it.
func checkVerification(f Facts) error {
	if f.Kind.Check != nil && (!f.isClaim() || f.dependsOnValue()) {
		if err := f.Kind.Check(f); err != nil {
			return err
		}
	}
	if f.NoWallet {
		return Refuse(MsgNoWallet)
	}
	return nil
}
