package content

import (
	"laurel.example/laurel"
	"laurel.example/laurel/internal/admins"
	layout "laurel.example/laurel/internal/content/pages"
	"laurel.example/laurel/internal/dashboard/form"
	"laurel.example/laurel/internal/dashboard/web"
)

var sectionRoutes = []route{
	web.Get("/pages/sections/new", admins.ChangeProgram, "pages", newSectionPage),
	web.Post("/pages/sections", admins.ChangeProgram, "pages", "created a page section", web.Idempotent(createSection)),
	web.Get("/pages/sections/{section}", admins.ChangeProgram, "pages", sectionPage),
	web.Post("/pages/sections/{section}", admins.ChangeProgram, "pages", "changed a page section", saveSection),
	web.Post("/pages/sections/{section}/move", admins.ChangeProgram, "pages",
		"reordered page sections", moveSection),
	web.Get("/pages/sections/{section}/delete", admins.ChangeProgram, "pages", confirmDeleteSection),
	web.Post("/pages/sections/{section}/delete", admins.ChangeProgram, "pages",
		"deleted a page section", deleteSection),
}

// getSection returns the page section whose id is in the path. A malformed or unknown id is not found.
func (c *call) getSection() (layout.Section, error) {
	id, err := c.PathID("section", "Page section")
	if err != nil {
		return layout.Section{}, err
	}
	return c.Pages.Section(c.Context(), c.Scope.At(c.Site.ID), id)
}

// newSectionPage shows the form of a new section at the place that the query names. A place is a position on a page of
// the website.
func newSectionPage(c *call) (web.View, error) {
	place := parsePlace(c.URL.Query().Get("place"))
	section := layout.Section{Placement: place.Placement, PageID: &place.PageID, Start: laurel.Timestamp{Time: c.Now()}}
	f, err := c.buildSectionForm(section)
	if err != nil {
		return web.View{}, err
	}
	return web.Show("section-form", "New section", f)
}

// createSection creates a section as the last one of its place. A form that was sent only to add or remove a row is
// shown again.
func createSection(c *call) (web.View, error) {
	f, err := c.buildSectionForm(layout.Section{})
	if err != nil {
		return web.View{}, err
	}
	if f.readPosted(c) {
		return web.Show("section-form", "New section", f.withPreview(c))
	}
	var faults laurel.Faults
	in := f.serviceInput(nil, &faults)
	sortID, err := c.nextSortID(f)
	if err != nil {
		return web.View{}, err
	}
	in.SectionPatch = in.With("sortId", sortID)
	var made layout.Section
	if err = faults.Err(); err == nil {
		made, err = c.Pages.CreateSection(c.Context(), c.Scope.At(c.Site.ID), in)
	}
	if err != nil {
		return f.showRefused(c, err, "New section")
	}
	place := made.Place()
	return c.Redirect(c.sectionsPath(place), "Section "+sectionName(made)+" created at the end of the page.")
}

// nextSortID returns the sort id that puts a section after all others of the place in the form; absent if the place has
// no sections.
func (c *call) nextSortID(f *sectionForm) (sortID laurel.Optional[int64], err error) {
	places, err := c.Pages.Places(c.Context(), c.Scope.At(c.Site.ID))
	chosen := formatPlace(layout.Place{Placement: f.Input["placement"], PageID: f.Input["pageId"]})
	for _, place := range places {
		if formatPlace(place) == chosen {
			return laurel.Some(place.Last + 1), err
		}
	}
	return sortID, err
}

// sectionPage shows the form of a page section, with a preview.
func sectionPage(c *call) (web.View, error) {
	section, err := c.getSection()
	if err != nil {
		return web.View{}, err
	}
	f, err := c.buildSectionForm(section)
	if err != nil {
		return web.View{}, err
	}
	return web.Show("section-form", f.Name()+", section", f)
}

// saveSection saves a section. A form that was sent only to add or remove a row is shown again. If someone else has
// saved the section since the form was opened, and a posted field differs from what is saved now, nothing is written
// and these fields are shown as conflicts.
func saveSection(c *call) (web.View, error) {
	section, err := c.getSection()
	if err != nil {
		return web.View{}, err
	}
	f, err := c.buildSectionForm(section)
	if err != nil {
		return web.View{}, err
	}
	title := f.Name() + ", section"
	saved := f.texts() // before the posted values replace those of the form
	if redraw := f.readPosted(c); redraw {
		f.BaseVersion = c.PostFormValue(form.BaseVersionField)
		return web.Show("section-form", title, f.withPreview(c))
	}
	if f.FindConflicts(c.PostForm, saved, f.texts(), sectionTable.Fields) {
		return web.Refused("section-form", title, f.withPreview(c)), nil
	}
	var faults laurel.Faults
	in := f.serviceInput(saved, &faults)
	if err = faults.Err(); err == nil {
		scope := c.Scope.IfUnchanged(section.ID, section.UpdatedAt.Time)
		section, err = c.Pages.UpdateSection(c.Context(), scope, section.ID, in)
	}
	if err != nil {
		return f.showRefused(c, err, title)
	}
	return c.Redirect(c.sectionsPath(section.Place()), "Section saved.")
}

// moveSection moves a section up or down by one place. If the admin has dragged the sections instead, the form has
// their whole new order. It is saved unless someone else has changed the order meanwhile.
func moveSection(c *call) (web.View, error) {
	section, err := c.getSection()
	if err != nil {
		return web.View{}, err
	}
	place, scope := section.Place(), c.Scope.At(c.Site.ID)
	if c.PostForm.Has("order") {
		shown, order := form.ParseIDs(c.PostFormValue("was")), form.ParseIDs(c.PostFormValue("order"))
		err = c.Pages.OrderSections(c.Context(), scope, section.ID, shown, order)
	} else {
		err = c.Pages.MoveSection(c.Context(), scope, section.ID, c.moveDirection() == "up")
	}
	if web.AsRefusal(err) != nil {
		ofSections := true
		return c.showOrderRefused(err, ofSections, formatPlace(place))
	}
	if err != nil {
		return web.View{}, err
	}
	return c.Redirect(c.sectionsPath(place, "moved", section.ID.String(), "to", c.moveDirection()), "Order saved.")
}

// confirmDeleteSection shows the page that asks before a section is deleted.
func confirmDeleteSection(c *call) (web.View, error) {
	section, err := c.getSection()
	if err != nil {
		return web.View{}, err
	}
	row := sectionRow{section, sectionState(section, c.Now())}
	return web.Show("section-delete", "Delete "+row.Name()+"?", row)
}

// deleteSection deletes a page section and leads back to the sections of its place.
func deleteSection(c *call) (web.View, error) {
	section, err := c.getSection()
	if err == nil {
		_, err = c.Pages.DeleteSection(c.Context(), c.Scope.At(c.Site.ID), section.ID)
	}
	if err != nil {
		return web.View{}, err
	}
	place := section.Place()
	return c.Redirect(c.sectionsPath(place), "Section "+sectionName(section)+" deleted.")
}
