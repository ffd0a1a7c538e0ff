package content

import (
	"context"
	"strconv"
	"strings"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/content/collections"
	layout "laurel.example/laurel/internal/content/pages"
	"laurel.example/laurel/internal/dashboard/form"
	"laurel.example/laurel/internal/dashboard/parts"
	"laurel.example/laurel/internal/dashboard/web"
)

// sectionForm is the form of a page section.
type sectionForm struct {
	form.State
	Section     layout.Section // without id: a new one
	Banner      []collectionLine
	Grid        []collectionLine
	Discovery   []discoveryLine
	Types       []web.Choice
	Collections []web.Choice
	Groups      []web.Choice
	Preview     preview // of the section as typed
	live        map[laurel.ID]collections.Collection
	names       *parts.Names
}

// New reports whether the section is not made yet.
func (f *sectionForm) New() bool { return f.Section.ID.IsZero() }

// Name returns the name of the section.
func (f *sectionForm) Name() string { return sectionName(f.Section) }

// Previews returns the preview of the section, as a list.
func (f *sectionForm) Previews() []preview { return []preview{f.Preview} }

// FullOf reports whether a list of the section, which is named by its property, has no room for another part.
func (f *sectionForm) FullOf(property string) bool {
	counts := map[string]int{bannerList: len(f.Banner), gridList: len(f.Grid), discoveryList: len(f.Discovery)}
	return counts[property] >= maxSectionParts
}

// sectionTable has the properties of a section. Its parts, and where it stands, are read and shown by hand.
var sectionTable = form.NewTable[layout.Section, layout.SectionPatch](form.Fields(
	"placement", "Placement", "pageId", "Page", "pageSectionType", "Type", "title", "Title",
	"durationStart", "Shown from", "durationEnd", "Shown until", bannerList, "Banner", "carousel", "Carousel",
	gridList, "Grid", discoveryList, "Cards",
), form.ByHand("placement", "pageId", bannerList, "carousel", gridList, discoveryList))

// buildSectionForm returns the form of a page section with its saved values; of a new section if it has no id.
func (c *call) buildSectionForm(section layout.Section) (*sectionForm, error) {
	f := &sectionForm{Section: section, Types: sectionTypes, live: map[laurel.ID]collections.Collection{}}
	f.Input = sectionTable.Saved(section)
	f.Input["placement"], f.Input["pageId"], f.Input["carousel"] = section.Placement, web.TextCell(section.PageID), ""
	if f.Input["placement"] == "" {
		f.Input["placement"] = onEveryPage
	}
	if banner := section.Banner; banner != nil {
		f.Banner = collectionLines(bannerList, banner.Collections)
		if banner.Carousel != nil {
			f.Input["carousel"] = strconv.Itoa(len(banner.Carousel.Items))
		}
	}
	f.Grid, f.Discovery = collectionLines(gridList, section.ItemsGrids), discoveryLines(section.Discovery)
	if err := c.offerParts(f); err != nil {
		return nil, err
	}
	f.BaseVersion = form.VersionOf(f.texts())
	return f.withPreview(c), nil
}

// offerParts adds to the form the collections and groups of rules that parts of a section can show.
func (c *call) offerParts(f *sectionForm) (err error) {
	list := func(ctx context.Context, page laurel.PageRequest) (laurel.Page[collections.Collection], error) {
		return c.Collections.List(ctx, c.Scope.At(c.Site.ID), page)
	}
	found, err := web.ListAll(
		c.Context(), list, func(collection collections.Collection) laurel.ID { return collection.ID },
	)
	if err != nil {
		return err
	}
	for _, collection := range found {
		f.live[collection.ID] = collection
		f.Collections = append(f.Collections, web.Choice{Value: collection.ID.String(), Label: collection.Name})
	}
	if f.names, err = c.ReadNames(); err == nil {
		f.Groups = groupChoicesOf(f.names)
	}
	return err
}

// withPreview adds to the form a preview of the section as it is typed, and returns the form. Malformed times are
// ignored here and refused on saving.
func (f *sectionForm) withPreview(c *call) *sectionForm {
	section := layout.Section{Parts: f.typedParts()}
	section.Start.Time, _ = form.ParseTime(f.Input["durationStart"])
	section.End.Time, _ = form.ParseTime(f.Input["durationEnd"])
	if title := f.Input["title"]; title != "" {
		section.Title = &title
	}
	if sectionType := f.Input["pageSectionType"]; sectionType != "" {
		section.Type = &sectionType
	}
	f.Preview = sectionPreview(sectionRow{section, sectionState(section, c.Now())}, f.names)
	return f
}

// texts returns the form's values as texts by field, to find changes and conflicts.
func (f *sectionForm) texts() map[string]string {
	out := map[string]string{}
	for _, field := range sectionTable.Fields {
		out[field.Name] = f.Input[field.Name]
	}
	for list, lines := range map[string][]collectionLine{bannerList: f.Banner, gridList: f.Grid} {
		var words []string
		for _, line := range lines {
			words = append(words, f.collectionLabel(line.Collection))
		}
		out[list] = strings.Join(words, ", ")
	}
	var words []string
	for _, line := range f.Discovery {
		words = append(words, line.words())
	}
	out[discoveryList] = strings.Join(words, "; ")
	return out
}

// collectionLabel returns the name and id of a collection; only the id if it was deleted.
func (f *sectionForm) collectionLabel(id string) string {
	for _, collection := range f.Collections {
		if collection.Value == id {
			return collection.Label + " (" + id + ")"
		}
	}
	return id
}

// readPosted reads the posted form into f. redraw reports whether the form was sent only to add or remove a part, or to
// draw the preview.
func (f *sectionForm) readPosted(c *call) (redraw bool) {
	for _, field := range sectionTable.Fields {
		f.Input[field.Name] = strings.TrimSpace(c.PostFormValue(field.Name))
	}
	var banner, grid, items bool
	f.Banner, banner = c.readPostedCollections(bannerList)
	f.Grid, grid = c.readPostedCollections(gridList)
	f.Discovery, items = c.readPostedDiscovery()
	return banner || grid || items || c.PostFormValue("add") == "preview"
}

// showRefused shows the form again with what err, a refusal of the service, says about its fields. The items of a
// carousel are one field: their number. Any other error is returned.
func (f *sectionForm) showRefused(c *call, err error, title string) (web.View, error) {
	return c.ShowRefused(err, "section-form", title, func(refusal web.Refusal) any {
		f.Faults, f.Error = map[string]string{}, refusal.Error
		for path, fault := range refusal.Faults {
			if strings.HasPrefix(path, "banner.carousel") {
				path = "carousel"
			}
			f.Faults[path] = fault
		}
		return f.withPreview(c)
	})
}

// serviceInput returns the section as the service is to save it. Parts and optional fields that are as in saved are
// left out. Malformed values are added to faults.
func (f *sectionForm) serviceInput(saved map[string]string, faults *laurel.Faults) layout.SectionInput {
	changes := form.Changes{Saved: saved, Typed: f.texts(), Faults: faults}
	in := layout.SectionInput{SectionPatch: sectionTable.Input(changes).
		With("placement", f.Input["placement"]).With("pageId", f.Input["pageId"])}
	if changes.Changed(bannerList) || changes.Changed("carousel") {
		in.Banner = f.banner(faults)
	}
	if changes.Changed(gridList) {
		in.ItemsGrids = laurel.Some(f.collectionInputs(f.Grid))
	}
	if changes.Changed(discoveryList) {
		in.Discovery = laurel.Some(f.discoveryInputs())
	}
	return in
}
