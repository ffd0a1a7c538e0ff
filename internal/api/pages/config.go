// Package pages holds the operations on what websites show: collections, page sections and the blocks of the loyalty
// page. It shapes requests and responses and decides nothing.
package pages

import (
	"laurel.example/laurel/internal/api/caller"
	"laurel.example/laurel/internal/api/rest"
	"laurel.example/laurel/internal/content/collections"
	"laurel.example/laurel/internal/content/pages"
)

// Config holds what the operations need.
type Config struct {
	Caller      *caller.Resolver
	Collections *collections.Service
	Pages       *pages.Service
}

// handlers are the operations, one method each.
type handlers struct{ Config }

// Operations are the operations on pages, for the table of routes in package api.
type Operations struct {
	ListCollections, GetCollection, CreateCollection, UpdateCollection, DeleteCollection rest.OperationHandler
	ListSections, GetSection, CreateSection, UpdateSection, DeleteSection                rest.OperationHandler
	ListBlocks, GetBlock, ArrangeBlocks                                                  rest.OperationHandler
}

// New returns the operations on collections, page sections and the loyalty page. Each has its handler and its texts for
// the OpenAPI document.
func New(cfg Config) Operations {
	h := &handlers{cfg}
	respond, respondSection := caller.Shaped(shapeCollection), caller.Shaped(shapeSection)
	getSection := caller.ByID(cfg.Caller, cfg.Pages.Section, respondSection)
	getCollection := caller.ByID(cfg.Caller, cfg.Collections.Get, respond)
	return Operations{
		ListCollections: rest.Handle(h.listCollections, rest.Note("By sortId, then the oldest first.")),
		GetCollection:   rest.Handle(getCollection, rest.Note("As lists show it.")),
		CreateCollection: rest.Handle(caller.Create(cfg.Caller, cfg.Collections.Create, respond),
			rest.Note("A live collection is unique by website, network and address. A website has at most 1000."),
			rest.Example(`{"name":"Founders","collectionAddress":"0x00000000000000000000000000000000000c0113","network":"base","sortId":1}`),
		),
		UpdateCollection: rest.Handle(caller.Update(cfg.Caller, cfg.Collections.Update, respond),
			rest.IfMatch(getCollection),
			rest.Note("An absent property keeps its value. Address and network stay."),
			rest.Example(`{"sortId":2}`),
		),
		DeleteCollection: rest.Handle(caller.ByID(cfg.Caller, cfg.Collections.Delete, respond),
			rest.IfMatch(getCollection),
			rest.Note("Page sections that show it show nothing in its place."),
		),
		ListSections: rest.Handle(h.listSections,
			rest.Note("Sections whose window is open, or all with all=1, by sortId: at most 100. The response also has the fields of the "+
				"first section, beside data."),
		),
		GetSection: rest.Handle(getSection, rest.Note("Whether its window is open or not.")),
		CreateSection: rest.Handle(h.createSection,
			rest.Note("It is shown from durationStart on, and before durationEnd."),
			rest.Example(`{"placement":"global","pageSectionType":"discovery_item","title":"Welcome",`+
				`"durationStart":"2026-01-01T00:00:00Z","discoveryItems":[{"title":"Earn points","buttonText":"Start",`+
				`"externalLink":"https://shop.example/start","layout":"full_width_hero"}]}`),
		),
		UpdateSection: rest.Handle(h.updateSection, rest.IfMatch(getSection),
			rest.Note("An absent property keeps its value. banner, itemsGrids and discoveryItems replace the former ones; parts "+
				"that are sent with their id keep it."),
			rest.Example(`{"title":"Hello"}`),
		),
		DeleteSection: rest.Handle(caller.ByID(cfg.Caller, cfg.Pages.DeleteSection, respondSection),
			rest.IfMatch(getSection), rest.Note("Lists no longer show it.")),
		ListBlocks: rest.Handle(h.listBlocks,
			rest.Note("The blocks of the loyalty page by sortId. Client keys see no hidden ones.")),
		GetBlock: rest.Handle(h.getBlock, rest.Note("Client keys see no hidden one.")),
		ArrangeBlocks: rest.Handle(h.setLayout,
			rest.Note("The array is the whole layout: blocks with an id are updated, blocks without are added, and blocks that are not in "+
				"it are removed. All or none."),
			rest.Example(`{"websitePageSections":[{"type":"hero","title":"Welcome"},{"type":"rules","title":"Earn points"}]}`),
		),
	}
}
