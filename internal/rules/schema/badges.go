package schema

import (
	"slices"
	"strconv"

	"laurel.example/laurel"
)

// GrantsBadges reports whether completions of the rule may grant badges: the badge of the rule, or those of its tiers
// (contract 5.5, 5.7).
func (p *Properties) GrantsBadges(meta Meta) bool {
	return p.RewardType == RewardBadge || meta.BadgePerRange && len(meta.Range) > 0
}

// BadgeReference is a badge that a rule refers to, with the path of the property.
type BadgeReference struct {
	ID   laurel.ID
	Path string
}

// BadgeReferences returns the badges that the rule refers to: its own badge first, then those of its tiers if
// completions grant them.
func (p *Properties) BadgeReferences(meta Meta) []BadgeReference {
	var references []BadgeReference
	if p.LoyaltyBadgeID != nil {
		references = append(references, BadgeReference{*p.LoyaltyBadgeID, "loyaltyBadgeId"})
	}
	for i, t := range meta.Range {
		if meta.BadgePerRange && t.BadgeID != nil {
			references = append(references, BadgeReference{*t.BadgeID, "metadata.range." + strconv.Itoa(i) + ".loyaltyBadgeId"})
		}
	}
	return references
}

// BadgesReachedBy returns the badges of the tiers that a value reaches, each once. Rules that count up to a target
// grant the badges of all tiers up to the value; other rules only the badge of the tier that TierOf returns. If the
// rule grants no badges by tiers, it returns nil.
func (p *Properties) BadgesReachedBy(meta Meta, value laurel.Amount) []laurel.ID {
	if !meta.BadgePerRange {
		return nil
	}
	tiers := meta.Range
	if !p.TrackProgress || p.ProgressType == nil || *p.ProgressType != "counter" {
		best, found := TierOf(meta.Range, value)
		if !found {
			return nil
		}
		tiers = []Tier{best}
	}
	var ids []laurel.ID
	for _, t := range tiers {
		if t.Start <= value && t.BadgeID != nil && !slices.Contains(ids, *t.BadgeID) {
			ids = append(ids, *t.BadgeID)
		}
	}
	return ids
}
