package badges

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/dashboard/form"
	"laurel.example/laurel/internal/dashboard/parts"
	"laurel.example/laurel/internal/dashboard/web"
	"laurel.example/laurel/internal/engagement/badges"
	"laurel.example/laurel/internal/engagement/conditions"
	"laurel.example/laurel/internal/points/ledger"
)

// badgeForm is the form of a new badge, and of the settings of one.
type badgeForm struct {
	form.State
	Badge          badges.Badge          // without id: a new one
	Conditions     parts.ConditionForm   // of a new one
	ConditionTexts []parts.ConditionText // the conditions of one that is there, in words
	Rewards        []rewardLine
	Files          []fileLine
	Kinds          []web.Choice // of rewards
	money          parts.Currencies
	names          *parts.Names
}

// New reports whether the badge is not made yet.
func (f badgeForm) New() bool { return f.Badge.ID.IsZero() }

// UsesLists reports whether a condition uses a list, so that the form offers fields for additional lists.
func (f badgeForm) UsesLists() bool {
	for _, l := range f.Conditions.Lines {
		if l.Type == conditions.TypeCSV {
			return true
		}
	}
	for _, c := range f.Badge.Conditions {
		if c.Type == conditions.TypeCSV {
			return true
		}
	}
	return len(f.Files) > 0
}

// FullOf reports whether there is no room for another row of a kind: "rewards" or "files".
func (f badgeForm) FullOf(kind string) bool {
	if kind == "rewards" {
		return len(f.Rewards) >= maxBadgeRewards
	}
	return len(f.Files) >= maxBadgeFiles
}

// Offer returns the choices for a reward of the form: badges, tokens or currencies, depending on its type. A value that
// is already set and no longer available is added, so that saving the form keeps it.
func (f badgeForm) Offer(line rewardLine) []web.Choice {
	var out []web.Choice
	isListed := false
	add := func(id laurel.ID, name string) {
		isListed = isListed || id.String() == line.Badge || id.String() == line.Currency
		out = append(out, web.Choice{Value: id.String(), Label: name})
	}
	switch line.Type {
	case badges.FurtherBadge:
		for _, b := range f.names.Badges {
			if b.ID != f.Badge.ID {
				add(b.ID, b.Name)
			}
		}
	case badges.Token:
		for _, token := range f.tokens() {
			add(token.ID, token.Name)
		}
	default:
		for _, currency := range f.money.Live { // points can be paid only into balances that this server keeps
			if currency.API.PostURL == nil || line.Type == badges.Multiplier {
				add(currency.ID, currency.Name)
			}
		}
	}
	if chosen := line.Badge + line.Currency; chosen != "" && !isListed {
		out = append(out, web.Choice{Value: chosen, Label: "A reward that is no longer available"})
	}
	return out
}

// tokens returns the hidden currencies that stand for token rewards, without deleted ones, by name.
func (f badgeForm) tokens() (out []ledger.Currency) {
	for _, currency := range f.money.ByID {
		if currency.IsTokenRewardCurrency && currency.DeletedAt.IsZero() {
			out = append(out, currency)
		}
	}
	slices.SortFunc(out, func(a, b ledger.Currency) int {
		return cmp.Or(cmp.Compare(a.Name, b.Name), a.ID.Compare(b.ID))
	})
	return out
}

// badgeTable has the settings of a badge.
var badgeTable = form.NewTable[badges.Badge, badges.Input](form.Fields(
	"name", "Name", "description", "Description", "imageUrl", "Picture", "hideInUi", "Hidden",
	"rewards", "Rewards", "csvFiles", "More lists",
), form.ByHand("rewards", "csvFiles"))

// texts returns the form's values as texts by field, to find changes and conflicts.
func (f badgeForm) texts() map[string]string {
	out := maps.Clone(f.Input)
	out["rewards"] = f.describeRewards()
	var files []string
	for _, l := range f.Files {
		files = append(files, strings.TrimSpace(l.Src+" "+l.Name+" "+l.Detail))
	}
	out["csvFiles"] = strings.Join(files, ", ")
	return out
}

// describeRewards writes the rewards of a form as one line, such as "Points 10 Gold; Another badge Fan", to compare
// them.
func (f badgeForm) describeRewards() string {
	var out []string
	for _, l := range f.Rewards {
		parts := []string{l.Label()}
		for _, text := range []string{l.Amount, l.Multiplier} {
			if text != "" {
				parts = append(parts, text)
			}
		}
		references := append([]string{}, l.Currencies...)
		for _, text := range []string{l.Currency, l.Badge} {
			if text != "" {
				references = append(references, text)
			}
		}
		for _, text := range references {
			parts = append(parts, f.nameOfID(text))
		}
		if l.Retroactive != "" {
			parts = append(parts, "also on the current balance")
		}
		out = append(out, strings.Join(parts, " "))
	}
	return strings.Join(out, "; ")
}

// nameOfID returns the name of the currency or badge with the id in text. If there is none, it returns text.
func (f badgeForm) nameOfID(text string) string {
	id, err := laurel.ParseID(text)
	if err != nil {
		return text
	}
	if currency, ok := f.money.ByID[id]; ok {
		return currency.Name
	}
	for _, b := range f.names.Badges {
		if b.ID == id {
			return b.Name
		}
	}
	return text
}

// buildBadgeForm returns the form of a badge with its saved values; of a new badge if b has no id.
func (c *call) buildBadgeForm(b badges.Badge) (*badgeForm, error) {
	f := &badgeForm{Badge: b, Rewards: rewardLines(b.Rewards), Files: fileLines(b.CSVFiles)}
	f.Input = badgeTable.Saved(b)
	var err error
	if f.money, err = c.ReadCurrencies(); err != nil {
		return nil, err
	}
	if f.Conditions, err = c.ConditionForm("conditions", maxBadgeConditions, parts.ConditionKinds); err != nil {
		return nil, err
	}
	f.names = f.Conditions.Names
	for _, kind := range rewardKinds {
		if kind.Value != badges.Token || len(f.tokens()) > 0 {
			f.Kinds = append(f.Kinds, kind)
		}
	}
	if f.New() {
		return f, nil
	}
	texts, err := c.ReadBadgeTexts([]badges.Badge{b})
	f.ConditionTexts, f.BaseVersion = texts.Conditions(b), form.VersionOf(f.texts())
	return f, err
}

// readPosted reads the posted form into f. redraw reports whether the form was sent only to add or remove a row: it is
// then shown again and not saved.
func (f *badgeForm) readPosted(c *call) (redraw bool) {
	f.Input = badgeTable.Typed(c.PostForm)
	var conditions, rewards, files bool // of these lists, a row was added or removed
	if f.New() {
		conditions = f.Conditions.ReadPosted(c.PostForm)
	}
	f.Rewards, rewards = c.readPostedRewards()
	f.Files, files = c.readPostedFiles()
	return conditions || rewards || files
}

// serviceInput returns the badge as the service is to save it. What is as in saved is left out, so that lists are not
// imported again. Malformed values are added to faults.
func (f *badgeForm) serviceInput(saved map[string]string, faults *laurel.Faults) badges.Input {
	current := f.texts()
	in := badgeTable.Input(form.Changes{Saved: saved, Typed: current, Faults: faults})
	if in.ImageURL.Set && in.ImageURL.Value == "" {
		in.ImageURL = laurel.Null[string]()
	}
	if saved["rewards"] != current["rewards"] {
		in.Rewards = laurel.Some(rewardInputs(f.Rewards, faults))
	}
	if saved["csvFiles"] != current["csvFiles"] {
		in.CSVFiles = laurel.Some(fileInputs(f.Files))
	}
	return in
}

// showRefused shows the form again with the faults of a refusal.
func (f *badgeForm) showRefused(c *call, err error, page, title string) (web.View, error) {
	return c.ShowRefused(err, page, title, func(refusal web.Refusal) any {
		f.Faults, f.Error = f.faultsAtFields(refusal.Faults), refusal.Error
		return f
	})
}

// faultsAtFields returns the faults by the fields of the form that show them. All currencies of a multiplier are one
// field.
func (f *badgeForm) faultsAtFields(faults map[string]string) map[string]string {
	out := f.Conditions.FaultsAtFields(faults)
	for path, fault := range faults {
		if parts := strings.Split(path, "."); parts[0] == "rewards" && len(parts) > 3 { // one of several currencies
			delete(out, path)
			out[strings.Join(parts[:3], ".")] = fault
		}
	}
	return out
}

// badgeFormOfPath returns the form of the badge whose id is in the path. Without an id there, it returns that of a new
// badge, with an empty condition.
func (c *call) badgeFormOfPath() (*badgeForm, error) {
	var b badges.Badge
	if c.PathValue("badge") != "" {
		var err error
		if b, err = c.getBadge(); err != nil {
			return nil, err
		}
	}
	f, err := c.buildBadgeForm(b)
	if err != nil {
		return nil, err
	}
	if f.New() {
		f.Conditions.Add(conditions.TypeRule)
	}
	return f, nil
}

// newBadgePage shows the form of a new badge.
func newBadgePage(c *call) (web.View, error) {
	f, err := c.badgeFormOfPath()
	if err != nil {
		return web.View{}, err
	}
	return web.Show("badge-form", "New badge", f)
}

// createBadge creates a badge from the posted form. A form that was sent only to add or remove a row, or that is
// refused, is shown again.
func createBadge(c *call) (web.View, error) {
	f, err := c.buildBadgeForm(badges.Badge{})
	if err != nil {
		return web.View{}, err
	}
	if f.readPosted(c) {
		return web.Show("badge-form", "New badge", f)
	}
	var faults laurel.Faults
	in := badges.CreateInput{Input: f.serviceInput(nil, &faults), Conditions: f.Conditions.ServiceInput(&faults)}
	var made badges.Badge
	if err = faults.Err(); err == nil {
		made, err = c.Badges.Create(c.Context(), c.Scope.At(c.Site.ID), in)
	}
	if err != nil {
		return f.showRefused(c, err, "badge-form", "New badge")
	}
	return c.Redirect(c.SitePath("badges", made.ID),
		"Badge created. Members who meet its conditions now get it automatically.")
}

// badgeSettingsPage shows the form with the settings of a badge.
func badgeSettingsPage(c *call) (web.View, error) {
	f, err := c.badgeFormOfPath()
	if err != nil {
		return web.View{}, err
	}
	return web.Show("badge-form", f.Badge.Name+", settings", f)
}

// saveBadge saves the settings of a badge. A form that was sent only to add or remove a row is shown again. If someone
// else has saved other values since the form was opened, nothing is written and the conflicts are shown.
func saveBadge(c *call) (web.View, error) {
	b, err := c.getBadge()
	if err != nil {
		return web.View{}, err
	}
	f, err := c.buildBadgeForm(b)
	if err != nil {
		return web.View{}, err
	}
	title, saved := b.Name+", settings", f.texts()
	if f.readPosted(c) {
		f.BaseVersion = c.PostFormValue(form.BaseVersionField)
		return web.Show("badge-form", title, f)
	}
	if f.FindConflicts(c.PostForm, saved, f.texts(), badgeTable.Fields) {
		return web.Refused("badge-form", title, f), nil
	}
	var faults laurel.Faults
	in := f.serviceInput(saved, &faults)
	if err = faults.Err(); err == nil {
		_, err = c.Badges.Update(c.Context(), c.Scope.IfUnchanged(b.ID, b.UpdatedAt.Time), b.ID, in)
	}
	if err != nil {
		return f.showRefused(c, err, "badge-form", title)
	}
	notice := "Changes saved."
	if in.Rewards.Set {
		notice += " Members who already have the badge don’t get the new rewards."
	}
	if in.CSVFiles.Set {
		notice += " The lists are being imported."
	}
	return c.Redirect(c.SitePath("badges", b.ID), notice)
}

// confirmDeleteBadge shows the page that asks before a badge is deleted.
func confirmDeleteBadge(c *call) (web.View, error) {
	b, err := c.getBadge()
	if err != nil {
		return web.View{}, err
	}
	rows, err := c.badgeRows([]badges.Badge{b})
	if err != nil {
		return web.View{}, err
	}
	return web.Show("badge-delete", "Delete "+b.Name+"?", rows[0])
}

// deleteBadge deletes a badge. Members keep what it paid.
func deleteBadge(c *call) (web.View, error) {
	b, err := c.getBadge()
	if err == nil {
		_, err = c.Badges.Delete(c.Context(), c.Scope.At(c.Site.ID), b.ID)
	}
	if err != nil {
		return web.View{}, err
	}
	return c.Redirect(c.SitePath("badges"), fmt.Sprintf("Badge %s deleted. Members keep the points it paid.", b.Name))
}
