package badges

import (
	"slices"
	"strconv"
	"strings"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/engagement/conditions"
	"laurel.example/laurel/internal/engagement/multiplier"
	"laurel.example/laurel/internal/weburl"
)

// Input holds the properties of a badge that a caller sets (contract 3.21). On update an absent property keeps its
// value.
type Input struct {
	Name        laurel.Optional[string]        `json:"name,omitzero"`
	Description laurel.Optional[string]        `json:"description,omitzero"`
	ImageURL    laurel.Optional[string]        `json:"imageUrl,omitzero"`
	HideInUI    laurel.Optional[bool]          `json:"hideInUi,omitzero"`
	Rewards     laurel.Optional[[]RewardInput] `json:"rewards,omitzero"`
	CSVFiles    laurel.Optional[[]CSVInput]    `json:"csvFiles,omitzero"`
}

// CreateInput holds the properties of a new badge. Its conditions cannot be changed later.
type CreateInput struct {
	Input
	Conditions []conditions.Input `json:"conditions"`
}

// RewardInput holds the properties of a reward that a caller sets.
type RewardInput struct {
	Type        string         `json:"rewardType"`
	BadgeID     laurel.ID      `json:"loyaltyBadgeId,omitzero"`
	CurrencyID  laurel.ID      `json:"loyaltyCurrencyId,omitzero"`
	CurrencyIDs []laurel.ID    `json:"loyaltyCurrencyIds,omitempty"`
	Amount      *laurel.Amount `json:"amount,omitempty"`
	Multiplier  *laurel.Amount `json:"multiplier,omitempty"`
	Retroactive bool           `json:"isRetroactive,omitempty"`
}

// CSVInput holds the properties of a further list that a caller sets.
type CSVInput struct {
	Src         string  `json:"src"`
	Name        *string `json:"name,omitempty"`
	Description *string `json:"description,omitempty"`
}

const (
	maxName        = 1000
	maxDescription = 10_000
	maxConditions  = 20
	maxRewards     = 20
	maxFiles       = 20
	maxCurrencies  = 100
)

// Bounds returns what the properties accept, for the API's schema.
func (Input) Bounds() laurel.Bounds {
	return laurel.Bounds{
		Required: []string{"name", "imageUrl"},
		NotNull:  []string{"name", "imageUrl"},
		Keywords: map[string]laurel.Keywords{
			"name":        {"minLength": 1, "maxLength": maxName},
			"description": {"maxLength": maxDescription},
			"imageUrl":    {"format": "uri-reference", "maxLength": weburl.MaxLength},
			"rewards":     {"maxItems": maxRewards},
			"csvFiles":    {"maxItems": maxFiles, "description": "Further lists of the badge's csv conditions"},
		},
	}
}

// Bounds returns what the properties accept, for the API's schema.
func (CreateInput) Bounds() laurel.Bounds {
	return laurel.Bounds{
		Required: []string{"conditions"},
		NotNull:  []string{"conditions"},
		Keywords: map[string]laurel.Keywords{"conditions": {"minItems": 1, "maxItems": maxConditions}},
	}
}

// Bounds returns what the properties accept, for the API's schema.
func (RewardInput) Bounds() laurel.Bounds {
	return laurel.Bounds{
		Required: []string{"rewardType"},
		NotNull:  []string{"rewardType"},
		Keywords: map[string]laurel.Keywords{
			"rewardType":         {"enum": rewardTypes},
			"amount":             {"exclusiveMinimum": 0, "description": "points, token"},
			"multiplier":         {"minimum": 0.01, "maximum": 999.999999},
			"loyaltyBadgeId":     {"description": "badge: the badge that is granted with this one"},
			"loyaltyCurrencyId":  {"description": "points: what is paid; token: the hidden currency of the token"},
			"loyaltyCurrencyIds": {"maxItems": maxCurrencies, "description": "multiplier: empty or absent for all currencies"},
			"isRetroactive": {"description": "multiplier: credits the current balance x (multiplier - 1) " +
				"once"},
		},
	}
}

// Bounds returns what the properties accept, for the API's schema.
func (CSVInput) Bounds() laurel.Bounds {
	return laurel.Bounds{Required: []string{"src"}, NotNull: []string{"src"}, Keywords: map[string]laurel.Keywords{
		"src":         {"format": "uri-reference", "maxLength": weburl.MaxLength},
		"name":        {"maxLength": maxName},
		"description": {"maxLength": maxDescription},
	}}
}

// apply sets the properties of a badge that are in the input, and adds a fault for each that is not valid. For a new
// badge, which has a zero id, missing properties are faults too.
func (in Input) apply(b *Badge, f *laurel.Faults) {
	isNew := b.ID.IsZero()
	switch {
	case in.Name.Set && !in.Name.Null:
		b.Name = in.Name.Value
		f.Text("name", b.Name, 1, maxName)
	case in.Name.Set || isNew:
		f.Add("name", "is required")
	}
	if in.Description.Set {
		b.Description = in.Description.Value
		f.Text("description", b.Description, 0, maxDescription)
	}
	switch {
	case in.ImageURL.Set && !in.ImageURL.Null:
		if b.ImageURL = in.ImageURL.Value; !weburl.ValidOrFile(b.ImageURL) {
			f.Add("imageUrl", "must be a valid url")
		}
	case in.ImageURL.Set || isNew:
		f.Add("imageUrl", "is required")
	}
	if in.HideInUI.Set {
		b.HideInUI = in.HideInUI.Value
	}
	if in.Rewards.Set {
		b.Rewards = parseRewards(in.Rewards.Value, f)
	}
	if in.CSVFiles.Set {
		b.CSVFiles = in.parseFiles(b, f)
	}
}

// applyConditions sets the conditions of a new badge from the input, adds a fault for each that is not valid, and
// returns the references to records in all of them.
func (in CreateInput) applyConditions(b *Badge, f *laurel.Faults) (all []conditions.ReferencePath) {
	if n := len(in.Conditions); n < 1 || n > maxConditions {
		f.Add("conditions", "must have between 1 and %d items", maxConditions)
		return nil
	}
	for i, c := range in.Conditions {
		c.OtherLists = len(in.CSVFiles.Value) > 0
		condition, references := c.Condition(f, "conditions."+strconv.Itoa(i))
		b.Conditions, all = append(b.Conditions, condition), append(all, references...)
	}
	return all
}

// parseFiles returns the input's lists for csv conditions, which have no ids yet, and adds a fault for each that is not
// valid. b has the badge's conditions.
func (in Input) parseFiles(b *Badge, f *laurel.Faults) []CSVFile {
	list := in.CSVFiles.Value
	if len(list) > maxFiles {
		f.Add("csvFiles", "must have at most %d items", maxFiles)
		return nil
	}
	if len(list) > 0 && !slices.ContainsFunc(b.Conditions, isCSV) {
		f.Add("csvFiles", "need a condition of type csv")
	}
	// for a new badge, the condition without a list reports that itself
	if len(list) == 0 && slices.ContainsFunc(b.Conditions, hasNoOwnList) && !b.ID.IsZero() {
		f.Add("csvFiles", "must have at least 1 item where a condition of type csv has no csvUrl")
	}
	files := make([]CSVFile, len(list))
	for i, file := range list {
		path := "csvFiles." + strconv.Itoa(i) + "."
		switch {
		case file.Src == "":
			f.Add(path+"src", "is required")
		case !weburl.ValidOrFile(file.Src):
			f.Add(path+"src", "must be a valid url")
		}
		if file.Name != nil {
			f.Text(path+"name", *file.Name, 0, maxName)
		}
		if file.Description != nil {
			f.Text(path+"description", *file.Description, 0, maxDescription)
		}
		files[i] = CSVFile{URL: file.Src, Name: file.Name, Description: file.Description}
	}
	return files
}

func isCSV(c conditions.Condition) bool { return c.Type == conditions.TypeCSV }

// hasNoOwnList reports whether the condition has lists only in the files of the badge.
func hasNoOwnList(c conditions.Condition) bool { return isCSV(c) && c.CSVURL == nil }

// parseRewards returns the rewards of the input, which have no ids yet, and adds a fault for each that is not valid.
func parseRewards(list []RewardInput, f *laurel.Faults) []Reward {
	if len(list) > maxRewards {
		f.Add("rewards", "must have at most %d items", maxRewards)
		return nil
	}
	out := make([]Reward, len(list))
	for i, r := range list {
		out[i] = r.reward(f, "rewards."+strconv.Itoa(i)+".")
	}
	return out
}

// reward returns the reward of the input, and adds a fault under the path for each property that is not valid. It
// ignores properties that rewards of the type do not have.
func (in RewardInput) reward(f *laurel.Faults, path string) Reward {
	r := Reward{Type: in.Type}
	switch in.Type {
	case Points, Token:
		switch {
		case in.Amount == nil:
			f.Add(path+"amount", "is required")
		case *in.Amount <= 0:
			f.Add(path+"amount", "must be greater than 0")
		default:
			r.Amount = *in.Amount
		}
		if r.CurrencyID = in.CurrencyID; r.CurrencyID.IsZero() {
			f.Add(path+"loyaltyCurrencyId", "is required")
		}
	case Multiplier:
		switch {
		case in.Multiplier == nil:
			f.Add(path+"multiplier", "is required")
		case *in.Multiplier < multiplier.Min || *in.Multiplier > multiplier.Max:
			f.Add(path+"multiplier", "must be between %s and %s", multiplier.Min, multiplier.Max)
		default:
			r.Multiplier = *in.Multiplier
		}
		if r.CurrencyIDs, r.Retroactive = in.CurrencyIDs, in.Retroactive; len(r.CurrencyIDs) > maxCurrencies {
			f.Add(path+"loyaltyCurrencyIds", "must have at most %d items", maxCurrencies)
		}
	case FurtherBadge:
		if r.BadgeID = in.BadgeID; r.BadgeID.IsZero() {
			f.Add(path+"loyaltyBadgeId", "is required")
		}
	default:
		f.Add(path+"rewardType", "must be one of: %s", strings.Join(rewardTypes, ", "))
	}
	return r
}
