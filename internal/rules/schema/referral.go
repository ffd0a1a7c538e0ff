package schema

import (
	"encoding/json"

	"laurel.example/laurel"
)

// TypeReferredUser is the type of rules that pay for referrals.
const TypeReferredUser Type = "referred_user"

// Referral holds the settings of a rule of type referred_user (contract 3.13, 5.12).
type Referral struct {
	FirstTier, SecondTier laurel.Amount // percent of referees' earnings for the referrer, and for the referrer's referrer
	ReferrerBonus         laurel.Amount // a fixed amount for the referrer
	BonusCurrencyID       *laurel.ID    // nil: the rule's currency
	Requirements          ReferralRequirements
}

// ReferralRequirements must all hold for a referee before the welcome reward and the referrer bonus are paid.
type ReferralRequirements struct {
	CompleteProfile   bool
	ConnectEmail      bool
	ConnectMicroblog  bool
	ConnectChatServer bool
	Points            *PointsRequirement // nil: none
	Profile           map[string]bool    // the rule's completeProfileConditions
}

// PointsRequirement requires a balance.
type PointsRequirement struct {
	Amount     laurel.Amount // the least balance; 0: any balance above 0
	CurrencyID *laurel.ID    // nil: the rule's
}

// storedRequirements is ReferralRequirements as JSON. loyaltyCurrecyId is an old spelling that callers still use.
type storedRequirements struct {
	AchievePoints     *bool         `json:"achievePoints"`
	CompleteProfile   *bool         `json:"completeProfile"`
	ConnectEmail      *bool         `json:"connectEmail"`
	ConnectMicroblog  *bool         `json:"connectMicroblog"`
	ConnectChatServer *bool         `json:"connectChatServer"`
	Points            *storedPoints `json:"points"`
}

// storedPoints is PointsRequirement as JSON.
type storedPoints struct {
	Amount   *laurel.Amount `json:"amount"`
	Currency *laurel.ID     `json:"loyaltyCurrencyId"`
	Alias    *laurel.ID     `json:"loyaltyCurrecyId"`
}

// points returns the required balance: nil if achievePoints is false, or if neither achievePoints nor points is set. If
// only achievePoints is set, it returns the zero requirement: any balance above 0 in the rule's currency.
func (r storedRequirements) points() *PointsRequirement {
	switch {
	case r.AchievePoints != nil && !*r.AchievePoints, r.AchievePoints == nil && r.Points == nil:
		return nil
	case r.Points == nil:
		return &PointsRequirement{}
	}
	p := PointsRequirement{CurrencyID: r.Points.Currency}
	if p.CurrencyID == nil {
		p.CurrencyID = r.Points.Alias
	}
	if r.Points.Amount != nil {
		p.Amount = *r.Points.Amount
	}
	return &p
}

// Referral decodes the settings for referrals from the metadata. Like Meta it decodes each property by itself. Settings
// that are not in the metadata are zero: nothing is paid for them, and nothing is required.
func (p *Properties) Referral() Referral {
	var r Referral
	var stored map[string]json.RawMessage
	if json.Unmarshal(p.Metadata, &stored) != nil {
		return r
	}
	var requirements storedRequirements
	var profile map[string]*bool
	for name, to := range map[string]any{
		"firstReferralReward": &r.FirstTier, "secondReferralReward": &r.SecondTier, "referrerReward": &r.ReferrerBonus,
		"referrerRewardLoyaltyCurrencyId": &r.BonusCurrencyID, "referralRequirements": &requirements, "completeProfileConditions": &profile,
	} {
		if value := stored[name]; value != nil {
			_ = json.Unmarshal(value, to) // the value was checked when it was stored
		}
	}
	isTrue := func(b *bool) bool { return b != nil && *b }
	r.Requirements = ReferralRequirements{
		CompleteProfile: isTrue(requirements.CompleteProfile),
		ConnectEmail:    isTrue(requirements.ConnectEmail),
		ConnectMicroblog: isTrue(
			requirements.ConnectMicroblog,
		),
		ConnectChatServer: isTrue(requirements.ConnectChatServer),
		Points:            requirements.points(),
		Profile:           map[string]bool{},
	}
	for name, wanted := range profile {
		if isTrue(wanted) {
			r.Requirements.Profile[name] = true
		}
	}
	return r
}

// checkRequirements checks the property referralRequirements: an object of booleans, with the required balance in
// points. Each property may be null.
func checkRequirements(f *laurel.Faults, path string, value json.RawMessage) {
	var parts map[string]json.RawMessage
	if !isObject(value) || json.Unmarshal(value, &parts) != nil {
		f.Add(path, "must be an object")
		return
	}
	for _, name := range []string{"achievePoints", "completeProfile", "connectChatServer", "connectEmail", "connectMicroblog"} {
		if v := parts[name]; v != nil && string(v) != "null" {
			aBoolean(f, path+"."+name, v)
		}
	}
	points := parts["points"]
	if points == nil || string(points) == "null" {
		return
	}
	var fields map[string]json.RawMessage
	if !isObject(points) || json.Unmarshal(points, &fields) != nil {
		f.Add(path+".points", "must be an object")
		return
	}
	for _, name := range []string{"loyaltyCurrecyId", "loyaltyCurrencyId"} {
		if v := fields[name]; v != nil && string(v) != "null" {
			anID(f, path+".points."+name, v)
		}
	}
	if v := fields["amount"]; v != nil && string(v) != "null" {
		aNonNegative(f, path+".points.amount", v)
	}
}

// aNonNegative checks amounts of at least 0 that can be paid.
var aNonNegative = checkThat("a number of at least 0", amountUpTo(laurel.MaxAmount-1))
