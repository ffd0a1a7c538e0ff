package pages

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"laurel"
	"laurel/internal/content/collections"
	"laurel/internal/store"
	"laurel/internal/weburl"
)

const global = "global" // the placement on every page

// Placements lists the placements of sections (contract 2).
func Placements() []string { return []string{global, "page"} }

// SectionTypes lists the types of sections.
func SectionTypes() []string { return []string{"all_items", "discovery_item", "discovery_items_grid"} }

// Layouts lists the layouts of discovery items.
func Layouts() []string { return []string{"container_style", "full_width_hero"} }

// SectionInput is a section as a caller writes it. Creation requires placement and durationStart.
type SectionInput struct {
	Placement  laurel.Optional[string]           `json:"placement,omitzero"`
	PageID     laurel.Optional[string]           `json:"pageId,omitzero" doc:"The page, for placement page"`
	Type       laurel.Optional[string]           `json:"pageSectionType,omitzero"`
	Title      laurel.Optional[string]           `json:"title,omitzero"`
	SortID     laurel.Optional[int64]            `json:"sortId,omitzero" doc:"Lists go by it, the lowest first. Default 0"`
	Start      laurel.Optional[laurel.Timestamp] `json:"durationStart,omitzero"`
	End        laurel.Optional[laurel.Timestamp] `json:"durationEnd,omitzero"`
	Banner     laurel.Optional[BannerInput]      `json:"banner,omitzero"`
	ItemsGrids laurel.Optional[[]ShownInput]     `json:"itemsGrids,omitzero" doc:"Replaces the former ones"`
	Discovery  laurel.Optional[[]DiscoveryInput] `json:"discoveryItems,omitzero" doc:"Replaces the former ones"`
}

// BannerInput is a banner as a caller writes it: it replaces the former one.
type BannerInput struct {
	ID          laurel.Optional[laurel.ID]     `json:"id,omitzero"`
	Collections laurel.Optional[[]ShownInput]  `json:"websiteCollectionBanners,omitzero"`
	Carousel    laurel.Optional[CarouselInput] `json:"carousel,omitzero"`
}

// ShownInput is a slot for a collection as a caller writes it.
type ShownInput struct {
	ID           laurel.Optional[laurel.ID] `json:"id,omitzero" doc:"The id of an existing part; ignored on creation"`
	CollectionID laurel.Optional[laurel.ID] `json:"websiteCollectionId,omitzero"`
}

// CarouselInput is a carousel as a caller writes it.
type CarouselInput struct {
	ID    laurel.Optional[laurel.ID]           `json:"id,omitzero"`
	Items laurel.Optional[[]CarouselItemInput] `json:"carouselItems,omitzero"`
}

// CarouselItemInput is an item of a carousel as a caller writes it.
type CarouselItemInput struct {
	ID     laurel.Optional[laurel.ID] `json:"id,omitzero"`
	SortID laurel.Optional[int64]     `json:"sortId,omitzero" doc:"Default: its place in the list, from 0"`
}

// DiscoveryInput is a discovery item as a caller writes it. It replaces the former one: absent properties become null
// or false.
type DiscoveryInput struct {
	ID            laurel.Optional[laurel.ID] `json:"id,omitzero" doc:"The id of an existing part; ignored on creation"`
	Title         laurel.Optional[string]    `json:"title,omitzero"`
	ButtonText    laurel.Optional[string]    `json:"buttonText,omitzero"`
	Description   laurel.Optional[string]    `json:"description,omitzero"`
	ExternalLink  laurel.Optional[string]    `json:"externalLink,omitzero"`
	HideQuestInfo laurel.Optional[bool]      `json:"hideQuestInfo,omitzero"`
	Layout        laurel.Optional[string]    `json:"layout,omitzero"`
	GroupID       laurel.Optional[laurel.ID] `json:"loyaltyRuleGroupId,omitzero"`
	MediaLink     laurel.Optional[string]    `json:"mediaLink,omitzero"`
	PageMediaLink laurel.Optional[string]    `json:"pageMediaLink,omitzero"`
	SortID        laurel.Optional[int64]     `json:"sortId,omitzero" doc:"Default: its place in the list, from 0"`
	Microblog     laurel.Optional[string]    `json:"microblog,omitzero"`
	Website       laurel.Optional[string]    `json:"website,omitzero"`
}

// Bounds returns the limits of the properties of a section.
func (SectionInput) Bounds() laurel.Bounds {
	return laurel.Bounds{
		Required: []string{"placement", "durationStart"},
		NotNull:  []string{"placement", "durationStart", "sortId", "itemsGrids", "discoveryItems"},
		Keywords: map[string]laurel.Keywords{
			"placement":       {"enum": Placements()},
			"pageId":          {"maxLength": maxPageID},
			"pageSectionType": {"enum": SectionTypes()},
			"title":           {"maxLength": maxName},
			"itemsGrids":      {"maxItems": maxParts},
			"discoveryItems":  {"maxItems": maxParts},
		},
	}
}

// Bounds returns the limits of the properties of a banner.
func (BannerInput) Bounds() laurel.Bounds {
	return laurel.Bounds{NotNull: []string{"websiteCollectionBanners"}, Keywords: map[string]laurel.Keywords{
		"websiteCollectionBanners": {"maxItems": maxParts},
	}}
}

// Bounds returns the limits of the properties of a carousel.
func (CarouselInput) Bounds() laurel.Bounds {
	return laurel.Bounds{NotNull: []string{"carouselItems"}, Keywords: map[string]laurel.Keywords{
		"carouselItems": {"maxItems": maxParts},
	}}
}

// Bounds returns the limits of the properties of a discovery item.
func (DiscoveryInput) Bounds() laurel.Bounds {
	link := laurel.Keywords{"format": "uri-reference", "maxLength": weburl.MaxLength}
	return laurel.Bounds{NotNull: []string{"hideQuestInfo", "sortId"}, Keywords: map[string]laurel.Keywords{
		"title":         {"maxLength": maxName},
		"buttonText":    {"maxLength": maxName},
		"description":   {"maxLength": maxText},
		"layout":        {"enum": Layouts()},
		"externalLink":  {"format": "uri", "maxLength": weburl.MaxLength},
		"mediaLink":     link,
		"pageMediaLink": link,
		"microblog":     {"maxLength": maxName},
		"website":       {"format": "uri", "maxLength": weburl.MaxLength},
	}}
}

// applyInput checks the input and writes it into a section. Records that the section did not refer to before must be
// live; those that it referred to already may be deleted by now. Errors: Invalid.
func (s *Service) applyInput(ctx context.Context, tx *store.Tx, in SectionInput, section *Section) error {
	isNew := section.Placement == "" // a stored section has a placement
	pb := partsBuilder{newID: tx.NewID, existingIDs: idsInParts(section.Parts), isNewSection: isNew}
	section.Parts = pb.build(in, section.Parts)
	in.assignFields(&pb.faults, section)
	if err := pb.faults.Err(); err != nil {
		return err
	}
	scope := laurel.Scope{OrganizationID: section.OrganizationID, WebsiteID: section.WebsiteID}
	if err := s.checkReferences(ctx, tx, scope, &pb); err != nil {
		return err
	}
	if len(store.JSON([]any{section.Banner, section.ItemsGrids, section.Discovery})) > maxSection {
		return laurel.Faults{{Path: "discoveryItems", Message: fmt.Sprintf(
			"banner, itemsGrids and discoveryItems must be at most %d bytes together", maxSection)}}.Err()
	}
	return s.loadReferences(ctx, tx, scope, []Section{*section})
}

// assignFields writes the properties other than parts into the section, and adds what is invalid to f.
func (in SectionInput) assignFields(f *laurel.Faults, section *Section) {
	assignOneOf(f, "placement", in.Placement, Placements(), &section.Placement)
	if in.PageID.Set {
		f.Text("pageId", in.PageID.Value, 0, maxPageID)
		section.PageID = nil
		if id := in.PageID.Value; id != "" {
			section.PageID = &id
		}
	}
	assignOneOfOrNull(f, "pageSectionType", in.Type, SectionTypes(), &section.Type)
	laurel.AssignText(f, "title", in.Title, maxName, &section.Title)
	laurel.Assign(f, "sortId", in.SortID, "an integer", &section.SortID)
	switch {
	case in.Start.Set && in.Start.Null, !in.Start.Set && section.Start.IsZero():
		f.Add("durationStart", "is required")
	case in.Start.Set:
		section.Start = in.Start.Value
	}
	if in.End.Set {
		section.End.Timestamp = in.End.Value // zero for null
	}
	if !section.End.IsZero() && !section.End.After(section.Start.Time) {
		f.Add("durationEnd", "must be after durationStart")
	}
}

// assignOneOf sets a required property to the value in the input, if that is one of allowed. Otherwise it adds a fault;
// but a property that is not in the input keeps the value that it has.
func assignOneOf(f *laurel.Faults, path string, in laurel.Optional[string], allowed []string, to *string) {
	switch {
	case in.Set && in.Null, !in.Set && *to == "":
		f.Add(path, "is required")
	case in.Set && !slices.Contains(allowed, in.Value):
		f.Add(path, "must be one of: %s", strings.Join(allowed, ", "))
	case in.Set:
		*to = in.Value
	}
}

// assignOneOfOrNull writes an optional value of an enumeration to a property; null clears it.
func assignOneOfOrNull(f *laurel.Faults, path string, in laurel.Optional[string], allowed []string, to **string) {
	if in.Ptr() != nil && !slices.Contains(allowed, in.Value) {
		f.Add(path, "must be one of: %s", strings.Join(allowed, ", "))
	} else if in.Set {
		*to = in.Ptr()
	}
}

// checkReferences checks that the collections and rule groups that pb has collected are live. It returns all faults of
// pb, those from before too. Errors: Invalid.
func (s *Service) checkReferences(ctx context.Context, tx *store.Tx, scope laurel.Scope, pb *partsBuilder) error {
	live, err := collections.FindLive(ctx, tx, scope, pb.collections.ids())
	if err != nil {
		return err
	}
	for _, n := range pb.collections {
		if _, ok := live[n.id]; !ok {
			pb.faults.AddText(n.path, msgNoCollection)
		}
	}
	groups, err := s.groupNames(ctx, tx, scope, pb.groups.ids())
	if err != nil {
		return err
	}
	for _, n := range pb.groups {
		if _, ok := groups[n.id]; !ok {
			pb.faults.AddText(n.path, msgNoGroup)
		}
	}
	return pb.faults.Err()
}

// reference is an id in an input, and the path of the property that holds it.
type reference struct {
	id   laurel.ID
	path string
}

type references []reference

func (r references) ids() []laurel.ID {
	out := make([]laurel.ID, len(r))
	for i := range r {
		out[i] = r[i].id
	}
	return out
}

// itemPath returns the path of a property of the i-th item of a list.
func itemPath(path string, i int, name string) string {
	return path + "." + strconv.Itoa(i) + "." + name
}
