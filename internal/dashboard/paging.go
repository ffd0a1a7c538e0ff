package dashboard

import (
	"laurel"
)

// pager leads to other pages of a list.
type pager struct {
	First         bool   // this is the newest page
	Newest, Older string // addresses; Older is empty on the last page
}

// pageRequest returns the request for the page of a list that the query names by a cursor: pageSize items after it, or
// the first ones without a cursor. A malformed cursor is refused.
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

// pager returns the links to the first and to the next page of a list, which keep its filters. last is the id of the
// last item of this page, after which the next page begins. There is no next page unless hasMore is true.
func (c *request) pager(page laurel.PageRequest, hasMore bool, last laurel.ID) pager {
	query := c.URL.Query()
	query.Del("startingAfter")
	address := func() string {
		if text := query.Encode(); text != "" {
			return c.d.Prefix + c.URL.Path + "?" + text
		}
		return c.d.Prefix + c.URL.Path
	}
	links := pager{First: page.StartingAfter.IsZero(), Newest: address()}
	if hasMore {
		query.Set("startingAfter", last.String())
		links.Older = address()
	}
	return links
}

// lastID returns the id of the last item of a page; the zero id if the page is empty.
func lastID[T any](page laurel.Page[T], id func(T) laurel.ID) laurel.ID {
	if len(page.Data) == 0 {
		return laurel.ID{}
	}
	return id(page.Data[len(page.Data)-1])
}
