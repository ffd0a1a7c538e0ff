package decision

import (
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/engagement/conditions"
	"laurel.example/laurel/internal/rules/schema"
)

// Check is one step of a decision as dry runs show it. Refusal is nil if it passes.
type Check struct {
	Name    string
	Refusal error
}

// Explain decides as Decide does and returns the results of all checks in order, including those after the first
// refusal. If the rule is not set up, it leaves out the verification and the reward, which cannot be decided then.
func Explain(f Facts) (checks []Check, reward Reward, refusal error) {
	add := func(name string, err error) {
		checks = append(checks, Check{name, err})
		if refusal == nil {
			refusal = err
		}
	}
	isSetUp := true
	for _, s := range checkOrder {
		if s.name == "verification" && !isSetUp {
			return checks, Reward{}, refusal
		}
		err := s.check(f)
		add(s.name, err)
		isSetUp = isSetUp && (s.name != "setup" || err == nil)
	}
	reward, err := computeReward(f)
	add("reward", err)
	return checks, reward, refusal
}

// FailedCheck returns the name of the first check that makes Decide refuse, as Explain names it; "reward" if all checks
// pass.
func FailedCheck(f Facts) string {
	for _, s := range checkOrder {
		if s.check(f) != nil {
			return s.name
		}
	}
	return "reward"
}

// Lack is an amount that the member has and the amount that is needed.
type Lack struct {
	Have laurel.Amount `json:"have"`
	Need laurel.Amount `json:"need"`
}

// Missing says in numbers what the member needs for a reward.
type Missing struct {
	// OpensAt is when the rule or its window opens; nil if it never does.
	OpensAt    *laurel.Timestamp  `json:"opensAt,omitempty"`
	Progress   *Lack              `json:"progress,omitempty"`   // step 11
	Value      *Lack              `json:"value,omitempty"`      // below the lowest tier
	Characters *Lack              `json:"characters,omitempty"` // the length of a text
	Required   *Lack              `json:"required,omitempty"`   // completed required rules
	Followers  *Lack              `json:"followers,omitempty"`  // of the microblog account with the most followers
	Fields     *Lack              `json:"fields,omitempty"`     // filled fields of the profile that the rule asks for
	CapLeft    *laurel.Amount     `json:"capLeft,omitempty"`    // what the cap leaves, if it is used up
	Conditions []conditions.State `json:"conditions,omitempty"` // conditions of closed chains that do not hold
}

// FindMissing returns what the member needs for a reward, as far as numbers can show it; nil if there is nothing to
// show.
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

// isEmpty reports whether nothing is missing.
func (m *Missing) isEmpty() bool {
	return m.OpensAt == nil && m.Progress == nil && m.Value == nil && m.Characters == nil && m.CapLeft == nil &&
		m.Required == nil && m.Followers == nil && m.Fields == nil && len(m.Conditions) == 0
}

// opensAt returns when the rule starts, or, if the present window is paid, when the next one begins. It returns nil if
// the rule is open, or if time alone does not open it, as for a used code or a multiplier that the member has.
func opensAt(f Facts) *laurel.Timestamp {
	at := time.Time{}
	switch start := f.Rule.StartTime; {
	case start != nil && f.Now.Before(start.Time):
		at = start.Time
	case checkWindow(f) == nil, f.hasWindowPerCode(), f.GrantsMultiplier() && len(f.grantedByRule()) > 0:
		// it is open, or time does not open it
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

// CountAmount returns a count as an amount.
func CountAmount(n int) laurel.Amount { return laurel.Amount(n) * laurel.One }
