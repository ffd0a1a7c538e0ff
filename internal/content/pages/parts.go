package pages

import (
	"cmp"
	"slices"

	"laurel"
	"laurel/internal/weburl"
)

// writer makes parts of an input. It notes faults, and what the input names that the section did not name before.
type writer struct {
	faults      laurel.Faults
	fresh       func() laurel.ID
	creates     bool // the section is new: ids of its parts are ignored
	had         map[laurel.ID]bool
	collections named
	groups      named
}

// had returns the ids of a section's parts and of the records that they show.
func had(p Parts) map[laurel.ID]bool {
	out := map[laurel.ID]bool{}
	for _, place := range p.shown() {
		out[place.ID], out[place.CollectionID] = true, true
	}
	if b := p.Banner; b != nil {
		out[b.ID] = true
		if b.Carousel != nil {
			out[b.Carousel.ID] = true
			for _, item := range b.Carousel.Items {
				out[item.ID] = true
			}
		}
	}
	for _, d := range p.Discovery {
		out[d.ID], out[d.GroupID] = true, true
	}
	delete(out, laurel.ID{}) // names nothing
	return out
}

// parts returns what the input makes of the present parts.
func (w *writer) parts(in SectionInput, now Parts) Parts {
	if in.Banner.Set {
		now.Banner = nil
		if b := in.Banner.Ptr(); b != nil {
			now.Banner = w.banner(*b)
		}
	}
	if in.ItemsGrids.Set {
		now.ItemsGrids = w.shown("itemsGrids", in.ItemsGrids)
	}
	if in.Discovery.Set {
		now.Discovery = w.discovery(in.Discovery)
	}
	return now
}

// id returns the id of a part: that which the input names, if the section has such a part, else a new one.
func (w *writer) id(path string, in laurel.Optional[laurel.ID]) laurel.ID {
	id := in.Ptr()
	switch {
	case id == nil || w.creates:
		return w.fresh()
	case !w.had[*id]:
		w.faults.AddText(path, "Part of the page section not found")
	}
	return *id
}

// list notes a list that is null, or has too many items; it reports whether its items can be read.
func (w *writer) list(path string, null bool, n int) bool {
	switch {
	case null:
		w.faults.Add(path, "must be an array")
	case n > maxParts:
		w.faults.Add(path, "must have at most %d items", maxParts)
	default:
		return true
	}
	return false
}

func (w *writer) banner(in BannerInput) *Banner {
	b := &Banner{
		ID: w.id("banner.id", in.ID), Collections: w.shown("banner.websiteCollectionBanners", in.Collections),
	}
	if c := in.Carousel.Ptr(); c != nil {
		b.Carousel = w.carousel(*c)
	}
	return b
}

func (w *writer) carousel(in CarouselInput) *Carousel {
	const path = "banner.carousel.carouselItems"
	c := &Carousel{ID: w.id("banner.carousel.id", in.ID), Items: []CarouselItem{}}
	if !w.list(path, in.Items.Null, len(in.Items.Value)) {
		return c
	}
	for i, item := range in.Items.Value {
		made := CarouselItem{ID: w.id(at(path, i, "id"), item.ID), SortID: int64(i)}
		laurel.Assign(&w.faults, at(path, i, "sortId"), item.SortID, "an integer", &made.SortID)
		c.Items = append(c.Items, made)
	}
	slices.SortStableFunc(c.Items, func(a, b CarouselItem) int { return cmp.Compare(a.SortID, b.SortID) })
	return c
}

func (w *writer) shown(path string, in laurel.Optional[[]ShownInput]) []Shown {
	out := []Shown{}
	if !w.list(path, in.Null, len(in.Value)) {
		return out
	}
	for i, place := range in.Value {
		made := Shown{ID: w.id(at(path, i, "id"), place.ID)}
		if id := place.CollectionID.Ptr(); id != nil {
			made.CollectionID = *id
			if !w.had[*id] {
				w.collections = append(w.collections, named{{*id, at(path, i, "websiteCollectionId")}}...)
			}
		}
		out = append(out, made)
	}
	return out
}

func (w *writer) discovery(in laurel.Optional[[]DiscoveryInput]) []Discovery {
	const path = "discoveryItems"
	out := []Discovery{}
	if !w.list(path, in.Null, len(in.Value)) {
		return out
	}
	for i, item := range in.Value {
		out = append(out, w.item(path, i, item))
	}
	slices.SortStableFunc(out, func(a, b Discovery) int { return cmp.Compare(a.SortID, b.SortID) })
	return out
}

func (w *writer) item(path string, i int, in DiscoveryInput) Discovery {
	f := &w.faults
	d := Discovery{ID: w.id(at(path, i, "id"), in.ID), SortID: int64(i)}
	laurel.AssignText(f, at(path, i, "title"), in.Title, maxName, &d.Title)
	laurel.AssignText(f, at(path, i, "buttonText"), in.ButtonText, maxName, &d.ButtonText)
	laurel.AssignText(f, at(path, i, "description"), in.Description, maxText, &d.Description)
	weburl.Assign(f, at(path, i, "externalLink"), in.ExternalLink, weburl.Valid, &d.ExternalLink)
	laurel.Assign(f, at(path, i, "hideQuestInfo"), in.HideQuestInfo, "a boolean", &d.HideQuestInfo)
	chooseOrNull(f, at(path, i, "layout"), in.Layout, Layouts(), &d.Layout)
	weburl.Assign(f, at(path, i, "mediaLink"), in.MediaLink, weburl.ValidOrFile, &d.MediaLink)
	weburl.Assign(f, at(path, i, "pageMediaLink"), in.PageMediaLink, weburl.ValidOrFile, &d.PageMediaLink)
	laurel.Assign(f, at(path, i, "sortId"), in.SortID, "an integer", &d.SortID)
	laurel.AssignText(f, at(path, i, "microblog"), in.Microblog, maxName, &d.Microblog)
	weburl.Assign(f, at(path, i, "website"), in.Website, weburl.Valid, &d.Website)
	if id := in.GroupID.Ptr(); id != nil {
		d.GroupID = *id
		if !w.had[*id] {
			w.groups = append(w.groups, named{{*id, at(path, i, "loyaltyRuleGroupId")}}...)
		}
	}
	return d
}
