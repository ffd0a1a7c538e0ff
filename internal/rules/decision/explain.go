package decision

import (
	"time"

	"laurel"
	"laurel/internal/engagement/conditions"
	"laurel/internal/rules/schema"
)

// Check is one step of a decision as a dry run tells of it: Refusal is nil where it passes.
type Check struct {
	Name    string
	Refusal error
}

// Explain decides like Decide and returns every step in its order, also those behind the first that refuses, as far as
// they can be judged: whoever the rule is not set up for cannot be verified, nor is there an amount.
func Explain(f Facts) (checks []Check, reward Reward, refusal error) {
	note := func(name string, err error) {
		checks = append(checks, Check{name, err})
		if refusal == nil {
			refusal = err
		}
	}
	judged := true
	for _, s := range checkOrder {
		if s.name == "verification" && !judged {
			return checks, Reward{}, refusal
		}
		err := s.check(f)
		note(s.name, err)
		judged = judged && (s.name != "setup" || err == nil)
	}
	reward, err := computeReward(f)
	note("reward", err)
	return checks, reward, refusal
}

// FailedCheck returns the name of the check that makes Decide refuse, as Explain names it; "reward" where no check
// does.
func FailedCheck(f Facts) string {
	for _, s := range checkOrder {
		if s.check(f) != nil {
			return s.name
		}
	}
	return "reward"
}

// Lack is what somebody has and what is asked for.
type Lack struct {
	Have laurel.Amount `json:"have"`
	Need laurel.Amount `json:"need"`
}

// Missing is what stands between the facts and a reward, in numbers.
type Missing struct {
	// the moment from which the rule or its window is open; none where it never is
	OpensAt    *laurel.Timestamp  `json:"opensAt,omitempty"`
	Progress   *Lack              `json:"progress,omitempty"`   // step 11
	Value      *Lack              `json:"value,omitempty"`      // below the lowest tier
	Characters *Lack              `json:"characters,omitempty"` // of a text
	Required   *Lack              `json:"required,omitempty"`   // how many of the rules that come first are completed
	Followers  *Lack              `json:"followers,omitempty"`  // of the microblog account that has most
	Fields     *Lack              `json:"fields,omitempty"`     // of the profile, of those that the rule asks for
	CapLeft    *laurel.Amount     `json:"capLeft,omitempty"`    // of the interval's maximum, where it is used up
	Conditions []conditions.State `json:"conditions,omitempty"` // of chains that are not open, those that do not hold
}

// FindMissing returns what is missing; nil where nothing is that numbers can tell.
func FindMissing(f Facts) *Missing {
	m := &Missing{OpensAt: opensAt(f)}
	if checkProgress(f) != nil {
		m.Progress = &Lack{f.Progress, f.Rule.Target()}
	}
	if tiers := f.Meta.Range; f.Amount == nil && len(tiers) > 0 {
		if _, ok := schema.TierOf(tiers, tierValue(f)); !ok {
			lowest := tiers[0].Start
			for _, t := range tiers {
				lowest = min(lowest, t.Start)
			}
			m.Value = &Lack{tierValue(f), lowest}
		}
	}
	if left, capped := capLeft(f); capped && left <= 0 {
		m.CapLeft = &left
	}
	if f.RequiredMissing {
		m.Required = &Lack{CountAmount(f.RequiredDone), CountAmount(f.RequiredAll)}
	}
	if f.Kind != nil && f.Kind.AddMissing != nil {
		f.Kind.AddMissing(f, m)
	}
	for _, c := range f.Chains {
		if !c.IsOpen() {
			m.Conditions = append(m.Conditions, c.Unmet()...)
		}
	}
	if m.isEmpty() {
		return nil
	}
	return m
}

func (m *Missing) isEmpty() bool {
	return m.OpensAt == nil && m.Progress == nil && m.Value == nil && m.Characters == nil && m.CapLeft == nil &&
		m.Required == nil && m.Followers == nil && m.Fields == nil && len(m.Conditions) == 0
}

// opensAt returns from when the rule, or the window that is paid, is open. A code that is used, and a rule whose
// multiplier is held, open by no time.
func opensAt(f Facts) *laurel.Timestamp {
	at := time.Time{}
	switch start := f.Rule.StartTime; {
	case start != nil && f.Now.Before(start.Time):
		at = start.Time
	case checkWindow(f) == nil, f.byCode(), f.GrantsMultiplier() && len(f.grantedByRule()) > 0:
	case (f.WindowPaid || f.Profile.AccountPaid && f.Rule.Interval != schema.IntervalCustom) && !f.KeyGiven:
		at = schema.WindowEnd(f.Rule.Interval, f.Now)
	case f.Rule.Interval == schema.IntervalCustom && !f.LastPaidAt.IsZero():
		at = f.LastPaidAt.Add(time.Duration(*f.Meta.CustomIntervalSeconds) * time.Second)
	}
	if at.IsZero() {
		return nil
	}
	return &laurel.Timestamp{Time: at}
}

// CountAmount is a count as an amount.
func CountAmount(n int) laurel.Amount { return laurel.Amount(n) * laurel.One }
