package dashboard

import (
	"slices"
	"strconv"
	"strings"

	"laurel"
	"laurel/internal/engagement/badges"
)

// Bounds of the form of a badge: those of the service.
const (
	maxBadgeConditions = 20
	maxBadgeRewards    = 20
	maxBadgeFiles      = 20
)

// rewardKinds are the types of rewards that the form offers.
var rewardKinds = []choice{
	{badges.Points, "Points"}, {badges.Multiplier, "Multiplier"}, {badges.FurtherBadge, "Another badge"},
	{badges.Token, "Tokens"},
}

// rewardLine is a reward in the form, as it is typed.
type rewardLine struct {
	At                           int // its place
	Type                         string
	Amount, Multiplier           string
	Badge, Currency, Retroactive string
	Currencies                   []string
}

// Path is where faults of a property of the line are noted.
func (l rewardLine) Path(property string) string {
	return "rewards." + strconv.Itoa(l.At) + "." + property
}

// Label returns the label of the reward's type.
func (l rewardLine) Label() string {
	for _, k := range rewardKinds {
		if k.Value == l.Type {
			return k.Label
		}
	}
	return l.Type
}

// Has reports whether a currency of the multiplier is ticked.
func (l rewardLine) Has(id string) bool { return slices.Contains(l.Currencies, id) }

// rewardLines returns the rewards of a badge as rows of the form.
func rewardLines(list []badges.Reward) []rewardLine {
	out := make([]rewardLine, len(list))
	for i, r := range list {
		out[i] = rewardLine{At: i, Type: r.Type, Badge: idCell(r.BadgeID), Currency: idCell(r.CurrencyID)}
		if r.Amount != 0 {
			out[i].Amount = r.Amount.String()
		}
		if r.Multiplier != 0 {
			out[i].Multiplier = r.Multiplier.String()
		}
		if r.Retroactive {
			out[i].Retroactive = "on"
		}
		for _, id := range r.CurrencyIDs {
			out[i].Currencies = append(out[i].Currencies, id.String())
		}
	}
	return out
}

// readPostedRewards reads the rows of rewards, without the one that is removed and with a new one if it is requested.
// redraw reports whether the form was sent only for that.
func (c *request) readPostedRewards() (lines []rewardLine, redraw bool) {
	removed := c.PostFormValue("drop")
	for i := range maxBadgeRewards {
		l := rewardLine{At: i}
		l.Type = c.PostFormValue(l.Path("rewardType"))
		if l.Type == "" || removed == "rewards."+strconv.Itoa(i) {
			continue
		}
		l.Amount, l.Multiplier = c.PostFormValue(l.Path("amount")), c.PostFormValue(l.Path("multiplier"))
		l.Badge, l.Currency = c.PostFormValue(l.Path("loyaltyBadgeId")), c.PostFormValue(l.Path("loyaltyCurrencyId"))
		l.Retroactive, l.Currencies = c.PostFormValue(l.Path("isRetroactive")), c.PostForm[l.Path("loyaltyCurrencyIds")]
		l.At = len(lines)
		lines = append(lines, l)
	}
	adds := c.PostFormValue("add") == "reward" && len(lines) < maxBadgeRewards
	if adds {
		lines = append(lines, rewardLine{At: len(lines), Type: c.PostFormValue("reward")})
	}
	return lines, adds || strings.HasPrefix(removed, "rewards.")
}

// rewardInputs returns the rows of rewards for the service. Malformed numbers are added to faults.
func rewardInputs(lines []rewardLine, f *laurel.Faults) []badges.RewardInput {
	out := make([]badges.RewardInput, len(lines))
	for i, l := range lines {
		in := badges.RewardInput{Type: l.Type, Retroactive: l.Retroactive != "", CurrencyIDs: idList(strings.Join(l.Currencies, " "))}
		in.BadgeID, _ = laurel.ParseID(l.Badge)       // the service says that it is required
		in.CurrencyID, _ = laurel.ParseID(l.Currency) // as before
		in.Amount = parseAmountField(f, l.Path("amount"), l.Amount)
		in.Multiplier = parseAmountField(f, l.Path("multiplier"), l.Multiplier)
		out[i] = in
	}
	return out
}

// fileLine is a further list in the form.
type fileLine struct {
	At                int
	Src, Name, Detail string
}

// Path is where faults of a property of the line are noted.
func (l fileLine) Path(property string) string {
	return "csvFiles." + strconv.Itoa(l.At) + "." + property
}

// fileLines returns the additional lists of a badge as rows of the form.
func fileLines(list []badges.CSVFile) []fileLine {
	out := make([]fileLine, len(list))
	for i, f := range list {
		out[i] = fileLine{i, f.URL, textCell(f.Name), textCell(f.Description)}
	}
	return out
}

// readPostedFiles reads the rows of additional lists, without the one that is removed and with a new one if it is
// requested. redraw reports whether the form was sent only for that.
func (c *request) readPostedFiles() (lines []fileLine, redraw bool) {
	removed := c.PostFormValue("drop")
	for i := range maxBadgeFiles {
		l := fileLine{At: i}
		if !c.PostForm.Has(l.Path("src")) || removed == "csvFiles."+strconv.Itoa(i) {
			continue
		}
		l.Src, l.Name = strings.TrimSpace(c.PostFormValue(l.Path("src"))), c.PostFormValue(l.Path("name"))
		l.Detail, l.At = c.PostFormValue(l.Path("description")), len(lines)
		lines = append(lines, l)
	}
	adds := c.PostFormValue("add") == "file" && len(lines) < maxBadgeFiles
	if adds {
		lines = append(lines, fileLine{At: len(lines)})
	}
	return lines, adds || strings.HasPrefix(removed, "csvFiles.")
}

// fileInputs returns the rows of additional lists for the service.
func fileInputs(lines []fileLine) []badges.CSVInput {
	out := make([]badges.CSVInput, len(lines))
	for i, l := range lines {
		out[i].Src = l.Src
		if l.Name != "" {
			out[i].Name = &l.Name
		}
		if l.Detail != "" {
			out[i].Description = &l.Detail
		}
	}
	return out
}
