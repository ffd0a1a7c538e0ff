package rules

import (
	"strings"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/rules/catalog"
	"laurel.example/laurel/internal/rules/codes"
	"laurel.example/laurel/internal/rules/decision"
	"laurel.example/laurel/internal/rules/schema"
)

// stateNotSetUp is the state of a rule that would be active but misses something that its type needs.
const stateNotSetUp catalog.State = "unset"

// setupGap is something that a rule needs and does not have, with the page where it is set.
// Address is empty if the operator sets it.
type setupGap struct{ Text, Label, Address string }

// ruleState returns the state of a rule, or stateNotSetUp if the rule would be active but lacks something that its type
// needs.
func (c *call) ruleState(rule catalog.Rule) (catalog.State, error) {
	state := rule.State(c.Now())
	if state != catalog.StateActive {
		return state, nil
	}
	missing, err := c.missingSetup(rule)
	if len(missing) > 0 {
		state = stateNotSetUp
	}
	return state, err
}

// missingSetup returns what a rule needs and does not have, such as a code, a question, a list or an amount. Rules that
// are deleted, or of a type that this version does not know, need nothing.
func (c *call) missingSetup(rule catalog.Rule) (out []setupGap, err error) {
	if !rule.DeletedAt.IsZero() || !isCompletable(rule.Type) {
		return nil, nil
	}
	addSettingsGap := func(text, field string) {
		out = append(out, setupGap{text, "Settings", c.SitePath("rules", rule.ID) + "#f-" + field})
	}
	if !c.Serves(c.Scope, rule.Type) {
		out = append(out, setupGap{Text: providerNeeds(rule.Type.Kind())})
	}
	meta := rule.Meta()
	switch rule.Type {
	case schema.TypeCodeEntry:
		gap, isMissing, err := c.missingCode(rule)
		if err != nil {
			return nil, err
		}
		if isMissing {
			out = append(out, gap)
		}
	case schema.TypeQuiz, schema.TypePoll:
		_, hasQuestion, err := c.Engagement.QuestionOf(c.Context(), c.Scope, rule.ID)
		if err != nil {
			return nil, err
		}
		if !hasQuestion {
			out = append(out, setupGap{"The rule has no question.", "Question", c.SitePath("rules", rule.ID, "question")})
		}
	case schema.TypeLinkClick:
		if meta.Link == "" {
			addSettingsGap("The rule has no link.", "metadata.link")
		}
	case schema.TypeLiquidityV2, schema.TypeLiquidityV3:
		if text, field := missingLiquidity(rule.Properties, meta.Liquidity); text != "" {
			addSettingsGap(text, "metadata.liquidity."+field)
		}
	case schema.TypeAirdrop, schema.TypeUpload:
		if rule.UserAllotmentCSVURL == nil {
			out = append(out, setupGap{"The rule has no list of members.", "Lists", c.SitePath("rules", rule.ID, "lists")})
		}
	}
	if rule.RewardType == schema.RewardBadge && rule.LoyaltyBadgeID != nil {
		id := *rule.LoyaltyBadgeID
		live, err := c.Badges.ByIDs(c.Context(), c.Scope, []laurel.ID{id})
		if err != nil {
			return nil, err
		}
		if _, exists := live[id]; !exists {
			addSettingsGap("The rule’s badge was deleted.", "loyaltyBadgeId")
		}
	}
	if hasNoAmount(rule.Properties, meta) {
		addSettingsGap("The rule has no amount, so members who complete it get nothing.", "amount")
	}
	return out, nil
}

// missingLiquidity says what a rule about pools lacks, and which property of its liquidity has it; "" if nothing.
func missingLiquidity(rule schema.Properties, liquidity schema.Liquidity) (text, property string) {
	isCustom := liquidity.CalculationType == schema.CalculationCustom
	hasAmount := rule.RewardType == schema.RewardPoints || rule.RewardType == schema.RewardToken
	switch {
	case len(liquidity.Addresses()) == 0:
		return "The rule has no pools.", "pools"
	case rule.PoolNetwork() == "":
		return "The rule has no network.", "network"
	case hasAmount && isCustom && strings.TrimSpace(liquidity.CustomFunction) == "":
		return "The rule has no formula.", "customFunction"
	case hasAmount && !isCustom && (liquidity.LiquidityPerDay == nil || *liquidity.LiquidityPerDay <= 0):
		return "The rule doesn’t say how many dollars earn the amount.", "liquidityPerDay"
	}
	return "", ""
}

// missingCode returns what is missing before members can enter a valid code, and false if nothing is missing.
func (c *call) missingCode(rule catalog.Rule) (setupGap, bool, error) {
	meta := rule.Meta()
	if meta.HasSharedCode() {
		settings := setupGap{"The rule has no code.", "Settings", c.SitePath("rules", rule.ID) + "#f-metadata.promoCode"}
		return settings, meta.PromoCode == "", nil
	}
	list, err := c.Rules.ListCodes(c.Context(), c.Scope, rule.ID, codes.Filter{}, laurel.PageRequest{Limit: 1})
	if err != nil || len(list.Data) > 0 || !list.Complete { // if not complete, codes are still being created
		return setupGap{}, false, err
	}
	if meta.PromoCodeType == "csv" {
		address := c.SitePath("rules", rule.ID, "lists")
		return setupGap{"No codes were imported from the rule’s list.", "Lists", address}, true, nil
	}
	return setupGap{"The rule has no codes.", "Codes", c.SitePath("rules", rule.ID, "codes")}, true, nil
}

// hasNoAmount reports whether a rule pays points or a multiplier without any source of an amount: neither the rule
// itself, nor a range, a list, a milestone, the caller or a referral.
func hasNoAmount(properties schema.Properties, meta schema.Meta) bool {
	kind := properties.Type.Kind()
	switch {
	case properties.RewardType != schema.RewardPoints && properties.RewardType != schema.RewardMultiplier:
		return false
	case properties.Amount != nil && *properties.Amount != 0, len(meta.Range) > 0, len(meta.StreakArray) > 0:
		return false
	case kind.PaysByList, kind.Provider != schema.NoProvider, kind.PerValue:
		return false
	}
	hasList := properties.CustomRewardsCSVURL != nil || properties.UserAllotmentCSVURL != nil
	return properties.Type != schema.TypeExternal && properties.Type != schema.TypeReferredUser && !hasList
}

// failSetupCheck marks the setup check as failed if a later check was refused because the rule is not set up.
// setupIndex is the place of the setup check among the checks, or -1 if there is none. message is the refusal of the
// later check, and explanation says it in words.
func failSetupCheck(checks []tryCheck, setupIndex int, message, explanation string) {
	isOfSetup := message == decision.MsgNotSetUp || message == decision.MsgNoQuestion
	if setupIndex < 0 || setupIndex >= len(checks) || !isOfSetup {
		return
	}
	checks[setupIndex].OK = false
	if checks[setupIndex].Why == "" {
		checks[setupIndex].Why = explanation
	}
}
