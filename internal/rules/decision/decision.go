// Package decision decides whether a member has earned a rule's reward: it turns facts into a reward or a refusal, and
// does nothing else. It knows no database and no clock, so past completions can be decided again. It owns the texts of
// the refusals. It does not gather the facts or pay (completion).
package decision

import (
	"slices"
	"time"

	"laurel.example/laurel/internal/engagement/multiplier"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/engagement/conditions"
	"laurel.example/laurel/internal/rules/schema"
)

// Facts are the values that the decision on a completion rests on. They are read under the locks of the transaction
// that pays, or without locks if nothing can be paid, as for verifyOnly. The same facts always lead to the same
// decision. Payments store them as JSON.
type Facts struct {
	Rule            *schema.Properties `json:"-"`
	Kind            *Kind              `json:"-"` // of the rule's type; nil: this version does not know it
	Meta            schema.Meta        `json:"-"` // the rule's metadata
	Now             time.Time          `json:"now,omitzero"`
	WithClientKey   bool               `json:"client,omitzero"` // the call came with a client key
	Blocked         bool               `json:"blocked,omitzero"`
	MemberSince     time.Time          `json:"firstSeenAt,omitzero"` // when the user joined this website
	CurrencyLive    bool               `json:"currencyLive,omitzero"`
	KeyGiven        bool               `json:"keyGiven,omitzero"`   // the call's idempotencyKey replaces the window
	WindowPaid      bool               `json:"windowPaid,omitzero"` // the present window has been paid
	LastPaidAt      time.Time          `json:"lastPaidAt,omitzero"`
	Tally           schema.Tally       `json:"tally,omitzero"`
	Progress        laurel.Amount      `json:"progress,omitzero"`
	Amount          *laurel.Amount     `json:"amount,omitzero"`     // override
	RequiredMissing bool               `json:"required,omitzero"`   // rules that are required first are not completed
	RequiredDone    int                `json:"-"`                   // how many required rules are completed, and
	RequiredAll     int                `json:"-"`                   // how many there are; only in dry runs
	Text            string             `json:"text,omitzero"`       // verificationCode without surrounding space
	Characters      int                `json:"characters,omitzero"` // the length of a Text that a record left out
	// HasCodes says that the rule has codes of its own, each for one redemption.
	HasCodes      bool `json:"hasCodes,omitzero"`
	CodeIsUnused  bool `json:"codeFree,omitzero"`   // Text is one of them and not redeemed
	HasPendingJob bool `json:"clickWaits,omitzero"` // a click is being verified, or a function still decides
	DecidedByJob  bool `json:"clickAged,omitzero"`  // the job decides now: the delay of a click is over
	// PendingJobDiffers says that the pending job is about another content url than the call.
	PendingJobDiffers bool           `json:"-"`
	HasContentURL     bool           `json:"contentUrl,omitzero"` // the call names a post or comment
	PostClaimed       bool           `json:"-"`                   // the post of the verdict has earned this rule before
	RangeValue        *laurel.Amount `json:"rangeValue,omitzero"`
	// Chains say how far the member is with the rule's chains; empty if the call skips them.
	Chains          []conditions.ChainState `json:"chains,omitzero"`
	Listed          bool                    `json:"listed,omitzero"`   // the wallet is on the rule's list
	Allotted        *laurel.Amount          `json:"allotted,omitzero"` // the amount of the list; nil: the rule's
	RuleID          laurel.ID               `json:"ruleId,omitzero"`
	TokenCurrencyID laurel.ID               `json:"tokenCurrencyId,omitzero"` // of a rule that pays a token
	Multipliers     []multiplier.Live       `json:"multipliers,omitzero"`     // live ones of the member and its group
	// Balances are the member's in the currencies of a retroactive multiplier.
	Balances           []Balance   `json:"balances,omitzero"`
	HasCompletedBefore bool        `json:"completedBefore,omitzero"` // the member has completed the rule before
	TriggeredBy        TriggerKind `json:"by,omitzero"`              // what triggers the completion
	Referral           Referral    `json:"referral,omitzero"`        // of rules of type referred_user
	Question           Question    `json:"question,omitzero"`        // of a quiz or poll
	Profile            Profile     `json:"profile,omitzero"`         // of rules that look at it
	Streak             Streak      `json:"streak,omitzero"`          // of check_in rules with streaks
	// NoWallet says that the rule pays a token and the member has no wallet to pay it to.
	NoWallet bool `json:"noWallet,omitzero"`
	// Verdict is the result of a provider, for rules that need one.
	Verdict Verdict `json:"verdict,omitzero"`
	// Badges are the rule's badges that exist.
	Badges []laurel.ID `json:"badges,omitzero"`
}

// TriggerKind says what triggers a completion. Records store it.
type TriggerKind string

// The kinds of triggers.
const (
	TriggerCall        TriggerKind = ""
	TriggerEvent       TriggerKind = "event" // an event that the rule waits for
	TriggerRun         TriggerKind = "run"   // a run on the rule's schedule
	TriggerAutoCheckIn TriggerKind = "deed"  // another completion, or an entry, checks the member in
)

// Referral holds the facts of a referral (contract 5.12).
type Referral struct {
	Eligible    bool // the rule's requirements held, and nothing was paid for the referral yet
	HasReferrer bool `json:"Referrer"` // there is a referrer who may get the bonus
}

// Reward is what a decision pays. Posts to external ledgers store it as JSON.
type Reward struct {
	Amount              laurel.Amount
	RangeStart          *laurel.Amount    // the tier that gave the amount
	Multiplier          laurel.Amount     // the value of the granted multiplier; 0: none is granted
	ReplacedMultipliers []multiplier.Live `json:"Ends"` // the multipliers that it replaces
	Credits             []Credit          // further amounts in the same transaction
	Badges              []laurel.ID       // granted with it
	Streak              int64             // windows in a row with a check-in, this one included; 0: the rule counts none
	RetryAfter          time.Duration     `json:"After"`   // if IsDeferred: the time until it is decided again
	IsDeferred          bool              `json:"Pending"` // there is no reward yet
}

// alreadyRewarded returns the refusal of a window that was paid before (contract 1.4).
func alreadyRewarded() error {
	return &laurel.Error{Code: laurel.Refused, Message: MsgRewarded, Rewarded: true}
}

// Refuse returns a refusal with one of the messages.
func Refuse(message string) error { return laurel.Errorf(laurel.Refused, "%s", message) }

// Decide returns the reward, or the first refusal in the order of contract 5.1, from step 4 on. It is pure.
func Decide(f Facts) (Reward, error) {
	for _, s := range checkOrder {
		if err := s.check(f); err != nil {
			return Reward{}, err
		}
	}
	return computeReward(f)
}

// namedCheck is a check of contract 5.1. It returns the refusal, or nil.
type namedCheck struct {
	name  string
	check func(Facts) error
}

// checkOrder lists the checks of steps 4 to 12 in their order. The verification is the last.
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

// checkBeforeVerification runs every check of checkOrder except the last one, which verifies by the rule's type, and
// returns the first refusal.
func checkBeforeVerification(f Facts) error {
	for _, s := range checkOrder[:len(checkOrder)-1] {
		if err := s.check(f); err != nil {
			return err
		}
	}
	return nil
}

// checkCurrency is step 4: the rule's currency must exist.
func checkCurrency(f Facts) error {
	if (f.Rule.RewardType == schema.RewardPoints || f.Rule.RewardType == schema.RewardToken) && !f.CurrencyLive {
		return Refuse(MsgCurrencyNotFound)
	}
	return nil
}

// checkSetUp is step 5 of contract 5.1: the rule must be set up, and must accept the trigger.
func checkSetUp(f Facts) error {
	r := f.Rule
	accepted := acceptsTrigger(f)
	// A rule type that this version does not know has no Kind: it is not set up. But if the type accepts neither calls nor
	// the trigger, the refusal is MsgNotCompleted.
	if !hasPayableReward(f) || (accepted || r.Type.Kind().OnCall) && f.Kind == nil || !typeIsSetUp(f) {
		return Refuse(MsgNotSetUp)
	}
	if !accepted {
		return Refuse(MsgNotCompleted)
	}
	return nil
}

// hasPayableReward reports whether the rule's reward can be paid: its type is known, its token is set, its badge
// exists.
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

// typeIsSetUp reports whether the rule has what its type needs, such as codes.
func typeIsSetUp(f Facts) bool {
	return f.Kind == nil || f.Kind.IsSetUp == nil || f.Kind.IsSetUp(f)
}

// checkTime is step 6 of contract 5.1: the rule must have started and not ended. Before the start, the refusal names
// the rule, except to client keys if the rule is not shown before its start.
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

// checkNotBlocked is step 7: the member must not be blocked.
func checkNotBlocked(f Facts) error {
	if f.Blocked {
		return Refuse(MsgBlocked)
	}
	return nil
}

// checkAudience is step 8: a rule for new users, or for a list, must be for this member.
func checkAudience(f Facts) error {
	start := f.Rule.StartTime
	if f.Meta.IsRestrictedToNewUsers && start != nil && f.MemberSince.Before(start.Time) {
		return Refuse(MsgNewUsersOnly)
	}
	return checkListed(f)
}

// checkRequired is step 9: required rules must be completed, and chains open.
func checkRequired(f Facts) error {
	if f.RequiredMissing || slices.ContainsFunc(f.Chains, func(c conditions.ChainState) bool { return !c.IsOpen() }) {
		return Refuse(MsgRequired)
	}
	return nil
}

// checkWindow is step 10 of contract 5.1: the window must not be paid, and the cap not reached. A caller's key replaces
// the window, but not the cap. A rule that grants multipliers pays again only for a better tier.
func checkWindow(f Facts) error {
	if f.GrantsMultiplier() && (f.reachesBetterTier() || f.Verdict.IsPending && len(f.Meta.Range) > 0) {
		return nil
	}
	if f.GrantsMultiplier() && len(f.grantedByRule()) > 0 {
		return alreadyRewarded()
	}
	if !f.KeyGiven {
		if f.WindowPaid || f.Profile.AccountPaid && f.Profile.SharedAccountLabel == "" {
			return alreadyRewarded()
		}
		if f.Profile.AccountPaid {
			return laurel.Errorf(laurel.Refused, MsgSameAccount, f.Profile.SharedAccountLabel)
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

// hasRollingWindow reports whether the rule has a custom interval that counts for this completion and was started by an
// earlier reward. It does not count for claims, codes and keys of functions, which have windows of their own. Nor does
// it for runs, and for events about which no provider is asked.
func (f Facts) hasRollingWindow() bool {
	if f.Rule.Interval != schema.IntervalCustom || f.LastPaidAt.IsZero() {
		return false
	}
	if f.hasWindowPerCode() || f.isClaim() || f.Verdict.HasKey {
		return false
	}
	switch f.TriggeredBy {
	case TriggerCall, TriggerAutoCheckIn:
		return true
	case TriggerEvent:
		return f.Verdict.HasProvider
	default:
		return false
	}
}

// hasWindowPerCode reports whether each code is a window of its own (contract 5.3).
func (f Facts) hasWindowPerCode() bool {
	return f.Rule.Type == schema.TypeCodeEntry && f.Meta.AllowMultiple
}

// capLeft returns what may still be paid in the present period of the cap (contract 5.6). capped is false if the rule
// has no cap.
func capLeft(f Facts) (left laurel.Amount, capped bool) {
	r := f.Rule
	if r.MaxAmountInterval == nil || r.MaxAmountPerInterval == nil {
		return 0, false
	}
	return *r.MaxAmountPerInterval - f.Tally.Paid(*r.MaxAmountInterval, f.Now), true
}

// checkProgress is step 11: tracked progress must have reached the target.
func checkProgress(f Facts) error {
	if (f.Rule.TrackProgress || f.isClaim()) && f.Progress < f.Rule.Target() {
		return Refuse(MsgNotCompleted)
	}
	return nil
}

// checkVerification is step 12 of contract 5.1: the check of the rule type, and a wallet for a token. checkSetUp makes
// sure that the rule has a kind.
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
