package dashboard

import (
	"laurel"
)

// pager leads to other pages of a list.
type pager struct {
	First         bool   // this is the newest page
	Newest, Older string // addresses; Older is empty on the last page
}

// pageRequest reads the cursor of a list from the address.
func (c *request) pageRequest() (laurel.PageRequest, error) {
	page := laurel.PageRequest{Limit: pageSize}
	text := c.URL.Query().Get("startingAfter")
	if text == "" {
		return page, nil
	}
	id, err := laurel.ParseID(text)
	if err != nil {
		return page, laurel.ErrCursor()
	}
	page.StartingAfter = id
	return page, nil
}

// pager returns the links to the newest and the next page of a list. They keep its filters. last is the last item of
// this page.
func (c *request) pager(page laurel.PageRequest, hasMore bool, last laurel.ID) pager {
	query := c.URL.Query()
	query.Del("startingAfter")
	address := func() string {
		if text := query.Encode(); text != "" {
			return c.d.Prefix + c.URL.Path + "?" + text
		}
		return c.d.Prefix + c.URL.Path
	}
	p := pager{First: page.StartingAfter.IsZero(), Newest: address()}
	if hasMore {
		query.Set("startingAfter", last.String())
		p.Older = address()
	}
	return p
}

// lastID returns the id of the last item of a page; the zero id of an empty one.
func lastID[T any](page laurel.Page[T], id func(T) laurel.ID) laurel.ID {
	if len(page.Data) == 0 {
		return laurel.ID{}
	}
	return id(page.Data[len(page.Data)-1])
}
