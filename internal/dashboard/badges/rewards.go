package badges

import (
	"slices"
	"strconv"
	"strings"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/dashboard/form"
	"laurel.example/laurel/internal/dashboard/web"
	"laurel.example/laurel/internal/engagement/badges"
)

// Bounds of the form of a badge: those of the service.
const (
	maxBadgeConditions = 20
	maxBadgeRewards    = 20
	maxBadgeFiles      = 20
)

// rewardKinds are the types of rewards that the form offers.
var rewardKinds = web.Choices(
	badges.Points, "Points", badges.Multiplier, "Multiplier", badges.FurtherBadge, "Another badge",
	badges.Token, "Tokens",
)

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

// rewardLines returns the rewards of a badge as rows of the form. Values that a reward does not have are empty.
func rewardLines(list []badges.Reward) []rewardLine {
	out := make([]rewardLine, len(list))
	for i, r := range list {
		out[i] = rewardLine{At: i, Type: r.Type, Badge: web.IdCell(r.BadgeID), Currency: web.IdCell(r.CurrencyID)}
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

// readPostedRewards reads the posted rows of rewards, without the row that the admin removes and with a new one if the
// admin adds one. redraw reports whether the form was sent only to remove or add a row.
func (c *call) readPostedRewards() (lines []rewardLine, redraw bool) {
	removed := c.PostFormValue("drop")
	for i := range maxBadgeRewards {
		line := rewardLine{At: i}
		line.Type = c.PostFormValue(line.Path("rewardType"))
		if line.Type == "" || removed == "rewards."+strconv.Itoa(i) {
			continue
		}
		line.Amount, line.Multiplier = c.PostFormValue(line.Path("amount")), c.PostFormValue(line.Path("multiplier"))
		line.Badge, line.Retroactive = c.PostFormValue(line.Path("loyaltyBadgeId")), c.PostFormValue(line.Path("isRetroactive"))
		line.Currency = c.PostFormValue(line.Path("loyaltyCurrencyId"))
		line.Currencies = c.PostForm[line.Path("loyaltyCurrencyIds")]
		line.At = len(lines)
		lines = append(lines, line)
	}
	adds := c.PostFormValue("add") == "reward" && len(lines) < maxBadgeRewards
	if adds {
		lines = append(lines, rewardLine{At: len(lines), Type: c.PostFormValue("reward")})
	}
	return lines, adds || strings.HasPrefix(removed, "rewards.")
}

// rewardInputs returns the rows of rewards for the service. Malformed numbers are added to faults. Malformed ids become
// the zero id, which the service refuses.
func rewardInputs(lines []rewardLine, faults *laurel.Faults) []badges.RewardInput {
	out := make([]badges.RewardInput, len(lines))
	for i, line := range lines {
		in := badges.RewardInput{
			Type: line.Type, Retroactive: line.Retroactive != "", CurrencyIDs: form.ParseIDs(strings.Join(line.Currencies, " ")),
		}
		in.BadgeID, _ = laurel.ParseID(line.Badge)       // the service refuses the zero id
		in.CurrencyID, _ = laurel.ParseID(line.Currency) // here too
		in.Amount = form.ParseAmount(faults, line.Path("amount"), line.Amount)
		in.Multiplier = form.ParseAmount(faults, line.Path("multiplier"), line.Multiplier)
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
		out[i] = fileLine{i, f.URL, web.TextCell(f.Name), web.TextCell(f.Description)}
	}
	return out
}

// readPostedFiles reads the posted rows of the table of CSV files, the badge's further lists of members. It leaves out
// the row whose remove button sent the form, and adds an empty row if the add button did and there is room. redraw
// reports whether a row was removed or added, so that the form is shown again instead of saved.
func (c *call) readPostedFiles() (lines []fileLine, redraw bool) {
	removed := c.PostFormValue("drop")
	for i := range maxBadgeFiles {
		line := fileLine{At: i}
		if !c.PostForm.Has(line.Path("src")) || removed == "csvFiles."+strconv.Itoa(i) {
			continue
		}
		line.Src, line.Name = strings.TrimSpace(c.PostFormValue(line.Path("src"))), c.PostFormValue(line.Path("name"))
		line.Detail, line.At = c.PostFormValue(line.Path("description")), len(lines)
		lines = append(lines, line)
	}
	adds := c.PostFormValue("add") == "file" && len(lines) < maxBadgeFiles
	if adds {
		lines = append(lines, fileLine{At: len(lines)})
	}
	return lines, adds || strings.HasPrefix(removed, "csvFiles.")
}

// fileInputs returns the rows of additional lists for the service. Empty names and descriptions are left out.
func fileInputs(lines []fileLine) []badges.CSVInput {
	out := make([]badges.CSVInput, len(lines))
	for i, line := range lines {
		out[i].Src = line.Src
		if line.Name != "" {
			out[i].Name = &line.Name
		}
		if line.Detail != "" {
			out[i].Description = &line.Detail
		}
	}
	return out
}
