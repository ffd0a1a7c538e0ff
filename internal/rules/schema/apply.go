package schema

import (
	"slices"
	"strconv"
	"strings"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/budget"
	"laurel.example/laurel/internal/evm"
	"laurel.example/laurel/internal/identity"
	"laurel.example/laurel/internal/weburl"
)

// Lengths in characters and numbers of items.
const (
	MaxName        = 1000
	MaxURL         = weburl.MaxLength
	maxDescription = 10_000
	maxOpaque      = 1000
	maxCollections = 50
	maxContracts   = 1000
	noSection      = "no-section"
)

// The closed enumerations of contract 2 that rules use.
var (
	frequencies        = []string{FrequencyNone, "once", "hourly", "daily", "weekly", "monthly", "immediately"}
	intervals          = []string{"hourly", "daily", "weekly", "monthly", "once", "custom", everyMessage, "unlimited"}
	rewardTypes        = []string{RewardPoints, RewardMultiplier, RewardBadge, RewardToken}
	rewardLifetimes    = []string{"permanent", "dynamic"}
	claimTypes         = []string{"manual", "auto"}
	progressTypes      = []string{"counter", "percentage"}
	maxAmountIntervals = []string{"daily", "weekly", "monthly", "lifetime"}
	dappWindows        = []string{"daily", "weekly", "monthly"}
)

// onCallFrequencies are the frequencies of rule types that have no runs (contract 3.12).
var onCallFrequencies = []string{FrequencyNone, "once", "immediately"}

// defaults returns the properties of a rule whose input sets none (contract 3.12).
func defaults(t Type) Properties {
	return Properties{
		Type:       t,
		Frequency:  FrequencyNone,
		Interval:   "once",
		Metadata:   []byte("{}"),
		RewardType: RewardPoints,
		IsDappRule: strings.HasPrefix(string(t), "dapps_by_"),
	}
}

// Create returns the properties of a new rule. It adds all faults of the input to f; if there are any, the properties
// must not be stored.
func (in Input) Create(f *laurel.Faults) Properties {
	t := Type(in.Type.Value)
	if !in.Type.Set || in.Type.Null {
		f.Add("type", "is required")
	} else if !t.IsKnown() {
		f.Add("type", "must be one of: %s", strings.Join(TypeNames(), ", "))
	}
	p := defaults(t)
	if !in.Name.Set {
		f.Add("name", "is required")
	}
	laurel.Assign(f, "isDappRule", in.IsDappRule, "a boolean", &p.IsDappRule)
	p.DuplicatedFromID = in.DuplicatedFromID.ApplyTo(nil)
	in.apply(&p, f)
	return p
}

// Update sets the properties of the input on p, except those that cannot be changed, and adds all faults to f.
func (in Input) Update(p *Properties, f *laurel.Faults) {
	if in.Type.Set && Type(in.Type.Value) != p.Type {
		f.AddText("type", "type cannot be changed")
	}
	if in.IsDappRule.Set && in.IsDappRule.Value != p.IsDappRule {
		f.AddText("isDappRule", "isDappRule cannot be changed")
	}
	in.apply(p, f)
}

// apply sets the properties of the input on p and adds faults to f. It compares properties with each other only if each
// is valid alone.
func (in Input) apply(p *Properties, f *laurel.Faults) {
	in.rejectNilIDs(f)
	in.applyTexts(p, f)
	in.applyLinks(p, f)
	in.applyChoices(p, f)
	in.applyReward(p, f)
	in.applyFlags(p, f)
	if in.Metadata.Set {
		budget.CheckJSON(f, "metadata", in.Metadata.Value, budget.RuleMetadata)
		p.Metadata = CleanMetadata(in.Metadata.Value, p.Metadata, f)
	}
	if len(*f) == 0 { // one wrong property would cause further, misleading faults
		p.Check(f)
	}
}

// rejectNilIDs adds a fault for each id that is the nil UUID. No record has that id, and a stored one would be read as
// no id at all.
func (in Input) rejectNilIDs(f *laurel.Faults) {
	for _, id := range []struct {
		name string
		in   laurel.Optional[laurel.ID]
	}{
		{"loyaltyCurrencyId", in.LoyaltyCurrencyID}, {"loyaltyBadgeId", in.LoyaltyBadgeID}, {"subscriptionId", in.SubscriptionID},
		{"functionId", in.FunctionID}, {"duplicatedFromId", in.DuplicatedFromID},
	} {
		if id.in.Set && !id.in.Null && id.in.Value.IsZero() {
			f.Add(id.name, "%s", laurel.ErrID)
		}
	}
	for i, id := range in.ContractIDs.Value {
		if id.IsZero() {
			f.Add("contractIds."+strconv.Itoa(i), "%s", laurel.ErrID)
		}
	}
}

// applyTexts sets on p the texts that the input contains, and adds faults to f.
func (in Input) applyTexts(p *Properties, f *laurel.Faults) {
	if in.Name.Set {
		if p.Name = in.Name.Value; strings.TrimSpace(p.Name) == "" {
			f.Add("name", "is required")
		}
		f.Text("name", p.Name, 0, MaxName)
	}
	if in.Description.Set {
		p.Description = in.Description.Value
		f.Text("description", p.Description, 0, maxDescription)
	}
	laurel.AssignText(f, "externalIntegrationId", in.ExternalIntegrationID, maxOpaque, &p.ExternalIntegrationID)
	laurel.AssignText(f, "oauthCredentialsId", in.OAuthCredentialsID, maxOpaque, &p.OAuthCredentialsID)
	laurel.AssignIdentifier(f, "collectionAddress", in.CollectionAddress, &p.CollectionAddress)
	if p.CollectionAddress != nil {
		*p.CollectionAddress = identity.NormalizeWallet(*p.CollectionAddress)
	}
	if in.EditComment.Set {
		f.Text("editComment", in.EditComment.Value, 0, MaxName)
	}
}

// applyLinks sets on p the addresses, the network and the references to other records that the input contains, and adds
// faults to f. The group may be an id, or null or "no-section" for no group.
func (in Input) applyLinks(p *Properties, f *laurel.Faults) {
	assignURL(f, "customRewardsApiUrl", in.CustomRewardsAPIURL, &p.CustomRewardsAPIURL)
	assignURLOrFile(f, "customRewardsCsvUrl", in.CustomRewardsCSVURL, &p.CustomRewardsCSVURL)
	assignURLOrFile(f, "loyaltyUserAllotmentCsvUrl", in.UserAllotmentCSVURL, &p.UserAllotmentCSVURL)
	assignURL(f, "shopStoreUrl", in.ShopStoreURL, &p.ShopStoreURL)
	assignURLOrFile(f, "mediaUrl", in.MediaURL, &p.MediaURL)
	assignURLOrFile(f, "backgroundAssetUrl", in.BackgroundAssetURL, &p.BackgroundAssetURL)
	p.SubscriptionID = in.SubscriptionID.ApplyTo(p.SubscriptionID)
	p.FunctionID = in.FunctionID.ApplyTo(p.FunctionID)
	if in.ContractIDs.Set {
		if len(in.ContractIDs.Value) > maxContracts {
			f.Add("contractIds", "must have at most %d items", maxContracts)
		}
		p.ContractIDs = in.ContractIDs.Value
	}
	if in.Collections.Set {
		p.Collections = in.Collections.Value
		checkCollections(f, p.Collections)
	}
	if in.Network.Set {
		p.Network = in.Network.ApplyTo(nil)
		checkNetwork(f, "network", p.Network)
	}
	switch group := in.LoyaltyRuleGroupID; {
	case !group.Set: // not in the input
	case group.Null || group.Value == noSection:
		p.LoyaltyRuleGroupID = nil
	default:
		id, err := laurel.ParseID(group.Value)
		if err != nil {
			f.Add("loyaltyRuleGroupId", "must be a uuid or %s", noSection)
		}
		p.LoyaltyRuleGroupID = &id
	}
}

// applyChoices sets on p the enumerations that the input contains, and adds faults to f.
func (in Input) applyChoices(p *Properties, f *laurel.Faults) {
	assignChoice(f, "frequency", in.Frequency, frequencies, &p.Frequency)
	assignChoice(f, "interval", in.Interval, intervals, &p.Interval)
	assignChoice(f, "rewardType", in.RewardType, rewardTypes, &p.RewardType)
	assignOptionalChoice(f, "rewardLifetime", in.RewardLifetime, rewardLifetimes, &p.RewardLifetime)
	assignOptionalChoice(f, "claimType", in.ClaimType, claimTypes, &p.ClaimType)
	assignOptionalChoice(f, "progressType", in.ProgressType, progressTypes, &p.ProgressType)
	assignOptionalChoice(f, "maxAmountInterval", in.MaxAmountInterval, maxAmountIntervals, &p.MaxAmountInterval)
	assignOptionalChoice(f, "dappDataWindow", in.DappDataWindow, dappWindows, &p.DappDataWindow)
	assignOptionalChoice(f, "dappDeployedWithin", in.DappDeployedWithin, dappWindows, &p.DappDeployedWithin)
}

// applyReward sets on p the amounts, references and times of the reward that the input contains, and adds faults to f.
func (in Input) applyReward(p *Properties, f *laurel.Faults) {
	if p.Amount = in.Amount.ApplyTo(p.Amount); p.Amount != nil && *p.Amount < 0 {
		f.Add("amount", "must be at least 0")
	}
	p.MaxAmountPerInterval = in.MaxAmountPerInterval.ApplyTo(p.MaxAmountPerInterval)
	if p.MaxAmountPerInterval != nil && *p.MaxAmountPerInterval <= 0 {
		f.Add("maxAmountPerInterval", "must be greater than 0")
	}
	p.LoyaltyCurrencyID = in.LoyaltyCurrencyID.ApplyTo(p.LoyaltyCurrencyID)
	p.LoyaltyBadgeID = in.LoyaltyBadgeID.ApplyTo(p.LoyaltyBadgeID)
	if p.TokenReward = in.TokenReward.ApplyTo(p.TokenReward); p.TokenReward != nil && p.TokenReward.RelayerID.IsZero() {
		f.Add("tokenReward.relayerId", "is required")
	}
	p.StartTime = in.StartTime.ApplyTo(p.StartTime)
	p.EndTime = in.EndTime.ApplyTo(p.EndTime)
	p.EffectiveStartTime = in.EffectiveStartTime.ApplyTo(p.EffectiveStartTime)
	p.EffectiveEndTime = in.EffectiveEndTime.ApplyTo(p.EffectiveEndTime)
}

// applyFlags sets on p the booleans that the input contains, and adds a fault for each null.
func (in Input) applyFlags(p *Properties, f *laurel.Faults) {
	laurel.Assign(f, "hideInUi", in.HideInUI, "a boolean", &p.HideInUI)
	laurel.Assign(f, "isRequired", in.IsRequired, "a boolean", &p.IsRequired)
	laurel.Assign(f, "isSpecial", in.IsSpecial, "a boolean", &p.IsSpecial)
	laurel.Assign(f, "showBeforeStart", in.ShowBeforeStart, "a boolean", &p.ShowBeforeStart)
	laurel.Assign(f, "trackProgress", in.TrackProgress, "a boolean", &p.TrackProgress)
}

// cappedTypes are the rule types that may have a maximum amount per interval (contract 3.12).
var cappedTypes = []Type{"smart_contract_event", TypeExternal, "stratus_function"}

// Check compares properties with each other (contract 3.12, cross checks) and adds faults to f.
func (p *Properties) Check(f *laurel.Faults) {
	if p.StartTime != nil && p.EndTime != nil && !p.EndTime.After(p.StartTime.Time) {
		f.Add("endTime", "must be after startTime")
	}
	if p.EffectiveStartTime != nil && p.EffectiveEndTime != nil && !p.EffectiveEndTime.After(p.EffectiveStartTime.Time) {
		f.Add("effectiveEndTime", "must be after effectiveStartTime")
	}
	if p.MaxAmountInterval != nil && !slices.Contains(cappedTypes, p.Type) {
		f.Add("maxAmountInterval", "is for smart_contract_event, external_rule and stratus_function only")
	}
	if (p.MaxAmountInterval == nil) != (p.MaxAmountPerInterval == nil) {
		f.AddText("maxAmountPerInterval", "maxAmountInterval and maxAmountPerInterval must be set together")
	}
	if p.RewardType == RewardBadge && p.LoyaltyBadgeID == nil {
		f.Add("loyaltyBadgeId", "is required")
	}
	if p.Interval == everyMessage && !p.Type.countsMessages() {
		f.Add("interval", "every_message is for message counting types only")
	}
	if !p.Type.Kind().Scheduled && !slices.Contains(onCallFrequencies, p.Frequency) {
		f.Add("frequency", "must be one of: %s for a rule of type %s", strings.Join(onCallFrequencies, ", "), p.Type)
	}
	meta := p.Meta()
	if p.RewardType == RewardMultiplier {
		p.checkMultiplier(f, meta.Range)
	}
	if p.Interval == IntervalCustom && meta.CustomIntervalSeconds == nil {
		f.Add("metadata.customIntervalSeconds", "is required for interval custom")
	}
	meta.crossCheck(f)
}

const everyMessage = "every_message"

// countsMessages reports whether rules of the type count messages.
func (t Type) countsMessages() bool { return t == "chat_server_messages" || t == "messenger_messages" }

// assignURL sets an address of the web that may be null.
func assignURL(f *laurel.Faults, name string, in laurel.Optional[string], to **string) {
	weburl.Assign(f, name, in, weburl.Valid, to)
}

// assignURLOrFile sets an address of the web, or the path of an uploaded file, that may be null.
func assignURLOrFile(f *laurel.Faults, name string, in laurel.Optional[string], to **string) {
	weburl.Assign(f, name, in, weburl.ValidOrFile, to)
}

// ValidURL reports whether the text is an address of the web (contract 1.7).
func ValidURL(s string) bool { return weburl.Valid(s) }

// assignChoice sets a value that must be one of the allowed ones. If the input does not contain it, or if it is not
// allowed, the former value stays.
func assignChoice(f *laurel.Faults, name string, in laurel.Optional[string], allowed []string, to *string) {
	if !in.Set {
		return
	}
	if in.Null || !slices.Contains(allowed, in.Value) {
		f.Add(name, "must be one of: %s", strings.Join(allowed, ", "))
		return
	}
	*to = in.Value
}

// assignOptionalChoice sets a value that must be one of the allowed ones or null. If the input does not contain it, the
// former value stays.
func assignOptionalChoice(f *laurel.Faults, name string, in laurel.Optional[string], allowed []string, to **string) {
	if in.Set && !in.Null && !slices.Contains(allowed, in.Value) {
		f.Add(name, "must be one of: %s", strings.Join(allowed, ", "))
		return
	}
	*to = in.ApplyTo(*to)
}

// checkCollections adds faults for collections that are not valid, and normalizes their addresses in place.
func checkCollections(f *laurel.Faults, list []Collection) {
	if len(list) > maxCollections {
		f.Add("collections", "must have at most %d items", maxCollections)
		return
	}
	for i := range list {
		path := "collections." + strconv.Itoa(i)
		f.Identifier(path+".address", list[i].Address)
		if list[i].Symbol != nil {
			f.Text(path+".symbol", *list[i].Symbol, 0, maxOpaque)
		}
		list[i].Address = identity.NormalizeWallet(list[i].Address)
		if list[i].Network == "" {
			f.Add(path+".network", "is required")
			continue
		}
		checkNetwork(f, path+".network", &list[i].Network)
	}
}

// checkNetwork adds a fault for an unknown network.
func checkNetwork(f *laurel.Faults, path string, network *string) {
	if network != nil && !evm.IsKnownNetwork(*network) {
		f.Add(path, "must be a known network")
	}
}
