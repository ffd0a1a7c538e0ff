package dashboard

import (
	"slices"
	"time"

	"laurel"
)

// filterMenu is a filter of a list: a menu of links, or the link that takes the chosen value away.
type filterMenu struct {
	Label   string
	Chosen  string // in words; empty: none
	Without string // the address without it
	Options []filterOption
}

type filterOption struct{ Label, Address string }

// choice is a value of a filter, and its word.
type choice struct{ Value, Label string }

// choicesOf returns choices from values and labels in turn.
func choicesOf(pairs ...string) []choice {
	out := make([]choice, 0, len(pairs)/2)
	for pair := range slices.Chunk(pairs, 2) {
		out = append(out, choice{pair[0], pair[1]})
	}
	return out
}

// filterMenu returns the menu of one query parameter. Its links keep the other parameters and start at the first page.
// A value of the query that is no choice is shown shortened.
func (c *request) filterMenu(label, name string, choices []choice) filterMenu {
	query := c.URL.Query()
	query.Del("startingAfter")
	chosen := query.Get(name)
	menu := filterMenu{Label: label}
	address := func() string { return c.d.Prefix + c.URL.Path + "?" + query.Encode() }
	for _, option := range choices {
		if option.Value == chosen && chosen != "" {
			menu.Chosen = option.Label
		}
		query.Set(name, option.Value)
		menu.Options = append(menu.Options, filterOption{option.Label, address()})
	}
	if chosen != "" && menu.Chosen == "" {
		menu.Chosen = label + " " + shorten(chosen)
	}
	query.Del(name)
	menu.Without = address()
	return menu
}

// filterID parses the id in a query parameter. It returns the zero id if the parameter is empty, and an error if it is
// malformed.
func (c *request) filterID(name string) (laurel.ID, error) {
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

// filterDay parses the day in a query parameter, in UTC. It returns the zero time if the parameter is empty, and an
// error if it is malformed.
func (c *request) filterDay(name string) (time.Time, error) {
	text := c.URL.Query().Get(name)
	if text == "" {
		return time.Time{}, nil
	}
	day, err := time.Parse(time.DateOnly, text)
	if err != nil {
		return day, laurel.Errorf(laurel.Invalid, "Choose a day for “%s”, such as 2026-11-23.", faultLabel(name))
	}
	return day, nil
}

// recentDays returns the choices of a filter by start: some numbers of days ago.
func (c *request) recentDays() []choice {
	day := func(n int) string { return c.d.Now().UTC().AddDate(0, 0, -n).Format(time.DateOnly) }
	return choicesOf(day(7), "Last 7 days", day(30), "Last 30 days", day(90), "Last 90 days")
}

// choiceLabel returns the label of a value, or the value itself if it is no choice.
func choiceLabel(list []choice, value string) string {
	for _, option := range list {
		if option.Value == value {
			return option.Label
		}
	}
	return value
}

// isOffered reports whether a value is one of the choices.
func isOffered(list []choice, value string) bool {
	return slices.ContainsFunc(list, func(option choice) bool { return option.Value == value })
}
