package pages

import (
	"cmp"
	"slices"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/weburl"
)

// partsBuilder builds the parts of a section from an input. It collects faults, and references to records that the
// section did not refer to before.
type partsBuilder struct {
	faults       laurel.Faults
	newID        func() laurel.ID
	isNewSection bool               // then ids of parts in the input are ignored
	existingIDs  map[laurel.ID]bool // of parts and referred records before the change
	collections  references         // new ones, to be checked
	groups       references         // new ones, to be checked
}

// idsInParts returns the ids of a section's parts, and of the collections and rule groups that they refer to.
func idsInParts(p Parts) map[laurel.ID]bool {
	out := map[laurel.ID]bool{}
	for _, slot := range p.collectionSlots() {
		out[slot.ID], out[slot.CollectionID] = true, true
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
	delete(out, laurel.ID{}) // the zero id of absent references
	return out
}

// build returns parts, the present ones of the section, with each part that is in the input replaced by the new one.
// Faults and new references are collected in pb.
func (pb *partsBuilder) build(in PartsInput, parts Parts) Parts {
	if in.Banner.Set {
		parts.Banner = nil
		if b := in.Banner.Ptr(); b != nil {
			parts.Banner = pb.banner(*b)
		}
	}
	if in.ItemsGrids.Set {
		parts.ItemsGrids = pb.collectionSlots("itemsGrids", in.ItemsGrids)
	}
	if in.Discovery.Set {
		parts.Discovery = pb.discovery(in.Discovery)
	}
	return parts
}

// partID returns the id of a part: the id in the input, or a new one if the input has none or the section is new. It
// adds a fault if the section has no part with the id.
func (pb *partsBuilder) partID(path string, in laurel.Optional[laurel.ID]) laurel.ID {
	id := in.Ptr()
	switch {
	case id == nil || pb.isNewSection:
		return pb.newID()
	case !pb.existingIDs[*id]:
		pb.faults.AddText(path, "Part of the page section not found")
	}
	return *id
}

// checkList adds a fault if a list of n items is null or has more than maxParts items. It reports whether the list is
// valid.
func (pb *partsBuilder) checkList(path string, null bool, n int) bool {
	switch {
	case null:
		pb.faults.Add(path, "must be an array")
	case n > maxParts:
		pb.faults.Add(path, "must have at most %d items", maxParts)
	default:
		return true
	}
	return false
}

// banner returns the banner of the input. It replaces the former one as a whole.
func (pb *partsBuilder) banner(in BannerInput) *Banner {
	b := &Banner{
		ID:          pb.partID("banner.id", in.ID),
		Collections: pb.collectionSlots("banner.websiteCollectionBanners", in.Collections),
	}
	if c := in.Carousel.Ptr(); c != nil {
		b.Carousel = pb.carousel(*c)
	}
	return b
}

// carousel returns the carousel of the input, its items by sortId.
func (pb *partsBuilder) carousel(in CarouselInput) *Carousel {
	const path = "banner.carousel.carouselItems"
	c := &Carousel{ID: pb.partID("banner.carousel.id", in.ID), Items: []CarouselItem{}}
	if !pb.checkList(path, in.Items.Null, len(in.Items.Value)) {
		return c
	}
	for i, item := range in.Items.Value {
		made := CarouselItem{ID: pb.partID(itemPath(path, i, "id"), item.ID), SortID: int64(i)}
		laurel.Assign(&pb.faults, itemPath(path, i, "sortId"), item.SortID, "an integer", &made.SortID)
		c.Items = append(c.Items, made)
	}
	slices.SortStableFunc(c.Items, func(a, b CarouselItem) int { return cmp.Compare(a.SortID, b.SortID) })
	return c
}

// collectionSlots returns the slots for collections of a list in the input. Collections that the section did not refer
// to before are added to pb.collections.
func (pb *partsBuilder) collectionSlots(path string, in laurel.Optional[[]ShownInput]) []Shown {
	out := []Shown{}
	if !pb.checkList(path, in.Null, len(in.Value)) {
		return out
	}
	for i, slot := range in.Value {
		made := Shown{ID: pb.partID(itemPath(path, i, "id"), slot.ID)}
		if id := slot.CollectionID.Ptr(); id != nil {
			made.CollectionID = *id
			if !pb.existingIDs[*id] {
				pb.collections = append(pb.collections, reference{*id, itemPath(path, i, "websiteCollectionId")})
			}
		}
		out = append(out, made)
	}
	return out
}

// discovery returns the discovery items of the input by sortId.
func (pb *partsBuilder) discovery(in laurel.Optional[[]DiscoveryInput]) []Discovery {
	const path = "discoveryItems"
	out := []Discovery{}
	if !pb.checkList(path, in.Null, len(in.Value)) {
		return out
	}
	for i, item := range in.Value {
		out = append(out, pb.discoveryItem(path, i, item))
	}
	slices.SortStableFunc(out, func(a, b Discovery) int { return cmp.Compare(a.SortID, b.SortID) })
	return out
}

// discoveryItem returns the i-th discovery item of the input; absent properties are null or false. A rule group that
// the section did not refer to before is added to pb.groups.
func (pb *partsBuilder) discoveryItem(path string, i int, in DiscoveryInput) Discovery {
	f := &pb.faults
	d := Discovery{ID: pb.partID(itemPath(path, i, "id"), in.ID), SortID: int64(i)}
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
		if !pb.existingIDs[*id] {
			pb.groups = append(pb.groups, reference{*id, itemPath(path, i, "loyaltyRuleGroupId")})
		}
	}
	return d
}
