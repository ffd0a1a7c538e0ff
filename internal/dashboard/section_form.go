package dashboard

import (
	"context"
	"strconv"
	"strings"
	"time"

	"laurel"
	"laurel/internal/content/collections"
	layout "laurel/internal/content/pages"
)

// sectionForm is the form of a page section.
type sectionForm struct {
	Section     layout.Section // without id: a new one
	Input       map[string]string
	Banner      []collectionLine
	Grid        []collectionLine
	Discovery   []discoveryLine
	Types       []choice
	Collections []choice
	Groups      []choice
	Preview     preview // of the section as typed
	BaseVersion string  // hash of the saved values when the form was opened
	Conflicts   []fieldConflict
	Faults      map[string]string
	Error       string
	live        map[laurel.ID]collections.Collection
	names       *websiteNames
}

// New reports whether the section is not made yet.
func (f *sectionForm) New() bool { return f.Section.ID.IsZero() }

// Name returns the name of the section.
func (f *sectionForm) Name() string { return sectionName(f.Section) }

// Previews returns the preview of the section, as a list.
func (f *sectionForm) Previews() []preview { return []preview{f.Preview} }

// FullOf reports whether there is no room for another part of a kind.
func (f *sectionForm) FullOf(list string) bool {
	counts := map[string]int{bannerList: len(f.Banner), gridList: len(f.Grid), discoveryList: len(f.Discovery)}
	return counts[list] >= maxSectionParts
}

var sectionFields = []labeledField{
	{"placement", "Placement"}, {"pageId", "Page"}, {"pageSectionType", "Type"}, {"title", "Title"},
	{"durationStart", "Shown from"}, {"durationEnd", "Shown until"}, {bannerList, "Banner"}, {"carousel", "Carousel"},
	{gridList, "Grid"}, {discoveryList, "Discovery items"},
}

// buildSectionForm returns the form of a section as it is saved, or of a new one.
func (c *request) buildSectionForm(s layout.Section) (*sectionForm, error) {
	f := &sectionForm{Section: s, Types: sectionTypes, live: map[laurel.ID]collections.Collection{}}
	f.Input = map[string]string{
		"placement": s.Placement, "pageId": s.PageID, "pageSectionType": textCell(s.Type), "title": textCell(s.Title),
		"durationStart": formTime(s.Start), "durationEnd": formTime(s.End), "carousel": "",
	}
	if f.Input["placement"] == "" {
		f.Input["placement"] = onEveryPage
	}
	if b := s.Banner; b != nil {
		f.Banner = collectionLines(bannerList, b.Collections)
		if b.Carousel != nil {
			f.Input["carousel"] = strconv.Itoa(len(b.Carousel.Items))
		}
	}
	f.Grid, f.Discovery = collectionLines(gridList, s.ItemsGrids), discoveryLines(s.Discovery)
	if err := c.offerParts(f); err != nil {
		return nil, err
	}
	f.BaseVersion = formVersion(f.texts())
	return f.withPreview(c), nil
}

// offerParts reads the collections and groups of rules that parts of a section can show.
func (c *request) offerParts(f *sectionForm) (err error) {
	list := func(ctx context.Context, page laurel.PageRequest) (laurel.Page[collections.Collection], error) {
		return c.d.Collections.List(ctx, c.scope.At(c.site.ID), page)
	}
	all, err := listAll(c.Context(), list, func(one collections.Collection) laurel.ID { return one.ID })
	if err != nil {
		return err
	}
	for _, one := range all {
		f.live[one.ID] = one
		f.Collections = append(f.Collections, choice{one.ID.String(), one.Name})
	}
	if f.names, err = c.readNames(); err == nil {
		f.Groups = groupChoicesOf(f.names)
	}
	return err
}

// withPreview adds a preview of the section as it is typed, and returns the form. Malformed times are ignored here and
// refused on saving.
func (f *sectionForm) withPreview(c *request) *sectionForm {
	at := func(name string) time.Time {
		t, err := time.Parse(dateTimeLayout, f.Input[name])
		if err != nil {
			return time.Time{}
		}
		return t
	}
	s := layout.Section{Start: at("durationStart"), End: at("durationEnd"), Parts: f.typedParts()}
	if title := f.Input["title"]; title != "" {
		s.Title = &title
	}
	if kind := f.Input["pageSectionType"]; kind != "" {
		s.Type = &kind
	}
	f.Preview = sectionPreview(sectionRow{s, sectionState(s, c.d.Now())}, f.names)
	return f
}

// texts returns the form's values as texts, to find changes and conflicts.
func (f *sectionForm) texts() map[string]string {
	out := map[string]string{}
	for _, field := range sectionFields {
		out[field.Name] = f.Input[field.Name]
	}
	for list, lines := range map[string][]collectionLine{bannerList: f.Banner, gridList: f.Grid} {
		var words []string
		for _, l := range lines {
			words = append(words, f.collectionLabel(l.Collection))
		}
		out[list] = strings.Join(words, ", ")
	}
	var words []string
	for _, l := range f.Discovery {
		words = append(words, l.words())
	}
	out[discoveryList] = strings.Join(words, "; ")
	return out
}

// collectionLabel returns the name and id of a collection.
func (f *sectionForm) collectionLabel(id string) string {
	for _, one := range f.Collections {
		if one.Value == id {
			return one.Label + " (" + id + ")"
		}
	}
	return id
}

// readPosted reads the posted form. redraw reports whether it was sent only to change parts or draw the preview.
func (f *sectionForm) readPosted(c *request) (redraw bool) {
	for _, field := range sectionFields {
		f.Input[field.Name] = strings.TrimSpace(c.PostFormValue(field.Name))
	}
	var banner, grid, items bool
	f.Banner, banner = c.readPostedCollections(bannerList)
	f.Grid, grid = c.readPostedCollections(gridList)
	f.Discovery, items = c.readPostedDiscovery()
	return banner || grid || items || c.PostFormValue("add") == "preview"
}

// showRefused shows the form again with the faults of a refusal. Faults of carousel items are shown at their number.
func (f *sectionForm) showRefused(c *request, err error, title string) (view, error) {
	return c.showRefused(err, "section-form", title, func(faults map[string]string, text string) any {
		f.Faults, f.Error = map[string]string{}, text
		for path, fault := range faults {
			if strings.HasPrefix(path, "banner.carousel") {
				path = "carousel"
			}
			f.Faults[path] = fault
		}
		return f.withPreview(c)
	})
}

// serviceInput returns what the service is to save: parts and optional fields only if they differ from saved. Malformed
// values are added to faults.
func (f *sectionForm) serviceInput(c *request, saved map[string]string, faults *laurel.Faults) layout.SectionInput {
	now := f.texts()
	changed := func(name string) bool { return saved == nil || saved[name] != now[name] }
	text := func(name string) (out laurel.Optional[string]) {
		switch {
		case !changed(name):
			return out
		case f.Input[name] == "":
			return laurel.Null[string]()
		}
		return laurel.Some(f.Input[name])
	}
	moment := func(name string) (out laurel.Optional[laurel.Timestamp]) {
		if !changed(name) {
			return out
		}
		if at := c.readTime(faults, name); at != nil {
			return laurel.Some(laurel.Timestamp{Time: *at})
		}
		return laurel.Null[laurel.Timestamp]()
	}
	in := layout.SectionInput{
		Placement: laurel.Some(f.Input["placement"]), PageID: laurel.Some(f.Input["pageId"]), Type: text("pageSectionType"),
		Title: text("title"), Start: moment("durationStart"), End: moment("durationEnd"),
	}
	if changed(bannerList) || changed("carousel") {
		in.Banner = f.banner(faults)
	}
	if changed(gridList) {
		in.ItemsGrids = laurel.Some(f.collectionInputs(f.Grid))
	}
	if changed(discoveryList) {
		in.Discovery = laurel.Some(f.discoveryInputs())
	}
	return in
}
