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
	Rule         *schema.Properties `json:"-"`
	Kind         *Kind              `json:"-"` // of the rule's type; nil: nothing completes it yet
	Meta         schema.Meta        `json:"-"` // what completion goes by of the rule's metadata
	Now          time.Time          `json:"now,omitzero"`
	Client       bool               `json:"client,omitzero"` // asked with a publishable key
	Blocked      bool               `json:"blocked,omitzero"`
	FirstSeenAt  time.Time          `json:"firstSeenAt,omitzero"` // of the user in this website
	CurrencyLive bool               `json:"currencyLive,omitzero"`
	KeyGiven     bool               `json:"keyGiven,omitzero"`   // an idempotencyKey takes the place of the window
	WindowPaid   bool               `json:"windowPaid,omitzero"` // the present window has been paid
	LastPaidAt   time.Time          `json:"lastPaidAt,omitzero"`
	Tally        schema.Tally       `json:"tally,omitzero"`
	Progress     laurel.Amount      `json:"progress,omitzero"`
	Amount       *laurel.Amount     `json:"amount,omitzero"`     // override
	Required     bool               `json:"required,omitzero"`   // other rules must be completed first, and are not
	RequiredDone int                `json:"-"`                   // how many of these are, and
	RequiredAll  int                `json:"-"`                   // of how many; known to dry runs only
	Text         string             `json:"text,omitzero"`       // verificationCode without space around it
	Characters   int                `json:"characters,omitzero"` // of a Text that a record left out
	// the rule has codes of its own, good for one redemption each
	HasCodes   bool           `json:"hasCodes,omitzero"`
	CodeFree   bool           `json:"codeFree,omitzero"`   // Text is one of them and not redeemed
	JobWaits   bool           `json:"clickWaits,omitzero"` // a click is being verified, or a function still decides
	JobAged    bool           `json:"clickAged,omitzero"`  // decided by the job: the delay of a click is over
	RangeValue *laurel.Amount `json:"rangeValue,omitzero"`
	// how far the member is with what must be done before, unless that is passed over
	Chains          []conditions.Standing `json:"chains,omitzero"`
	Listed          bool                  `json:"listed,omitzero"`   // the wallet stands on the rule's list
	Allotted        *laurel.Amount        `json:"allotted,omitzero"` // what the list gives it; nil: what the rule pays
	RuleID          laurel.ID             `json:"ruleId,omitzero"`
	TokenCurrencyID laurel.ID             `json:"tokenCurrencyId,omitzero"` // of a rule that pays a token
	Multipliers     []multiplier.Live     `json:"multipliers,omitzero"`     // live ones of the member and its group
	// of the member, in the currencies that a multiplier of the rule concerns at once
	Balances        []Balance `json:"balances,omitzero"`
	CompletedBefore bool      `json:"completedBefore,omitzero"` // ever
	By              Occasion  `json:"by,omitzero"`              // what asks for the completion
	Referral        Referral  `json:"referral,omitzero"`        // of rules of type referred_user
	Question        Question  `json:"question,omitzero"`        // of a quiz or poll
	Profile         Profile   `json:"profile,omitzero"`         // of rules that ask for it
	Streak          Streak    `json:"streak,omitzero"`          // of check_in rules with streaks
	// of a rule that pays a token: nobody could be paid
	NoWallet bool `json:"noWallet,omitzero"`
	// of rules whose members a provider answers for
	Verdict Verdict `json:"verdict,omitzero"`
	// the live ones of the badges that the rule may give
	Badges []laurel.ID `json:"badges,omitzero"`
}

// Occasion is what asks for a completion.
type Occasion string

// The occasions.
const (
	ByCall  Occasion = ""
	ByEvent Occasion = "event" // something that a rule waits for has happened
	ByRun   Occasion = "run"   // a run on the rule's cadence
	ByDeed  Occasion = "deed"  // the completion of another rule, or an entry of the member, that checks it in
)

// Referral is what is known of the referral of a member by a rule (contract 5.12).
type Referral struct {
	Eligible bool // the rule's requirements held, and nothing was paid for that yet
	Referrer bool // there is one who may get a lump sum, where the rule pays it
}

// Reward is what a decision pays.
type Reward struct {
	Amount     laurel.Amount
	RangeStart *laurel.Amount    // the tier that gave the amount
	Multiplier laurel.Amount     // the value of the one that is given; 0: none is
	Ends       []multiplier.Live // whose place it takes
	Credits    []Credit          // further ones beside Amount, in the same transaction
	Badges     []laurel.ID       // that are given
	Streak     int64             // how many windows in a row the member has checked in now; 0: the rule counts none
	After      time.Duration     // not yet: decided again when this time has passed
	Pending    bool              // After counts
}

// rewarded is the refusal of a window already paid (contract 1.4).
func rewarded() error {
	return &laurel.Error{Code: laurel.Refused, Message: MsgRewarded, Rewarded: true}
}

// Refuse is the refusal with one of the messages.
func Refuse(message string) error { return laurel.Errorf(laurel.Refused, "%s", message) }

// Decide returns the reward, or the first refusal of contract 5.1 in its order, from step 4 on. It is pure.
func Decide(f Facts) (Reward, error) {
	for _, s := range steps {
		if err := s.check(f); err != nil {
			return Reward{}, err
		}
	}
	return payable(f)
}

// step is a check of contract 5.1.
type step struct {
	name  string
	check func(Facts) error
}

// steps are the checks from step 4 to step 12; verification is the last of them.
var steps = []step{
	{"currency", currency},
	{"setup", setUp},
	{"time", onTime},
	{"blocked", unblocked},
	{"audience", admitted},
	{"required", unlocked},
	{"window", windowOpen},
	{"progress", progressed},
	{"account", marked},
	{"verification", verified},
}

// before: steps 4 to 11, and of step 12 what comes before the type's own.
func before(f Facts) error {
	for _, s := range steps[:len(steps)-1] {
		if err := s.check(f); err != nil {
			return err
		}
	}
	return nil
}

// currency: step 4.
func currency(f Facts) error {
	if (f.Rule.RewardType == schema.RewardPoints || f.Rule.RewardType == schema.RewardToken) && !f.CurrencyLive {
		return Refuse(MsgCurrencyNotFound)
	}
	return nil
}

// setUp: step 5.
func setUp(f Facts) error {
	r := f.Rule
	may := answers(f)
	if !payableKind(f) || (may || r.Type.Kind().OnCall) && f.Kind == nil || !equipped(f) {
		return Refuse(MsgNotSetUp)
	}
	if !may {
		return Refuse(MsgNotCompleted)
	}
	return nil
}

// payableKind reports whether the rule pays in a way that there is; of a token, whether it says which.
func payableKind(f Facts) bool {
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

// equipped reports whether the rule has what its type needs.
func equipped(f Facts) bool {
	return f.Kind == nil || f.Kind.Equipped == nil || f.Kind.Equipped(f)
}

// onTime: step 6.
func onTime(f Facts) error {
	r := f.Rule
	if r.StartTime != nil && f.Now.Before(r.StartTime.Time) {
		if f.Client && !r.ShowBeforeStart {
			return Refuse(MsgNotStarted)
		}
		return laurel.Errorf(laurel.Refused, MsgNotStartedNamed, r.Name)
	}
	if r.EndTime != nil && !f.Now.Before(r.EndTime.Time) {
		return Refuse(MsgExpired)
	}
	return nil
}

// unblocked: step 7.
func unblocked(f Facts) error {
	if f.Blocked {
		return Refuse(MsgBlocked)
	}
	return nil
}

// admitted: step 8.
func admitted(f Facts) error {
	start := f.Rule.StartTime
	if f.Meta.IsRestrictedToNewUsers && start != nil && f.FirstSeenAt.Before(start.Time) {
		return Refuse(MsgNewUsersOnly)
	}
	return listed(f)
}

// unlocked: step 9.
func unlocked(f Facts) error {
	if f.Required || slices.ContainsFunc(f.Chains, func(c conditions.Standing) bool { return !c.Open() }) {
		return Refuse(MsgRequired)
	}
	return nil
}

// windowOpen: step 10. A key of its own replaces the window, but never the cap.
func windowOpen(f Facts) error {
	if f.Gives() && f.improves() {
		return nil
	}
	if f.Gives() && len(f.given()) > 0 {
		return rewarded()
	}
	if !f.KeyGiven {
		if f.WindowPaid || f.Profile.AccountPaid {
			return rewarded()
		}
		if f.rolls() {
			reopens := f.LastPaidAt.Add(time.Duration(*f.Meta.CustomIntervalSeconds) * time.Second)
			if f.Now.Before(reopens) {
				return rewarded()
			}
		}
	}
	if left, capped := capLeft(f); capped && left <= 0 {
		return rewarded()
	}
	return nil
}

// rolls reports whether the window is closed for a time after each reward, and there was one.
func (f Facts) rolls() bool {
	if f.Rule.Interval != schema.IntervalCustom || f.LastPaidAt.IsZero() || f.byCode() || f.claims() || f.Verdict.Keyed {
		return false
	}
	return f.By == ByCall || f.By == ByDeed || f.By == ByEvent && f.Verdict.Able
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

// progressed: step 11.
func progressed(f Facts) error {
	if (f.Rule.TrackProgress || f.claims()) && f.Progress < f.Rule.Target() {
		return Refuse(MsgNotCompleted)
	}
	return nil
}

// verified: step 12. Who comes here has a kind: setUp has seen to it.
func verified(f Facts) error {
	if f.Kind.Check != nil && (!f.claims() || f.measured()) {
		if err := f.Kind.Check(f); err != nil {
			return err
		}
	}
	if f.NoWallet {
		return Refuse(MsgNoWallet)
	}
	return nil
}
