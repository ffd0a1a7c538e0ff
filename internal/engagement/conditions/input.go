package conditions

import (
	"slices"
	"strconv"
	"strings"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/weburl"
)

// Input holds the properties of a condition that a caller sets.
type Input struct {
	Type           Type           `json:"type"`
	Amount         *laurel.Amount `json:"amount,omitempty"`
	CSVURL         *string        `json:"csvUrl,omitempty"`
	Description    *string        `json:"description,omitempty"`
	BadgeIDs       []laurel.ID    `json:"loyaltyBadgeIds,omitempty"`
	CurrencyIDs    []laurel.ID    `json:"loyaltyCurrencyIds,omitempty"`
	LeaderboardIDs []laurel.ID    `json:"loyaltyLeaderboardViewIds,omitempty"`
	GroupIDs       []laurel.ID    `json:"loyaltyRuleGroupIds,omitempty"`
	RuleIDs        []laurel.ID    `json:"loyaltyRuleIds,omitempty"`
	RuleID         *laurel.ID     `json:"loyaltyRuleId,omitempty"` // has the same effect as an item of loyaltyRuleIds
	RepeatCount    *int64         `json:"repeatCount,omitempty"`
	RequiredCount  *int64         `json:"requiredCount,omitempty"`
	OtherLists     bool           `json:"-"` // csv: the badge has further lists, so csvUrl may be absent
}

const (
	maxDescription = 10_000
	maxTargets     = 100
	maxRepeat      = 1_000_000
	// MaxExactRank is the worst rank that is computed exactly (contract 4.1).
	MaxExactRank = 5000
)

// Bounds returns what the properties accept, for the API's schema.
func (Input) Bounds() laurel.Bounds {
	ids := laurel.Keywords{"maxItems": maxTargets}
	return laurel.Bounds{Required: []string{"type"}, NotNull: []string{"type"}, Keywords: map[string]laurel.Keywords{
		"type": {
			"enum": types,
		},
		"amount": {"minimum": 0, "description": "points: the balance; level: the worst rank, up to 5000"},
		"csvUrl": {"format": "uri-reference", "maxLength": weburl.MaxLength},
		"description": {
			"maxLength": maxDescription,
		},
		"repeatCount":               {"minimum": 1, "maximum": maxRepeat},
		"requiredCount":             {"minimum": 1, "maximum": maxRepeat},
		"loyaltyBadgeIds":           ids,
		"loyaltyCurrencyIds":        ids,
		"loyaltyLeaderboardViewIds": ids,
		"loyaltyRuleGroupIds":       ids,
		"loyaltyRuleIds":            ids,
	}}
}

// ReferencePath is a record that a condition refers to, with the path for a fault if it does not exist.
type ReferencePath struct {
	Target
	View laurel.ID // a leaderboard view
	Path string
}

// Condition returns the condition of the input, whose targets have no ids of their own yet, and all its references. It
// adds a fault under the path for each property that is not valid.
func (in Input) Condition(f *laurel.Faults, path string) (Condition, []ReferencePath) {
	c := Condition{Type: in.Type, RepeatCount: 1, Targets: []Target{}}
	if in.Description != nil {
		c.Description = *in.Description
		f.Text(path+".description", c.Description, 0, maxDescription)
	}
	if !slices.Contains(types, in.Type) {
		f.Add(path+".type", "must be one of: %s", joinTypes(types))
		return c, nil
	}
	list := referencesByType[in.Type](in)
	list.checkCount(f, path, in.Type)
	in.applyNumbers(f, path, &c, len(list.references))
	for i := range list.references {
		list.references[i].Path = path + "." + list.references[i].Path
		if list.references[i].View.IsZero() {
			c.Targets = append(c.Targets, list.references[i].Target)
		}
	}
	return c, list.references
}

// applyNumbers sets the amount, the counts and the address of a condition, those of them that its type has, and adds
// their faults. references is how many records the condition refers to.
func (in Input) applyNumbers(f *laurel.Faults, path string, c *Condition, references int) {
	checkRange := func(name string, n *int64, limit int64) {
		if n != nil && (*n < 1 || *n > limit) {
			f.Add(path+"."+name, "must be between 1 and %d", limit)
		}
	}
	switch c.Type {
	case TypeRule:
		checkRange("repeatCount", in.RepeatCount, maxRepeat)
		if in.RepeatCount != nil {
			c.RepeatCount = *in.RepeatCount
		}
	case TypeRules, TypeBadges:
		checkRange("requiredCount", in.RequiredCount, int64(max(references, 1)))
		c.RequiredCount = in.RequiredCount
	case TypeSection:
		checkRange("requiredCount", in.RequiredCount, maxRepeat)
		c.RequiredCount = in.RequiredCount
	case TypePoints, TypeLevel:
		in.applyAmount(f, path, c)
	case TypeCSV:
		c.CSVURL = in.CSVURL
		switch {
		case in.CSVURL == nil && in.OtherLists: // the other lists are enough
		case in.CSVURL == nil || !weburl.ValidOrFile(*in.CSVURL):
			f.Add(path+".csvUrl", "must be a valid url")
		}
	case TypeAPI, TypeBadge: // have none of these
	}
}

// applyAmount sets the amount of a condition of type points or level.
func (in Input) applyAmount(f *laurel.Faults, path string, c *Condition) {
	if in.Amount == nil {
		f.Add(path+".amount", "is required")
		return
	}
	c.Amount = *in.Amount
	switch {
	case c.Type == TypePoints && c.Amount <= 0:
		f.Add(path+".amount", "must be greater than 0")
	case c.Type == TypeLevel && (c.Amount < laurel.One || c.Amount > MaxExactRank*laurel.One || c.Amount%laurel.One != 0):
		f.Add(path+".amount", "must be a whole number between 1 and %d", MaxExactRank)
	}
}

// referenceList holds the references of a condition, and how many it must have in which property.
type referenceList struct {
	references []ReferencePath
	field      string
	allowsMany bool
}

// checkCount adds a fault if a condition of the type refers to too few or too many records.
func (list referenceList) checkCount(f *laurel.Faults, path string, t Type) {
	switch count := len(list.references); {
	case list.field == "": // a condition of the type refers to no records
	case count == 0:
		f.Add(path+"."+list.field, "is required")
	case !list.allowsMany && count > 1:
		f.Add(path+"."+list.field, "must have exactly 1 item for a condition of type %s", t)
	case count > maxTargets:
		f.Add(path+"."+list.field, "must have at most %d items", maxTargets)
	}
}

// referencesByType returns the references of an input by the type of the condition.
var referencesByType = map[Type]func(Input) referenceList{
	TypeRule:  func(in Input) referenceList { return referenceList{in.ruleReferences(), "loyaltyRuleIds", false} },
	TypeRules: func(in Input) referenceList { return referenceList{in.ruleReferences(), "loyaltyRuleIds", true} },
	TypeSection: func(in Input) referenceList {
		return referenceList{referencesTo(in.GroupIDs, "loyaltyRuleGroupIds", groupReference), "loyaltyRuleGroupIds", false}
	},
	TypePoints: func(in Input) referenceList {
		return referenceList{in.currencyReferences(), "loyaltyCurrencyIds", false}
	},
	TypeLevel: func(in Input) referenceList {
		if len(in.LeaderboardIDs) > 0 {
			return referenceList{
				referencesTo(
					in.LeaderboardIDs,
					"loyaltyLeaderboardViewIds",
					func(id laurel.ID) ReferencePath { return ReferencePath{View: id} },
				),
				"loyaltyLeaderboardViewIds",
				false,
			}
		}
		return referenceList{in.currencyReferences(), "loyaltyCurrencyIds", false}
	},
	TypeBadge:  func(in Input) referenceList { return referenceList{in.badgeReferences(), "loyaltyBadgeIds", false} },
	TypeBadges: func(in Input) referenceList { return referenceList{in.badgeReferences(), "loyaltyBadgeIds", true} },
	TypeAPI:    func(Input) referenceList { return referenceList{} },
	TypeCSV:    func(Input) referenceList { return referenceList{} },
}

// unknownID replaces the nil UUID in an input: no record has it, so that it is reported as not found. In a Target the
// nil UUID would mean that no record is referred to.
var unknownID = laurel.ID{
	0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
}

// groupReference makes a reference to a rule group.
func groupReference(id laurel.ID) ReferencePath { return ReferencePath{Target: Target{GroupID: id}} }

// referencesTo returns a reference for each distinct id in the property field of an input, with the path of the id. A
// nil UUID becomes unknownID, so that it is reported as not found.
func referencesTo(ids []laurel.ID, field string, makeReference func(laurel.ID) ReferencePath) []ReferencePath {
	var out []ReferencePath
	for i, id := range ids {
		if id.IsZero() {
			id = unknownID
		}
		if !slices.Contains(ids[:i], id) {
			p := makeReference(id)
			p.Path = field + "." + strconv.Itoa(i)
			out = append(out, p)
		}
	}
	return out
}

// ruleReferences returns references to the rules of the input, from loyaltyRuleIds and loyaltyRuleId.
func (in Input) ruleReferences() []ReferencePath {
	toRule := func(id laurel.ID) ReferencePath { return ReferencePath{Target: Target{RuleID: id}} }
	out := referencesTo(in.RuleIDs, "loyaltyRuleIds", toRule)
	if in.RuleID != nil && !slices.Contains(in.RuleIDs, *in.RuleID) {
		one := referencesTo([]laurel.ID{*in.RuleID}, "loyaltyRuleId", toRule)
		one[0].Path = "loyaltyRuleId"
		out = append(one, out...)
	}
	return out
}

// currencyReferences returns references to the currencies of the input.
func (in Input) currencyReferences() []ReferencePath {
	return referencesTo(
		in.CurrencyIDs,
		"loyaltyCurrencyIds",
		func(id laurel.ID) ReferencePath { return ReferencePath{Target: Target{CurrencyID: id}} },
	)
}

// badgeReferences returns references to the badges of the input.
func (in Input) badgeReferences() []ReferencePath {
	return referencesTo(
		in.BadgeIDs,
		"loyaltyBadgeIds",
		func(id laurel.ID) ReferencePath { return ReferencePath{Target: Target{BadgeID: id}} },
	)
}

// joinTypes lists types for a message.
func joinTypes(names []Type) string {
	texts := make([]string, len(names))
	for i, n := range names {
		texts[i] = string(n)
	}
	return strings.Join(texts, ", ")
}
