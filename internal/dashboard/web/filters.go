package web

import (
	"slices"
	"time"

	"laurel.example/laurel"
)

// FilterMenu is a filter of a list: a menu of links, or the link that takes the chosen value away.
type FilterMenu struct {
	Label   string
	Chosen  string // in words; empty: none
	Without string // the address without it
	Options []filterOption
}

type filterOption struct{ Label, Address string }

// Choice is a value of a filter, and its word.
type Choice struct{ Value, Label string }

// Choices returns choices from values and labels in turn.
func Choices(pairs ...string) []Choice {
	out := make([]Choice, 0, len(pairs)/2)
	for pair := range slices.Chunk(pairs, 2) {
		out = append(out, Choice{pair[0], pair[1]})
	}
	return out
}

// FilterMenu returns the menu of one query parameter. Its links keep the other parameters and start at the first page.
// A value of the query that is no choice is shown shortened.
func (c *Call) FilterMenu(label, name string, choices []Choice) FilterMenu {
	query := c.URL.Query()
	query.Del("startingAfter")
	chosen := query.Get(name)
	menu := FilterMenu{Label: label}
	address := func() string { return c.Prefix + c.URL.Path + "?" + query.Encode() }
	for _, option := range choices {
		if option.Value == chosen && chosen != "" {
			menu.Chosen = option.Label
		}
		query.Set(name, option.Value)
		menu.Options = append(menu.Options, filterOption{option.Label, address()})
	}
	if chosen != "" && menu.Chosen == "" {
		menu.Chosen = label + " " + Shorten(chosen)
	}
	query.Del(name)
	menu.Without = address()
	return menu
}

// FilterID parses the id in a query parameter. It returns the zero id if the parameter is empty, and an error if it is
// malformed.
func (c *Call) FilterID(name string) (laurel.ID, error) {
	text := c.URL.Query().Get(name)
	if text == "" {
		return laurel.ID{}, nil
	}
	id, err := laurel.ParseID(text)
	if err != nil {
		return id, laurel.Errorf(laurel.Invalid, "The filter %s is not a valid ID.", name)
	}
	return id, nil
}

// FilterDay parses the day in a query parameter, in UTC. It returns the zero time if the parameter is empty, and an
// error if it is malformed.
func (c *Call) FilterDay(name string) (time.Time, error) {
	text := c.URL.Query().Get(name)
	if text == "" {
		return time.Time{}, nil
	}
	day, err := time.Parse(time.DateOnly, text)
	if err != nil || day.IsZero() {
		return day, laurel.Errorf(laurel.Invalid, "Choose a day for “%s”, such as 2026-11-23.", commonLabels.Of(name))
	}
	return day, nil
}

// RecentDays returns the choices of a filter by start: some numbers of days ago.
func (c *Call) RecentDays() []Choice {
	day := func(n int) string { return c.Now().UTC().AddDate(0, 0, -n).Format(time.DateOnly) }
	return Choices(day(7), "Last 7 days", day(30), "Last 30 days", day(90), "Last 90 days")
}

// ChoiceLabel returns the label of a value, or the value itself if it is no choice.
func ChoiceLabel(list []Choice, value string) string {
	for _, option := range list {
		if option.Value == value {
			return option.Label
		}
	}
	return value
}

// IsOffered reports whether a value is one of the choices.
func IsOffered(list []Choice, value string) bool {
	return slices.ContainsFunc(list, func(option Choice) bool { return option.Value == value })
}

// Period is a period of a chart that a page offers.
type Period struct {
	Label, Address string
	Current        bool
}

// FilterLink is a link that sets or removes a filter.
type FilterLink struct {
	Label, Address string
	IsChosen       bool
}
