package dashboard

import (
	"laurel"
	"laurel/internal/rules/catalog"
	"laurel/internal/rules/codes"
	"laurel/internal/rules/decision"
	"laurel/internal/rules/schema"
)

// stateNotSetUp is the state of a rule that would be active but misses something that its type needs.
const stateNotSetUp catalog.State = "unset"

// setupGap is something that a rule needs and does not have, with the page where it is set.
type setupGap struct{ Text, Label, Address string }

// MissingSetup returns what a rule needs and does not have; nothing for a deleted one.
func (s screen) MissingSetup(r catalog.Rule) ([]setupGap, error) { return s.missingSetup(r) }

// StateOf returns a rule's state; stateNotSetUp if it would be active but misses something.
func (s screen) StateOf(r catalog.Rule) (catalog.State, error) { return s.ruleState(r) }

// ruleState returns a rule's state; stateNotSetUp if it would be active but misses something.
func (c *request) ruleState(r catalog.Rule) (catalog.State, error) {
	state := r.State(c.d.Now())
	if state != catalog.Active {
		return state, nil
	}
	missing, err := c.missingSetup(r)
	if len(missing) > 0 {
		state = stateNotSetUp
	}
	return state, err
}

// missingSetup returns what a rule needs and does not have, such as a code, a question, a list or an amount. Rules that
// are deleted, or of a type that cannot be completed, need nothing.
func (c *request) missingSetup(r catalog.Rule) (out []setupGap, err error) {
	if !r.DeletedAt.IsZero() || !isCompletable(r.Type) {
		return nil, nil
	}
	settings := func(text, field string) {
		out = append(out, setupGap{text, "Settings", c.sitePath("rules", r.ID) + "#f-" + field})
	}
	meta := r.Meta()
	switch r.Type {
	case schema.TypeCodeEntry:
		if one, isMissing, err := c.missingCode(r); isMissing || err != nil {
			out = append(out, one)
		}
	case schema.TypeQuiz, schema.TypePoll:
		_, hasQuestion, err := c.d.Engagement.QuestionOf(c.Context(), c.scope, r.ID)
		if err != nil {
			return nil, err
		}
		if !hasQuestion {
			out = append(out, setupGap{"The rule has no question.", "Question", c.sitePath("rules", r.ID, "question")})
		}
	case schema.TypeLinkClick:
		if meta.Link == "" {
			settings("The rule has no link.", "metadata.link")
		}
	case schema.TypeAirdrop, schema.TypeUpload:
		if r.UserAllotmentCSVURL == nil {
			out = append(out, setupGap{"The rule has no list of members.", "Lists", c.sitePath("rules", r.ID, "lists")})
		}
	}
	if r.RewardType == schema.RewardBadge && r.LoyaltyBadgeID != nil {
		id := *r.LoyaltyBadgeID
		live, err := c.d.Badges.ByIDs(c.Context(), c.scope, []laurel.ID{id})
		if err != nil {
			return nil, err
		}
		if _, exists := live[id]; !exists {
			settings("The rule’s badge was deleted.", "loyaltyBadgeId")
		}
	}
	if hasNoAmount(r.Properties, meta) {
		settings("The rule has no amount, so members who complete it get nothing.", "amount")
	}
	return out, nil
}

// missingCode returns what is missing for members to enter a valid code; false if nothing is.
func (c *request) missingCode(r catalog.Rule) (setupGap, bool, error) {
	meta := r.Meta()
	if meta.HasSharedCode() {
		settings := setupGap{"The rule has no code.", "Settings", c.sitePath("rules", r.ID) + "#f-metadata.promoCode"}
		return settings, meta.PromoCode == "", nil
	}
	list, err := c.d.Rules.ListCodes(c.Context(), c.scope, r.ID, codes.Filter{}, laurel.PageRequest{Limit: 1})
	if err != nil || len(list.Data) > 0 || !list.Complete {
		return setupGap{}, false, err
	}
	if meta.PromoCodeType == "csv" {
		return setupGap{"No codes were imported from the rule’s list.", "Lists", c.sitePath("rules", r.ID, "lists")}, true, nil
	}
	return setupGap{"The rule has no codes.", "Codes", c.sitePath("rules", r.ID, "codes")}, true, nil
}

// hasNoAmount reports whether a rule pays points or a multiplier without any source of an amount: none of the rule, a
// range, a list, a milestone, the caller or a referral.
func hasNoAmount(p schema.Properties, meta schema.Meta) bool {
	kind := p.Type.Kind()
	switch {
	case p.RewardType != schema.RewardPoints && p.RewardType != schema.RewardMultiplier:
		return false
	case p.Amount != nil && *p.Amount != 0, len(meta.Range) > 0, len(meta.StreakArray) > 0:
		return false
	case kind.PaysByList, kind.Provider != schema.NoProvider, kind.PerValue:
		return false
	}
	return p.Type != schema.TypeExternal && p.Type != schema.TypeReferredUser && p.CustomRewardsCSVURL == nil &&
		p.UserAllotmentCSVURL == nil
}

// failSetupCheck marks the setup check as failed if a later check refused because something is not set up.
func failSetupCheck(checks []tryCheck, setUp int, message, why string) {
	if setUp < 0 || setUp >= len(checks) || message != decision.MsgNotSetUp && message != decision.MsgNoQuestion {
		return
	}
	checks[setUp].OK = false
	if checks[setUp].Why == "" {
		checks[setUp].Why = why
	}
}
