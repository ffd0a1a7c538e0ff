// Package content is the room of pages that members see: their sections, the blocks of the loyalty page, and files.
package content

import (
	"embed"
	"html/template"

	"laurel.example/laurel/internal/admins"
	"laurel.example/laurel/internal/content/collections"
	layout "laurel.example/laurel/internal/content/pages"
	"laurel.example/laurel/internal/dashboard/form"
	"laurel.example/laurel/internal/dashboard/parts"
	"laurel.example/laurel/internal/dashboard/web"
)

//go:embed templates
var templates embed.FS

// Services are those that only this room calls.
type Services struct {
	Collections *collections.Service
	Pages       *layout.Service
}

// call is a call of a page of this room, with the services that the page shows.
type call struct {
	parts.Call
	*Services
}

// route is a page or an action of this room.
type route = web.RouteOf[*call]

// labels are those of the fields of this room, from the tables of its forms and beside them.
var labels = form.Labels(web.Labels{
	"banner": "Banner", "discoveryItems": "Card", "filePath": "Use for", "itemsGrids": "Grid item",
}, sectionTable.Fields, blockTable.Fields)

// Room returns the pages of the room.
func Room(p *parts.Services, s *Services) web.Room {
	of := func(c *web.Call) *call { return &call{parts.Call{Call: c, Services: p}, s} }
	return web.Room{
		Routes: web.Bind(of, pageRoutes, blockRoutes, sectionRoutes, fileRoutes),
		Menu: []web.MenuItem{
			web.Item("content", "pages", "Pages", "layout-template", admins.SeeProgram),
			web.Item("content", "files", "Files", "image", admins.SeeProgram),
		},
		Templates: templates,
		Labels:    labels,
		Funcs: template.FuncMap{
			"blockName":    blockName,
			"byteSize":     byteSize,
			"sectionsPath": func(s web.Screen, section layout.Section) string { return of(s.Call).sectionsPath(section.Place()) },
		},
	}
}
