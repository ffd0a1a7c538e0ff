package pages

import (
	"cmp"
	"slices"

	"laurel"
	"laurel/internal/weburl"
)

// partsBuilder makes parts of an input. It notes faults, and what the input names that the section did not name before.
type partsBuilder struct {
	faults       laurel.Faults
	newID        func() laurel.ID
	isNewSection bool // the section is new: ids of its parts are ignored
	existingIDs  map[laurel.ID]bool
	collections  references
	groups       references
}

// idsInParts returns the ids of a section's parts and of the records that they show.
func idsInParts(p Parts) map[laurel.ID]bool {
	out := map[laurel.ID]bool{}
	for _, place := range p.collectionSlots() {
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

// build returns what the input makes of the present parts.
func (w *partsBuilder) build(in SectionInput, parts Parts) Parts {
	if in.Banner.Set {
		parts.Banner = nil
		if b := in.Banner.Ptr(); b != nil {
			parts.Banner = w.banner(*b)
		}
	}
	if in.ItemsGrids.Set {
		parts.ItemsGrids = w.collectionSlots("itemsGrids", in.ItemsGrids)
	}
	if in.Discovery.Set {
		parts.Discovery = w.discovery(in.Discovery)
	}
	return parts
}

// partID returns the id of a part: that which the input names, if the section has such a part, else a new one.
func (w *partsBuilder) partID(path string, in laurel.Optional[laurel.ID]) laurel.ID {
	id := in.Ptr()
	switch {
	case id == nil || w.isNewSection:
		return w.newID()
	case !w.existingIDs[*id]:
		w.faults.AddText(path, "Part of the page section not found")
	}
	return *id
}

// checkList notes a list that is null, or has too many items; it reports whether its items can be read.
func (w *partsBuilder) checkList(path string, null bool, n int) bool {
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

func (w *partsBuilder) banner(in BannerInput) *Banner {
	b := &Banner{
		ID: w.partID("banner.id", in.ID), Collections: w.collectionSlots("banner.websiteCollectionBanners", in.Collections),
	}
	if c := in.Carousel.Ptr(); c != nil {
		b.Carousel = w.carousel(*c)
	}
	return b
}

func (w *partsBuilder) carousel(in CarouselInput) *Carousel {
	const path = "banner.carousel.carouselItems"
	c := &Carousel{ID: w.partID("banner.carousel.id", in.ID), Items: []CarouselItem{}}
	if !w.checkList(path, in.Items.Null, len(in.Items.Value)) {
		return c
	}
	for i, item := range in.Items.Value {
		made := CarouselItem{ID: w.partID(itemPath(path, i, "id"), item.ID), SortID: int64(i)}
		laurel.Assign(&w.faults, itemPath(path, i, "sortId"), item.SortID, "an integer", &made.SortID)
		c.Items = append(c.Items, made)
	}
	slices.SortStableFunc(c.Items, func(a, b CarouselItem) int { return cmp.Compare(a.SortID, b.SortID) })
	return c
}

func (w *partsBuilder) collectionSlots(path string, in laurel.Optional[[]ShownInput]) []Shown {
	out := []Shown{}
	if !w.checkList(path, in.Null, len(in.Value)) {
		return out
	}
	for i, place := range in.Value {
		made := Shown{ID: w.partID(itemPath(path, i, "id"), place.ID)}
		if id := place.CollectionID.Ptr(); id != nil {
			made.CollectionID = *id
			if !w.existingIDs[*id] {
				w.collections = append(w.collections, references{{*id, itemPath(path, i, "websiteCollectionId")}}...)
			}
		}
		out = append(out, made)
	}
	return out
}

func (w *partsBuilder) discovery(in laurel.Optional[[]DiscoveryInput]) []Discovery {
	const path = "discoveryItems"
	out := []Discovery{}
	if !w.checkList(path, in.Null, len(in.Value)) {
		return out
	}
	for i, item := range in.Value {
		out = append(out, w.discoveryItem(path, i, item))
	}
	slices.SortStableFunc(out, func(a, b Discovery) int { return cmp.Compare(a.SortID, b.SortID) })
	return out
}

func (w *partsBuilder) discoveryItem(path string, i int, in DiscoveryInput) Discovery {
	f := &w.faults
	d := Discovery{ID: w.partID(itemPath(path, i, "id"), in.ID), SortID: int64(i)}
	laurel.AssignText(f, itemPath(path, i, "title"), in.Title, maxName, &d.Title)
	laurel.AssignText(f, itemPath(path, i, "buttonText"), in.ButtonText, maxName, &d.ButtonText)
	laurel.AssignText(f, itemPath(path, i, "description"), in.Description, maxText, &d.Description)
	weburl.Assign(f, itemPath(path, i, "externalLink"), in.ExternalLink, weburl.Valid, &d.ExternalLink)
	laurel.Assign(f, itemPath(path, i, "hideQuestInfo"), in.HideQuestInfo, "a boolean", &d.HideQuestInfo)
	assignOneOfOrNull(f, itemPath(path, i, "layout"), in.Layout, Layouts(), &d.Layout)
	weburl.Assign(f, itemPath(path, i, "mediaLink"), in.MediaLink, weburl.ValidOrFile, &d.MediaLink)
	weburl.Assign(f, itemPath(path, i, "pageMediaLink"), in.PageMediaLink, weburl.ValidOrFile, &d.PageMediaLink)
	laurel.Assign(f, itemPath(path, i, "sortId"), in.SortID, "an integer", &d.SortID)
	laurel.AssignText(f, itemPath(path, i, "microblog"), in.Microblog, maxName, &d.Microblog)
	weburl.Assign(f, itemPath(path, i, "website"), in.Website, weburl.Valid, &d.Website)
	if id := in.GroupID.Ptr(); id != nil {
		d.GroupID = *id
		if !w.existingIDs[*id] {
			w.groups = append(w.groups, references{{*id, itemPath(path, i, "loyaltyRuleGroupId")}}...)
		}
	}
	return d
}
