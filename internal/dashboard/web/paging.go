package web

import (
	"context"

	"laurel.example/laurel"
)

// Pager leads to other pages of a list.
type Pager struct {
	First         bool   // this is the newest page
	Newest, Older string // addresses; Older is empty on the last page
}

// PageRequest returns the request for the page of a list that the query names by a cursor: PageSize items after it, or
// the first ones without a cursor. A malformed cursor is refused.
func (c *Call) PageRequest() (laurel.PageRequest, error) {
	page := laurel.PageRequest{Limit: PageSize}
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

// Pager returns the links to the first and to the next page of a list, which keep its filters. last is the id of the
// last item of this page, after which the next page begins. There is no next page unless HasMore is true.
func (c *Call) Pager(page laurel.PageRequest, hasMore bool, last laurel.ID) Pager {
	query := c.URL.Query()
	query.Del("startingAfter")
	address := func() string {
		if text := query.Encode(); text != "" {
			return c.Prefix + c.URL.Path + "?" + text
		}
		return c.Prefix + c.URL.Path
	}
	links := Pager{First: page.StartingAfter.IsZero(), Newest: address()}
	if hasMore {
		query.Set("startingAfter", last.String())
		links.Older = address()
	}
	return links
}

// LastID returns the id of the last item of a page; the zero id if the page is empty.
func LastID[T any](page laurel.Page[T], id func(T) laurel.ID) laurel.ID {
	if len(page.Data) == 0 {
		return laurel.ID{}
	}
	return id(page.Data[len(page.Data)-1])
}

// PageSize is how many items a page of a list has.
const PageSize = 50

// maxOptions bounds the groups, currencies, rules and badges that forms and filters offer.
const maxOptions = 500

// ListPageSize is how many records are read at a time where all are needed.
const ListPageSize = 100

// ListAll reads a list page by page until its end, or until it has at least maxOptions items. id returns the id of an
// item, after which the next page begins.
func ListAll[T any](
	ctx context.Context,
	list func(context.Context, laurel.PageRequest) (laurel.Page[T], error),
	id func(T) laurel.ID,
) ([]T, error) {
	var out []T
	for page := (laurel.PageRequest{Limit: ListPageSize}); ; {
		found, err := list(ctx, page)
		if err != nil {
			return nil, err
		}
		out = append(out, found.Data...)
		if page.StartingAfter = LastID(found, id); !found.HasNextPage || len(out) >= maxOptions {
			return out, nil
		}
	}
}

// SideListLimit bounds the lists that a page shows in addition to its main one.
const SideListLimit = 20
