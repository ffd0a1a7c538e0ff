package schema

import (
	"encoding/json"

	"laurel"
)

// TypeReferredUser pays for bringing others.
const TypeReferredUser Type = "referred_user"

// Referral is what a rule of type referred_user says of its payments (contract 3.13, 5.12).
type Referral struct {
	FirstTier, SecondTier laurel.Amount // percent of what referees earn, tier 1 and 2
	ReferrerBonus         laurel.Amount // to the referrer
	BonusCurrencyID       *laurel.ID    // nil: the rule's
	Requirements          ReferralRequirements
}

// ReferralRequirements must all hold of a referee before welcome and lump sum are paid.
type ReferralRequirements struct {
	CompleteProfile   bool
	ConnectEmail      bool
	ConnectMicroblog  bool
	ConnectChatServer bool
	Points            *PointsRequirement // nil: none
	Profile           map[string]bool    // the rule's completeProfileConditions
}

// PointsRequirement asks for a balance.
type PointsRequirement struct {
	Amount     laurel.Amount // at least this much; 0: any at all
	CurrencyID *laurel.ID    // nil: the rule's
}

// storedRequirements is the stored form. loyaltyCurrecyId is an old spelling that callers still use.
type storedRequirements struct {
	AchievePoints     *bool         `json:"achievePoints"`
	CompleteProfile   *bool         `json:"completeProfile"`
	ConnectEmail      *bool         `json:"connectEmail"`
	ConnectMicroblog  *bool         `json:"connectMicroblog"`
	ConnectChatServer *bool         `json:"connectChatServer"`
	Points            *storedPoints `json:"points"`
}

type storedPoints struct {
	Amount   *laurel.Amount `json:"amount"`
	Currency *laurel.ID     `json:"loyaltyCurrencyId"`
	Alias    *laurel.ID     `json:"loyaltyCurrecyId"`
}

// storedPoints is what is asked of the balance: nothing where achievePoints says so or neither of the two is
// there.
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

// Referral reads what the metadata says of referrals; like Meta it takes each property by itself.
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
			_ = json.Unmarshal(value, to) // checked when it was stored
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

// checkRequirements notes requirements that could never be read.
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

// aNonNegative is a check of amounts that are paid or asked for.
var aNonNegative = checkThat("a number of at least 0", amountUpTo(laurel.MaxAmount-1))
