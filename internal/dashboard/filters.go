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

// filterMenu makes the menu of a parameter of the address. What else stands in the address stays; paging begins anew.
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

// filterID reads an id of the address; the zero id where there is none.
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

// filterDay reads a day of the address, in UTC; the zero time where there is none.
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

// recentDays are the choices of a filter that begins some days ago.
func (c *request) recentDays() []choice {
	day := func(n int) string { return c.d.Now().UTC().AddDate(0, 0, -n).Format(time.DateOnly) }
	return []choice{{day(7), "Last 7 days"}, {day(30), "Last 30 days"}, {day(90), "Last 90 days"}}
}

// choiceLabel is the label of a choice; of what is none, the value.
func choiceLabel(list []choice, value string) string {
	for _, ch := range list {
		if ch.Value == value {
			return ch.Label
		}
	}
	return value
}

func isOffered(list []choice, value string) bool {
	return slices.ContainsFunc(list, func(ch choice) bool { return ch.Value == value })
}
