package integrate

import (
	"laurel.example/laurel"
	"laurel.example/laurel/internal/admins"
	"laurel.example/laurel/internal/dashboard/web"
	"laurel.example/laurel/internal/messages"
)

// The outbox shows codes and links, so its right is that of keys: who has it may act for every member.
var outboxRoutes = []route{web.Get("/outbox", admins.SeeKeys, "outbox", outboxPage)}

type outboxData struct {
	Messages laurel.Page[messages.Stored]
	Pager    web.Pager
	IsUsed   bool // messages of some kind go here
}

// outboxPage lists the messages that were not sent, since there is no gateway for them, newest first.
func outboxPage(c *call) (web.View, error) {
	page, err := c.PageRequest()
	if err != nil {
		return web.View{}, err
	}
	list, err := c.Messages.ListOutbox(c.Context(), c.Scope.At(c.Site.ID), page)
	if err != nil {
		return web.View{}, err
	}
	last := web.LastID(list, func(m messages.Stored) laurel.ID { return m.ID })
	return web.Show("outbox", "Outbox", outboxData{list, c.Pager(page, list.HasNextPage, last), c.Messages.HasOutbox()})
}
