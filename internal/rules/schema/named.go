package schema

import (
	"encoding/json"
	"strconv"

	"laurel"
)

// Thing is a kind of thing that rules name by id.
type Thing string

// The things that rules name, besides the currency that they pay and the group that they are in.
const (
	AFunction     Thing = "Function"
	ASubscription Thing = "Subscription"
	AContract     Thing = "Contract"
	ACurrency     Thing = "Loyalty currency"
	ARule         Thing = "Loyalty rule"
	ABadge        Thing = "Badge"
	AnyRule       Thing = "any rule" // a deleted one too: where a rule comes from
)

// Label returns what refusals call the thing.
func (t Thing) Label() string {
	if t == AnyRule {
		return string(ARule)
	}
	return string(t)
}

// Named is a thing that a rule names, and where.
type Named struct {
	Thing Thing
	ID    laurel.ID
	Path  string
}

// NamedThings lists what the rule names, in its own properties first, then in its metadata (contract 3.12, 3.13).
func (p *Properties) NamedThings() []Named {
	var out named
	out.one(ABadge, p.LoyaltyBadgeID, "loyaltyBadgeId")
	out.one(AFunction, p.FunctionID, "functionId")
	out.one(ASubscription, p.SubscriptionID, "subscriptionId")
	out.one(AnyRule, p.DuplicatedFromID, "duplicatedFromId")
	out.all(AContract, p.ContractIDs, "contractIds")
	if p.TokenReward != nil {
		out.one(AContract, p.TokenReward.ContractID, "tokenReward.contractId")
	}
	var stored map[string]json.RawMessage
	if json.Unmarshal(p.Metadata, &stored) != nil {
		return out
	}
	for _, m := range []struct {
		name  string
		thing Thing
	}{{"autoCheckInRuleIds", ARule}, {"multiplierLoyaltyCurrencyIds", ACurrency}} {
		var ids []laurel.ID
		if json.Unmarshal(stored[m.name], &ids) == nil { // else it is "any"
			out.all(m.thing, ids, "metadata."+m.name)
		}
	}
	var tiers []Tier
	if json.Unmarshal(stored["range"], &tiers) == nil {
		for i, t := range tiers {
			out.one(ABadge, t.BadgeID, "metadata.range."+strconv.Itoa(i)+".loyaltyBadgeId")
		}
	}
	var lump *laurel.ID
	if json.Unmarshal(stored["referrerRewardLoyaltyCurrencyId"], &lump) == nil {
		out.one(ACurrency, lump, "metadata.referrerRewardLoyaltyCurrencyId")
	}
	var event struct {
		ContractID *laurel.ID `json:"contractId"`
	}
	if json.Unmarshal(stored["smartContract"], &event) == nil {
		out.one(AContract, event.ContractID, "metadata.smartContract.contractId")
	}
	var asked referralRequirements
	if json.Unmarshal(stored["referralRequirements"], &asked) == nil && asked.Points != nil {
		out.one(ACurrency, asked.Points.Currency, "metadata.referralRequirements.points.loyaltyCurrencyId")
		out.one(ACurrency, asked.Points.Alias, "metadata.referralRequirements.points.loyaltyCurrecyId")
	}
	return out
}

type named []Named

func (n *named) one(thing Thing, id *laurel.ID, path string) {
	if id != nil {
		*n = append(*n, Named{thing, *id, path})
	}
}

func (n *named) all(thing Thing, ids []laurel.ID, path string) {
	for i, id := range ids {
		n.one(thing, &id, path+"."+strconv.Itoa(i))
	}
}
