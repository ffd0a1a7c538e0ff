package schema

import (
	"cmp"
	"encoding/json"
	"slices"
	"strconv"
	"time"

	"laurel"
)

// Meta is what decisions read of the metadata. Stored metadata has passed metadataChecks, so every part of it decodes.
type Meta struct {
	CustomIntervalSeconds    *int64
	IsRestrictedToNewUsers   bool
	ResetProgressOnClaim     bool
	Range                    []Tier
	EnableStreaks            bool
	HasVerifiedMicroblog     bool
	EnableVerifiedMultiplier bool
	PromoCode                string
	PromoCodeType            string
	PromoCodeLength          *int64
	AllowMultiple            bool
	MinimumText              *int64
	Link                     string
	Delay                    *laurel.Amount // of a click, in seconds
	StreakArray              []Streak
	SkipMultiplier           bool
	IsRetroactive            bool
	MultiplierCurrencies     []laurel.ID
	VerifiedMultiplier       *laurel.Amount
	MinimumFollowers         *laurel.Amount
	CompleteProfile          map[string]*bool // conditions by name; nil and false: not asked for
	WalletType               string
	CheckInTriggers          Triggers
	OnEveryEntry             bool // isCheckInOnEveryTxn
	RewardPerValue           bool
	BadgePerRange            bool // rewardBadgePerRange: tiers give badges
}

// Streak is a milestone of a check_in rule with what reaching it pays (contract 5.9).
type Streak struct {
	Milestone *laurel.Amount `json:"streakMilestone"`
	Amount    *laurel.Amount `json:"streakAmount"`
}

// Pays reports whether reaching the milestone pays anything.
func (s Streak) Pays() bool { return s.Milestone != nil && s.Amount != nil && *s.Amount > 0 }

// Meta reads the metadata, each property by itself and by its exact name: an odd form of one, or a stranger that
// differs from it by case only, must not hide a restriction. Whole numbers may be written as 60, 60.0 or 6e1.
func (p *Properties) Meta() Meta {
	var m Meta
	var stored map[string]json.RawMessage
	if json.Unmarshal(p.Metadata, &stored) != nil {
		return m
	}
	for name, to := range map[string]any{
		"isRestrictedToNewUsers": &m.IsRestrictedToNewUsers, "resetProgressOnClaim": &m.ResetProgressOnClaim, "range": &m.Range,
		"enableStreaks": &m.EnableStreaks, "hasVerifiedMicroblog": &m.HasVerifiedMicroblog, "enableVerifiedMultiplier": &m.EnableVerifiedMultiplier,
		"promoCode": &m.PromoCode, "promoCodeType": &m.PromoCodeType, "allowMultipleRedemptions": &m.AllowMultiple,
		"link": &m.Link, "timeDelayToVerifySeconds": &m.Delay, "streakArray": &m.StreakArray, "verifiedMultiplier": &m.VerifiedMultiplier,
		"minimumFollowerCount": &m.MinimumFollowers, "completeProfileConditions": &m.CompleteProfile, "walletType": &m.WalletType,
		"autoCheckInRuleIds": &m.CheckInTriggers, "isCheckInOnEveryTxn": &m.OnEveryEntry, "rewardPerValue": &m.RewardPerValue,
		"rewardBadgePerRange": &m.BadgePerRange,
		"skipMultiplier":      &m.SkipMultiplier, "isRetroactive": &m.IsRetroactive, "multiplierLoyaltyCurrencyIds": &m.MultiplierCurrencies,
	} {
		if value := stored[name]; value != nil {
			_ = json.Unmarshal(value, to) // checked when it was stored
		}
	}
	for name, to := range map[string]**int64{
		"customIntervalSeconds": &m.CustomIntervalSeconds, "promoCodeLength": &m.PromoCodeLength, "verificationTextMinimumLength": &m.MinimumText,
	} {
		if n, ok := wholeNumber(stored[name]); ok {
			*to = &n
		}
	}
	return m
}

// crossCheck checks parts of the metadata against each other.
func (m Meta) crossCheck(f *laurel.Faults) {
	tiers := slices.Clone(m.Range)
	slices.SortFunc(tiers, func(a, b Tier) int { return cmp.Compare(a.Start, b.Start) })
	for i := 1; i < len(tiers); i++ {
		if tiers[i].Start <= tiers[i-1].End {
			f.Add("metadata.range", "must not overlap")
			break
		}
	}
	milestones := map[laurel.Amount]bool{}
	for i, s := range m.StreakArray {
		path := "metadata.streakArray." + strconv.Itoa(i) + ".streakMilestone"
		if s.Amount != nil && *s.Amount < 0 {
			f.Add("metadata.streakArray."+strconv.Itoa(i)+".streakAmount", "must be at least 0")
		}
		switch {
		case s.Milestone == nil || *s.Milestone < laurel.One || *s.Milestone%laurel.One != 0:
			f.Add(path, "must be an integer of at least 1")
		case milestones[*s.Milestone]:
			f.Add(path, "must be distinct")
		default:
			milestones[*s.Milestone] = true
		}
	}
}

// HasSharedCode reports whether everybody enters the same code; otherwise each code is good for one redemption.
func (m Meta) HasSharedCode() bool { return m.PromoCodeType == "" || m.PromoCodeType == "code" }

// GeneratedCodes returns how many codes the service makes for the rule.
func (m Meta) GeneratedCodes() int {
	if m.PromoCodeType != "generate" || m.PromoCodeLength == nil {
		return 0
	}
	return int(*m.PromoCodeLength)
}

// MinimumLength returns how many characters a text must have.
func (m Meta) MinimumLength() int {
	if m.MinimumText == nil {
		return 1
	}
	return int(*m.MinimumText)
}

// defaultClickDelay is how long a click ages before it pays (contract 3.13).
const defaultClickDelay = 30 * time.Second

// ClickDelay returns how long a click ages before it pays.
func (m Meta) ClickDelay() time.Duration {
	if m.Delay == nil {
		return defaultClickDelay
	}
	return time.Duration(*m.Delay) * time.Microsecond // amounts are millionths, so of seconds they are microseconds
}

// TierOf returns the tier that holds the value; above all tiers the highest, between two the lower, below all none.
func TierOf(tiers []Tier, value laurel.Amount) (Tier, bool) {
	var best Tier
	found := false
	for _, t := range tiers {
		if t.Start <= value && (!found || t.Start > best.Start) {
			best, found = t, true
		}
	}
	return best, found
}
