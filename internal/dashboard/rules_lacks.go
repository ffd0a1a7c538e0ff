package dashboard

import (
	"laurel"
	"laurel/internal/rules/catalog"
	"laurel/internal/rules/codes"
	"laurel/internal/rules/decision"
	"laurel/internal/rules/schema"
)

// notSetUp is the state of a rule that would be active if it had what its type needs.
const notSetUp catalog.State = "unset"

// lack is what a rule needs and has not, and where it is given.
type lack struct{ Text, Label, Address string }

// Lacks says what a rule needs and has not; nothing of one that is deleted, or pays by other means.
func (s screen) Lacks(r catalog.Rule) ([]lack, error) { return s.lacks(r) }

// StateOf is a rule's state with whether it can work.
func (s screen) StateOf(r catalog.Rule) (catalog.State, error) { return s.stateOf(r) }

func (c *call) stateOf(r catalog.Rule) (catalog.State, error) {
	state := r.State(c.d.Now())
	if state != catalog.Active {
		return state, nil
	}
	lacks, err := c.lacks(r)
	if len(lacks) > 0 {
		state = notSetUp
	}
	return state, err
}

func (c *call) lacks(r catalog.Rule) (out []lack, err error) {
	if !r.DeletedAt.IsZero() || !built(r.Type) {
		return nil, nil
	}
	settings := func(text, field string) {
		out = append(out, lack{text, "Settings", c.at("rules", r.ID) + "#f-" + field})
	}
	meta := r.Meta()
	switch r.Type {
	case schema.TypeCodeEntry:
		if one, lacks, err := c.lacksCode(r); lacks || err != nil {
			out = append(out, one)
		}
	case schema.TypeQuiz, schema.TypePoll:
		_, asked, err := c.d.Engagement.QuestionOf(c.Context(), c.scope, r.ID)
		if err != nil {
			return nil, err
		}
		if !asked {
			out = append(out, lack{"It has no question.", "Question", c.at("rules", r.ID, "question")})
		}
	case schema.TypeLinkClick:
		if meta.Link == "" {
			settings("It has no link.", "metadata.link")
		}
	case schema.TypeAirdrop, schema.TypeUpload:
		if r.UserAllotmentCSVURL == nil {
			out = append(out, lack{"It has no list of members.", "Lists", c.at("rules", r.ID, "lists")})
		}
	}
	if r.RewardType == schema.RewardBadge && r.LoyaltyBadgeID != nil {
		id := *r.LoyaltyBadgeID
		live, err := c.d.Badges.Named(c.Context(), c.scope, []laurel.ID{id})
		if err != nil {
			return nil, err
		}
		if _, there := live[id]; !there {
			settings("The badge that it gives was deleted.", "loyaltyBadgeId")
		}
	}
	if noAmount(r.Properties, meta) {
		settings("It has no amount: members who complete it get nothing.", "amount")
	}
	return out, nil
}

// lacksCode reports whether nobody can enter a code that is good.
func (c *call) lacksCode(r catalog.Rule) (lack, bool, error) {
	meta := r.Meta()
	if meta.HasSharedCode() {
		settings := lack{"It has no code.", "Settings", c.at("rules", r.ID) + "#f-metadata.promoCode"}
		return settings, meta.PromoCode == "", nil
	}
	list, err := c.d.Rules.ListCodes(c.Context(), c.scope, r.ID, codes.Filter{}, laurel.PageRequest{Limit: 1})
	if err != nil || len(list.Data) > 0 || !list.Complete {
		return lack{}, false, err
	}
	if meta.PromoCodeType == "csv" {
		return lack{"No code of its list was read.", "Lists", c.at("rules", r.ID, "lists")}, true, nil
	}
	return lack{"It has no codes.", "Codes", c.at("rules", r.ID, "codes")}, true, nil
}

// noAmount reports whether a rule pays points, or multiplies, by an amount that nothing gives: neither the rule, a
// range, a list, a milestone, the server that calls, nor a referral.
func noAmount(p schema.Properties, meta schema.Meta) bool {
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

// refuseSetUp has the check of what a rule needs fail where a later one finds that it is missing.
func refuseSetUp(checks []triedCheck, setUp int, message, why string) {
	if setUp < 0 || setUp >= len(checks) || message != decision.MsgNotSetUp && message != decision.MsgNoQuestion {
		return
	}
	checks[setUp].OK = false
	if checks[setUp].Why == "" {
		checks[setUp].Why = why
	}
}
