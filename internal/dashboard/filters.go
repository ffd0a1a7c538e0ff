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

// filterMenu returns the menu of one query parameter. Its links keep the other parameters and start at the first page.
func (c *request) filterMenu(label, name string, choices []choice) filterMenu {
	query := c.URL.Query()
	query.Del("startingAfter")
	chosen := query.Get(name)
	m := filterMenu{Label: label}
	address := func() string { return c.d.Prefix + c.URL.Path + "?" + query.Encode() }
	for _, ch := range choices {
		if ch.Value == chosen && chosen != "" {
			m.Chosen = ch.Label
		}
		query.Set(name, ch.Value)
		m.Options = append(m.Options, filterOption{ch.Label, address()})
	}
	if chosen != "" && m.Chosen == "" {
		m.Chosen = label + " " + shorten(chosen)
	}
	query.Del(name)
	m.Without = address()
	return m
}

// filterID parses an id of the query; the zero id if there is none.
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

// filterDay parses a day of the query, in UTC; the zero time if there is none.
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
	return []choice{{day(7), "Last 7 days"}, {day(30), "Last 30 days"}, {day(90), "Last 90 days"}}
}

// choiceLabel returns the label of a value, or the value itself if it is no choice.
func choiceLabel(list []choice, value string) string {
	for _, ch := range list {
		if ch.Value == value {
			return ch.Label
		}
	}
	return value
}

// isOffered reports whether a value is one of the choices.
func isOffered(list []choice, value string) bool {
	return slices.ContainsFunc(list, func(ch choice) bool { return ch.Value == value })
}
