package schema

import (
	"encoding/json"
	"strconv"

	"laurel.example/laurel"
)

// ReferenceKind is a kind of record that rules refer to by id.
type ReferenceKind string

// The kinds of records that rules refer to, besides the currency that they pay and their group.
const (
	FunctionRef     ReferenceKind = "Function"
	SubscriptionRef ReferenceKind = "Subscription"
	ContractRef     ReferenceKind = "Contract"
	CurrencyRef     ReferenceKind = "Loyalty currency"
	RuleRef         ReferenceKind = "Loyalty rule"
	BadgeRef        ReferenceKind = "Badge"
	AnyRuleRef      ReferenceKind = "any rule" // a rule that may be deleted: the one that a rule was duplicated from
)

// Label returns the name of the kind in faults.
func (t ReferenceKind) Label() string {
	if t == AnyRuleRef {
		return string(RuleRef)
	}
	return string(t)
}

// Reference is a record that a rule refers to, with the path of the property.
type Reference struct {
	Kind ReferenceKind
	ID   laurel.ID
	Path string
}

// References returns the records that the rule refers to: first in its own properties, then in its metadata (contract
// 3.12, 3.13).
func (p *Properties) References() []Reference {
	var out referenceList
	out.add(BadgeRef, p.LoyaltyBadgeID, "loyaltyBadgeId")
	out.add(FunctionRef, p.FunctionID, "functionId")
	out.add(SubscriptionRef, p.SubscriptionID, "subscriptionId")
	out.add(AnyRuleRef, p.DuplicatedFromID, "duplicatedFromId")
	out.addAll(ContractRef, p.ContractIDs, "contractIds")
	if p.TokenReward != nil {
		out.add(ContractRef, p.TokenReward.ContractID, "tokenReward.contractId")
	}
	var stored map[string]json.RawMessage
	if json.Unmarshal(p.Metadata, &stored) != nil {
		return out
	}
	for _, property := range []struct {
		name string
		kind ReferenceKind
	}{{"autoCheckInRuleIds", RuleRef}, {"multiplierLoyaltyCurrencyIds", CurrencyRef}} {
		var ids []laurel.ID
		if json.Unmarshal(stored[property.name], &ids) == nil { // otherwise the property is "any"
			out.addAll(property.kind, ids, "metadata."+property.name)
		}
	}
	var tiers []Tier
	if json.Unmarshal(stored["range"], &tiers) == nil {
		for i, t := range tiers {
			out.add(BadgeRef, t.BadgeID, "metadata.range."+strconv.Itoa(i)+".loyaltyBadgeId")
		}
	}
	var bonusCurrency *laurel.ID
	if json.Unmarshal(stored["referrerRewardLoyaltyCurrencyId"], &bonusCurrency) == nil {
		out.add(CurrencyRef, bonusCurrency, "metadata.referrerRewardLoyaltyCurrencyId")
	}
	var event struct {
		ContractID *laurel.ID `json:"contractId"`
	}
	if json.Unmarshal(stored["smartContract"], &event) == nil {
		out.add(ContractRef, event.ContractID, "metadata.smartContract.contractId")
	}
	var requirements storedRequirements
	if json.Unmarshal(stored["referralRequirements"], &requirements) == nil && requirements.Points != nil {
		out.add(CurrencyRef, requirements.Points.Currency, "metadata.referralRequirements.points.loyaltyCurrencyId")
		out.add(CurrencyRef, requirements.Points.Alias, "metadata.referralRequirements.points.loyaltyCurrecyId")
	}
	return out
}

// referenceList collects references.
type referenceList []Reference

// add appends a reference unless the id is nil.
func (n *referenceList) add(kind ReferenceKind, id *laurel.ID, path string) {
	if id != nil {
		*n = append(*n, Reference{kind, *id, path})
	}
}

// addAll appends a reference for each id of an array.
func (n *referenceList) addAll(kind ReferenceKind, ids []laurel.ID, path string) {
	for i, id := range ids {
		n.add(kind, &id, path+"."+strconv.Itoa(i))
	}
}
