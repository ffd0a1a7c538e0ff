package conditions

import (
	"slices"
	"strconv"
	"strings"

	"laurel"
	"laurel/internal/weburl"
)

// Input is a condition as a caller writes it.
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
	RuleID         *laurel.ID     `json:"loyaltyRuleId,omitempty"` // the same as one of loyaltyRuleIds
	RepeatCount    *int64         `json:"repeatCount,omitempty"`
	RequiredCount  *int64         `json:"requiredCount,omitempty"`
	OtherLists     bool           `json:"-"` // csv: there are lists beside csvUrl, so it may be left out
}

const (
	maxDescription = 10_000
	maxTargets     = 100
	maxRepeat      = 1_000_000
	// MaxLevel is the worst rank that is counted exactly (contract 4.1).
	MaxLevel = 5000
)

// Bounds returns what the properties accept.
func (Input) Bounds() laurel.Bounds {
	most := laurel.Keywords{"maxItems": maxTargets}
	return laurel.Bounds{Needed: []string{"type"}, Filled: []string{"type"}, Keywords: map[string]laurel.Keywords{
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
		"loyaltyBadgeIds":           most,
		"loyaltyCurrencyIds":        most,
		"loyaltyLeaderboardViewIds": most,
		"loyaltyRuleGroupIds":       most,
		"loyaltyRuleIds":            most,
	}}
}

// Place is where a condition names something: for the fault of a thing that does not exist.
type Place struct {
	Target
	View laurel.ID // a leaderboard view
	Path string
}

// Condition makes the condition, its targets without ids of their own, noting every fault under the path, and returns
// what it names.
func (in Input) Condition(f *laurel.Faults, path string) (Condition, []Place) {
	c := Condition{Type: in.Type, RepeatCount: 1, Targets: []Target{}}
	if in.Description != nil {
		c.Description = *in.Description
		f.Text(path+".description", c.Description, 0, maxDescription)
	}
	if !slices.Contains(types, in.Type) {
		f.Add(path+".type", "must be one of: %s", list(types))
		return c, nil
	}
	named := namings[in.Type](in)
	named.judge(f, path, in.Type)
	in.numbers(f, path, &c, len(named.places))
	for i := range named.places {
		named.places[i].Path = path + "." + named.places[i].Path
		if named.places[i].View.IsZero() {
			c.Targets = append(c.Targets, named.places[i].Target)
		}
	}
	return c, named.places
}

// numbers takes amount, counts and address, each where the type has it.
func (in Input) numbers(f *laurel.Faults, path string, c *Condition, named int) {
	bounded := func(name string, n *int64, most int64) {
		if n != nil && (*n < 1 || *n > most) {
			f.Add(path+"."+name, "must be between 1 and %d", most)
		}
	}
	switch c.Type {
	case Rule:
		bounded("repeatCount", in.RepeatCount, maxRepeat)
		if in.RepeatCount != nil {
			c.RepeatCount = *in.RepeatCount
		}
	case Rules, Badges:
		bounded("requiredCount", in.RequiredCount, int64(max(named, 1)))
		c.RequiredCount = in.RequiredCount
	case Section:
		bounded("requiredCount", in.RequiredCount, maxRepeat)
		c.RequiredCount = in.RequiredCount
	case Points, Level:
		in.amount(f, path, c)
	case CSV:
		c.CSVURL = in.CSVURL
		switch {
		case in.CSVURL == nil && in.OtherLists:
		case in.CSVURL == nil || !weburl.ValidOrFile(*in.CSVURL):
			f.Add(path+".csvUrl", "must be a valid url")
		}
	case API, Badge:
	}
}

func (in Input) amount(f *laurel.Faults, path string, c *Condition) {
	if in.Amount == nil {
		f.Add(path+".amount", "is required")
		return
	}
	c.Amount = *in.Amount
	switch {
	case c.Type == Points && c.Amount <= 0:
		f.Add(path+".amount", "must be greater than 0")
	case c.Type == Level && (c.Amount < laurel.One || c.Amount > MaxLevel*laurel.One || c.Amount%laurel.One != 0):
		f.Add(path+".amount", "must be a whole number between 1 and %d", MaxLevel)
	}
}

// naming is what a condition names, and how many things of which property it must name.
type naming struct {
	places []Place
	field  string
	many   bool
}

func (n naming) judge(f *laurel.Faults, path string, t Type) {
	switch count := len(n.places); {
	case n.field == "":
	case count == 0:
		f.Add(path+"."+n.field, "is required")
	case !n.many && count > 1:
		f.Add(path+"."+n.field, "must have exactly 1 item for a condition of type %s", t)
	case count > maxTargets:
		f.Add(path+"."+n.field, "must have at most %d items", maxTargets)
	}
}

// namings are the properties by which the types name things.
var namings = map[Type]func(Input) naming{
	Rule:  func(in Input) naming { return naming{in.rules(), "loyaltyRuleIds", false} },
	Rules: func(in Input) naming { return naming{in.rules(), "loyaltyRuleIds", true} },
	Section: func(in Input) naming {
		return naming{targets(in.GroupIDs, "loyaltyRuleGroupIds", sectionOf), "loyaltyRuleGroupIds", false}
	},
	Points: func(in Input) naming { return naming{in.currencies(), "loyaltyCurrencyIds", false} },
	Level: func(in Input) naming {
		if len(in.LeaderboardIDs) > 0 {
			return naming{
				targets(in.LeaderboardIDs, "loyaltyLeaderboardViewIds", func(id laurel.ID) Place { return Place{View: id} }),
				"loyaltyLeaderboardViewIds",
				false,
			}
		}
		return naming{in.currencies(), "loyaltyCurrencyIds", false}
	},
	Badge:  func(in Input) naming { return naming{in.badges(), "loyaltyBadgeIds", false} },
	Badges: func(in Input) naming { return naming{in.badges(), "loyaltyBadgeIds", true} },
	API:    func(Input) naming { return naming{} },
	CSV:    func(Input) naming { return naming{} },
}

// nobody takes the place of the nil UUID, which nothing has and which here means that nothing is named.
var nobody = laurel.ID{0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff}

func sectionOf(id laurel.ID) Place { return Place{Target: Target{GroupID: id}} }

// targets lists things, each once.
func targets(ids []laurel.ID, field string, of func(laurel.ID) Place) []Place {
	var out []Place
	for i, id := range ids {
		if id.IsZero() {
			id = nobody
		}
		if !slices.Contains(ids[:i], id) {
			p := of(id)
			p.Path = field + "." + strconv.Itoa(i)
			out = append(out, p)
		}
	}
	return out
}

func (in Input) rules() []Place {
	of := func(id laurel.ID) Place { return Place{Target: Target{RuleID: id}} }
	out := targets(in.RuleIDs, "loyaltyRuleIds", of)
	if in.RuleID != nil && !slices.Contains(in.RuleIDs, *in.RuleID) {
		one := targets([]laurel.ID{*in.RuleID}, "loyaltyRuleId", of)
		one[0].Path = "loyaltyRuleId"
		out = append(one, out...)
	}
	return out
}

func (in Input) currencies() []Place {
	return targets(
		in.CurrencyIDs,
		"loyaltyCurrencyIds",
		func(id laurel.ID) Place { return Place{Target: Target{CurrencyID: id}} },
	)
}

func (in Input) badges() []Place {
	return targets(in.BadgeIDs, "loyaltyBadgeIds", func(id laurel.ID) Place { return Place{Target: Target{BadgeID: id}} })
}

func list(names []Type) string {
	texts := make([]string, len(names))
	for i, n := range names {
		texts[i] = string(n)
	}
	return strings.Join(texts, ", ")
}
