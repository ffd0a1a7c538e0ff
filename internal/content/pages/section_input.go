package pages

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/content/collections"
	"laurel.example/laurel/internal/record"
	"laurel.example/laurel/internal/store"
	"laurel.example/laurel/internal/weburl"
)

const global = "global" // the placement on every page

// Placements lists the placements of sections (contract 2).
func Placements() []string { return []string{global, "page"} }

// SectionTypes lists the types of sections.
func SectionTypes() []string { return []string{"all_items", "discovery_item", "discovery_items_grid"} }

// Layouts lists the layouts of discovery items.
func Layouts() []string { return []string{"container_style", "full_width_hero"} }

// SectionPatch is what a caller writes of a section, besides its parts.
type SectionPatch = record.Patch[Section]

// SectionInput is a section as a caller writes it.
type SectionInput struct {
	SectionPatch
	PartsInput
}

// PartsInput has the parts of a section as a caller writes them.
type PartsInput struct {
	Banner     laurel.Optional[BannerInput]      `json:"banner,omitzero"`
	ItemsGrids laurel.Optional[[]ShownInput]     `json:"itemsGrids,omitzero" doc:"Replaces the former ones"`
	Discovery  laurel.Optional[[]DiscoveryInput] `json:"discoveryItems,omitzero" doc:"Replaces the former ones"`
}

var (
	_ = record.Define("placement", record.OneOf(Placements()...))
	_ = record.Define("sectiontype", record.OneOf(SectionTypes()...))
)

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

// Bounds returns the limits of the parts of a section.
func (PartsInput) Bounds() laurel.Bounds {
	return laurel.Bounds{NotNull: []string{"itemsGrids", "discoveryItems"}, Keywords: map[string]laurel.Keywords{
		"itemsGrids": {"maxItems": maxParts}, "discoveryItems": {"maxItems": maxParts},
	}}
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
	isNew, apply := section.Placement == "", in.Update // a stored section has a placement
	if isNew {
		apply = in.Create
	}
	pb := partsBuilder{newID: tx.NewID, existingIDs: idsInParts(section.Parts), isNewSection: isNew}
	section.Parts = pb.build(in.PartsInput, section.Parts)
	for _, fault := range apply(section) {
		pb.faults.AddText(fault.Path, fault.Message)
	}
	if section.PageID != nil && *section.PageID == "" {
		section.PageID = nil
	}
	if !section.End.IsZero() && !section.End.After(section.Start.Time) {
		pb.faults.Add("durationEnd", "must be after durationStart")
	}
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
